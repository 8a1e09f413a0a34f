//! A determinant, by expansion along the first row of every minor.

use diffi::prelude::*;

#[differentiable]
pub fn determinant(a: &[f64], n: usize) -> f64 {
    // `rows[i]` is the row that follows the row `i`, `rows[n]` the first one; the same for columns.
    let mut rows: Vec<usize> = (1..=n + 1).collect();
    let mut columns: Vec<usize> = rows.clone();
    rows[n] = 0;
    columns[n] = 0;
    minor(a, n, n, &mut rows, &mut columns)
}

/// The determinant of the `m` rows and columns that are left.
#[differentiable]
fn minor(a: &[f64], n: usize, m: usize, rows: &mut [usize], columns: &mut [usize]) -> f64 {
    let row = rows[n];
    let mut column = columns[n];
    if m == 1 {
        return a[row * n + column];
    }
    let mut determinant = 0.0;
    let mut sign = 1.0;
    let mut before = n;
    rows[n] = rows[row];
    for _ in 0..m {
        columns[before] = columns[column];
        determinant += sign * a[row * n + column] * minor(a, n, m - 1, rows, columns);
        columns[before] = column;
        before = column;
        column = columns[column];
        sign = -sign;
    }
    rows[n] = row;
    determinant
}
