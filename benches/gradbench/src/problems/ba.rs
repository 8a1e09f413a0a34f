//! ADBench's bundle adjustment: where cameras should see points, compared with where they do, and its sparse Jacobian.

#[path = "../objectives/reprojection.rs"]
mod reprojection;

use super::{Failure, ensure};
use crate::clock::Clock;
use diffi::prelude::*;
use ndarray::ArrayViewMut3;
use reprojection::{CAMERA, PARAMETERS, POINT, error, reprojection_error};
use serde::{Deserialize, Serialize};

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

/// Where the weight stands among the parameters of an observation.
const WEIGHT: usize = PARAMETERS - 1;

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
        let (camera, point, weight) = (&self.cameras[camera], &self.points[point], self.weights[i]);
        std::array::from_fn(|k| match k {
            ..CAMERA => camera[k],
            CAMERA..WEIGHT => point[k - CAMERA],
            _ => weight,
        })
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
        for (i, (camera, point)) in scene.observations.iter().enumerate() {
            let (camera, point, weight) = (&scene.cameras[*camera], &scene.points[*point], scene.weights[i]);
            errors[i] = error(camera, point, weight, &scene.features[i]);
            weight_errors[i] = weight_error(weight);
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
        let mut blocks =
            ArrayViewMut3::from_shape((scene.observations.len(), 2, PARAMETERS), blocks).expect("two rows each");
        for (i, mut rows) in blocks.outer_iter_mut().enumerate() {
            block.jacobian_into(&mut rows, (&scene.parameters(i), Constant(&scene.features[i])))?;
        }
        for (value, weight) in weights.iter_mut().zip(&scene.weights) {
            *value = slope.derivative(*weight)?;
        }
        Ok::<_, Failure>(())
    })?;
    Ok(matrix.into())
}
