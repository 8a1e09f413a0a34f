//! Enums without the derive whose variants hold integers and text, where nothing declares them constant.

#![allow(dead_code, unused, reason = "programs as people write them")]

/// Their own annotated methods.
mod receiver {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Debug)]
    pub enum Act {
        Relu,
        Power(i32),
        Steps(usize),
    }
    #[differentiable]
    impl Act {
        fn apply(&self, x: f64) -> f64 {
            match self {
                Act::Relu => x.max(0.0),
                Act::Power(a) => x.powi(*a),
                Act::Steps(n) => x * *n as f64,
            }
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        Act::Power(2).apply(x[0]) * x[1] + Act::Steps(2).apply(x[1])
    }
}

/// A list of them as a parameter, walked along.
mod parameter {
    use diffi::prelude::*;

    #[derive(Clone, Debug)]
    pub enum Term {
        Species(usize),
        Power(usize, i32),
        Named(String, Vec<usize>),
    }
    #[differentiable]
    fn rate(terms: &[Term], c: &[f64]) -> f64 {
        let mut r = 1.0;
        for t in terms {
            r *= match t {
                Term::Species(i) => c[*i],
                Term::Power(i, n) => c[*i].powi(*n),
                Term::Named(_, all) => all.iter().map(|i| c[*i]).sum::<f64>(),
            };
        }
        r
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        rate(&[Term::Species(0), Term::Power(1, 3), Term::Named("a".into(), vec![0, 1])], x)
    }
}

/// Arguments made where they are handed on.
mod argument {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Debug)]
    pub enum Lvl {
        Low,
        At(u32),
    }
    #[differentiable]
    fn g(l: Lvl, x: f64) -> f64 {
        match l {
            Lvl::Low => x,
            Lvl::At(n) => x.powi(n as i32),
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let l = Lvl::At((x[0] * 7.0) as u32);
        g(l, x[1]) * x[0] + [Lvl::Low, Lvl::At(3)].iter().map(|&l| g(l, x[0])).sum::<f64>()
    }
}

/// The state of a machine in a field, which changes by a method.
mod state {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Mode {
        Idle,
        Ramp { step: usize },
        Hold(u32),
    }
    impl Mode {
        fn following(self) -> Self {
            match self {
                Mode::Idle => Mode::Ramp { step: 1 },
                Mode::Ramp { step } if step > 3 => Mode::Hold(0),
                Mode::Ramp { step } => Mode::Ramp { step: step + 1 },
                Mode::Hold(n) => Mode::Hold(n + 1),
            }
        }
    }
    #[derive(Clone, Debug, Differentiable)]
    pub struct Plant {
        y: f64,
        mode: Mode,
    }
    #[differentiable]
    impl Plant {
        fn reference(&self) -> f64 {
            match self.mode {
                Mode::Idle => 0.0,
                Mode::Ramp { step } => 0.1 * step as f64,
                Mode::Hold(n) => 1.0 + n as f64,
            }
        }
        fn advance(&mut self, k: f64) {
            self.y += k * (self.reference() - self.y);
            self.mode = self.mode.following();
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut p = Plant { y: x[1], mode: Mode::Idle };
        for _ in 0..8 {
            p.advance(x[0]);
        }
        p.y * if matches!(p.mode, Mode::Hold(_)) { 1.0 } else { 2.0 }
    }
}

/// A list of commands in a field.
mod program {
    use diffi::prelude::*;

    #[derive(Clone, Debug, PartialEq)]
    pub enum Cmd {
        Push(i64),
        Load(usize),
        Add,
        Mul,
        Jump { to: usize, when: bool },
    }
    #[derive(Clone, Debug, Default, Differentiable)]
    pub struct Vm {
        stack: Vec<f64>,
        program: Vec<Cmd>,
        #[differentiable(constant)]
        pc: usize,
    }
    #[differentiable]
    impl Vm {
        fn step(&mut self, x: &[f64]) -> Option<()> {
            let cmd = self.program.get(self.pc)?.clone();
            self.pc += 1;
            match cmd {
                Cmd::Push(k) => self.stack.push(k as f64),
                Cmd::Load(i) => self.stack.push(x[i]),
                Cmd::Add => {
                    let (a, b) = (self.stack.pop()?, self.stack.pop()?);
                    self.stack.push(a + b);
                }
                Cmd::Mul => {
                    let (a, b) = (self.stack.pop()?, self.stack.pop()?);
                    self.stack.push(a * b);
                }
                Cmd::Jump { to, when } => {
                    if when {
                        self.pc = to;
                    }
                }
            }
            Some(())
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut vm = Vm::default();
        vm.program =
            vec![Cmd::Push(3), Cmd::Load(0), Cmd::Mul, Cmd::Load(1), Cmd::Jump { to: 5, when: true }, Cmd::Add];
        while vm.step(x).is_some() {}
        vm.stack[0] * x[0]
    }
}

use argument::value as argument_value;
use parameter::value as parameter_value;
use program::value as program_value;
use receiver::value as receiver_value;
use state::value as state_value;

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number receiver_value(at x: Vec<f64>): [vec![0.4, 0.7]] [vec![0.49, 0.82]];
        number parameter_value(at x: Vec<f64>): [vec![0.4, 0.7]] [vec![0.49, 0.82]];
        number argument_value(at x: Vec<f64>): [vec![0.4, 0.7]] [vec![0.49, 0.82]];
        number state_value(at x: Vec<f64>): [vec![0.4, 0.7]] [vec![0.49, 0.82]];
        number program_value(at x: Vec<f64>): [vec![0.4, 0.7]] [vec![0.49, 0.82]];
    }
}
