//! The rows of the grid whose argument is a number.

use crate::check::{grid, times, transposed_times};
use crate::functions::*;
use diffi::prelude::*;
use ndarray::{Array2, array};

grid! {
    number_to_number {
        f64 wave::D; let [x: f64 = 0.7, 0.1;]; call (x) writes [];
        dx [1.0, -2.5] like 0.0; dy [0.5, 3.0] like 0.0;
        value vec![wave(0.7)]; jacobian vec![vec![wave_first(0.7)]];
        products, gradient, derivative, jacobian(Array2::zeros((1, 1))),
        second_derivative(vec![wave_second(0.7)]), hessian(vec![vec![wave_second(0.7)]])
    }
    number_to_number_single {
        f32 wave_single::D; let [x: f32 = 0.7, 0.1;]; call (x) writes [];
        dx [1.0f32, -2.5f32] like 0.0f32; dy [0.5f32, 3.0f32] like 0.0f32;
        value vec![wave(0.7)]; jacobian vec![vec![wave_first(0.7)]];
        products, gradient, derivative, jacobian(Array2::<f32>::zeros((1, 1))), second_derivative(vec![wave_second(0.7)])
    }
    number_to_number_written {
        f64 wave_written::D; let [x: f64 = 0.7, 0.1; y: f64 = 9.0, 9.0;]; call (x, &mut y) writes [y];
        dx [1.0, -2.5] like 0.0; dy [0.5, 3.0] like 0.0;
        value vec![wave(0.7)]; jacobian vec![vec![wave_first(0.7)]];
        products, gradient, derivative, jacobian(Array2::zeros((1, 1))),
        second_derivative(vec![wave_second(0.7)]), hessian(vec![vec![wave_second(0.7)]])
    }
    number_in_place {
        f64 wave_in_place::D; let [x: f64 = 0.7, 0.1;]; call (&mut x) writes [x];
        dx [1.0, -2.5] like 0.0; dy [0.5, 3.0] like 0.0;
        value vec![wave(0.7)]; jacobian vec![vec![wave_first(0.7)]];
        products, gradient, derivative, jacobian(Array2::zeros((1, 1))),
        second_derivative(vec![wave_second(0.7)]), hessian(vec![vec![wave_second(0.7)]])
    }
    number_to_vector {
        f64 overtones::D; let [x: f64 = 0.7, 0.1;]; call (x) writes [];
        dx [1.0, -2.5] like 0.0; dy [[0.5, 3.0], [1.0, -1.0]] like vec![0.0; 2];
        value overtones(0.7); jacobian overtones_first(0.7);
        products, derivative, jacobian(Array2::zeros((2, 1))), second_derivative(overtones_second(0.7))
    }
    number_to_vector_single {
        f32 overtones_single::D; let [x: f32 = 0.7, 0.1;]; call (x) writes [];
        dx [1.0f32, -2.5f32] like 0.0f32; dy [[0.5f32, 3.0], [1.0f32, -1.0]] like [0.0f32; 2];
        value overtones(0.7); jacobian overtones_first(0.7);
        products, derivative, second_derivative(overtones_second(0.7))
    }
    number_to_vector_written {
        f64 overtones_written::D; let [x: f64 = 0.7, 0.1; y: [f64; 2] = [9.0; 2], [9.0; 2];];
        call (x, &mut y) writes [y];
        dx [1.0, -2.5] like 0.0; dy [[0.5, 3.0], [1.0, -1.0]] like [0.0; 2];
        value overtones(0.7); jacobian overtones_first(0.7);
        products, derivative, jacobian(Array2::zeros((2, 1))), second_derivative(overtones_second(0.7))
    }
    number_to_matrix {
        f64 powers::D; let [x: f64 = 0.7, 0.1;]; call (x) writes [];
        dx [1.0, -2.5] like 0.0; dy [[[0.5, 3.0], [1.0, -1.0]], [[0.0, 1.0], [0.0, 2.0]]] like [[0.0; 2]; 2];
        value powers_of(0.7); jacobian powers_first(0.7);
        products, derivative, jacobian(Array2::zeros((4, 1))), second_derivative(powers_second(0.7))
    }
    number_to_matrix_written {
        f64 powers_written::D; let [x: f64 = 0.7, 0.1; y: Array2<f64> = Array2::zeros((2, 2)), Array2::zeros((2, 2));];
        call (x, &mut y) writes [y];
        dx [1.0, -2.5] like 0.0; dy [array![[0.5, 3.0], [1.0, -1.0]], array![[0.0, 1.0], [0.0, 2.0]]] like Array2::zeros((2, 2));
        value powers_of(0.7); jacobian powers_first(0.7);
        products, derivative, jacobian(Array2::zeros((4, 1))), second_derivative(powers_second(0.7))
    }
}

fn wave_first(x: f64) -> f64 {
    x.sin() + x * x.cos()
}

fn wave_second(x: f64) -> f64 {
    2.0 * x.cos() - x * x.sin()
}

fn overtones_first(x: f64) -> Vec<Vec<f64>> {
    vec![vec![x.cos()], vec![2.0 * (2.0 * x).cos()]]
}

fn overtones_second(x: f64) -> Vec<f64> {
    vec![-x.sin(), -4.0 * (2.0 * x).sin()]
}

fn powers_of(x: f64) -> Vec<f64> {
    (1..5).map(|k| x.powi(k)).collect()
}

fn powers_first(x: f64) -> Vec<Vec<f64>> {
    (1..5).map(|k| vec![f64::from(k) * x.powi(k - 1)]).collect()
}

fn powers_second(x: f64) -> Vec<f64> {
    (1..5).map(|k| f64::from(k * (k - 1)) * x.powi(k - 2)).collect()
}
