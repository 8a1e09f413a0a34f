//! Prepared in-place calls allocate nothing.

use crate::counting::requests;
use crate::functions::*;
use diffi::prelude::*;
use diffi::sparse::Storage;

/// Runs twice, so that buffers can find their size, then counts.
fn none(what: &str, mut run: impl FnMut() -> Result<()>) {
    run().unwrap();
    run().unwrap();
    let before = requests();
    run().unwrap();
    assert_eq!(requests() - before, 0, "allocations of {what}");
}

#[test]
fn the_counter_counts() {
    let before = requests();
    drop(std::hint::black_box(vec![1.0; 10]));
    assert_eq!(requests() - before, 1);
}

#[test]
fn jacobians() -> Result<()> {
    let (u, rate, mut v) = (point(40), point(40), vec![0.0; 40]);
    macro_rules! in_place {
        ($($dense:expr),+) => { $(
            let backend = AutoSparse::new($dense).detector(TracerLocalSparsityDetector);
            let mut prep = prepare_jacobian(diffused::D, backend, (&u, &rate, &mut v))?;
            let (mut a, b) = prep.jacobian((&u, &rate, &mut v))?;
            let mut b = b.to_csr();
            none(stringify!($dense), || prep.jacobian_into((&mut a, &mut b), (&u, &rate, &mut v)));
            none(stringify!($dense), || prep.value_and_jacobian_into((&mut a, &mut b), (&u, &rate, &mut v)));
            let mut values = vec![0.0; a.nnz() + b.nnz()];
            none(stringify!($dense), || prep.jacobian_values_into(&mut values, (&u, &rate, &mut v)));
        )+ };
    }
    in_place!(AutoForward, AutoReverse, MixedMode(AutoForward, AutoReverse), AutoFiniteDiff);
    Ok(())
}

#[test]
fn hessians() -> Result<()> {
    let x = point(40);
    macro_rules! in_place {
        ($($dense:expr),+) => { $(
            let backend = AutoSparse::new($dense).detector(TracerLocalSparsityDetector);
            let mut prep = prepare_hessian(squared_slopes::D, backend, &x)?;
            let (mut g, mut h) = (vec![0.0; 40], prep.hessian(&x)?);
            let mut by_rows = prep.sparsity_pattern().to_sparse(Storage::CSR, 0.0);
            none(stringify!($dense), || prep.hessian_into(&mut h, &x));
            none(stringify!($dense), || prep.hessian_into(&mut by_rows, &x));
            none(stringify!($dense), || prep.value_gradient_and_hessian_into(&mut g, &mut h, &x).map(|_| ()));
            let mut values = vec![0.0; h.nnz()];
            none(stringify!($dense), || prep.hessian_values_into(&mut values, &x));
        )+ };
    }
    in_place!(
        AutoReverse,
        SecondOrder(AutoForward, AutoReverse),
        SecondOrder(AutoFiniteDiff, AutoReverse),
        AutoFiniteDiff
    );
    Ok(())
}
