//! Gradient descent with a step that grows after ten good steps and shrinks after a bad one, as GradBench prescribes it.

/// What is to be minimised.
pub struct Objective<V, G> {
    pub value: V,
    pub gradient: G,
}

/// Where the objective has its minimum, from `x` on.
pub fn minimum<const N: usize, E>(
    mut objective: Objective<impl FnMut(&[f64; N]) -> Result<f64, E>, impl FnMut(&[f64; N]) -> Result<[f64; N], E>>,
    mut x: [f64; N],
) -> Result<[f64; N], E> {
    let mut value = (objective.value)(&x)?;
    let mut gradient = (objective.gradient)(&x)?;
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
        let next_value = (objective.value)(&next)?;
        if next_value < value {
            (x, value) = (next, next_value);
            gradient = (objective.gradient)(&x)?;
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
