"""The twins in JAX: started by `benches/twins/main.rs` with the folder of inputs, and asked line by line as `in_codipack.cpp` is."""

import pathlib
import sys
import time

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp
import kernels


def seconds(call):
    start = time.perf_counter()
    call()
    calls = max(1, int(2e-3 / (time.perf_counter() - start)))
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls


def quickest(functions, x):
    """The one to measure."""
    for function in functions:
        jax.block_until_ready(function(x))
    times = [min(seconds(lambda: jax.block_until_ready(function(x))) for _ in range(3)) for function in functions]
    return functions[times.index(min(times))]


class Twin:
    def __init__(self, path):
        x, *constants = ([float(number) for number in line.split()] for line in path.read_text().splitlines())
        kernel = getattr(kernels, path.name)
        ways = [kernels.scan, kernels.written_out] if kernel in kernels.OF_STEPS else [kernels.scan]
        self.x = jnp.asarray(x)
        functions = [kernel(way, *constants) for way in ways]
        self.function = quickest([jax.jit(f) for f in functions], self.x)
        self.gradient = quickest([jax.jit(jax.value_and_grad(f)) for f in functions], self.x)

    def answer(self):
        value, gradient = self.gradient(self.x)
        return [float(value), *map(float, gradient)]


def main():
    folder, twin = pathlib.Path(sys.argv[1]), None
    for line in sys.stdin:
        words = line.split()
        if words[0] == "load":
            twin = Twin(folder / words[1])
            print(*map(repr, twin.answer()), flush=True)
        else:
            function = getattr(twin, words[0])
            print(repr(seconds(lambda: jax.block_until_ready(function(twin.x)))), flush=True)


main()
