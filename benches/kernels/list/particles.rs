//! Particles, bodies and structures, most of them with constant lists of neighbours.

use diffi::prelude::*;

pub struct Neighbours {
    pub lists: Vec<Vec<usize>>,
}

/// The energy of atoms that know their neighbours.
#[differentiable(constant(near))]
pub fn lennard_jones(x: &[f64], near: &Neighbours) -> f64 {
    let mut energy = 0.0;
    for (i, list) in near.lists.iter().enumerate() {
        for &j in list {
            let mut r2 = 0.0;
            for d in 0..3 {
                let difference = x[3 * i + d] - x[3 * j + d];
                r2 += difference * difference;
            }
            let s6 = 1.0 / (r2 * r2 * r2);
            energy += 4.0 * (s6 * s6 - s6);
        }
    }
    energy
}

pub fn lennard_jones_by_hand(x: &[f64], near: &Neighbours, gradient: &mut [f64], _: &mut Vec<Vec<f64>>) -> f64 {
    let mut energy = 0.0;
    gradient.fill(0.0);
    for (i, list) in near.lists.iter().enumerate() {
        let mut sum = [0.0; 3];
        for &j in list {
            let at = [x[3 * i] - x[3 * j], x[3 * i + 1] - x[3 * j + 1], x[3 * i + 2] - x[3 * j + 2]];
            let r2 = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
            let s6 = 1.0 / (r2 * r2 * r2);
            energy += 4.0 * (s6 * s6 - s6);
            let slope = 4.0 * (2.0 * s6 - 1.0) * -6.0 * s6 / r2;
            for d in 0..3 {
                sum[d] += slope * at[d];
                gradient[3 * j + d] -= slope * at[d];
            }
        }
        for d in 0..3 {
            gradient[3 * i + d] += sum[d];
        }
    }
    energy
}

pub struct Truss {
    pub bars: Vec<(usize, usize, f64)>,
    pub loads: Vec<f64>,
}

/// The energy of a truss under load.
#[differentiable(constant(truss))]
pub fn truss(x: &[f64], truss: &Truss) -> f64 {
    let mut energy = 0.0;
    for &(a, b, length) in &truss.bars {
        let (dx, dy) = (x[2 * a] - x[2 * b], x[2 * a + 1] - x[2 * b + 1]);
        let strain = (dx * dx + dy * dy).sqrt() / length - 1.0;
        energy += 50.0 * length * strain * strain;
    }
    for (k, load) in truss.loads.iter().enumerate() {
        energy -= load * x[k];
    }
    energy
}

pub fn truss_by_hand(x: &[f64], truss: &Truss, gradient: &mut [f64], _: &mut Vec<Vec<f64>>) -> f64 {
    let mut energy = 0.0;
    gradient.fill(0.0);
    for &(a, b, length) in &truss.bars {
        let (dx, dy) = (x[2 * a] - x[2 * b], x[2 * a + 1] - x[2 * b + 1]);
        let now = (dx * dx + dy * dy).sqrt();
        let strain = now / length - 1.0;
        energy += 50.0 * length * strain * strain;
        let slope = 100.0 * strain / now;
        gradient[2 * a] += slope * dx;
        gradient[2 * b] -= slope * dx;
        gradient[2 * a + 1] += slope * dy;
        gradient[2 * b + 1] -= slope * dy;
    }
    for (k, load) in truss.loads.iter().enumerate() {
        energy -= load * x[k];
        gradient[k] -= load;
    }
    energy
}

pub struct Mesh {
    pub points: Vec<[f64; 2]>,
    pub triangles: Vec<[usize; 3]>,
}

/// The energy of a nonlinear membrane in linear finite elements.
#[differentiable(constant(mesh))]
pub fn finite_elements(u: &[f64], mesh: &Mesh) -> f64 {
    let mut energy = 0.0;
    for &[a, b, c] in &mesh.triangles {
        let (p, q, r) = (mesh.points[a], mesh.points[b], mesh.points[c]);
        let area = (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]);
        let dx = (u[a] * (q[1] - r[1]) + u[b] * (r[1] - p[1]) + u[c] * (p[1] - q[1])) / area;
        let dy = (u[a] * (r[0] - q[0]) + u[b] * (p[0] - r[0]) + u[c] * (q[0] - p[0])) / area;
        energy += 0.5 * area * (1.0 + dx * dx + dy * dy).sqrt();
    }
    energy
}

/// Stars that attract each other, by velocity Verlet, in arrays of arrays.
#[differentiable(constant(masses))]
pub fn stars(x: &[f64], masses: &Vec<f64>) -> f64 {
    let n = masses.len();
    let mut position: Vec<[f64; 3]> = (0..n).map(|i| [x[3 * i], x[3 * i + 1], x[3 * i + 2]]).collect();
    let mut velocity = vec![[0.0; 3]; n];
    for _ in 0..10 {
        let mut force = vec![[0.0; 3]; n];
        for i in 0..n {
            for j in 0..i {
                let mut r2 = 0.05;
                for d in 0..3 {
                    r2 += (position[i][d] - position[j][d]).powi(2);
                }
                let pull = 1.0 / (r2 * r2.sqrt());
                for d in 0..3 {
                    let f = pull * (position[j][d] - position[i][d]);
                    force[i][d] += masses[j] * f;
                    force[j][d] -= masses[i] * f;
                }
            }
        }
        for i in 0..n {
            for d in 0..3 {
                velocity[i][d] += 0.01 * force[i][d];
                position[i][d] += 0.01 * velocity[i][d];
            }
        }
    }
    position.iter().map(|p| p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sum()
}

type Matrix = [[f64; 3]; 3];

#[differentiable]
fn rotation(angle: f64, axis: usize) -> Matrix {
    let (s, c) = angle.sin_cos();
    match axis {
        0 => [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]],
        1 => [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]],
        _ => [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]],
    }
}

#[differentiable]
fn compose(a: &Matrix, b: &Matrix) -> Matrix {
    let mut c = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            for k in 0..3 {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c
}

/// How far the hand of an arm is from a goal.
#[differentiable(constant(goal))]
pub fn robot_arm(angles: &[f64], goal: &[f64; 3]) -> f64 {
    let mut frame = rotation(0.0, 0);
    let mut hand = [0.0; 3];
    for (k, angle) in angles.iter().enumerate() {
        frame = compose(&frame, &rotation(*angle, k % 3));
        for d in 0..3 {
            hand[d] += frame[d][0] * 0.5 + frame[d][2] * 0.1;
        }
    }
    hand.iter().zip(goal).map(|(h, g)| (h - g) * (h - g)).sum()
}

/// A cloth of springs, one step after the other.
#[differentiable(constant(springs))]
pub fn cloth(start: &[f64], springs: &Vec<(usize, usize)>) -> f64 {
    let mut x = start.to_vec();
    let mut v = vec![0.0; x.len()];
    for _ in 0..10 {
        let mut f = vec![0.0; x.len()];
        for &(a, b) in springs.iter() {
            let d = x[b] - x[a];
            let pull = d + 0.3 * d * d * d;
            f[a] += pull;
            f[b] -= pull;
        }
        for ((x, v), f) in x.iter_mut().zip(v.iter_mut()).zip(&f) {
            *v = 0.99 * *v + 0.05 * f;
            *x += 0.05 * *v;
        }
    }
    x.iter().map(|x| x * x).sum::<f64>() + v.iter().map(|v| v * v).sum::<f64>()
}
