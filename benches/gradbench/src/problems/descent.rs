//! Gradient descent with a step that grows after ten good steps and shrinks after a bad one, as GradBench prescribes it.
//!
//! One pass finds a value and its gradient, so both are asked for at once, where the next step may not be taken too.

/// Where an objective has its minimum, from `x` on. It gives its value and its gradient.
pub fn minimum<const N: usize, E>(
    mut objective: impl FnMut(&[f64; N]) -> Result<(f64, [f64; N]), E>,
    mut x: [f64; N],
) -> Result<[f64; N], E> {
    let (mut value, mut gradient) = objective(&x)?;
    let mut rate = 1e-5;
    let mut good = 0;
    while length(&gradient) > 1e-5 {
        if good == 10 {
            rate *= 2.0;
            good = 0;
            continue;
        }
        let next = std::array::from_fn(|i| x[i] - rate * gradient[i]);
        if length(&std::array::from_fn::<_, N, _>(|i| x[i] - next[i])) <= 1e-5 {
            break;
        }
        let (next_value, next_gradient) = objective(&next)?;
        if next_value < value {
            (x, value, gradient) = (next, next_value, next_gradient);
            good += 1;
        } else {
            rate /= 2.0;
            good = 0;
        }
    }
    Ok(x)
}

fn length<const N: usize>(x: &[f64; N]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}
