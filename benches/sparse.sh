#!/usr/bin/env bash
# Prepared sparse derivatives over one call of the function, as a table in benches/results/sparse.md: `benches/sparse.sh`.
set -euo pipefail
cd "$(dirname "$0")/.."
{
    echo "# Sparse derivatives"
    echo
    echo "Least times of calls that take turns, by \`benches/sparse.sh\`: a prepared operator that writes into a matrix, and the function."
    echo "Bars: Jacobians of the Brusselator 8 functions; Hessians of squared steps 1.0, and 2 of a million numbers."
    echo
    DIFFI_TABLE=1 cargo bench --quiet --bench sparse -- ratios
} | tee benches/results/sparse.md
