//! The hand model: bones, and a skin of vertices that follow them.

use super::super::{Failure, ensure};
use serde::Deserialize;

/// A 4 x 4 matrix by rows.
pub type Transform = [f64; 16];

#[derive(Deserialize)]
pub struct Data {
    model: Model,
    correspondences: Vec<usize>,
    points: Vec<[f64; 3]>,
}

#[derive(Deserialize)]
struct Model {
    bone_names: Vec<String>,
    parents: Vec<i64>,
    base_relatives: Vec<[[f64; 4]; 4]>,
    inverse_base_absolutes: Vec<[[f64; 4]; 4]>,
    base_positions: Vec<[f64; 4]>,
    weights: Vec<Vec<f64>>,
    triangles: Vec<[usize; 3]>,
    is_mirrored: bool,
}

/// Model and scan, in the shape that the objective wants.
pub struct Hand {
    pub parents: Vec<Option<usize>>,
    pub base_relatives: Vec<Transform>,
    pub inverse_base_absolutes: Vec<Transform>,
    /// Four homogeneous coordinates for each vertex.
    pub base_positions: Vec<f64>,
    /// For each vertex the bones that move it, and how much.
    pub weights: Vec<Vec<(usize, f64)>>,
    pub triangles: Vec<[usize; 3]>,
    pub is_mirrored: bool,
    /// For each point its vertex, or its triangle.
    pub correspondences: Vec<usize>,
    /// Three coordinates for each point of the scan.
    pub points: Vec<f64>,
}

impl Hand {
    pub fn of(data: Data) -> Result<Hand, Failure> {
        let Data { model, correspondences, points } = data;
        let bones = model.bone_names.len();
        let counts = [model.parents.len(), model.base_relatives.len(), model.inverse_base_absolutes.len()];
        ensure(counts.iter().all(|n| *n == bones), "bones are listed in different numbers")?;
        let earlier = model.parents.iter().enumerate().all(|(i, parent)| *parent < i as i64);
        ensure(earlier, "a bone has to come after its parent")?;
        ensure(correspondences.len() == points.len(), "every point needs one correspondence")?;
        Ok(Hand {
            parents: model.parents.iter().map(|parent| usize::try_from(*parent).ok()).collect(),
            base_relatives: model.base_relatives.iter().map(flat).collect(),
            inverse_base_absolutes: model.inverse_base_absolutes.iter().map(flat).collect(),
            weights: influences(&model.weights, model.base_positions.len())?,
            base_positions: model.base_positions.concat(),
            triangles: model.triangles,
            is_mirrored: model.is_mirrored,
            correspondences,
            points: points.concat(),
        })
    }
}

fn flat(rows: &[[f64; 4]; 4]) -> Transform {
    std::array::from_fn(|i| rows[i / 4][i % 4])
}

/// From a row for each vertex to the bones that are not zero there.
fn influences(weights: &[Vec<f64>], vertices: usize) -> Result<Vec<Vec<(usize, f64)>>, Failure> {
    ensure(weights.len() == vertices, "every vertex needs its weights")?;
    let bones = |row: &Vec<f64>| row.iter().copied().enumerate().filter(|(_, w)| *w != 0.0).collect();
    Ok(weights.iter().map(bones).collect())
}
