"""GradBench's JAX tool, started in a checkout, with the clock stopped when a result is there: JAX's calls return before they have
computed anything. Its numbers are of double precision, as those of the other tools: the tool itself asks for that in every eval but `ode`."""

import runpy
import sys

import jax
from gradbench import wrap

jax.config.update("jax_enable_x64", True)
measured = wrap.multiple_runs


def multiple_runs(**options):
    decorate = measured(**options)
    return lambda function: decorate(lambda given: jax.block_until_ready(function(given)))


wrap.multiple_runs = multiple_runs
TOOL = "python/gradbench/gradbench/tools/jax"
sys.path.insert(0, TOOL)
runpy.run_path(f"{TOOL}/run.py", run_name="__main__")
