//! Which variables there are, and what may be done with them now.

use super::Writer;
use crate::program::*;

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct Var {
    pub name: String,
    pub ty: Ty,
    /// How many references are around the value.
    pub derefs: u8,
    /// Whether it can be changed.
    pub mutable: bool,
    /// Whether it is a whole owned variable, or a reference to a `Vec`: can be assigned, swapped or pushed to.
    pub whole: bool,
    /// Whether its float type is known to the compiler already.
    pub typed: bool,
    /// Borrowed: can be read.
    pub frozen: u32,
    /// Borrowed exclusively, or moved: cannot be mentioned.
    pub hidden: u32,
    /// For integers: at least, and below.
    pub range: (usize, usize),
    /// For closures: the parameters and the result; the type is then `Unit`.
    pub closure: Option<(Vec<Ty>, Ty)>,
    /// What a closure borrows.
    pub captured: Vec<usize>,
    /// The struct that this is a field of.
    pub parent: Option<usize>,
}

impl Var {
    pub fn new(name: impl Into<String>, ty: Ty) -> Var {
        Var {
            name: name.into(),
            ty,
            derefs: 0,
            mutable: false,
            whole: true,
            typed: true,
            frozen: 0,
            hidden: 0,
            range: (0, 0),
            closure: None,
            captured: Vec::new(),
            parent: None,
        }
    }

    pub fn mutable(self) -> Var {
        Var { mutable: true, ..self }
    }

    pub fn behind(self, derefs: u8) -> Var {
        Var { derefs, whole: false, ..self }
    }

    pub fn within(self, low: usize, high: usize) -> Var {
        Var { range: (low, high), ..self }
    }
}

impl Writer {
    /// Whether a variable is still there after it was used by value.
    pub fn is_copied(&self, k: usize) -> bool {
        let var = &self.scope[k];
        let copied = if var.derefs > 0 { !var.mutable } else { var.ty.is_copied() };
        copied && self.around(k).skip(1).all(|k| self.scope[k].derefs == 0 || !self.scope[k].mutable)
    }

    /// A variable, the struct that it is a field of, and so on.
    fn around(&self, k: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(k), |k| self.scope[*k].parent)
    }

    /// What a closure that changes a variable takes for itself: the struct that it is a field of, if the closure mentions that too.
    pub fn captured_whole(&self, k: usize, captured: &[usize]) -> usize {
        self.around(k).filter(|j| captured.contains(j)).last().unwrap_or(k)
    }

    /// Whether something holds for a variable, what it is a field of, or a field of it.
    fn touches(&self, k: usize, holds: impl Fn(&Var) -> bool) -> bool {
        let of = |j: usize| self.around(j).any(|i| i == k);
        self.around(k).any(|j| holds(&self.scope[j]))
            || (k + 1..self.scope.len()).any(|j| holds(&self.scope[j]) && of(j))
    }

    /// Indices of the variables that can be read now.
    pub fn readable(&self, fits: impl Fn(&Var) -> bool) -> Vec<usize> {
        let shadowed = |k: usize| self.scope[k + 1..].iter().any(|later| later.name == self.scope[k].name);
        let visible = |k: usize| !self.around(k).any(shadowed) && !self.touches(k, |v| v.hidden > 0);
        (0..self.scope.len()).filter(|k| fits(&self.scope[*k]) && visible(*k)).collect()
    }

    /// Indices of the variables that can be changed now.
    pub fn writable(&self, fits: impl Fn(&Var) -> bool) -> Vec<usize> {
        let free = |k: &usize| self.scope[*k].mutable && !self.touches(*k, |v| v.frozen > 0) && *k >= self.barrier;
        self.readable(fits).into_iter().filter(free).collect()
    }

    /// One of them.
    pub fn any(&mut self, of: Vec<usize>) -> Option<usize> {
        if of.is_empty() {
            return None;
        }
        // what is new is used more
        let n = of.len();
        let (a, b) = (self.rng.usize(0..n), self.rng.usize(0..n));
        Some(of[a.max(b)])
    }

    /// One of them, rather one that lives on.
    pub fn old(&mut self, of: Vec<usize>) -> Option<usize> {
        if of.is_empty() {
            return None;
        }
        let n = of.len();
        let (a, b) = (self.rng.usize(0..n), self.rng.usize(0..n));
        Some(of[a.min(b)])
    }

    /// Writes a part of a program whose variables end with it.
    pub fn inside<T>(&mut self, write: impl FnOnce(&mut Writer) -> T) -> T {
        let length = self.scope.len();
        self.nesting += 1;
        let result = write(self);
        self.nesting -= 1;
        for gone in self.scope.split_off(length) {
            for k in gone.captured.into_iter().filter(|k| *k < length) {
                self.scope[k].frozen -= 1;
            }
        }
        result
    }

    /// Writes a part of a program while variables are borrowed.
    pub fn borrowing<T>(&mut self, variables: &[usize], exclusive: bool, write: impl FnOnce(&mut Writer) -> T) -> T {
        for k in variables {
            let var = &mut self.scope[*k];
            *(if exclusive { &mut var.hidden } else { &mut var.frozen }) += 1;
        }
        let result = write(self);
        for k in variables {
            let var = &mut self.scope[*k];
            *(if exclusive { &mut var.hidden } else { &mut var.frozen }) -= 1;
        }
        result
    }

    /// Writes a part of a program that changes nothing outside, and does not leave.
    pub fn pure<T>(&mut self, write: impl FnOnce(&mut Writer) -> T) -> T {
        let barrier = std::mem::replace(&mut self.barrier, self.scope.len());
        let exits = std::mem::take(&mut self.exits);
        let result = self.result.take();
        let value = self.inside(write);
        (self.barrier, self.exits, self.result) = (barrier, exits, result);
        value
    }

    /// Writes a part of a program that runs so often.
    pub fn repeated<T>(&mut self, iterations: usize, write: impl FnOnce(&mut Writer) -> T) -> T {
        let before = self.iterations;
        self.iterations *= iterations.max(1);
        let value = self.inside(write);
        self.iterations = before;
        value
    }

    /// A variable's value, behind all its references.
    pub fn used(&self, k: usize) -> Node {
        let var = &self.scope[k];
        let stars = "*".repeat(var.derefs.into());
        let node = Node::new("", var.ty.clone(), &format!("{stars}{{}}"), vec![Part::Use(var.name.clone())]);
        node.level(if var.derefs > 0 { level::UNARY } else { level::ATOM }).typed(var.typed)
    }

    /// A variable as it stands, for methods and indices.
    pub fn bare(&self, k: usize) -> Node {
        let var = &self.scope[k];
        Node::new("", var.ty.clone(), "{}", vec![Part::Use(var.name.clone())])
    }

    /// A reference to a variable's value, as an argument.
    pub fn lent(&self, k: usize, exclusive: bool) -> Node {
        let var = &self.scope[k];
        let sign = match (var.derefs, exclusive) {
            (0, false) => "&",
            (0, true) => "&mut ",
            (1, false) if var.mutable => "&*",
            _ => "",
        };
        Node::new("", var.ty.clone(), &format!("{sign}{{}}"), vec![Part::Use(var.name.clone())]).level(level::UNARY)
    }

    /// Binds a variable: its name at the place where it is written.
    pub fn bind(&mut self, var: Var) -> Part {
        let name = var.name.clone();
        self.scope.push(var);
        self.bind_fields(self.scope.len() - 1);
        Part::Bind(name)
    }

    /// The fields of a struct are variables too.
    fn bind_fields(&mut self, of: usize) {
        let Var { name, ty, mutable, .. } = self.scope[of].clone();
        for (field, ty) in ty.fields().unwrap_or_default() {
            let var = Var::new(format!("{name}.{field}"), ty.clone()).within(0, 4);
            self.scope.push(Var { mutable, parent: Some(of), ..var });
            self.bind_fields(self.scope.len() - 1);
        }
    }

    /// A name for a new variable; now and then one that is there already.
    pub fn fresh(&mut self, hint: &str) -> String {
        if self.chance(6) {
            let old: Vec<String> = self
                .readable(|v| v.closure.is_none() && v.parent.is_none() && v.ty != Ty::I) // a loop may count with it
                .iter()
                .filter(|k| self.scope[**k].name != "self" && !self.touches(**k, |v| v.frozen > 0))
                .map(|k| self.scope[*k].name.clone())
                .collect();
            if !old.is_empty() {
                return self.one(&old);
            }
        }
        self.name(hint)
    }
}
