//! Enums: their definitions, and what tells their variants apart.

use super::Writer;
use super::scope::Var;
use crate::program::*;
use std::rc::Rc;

impl Writer {
    /// An enum of a few variants, of which the first holds a float.
    pub fn define_enum(&mut self) {
        let name = self.name("E");
        let known = self.types.len();
        let variants = (0..self.rng.usize(2..5)).map(|k| self.variant(k, known)).collect();
        self.types.push(Rc::new(Defined { name, variants, is_enum: true }));
    }

    fn variant(&mut self, number: usize, known: usize) -> Variant {
        let name = self.name("Case");
        let count = self.rng.usize(0..3).max(usize::from(number == 0));
        let tuple = self.chance(60);
        let mut types: Vec<Ty> = (0..count).map(|_| self.field_type(known)).collect();
        if number == 0 {
            types[0] = Ty::F;
        }
        let named =
            |(k, ty): (usize, Ty)| (if tuple { k.to_string() } else { format!("{}{k}", name.to_lowercase()) }, ty);
        Variant { fields: types.into_iter().enumerate().map(named).collect(), name }
    }

    /// The pattern of a variant behind a reference, which binds its fields.
    fn variant_pattern(&mut self, of: &Defined, variant: &Variant, mutable: bool) -> Node {
        let path = of.path(variant);
        let fields: Vec<Node> = variant
            .fields
            .iter()
            .map(|(name, ty)| {
                let var = Var { mutable, ..Var::new("", ty.clone()).behind(1).within(0, 4) };
                let inner = self.bound(var);
                if variant.is_tuple() { inner } else { node!("", Ty::Unit, "{}: {}", name.as_str(), inner) }
            })
            .collect();
        match (variant.is_tuple(), fields.is_empty()) {
            (_, true) => node!("unit variant", Ty::Unit, "{}", path),
            (true, _) => super::chains::listed("tuple variant", &format!("{path}("), fields, ")"),
            (false, _) => super::chains::listed("variant with names", &format!("{path} {{{{ "), fields, " }}"),
        }
    }

    /// An enum that can be looked at or changed.
    fn enum_var(&mut self, mutable: bool) -> Option<(usize, Rc<Defined>)> {
        let fits = |v: &Var| matches!(&v.ty, Ty::User(of) if of.is_enum) && v.derefs < 2;
        let all = if mutable { self.writable(fits) } else { self.readable(fits) };
        let k = self.any(all)?;
        let Ty::User(of) = self.scope[k].ty.clone() else { return None };
        Some((k, of))
    }

    /// What stands after `match`: a reference.
    fn scrutinee(&self, k: usize, mutable: bool) -> Node {
        self.lent(k, mutable)
    }

    /// `match &e { E::A(v) => { .. } .. }`
    pub fn match_variants(&mut self, _: usize) -> Option<Node> {
        let mutable = self.chance(40);
        let (k, of) = self.enum_var(mutable)?;
        let on = self.scrutinee(k, mutable);
        let last = self.rng.usize(1..of.variants.len() + 1);
        let arms = self.borrowing(&[k], mutable, |w| {
            let mut arms = Vec::new();
            for variant in &of.variants[..last] {
                let (pattern, body) = w.inside(|w| (w.variant_pattern(&of, variant, mutable), w.body(2)));
                arms.push(node!("", Ty::Unit, "{} => {}", pattern, body));
            }
            if last < of.variants.len() {
                let body = w.inside(|w| w.body(2));
                arms.push(node!("", Ty::Unit, "_ => {}", body));
            }
            arms
        });
        let arms = super::chains::listed("", "", arms, "");
        let construct = if mutable { "match of an enum, changed" } else { "match of an enum" };
        Some(node!(construct, Ty::Unit, "match {} {{ {} }}", on, arms))
    }

    /// `match &e { E::A(v) => v * v, .. }`
    pub fn variant_value(&mut self, depth: usize) -> Option<Node> {
        let (k, of) = self.enum_var(false)?;
        let on = self.scrutinee(k, false);
        let arms = self.borrowing(&[k], false, |w| {
            let arm = |w: &mut Writer, variant: &Variant| {
                w.inside(|w| {
                    let pattern = w.variant_pattern(&of, variant, false);
                    let value = w.typed(depth.saturating_sub(1));
                    node!("", Ty::Unit, "{} => {}", pattern, value)
                })
            };
            of.variants.iter().map(|v| arm(w, v)).collect::<Vec<Node>>()
        });
        let arms = super::chains::listed("", "", arms, "");
        Some(node!("match of an enum, value", Ty::F, "match {} {{ {} }}", on, arms).level(level::LOGIC).size(4.0))
    }

    /// `if let E::A(v) = &e { .. } else { .. }`
    pub fn if_let_variant(&mut self, _: usize) -> Option<Node> {
        let mutable = self.chance(40);
        let (k, of) = self.enum_var(mutable)?;
        let on = self.scrutinee(k, mutable);
        let variant = self.one(&of.variants);
        let (pattern, body) =
            self.borrowing(&[k], mutable, |w| w.inside(|w| (w.variant_pattern(&of, &variant, mutable), w.body(3))));
        if self.chance(40) {
            let other = self.inside(|w| w.body(2));
            return Some(node!(
                "if let of an enum, else",
                Ty::Unit,
                "if let {} = {} {} else {}",
                pattern,
                on,
                body,
                other
            ));
        }
        Some(node!("if let of an enum", Ty::Unit, "if let {} = {} {}", pattern, on, body))
    }

    /// `let e = if c { E::A(x) } else { E::B };`
    pub fn chosen_variant(&mut self, _: usize) -> Option<Node> {
        let ty = self.made_type(|t| t.is_enum)?;
        let c = self.condition(1);
        let (a, b) = (self.written(&ty)?, self.written(&ty)?);
        let name = self.name("e");
        let bind = self.bind(Var::new(name, ty).mutable());
        Some(node!("enum of branches", Ty::Unit, "let mut {} = if {} {{ {} }} else {{ {} }};", bind, c, a, b))
    }
}
