#!/usr/bin/env bash
# What an annotated function costs at compile time, beside the targets: `benches/expansion.sh [rounds]`.
# Builds 55 functions, five of which are called by others, in debug mode as they are, annotated, annotated with a gradient of each of the
# 50 that are not, and the last with `first_order`. Times are the processor time of the compiler in user mode, the shortest of several
# rounds, so that other work on the machine counts for little. (Derivative code is generic: the compiler makes machine code of it only
# where an operator is called.)
#
# Twice: with the macro as most users have it, without optimisation, and with `[profile.dev.build-override] opt-level = 3`.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=${CARGO_TARGET_DIR:-$root/target}/expansion
export CARGO_INCREMENTAL=0 # or nothing but the expansion would be done again
rounds=${1:-5}
functions=50
mkdir -p "$work"

# Ten shapes, from a formula to nested loops with branches and calls. $1: number, $2: attribute.
shape() {
    local attribute=$2
    case $(($1 % 10)) in
    0) echo "$attribute pub fn shape_$1(x: &[f64]) -> f64 { (x[0] * x[1]).sin() + x[2].exp() / (1.0 + x[0] * x[0]) }" ;;
    1) echo "$attribute pub fn shape_$1(x: &[f64]) -> f64 { x.iter().map(|v| v * v).sum() }" ;;
    2) echo "$attribute pub fn shape_$1(x: &[f64]) -> f64 { x.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum() }" ;;
    3) echo "$attribute pub fn shape_$1(x: &[f64]) -> f64 {
            let mut total = 0.0;
            for i in 0..x.len() - 1 { let a = x[i + 1] - x[i] * x[i]; total += 100.0 * a * a + (1.0 - x[i]).powi(2); }
            total
        }" ;;
    4) echo "$attribute pub fn shape_$1(x: &[f64]) -> f64 {
            let largest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = x.iter().map(|v| (v - largest).exp()).sum();
            largest + sum.ln()
        }" ;;
    5) echo "$attribute pub fn shape_$1(x: &[f64]) -> f64 {
            let mut u = x.to_vec();
            for _ in 0..10 { for i in 1..u.len() { u[i] = u[i] - 0.1 * u[i] * (u[i] - u[i - 1]); } }
            u.iter().map(|v| v * v).sum()
        }" ;;
    6) echo "$attribute pub fn shape_$1(x: &[f64]) -> f64 {
            let mut y = x[0];
            while y.abs() > 1e-3 { let next = y - 0.3 * y * x[1].cos(); if next > y { break; } y = next; }
            y + x[2]
        }" ;;
    7) echo "$attribute pub fn shape_$1(x: &[f64]) -> f64 {
            let mut total = 0.0;
            for v in x { total += if *v > 0.0 { v.sqrt() } else { v * v }; }
            total
        }" ;;
    8) echo "$attribute pub fn shape_$1(x: &[f64]) -> f64 { g$1(x[0], x[1]) * g$1(x[1], x[2]) }"
       echo "$attribute pub fn g$1(a: f64, b: f64) -> f64 { a.hypot(b) + a.atan2(b) }" ;;
    9) echo "$attribute pub fn shape_$1(x: &[f64]) -> f64 {
            let mut hidden = vec![0.0; 4];
            for (j, h) in hidden.iter_mut().enumerate() { *h = x.iter().map(|v| v * (j as f64 + 0.5)).sum::<f64>().tanh(); }
            hidden.iter().sum()
        }" ;;
    esac
}

crate() { # $1: name, $2: attribute, $3: whether gradients are called
    mkdir -p "$work/$1/src"
    cat >"$work/$1/Cargo.toml" <<TOML
[package]
name = "$1"
version = "0.0.0"
edition = "2024"
[dependencies]
diffi = { path = "$root/diffi" }
[workspace]
TOML
    {
        echo "#![allow(unused_imports)] use diffi::prelude::*;"
        for i in $(seq "$functions"); do
            shape "$i" "$2"
            if [ "$3" = yes ]; then
                echo "pub fn d$i(x: &[f64]) -> Vec<f64> { gradient(shape_$i::D, AutoReverse, x).unwrap() }"
            fi
        done
    } >"$work/$1/src/lib.rs"
}

build() { # $1: crate, $2: cargo's command and what follows it
    local name=$1
    shift
    touch "$work/$name/src/lib.rs"
    CARGO_TARGET_DIR=$work/target-$optimised CARGO_PROFILE_DEV_BUILD_OVERRIDE_OPT_LEVEL=$optimised \
        cargo "$1" --quiet --manifest-path "$work/$name/Cargo.toml" "${@:2}"
}

shortest() { sort -n | head -n 1; }

milliseconds() { # $1: crate, $2: cargo's command; the processor time of one compilation
    local TIMEFORMAT=%U
    build "$1" "$2" # with the dependencies
    for _ in $(seq "$rounds"); do { time build "$1" "$2" 2>&3; } 3>&2 2>&1; done | awk '{ print int($1 * 1000) }' | shortest
}

expansion() { # $1: crate; the processor time up to where its macros are expanded and its names resolved
    local TIMEFORMAT=%U
    for _ in $(seq "$rounds"); do
        { time RUSTC_BOOTSTRAP=1 build "$1" rustc --lib -- -Zno-analysis 2>&3; } 3>&2 2>&1
    done | awk '{ print int($1 * 1000) }' | shortest
}

per_function() { # $1: what, $2: milliseconds for all functions, $3: the target for one
    awk -v what="$1" -v all="$2" -v functions="$annotated" -v target="$3" \
        'BEGIN { printf "%-44s %8.1f %8s\n", what, all / functions, target }'
}

crate plain "" no
crate annotated "#[differentiable]" no
crate called "#[differentiable]" yes
crate first "#[differentiable(first_order)]" yes
annotated=$(grep -c '^#\[differentiable\]' "$work/annotated/src/lib.rs")

declare -A time
for optimised in 0 3; do
    printf '%-44s %8s %8s\n' "ms for $annotated functions, macro at opt-level $optimised" check build
    for name in plain annotated called first; do
        for command in check build; do time[$name-$command]=$(milliseconds "$name" "$command"); done
        printf '%-44s %8s %8s\n' "$name" "${time[$name-check]}" "${time[$name-build]}"
    done
    printf '%-44s %8s %8s\n' "ms per function, macro at opt-level $optimised" "" target
    per_function "expansion, with the names in it resolved" "$(($(expansion annotated) - $(expansion plain)))" 3
    per_function "rustc, more than plain, annotated" "$((time[annotated-build] - time[plain-build]))" ""
    per_function "rustc, more than plain, with a gradient" "$((time[called-build] - time[plain-build]))" 20
    per_function "the same, first_order" "$((time[first-build] - time[plain-build]))" ""
done
