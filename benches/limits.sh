#!/usr/bin/env bash
# The figures of benches/limits.rs for the default target and for the processor at hand, and whether adjoints of stencils are slower
# there: vectors that are loaded where the one before was only just stored overlap it, and have to wait.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}

run() { # $1: name, $2: flags
    RUSTFLAGS="$2" cargo bench --quiet --bench limits --target-dir "$target/limits-$1" | tee "$target/limits-$1.txt"
}

mkdir -p "$target"
echo "default target"
run default ""
echo "target-cpu=native"
run native "-C target-cpu=native"
echo "adjoints of stencils, native over default"
paste "$target/limits-default.txt" "$target/limits-native.txt" | awk '/^stencil/ { printf "%-20s %5.2f%s\n", $2, $9 / $3, ($9 / $3 > 1.05 ? "  SLOWER" : "") }'
