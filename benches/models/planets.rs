//! Bodies that attract each other, by the leapfrog method: accelerations come from a function that is called in every step.

use diffi::prelude::*;

/// The kinetic energy after some steps. Three numbers a body in `position` and `velocity`.
#[differentiable(constant(masses, dt, steps))]
pub fn planets(position: &[f64], velocity: &[f64], masses: &[f64], dt: f64, steps: usize) -> f64 {
    let mut x = position.to_vec();
    let mut v = velocity.to_vec();
    let mut a = vec![0.0; x.len()];
    accelerations(&x, masses, &mut a);
    for _ in 0..steps {
        for k in 0..v.len() {
            v[k] += 0.5 * dt * a[k];
            x[k] += dt * v[k];
        }
        accelerations(&x, masses, &mut a);
        for k in 0..v.len() {
            v[k] += 0.5 * dt * a[k];
        }
    }
    let mut energy = 0.0;
    for k in 0..v.len() {
        energy += 0.5 * masses[k / 3] * v[k] * v[k];
    }
    energy
}

/// By Newton's law, softened.
#[differentiable(constant(masses))]
pub fn accelerations(x: &[f64], masses: &[f64], a: &mut [f64]) {
    let n = masses.len();
    a.fill(0.0);
    for i in 0..n {
        for j in 0..i {
            let dx = x[3 * i] - x[3 * j];
            let dy = x[3 * i + 1] - x[3 * j + 1];
            let dz = x[3 * i + 2] - x[3 * j + 2];
            let squared = dx * dx + dy * dy + dz * dz + 0.01;
            let pull = 1.0 / (squared * squared.sqrt());
            a[3 * i] -= masses[j] * pull * dx;
            a[3 * i + 1] -= masses[j] * pull * dy;
            a[3 * i + 2] -= masses[j] * pull * dz;
            a[3 * j] += masses[i] * pull * dx;
            a[3 * j + 1] += masses[i] * pull * dy;
            a[3 * j + 2] += masses[i] * pull * dz;
        }
    }
}

/// Bodies at random places.
pub struct System {
    pub position: Vec<f64>,
    pub velocity: Vec<f64>,
    pub masses: Vec<f64>,
    pub dt: f64,
}

impl System {
    pub fn new(bodies: usize) -> System {
        let mut random = super::random(11);
        let mut uniform =
            |count: usize, scale: f64| -> Vec<f64> { (0..count).map(|_| scale * (random() - 0.5)).collect() };
        System {
            position: uniform(3 * bodies, 4.0),
            velocity: uniform(3 * bodies, 0.5),
            masses: uniform(bodies, 0.2).iter().map(|m| 0.3 + m).collect(),
            dt: 0.01,
        }
    }

    pub fn value(&self, steps: usize) -> f64 {
        planets(&self.position, &self.velocity, &self.masses, self.dt, steps)
    }
}

/// The positions at every step, what the distances of the pairs give there, and the sweeps' states.
pub struct Workspace {
    positions: Vec<f64>,
    pairs: Vec<[f64; 2]>,
    x: Vec<[f64; 3]>,
    v: Vec<f64>,
    a: Vec<[f64; 3]>,
}

impl Workspace {
    pub fn new(bodies: usize, steps: usize) -> Workspace {
        Workspace {
            positions: vec![0.0; 3 * bodies * (steps + 1)],
            pairs: vec![[0.0; 2]; bodies * (bodies - 1) / 2 * (steps + 1)],
            x: vec![[0.0; 3]; bodies],
            v: vec![0.0; 3 * bodies],
            a: vec![[0.0; 3]; bodies],
        }
    }
}

pub fn gradient_by_hand(
    System { position, velocity, masses, dt }: &System,
    steps: usize,
    work: &mut Workspace,
    x_bar: &mut [f64],
    v_bar: &mut [f64],
) {
    let n = masses.len();
    let pairs = n * (n - 1) / 2;
    let half = 0.5 * dt;
    let Workspace { positions, pairs: kept, x, v, a } = work;
    x.as_flattened_mut().copy_from_slice(position);
    v.copy_from_slice(velocity);
    for t in 0..=steps {
        if t > 0 {
            for ((x, v), a) in x.as_flattened_mut().iter_mut().zip(&mut *v).zip(a.as_flattened()) {
                *v += half * a;
                *x += dt * *v;
            }
        }
        positions[3 * n * t..3 * n * (t + 1)].copy_from_slice(x.as_flattened());
        attract(x, masses, &mut kept[t * pairs..(t + 1) * pairs], a);
        if t > 0 {
            v.iter_mut().zip(a.as_flattened()).for_each(|(v, a)| *v += half * a);
        }
    }
    for (k, bar) in v_bar.iter_mut().enumerate() {
        *bar = masses[k / 3] * v[k];
    }
    // from here on `a` and `x` hold cotangents
    x.as_flattened_mut().fill(0.0);
    a.as_flattened_mut().fill(0.0);
    for t in (0..=steps).rev() {
        if t > 0 {
            a.as_flattened_mut().iter_mut().zip(&*v_bar).for_each(|(a, v)| *a += half * v);
        }
        let place = positions[3 * n * t..3 * n * (t + 1)].as_chunks::<3>().0;
        repel(place, masses, &kept[t * pairs..(t + 1) * pairs], a, x);
        if t > 0 {
            for ((x, v), a) in x.as_flattened().iter().zip(&mut *v_bar).zip(a.as_flattened_mut()) {
                *v += dt * x;
                *a = half * *v;
            }
        }
    }
    x_bar.copy_from_slice(x.as_flattened());
}

/// Leaves r⁻³ and 3 r⁻⁵ of each pair in `kept`.
#[inline(never)]
fn attract(x: &[[f64; 3]], masses: &[f64], kept: &mut [[f64; 2]], a: &mut [[f64; 3]]) {
    a.as_flattened_mut().fill(0.0);
    let mut kept = kept.iter_mut();
    for i in 0..x.len() {
        let (before, rest) = a.split_at_mut(i);
        let (p, m, mut sum) = (x[i], masses[i], [0.0; 3]);
        for (((q, w), b), kept) in x.iter().zip(masses).zip(before).zip(&mut kept) {
            let d: [f64; 3] = std::array::from_fn(|k| p[k] - q[k]);
            let squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01;
            let pull = 1.0 / (squared * squared.sqrt());
            *kept = [pull, 3.0 * pull / squared];
            for k in 0..3 {
                sum[k] -= w * pull * d[k];
                b[k] += m * pull * d[k];
            }
        }
        for k in 0..3 {
            rest[0][k] += sum[k];
        }
    }
}

#[inline(never)]
fn repel(x: &[[f64; 3]], masses: &[f64], kept: &[[f64; 2]], a_bar: &[[f64; 3]], x_bar: &mut [[f64; 3]]) {
    let mut kept = kept.iter();
    for i in 0..x.len() {
        let (before, rest) = x_bar.split_at_mut(i);
        let (p, m, a, mut sum) = (x[i], masses[i], a_bar[i], [0.0; 3]);
        for ((((q, w), a_other), b), [pull, slope]) in x.iter().zip(masses).zip(a_bar).zip(before).zip(&mut kept) {
            let d: [f64; 3] = std::array::from_fn(|k| p[k] - q[k]);
            let e: [f64; 3] = std::array::from_fn(|k| m * a_other[k] - w * a[k]);
            let along = slope * (d[0] * e[0] + d[1] * e[1] + d[2] * e[2]);
            for k in 0..3 {
                let flow = pull * e[k] - along * d[k];
                sum[k] += flow;
                b[k] -= flow;
            }
        }
        for k in 0..3 {
            rest[0][k] += sum[k];
        }
    }
}
