#!/usr/bin/env bash
# Kernels beside their twins in C++ with CoDiPack and in JAX, as a table in benches/results/twins.md: `benches/twins.sh`, or with a
# part of a kernel's name the rows of some, which are printed only.
#
# CODIPACK is the folder of CoDiPack's headers; without it, the release named below is fetched. PYTHON is an interpreter that has JAX.
# All run on one core of the processor, CORE (0).
set -euo pipefail
cd "$(dirname "$0")/.."
release=v3.1.1
target=${CARGO_TARGET_DIR:-target}
work=$(realpath -m "$target")/twins
mkdir -p "$work/inputs"

if [ -z "${CODIPACK:-}" ]; then
    [ -d "$work/codipack" ] ||
        git clone --quiet --depth 1 --branch "$release" https://github.com/SciCompKL/CoDiPack.git "$work/codipack"
    CODIPACK=$work/codipack/include
fi
"${CXX:-g++}" -std=c++17 -O3 -DCODI_ForcedInlines=1 -I"$CODIPACK" benches/twins/in_codipack.cpp -o "$work/in_codipack"
program=$(cargo bench --quiet --bench twins --no-run --message-format=json |
    sed -n 's/.*"name":"twins".*"executable":"\([^"]*\)".*/\1/p' | tail -1)

export TWIN_INPUTS=$work/inputs
export TWIN_CODIPACK="$work/in_codipack $work/inputs"
export TWIN_JAX="${PYTHON:-python3} benches/twins/in_jax.py $work/inputs"
export XLA_FLAGS="--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1" OMP_NUM_THREADS=1
table() { taskset -c "${CORE:-0}" "$program" --bench "$@"; }

if [ $# -gt 0 ]; then
    table "$@"
    exit
fi
{
    echo "# Kernels beside their twins"
    echo
    echo "Least times of runs that take turns, on one core, by \`benches/twins.sh\`. The kernels are those of \`benches/kernels/list\`; their"
    echo "twins, in \`benches/twins\`, are written as is usual with each tool. CoDiPack $release has the quicker of two preallocated tapes,"
    echo "Jacobians with linear or reused indices; JAX is compiled, in 64 bits, with loops as scans or written out, whichever is quicker. No"
    echo "code is compiled for the processor at hand, except JAX's, which always is. Each tool's column has the function, then value and"
    echo "gradient; *functions* is the ratio of the plain functions. Bars: 0.5 of CoDiPack; of JAX, 1.0 for \`cholesky\`, \`waves\` and"
    echo "\`fisher\`, which are written with ndarray, and 1.3 for the others, which are loops."
    table
} | tee benches/results/twins.md
