//! What a kernel takes, as arrays of numbers: twins read one from each line of a file.

use crate::list::particles::{Mesh, Neighbours};
use crate::list::statistics::{Ratings, Sparse};
use std::fmt::Write;
use std::path::Path;

/// Constants as arrays of numbers.
pub trait Arrays {
    fn arrays(&self) -> Vec<Vec<f64>>;
}

fn numbers(indices: &[usize]) -> Vec<f64> {
    indices.iter().map(|&i| i as f64).collect()
}

impl Arrays for f64 {
    fn arrays(&self) -> Vec<Vec<f64>> {
        vec![vec![*self]]
    }
}

impl Arrays for usize {
    fn arrays(&self) -> Vec<Vec<f64>> {
        vec![vec![*self as f64]]
    }
}

impl<const N: usize> Arrays for [f64; N] {
    fn arrays(&self) -> Vec<Vec<f64>> {
        vec![self.to_vec()]
    }
}

impl Arrays for Vec<f64> {
    fn arrays(&self) -> Vec<Vec<f64>> {
        vec![self.clone()]
    }
}

impl Arrays for (Vec<f64>, Vec<f64>) {
    fn arrays(&self) -> Vec<Vec<f64>> {
        vec![self.0.clone(), self.1.clone()]
    }
}

impl Arrays for Vec<Vec<f64>> {
    fn arrays(&self) -> Vec<Vec<f64>> {
        self.clone()
    }
}

/// Paths of noise: their length, then the pairs.
impl Arrays for Vec<Vec<(f64, f64)>> {
    fn arrays(&self) -> Vec<Vec<f64>> {
        vec![vec![self[0].len() as f64], self.iter().flatten().flat_map(|(a, b)| [*a, *b]).collect()]
    }
}

/// Samples: the targets, then the inputs.
impl Arrays for Vec<(Vec<f64>, f64)> {
    fn arrays(&self) -> Vec<Vec<f64>> {
        let targets = self.iter().map(|(_, target)| *target).collect();
        [targets].into_iter().chain(self.iter().map(|(input, _)| input.clone())).collect()
    }
}

impl Arrays for ndarray::Array2<f64> {
    fn arrays(&self) -> Vec<Vec<f64>> {
        vec![vec![self.nrows() as f64], self.iter().copied().collect()]
    }
}

impl Arrays for Neighbours {
    fn arrays(&self) -> Vec<Vec<f64>> {
        self.lists.iter().map(|list| numbers(list)).collect()
    }
}

impl Arrays for Mesh {
    fn arrays(&self) -> Vec<Vec<f64>> {
        vec![self.points.as_flattened().to_vec(), numbers(self.triangles.as_flattened())]
    }
}

impl Arrays for Sparse {
    fn arrays(&self) -> Vec<Vec<f64>> {
        vec![numbers(&self.indptr), numbers(&self.indices), self.values.clone(), self.labels.clone()]
    }
}

impl Arrays for Ratings {
    fn arrays(&self) -> Vec<Vec<f64>> {
        let seen = self.seen.iter().flat_map(|&(user, item, rating)| [user as f64, item as f64, rating]).collect();
        vec![vec![self.rank as f64, self.users as f64], seen]
    }
}

/// Writes x and the constants to a file that has the kernel's name.
pub fn write(folder: &Path, kernel: &str, x: &[f64], constants: &impl Arrays) {
    let mut text = String::new();
    for array in [x.to_vec()].into_iter().chain(constants.arrays()) {
        for number in array {
            write!(text, "{number:?} ").unwrap();
        }
        text.push('\n');
    }
    std::fs::write(folder.join(kernel), text).expect("the folder of inputs can be written");
}
