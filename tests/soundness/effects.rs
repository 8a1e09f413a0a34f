//! Macros whose arguments change what they look at, and what is changed through references that patterns make.

#![allow(clippy::all, unused)] // what is odd is what is tested

use crate::changing::{State, grow, step};
use crate::check::sound;
use diffi::prelude::*;

#[differentiable]
fn advance(v: &mut [f64], dt: f64) -> f64 {
    for e in v.iter_mut() {
        *e = *e * dt + (*e).sin();
    }
    v[0]
}
// Checks and prints, formats and `matches!`.

#[differentiable]
fn checked_pop_eq(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let t = x[2];
    assert_eq!(v.pop(), Some(t));
    v.iter().map(|e| e * e).sum()
}

#[differentiable]
fn checked_advance(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    assert!(advance(&mut v, x[1]) > -99.0);
    v[0] * v[1] * v[2]
}

#[differentiable]
fn checked_advance_bare(x: &[f64]) -> f64 {
    let mut v = [x[0], x[1]];
    assert!(advance(&mut v, 0.3) > -99.0, "no {}", 1);
    v[0] * v[1]
}

#[differentiable]
fn checked_block(x: &[f64]) -> f64 {
    let mut s = x[0];
    assert!({
        s *= x[1];
        true
    });
    s * s
}

#[differentiable]
fn checked_block_message(x: &[f64]) -> f64 {
    let mut s = x[0];
    assert!(
        {
            s *= x[1];
            s > 0.0
        },
        "s is {s} and {:?}",
        x
    );
    s * s
}

#[differentiable]
fn checked_debug(x: &[f64]) -> f64 {
    let mut s = x[0];
    debug_assert!({
        s *= x[1];
        true
    });
    s * s
}

#[differentiable]
fn checked_debug_eq(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    debug_assert_eq!(v.remove(0), x[0]);
    v[0] * v[0]
}

#[differentiable]
fn checked_remove(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    assert!(v.remove(0) > 0.0);
    v[0] * v[0] + v[1]
}

#[differentiable]
fn checked_remove_ne(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    assert_ne!(v.remove(1), 9.0);
    v[0] * v[1]
}

#[differentiable]
fn checked_closure(x: &[f64]) -> f64 {
    let mut s = x[0];
    let mut go = |u: f64| {
        s = s * u;
        s > 0.0
    };
    assert!(go(x[1]));
    assert!(go(x[2]));
    s * s
}

#[differentiable]
fn checked_print_step(x: &[f64]) -> f64 {
    let mut s = x[0];
    print!("{}", if step(&mut s, x[1]) > 1e9 { "a" } else { "" });
    s * s
}

#[differentiable]
fn checked_println_pop(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    eprintln!("{:?} {}", v.pop(), v.len());
    v.iter().product()
}

#[differentiable]
fn checked_print_named(x: &[f64]) -> f64 {
    let mut s = x[0];
    eprint!(
        "{a:.3} {s:.2}\n",
        a = {
            s *= x[1];
            s
        }
    );
    s * s
}

#[differentiable]
fn checked_method(x: &[f64]) -> f64 {
    let mut s = State { a: x[0], b: x[1] };
    assert!(s.tick(x[2]) > 0.0);
    s.energy()
}

#[differentiable]
fn checked_method_ufcs(x: &[f64]) -> f64 {
    let mut s = State { a: x[0], b: x[1] };
    assert!(State::tick(&mut s, x[2]) > 0.0);
    s.energy()
}

#[differentiable]
fn checked_nested(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    assert!(matches!(v.pop(), Some(_)));
    v[0] * v[1] * v.len() as f64
}

#[differentiable]
fn checked_grow(x: &[f64]) -> f64 {
    let mut s = x[0];
    assert!(grow(&mut s) > 0.0);
    assert_ne!(grow(&mut s), 55.0);
    s * x[1]
}

#[differentiable]
fn checked_and(x: &[f64]) -> f64 {
    let mut s = x[0];
    assert!(x[1] > 0.0 && grow(&mut s) > 0.0);
    s * x[1]
}

#[differentiable]
fn checked_reference(x: &[f64]) -> f64 {
    let mut s = x[0];
    {
        let r = &mut s;
        assert!(grow(r) > 0.0);
        *r += 1.0;
    }
    s * x[1]
}

#[differentiable]
fn checked_loop(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut s = 1.0;
    while !v.is_empty() {
        assert!({
            s += s * v[0];
            true
        });
        assert!(v.pop().is_some(), "empty");
    }
    s
}

#[differentiable]
fn checked_write(x: &[f64]) -> f64 {
    use std::fmt::Write;
    let mut t = String::new();
    let mut s = x[0];
    write!(t, "{}", {
        s *= x[1];
        1
    })
    .unwrap();
    s * s
}

#[differentiable]
fn checked_write_passive(x: &[f64]) -> f64 {
    use std::fmt::Write;
    let mut t = String::new();
    write!(t, "{}", 12).unwrap();
    let n = t.len();
    write!(t, "{}", 345).unwrap();
    x[0] * n as f64 * t.len() as f64
}

#[differentiable]
fn checked_swap(x: &[f64]) -> f64 {
    let mut a = x[0];
    let mut b = x[1];
    assert!({
        std::mem::swap(&mut a, &mut b);
        true
    });
    a * a + b
}

#[differentiable]
fn checked_replace(x: &[f64]) -> f64 {
    let mut a = x[0];
    assert!(std::mem::replace(&mut a, x[1]) > 0.0);
    a * a
}

#[differentiable]
fn checked_panic(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    if x[0] > 5.0 {
        panic!("{:?}", v.pop());
    }
    v[0] *= x[2];
    v[0] * v[1]
}

#[differentiable]
fn checked_lazy(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    assert!(x[0] > 0.0, "left {:?}", v.pop());
    v[2] * v[0]
}

#[differentiable]
fn checked_param(x: &[f64]) -> f64 {
    fn_param(&mut x.to_vec())
}

#[differentiable]
fn fn_param(v: &mut Vec<f64>) -> f64 {
    assert!(v.pop().is_some());
    v.push(v[0] * v[1]);
    v[0] * v[2]
}

#[differentiable]
fn checked_plain(x: &[f64]) -> f64 {
    let s: f64 = x.iter().sum();
    assert!(s.is_finite() && x.len() == 3, "s = {s}");
    assert_eq!(x.len(), 3);
    assert!(x.iter().all(|v| *v > 0.0));
    s * s
}

#[differentiable]
fn checked_ordered(x: &[f64]) -> f64 {
    let mut s = x[0];
    assert_ne!(s + 1.0, {
        s *= x[1];
        s
    });
    s * s
}

#[differentiable]
fn checked_passive_count(x: &[f64]) -> f64 {
    let mut n = 1;
    assert!({
        n += 1;
        n > 1
    });
    let mut it = vec![2, 3];
    assert_eq!(it.pop(), Some(3));
    x[0] * n as f64 * it.len() as f64 * x[1]
}

#[differentiable]
fn checked_format(x: &[f64]) -> f64 {
    let mut s = x[0];
    let t = format!("{:?}", {
        s *= x[1];
        1
    });
    s * s * t.len() as f64
}

#[differentiable]
fn checked_sort(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    assert!({
        v.sort_by(|a, b| a.partial_cmp(b).unwrap());
        v[0] <= v[1]
    });
    v[0] * v[0] + v[1] * v[2]
}

#[differentiable]
fn checked_match(x: &[f64]) -> f64 {
    let mut s = x[0];
    assert!(match x.len() {
        3 => {
            s *= x[1];
            true
        }
        _ => false,
    });
    s * s
}

#[differentiable]
fn checked_if(x: &[f64]) -> f64 {
    let mut s = x[0];
    assert!(if s > 0.0 {
        s *= x[1];
        true
    } else {
        false
    });
    s * s
}

#[differentiable]
fn checked_option_take(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    assert!(o.take().is_some());
    let y = o.unwrap_or(x[1]);
    y * y
}

#[differentiable]
fn checked_index_advance(x: &[f64]) -> f64 {
    let mut v = vec![[x[0], x[1]], [x[2], x[0]]];
    assert!(advance(&mut v[1], x[1]) > -99.0);
    v[1][0] * v[1][1]
}

// `dbg!`.

#[differentiable]
fn debugged_pop(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let t = dbg!(v.pop()).unwrap();
    t * v[0] * v.len() as f64
}

#[differentiable]
fn debugged_pop_in(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let t = dbg!(v.pop().unwrap());
    t * v[0] * v[1]
}

#[differentiable]
fn debugged_step(x: &[f64]) -> f64 {
    let mut s = x[0];
    let y = dbg!(step(&mut s, x[1]));
    y * s
}

#[differentiable]
fn debugged_statement(x: &[f64]) -> f64 {
    let mut s = x[0];
    dbg!(step(&mut s, x[1]));
    s * s
}

#[differentiable]
fn debugged_plain(x: &[f64]) -> f64 {
    let y = dbg!(x[0] * x[1]) + 1.0;
    dbg!(y);
    dbg!();
    dbg!(&x);
    y * y
}

#[differentiable]
fn debugged_tuple(x: &[f64]) -> f64 {
    let mut s = x[0];
    let (a, b) = dbg!(s, {
        s *= x[1];
        s
    });
    a * b
}

#[differentiable]
fn debugged_tail(x: &[f64]) -> f64 {
    let mut s = x[0];
    s += 1.0;
    dbg!(step(&mut s, x[1]))
}

#[differentiable]
fn debugged_nested(x: &[f64]) -> f64 {
    let mut s = x[0];
    let y = 2.0 * dbg!(dbg!(step(&mut s, x[1])) + s);
    y * s
}

#[differentiable]
fn debugged_state(x: &[f64]) -> f64 {
    let s = dbg!(State { a: x[0], b: x[1] });
    dbg!(&s);
    s.energy()
}

#[differentiable]
fn debugged_vec(x: &[f64]) -> f64 {
    let v = dbg!(x.iter().map(|a| a * a).collect::<Vec<f64>>());
    dbg!(v.len());
    let n = dbg!(v.len());
    v[0] * v[1] * n as f64
}

#[differentiable]
fn debugged_index(x: &[f64]) -> f64 {
    let mut i = 0;
    let y = x[dbg!({
        i += 1;
        i
    })] * x[i];
    y * i as f64
}

#[differentiable]
fn debugged_cond(x: &[f64]) -> f64 {
    let mut s = x[0];
    if dbg!({
        s *= x[1];
        s > 0.0
    }) {
        s * s
    } else {
        s
    }
}

// References that patterns make.

#[differentiable]
fn borrowed_let(x: &[f64]) -> f64 {
    let mut p = x[0];
    let k = x[1];
    {
        let ref mut a = p;
        *a *= k;
    }
    p * p
}

#[differentiable]
fn borrowed_field(x: &[f64]) -> f64 {
    let mut s = State { a: x[0], b: x[1] };
    {
        let ref mut a = s.a;
        *a *= x[2];
    }
    s.energy()
}

#[differentiable]
fn borrowed_element(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    {
        let ref mut a = v[1];
        *a *= x[2];
    }
    v[1] * v[0]
}

#[differentiable]
fn borrowed_tuple(x: &[f64]) -> f64 {
    let mut t = (x[0], x[1]);
    {
        let (ref mut a, ref b) = t;
        *a *= *b;
    }
    t.0 * t.0
}

#[differentiable]
fn borrowed_match(x: &[f64]) -> f64 {
    let mut p = x[0];
    match p {
        ref mut a => *a *= x[1],
    }
    p * p
}

#[differentiable]
fn borrowed_match_guard(x: &[f64]) -> f64 {
    let mut t = (x[0], 1);
    match t {
        (ref mut a, 1) => {
            *a *= x[1];
        }
        _ => {}
    }
    t.0 * t.0
}

#[differentiable]
fn borrowed_if_let(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    if let Some(ref mut a) = o {
        *a *= x[1];
    }
    let y = o.unwrap();
    y * y
}

#[differentiable]
fn borrowed_struct(x: &[f64]) -> f64 {
    let mut s = State { a: x[0], b: x[1] };
    {
        let State { ref mut a, b: ref c } = s;
        *a *= *c;
    }
    s.energy()
}

#[differentiable]
fn borrowed_array(x: &[f64]) -> f64 {
    let mut v = [x[0], x[1]];
    {
        let [ref mut a, ref mut b] = v;
        *a *= *b;
        *b += *a;
    }
    v[0] * v[1]
}

#[differentiable]
fn borrowed_value(x: &[f64]) -> f64 {
    let mut p = x[0];
    let q = {
        let ref mut a = p;
        *a *= x[1];
        3.0
    };
    p * p * q
}

#[differentiable]
fn borrowed_alias(x: &[f64]) -> f64 {
    let mut p = x[0];
    {
        let r = &mut p;
        {
            let q = r;
            *q *= x[1];
        }
    }
    p * p
}

#[differentiable]
fn borrowed_alias_param(x: &[f64]) -> f64 {
    let mut p = x[0];
    alias_param(&mut p, x[1]);
    p * p
}

#[differentiable]
fn alias_param(p: &mut f64, k: f64) {
    {
        let q = p;
        *q *= k;
    }
}

#[differentiable]
fn borrowed_opt_match(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    match &mut o {
        Some(a) => *a *= x[1],
        None => {}
    }
    match o {
        Some(ref mut a) => *a *= x[1],
        None => {}
    }
    o.unwrap() * x[2]
}

#[differentiable]
fn borrowed_slice_for(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    {
        let ref mut w = v;
        for e in w.iter_mut() {
            *e *= x[1];
        }
    }
    v[0] * v[2]
}

#[differentiable]
fn borrowed_push(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    {
        let ref mut w = v;
        w.push(x[0] * x[1]);
    }
    v[3] * v[0]
}

#[differentiable]
fn borrowed_bool(x: &[f64]) -> f64 {
    let mut p = x[0];
    let ok = {
        let ref mut a = p;
        *a *= x[1];
        *a > 0.0
    };
    if ok { p * p } else { p }
}

#[differentiable]
fn borrowed_for_exclusive(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let ok = {
        let r = &mut v;
        for e in r {
            *e *= *e;
        }
        true
    };
    if ok { v[0] * v[1] } else { 0.0 }
}

#[differentiable]
fn borrowed_unused_value(x: &[f64]) -> f64 {
    let mut p = (x[0], x[1]);
    let _ = {
        let (ref mut a, _) = p;
        *a *= x[1];
        1
    };
    p.0 * p.0
}

// Several of these at once.

#[differentiable]
fn stack(x: &[f64]) -> f64 {
    let mut stack = Vec::new();
    stack.push(x[0]);
    stack.push(x[1] * x[2]);
    let top = x[1] * x[2];
    debug_assert_eq!(stack.pop(), Some(top), "top of {:?}", stack.len());
    stack[0] * stack.len() as f64
}

#[differentiable]
fn captured(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut take = || v.pop().unwrap();
    assert!(take() > 0.0);
    v[0] * v[1] * v.len() as f64
}

#[differentiable]
fn closure_arg(x: &[f64]) -> f64 {
    let mut s = x[0];
    let add = |s: &mut f64, u: f64| {
        *s += u * *s;
        *s
    };
    assert!(add(&mut s, x[1]) > 0.0);
    println!("{:.1}", add(&mut s, x[2]));
    s
}

#[differentiable]
fn named_width(x: &[f64]) -> f64 {
    let w = 8;
    let p = 2;
    let mut s = x[0];
    println!("{s:w$.p$} {:>w$}", {
        s *= x[1];
        s
    });
    println!("{s:>1$.0$}", p, w);
    s * s
}

#[differentiable]
fn insert(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    assert_eq!(
        {
            v.insert(1, x[0] * x[1]);
            v.len()
        },
        4
    );
    v[1] * v[3]
}

#[differentiable]
fn opt_replace(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    assert!(o.replace(x[1]).is_some());
    let y = o.unwrap();
    y * y
}

#[differentiable]
fn nested_assert(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    assert!({
        assert!(v.pop().is_some(), "a");
        assert_ne!(v.remove(0), 0.5);
        v.len() == 1
    });
    v[0] * v[0]
}

#[differentiable]
fn swap_elems(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    assert!(
        {
            v.swap(0, 2);
            v[0] < v[2]
        },
        "order {v:?}"
    );
    v[0] * v[0] + v[1]
}

#[differentiable]
fn in_loop(x: &[f64]) -> f64 {
    let mut s = x[0];
    for i in 0..3 {
        assert!(
            {
                s = s * x[i] + 1.0;
                s.is_finite()
            },
            "iteration {i} {s}"
        );
    }
    s * s
}

#[differentiable]
fn in_branch(x: &[f64]) -> f64 {
    let mut s = x[0];
    if x[1] > 1.0 {
        debug_assert!(
            {
                s *= x[1];
                true
            },
            "no"
        );
    } else {
        assert!({
            s += 1.0;
            true
        });
    }
    s * s
}

#[differentiable]
fn in_closure(x: &[f64]) -> f64 {
    let f = |a: f64| {
        let mut b = a;
        assert!({
            b *= x[1];
            true
        });
        b * b
    };
    f(x[0]) + f(x[2])
}

#[differentiable]
fn in_map(x: &[f64]) -> f64 {
    x.iter()
        .map(|a| {
            let mut b = *a;
            assert!({
                b *= b;
                b > 0.0
            });
            b * x[0]
        })
        .sum()
}

#[differentiable]
fn fill(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    assert!({
        v[..2].fill(x[2]);
        true
    });
    v[0] * v[1] * v[2]
}

#[differentiable]
fn let_else(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let Some(t) = dbg!(v.pop()) else { panic!("none") };
    t * v[0]
}

#[differentiable]
fn if_let_dbg(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut y = 0.0;
    if let Some(t) = dbg!(v.pop()) {
        y = t * t;
    }
    while let Some(t) = dbg!(v.pop()) {
        y += t * y;
    }
    y
}

#[differentiable]
fn dbg_arg(x: &[f64]) -> f64 {
    let mut s = x[0];
    step(dbg!(&mut s), dbg!(x[1])) * s
}

#[differentiable]
fn dbg_sum(x: &[f64]) -> f64 {
    let y: f64 = dbg!(x.iter().map(|a| a * a).sum::<f64>());
    let z = dbg!(y, x[0]).0;
    y * z
}

#[differentiable]
fn dbg_return(x: &[f64]) -> f64 {
    if dbg!(x[0] > 0.1) {
        return dbg!(x[0] * x[1]);
    }
    x[2]
}

#[differentiable]
fn dbg_index(x: &[f64]) -> f64 {
    let mut v = vec![dbg!(x[0]), dbg!(x[1] * x[2])];
    v[dbg!(1)] *= dbg!(v[0]);
    v[1]
}

#[differentiable]
fn ref_mut_nested(x: &[f64]) -> f64 {
    let mut t = ((x[0], x[1]), x[2]);
    {
        let ((ref mut a, _), ref mut b) = t;
        *a *= *b;
        *b += *a;
    }
    t.0.0 * t.1
}

#[differentiable]
fn ref_mut_two(x: &[f64]) -> f64 {
    let mut p = x[0];
    let mut q = x[1];
    {
        let ref mut a = p;
        let ref mut b = q;
        std::mem::swap(a, b);
        *a *= 2.0;
    }
    p * p + q
}

#[differentiable]
fn ref_mut_loop(x: &[f64]) -> f64 {
    let mut v = [x[0], x[1], x[2]];
    for k in 0..3 {
        let ref mut e = v[k];
        *e *= *e;
    }
    v[0] + v[1] * v[2]
}

#[differentiable]
fn ref_mut_call(x: &[f64]) -> f64 {
    let mut p = x[0];
    let y = {
        let ref mut a = p;
        step(a, x[1])
    };
    y * p
}

#[differentiable]
fn ref_mut_slice(x: &[f64]) -> f64 {
    let mut v = [x[0], x[1], x[2]];
    {
        let [ref mut a, .., ref mut c] = v;
        *a += *c;
        *c *= *a;
    }
    if let [_, ref mut b, _] = v {
        *b *= 2.0;
    }
    v[0] * v[1] * v[2]
}

#[differentiable]
fn while_let_ref(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    let mut n = 0;
    while let Some(ref mut a) = o {
        *a *= x[1];
        n += 1;
        if n > 2 {
            break;
        }
    }
    o.unwrap()
}

#[differentiable]
fn reborrow(x: &[f64]) -> f64 {
    let mut p = (x[0], x[1]);
    {
        let r = &mut p;
        let q = &mut r.0;
        let t = q;
        *t *= x[2];
    }
    p.0 * p.1
}

#[differentiable]
fn lit_braces(x: &[f64]) -> f64 {
    let s = x[0];
    assert_ne!("{ s *= 2 }", "{s}", "w {s}");
    assert!(s < 9.0, "{}", "a {s} b");
    s * s
}

#[differentiable]
fn mut_self_param(x: &[f64]) -> f64 {
    let mut s = State { a: x[0], b: x[1] };
    inner(&mut s, x[2]);
    s.a * s.b
}

#[differentiable]
fn inner(s: &mut State, k: f64) {
    assert!({
        s.a *= k;
        true
    });
    {
        let r = &mut s.b;
        let q = r;
        *q *= square(k);
    }
}

#[differentiable]
fn square(k: f64) -> f64 {
    k * k
}

#[differentiable]
fn guard(x: &[f64]) -> f64 {
    let mut s = x[0];
    match x.len() {
        3 if {
            s *= x[1];
            true
        } =>
        {
            s * s
        }
        _ => s,
    }
}
#[differentiable]
fn guard_of_a_length(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    match v.len() {
        3 if v.pop().is_some() => v[0] * v.len() as f64,
        _ => 1.0,
    }
}
#[differentiable]
fn guards_that_count(x: &[f64]) -> f64 {
    let mut n = 0;
    let k: Option<usize> = [1usize, 2].get(1).copied();
    match k {
        Some(m)
            if {
                n += 1;
                m > 5
            } =>
        {
            x[0]
        }
        Some(_)
            if {
                n += 2;
                true
            } =>
        {
            x[0] * n as f64
        }
        _ => 0.0,
    }
}
#[differentiable]
fn set_in_a_check(x: &[f64]) -> f64 {
    let mut s = x[0];
    let mut seen = std::collections::HashSet::new();
    for i in 0..3 {
        assert!(seen.insert(i), "twice {i}");
        s *= x[i];
    }
    assert_eq!(seen.len(), 3);
    s * seen.len() as f64
}
#[differentiable]
fn passive_iterator_in_a_check(x: &[f64]) -> f64 {
    let mut it = [2usize, 1, 0].iter();
    let mut y = x[0];
    assert_eq!(it.next(), Some(&2));
    while let Some(i) = it.next() {
        debug_assert!(matches!(*i, 0 | 1 if *i < 5));
        y *= x[*i];
    }
    y
}
#[differentiable]
fn log(x: &[f64]) -> f64 {
    let mut log = String::new();
    use std::fmt::Write;
    let mut y = x[0];
    for (i, a) in x.iter().enumerate() {
        writeln!(log, "{i}: {a}").unwrap();
        write!(&mut log, "{:?}", y).ok();
        y *= a;
    }
    assert!(!log.is_empty(), "{log}");
    y * y
}
#[differentiable]
fn slice_pattern(x: &[f64]) -> f64 {
    let mut rest = &x[..];
    let mut y = 1.0;
    while let [a, tail @ ..] = rest {
        assert!({
            y *= a;
            y < 99.0
        });
        rest = tail;
    }
    y * y
}
#[differentiable]
fn rows_by_patterns(x: &[f64]) -> f64 {
    let mut m = [[x[0], x[1]], [x[2], 1.0]];
    for row in m.iter_mut() {
        let ref mut a = row[0];
        *a *= 2.0;
        let [ref mut b, ref c] = *row;
        *b += *c;
    }
    m[0][0] * m[1][0]
}
#[differentiable]
fn structs_debugged(x: &[f64]) -> f64 {
    let s = dbg!(State { a: dbg!(x[0]) * 2.0, b: x[1] });
    let State { a, b } = dbg!(s);
    dbg!(a) * dbg!(b)
}
#[differentiable]
fn plain_function_in_a_check(x: &[f64]) -> f64 {
    fn total(x: &[f64]) -> f64 {
        x.iter().sum()
    }
    assert!(total(x) > 0.0 && total(&x[1..]) > 0.0, "{}", total(x));
    assert!((x[0] - x[1]).abs() > 1e-9, "{:?}", (x[0], x[1]));
    x[0] * x[1]
}
#[differentiable]
fn several_changes_printed(x: &[f64]) -> f64 {
    let mut s = x[0];
    println!(
        "{} {}",
        {
            s *= x[1];
            s > 0.0
        },
        if s > 0.5 {
            s *= 2.0;
            1
        } else {
            2
        }
    );
    println!("{0} {0} {1}", s * 2.0, {
        s += x[2];
        7
    });
    s * s
}
#[differentiable]
fn halves_in_a_check(x: &[f64]) -> f64 {
    let mut r = x.to_vec();
    let (a, b) = r.split_at_mut(1);
    assert!({
        a[0] *= b[0];
        b[1] += a[0];
        true
    });
    r[0] * r[2]
}
#[differentiable]
fn last_in_a_check(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let last = v.last_mut().unwrap();
    assert!({
        *last *= x[0];
        true
    });
    v[2] * v[2]
}
#[differentiable]
fn elements_in_a_check(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    for e in &mut v {
        assert!({
            *e *= x[1];
            true
        });
    }
    for e in v.iter_mut() {
        debug_assert!(*e > 0.0);
        let ref mut t = *e;
        *t += 1.0;
    }
    v[0] * v[2]
}
#[differentiable]
fn fields_in_a_check(x: &[f64]) -> f64 {
    let mut s = State { a: x[0], b: x[1] };
    {
        let State { a, b } = &mut s;
        assert!({
            std::mem::swap(a, b);
            *a > 0.0
        });
    }
    s.a * s.a + s.b
}
#[differentiable]
fn closure_printed(x: &[f64]) -> f64 {
    let mut t = 0.0;
    let mut acc = |u: f64| -> f64 {
        t += u * u;
        t
    };
    eprintln!("{} {}", acc(x[0]), acc(x[1]));
    let _ = acc(x[2]) > 0.0;
    assert!(acc(x[0]) > 0.0);
    t
}
#[differentiable]
fn iterator_in_a_check(x: &[f64]) -> f64 {
    let mut it = x.iter();
    assert!(it.nth(0).is_some());
    let y: f64 = it.sum();
    y * y
}
#[differentiable]
fn option_in_a_check(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    if let Some(a) = o.as_mut() {
        assert!({
            *a *= x[1];
            true
        });
    }
    assert_eq!(o.map(|a| a * 2.0).is_some(), true);
    o.unwrap()
}
#[differentiable]
fn queue_in_a_check(x: &[f64]) -> f64 {
    let mut q = std::collections::VecDeque::from(x.to_vec());
    assert!(q.pop_front().is_some());
    assert_eq!(dbg!(q.pop_back()), Some(x[2]));
    q.push_back(x[0]);
    q[0] * q[1]
}
#[differentiable]
fn reference_in_a_check(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let r = &mut v;
    assert!(r.pop().is_some());
    assert!(!r.is_empty(), "{r:?}");
    r.push(x[0] * x[1]);
    v[2] * v[0]
}
#[differentiable]
fn rows_in_a_check(x: &[f64]) -> f64 {
    let mut rows = vec![vec![x[0]], vec![x[1], x[2]]];
    assert!(rows.last_mut().unwrap().pop().is_some());
    assert!(rows[1].pop().is_some());
    rows[1].push(x[2]);
    rows[0][0] * rows[1][0]
}

// behind a call that may keep an active value: numbers of std's types, and fields of others
struct Settings {
    rate: f64,
    weights: Vec<f64>,
    used: usize,
    first: Option<f64>,
}
const RATES: [f64; 2] = [0.5, 2.0];
fn note(_: f64) {}
#[differentiable]
fn settings_behind_a_note(x: &[f64]) -> f64 {
    let all = Settings { rate: 0.5, weights: vec![1.0, 2.0], used: 2, first: Some(1.5) };
    let (rows, pairs) = ([[1.0, 2.0], [3.0, 4.0]], vec![(0usize, 0.5), (1, 2.0)]);
    note(x[0]);
    let mut s = 0.0;
    for k in 0..all.used {
        s += all.weights[k] * x[k] * all.rate;
        note(s);
    }
    for (i, row) in rows.iter().enumerate() {
        for (j, v) in row.iter().enumerate() {
            s += v * x[i] * x[j] * (i + j) as f64;
        }
    }
    for (i, w) in &pairs {
        s += *w * x[*i];
    }
    let scale = RATES.iter().sum::<f64>() * all.first.unwrap_or(1.0) / x.len() as f64;
    s * -scale + all.weights.iter().sum::<f64>() * x[2] * f64::from(3u8) * f64::MAX.recip()
}

// numbers without derivatives that macros change where other macros hold them
#[differentiable]
fn constant_changed_in_a_format(x: &[f64]) -> f64 {
    let mut a = 0.3 * 1.875f64.powi(3);
    let y = vec![
        x[0] * a,
        {
            let _ = format!("{}", {
                a *= 0.6;
                1
            });
            a
        },
        x[1],
    ];
    y[0] + y[1] * y[2] + a
}
#[differentiable]
fn constant_changed_in_a_match(x: &[f64]) -> f64 {
    let mut k = 1;
    let y = vec![
        x[k] * x[0],
        if matches!(
            {
                k += 1;
                k
            },
            2
        ) {
            x[k]
        } else {
            x[0]
        },
        k as f64 * x[1],
    ];
    y[0] * y[1] + y[2]
}
#[differentiable]
fn constant_popped_in_a_format(x: &[f64]) -> f64 {
    let mut rates = vec![0.5, 2.0, 3.0];
    let mut texts = 0;
    let y = vec![x[0] * rates.len() as f64, {
        texts += format!("{:?}", rates.pop()).len();
        x[1]
    }];
    y[0] * y[1] * rates[rates.len() - 1] + texts as f64 * x[2]
}

sound! {
    constant_changed_in_a_format constant_changed_in_a_match constant_popped_in_a_format settings_behind_a_note guard guard_of_a_length guards_that_count set_in_a_check passive_iterator_in_a_check log slice_pattern rows_by_patterns structs_debugged plain_function_in_a_check several_changes_printed halves_in_a_check last_in_a_check elements_in_a_check fields_in_a_check closure_printed iterator_in_a_check option_in_a_check queue_in_a_check reference_in_a_check rows_in_a_check
    checked_pop_eq checked_advance checked_advance_bare checked_block checked_block_message checked_debug checked_debug_eq checked_remove checked_remove_ne checked_closure checked_print_step checked_println_pop checked_print_named checked_method checked_method_ufcs checked_nested checked_grow checked_and checked_reference checked_loop checked_write checked_write_passive checked_swap checked_replace checked_panic checked_lazy checked_param checked_plain checked_ordered checked_passive_count checked_format checked_sort checked_match checked_if checked_option_take checked_index_advance debugged_pop debugged_pop_in debugged_step debugged_statement debugged_plain debugged_tuple debugged_tail debugged_nested debugged_state debugged_vec debugged_index debugged_cond borrowed_let borrowed_field borrowed_element borrowed_tuple borrowed_match borrowed_match_guard borrowed_if_let borrowed_struct borrowed_array borrowed_value borrowed_alias borrowed_alias_param borrowed_opt_match borrowed_slice_for borrowed_push borrowed_bool borrowed_for_exclusive borrowed_unused_value stack captured closure_arg named_width insert opt_replace nested_assert swap_elems in_loop in_branch in_closure in_map fill let_else if_let_dbg dbg_arg dbg_sum dbg_return dbg_index ref_mut_nested ref_mut_two ref_mut_loop ref_mut_call ref_mut_slice while_let_ref reborrow lit_braces mut_self_param
}
