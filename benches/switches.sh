#!/usr/bin/env bash
# The gain of each pass: the instructions of five gradients with all passes, and as multiples of these with one pass left out.
# `benches/switches.sh [PASS..]`; the pass table is in diffi-macros/src/opt/passes.rs. `all` leaves out every pass that has a switch.
set -euo pipefail
cd "$(dirname "$0")/.."

# The names in the pass table, without those of required passes.
switches() {
    sed -n '/^pub const PASSES/,/^];/p' diffi-macros/src/opt/passes.rs | grep -v 'required(' | grep -o '"[a-z_]*"' | tr -d '"' | sort -u
    echo stencil_gather all
}

kernels="sum_of_squares_1000 rosenbrock_1000 gmm_d10_k5 gmm_d32_k25 lstm_l2_c1024"
passes=${*:-$(switches)}

# Instructions of one call of each kernel. $1: the passes to leave out.
counts() {
    touch benches/instructions.rs # the switch is none of cargo's concern
    local program
    program=$(DIFFI_WITHOUT=$1 cargo bench --quiet --bench instructions --no-run --message-format=json |
        sed -n 's/.*"name":"instructions".*"executable":"\([^"]*\)".*/\1/p' | tail -1)
    for kernel in $kernels; do
        echo $((($(run "$program" "$kernel" 3) - $(run "$program" "$kernel" 1)) / 2))
    done
}

run() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" "$2" "$3" 2>&1 | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

all=$(counts "")
printf '%-18s' without
printf ' %20s' $kernels
printf '\n%-18s' -
printf ' %20d' $all
printf '\n'
for pass in $passes; do
    printf '%-18s' "$pass"
    paste <(echo "$all") <(counts "$pass") | awk '{ printf " %20.2f", $2 / $1 } END { print "" }'
done
