#!/usr/bin/env bash
# Whether gradients still take as many instructions as they took: `benches/instructions.sh`, or with `--update` to take down new counts.
# Times of a shared machine say little about a few percent; callgrind's counts repeat. One call is the difference between three
# calls and one, by two. More than 3 % above a count in benches/instructions.txt is an error; as much below asks for an update.
# Another compiler makes other code, and another C library has another exponential, so the counts hold for those that the file names
# (and for processors with fused multiplication, of which only the last three kernels take notice).
set -euo pipefail
cd "$(dirname "$0")/.."
counts=benches/instructions.txt
allowed=3 # percent
compiler="$(rustc --version | cut -d' ' -f1-2), $(getconf GNU_LIBC_VERSION 2>/dev/null || echo another C library)"

if ! command -v valgrind >/dev/null; then
    echo "SKIPPED: instructions are not counted, because there is no valgrind here" >&2
    exit 0
fi
if [ "${1:-}" != --update ] && ! grep -qx "# $compiler" "$counts"; then
    echo "SKIPPED: $counts is for $(sed -n 's/^# //p' "$counts"), and this is $compiler; take down new counts with --update" >&2
    exit 0
fi

program=$(cargo bench --quiet --bench instructions --no-run --message-format=json |
    sed -n 's/.*"name":"instructions".*"executable":"\([^"]*\)".*/\1/p' | tail -1)

# Instructions of the whole run. $1: kernel, $2: calls.
run() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$2" 2>&1 |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

failed=0
new="# $compiler"
for kernel in sum_of_squares_1000 rosenbrock_1000 gmm_d10_k5 gmm_d32_k25 lstm_l2_c1024; do
    now=$((($(run "$kernel" 3) - $(run "$kernel" 1)) / 2))
    new+=$'\n'"$kernel $now"
    [ "${1:-}" = --update ] && continue
    was=$(sed -n "s/^$kernel //p" "$counts")
    verdict="as before"
    if [ $((now * 100)) -gt $((was * (100 + allowed))) ]; then
        verdict="MORE than before"
        failed=1
    elif [ $((now * 100)) -lt $((was * (100 - allowed))) ]; then
        verdict="fewer than before: take it down with --update"
    fi
    printf '%-20s %12d, was %12d: %s\n' "$kernel" "$now" "$was" "$verdict"
done
[ "${1:-}" = --update ] && echo "$new" | tee "$counts"
exit $failed
