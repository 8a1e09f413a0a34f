//! Polynomials with integer coefficients: indices, mostly.

use std::collections::BTreeMap;

/// A sum of products of symbols. No coefficient is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poly<S>(BTreeMap<Vec<S>, i64>);

impl<S: Copy + Ord> Poly<S> {
    /// A number.
    pub fn number(n: i64) -> Self {
        Poly(BTreeMap::from([(Vec::new(), n)])).normal()
    }

    /// One symbol.
    pub fn symbol(s: S) -> Self {
        Poly(BTreeMap::from([(vec![s], 1)]))
    }

    /// An expression; none, if it contains anything but sums, products and names that `symbol` knows.
    pub fn of(e: &syn::Expr, symbol: &mut dyn FnMut(&str) -> Option<Self>) -> Option<Self> {
        Self::of_terms(e, &mut |term| match term {
            syn::Expr::Path(path) => symbol(&path.path.get_ident()?.to_string()),
            _ => None,
        })
    }

    /// An expression; none, if it contains anything but sums, products and terms that `symbol` knows.
    pub fn of_terms(e: &syn::Expr, symbol: &mut dyn FnMut(&syn::Expr) -> Option<Self>) -> Option<Self> {
        match e {
            syn::Expr::Paren(inner) => Self::of_terms(&inner.expr, symbol),
            syn::Expr::Group(inner) => Self::of_terms(&inner.expr, symbol),
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) => n.base10_parse().ok().map(Poly::number),
            syn::Expr::Binary(syn::ExprBinary { left, op, right, .. }) => {
                let (a, b) = (Self::of_terms(left, symbol)?, Self::of_terms(right, symbol)?);
                match op {
                    syn::BinOp::Add(_) => Some(a.add(&b)),
                    syn::BinOp::Sub(_) => Some(a.sub(&b)),
                    syn::BinOp::Mul(_) => Some(a.mul(&b)),
                    _ => None,
                }
            }
            term => symbol(term),
        }
    }

    /// The sum.
    pub fn add(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        for (product, n) in &other.0 {
            *sum.0.entry(product.clone()).or_default() += n;
        }
        sum.normal()
    }

    /// The difference.
    pub fn sub(&self, other: &Self) -> Self {
        self.add(&other.mul(&Poly::number(-1)))
    }

    /// The product.
    pub fn mul(&self, other: &Self) -> Self {
        let mut result = Poly(BTreeMap::new());
        for (a, m) in &self.0 {
            for (b, n) in &other.0 {
                let mut product = [&a[..], &b[..]].concat();
                product.sort();
                *result.0.entry(product).or_default() += m * n;
            }
        }
        result.normal()
    }

    /// What is left of the terms without symbols.
    pub fn constant(&self) -> i64 {
        self.0.get(&Vec::new()).copied().unwrap_or(0)
    }

    /// The coefficients of the terms with symbols.
    pub fn coefficients(&self) -> impl Iterator<Item = i64> {
        self.0.iter().filter(|(product, _)| !product.is_empty()).map(|(_, n)| *n)
    }

    /// Derivatives of symbols, and how often each is there.
    pub fn terms(&self) -> impl Iterator<Item = (&[S], i64)> {
        self.0.iter().map(|(product, n)| (&product[..], *n))
    }

    /// All symbols.
    pub fn symbols(&self) -> Vec<S> {
        let mut all: Vec<S> = self.0.keys().flatten().copied().collect();
        all.sort();
        all.dedup();
        all
    }

    /// `(a, b)` with `self = a s + b`, `b` without `s`.
    pub fn split(&self, s: S) -> (Self, Self) {
        let (mut with, mut without) = (Poly(BTreeMap::new()), Poly(BTreeMap::new()));
        for (product, n) in &self.0 {
            match product.iter().position(|p| *p == s) {
                Some(at) => {
                    let rest = [&product[..at], &product[at + 1..]].concat();
                    with.0.insert(rest, *n);
                }
                None => {
                    without.0.insert(product.clone(), *n);
                }
            }
        }
        (with, without)
    }

    fn normal(mut self) -> Self {
        self.0.retain(|_, n| *n != 0);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_collected() {
        let (x, y, one) = (Poly::symbol('x'), Poly::symbol('y'), Poly::number(1));
        let square = x.add(&y).mul(&x.sub(&y));
        assert_eq!(square, x.mul(&x).sub(&y.mul(&y)));
        assert_eq!(square.sub(&square), Poly::number(0));
        let (partial, rest) = x.mul(&y).add(&y).add(&one).split('y');
        assert_eq!((partial, rest), (x.add(&one), one));
    }
}
