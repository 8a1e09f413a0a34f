//! Programs against the same arithmetic in Rust, bit by bit.

use diffi_jit::{Comparison, Guard, Instruction, Node, Source, compile};
use std::cmp::Ordering;

extern "C" fn sin(x: f64) -> f64 {
    x.sin()
}

extern "C" fn atan2(a: f64, b: f64) -> f64 {
    a.atan2(b)
}

extern "C" fn fused(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}

/// One instruction of two or three numbers.
fn evaluate(instruction: Instruction<f64>, x: &[f64]) -> f64 {
    let mut instructions = vec![Instruction::Input; x.len()];
    instructions.push(instruction);
    let (outputs, second) = (vec![x.len() as Node], instructions.len());
    let mut function = compile(&Source { instructions, outputs, guards: vec![], second }).unwrap();
    let mut y = [0.0];
    assert!(function.first(x, &mut y));
    y[0]
}

#[test]
fn every_instruction() {
    use Instruction::*;
    let x: [f64; 4] = [0.7, -2.3, 1.1, 5.0];
    let [a, b, c, d] = x;
    for (instruction, expected) in [
        (Add(0, 1), a + b),
        (Sub(0, 1), a - b),
        (Mul(0, 1), a * b),
        (Div(0, 1), a / b),
        (Neg(1), -b),
        (Abs(1), b.abs()),
        (Sqrt(0), a.sqrt()),
        (Copysign(0, 1), a.copysign(b)),
        (Select(Comparison::Less, 0, 1, 2, 3), d),
        (Select(Comparison::Less, 1, 0, 2, 3), c),
        (Select(Comparison::LessOrEqual, 0, 0, 2, 3), c),
        (Select(Comparison::Equal, 0, 1, 2, 3), d),
        (Call1(sin, 0), a.sin()),
        (Call2(atan2, 0, 1), a.atan2(b)),
        (Call3(fused, 0, 1, 2), a.mul_add(b, c)),
        (Constant(4.25), 4.25),
        (Input, f64::NAN),
    ] {
        if !matches!(instruction, Input) {
            assert_eq!(evaluate(instruction, &x).to_bits(), expected.to_bits(), "{instruction:?}");
        }
    }
    for n in [-3, -2, -1, 0, 1, 2, 3, 4, 5, 7, 12, 31] {
        for x in [0.7, -1.3, 0.0, f64::INFINITY] {
            assert_eq!(evaluate(Powi(0, n), &[x]).to_bits(), x.powi(std::hint::black_box(n)).to_bits(), "{x} to {n}");
        }
    }
}

#[test]
fn single_precision() {
    let instructions = vec![Instruction::Input, Instruction::Constant(0.1f32), Instruction::Mul(0, 1)];
    let source = Source { instructions, outputs: vec![2, 0, 1], guards: vec![Guard::Bits(2, 0)], second: 3 };
    let mut function = compile(&source).unwrap();
    let mut y = [0.0; 3];
    assert!(!function.first(&[3.0], &mut y));
    assert_eq!(y, [3.0 * 0.1f32, 3.0, 0.1]);
    assert!(function.first(&[0.0], &mut y));
}

#[test]
fn guards() {
    let (less, equal, order) = (Comparison::Less, Comparison::LessOrEqual, Guard::Order);
    let nan = f64::NAN;
    for (guard, holds, fails) in [
        (Guard::Compare(less, 0, 1, true), [1.0, 2.0], vec![[2.0, 1.0], [1.0, 1.0], [nan, 1.0]]),
        (Guard::Compare(less, 0, 1, false), [nan, 2.0], vec![[1.0, 2.0]]),
        (Guard::Compare(equal, 0, 1, false), [2.0, 1.0], vec![[1.0, 1.0], [0.0, 1.0]]),
        (Guard::Compare(Comparison::Equal, 0, 1, true), [0.0, -0.0], vec![[1.0, 2.0], [nan, nan]]),
        (order(0, 1, Some(Ordering::Greater)), [2.0, 1.0], vec![[1.0, 2.0], [1.0, 1.0], [nan, 1.0]]),
        (order(0, 1, None), [1.0, nan], vec![[1.0, 1.0], [1.0, 2.0]]),
        (Guard::Bits(0, 1.5f64.to_bits()), [1.5, 0.0], vec![[1.25, 0.0], [nan, 1.5]]),
    ] {
        let instructions = vec![Instruction::Input, Instruction::Input];
        let source = Source { instructions, outputs: vec![0], guards: vec![guard], second: 2 };
        let mut function = compile(&source).unwrap();
        assert!(function.first(&holds, &mut [0.0]), "{guard:?} {holds:?}");
        for x in fails {
            assert!(!function.first(&x, &mut [0.0]), "{guard:?} {x:?}");
        }
    }
}

/// A chain of sums and sines that every part hands to the next, with a guard in each; the second phase goes back to numbers of the first.
#[test]
fn long_programs_in_parts_and_phases() {
    let steps = 3000;
    let mut instructions = vec![Instruction::Input, Instruction::Input];
    let mut guards = vec![];
    for k in 0..steps {
        let last = instructions.len() as Node - 1;
        instructions.push(Instruction::Mul(last, 0));
        instructions.push(if k % 3 == 0 { Instruction::Call1(sin, last + 1) } else { Instruction::Add(last + 1, 1) });
        guards.push(Guard::Compare(Comparison::Equal, last + 2, 0, false));
    }
    let second = instructions.len();
    let seed = second as Node;
    instructions.push(Instruction::Seed);
    for k in 0..steps as Node {
        instructions.push(Instruction::Mul(2 + 2 * k, seed + k));
    }
    let outputs = vec![second as Node - 1, instructions.len() as Node - 1, 1];
    let mut function = compile(&Source { instructions, outputs, guards, second }).unwrap();
    let mut other = function.clone();
    let expected = |x: [f64; 2], seed: f64| {
        let (mut v, mut products) = (x[1], vec![]);
        for k in 0..steps {
            let p = v * x[0];
            products.push(p);
            v = if k % 3 == 0 { p.sin() } else { p + x[1] };
        }
        [v, products.iter().fold(seed, |s, p| p * s), x[1]]
    };
    let mut y = [0.0; 3];
    for (x, seeds) in [([0.9, 0.3], [1.0, 2.0]), ([1.01, -0.2], [1.0, -0.5])] {
        assert!(function.first(&x, &mut y));
        for seed in seeds {
            assert!(function.second(&x, &[seed], &mut y));
            assert_eq!(y.map(f64::to_bits), expected(x, seed).map(f64::to_bits));
        }
        assert!(std::thread::scope(|scope| scope.spawn(|| other.first(&[0.1, 0.2], &mut [0.0; 3])).join().unwrap()));
    }
}
