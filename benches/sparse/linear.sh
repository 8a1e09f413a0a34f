#!/usr/bin/env bash
# Whether detection, coloring and Jacobians of the Brusselator take a number of instructions that is linear in the places of its grid.
# Times also grow where memory does not fit into caches: for colors by 2.5 and for Jacobians by 1.5 from N = 24 to 300, where a Jacobian
# walks through 140 MB. Patterns take as long for each place at N = 300 as at 100. One call is the difference between three calls and one,
# by two. A stage with 10 % more for each place at N = 300 than at N = 100 is an error.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v valgrind >/dev/null; then
    echo "SKIPPED: instructions are not counted, because there is no valgrind here" >&2
    exit 0
fi

program=$(cargo bench --quiet --bench sparse --no-run --message-format=json |
    sed -n 's/.*"name":"sparse".*"executable":"\([^"]*\)".*/\1/p' | tail -1)

# Instructions of the whole run. $1: stage, $2: N, $3: calls.
run() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" once "$1" "$2" "$3" 2>&1 |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

failed=0
printf '%-10s %8s %8s %8s   instructions for each place\n' stage N=24 N=100 N=300
for stage in function local global coloring forward reverse; do
    each=()
    for n in 24 100 300; do
        each+=($((($(run $stage $n 3) - $(run $stage $n 1)) / (2 * n * n))))
    done
    verdict=
    if [ $((each[2] * 100)) -gt $((each[1] * 110)) ]; then
        verdict="MORE than linear"
        failed=1
    fi
    printf '%-10s %8s %8s %8s   %s\n' $stage "${each[@]}" "$verdict"
done
exit $failed
