//! Arrays of `ndarray`: vectors and matrices whose sizes are known.

use super::Writer;
use super::scope::Var;
use crate::program::*;

type Construct = super::Construct<Node>;

const STATEMENTS: &[(u32, Construct)] = &[
    (9, Writer::let_array1),
    (5, Writer::let_array2),
    (6, Writer::compound),
    (4, Writer::set_part),
    (3, Writer::inplace),
    (3, Writer::over_rows),
];

const FLOATS: &[(u32, Construct)] =
    &[(6, |w, _| w.array_element()), (3, |w, _| w.array_sum()), (3, |w, _| w.array_dot()), (2, Writer::array_chain)];

impl Writer {
    /// A statement about arrays.
    pub fn of_an_array(&mut self, depth: usize) -> Option<Node> {
        if !self.arrays {
            return None;
        }
        self.choose(STATEMENTS, depth)
    }

    /// A float of an array.
    pub fn float_of_array(&mut self, depth: usize) -> Option<Node> {
        if !self.arrays {
            return None;
        }
        self.choose(FLOATS, depth)
    }

    fn vector(&mut self, n: Option<usize>) -> Option<(usize, usize)> {
        let all = self.readable(|v| matches!(v.ty, Ty::Nd1(l) if n.is_none_or(|n| n == l)) && v.derefs < 2);
        let k = self.any(all)?;
        let Ty::Nd1(n) = self.scope[k].ty else { return None };
        Some((k, n))
    }

    fn matrix(&mut self) -> Option<(usize, usize, usize)> {
        let all = self.readable(|v| matches!(v.ty, Ty::Nd2(..)) && v.derefs < 2);
        let k = self.any(all)?;
        let Ty::Nd2(n, m) = self.scope[k].ty else { return None };
        Some((k, n, m))
    }

    fn array_element(&mut self) -> Option<Node> {
        let all = self.readable(|v| matches!(v.ty, Ty::Nd1(_) | Ty::Nd2(..)));
        let k = self.any(all)?;
        let (x, ty) = (self.bare(k), self.scope[k].ty.clone());
        self.float_of(x, ty)
    }

    fn array_sum(&mut self) -> Option<Node> {
        if let Some((k, n, m)) = self.matrix().filter(|_| self.chance(40)) {
            let x = self.bare(k);
            return Some(match self.rng.u32(0..3) {
                0 => node!("row sum", Ty::F, "{6}.row({}).sum()", x, self.index(n)).size(4.0),
                1 => node!("column sum", Ty::F, "{6}.column({}).sum()", x, self.index(m)).size(4.0),
                _ => node!("sum of an array", Ty::F, "{6}.sum()", x).size(8.0),
            });
        }
        let (k, n) = self.vector(None)?;
        let x = self.bare(k);
        let low = self.rng.usize(0..n);
        Some(match self.rng.u32(0..3) {
            0 => node!("sum of a slice", Ty::F, "{6}.slice(s![{}..]).sum()", x, low).size(4.0),
            1 => node!("fold of an array", Ty::F, "{6}.fold({}, |s, v| 0.5 * s + v)", x, 0.25),
            _ => node!("sum of an array", Ty::F, "{6}.sum()", x).size(4.0),
        })
    }

    fn array_dot(&mut self) -> Option<Node> {
        let (a, n) = self.vector(None)?;
        let (b, _) = self.vector(Some(n))?;
        if let Some((k, rows, _)) = self.matrix().filter(|(_, _, m)| *m == n && self.chance(50)) {
            let i = self.index(rows);
            return Some(
                node!("row dot", Ty::F, "{6}.row({}).dot({})", self.bare(k), i, self.lent(a, false)).size(4.0),
            );
        }
        Some(node!("dot", Ty::F, "{6}.dot({})", self.bare(a), self.lent(b, false)).size(4.0))
    }

    fn array_chain(&mut self, depth: usize) -> Option<Node> {
        let (k, n) = self.vector(None)?;
        let v = self.name("v");
        let (v, body) = self.repeated(n, |w| {
            w.pure(|w| {
                let v = w.bind(Var::new(v, Ty::F).behind(1));
                let value = w.typed(depth.saturating_sub(1));
                (v, w.bounded(value))
            })
        });
        Some(node!("iter of an array", Ty::F, "{6}.iter().map(|{}| {}).sum::<@>()", self.bare(k), v, body).size(4.0))
    }

    fn let_nd(&mut self, construct: &'static str, value: Node) -> Node {
        let name = self.name("z");
        let mutable = self.chance(70);
        let bind = self.bind(Var { mutable, ..Var::new(name, value.ty.clone()) });
        let word = if mutable { "mut " } else { "" };
        node!(construct, Ty::Unit, "let {}{} = {};", word, bind, value)
    }

    fn let_array1(&mut self, depth: usize) -> Option<Node> {
        let value = self.array1(None, depth)?;
        Some(self.let_nd("let array of ndarray", value))
    }

    /// A vector of this length.
    pub fn array1(&mut self, n: Option<usize>, depth: usize) -> Option<Node> {
        if let (Some((k, n)), true) = (self.vector(n), self.chance(75)) {
            return self.array1_of(k, n, depth);
        }
        let n = n.unwrap_or(self.rng.usize(2..4));
        let ty = Ty::Nd1(n);
        let i = self.name("i");
        Some(match self.rng.u32(0..3) {
            0 => {
                let v = self.typed(depth);
                node!("from_elem", ty, "Array1::from_elem({}, {})", n, self.bounded(v))
            }
            1 => {
                let values = self.value_of(&Ty::Vec(Box::new(Ty::F), Some(n)))?;
                node!("from_vec", ty, "Array1::from_vec({})", values)
            }
            _ => {
                let (i, v) = self.repeated(n, |w| {
                    w.pure(|w| {
                        let i = w.bind(Var::new(i, Ty::I).within(0, n));
                        let v = w.typed(depth);
                        (i, w.bounded(v))
                    })
                });
                node!("from_shape_fn", ty, "Array1::from_shape_fn({}, |{}| {})", n, i, v)
            }
        })
    }

    /// A vector that is made of another one.
    fn array1_of(&mut self, k: usize, n: usize, depth: usize) -> Option<Node> {
        let ty = Ty::Nd1(n);
        let (x, lent) = (self.bare(k), self.lent(k, false));
        let (b, _) = self.vector(Some(n))?;
        let other = self.lent(b, false);
        let number = self.typed(depth.min(1));
        let number = self.bounded(number);
        let binary = |text: &str, other: Node| {
            Node::new("arithmetic of arrays", ty.clone(), text, vec![lent.clone().into(), other.into()])
        };
        Some(match self.rng.u32(0..12) {
            0 => binary("{6} + {6}", other).level(level::SUM),
            1 => binary("{6} - {6}", other).level(level::SUM),
            2..=3 => binary("{6} * {6}", other).level(level::PRODUCT),
            4 => {
                let text = "{6} / ({6} * {6} + @::from(1.5))";
                node!("quotient of arrays", ty, text, lent, other.clone(), other).level(level::PRODUCT)
            }
            5 => node!("array by number", ty, "{6} * {4}", lent, number).level(level::PRODUCT),
            6 => node!("array and number", ty, "{6} - {4}", lent, number).level(level::SUM),
            7..=8 => {
                let v = self.name("v");
                let (v, body) = self.repeated(n, |w| {
                    w.pure(|w| {
                        let v = w.bind(Var::new(v, Ty::F));
                        let value = w.typed(depth);
                        (v, w.bounded(value))
                    })
                });
                node!("mapv", ty, "{6}.mapv(|{}| {})", x, v, body)
            }
            9 => node!("map", ty, "{6}.map(|v| v.sin() * v)", x),
            10 => match self.matrix().filter(|(_, rows, columns)| *rows == n && *columns == n) {
                Some((m, ..)) if self.chance(50) => node!("matrix dot", ty, "{6}.dot({})", self.bare(m), lent),
                Some((m, ..)) => node!("transposed dot", ty, "{6}.t().dot({})", self.bare(m), lent),
                None => node!("negated array", ty, "-{6}", lent).level(level::UNARY),
            },
            _ => node!("clone of an array", ty, "{6}.clone()", x),
        })
    }

    fn let_array2(&mut self, depth: usize) -> Option<Node> {
        let (n, m) = (self.rng.usize(2..4), self.rng.usize(2..4));
        let (i, j) = (self.name("i"), self.name("j"));
        let value = match (self.rng.u32(0..7), self.matrix()) {
            (0, Some((k, n, m))) => node!("transposed", Ty::Nd2(m, n), "{6}.t().to_owned()", self.bare(k)),
            (1, Some((k, n, m))) => {
                let x = self.lent(k, false);
                node!("product of matrices, by element", Ty::Nd2(n, m), "{6} * {6}", x.clone(), x).level(level::PRODUCT)
            }
            (2, Some((k, n, m))) => {
                node!("product of matrices", Ty::Nd2(n, n), "{6}.dot(&{6}.t())", self.bare(k), self.bare(k))
                    .size((n * m) as f64)
            }
            (3, Some((k, n, m))) => node!("mapv", Ty::Nd2(n, m), "{6}.mapv(|v| (0.7 * v).sin())", self.bare(k)),
            (4, Some((k, n, m))) => match self.vector(Some(m)) {
                Some((x, _)) => {
                    let (a, b) = (self.lent(k, false), self.lent(x, false));
                    node!("broadcast", Ty::Nd2(n, m), "{6} + {6}", a, b).level(level::SUM)
                }
                None => return None,
            },
            _ => {
                let (i, j, v) = self.repeated(n * m, |w| {
                    w.pure(|w| {
                        let i = w.bind(Var::new(i, Ty::I).within(0, n));
                        let j = w.bind(Var::new(j, Ty::I).within(0, m));
                        let v = w.typed(depth.min(1));
                        (i, j, w.bounded(v))
                    })
                });
                let text = "Array2::from_shape_fn(({}, {}), |({}, {})| {})";
                node!("from_shape_fn of two", Ty::Nd2(n, m), text, n, m, i, j, v)
            }
        };
        Some(self.let_nd("let matrix of ndarray", value))
    }

    fn array_to_change(&mut self) -> Option<(usize, Ty)> {
        let all = self.writable(|v| matches!(v.ty, Ty::Nd1(_) | Ty::Nd2(..)));
        let k = self.any(all)?;
        Some((k, self.scope[k].ty.clone()))
    }

    /// `a += &b;`, `a *= 0.5;`
    fn compound(&mut self, depth: usize) -> Option<Node> {
        let (k, ty) = self.array_to_change()?;
        let stars = self.used(k);
        let number = self.borrowing(&[k], true, |w| {
            let v = w.typed(depth.min(1));
            w.bounded(v)
        });
        if let (Ty::Nd1(n), true) = (&ty, self.chance(60)) {
            let other = self.borrowing(&[k], true, |w| w.vector(Some(*n)))?;
            let other = self.lent(other.0, false);
            return Some(match self.rng.u32(0..5) {
                0 => node!("array added", Ty::Unit, "{} += {};", stars, other),
                1 => node!("array subtracted", Ty::Unit, "{} -= {};", stars, other),
                2 => node!("array multiplied", Ty::Unit, "{} *= &({6} * 0.5);", stars, other),
                3 => node!("scaled_add", Ty::Unit, "{6}.scaled_add({}, {});", self.bare(k), number, other),
                _ => node!("assign of an array", Ty::Unit, "{6}.assign({});", self.bare(k), other),
            });
        }
        Some(match self.rng.u32(0..3) {
            0 => node!("array scaled", Ty::Unit, "{} *= 0.5 * {4};", stars, number),
            1 => node!("array shifted", Ty::Unit, "{} += {};", stars, number),
            _ => node!("array filled", Ty::Unit, "{6}.fill({});", self.bare(k), number),
        })
    }

    /// `a.slice_mut(s![1..]).assign(..);`, `m.row_mut(i).assign(&a);`
    fn set_part(&mut self, depth: usize) -> Option<Node> {
        let (k, ty) = self.array_to_change()?;
        let x = self.bare(k);
        match ty {
            Ty::Nd1(n) => {
                let low = self.rng.usize(0..n);
                if self.chance(40) {
                    let v = self.borrowing(&[k], true, |w| w.small(depth));
                    return Some(node!("slice filled", Ty::Unit, "{6}.slice_mut(s![{}..]).fill({});", x, low, v));
                }
                let other = self.borrowing(&[k], true, |w| w.vector(Some(n)))?;
                let text = "{6}.slice_mut(s![{}..]).assign(&{6}.slice(s![..{}]));";
                Some(node!("slice assigned", Ty::Unit, text, x, low, self.bare(other.0), n - low))
            }
            Ty::Nd2(n, m) => {
                let (i, value) = self.borrowing(&[k], true, |w| (w.index(n), w.array1(Some(m), 0)));
                Some(node!("row assigned in a matrix", Ty::Unit, "{6}.row_mut({}).assign(&({}));", x, i, value?))
            }
            _ => None,
        }
    }

    fn inplace(&mut self, depth: usize) -> Option<Node> {
        let (k, ty) = self.array_to_change()?;
        let n = if let Ty::Nd1(n) = ty { n } else { 4 };
        let (x, v) = (self.bare(k), self.name("v"));
        if self.chance(50) {
            let (v, body) = self.borrowing(&[k], true, |w| {
                w.repeated(n, |w| {
                    w.pure(|w| {
                        let v = w.bind(Var::new(v, Ty::F));
                        let value = w.typed(depth);
                        (v, w.bounded(value))
                    })
                })
            });
            return Some(node!("mapv_inplace", Ty::Unit, "{6}.mapv_inplace(|{}| {});", x, v, body));
        }
        let (v, body) = self
            .borrowing(&[k], true, |w| w.repeated(n, |w| (w.bind(Var::new(v, Ty::F).behind(1).mutable()), w.body(2))));
        Some(node!("iter_mut of an array", Ty::Unit, "for {} in {6}.iter_mut() {}", v, x, body))
    }

    /// `for row in m.outer_iter() { .. }`
    fn over_rows(&mut self, _: usize) -> Option<Node> {
        let (k, n, m) = self.matrix()?;
        let (row, x) = (self.name("row"), self.bare(k));
        let (row, body) = self.borrowing(&[k], false, |w| {
            w.repeated(n, |w| (w.bind(Var { whole: false, ..Var::new(row, Ty::Row(m)) }), w.body(2)))
        });
        Some(node!("outer_iter", Ty::Unit, "for {} in {6}.outer_iter() {}", row, x, body))
    }
}
