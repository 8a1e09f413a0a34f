use diffi::prelude::*;

/// Reverse Polish program on a stack of numbers: 0 push x, 1 add, 2 mul, 3 sin, 4 swap, 5 dup.
#[differentiable(constant(code))]
pub fn rpn_program(x: &[f64], code: &[usize]) -> f64 {
    let mut stack: Vec<f64> = Vec::new();
    let mut next = 0;
    for &op in code {
        match op {
            0 => {
                stack.push(x[next % x.len()]);
                next += 1;
            }
            1 => {
                let b = stack.pop().unwrap();
                let a = stack.pop().unwrap();
                stack.push(a + b);
            }
            2 => {
                let b = stack.pop().unwrap();
                let a = stack.pop().unwrap();
                stack.push(a * b);
            }
            3 => {
                let top = stack.last_mut().unwrap();
                *top = top.sin();
            }
            4 => {
                let n = stack.len();
                stack.swap(n - 1, n - 2);
            }
            5 => stack.push(*stack.last().unwrap()),
            _ => unreachable!(),
        }
    }
    let mut total = 0.0;
    while let Some(v) = stack.pop() {
        total = 0.5 * total + v;
    }
    total
}
