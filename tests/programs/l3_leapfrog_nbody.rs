use diffi::prelude::*;

/// Kick-drift-kick leapfrog for planar bodies with softened gravity; final positions.
#[differentiable(constant(dt, steps))]
pub fn leapfrog_nbody(pos0: &[f64], vel0: &[f64], mass: &[f64], dt: f64, steps: usize) -> Vec<f64> {
    let n = mass.len();
    let mut pos = pos0.to_vec();
    let mut vel = vel0.to_vec();
    let mut acc = vec![0.0; 2 * n];
    for s in 0..=steps {
        for a in acc.iter_mut() {
            *a = 0.0;
        }
        for i in 0..n {
            for j in 0..n {
                if i == j {
                    continue;
                }
                let dx = pos[2 * j] - pos[2 * i];
                let dy = pos[2 * j + 1] - pos[2 * i + 1];
                let r2 = dx * dx + dy * dy + 0.01;
                let inv = mass[j] / (r2 * r2.sqrt());
                acc[2 * i] += inv * dx;
                acc[2 * i + 1] += inv * dy;
            }
        }
        let half = if s == 0 || s == steps { 0.5 * dt } else { dt };
        for k in 0..2 * n {
            vel[k] += half * acc[k];
        }
        if s < steps {
            for k in 0..2 * n {
                pos[k] += dt * vel[k];
            }
        }
    }
    pos
}
