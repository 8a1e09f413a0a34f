//! ADBench's bundle adjustment: where cameras should see points, compared with where they do, and its sparse Jacobian.

use super::{Failure, ensure};
use crate::clock::Clock;
use diffi::prelude::*;
use ndarray::ArrayViewMut2;
use serde::{Deserialize, Serialize};

/// Rotation (3, an axis times an angle), centre (3), focal length, principal point (2), radial distortion (2).
const CAMERA: usize = 11;
const POINT: usize = 3;
/// What one observation depends on: a camera, a point and a weight.
const PARAMETERS: usize = CAMERA + POINT + 1;

/// The weighted error of one observation.
#[differentiable(constant(feature))]
fn reprojection_error(parameters: &[f64; PARAMETERS], feature: &[f64; 2]) -> [f64; 2] {
    let (camera, rest) = parameters.split_at(CAMERA);
    let (center, weight) = (&camera[3..6], rest[3]);
    let seen = rotated(&camera[..3], [rest[0] - center[0], rest[1] - center[1], rest[2] - center[2]]);
    let (x, y) = (seen[0] / seen[2], seen[1] / seen[2]);
    let squared = x * x + y * y;
    let distortion = 1.0 + camera[9] * squared + camera[10] * squared * squared;
    let focus = camera[6] * distortion;
    [weight * (x * focus + camera[7] - feature[0]), weight * (y * focus + camera[8] - feature[1])]
}

/// Rodrigues' formula: `point` turned about `rotation` by as many radians as that is long.
#[differentiable]
fn rotated(rotation: &[f64], point: [f64; 3]) -> [f64; 3] {
    let squared = rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2];
    if squared == 0.0 {
        return [
            point[0] + rotation[1] * point[2] - rotation[2] * point[1],
            point[1] + rotation[2] * point[0] - rotation[0] * point[2],
            point[2] + rotation[0] * point[1] - rotation[1] * point[0],
        ];
    }
    let angle = squared.sqrt();
    let (sine, cosine) = angle.sin_cos();
    let axis = [rotation[0] / angle, rotation[1] / angle, rotation[2] / angle];
    let along = (axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2]) * (1.0 - cosine);
    [
        point[0] * cosine + (axis[1] * point[2] - axis[2] * point[1]) * sine + axis[0] * along,
        point[1] * cosine + (axis[2] * point[0] - axis[0] * point[2]) * sine + axis[1] * along,
        point[2] * cosine + (axis[0] * point[1] - axis[1] * point[0]) * sine + axis[2] * along,
    ]
}

#[differentiable]
fn weight_error(weight: f64) -> f64 {
    1.0 - weight * weight
}

#[derive(Deserialize)]
pub struct Input {
    n: usize,
    m: usize,
    p: usize,
    cam: [f64; CAMERA],
    x: [f64; POINT],
    w: f64,
    feat: [f64; 2],
}

/// `n` cameras, `m` points, and the weights and features of `p` observations: GradBench sends one of each, to be repeated.
struct Scene {
    cameras: Vec<[f64; CAMERA]>,
    points: Vec<[f64; POINT]>,
    weights: Vec<f64>,
    features: Vec<[f64; 2]>,
    /// Which camera and which point.
    observations: Vec<(usize, usize)>,
}

impl Scene {
    fn of(input: Input) -> Result<Scene, Failure> {
        let Input { n, m, p, cam, x, w, feat } = input;
        ensure(n > 0 && m > 0 && p > 0, "there have to be cameras, points and observations")?;
        Ok(Scene {
            cameras: vec![cam; n],
            points: vec![x; m],
            weights: vec![w; p],
            features: vec![feat; p],
            observations: (0..p).map(|i| (i % n, i % m)).collect(),
        })
    }

    /// What the observation `i` depends on.
    fn parameters(&self, i: usize) -> [f64; PARAMETERS] {
        let (camera, point) = self.observations[i];
        let mut parameters = [0.0; PARAMETERS];
        parameters[..CAMERA].copy_from_slice(&self.cameras[camera]);
        parameters[CAMERA..PARAMETERS - 1].copy_from_slice(&self.points[point]);
        parameters[PARAMETERS - 1] = self.weights[i];
        parameters
    }
}

#[derive(Serialize)]
pub struct Errors {
    reproj_error: Repeated,
    w_err: RepeatedNumber,
}

#[derive(Serialize)]
struct Repeated {
    elements: [f64; 2],
    repeated: usize,
}

#[derive(Serialize)]
struct RepeatedNumber {
    element: f64,
    repeated: usize,
}

pub fn objective(input: Input, clock: &mut Clock) -> Result<Errors, Failure> {
    let scene = Scene::of(input)?;
    let p = scene.observations.len();
    let (mut errors, mut weight_errors) = (vec![[0.0; 2]; p], vec![0.0; p]);
    clock.run(|| {
        for i in 0..p {
            errors[i] = reprojection_error(&scene.parameters(i), &scene.features[i]);
            weight_errors[i] = weight_error(scene.weights[i]);
        }
    });
    Ok(Errors {
        reproj_error: Repeated { elements: errors[0], repeated: p },
        w_err: RepeatedNumber { element: weight_errors[0], repeated: p },
    })
}

/// A matrix in compressed rows.
struct Compressed {
    starts: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl Compressed {
    /// The pattern: for every observation two rows of its 15 parameters, then for every weight a row of one number.
    fn pattern(scene: &Scene) -> Compressed {
        let points = CAMERA * scene.cameras.len();
        let weights = points + POINT * scene.points.len();
        let (mut starts, mut columns) = (vec![0], Vec::new());
        for (i, (camera, point)) in scene.observations.iter().enumerate() {
            for _ in 0..2 {
                columns.extend(CAMERA * camera..CAMERA * (camera + 1));
                columns.extend(points + POINT * point..points + POINT * (point + 1));
                columns.push(weights + i);
                starts.push(columns.len());
            }
        }
        for i in 0..scene.weights.len() {
            columns.push(weights + i);
            starts.push(columns.len());
        }
        let values = vec![0.0; columns.len()];
        Compressed { starts, columns, values }
    }
}

/// The first two rows, and the last number.
#[derive(Serialize)]
pub struct Excerpt {
    rows: Vec<usize>,
    cols: Vec<usize>,
    vals: Vec<f64>,
}

impl From<Compressed> for Excerpt {
    fn from(Compressed { starts, columns, values }: Compressed) -> Excerpt {
        fn ends<T: Copy>(all: &[T]) -> Vec<T> {
            all.iter().take(2 * PARAMETERS).chain(all.last()).copied().collect()
        }
        Excerpt { rows: ends(&starts), cols: ends(&columns), vals: ends(&values) }
    }
}

pub fn jacobian(input: Input, clock: &mut Clock) -> Result<Excerpt, Failure> {
    let scene = Scene::of(input)?;
    let (mut matrix, mut block, mut slope) = clock.prepare(|| {
        let at = (&scene.parameters(0), Constant(&scene.features[0]));
        let block = prepare_jacobian(reprojection_error::D, AutoReverse::default(), at)?;
        let slope = prepare_derivative(weight_error::D, AutoForward::default(), scene.weights[0])?;
        Ok::<_, Failure>((Compressed::pattern(&scene), block, slope))
    })?;
    clock.run(|| {
        let (blocks, weights) = matrix.values.split_at_mut(2 * PARAMETERS * scene.observations.len());
        for (i, rows) in blocks.chunks_exact_mut(2 * PARAMETERS).enumerate() {
            let mut rows = ArrayViewMut2::from_shape((2, PARAMETERS), rows).expect("two rows");
            block.jacobian_into(&mut rows, (&scene.parameters(i), Constant(&scene.features[i])))?;
        }
        for (value, weight) in weights.iter_mut().zip(&scene.weights) {
            *value = slope.derivative(*weight)?;
        }
        Ok::<_, Failure>(())
    })?;
    Ok(matrix.into())
}
