"""GradBench's Enzyme tool, started in a checkout, compiled by the Python package `enzyme-ad` at run time: that brings the compiler and the
plugin, where GradBench's own Makefile wants both in fitting versions.

The environment: CLANG_RESOURCES, a folder with clang's own headers under `include`; TARGET_CPU, as clang names it; and LD_PRELOAD with
libstdc++.so.6, libgcc_s.so.1 and libm.so.6, where what is compiled finds its symbols."""

import ctypes
import json
import os
import sys
import tempfile

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # the compiler's messages are no answers

import jax
import jax.numpy as jnp
from enzyme_ad.jax import cpp_call

jax.config.update("jax_enable_x64", True)
TOOL = "tools/enzyme"
HEADERS = os.environ["CLANG_RESOURCES"]
OPTIONS = (
    *("-resource-dir", HEADERS, "-isystem", f"{HEADERS}/include", "-Icpp", f"-I{TOOL}", "-fgnuc-version=4.2.1"),
    *("-O3", "-std=c++17", "-target-cpu", os.environ["TARGET_CPU"], "-fcxx-exceptions", "-fexceptions"),
    *("-Dmain=tool", "-Wno-everything"),
)
# JAX calls this, and gets the address of the tool's `main`.
ENTRY = "void f(enzyme::tensor<double, 1>& out, const enzyme::tensor<double, 1>&) { out[0] = (double)(uintptr_t)(void*)&tool; }"
MAIN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p))


def compiled(module):
    with open(f"{TOOL}/{module}.cpp") as source:
        source = source.read() + ENTRY
    shapes = [jax.core.ShapedArray([1], jnp.float64)]
    (address,) = jax.jit(lambda x: cpp_call(x, out_shapes=shapes, source=source, argv=OPTIONS))(jnp.ones(1))
    return MAIN(int(address[0]))


def evaluate(main, message):
    """Runs the tool in a process of its own, as GradBench does."""
    with tempfile.NamedTemporaryFile("w") as given, tempfile.NamedTemporaryFile() as found:
        json.dump(message["input"], given)
        given.flush()
        child = os.fork()
        if child == 0:
            os.dup2(os.open(found.name, os.O_WRONLY), 1)
            words = [message["module"], given.name, message["function"]]
            os._exit(main(3, (ctypes.c_char_p * 4)(*(word.encode() for word in words), None)))
        status = os.waitpid(child, 0)[1]
        if status != 0:
            return {"success": False, "error": f"status {status}"}
        output, *timings = map(json.loads, found.read().splitlines())
        return {"success": True, "output": output, "timings": timings}


mains = {}
for line in sys.stdin:
    message = json.loads(line)
    answer = {}
    if message["kind"] == "start":
        answer = {"tool": "enzyme"}
    elif message["kind"] == "define":
        try:
            mains[message["module"]] = compiled(message["module"])
            answer = {"success": True}
        except Exception as error:
            answer = {"success": False, "error": str(error)}
    elif message["kind"] == "evaluate":
        answer = evaluate(mains[message["module"]], message)
    answers.write(json.dumps({"id": message["id"]} | answer) + "\n")
    answers.flush()
