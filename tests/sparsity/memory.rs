//! Prepared in-place calls allocate nothing.

use crate::functions::*;
use diffi::prelude::*;
use diffi::sparse::Storage;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The system's allocator, which counts a thread's requests.
struct Counting;

thread_local! {
    static REQUESTS: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // A thread that is ending has no counter any more.
    let _ = REQUESTS.try_with(|requests| requests.set(requests.get() + 1));
}

// SAFETY: every call is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(old, layout, size) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        unsafe { System.dealloc(old, layout) }
    }
}

/// Runs twice, so that buffers can find their size, then counts.
fn none(what: &str, mut run: impl FnMut() -> Result<()>) {
    run().unwrap();
    run().unwrap();
    let before = REQUESTS.get();
    run().unwrap();
    assert_eq!(REQUESTS.get() - before, 0, "allocations of {what}");
}

#[test]
fn the_counter_counts() {
    let before = REQUESTS.get();
    drop(std::hint::black_box(vec![1.0; 10]));
    assert_eq!(REQUESTS.get() - before, 1);
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
