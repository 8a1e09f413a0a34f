#!/usr/bin/env bash
# Value and gradient of kernels that nobody tuned, as a table in benches/results/kernels.md: `benches/kernels.sh`.
set -euo pipefail
cd "$(dirname "$0")/.."
{
    echo "# Kernels that nobody tuned"
    echo
    echo "Least times of calls that take turns, by \`benches/kernels.sh\`. Functions and adjoints by hand are in \`benches/kernels/list\`."
    echo "A *request* is one to the allocator in a warm prepared call, of a function that may itself allocate."
    echo
    cargo bench --quiet --bench kernels
} | tee benches/results/kernels.md
