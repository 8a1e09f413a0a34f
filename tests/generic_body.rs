//! The body over any number type, evaluated at dual numbers: a third way to the same derivatives, which shares no code
//! with the generated tangents and adjoints.

#![allow(clippy::needless_range_loop)] // the programs are written as people write them

mod programs;

use diffi::Overload;
use diffi::prelude::*;
use diffi_runtime::number::real::Real;
use diffi_runtime::number::scalar::dual::Dual;

type D = Dual<f64, 1>;

/// `x` with a tangent of one at `at`.
fn seeded(x: &[f64], at: usize) -> Vec<D> {
    x.iter().enumerate().map(|(i, v)| D::new(*v, [f64::from(u8::from(i == at))])).collect()
}

fn close(name: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{name}");
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{name}: {found:?} is not {expected:?}");
    }
}

macro_rules! rows {
    ($($module:ident::$function:ident($point:expr $(, $constant:expr)*);)+) => { $(
        #[test]
        fn $function() -> Result<()> {
            use programs::$module::$function as function;
            let x: Vec<f64> = $point.to_vec();
            let reverse = gradient(function::D, AutoReverse, (&x $(, Constant($constant))*))?;
            let duals: Vec<D> = (0..x.len()).map(|at| {
                <_ as Overload<_>>::over::<D>(&function::D, (&seeded(&x, at)[..], $($constant),*))
            }).collect();
            close("value", &[duals[0].value()], &[function(&x $(, $constant)*)]);
            close("gradient", &duals.iter().map(|y| y.partial(0)).collect::<Vec<_>>(), &reverse);
            Ok(())
        }
    )+ };
}

rows! {
    l2_beale::beale([1.3, 0.4]);
    l2_wood::wood([-3.0, -1.0, -2.5, -1.2]);
    l2_watson::watson([0.1, -0.4, 0.7, 0.2]);
    l2_total_variation::total_variation([0.5, 1.5, -0.7, 2.0], 0.1);
}
