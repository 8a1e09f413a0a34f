//! `Vec`s of `Vec`s: row by row, as matrices, and with rows that come and go.

use super::Writer;
use super::scope::Var;
use crate::program::*;

type Construct = super::Construct<Node>;

const STATEMENTS: &[(u32, Construct)] = &[
    (5, Writer::change_rows),
    (3, Writer::exchange_rows),
    (2, Writer::rows_come_and_go),
    (3, Writer::set_row),
    (3, Writer::matrix_by_vector),
    (2, Writer::transposed),
    (2, Writer::flattened),
    (2, Writer::matrix_by_matrix),
];

/// The type of so many rows of so many floats.
fn table(n: usize, m: usize) -> Ty {
    Ty::Vec(Box::new(Ty::Vec(Box::new(Ty::F), Some(m))), Some(n))
}

/// How many rows and columns, at least, a table has.
fn sizes(ty: &Ty) -> Option<(usize, usize)> {
    let (row, n) = ty.sequence()?;
    let (of, m) = row.sequence()?;
    if *of == Ty::F { n.zip(m) } else { None }
}

fn is_table(var: &Var) -> bool {
    matches!((&var.ty, sizes(&var.ty)), (Ty::Vec(row, _), Some((1.., 1..))) if matches!(**row, Ty::Vec(..)))
}

impl Writer {
    /// A statement about a table.
    pub fn of_a_table(&mut self, depth: usize) -> Option<Node> {
        self.choose(STATEMENTS, depth)
    }

    fn table_to_read(&mut self) -> Option<(usize, usize, usize)> {
        let all = self.readable(|v| is_table(v) && v.derefs < 2);
        let k = self.any(all)?;
        let (n, m) = sizes(&self.scope[k].ty)?;
        Some((k, n, m))
    }

    fn table_to_change(&mut self) -> Option<(usize, usize, usize)> {
        let all = self.writable(is_table);
        let k = self.any(all)?;
        let (n, m) = sizes(&self.scope[k].ty)?;
        Some((k, n, m))
    }

    /// `for row in m.iter_mut() { .. }`
    fn change_rows(&mut self, _: usize) -> Option<Node> {
        let (k, n, m) = self.table_to_change()?;
        let (row, i, x) = (self.name("row"), self.name("i"), self.bare(k));
        let counted = self.chance(40);
        let (i, row, body) = self.borrowing(&[k], true, |w| {
            w.repeated(n, |w| {
                let i = w.bind(Var::new(i, Ty::I).within(0, n));
                let row = w.bind(Var::new(row, Ty::Vec(Box::new(Ty::F), Some(m))).behind(1).mutable());
                (i, row, w.body(3))
            })
        });
        Some(match counted {
            true => node!(
                "rows changed, counted",
                Ty::Unit,
                "for ({}, {}) in {6}.iter_mut().enumerate() {}",
                i,
                row,
                x,
                body
            ),
            false => {
                let head = node!("", Ty::Unit, "let mut {} = 0;", i.clone());
                let Part::Bind(i) = i else { return None };
                let mut body = body;
                body.push(node!("step", Ty::Unit, "{} += 1;", Part::Use(i)));
                let run = node!("rows changed", Ty::Unit, "for {} in {6}.iter_mut() {}", row, x, body);
                node!("", Ty::Unit, "{}", vec![head, run])
            }
        })
    }

    fn exchange_rows(&mut self, _: usize) -> Option<Node> {
        let (k, n, _) = self.table_to_change()?;
        let x = self.bare(k);
        let (i, j) = self.borrowing(&[k], true, |w| (w.index(n), w.index(n)));
        Some(match self.rng.u32(0..3) {
            0 => node!("rows reversed", Ty::Unit, "{6}.reverse();", x),
            _ => node!("rows exchanged", Ty::Unit, "{6}.swap({}, {});", x, i, j),
        })
    }

    /// `m.push(vec![..]);`, `m.pop();`
    fn rows_come_and_go(&mut self, depth: usize) -> Option<Node> {
        if self.nesting > 0 || self.barrier > 0 {
            return None;
        }
        let (k, n, m) =
            self.table_to_change().filter(|(k, ..)| self.scope[*k].whole && self.scope[*k].parent.is_none())?;
        let x = self.bare(k);
        let row = self.borrowing(&[k], true, |w| w.row(m, depth))?;
        let at = self.rng.usize(0..n);
        let (node, n) = match self.rng.u32(0..4) {
            0 if n > 1 => (node!("row gone", Ty::Unit, "{6}.pop();", x), n - 1),
            1 if n > 1 => (node!("row removed", Ty::Unit, "{6}.remove({});", x, at), n - 1),
            2 => (node!("row inserted", Ty::Unit, "{6}.insert({}, {});", x, at, row), n + 1),
            _ => (node!("row pushed", Ty::Unit, "{6}.push({});", x, row), n + 1),
        };
        self.scope[k].ty = table(n, m);
        Some(node)
    }

    /// A row of so many floats.
    fn row(&mut self, m: usize, depth: usize) -> Option<Node> {
        if self.chance(50) {
            let v = self.typed(depth.min(1));
            let v = self.bounded(v);
            return Some(node!("", Ty::Vec(Box::new(Ty::F), Some(m)), "vec![{}; {}]", v, m));
        }
        self.value_of(&Ty::Vec(Box::new(Ty::F), Some(m)))
    }

    /// `m[i] = row;`, `m[i].copy_from_slice(&m[j].clone());`
    fn set_row(&mut self, depth: usize) -> Option<Node> {
        let (k, n, m) = self.table_to_change()?;
        let x = self.bare(k);
        let (i, row) = self.borrowing(&[k], true, |w| (w.index(n), w.row(m, depth)));
        let i_again = i.clone();
        Some(match self.rng.u32(0..4) {
            0 => {
                node!("row filled", Ty::Unit, "{6}[{}].fill({});", x, i, self.borrowing(&[k], true, |w| w.small(depth)))
            }
            1 => node!("row sorted", Ty::Unit, "{6}[{}].sort_by(|a, b| a.total_cmp(b));", x, i),
            2 => {
                let name = self.name("row");
                let of = Ty::Vec(Box::new(Ty::F), Some(m));
                let bind = self.bind(Var::new(name, of).mutable());
                node!(
                    "row taken",
                    Ty::Unit,
                    "let mut {} = std::mem::replace(&mut {6}[{}], {});",
                    bind,
                    x,
                    i_again,
                    row?
                )
            }
            _ => node!("row assigned", Ty::Unit, "{6}[{}] = {};", x, i, row?),
        })
    }

    fn let_rows(&mut self, construct: &'static str, ty: Ty, value: Node) -> Node {
        let name = self.name("m");
        let bind = self.bind(Var::new(name, ty).mutable());
        node!(construct, Ty::Unit, "let mut {} = {};", bind, value)
    }

    fn matrix_by_vector(&mut self, _: usize) -> Option<Node> {
        let (k, n, m) = self.table_to_read()?;
        let lists = self.readable(|v| matches!(v.ty.sequence(), Some((Ty::F, Some(l))) if l >= m));
        let x = self.any(lists)?;
        let of = Ty::Vec(Box::new(Ty::F), Some(n));
        let text =
            "{6}.iter().map(|r| r.iter().zip({6}.iter()).map(|(a, b)| 0.5 * a * b).sum::<@>()).collect::<Vec<@>>()";
        let value = node!("", of.clone(), text, self.bare(k), self.bare(x));
        Some(self.let_rows("matrix by vector", of, value))
    }

    fn transposed(&mut self, _: usize) -> Option<Node> {
        let (k, n, m) = self.table_to_read()?;
        let text = "(0..{}).map(|j| {6}.iter().map(|r| r[j]).collect::<Vec<_>>()).collect::<Vec<_>>()";
        let value = node!("", Ty::Unit, text, m, self.bare(k));
        Some(self.let_rows("transposed", table(m, n), value))
    }

    fn flattened(&mut self, _: usize) -> Option<Node> {
        let (k, n, m) = self.table_to_read()?;
        let _ = (n, m);
        let x = self.bare(k);
        if self.chance(50) {
            let a = self.name("a");
            let a = self.bind(Var::new(a, Ty::F).mutable());
            let text = "let mut {} = {6}.iter().flatten().map(|v| 0.4 * v.sin()).sum::<@>();";
            return Some(node!("flattened sum", Ty::Unit, text, a, x));
        }
        let value = node!("", Ty::Unit, "{6}.concat()", x);
        Some(self.let_rows("concat", Ty::Vec(Box::new(Ty::F), None), value))
    }

    /// Three loops.
    fn matrix_by_matrix(&mut self, _: usize) -> Option<Node> {
        let (a, n, m) = self.table_to_read()?;
        let all = self.readable(|v| is_table(v) && v.derefs < 2 && sizes(&v.ty).is_some_and(|(rows, _)| rows >= m));
        let b = self.any(all)?;
        let (_, l) = sizes(&self.scope[b].ty)?;
        let (x, y) = (self.bare(a), self.bare(b));
        let name = self.name("m");
        let c = || Part::Use(name.clone());
        let text =
            "for i in 0..{} {{ for j in 0..{} {{ for k in 0..{} {{ {}[i][j] += 0.3 * {6}[i][k] * {6}[k][j]; }} }} }}";
        let run = node!("matrix by matrix", Ty::Unit, text, n, l, m, c(), x, y);
        let bind = self.bind(Var::new(name.clone(), table(n, l)).mutable());
        Some(node!("", Ty::Unit, "let mut {}: Vec<Vec<@>> = vec![vec![0.0; {}]; {}];\n    {}", bind, l, n, run))
    }
}
