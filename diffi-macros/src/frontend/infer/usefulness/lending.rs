//! Names that stand for `&mut` of something: a call which gets one may change that.

use super::Walk;
use crate::frontend::syntax::writes::lends_mut;
use crate::support::names;
use crate::support::syntax::strip_parens;

/// Whether a name stands for `&mut` of something, so that a call which gets it may change that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lends {
    #[default]
    Never,
    /// Nothing tells.
    Maybe,
    /// It was made by a `&mut`, or by a method that gives one.
    Probably,
}

/// The same of a name, and of what it leads to: of `r` and `*r`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lending {
    pub itself: Lends,
    pub pointee: Lends,
}

impl From<Lends> for Lending {
    fn from(itself: Lends) -> Self {
        Lending { itself, pointee: Lends::Never }
    }
}

impl Lending {
    /// Of a parameter of this type.
    pub fn of_type(ty: &syn::Type) -> Self {
        let pointee = match ty {
            syn::Type::Reference(r) => of_type(&r.elem),
            _ => Lends::Never,
        };
        Lending { itself: of_type(ty), pointee }
    }
}

impl Walk<'_> {
    /// Whether an argument may let the callee change something.
    pub fn may_lend(&self, arg: &syn::Expr) -> bool {
        self.lends(arg) != Lends::Never
    }

    pub fn lending(&self, expr: &syn::Expr) -> Lending {
        Lending { itself: self.lends(expr), pointee: self.pointee(expr) }
    }

    /// Whether what a value leads to may change something else: `*rr` of `rr = &mut r`, or an element of `[&mut a, &mut b]`.
    pub fn pointee(&self, expr: &syn::Expr) -> Lends {
        let any = |all: &mut dyn Iterator<Item = &syn::Expr>| all.map(|e| self.pointee(e)).max().unwrap_or_default();
        match strip_parens(expr) {
            syn::Expr::Path(p) => self.named(&p.path).map_or(Lends::Never, |at| self.bindings[at].pointee),
            syn::Expr::Reference(r) => self.lends(&r.expr),
            syn::Expr::Array(a) => a.elems.iter().map(|e| self.lends(e)).max().unwrap_or_default(),
            syn::Expr::Index(i) => self.pointee(&i.expr),
            syn::Expr::Field(f) => self.pointee(&f.base),
            syn::Expr::MethodCall(m) => any(&mut std::iter::once(&*m.receiver).chain(&m.args)),
            syn::Expr::Call(c) => any(&mut c.args.iter()),
            syn::Expr::Tuple(t) => any(&mut t.elems.iter()),
            _ => Lends::Never,
        }
    }

    /// Whether what has this value may change something else.
    pub fn lends(&self, expr: &syn::Expr) -> Lends {
        let any = |all: &mut dyn Iterator<Item = &syn::Expr>| all.map(|e| self.lends(e)).max().unwrap_or_default();
        match strip_parens(expr) {
            syn::Expr::Path(p) => self.named(&p.path).map_or(Lends::Never, |at| self.bindings[at].lends),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.pointee(&u.expr),
            syn::Expr::Lit(_) | syn::Expr::Binary(_) | syn::Expr::Unary(_) | syn::Expr::Cast(_) => Lends::Never,
            syn::Expr::Reference(r) if r.mutability.is_some() => Lends::Probably,
            syn::Expr::Reference(_) => Lends::Never,
            syn::Expr::Index(i) => self.lends(&i.expr),
            syn::Expr::Field(f) => self.lends(&f.base),
            syn::Expr::MethodCall(m) if lends_mut(&m.method.to_string()) => Lends::Probably,
            syn::Expr::MethodCall(m) => {
                let option = names::OF_OPTIONS.iter().any(|name| m.method == name);
                let given = self.lends(&m.receiver).max(any(&mut m.args.iter()));
                given.max(if option { Lends::Maybe } else { Lends::Never })
            }
            syn::Expr::Call(c) => any(&mut c.args.iter()),
            syn::Expr::Tuple(t) => any(&mut t.elems.iter()),
            syn::Expr::If(_) | syn::Expr::Match(_) | syn::Expr::Block(_) => Lends::Probably,
            _ => Lends::Maybe,
        }
    }
}

/// Whether a parameter of this type stands for `&mut` of something.
fn of_type(ty: &syn::Type) -> Lends {
    match ty {
        syn::Type::Reference(r) if r.mutability.is_some() => Lends::Probably,
        syn::Type::Reference(r) => of_type(&r.elem),
        syn::Type::Paren(p) => of_type(&p.elem),
        syn::Type::Slice(s) => of_type(&s.elem),
        syn::Type::Array(a) => of_type(&a.elem),
        syn::Type::Path(p) => {
            let plain = p.path.segments.iter().all(|s| s.arguments.is_none());
            let owns = matches!(p.path.segments.last(), Some(s) if s.ident == "Vec" || s.ident == "Option");
            if plain || owns { Lends::Never } else { Lends::Maybe }
        }
        _ => Lends::Maybe,
    }
}
