#!/usr/bin/env bash
# What each optimisation buys: the instructions of five gradients with all passes, and as multiples of these with one pass left out.
# `benches/switches.sh [PASS..]`; the passes are listed in diffi-macros/src/switches.rs.
set -euo pipefail
cd "$(dirname "$0")/.."
kernels="sum_of_squares_1000 rosenbrock_1000 gmm_d10_k5 gmm_d32_k25 lstm_l2_c1024"
passes=${*:-$(grep -o '"[a-z]*"' diffi-macros/src/switches.rs | tr -d '"' | sort -u)}

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
printf '%-12s' without
printf ' %20s' $kernels
printf '\n%-12s' -
printf ' %20d' $all
printf '\n'
for pass in $passes; do
    printf '%-12s' "$pass"
    paste <(echo "$all") <(counts "$pass") | awk '{ printf " %20.2f", $2 / $1 } END { print "" }'
done
