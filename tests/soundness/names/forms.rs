//! Programs with a hole for a name: a user's item of that name does something else than std's, the crates' or the table's.

/// What it is called, and the program; `f` is the function of which the gradient is tested.
pub type Form = (&'static str, &'static str);

/// A derived struct.
macro_rules! pair {
    ($rest:literal) => {
        concat!("#[derive(Clone, Copy, Differentiable)] pub struct P { a: f64, b: f64 }\n", $rest)
    };
}

/// A trait's method of a type, and an expression over `x` that calls it; its value is a number.
macro_rules! extension {
    ($ty:literal, $signature:literal, $body:literal, $call:literal) => {
        concat!(
            "trait Ext { fn NAME(",
            $signature,
            ") -> f64; }\n",
            "impl Ext for ",
            $ty,
            " { fn NAME(",
            $signature,
            ") -> f64 { ",
            $body,
            " } }\n",
            "#[differentiable] pub fn f(x: &[f64]) -> f64 { let r: f64 = ",
            $call,
            "; r * x[1] + x[0] }"
        )
    };
}

/// A function, and an expression over `x` that calls it.
macro_rules! function {
    ($function:literal, $call:literal) => {
        concat!($function, "\n#[differentiable] pub fn f(x: &[f64]) -> f64 { ", $call, " * x[1] + x[0] }")
    };
}

/// Functions and methods.
pub const FORMS: &[Form] = &[
    ("slice", extension!("[f64]", "&self", "self[0] * self[0] * self[1]", "x.NAME()")),
    ("slice_with", extension!("[f64]", "&self, t: f64", "self[0] * self[1] * t", "x.NAME(x[1])")),
    ("vec", extension!("Vec<f64>", "&self", "self[0] * self[0] * self[1]", "{ let v = x.to_vec(); v.NAME() }")),
    ("vec_by_value", extension!("Vec<f64>", "self", "self[0] * self[0] * self[1]", "{ let v = x.to_vec(); v.NAME() }")),
    ("array", extension!("[f64; 2]", "&self", "self[0] * self[0] * self[1]", "{ let a = [x[0], x[1]]; a.NAME() }")),
    ("float", extension!("f64", "self", "self * self * self", "x[0].NAME()")),
    ("float_with", extension!("f64", "self, t: f64", "self * self * t", "x[0].NAME(x[1])")),
    ("float_of_a_product", extension!("f64", "self", "self * self * self", "(x[0] * x[1]).NAME()")),
    ("float_by_reference", extension!("f64", "&self", "self * self * self", "x[0].NAME()")),
    (
        "float_in_a_loop",
        extension!("f64", "&self", "self * self * self", "{ let mut s = 0.0; for v in x.iter() { s += v.NAME(); } s }"),
    ),
    ("float_in_a_chain", extension!("f64", "&self", "self * self * self", "x.iter().map(|v| v.NAME()).sum()")),
    ("integer_with", extension!("usize", "self, t: f64", "t * t * self as f64", "{ let n = x.len(); n.NAME(x[0]) }")),
    (
        "option",
        extension!("Option<f64>", "self", "{ let v = self.unwrap_or(1.0); v * v * v }", "Some(x[0] * x[1]).NAME()"),
    ),
    (
        "option_in_a_variable",
        extension!(
            "Option<f64>",
            "self",
            "{ let v = self.unwrap_or(1.0); v * v * v }",
            "{ let mut o = Some(x[0]); o.NAME() }"
        ),
    ),
    (
        "array_of_nine",
        extension!("[f64; 9]", "&self", "self[0] * self[0] * self[1]", "{ let a = [x[0]; 9]; a.NAME() }"),
    ),
    (
        "vec_of_pairs",
        extension!(
            "Vec<(f64, f64)>",
            "&self",
            "self[0].0 * self[0].0 * self[0].1",
            "{ let v = vec![(x[0], x[1])]; v.NAME() }"
        ),
    ),
    (
        "iterator",
        extension!(
            "std::slice::Iter<'_, f64>",
            "&self",
            "self.as_slice()[0] * self.as_slice()[1]",
            "{ let mut it = x.iter(); it.NAME() }"
        ),
    ),
    ("associated", extension!("[f64]", "&self", "self[0] * self[0] * self[1]", "Ext::NAME(x)")),
    ("associated_with_float", extension!("f64", "self", "self * self * self", "Ext::NAME(x[0])")),
    ("of_f64", extension!("f64", "self", "self * self * self", "f64::NAME(x[0])")),
    ("function", function!("pub fn NAME(v: f64) -> f64 { v * v * v }", "NAME(x[0])")),
    ("annotated", function!("#[differentiable] pub fn NAME(v: f64) -> f64 { v * v * v }", "NAME(x[0])")),
    ("function_of_two", function!("pub fn NAME(v: f64, w: f64) -> f64 { v * v * w }", "NAME(x[0], x[1])")),
    ("function_of_a_slice", function!("pub fn NAME(v: &[f64]) -> f64 { v[0] * v[0] * v[1] }", "NAME(x)")),
    ("handed", function!("pub fn NAME(v: f64) -> f64 { v * v * v }", "x.iter().copied().map(NAME).sum::<f64>()")),
    (
        "function_in_place",
        function!(
            "pub fn NAME(v: &mut f64, w: &mut f64) { *v *= *w; *w *= 2.0; }",
            "{ let (mut a, mut b) = (x[0], x[1]); NAME(&mut a, &mut b); a * b }"
        ),
    ),
    (
        "in_mem",
        function!(
            "mod mem { pub fn NAME(v: &mut f64, w: f64) -> f64 { *v *= w; *v * w } }",
            "{ let mut a = x[0]; let b: f64 = mem::NAME(&mut a, x[1]); a * b }"
        ),
    ),
    (
        "in_mem_in_place",
        function!(
            "mod mem { pub fn NAME(v: &mut f64, w: &mut f64) { *v *= *w; *w *= 2.0; } }",
            "{ let (mut a, mut b) = (x[0], x[1]); mem::NAME(&mut a, &mut b); a * b }"
        ),
    ),
    ("in_convert", function!("mod convert { pub fn NAME(v: f64) -> f64 { v * v * v } }", "convert::NAME(x[0])")),
    ("in_hint", function!("mod hint { pub fn NAME(v: f64) -> f64 { v * v * v } }", "hint::NAME(x[0])")),
    (
        "in_iter",
        function!(
            "mod iter { pub fn NAME(v: f64) -> impl Iterator<Item = f64> { std::iter::repeat(v * v) } }",
            "iter::NAME(x[0]).take(2).sum::<f64>()"
        ),
    ),
    (
        "in_iter_of_two",
        function!(
            "mod iter { pub fn NAME(v: f64, n: usize) -> impl Iterator<Item = f64> { std::iter::repeat(v * v).take(n) } }",
            "iter::NAME(x[0], 3).sum::<f64>()"
        ),
    ),
    (
        "in_array",
        function!(
            "mod array { pub fn NAME(f: impl Fn(usize) -> f64) -> [f64; 2] { [f(1) * f(1), f(0)] } }",
            "{ let a: [f64; 2] = array::NAME(|k| x[k]); a[0] * a[1] }"
        ),
    ),
    ("macro", function!("macro_rules! NAME { ($e:expr) => { $e * $e * 2.0 } }", "NAME!(x[0])")),
    ("macro_of_two", function!("macro_rules! NAME { ($e:expr, $g:expr) => { $e * $g * 2.0 } }", "NAME!(x[0], x[1])")),
    (
        "macro_of_a_list",
        function!(
            "macro_rules! NAME { ($($e:expr),*) => { ::std::vec![$($e * 2.0),*] } }",
            "{ let v: Vec<f64> = NAME![x[0], x[1]]; v[0] * v[1] }"
        ),
    ),
    (
        "macro_by_path",
        function!(
            "mod own { macro_rules! other { ($e:expr) => { $e * $e * 2.0 } } pub(crate) use other as NAME; }",
            "own::NAME!(x[0])"
        ),
    ),
    (
        "macro_statement",
        function!(
            "macro_rules! NAME { ($e:expr) => { $e = 2.0 * $e; } }",
            "{ let mut v = vec![x[0], x[1]]; v[0] *= v[1]; NAME!(v[0]); v[0] }"
        ),
    ),
    (
        "macro_that_never_panics",
        function!(
            "macro_rules! NAME { () => { 2.0 } }",
            "{ let k: f64 = if x[0] > 0.0 { NAME!() } else { 1.0 }; k * x[0] }"
        ),
    ),
    (
        "own_struct",
        pair!(
            "impl P { fn NAME(&self) -> f64 { self.a * self.a * self.b } }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let p = P { a: x[0], b: x[1] }; p.NAME() * x[1] }"
        ),
    ),
    (
        "own_struct_annotated",
        pair!(
            "#[differentiable] impl P { fn NAME(&self) -> f64 { self.a * self.a * self.b } }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let p = P { a: x[0], b: x[1] }; p.NAME() * x[1] }"
        ),
    ),
    (
        "own_copy",
        pair!(
            "impl P { fn NAME(&self) -> P { P { a: self.a * self.a, b: self.b * self.a } } }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let p = P { a: x[0], b: x[1] }; let q = p.NAME(); q.a * q.b + x[0] }"
        ),
    ),
    (
        "own_copy_annotated",
        pair!(
            "#[differentiable] impl P { fn NAME(&self) -> P { P { a: self.a * self.a, b: self.b * self.a } } }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let p = P { a: x[0], b: x[1] }; let q = p.NAME(); q.a * q.b + x[0] }"
        ),
    ),
    (
        "own_change",
        pair!(
            "impl P { fn NAME(&mut self) { self.a *= self.b; } }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let mut p = P { a: x[0], b: x[1] }; p.NAME(); p.a * x[1] }"
        ),
    ),
    (
        "own_change_that_answers",
        pair!(
            "impl P { fn NAME(&mut self) -> bool { self.a *= self.b; self.a > 0.0 } }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let mut p = P { a: x[0], b: x[1] }; let up = p.NAME(); if up { p.a * x[1] } else { x[0] } }"
        ),
    ),
    (
        "vec_change_that_answers",
        "trait Ext { fn NAME(&mut self) -> bool; } impl Ext for Vec<f64> { fn NAME(&mut self) -> bool { self[0] *= self[1]; self[0] > 0.0 } }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let mut v = x.to_vec(); let up = v.NAME(); if up { v[0] * x[1] } else { x[0] } }",
    ),
    (
        "vec_change",
        "trait Ext { fn NAME(&mut self); } impl Ext for Vec<f64> { fn NAME(&mut self) { self[0] *= self[1]; } }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let mut v = x.to_vec(); v.NAME(); v[0] * x[1] + x[0] }",
    ),
    (
        "float_change_that_answers",
        "trait Ext { fn NAME(&mut self) -> bool; } impl Ext for f64 { fn NAME(&mut self) -> bool { *self *= *self; *self > 0.0 } }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let mut v = x[0]; let up = v.NAME(); if up { v * x[1] } else { x[0] } }",
    ),
    (
        "vec_to_vec",
        "trait Ext { fn NAME(&self) -> Vec<f64>; } impl Ext for Vec<f64> { fn NAME(&self) -> Vec<f64> { vec![self[0] * self[1], self[1]] } }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let v = x.to_vec(); let w = v.NAME(); w[0] * w[1] + x[0] }",
    ),
    (
        "slice_to_vec",
        "trait Ext { fn NAME(&self) -> Vec<f64>; } impl Ext for [f64] { fn NAME(&self) -> Vec<f64> { vec![self[0] * self[1], self[1]] } }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let w = x.NAME(); w[0] * w[1] + x[0] }",
    ),
    (
        "array_to_array",
        "trait Ext { fn NAME(&self) -> [f64; 2]; } impl Ext for [f64; 2] { fn NAME(&self) -> [f64; 2] { [self[0] * self[1], self[1]] } }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let a = [x[0], x[1]]; let w = a.NAME(); w[0] * w[1] + x[0] }",
    ),
    (
        "constant_method",
        "pub struct M { w: f64 } impl M { fn NAME(&self, t: f64) -> f64 { self.w * t * t } }\n#[differentiable(constant(m))] pub fn g(m: &M, x: &[f64]) -> f64 { m.NAME(x[0]) * x[1] }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { g(&M { w: 1.7 }, x) }",
    ),
    (
        "counter",
        "pub struct M { n: usize } impl M { fn NAME(&mut self) -> usize { self.n += 1; self.n } }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let mut m = M { n: 0 }; let mut s = x[0]; for _ in 0..3 { let k = m.NAME(); s = s * s * x[1] * k as f64; } s }",
    ),
];

/// Types: their names begin with capital letters.
pub const TYPES: &[Form] = &[
    (
        "parameter",
        "#[derive(Clone, Copy, Differentiable)] pub struct NAME { a: f64, b: f64 }\n#[differentiable] pub fn g(p: NAME) -> f64 { p.a * p.b * p.a }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { g(NAME { a: x[0], b: x[1] }) + x[0] }",
    ),
    (
        "result",
        "#[derive(Clone, Copy, Differentiable)] pub struct NAME { a: f64, b: f64 }\n#[differentiable] pub fn g(x: &[f64]) -> NAME { NAME { a: x[0] * x[0], b: x[1] * x[0] } }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let p = g(x); p.a * p.b + x[0] }",
    ),
    (
        "local",
        "#[derive(Clone, Copy, Differentiable)] pub struct NAME { a: f64, b: f64 }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let p: NAME = NAME { a: x[0], b: x[1] }; p.a * p.b * x[1] }",
    ),
    (
        "made",
        "#[derive(Clone, Copy, Differentiable)] pub struct NAME { a: f64, b: f64 } impl NAME { fn new(a: f64) -> NAME { NAME { a: a * a, b: a } } }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let p = NAME::new(x[0]); p.a * p.b * x[1] }",
    ),
    (
        "made_from",
        "#[derive(Clone, Copy, Differentiable)] pub struct NAME { a: f64, b: f64 } impl NAME { fn from(a: f64) -> NAME { NAME { a: a * a, b: a } } }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let p = NAME::from(x[0]); p.a * p.b * x[1] }",
    ),
    (
        "field",
        "#[derive(Clone, Copy, Differentiable)] pub struct NAME { a: f64, b: f64 }\n#[derive(Clone, Differentiable)] pub struct Holder { p: NAME, q: Vec<NAME> }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let h = Holder { p: NAME { a: x[0], b: x[1] }, q: vec![NAME { a: x[0], b: x[1] }] }; h.p.a * h.q[0].b + x[0] }",
    ),
    (
        "tuple",
        "#[derive(Clone, Copy, Differentiable)] pub struct NAME(f64);\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let p = NAME(x[0] * x[1]); p.0 * p.0 + x[0] }",
    ),
    (
        "alias",
        "type NAME = f64;\n#[differentiable] pub fn g(v: NAME, w: f64) -> f64 { v * v * w }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { g(x[0] * x[1], x[0]) + x[0] }",
    ),
    (
        "cast",
        "type NAME = f64;\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let p = (x[0] * x[1]) as NAME; p * p + x[0] }",
    ),
    (
        "alias_of_an_array",
        "type NAME = [f64; 2];\n#[differentiable] pub fn g(v: &NAME, w: f64) -> f64 { v[0] * v[1] * w }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let p = [x[0], x[1]]; g(&p, x[0]) * p[0] }",
    ),
    (
        "generic",
        "#[derive(Clone, Copy, Differentiable)] pub struct NAME<T> { a: T, b: T }\n#[differentiable] pub fn f(x: &[f64]) -> f64 { let p: NAME<f64> = NAME { a: x[0], b: x[1] }; p.a * p.b + x[0] }",
    ),
];
