//! Where a variable lives, and how its numbers change with a step.

/// How apex-solver stores a variable, and steps from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chart {
    /// A vector of so many numbers.
    Euclidean(usize),
    /// An angle.
    So2,
    /// A position in the plane, and an angle.
    Se2,
    /// A unit quaternion, its real part first.
    So3,
    /// A position, and a unit quaternion.
    Se3,
}

impl Chart {
    /// How many numbers are stored.
    #[must_use]
    pub fn numbers(&self) -> usize {
        match self {
            Chart::Euclidean(n) => *n,
            Chart::So2 => 1,
            Chart::Se2 => 3,
            Chart::So3 => 4,
            Chart::Se3 => 7,
        }
    }

    /// How many directions a step has.
    #[must_use]
    pub fn freedoms(&self) -> usize {
        match self {
            Chart::So3 => 3,
            Chart::Se3 => 6,
            _ => self.numbers(),
        }
    }

    /// All directions of a step at zero, in order: the numbers that change, and how much.
    pub(crate) fn each_step(&self, x: &[f64], mut visit: impl FnMut(&[(usize, f64)])) {
        match self {
            Chart::Euclidean(_) | Chart::So2 => (0..x.len()).for_each(|k| visit(&[(k, 1.0)])),
            Chart::Se2 => {
                let (sin, cos) = x[2].sin_cos();
                visit(&[(0, cos), (1, sin)]);
                visit(&[(0, -sin), (1, cos)]);
                visit(&[(2, 1.0)]);
            }
            Chart::So3 => turns(x, 0).iter().for_each(|step| visit(step)),
            Chart::Se3 => {
                moves(&x[3..]).iter().for_each(|step| visit(step));
                turns(&x[3..], 3).iter().for_each(|step| visit(step));
            }
        }
    }
}

/// A step of the position is turned by the quaternion: the columns of its matrix.
fn moves(q: &[f64]) -> [[(usize, f64); 3]; 3] {
    let [w, x, y, z] = [q[0], q[1], q[2], q[3]];
    [
        [(0, 1.0 - 2.0 * (y * y + z * z)), (1, 2.0 * (x * y + w * z)), (2, 2.0 * (x * z - w * y))],
        [(0, 2.0 * (x * y - w * z)), (1, 1.0 - 2.0 * (x * x + z * z)), (2, 2.0 * (y * z + w * x))],
        [(0, 2.0 * (x * z + w * y)), (1, 2.0 * (y * z - w * x)), (2, 1.0 - 2.0 * (x * x + y * y))],
    ]
}

/// The quaternion times half of a unit quaternion, which stands from `first` on.
fn turns(q: &[f64], first: usize) -> [[(usize, f64); 4]; 3] {
    let [w, x, y, z] = [q[0], q[1], q[2], q[3]].map(|part| 0.5 * part);
    let numbered = |[a, b, c, d]: [f64; 4]| [(first, a), (first + 1, b), (first + 2, c), (first + 3, d)];
    [[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]].map(numbered)
}
