//! The rows of the grid whose arguments are vectors, matrices, or several.

use crate::check::{grid, times, transposed_times};
use crate::functions::*;
use diffi::prelude::*;
use ndarray::{Array2, array};

const X: [f64; 3] = [1.2, -0.5, 2.0];
const OTHER: [f64; 3] = [0.1, 0.2, 0.3];

grid! {
    vector_to_number {
        f64 ring::D; let [x: [f64; 3] = X, OTHER;]; call (&x) writes [];
        dx [[1.0, 0.5, -2.0], [0.0, 1.0, 3.0]] like [0.0; 3]; dy [0.5, -2.0] like 0.0;
        value vec![ring(&X)]; jacobian vec![ring_first(&X)];
        products, gradient, jacobian(Array2::zeros((1, 3))), hessian(ring_second(&X))
    }
    many_numbers_to_one {
        f64 ring::D; let [x: Vec<f64> = many(), vec![0.5; 11];]; call (&x) writes [];
        dx [many(), vec![1.0; 11]] like [0.0; 11]; dy [0.5, -2.0] like 0.0;
        value vec![ring(&many())]; jacobian vec![ring_first(&many())];
        products, gradient, jacobian(Array2::zeros((1, 11))), hessian(ring_second(&many()))
    }
    vector_to_number_single {
        f32 ring_single::D; let [x: [f32; 3] = [1.2, -0.5, 2.0], [0.1, 0.2, 0.3];]; call (&x) writes [];
        dx [[1.0f32, 0.5, -2.0], [0.0f32, 1.0, 3.0]] like [0.0f32; 3]; dy [0.5f32, -2.0f32] like 0.0f32;
        value vec![ring(&X)]; jacobian vec![ring_first(&X)];
        products, gradient, jacobian(Array2::<f32>::zeros((1, 3))), hessian(ring_second(&X))
    }
    vector_to_number_written {
        f64 ring_written::D; let [x: [f64; 3] = X, OTHER; y: f64 = 9.0, 9.0;]; call (&x, &mut y) writes [y];
        dx [[1.0, 0.5, -2.0], [0.0, 1.0, 3.0]] like [0.0; 3]; dy [0.5, -2.0] like 0.0;
        value vec![ring(&X)]; jacobian vec![ring_first(&X)];
        products, gradient, jacobian(Array2::zeros((1, 3))), hessian(ring_second(&X))
    }
    many_numbers_to_one_written {
        f64 ring_written::D; let [x: Vec<f64> = many(), vec![0.5; 11]; y: f64 = 9.0, 9.0;]; call (&x, &mut y) writes [y];
        dx [many(), vec![1.0; 11]] like [0.0; 11]; dy [0.5, -2.0] like 0.0;
        value vec![ring(&many())]; jacobian vec![ring_first(&many())];
        gradient, hessian(ring_second(&many()))
    }
    vector_to_number_beside_what_is_written {
        f64 ring_with_terms::D; let [x: [f64; 3] = X, OTHER; t: [f64; 3] = [9.0; 3], [9.0; 3];];
        call (&x, &mut t) writes [t];
        dx [[1.0, 0.5, -2.0], [0.0, 1.0, 3.0]] like [0.0; 3]; dy [(0.5, [1.0, 0.0, 2.0]), (1.0, [0.0; 3])] like (0.0, [0.0; 3]);
        value ring_terms(&X); jacobian ring_terms_first(&X);
        products, gradient, jacobian(Array2::zeros((4, 3))), hessian(ring_second(&X))
    }
    vector_to_number_with_scratch {
        f64 ring_with_scratch::D; let [x: [f64; 3] = X, OTHER; s: [f64; 3] = [9.0; 3], [9.0; 3];];
        call (&x, Cache(&mut s)) writes [];
        dx [[1.0, 0.5, -2.0], [0.0, 1.0, 3.0]] like [0.0; 3]; dy [0.5, -2.0] like 0.0;
        value vec![ring(&X)]; jacobian vec![ring_first(&X)];
        products, gradient, jacobian(Array2::zeros((1, 3))), hessian(ring_second(&X))
    }
    matrix_to_number {
        f64 ring_of_matrix::D; let [x: Array2<f64> = matrix(), Array2::ones((2, 3));]; call (&x) writes [];
        dx [array![[1.0, 0.5, -2.0], [0.0, 1.0, 3.0]], Array2::<f64>::ones((2, 3))] like Array2::zeros((2, 3)); dy [0.5, -2.0] like 0.0;
        value vec![ring(&entries())]; jacobian vec![ring_first(&entries())];
        products, gradient, jacobian(Array2::zeros((1, 6))), hessian(ring_second(&entries()))
    }
    view_to_number {
        f64 ring_of_view::D; let [x: Array2<f64> = matrix(), Array2::ones((2, 3));]; call (x.view()) writes [];
        dx [array![[1.0, 0.5, -2.0], [0.0, 1.0, 3.0]], Array2::<f64>::ones((2, 3))] like Array2::zeros((2, 3)); dy [0.5, -2.0] like 0.0;
        value vec![ring(&entries())]; jacobian vec![ring_first(&entries())];
        products, gradient, hessian(ring_second(&entries()))
    }
    lent_view_to_number {
        f64 ring_of_lent_view::D; let [x: Array2<f64> = matrix(), Array2::ones((2, 3));]; call (&x) writes [];
        dx [array![[1.0, 0.5, -2.0], [0.0, 1.0, 3.0]], Array2::<f64>::ones((2, 3))] like Array2::zeros((2, 3)); dy [0.5, -2.0] like 0.0;
        value vec![ring(&entries())]; jacobian vec![ring_first(&entries())];
        products, gradient, hessian(ring_second(&entries()))
    }
    array_by_value_to_number {
        f64 ring_of_three::D; let [x: [f64; 3] = X, OTHER;]; call (x) writes [];
        dx [[1.0, 0.5, -2.0], [0.0, 1.0, 3.0]] like [0.0; 3]; dy [0.5, -2.0] like 0.0;
        value vec![ring(&X)]; jacobian vec![ring_first(&X)];
        products, gradient, hessian(ring_second(&X))
    }
    vector_to_vector {
        f64 neighbours::D; let [x: [f64; 3] = X, OTHER;]; call (&x) writes [];
        dx [[1.0, 0.5, -2.0], [0.0, 1.0, 3.0]] like [0.0; 3]; dy [[0.5, 3.0], [1.0, -1.0]] like vec![0.0; 2];
        value neighbours(&X); jacobian neighbours_first();
        products, jacobian(Array2::zeros((2, 3)))
    }
    vector_to_vector_written {
        f32 neighbours_written::D; let [x: [f32; 3] = [1.2, -0.5, 2.0], [0.1, 0.2, 0.3]; y: Vec<f32> = vec![9.0; 2], vec![9.0; 2];];
        call (&x, &mut y) writes [y];
        dx [[1.0f32, 0.5, -2.0], [0.0f32, 1.0, 3.0]] like [0.0f32; 3]; dy [[0.5f32, 3.0], [1.0f32, -1.0]] like [0.0f32; 2];
        value neighbours(&X); jacobian neighbours_first();
        products, jacobian(Array2::<f32>::zeros((2, 3)))
    }
    vector_in_place {
        f64 neighbours_in_place::D; let [x: [f64; 3] = X, OTHER;]; call (&mut x) writes [x];
        dx [[1.0, 0.5, -2.0], [0.0, 1.0, 3.0]] like [0.0; 3]; dy [[0.5, 3.0, 1.0], [1.0, -1.0, 0.0]] like [0.0; 3];
        value [neighbours(&X), vec![X[2]]].concat(); jacobian [neighbours_first(), vec![vec![0.0, 0.0, 1.0]]].concat();
        products, jacobian(Array2::zeros((3, 3)))
    }
    matrix_to_vector {
        f64 squares_of_matrix::D; let [x: Array2<f64> = matrix(), Array2::ones((2, 3));]; call (&x) writes [];
        dx [array![[1.0, 0.5, -2.0], [0.0, 1.0, 3.0]], Array2::<f64>::ones((2, 3))] like Array2::zeros((2, 3));
        dy [[0.5, 3.0], [1.0, -1.0]] like vec![0.0; 2];
        value squares_of_matrix(&matrix()).to_vec();
        jacobian {
            let x = entries().map(|x| 2.0 * x);
            vec![vec![x[0], x[1], x[2], 0.0, 0.0, 0.0], vec![0.0, 0.0, 0.0, x[3], x[4], x[5]]]
        };
        products, jacobian(Array2::zeros((2, 6)))
    }
    matrix_to_matrix_written {
        f64 transposed_squares::D;
        let [x: Array2<f64> = matrix(), Array2::ones((2, 3)); y: Array2<f64> = Array2::<f64>::ones((3, 2)), Array2::<f64>::ones((3, 2));];
        call (&x, &mut y) writes [y];
        dx [array![[1.0, 0.5, -2.0], [0.0, 1.0, 3.0]], Array2::<f64>::ones((2, 3))] like Array2::zeros((2, 3));
        dy [array![[1.0, 0.5], [-2.0, 0.0], [1.0, 3.0]], Array2::<f64>::ones((3, 2))] like Array2::zeros((3, 2));
        value [0, 3, 1, 4, 2, 5].map(|k: usize| entries()[k].powi(2)).to_vec();
        jacobian [0, 3, 1, 4, 2, 5].map(|k| (0..6).map(|j| if j == k { 2.0 * entries()[k] } else { 0.0 }).collect::<Vec<f64>>()).to_vec();
        products, jacobian(Array2::zeros((6, 6)))
    }
    vector_to_matrix {
        f64 products_of_vector::D; let [x: [f64; 2] = [1.2, -0.5], [0.1, 0.2];]; call (&x) writes [];
        dx [[1.0, 0.5], [0.0, 1.0]] like [0.0; 2];
        dy [[[0.5, 3.0], [1.0, -1.0]], [[0.0, 1.0], [0.0, 2.0]]] like [[0.0; 2]; 2];
        value vec![1.44, -0.6, -0.6, 0.25];
        jacobian vec![vec![2.4, 0.0], vec![-0.5, 1.2], vec![-0.5, 1.2], vec![0.0, -1.0]];
        products, jacobian(Array2::zeros((4, 2)))
    }
    two_arguments_to_number {
        f64 power_sum::D; let [x: [f64; 2] = [1.5, 2.0], [0.1, 0.2]; s: f64 = 0.5, 0.1;]; call (&x, s, Constant(3)) writes [];
        dx [([1.0, 0.5], 2.0), ([0.0, 1.0], -1.0)] like ([0.0; 2], 0.0); dy [0.5, -2.0] like 0.0;
        value vec![0.5 * (3.375 + 8.0)]; jacobian vec![vec![3.375, 6.0, 11.375]];
        products, gradient, jacobian((Array2::zeros((1, 2)), Array2::zeros((1, 1)))),
        hessian(vec![vec![4.5, 0.0, 6.75], vec![0.0, 6.0, 12.0], vec![6.75, 12.0, 0.0]])
    }
    one_argument_beside_constants {
        f64 power_sum::D; let [x: Vec<f64> = vec![1.5, 2.0], vec![0.1, 0.2]; s: f64 = 0.5, 0.1;];
        call (Constant(&x), s, Constant(3)) writes [];
        dx [2.0, -1.0] like 0.0; dy [0.5, -2.0] like 0.0;
        value vec![0.5 * (3.375 + 8.0)]; jacobian vec![vec![11.375]];
        products, gradient, derivative, jacobian(Array2::zeros((1, 1))),
        second_derivative(vec![0.0]), hessian(vec![vec![0.0]])
    }
    two_arguments_to_two_results {
        f64 normed::D; let [x: [f64; 2] = [1.5, 2.0], [0.1, 0.2]; s: f64 = 0.5, 0.1;]; call (&x, s) writes [];
        dx [([1.0, 0.5], 2.0), ([0.0, 1.0], -1.0)] like ([0.0; 2], 0.0);
        dy [([0.5, 3.0], 1.0), ([1.0, -1.0], 2.0)] like (vec![0.0; 2], 0.0);
        value vec![0.75, 1.0, 3.125]; jacobian vec![vec![0.5, 0.0, 1.5], vec![0.0, 0.5, 2.0], vec![1.5, 2.0, 6.25]];
        products, jacobian((Array2::zeros((3, 2)), Array2::zeros((3, 1))))
    }
    number_beside_a_constant_vector {
        f64 normed::D; let [x: [f64; 2] = [1.5, 2.0], [0.1, 0.2]; s: f64 = 0.5, 0.1;]; call (Constant(&x), s) writes [];
        dx [2.0, -1.0] like 0.0; dy [([0.5, 3.0], 1.0), ([1.0, -1.0], 2.0)] like (vec![0.0; 2], 0.0);
        value vec![0.75, 1.0, 3.125]; jacobian vec![vec![1.5], vec![2.0], vec![6.25]];
        derivative, second_derivative(vec![0.0; 3])
    }
    nothing_to_number {
        f64 ring::D; let [x: Vec<f64> = vec![], vec![];]; call (&x) writes [];
        dx [[0.0; 0], [0.0; 0]] like [0.0; 0]; dy [0.5, -2.0] like 0.0;
        value vec![0.0]; jacobian vec![Vec::<f64>::new()];
        products, gradient, jacobian(Array2::zeros((1, 0))), hessian(Vec::<Vec<f64>>::new())
    }
    nothing_to_nothing {
        f64 neighbours::D; let [x: Vec<f64> = vec![], vec![];]; call (&x) writes [];
        dx [[0.0; 0], [0.0; 0]] like [0.0; 0]; dy [[0.0; 0], [0.0; 0]] like vec![0.0; 0];
        value Vec::<f64>::new(); jacobian Vec::<Vec<f64>>::new();
        products, jacobian(Array2::zeros((0, 0)))
    }
    a_number_to_nothing {
        f64 neighbours::D; let [x: Vec<f64> = vec![2.0], vec![1.0];]; call (&x) writes [];
        dx [[1.0], [2.0]] like [0.0; 1]; dy [[0.0; 0], [0.0; 0]] like vec![0.0; 0];
        value Vec::<f64>::new(); jacobian Vec::<Vec<f64>>::new();
        jacobian(Array2::zeros((0, 1)))
    }
}

fn ring_first(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    (0..n).map(|i| 2.0 * x[i] * x[(i + 1) % n] + x[(i + n - 1) % n].powi(2)).collect()
}

fn ring_second(x: &[f64]) -> Vec<Vec<f64>> {
    let n = x.len();
    let mut h = vec![vec![0.0; n]; n];
    for i in 0..n {
        let next = (i + 1) % n;
        h[i][i] += 2.0 * x[next];
        h[i][next] += 2.0 * x[i];
        h[next][i] += 2.0 * x[i];
    }
    h
}

fn ring_terms(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let terms: Vec<f64> = (0..n).map(|i| x[i] * x[i] * x[(i + 1) % n]).collect();
    [vec![terms.iter().sum()], terms].concat()
}

fn ring_terms_first(x: &[f64]) -> Vec<Vec<f64>> {
    let n = x.len();
    let row = |i: usize| {
        let mut row = vec![0.0; n];
        row[i] = 2.0 * x[i] * x[(i + 1) % n];
        row[(i + 1) % n] = x[i] * x[i];
        row
    };
    std::iter::once(ring_first(x)).chain((0..n).map(row)).collect()
}

fn neighbours_first() -> Vec<Vec<f64>> {
    vec![vec![X[1], X[0], 0.0], vec![0.0, X[2], X[1]]]
}

fn many() -> Vec<f64> {
    (0..11).map(|i| f64::from(i) * 0.3 - 1.4).collect()
}

fn matrix() -> Array2<f64> {
    array![[1.2, -0.5, 2.0], [0.3, 0.8, -1.1]]
}

fn entries() -> [f64; 6] {
    [1.2, -0.5, 2.0, 0.3, 0.8, -1.1]
}
