//! Types with a `Clone` by hand: derivative code copies part by part, and says so where that `Clone` does something else.

use diffi::prelude::*;
use std::panic::catch_unwind;

#[derive(Differentiable)]
struct Squared {
    a: f64,
}

impl Clone for Squared {
    fn clone(&self) -> Squared {
        Squared { a: squared(self.a) }
    }
}

#[derive(Differentiable)]
struct Counted {
    a: Vec<f64>,
    copies: usize,
}

impl Clone for Counted {
    fn clone(&self) -> Counted {
        Counted { a: self.a.clone(), copies: self.copies + 1 }
    }
}

#[differentiable]
fn cloned(x: f64) -> f64 {
    let w = Squared { a: x };
    w.clone().a * w.a
}

#[differentiable]
fn counted(x: &[f64]) -> f64 {
    let w = Counted { a: x.to_vec(), copies: 0 };
    let mut v = w.clone();
    v.a[0] *= x[1];
    v.a[0] * w.a[0] + vec![v; 2][1].a[1] * x[2]
}

/// `refused!`: functions that clone, each in both modes.
macro_rules! refused {
    ($($f:ident |$x:ident| $body:block)*) => {
        $(#[differentiable]
        fn $f($x: &[f64]) -> f64 $body)*

        #[test]
        fn other_numbers_are_refused() {
            $(refuses(stringify!($f), || gradient($f::D, AutoForward, &[1.5, 0.7][..]));
            refuses(stringify!($f), || gradient($f::D, AutoReverse, &[1.5, 0.7][..]));)*
            refuses("cloned", || derivative(cloned::D, AutoReverse, 1.5));
        }
    };
}

fn refuses<R>(name: &str, f: impl FnOnce() -> R + std::panic::UnwindSafe) {
    let panic = catch_unwind(f).err().unwrap_or_else(|| panic!("{name} is not refused"));
    assert!(panic.downcast_ref::<String>().is_some_and(|text| text.contains("D0505")), "{name}");
}

fn squared(a: f64) -> f64 {
    a * a
}

#[derive(Clone, Differentiable)]
struct Holder {
    option: Option<Squared>,
    pair: [Squared; 2],
}

refused! {
    unwrapped |x| { Some(Squared { a: x[0] }).clone().unwrap().a * x[1] }
    mapped |x| { let o = Some(Squared { a: x[0] }); o.clone().map_or(0.0, |s| s.a) * x[1] }
    matched |x| {
        let o = if x[0] > 0.0 { Some(Squared { a: x[0] }) } else { None };
        match o.clone() { Some(s) => s.a * x[1], None => 0.0 }
    }
    bound |x| { let o = Some(Squared { a: x[0] }); let p = o.clone(); p.unwrap().a }
    lent |x| { let o = Some(Squared { a: x[0] }); o.as_ref().cloned().unwrap().a }
    other |x| { let o = Some(Squared { a: x[0] }); o.clone().or(o).unwrap().a }
    result |x| { let o: Result<Squared, i32> = Ok(Squared { a: x[0] }); o.clone().unwrap().a }
    boxed |x| { let o = Some(Box::new(Squared { a: x[0] })); o.clone().unwrap().a }
    member |x| { let t = (Squared { a: x[0] }, x[1]); t.clone().0.a }
    members |x| { let t = (Squared { a: x[0] }, x[1]); let (s, k) = t.clone(); s.a * k }
    nested |x| { let t = (Some(Squared { a: x[0] }), x[1]); let (s, k) = t.clone(); s.unwrap().a * k }
    by_path |x| { let s = Squared { a: x[0] }; Clone::clone(&s).a * x[1] }
    by_path_of_options |x| { let o = Some(Squared { a: x[0] }); Option::clone(&o).unwrap().a }
    by_name |x| { let v = [Squared { a: x[0] }, Squared { a: x[1] }]; v.iter().map(Squared::clone).map(|s| s.a).sum() }
    each |x| { let v = [Squared { a: x[0] }, Squared { a: x[1] }]; v.iter().cloned().map(|s| s.a).sum() }
    first |x| { let v = [Squared { a: x[0] }, Squared { a: x[1] }]; v.first().cloned().unwrap().a }
    element |x| { let v = vec![Squared { a: x[0] }]; v[0].clone().a }
    list |x| { let v = vec![Squared { a: x[0] }]; v.clone()[0].a }
    repeated |x| { vec![Squared { a: x[0] }; 2][1].a }
    filled |x| { let mut v = [Squared { a: x[0] }, Squared { a: x[1] }]; v.fill(Squared { a: x[1] }); v[0].a }
    appended |x| { let v = [Squared { a: x[0] }]; let mut w = vec![]; w.extend_from_slice(&v); w[0].a }
    field |x| {
        let s = || Squared { a: x[0] };
        let h = Holder { option: Some(s()), pair: [s(), s()] };
        h.option.clone().unwrap().a
    }
    whole |x| {
        let s = || Squared { a: x[0] };
        let h = Holder { option: None, pair: [s(), s()] };
        h.clone().pair[1].a
    }
    from_zero |x| {
        let (mut s, mut sum) = (Squared { a: 0.0 * x[1] }, 0.0);
        for v in x {
            sum += s.clone().a;
            s.a += v;
        }
        sum
    }
}

crate::check::sound! { counted }
