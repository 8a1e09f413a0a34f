//! Errors without copies that `unwrap_or_else` and its kin hand on: they are taken where they are there alone.

#![allow(dead_code, unused, reason = "programs as people write them")]

/// The function panics.
mod failed {
    use diffi::prelude::*;

    #[derive(Debug)]
    pub enum E {
        A(f64),
        B,
    }
    #[differentiable]
    fn run(x: &[f64]) -> Result<f64, E> {
        if x[0] > 3.0 {
            return Err(E::B);
        }
        Ok(x[0] * x[1])
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        run(x).unwrap_or_else(|e| panic!("{e:?}"))
    }
}

/// Another value.
mod replaced {
    use diffi::prelude::*;

    #[derive(Debug)]
    pub enum E {
        A(f64),
        B,
    }
    #[differentiable]
    fn run(x: &[f64]) -> Result<f64, E> {
        if x[0] > 3.0 {
            return Err(E::B);
        }
        Ok(x[0] * x[1])
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        run(x).unwrap_or_else(|e| {
            eprintln!("{e:?}");
            -1.0
        })
    }
}

/// An error with a text, by `?`.
mod account {
    use diffi::prelude::*;

    use std::fmt;
    #[derive(Debug)]
    pub enum AccountError {
        Insufficient { need: f64, have: f64 },
        Closed,
        Parse(std::num::ParseIntError),
    }
    impl fmt::Display for AccountError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                AccountError::Insufficient { need, have } => write!(f, "{need} > {have}"),
                AccountError::Closed => f.write_str("closed"),
                AccountError::Parse(e) => write!(f, "{e}"),
            }
        }
    }
    impl std::error::Error for AccountError {}
    impl From<std::num::ParseIntError> for AccountError {
        fn from(e: std::num::ParseIntError) -> Self {
            AccountError::Parse(e)
        }
    }
    #[derive(Clone, Debug, Differentiable)]
    pub enum Transaction {
        Deposit(f64),
        Withdraw(f64),
        Interest {
            rate: f64,
            #[differentiable(constant)]
            periods: u32,
        },
        Close,
    }
    #[derive(Clone, Debug, Differentiable)]
    pub struct Account {
        balance: f64,
        #[differentiable(constant)]
        open: bool,
        history: Vec<f64>,
    }
    #[differentiable]
    impl Account {
        fn apply(&mut self, t: &Transaction) -> Result<f64, AccountError> {
            if !self.open {
                return Err(AccountError::Closed);
            }
            self.history.push(self.balance);
            match *t {
                Transaction::Deposit(a) => self.balance += a,
                Transaction::Withdraw(a) if a > self.balance => {
                    return Err(AccountError::Insufficient { need: a, have: self.balance });
                }
                Transaction::Withdraw(a) => self.balance -= a,
                Transaction::Interest { rate, periods } => self.balance *= (1.0 + rate).powi(periods as i32),
                Transaction::Close => self.open = false,
            }
            Ok(self.balance)
        }
        fn undo(&mut self) {
            if let Some(b) = self.history.pop() {
                self.balance = b;
            }
        }
    }
    #[differentiable]
    fn run(x: &[f64]) -> Result<f64, AccountError> {
        let n: u32 = "3".parse()?;
        let mut acc = Account { balance: x[1], open: true, history: Vec::with_capacity(8) };
        acc.apply(&Transaction::Deposit(x[0]))?;
        acc.apply(&Transaction::Interest { rate: 0.1 * x[0], periods: n })?;
        acc.apply(&Transaction::Withdraw(0.5))?;
        acc.undo();
        let last = acc.apply(&Transaction::Close)?;
        Ok(last + acc.history.iter().sum::<f64>())
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        run(x).unwrap_or_else(|e| panic!("{e}"))
    }
}

use account::value as account_value;
use failed::value as failed_value;
use replaced::value as replaced_value;

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number failed_value(at x: Vec<f64>): [vec![0.45, 1.5]] [vec![0.545, 1.7]];
        number replaced_value(at x: Vec<f64>): [vec![0.45, 1.5]] [vec![0.545, 1.7]];
        number account_value(at x: Vec<f64>): [vec![0.45, 1.5]] [vec![0.545, 1.7]];
    }
}
