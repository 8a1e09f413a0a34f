//! Parts of active values that carry no derivative: fields of integers and the like.
//!
//! The types of fields stand elsewhere. What is used as an index, as a loop's bound or with integers is one, and so are all
//! other reads of the same part: the next round of lowering takes them for passive.

use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Passive, Value};
use crate::ir::affine::{self, arithmetic};
use crate::ir::*;
use crate::support::names;
use crate::support::syntax::strip_parens;
use proc_macro2::{Span, TokenStream, TokenTree};
use syn::visit_mut::VisitMut;

/// Methods of floats and integers whose arguments are of the same type.
const WITH_INTEGERS: &[&str] = &["min", "max", "clamp", "rem_euclid", "div_euclid"];

/// Methods of integers that floats do not have.
const OF_INTEGERS: &[&str] = &[
    "pow",
    "div_ceil",
    "is_multiple_of",
    "count_ones",
    "leading_zeros",
    "trailing_zeros",
    "is_power_of_two",
    "next_power_of_two",
    "isqrt",
    "ilog2",
    "abs_diff",
    "unsigned_abs",
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "saturating_add",
    "saturating_sub",
    "saturating_mul",
    "checked_add",
    "checked_sub",
    "checked_mul",
];

impl Lower {
    /// Whether a part of an active value was found to carry no derivative.
    pub fn is_passive_part(&self, place: &Place) -> bool {
        !self.passive.assumed.is_empty() && self.passive.assumed.contains(&self.part_name(place))
    }

    /// The same of a variable that is declared under this name.
    pub fn is_passive_name(&self, hint: &str, span: Span) -> bool {
        self.passive.assumed.contains(&name_of(hint.trim_start_matches("r#"), span))
    }

    fn part_name(&self, place: &Place) -> String {
        let info = self.info(place.root);
        let mut name = name_of(&info.hint, info.span);
        for step in &place.path {
            match step {
                Proj::Field(member) => name += &format!(".{}", crate::ir::place::field_name(member)),
                Proj::Index(_) => name += "[]",
                Proj::Payload(variant, member) => {
                    name += &format!(".{variant}.{}", crate::ir::place::field_name(member))
                }
                Proj::Deref => {}
                Proj::Range(..) => {}
            }
        }
        name
    }

    /// Lets rustc see to it, once, that what was taken for an integer is one: another type would lose its derivative. Nothing is
    /// read where this stands, for it may not be there: a variant's member, in front of the `if let` that asks for the variant.
    pub fn check_integer(&mut self, place: &Place) {
        if self.is_passive_part(place) && self.passive.checked.insert(self.part_name(place)) {
            let shown = self.show_place(place, Default::default());
            let tokens = shown.clone().map(|t| quote::quote!(if false { let _ = __d::integer(#t); }));
            self.emit(Stmt::Effect { tokens, writes: Default::default() });
        }
    }

    /// Whether only rustc knows what lies at a part of an active value.
    fn is_unknown_part(&self, place: &Place) -> bool {
        let field = place.path.iter().any(|p| matches!(p, Proj::Field(_) | Proj::Payload(..)));
        let copied = place.path.is_empty() && self.fact(place.root).part;
        (field || copied) && self.ty_of(place) == Ty::Unknown
    }

    /// Notes that a value is used as only integers are; whether it may be one.
    pub fn is_used_as_integer(&mut self, value: &Value) -> bool {
        match value {
            Value::Active(a) if self.is_unknown_part(&a.place) => {
                let name = self.part_name(&a.place);
                if self.passive.assumed.contains(&name) {
                    let span = self.info(a.place.root).span;
                    self.refuse(
                        span,
                        "an integer in a part of an active value here",
                        "bind the integer to a name first",
                    );
                }
                self.passive.found.insert(name);
                true
            }
            _ => false,
        }
    }

    /// An index or a loop bound that is computed from what methods of active values say of these, `m.rows() - 1`: rustc sees that
    /// they give integers.
    pub fn asked_integer(&self, expr: &syn::Expr) -> Option<PassiveCode> {
        let mut asked = Asked { lower: self, integer: syn::parse_quote!(0), found: false };
        let mut rest = expr.clone();
        asked.visit_expr_mut(&mut rest);
        if !asked.found || !self.is_passive(&rest) {
            return None;
        }
        let mut whole = expr.clone();
        Asked { lower: self, integer: syn::parse_quote!(__d::integer), found: false }.visit_expr_mut(&mut whole);
        Some(self.passive_code(&whole))
    }

    /// The same for all that an index is computed from.
    pub fn are_used_as_integers(&mut self, expr: &syn::Expr) -> bool {
        match strip_parens(expr) {
            syn::Expr::Binary(b) if crate::frontend::syntax::floats::operator(&b.op).is_some() => {
                let (left, right) = (self.are_used_as_integers(&b.left), self.are_used_as_integers(&b.right));
                left || right
            }
            syn::Expr::MethodCall(m) => {
                let receiver = self.are_used_as_integers(&m.receiver);
                m.args.iter().fold(receiver, |any, a| self.are_used_as_integers(a) || any)
            }
            e @ (syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Index(_) | syn::Expr::Unary(_)) => {
                if !self.act(e).any() {
                    return false;
                }
                let (_, value) = self.inside(|l| l.expr(e));
                self.is_used_as_integer(&value)
            }
            _ => false,
        }
    }

    /// `part op integer`: floats cannot be combined with integers.
    pub fn is_with_integer(&mut self, left: &Value, right: &Value) -> bool {
        match (left, right) {
            (a @ Value::Active(_), Value::Passive(p)) | (Value::Passive(p), a @ Value::Active(_)) => {
                self.is_integer(p) && self.is_used_as_integer(a)
            }
            _ => false,
        }
    }

    /// `part.pow(2)`, `part.min(2)`: floats do not have this method, or it does not take integers.
    pub fn has_method_of_integers(&mut self, receiver: &Value, m: &syn::ExprMethodCall) -> bool {
        let literal =
            |e: &syn::Expr| matches!(strip_parens(e), syn::Expr::Lit(l) if matches!(&l.lit, syn::Lit::Int(_)));
        let name = m.method.to_string();
        let own = OF_INTEGERS.contains(&&name[..]);
        (own || WITH_INTEGERS.contains(&&name[..]) && m.args.iter().any(literal)) && self.is_used_as_integer(receiver)
    }

    /// Whether passive tokens are plainly an integer.
    fn is_integer(&self, p: &Passive) -> bool {
        let tokens: Vec<TokenTree> = p.passive.tokens.clone().into_iter().collect();
        if p.refs.depth > 0 {
            return false;
        }
        match &tokens[..] {
            [TokenTree::Ident(_)] => p.root.is_some_and(|v| self.fact(v).length || self.is_no_number(v)),
            [.., TokenTree::Ident(cast), TokenTree::Ident(ty)] => {
                cast == "as" && crate::frontend::syntax::types::is_integer_type(&ty.to_string())
            }
            _ => affine::is_no_float(&p.passive) || self.is_count(&p.passive),
        }
    }

    /// Whether passive tokens are computed from lengths: `v.len()`, `(n - 1) / 2` of a length `n`.
    pub fn is_count(&self, o: &PassiveCode) -> bool {
        let whole = |expr: syn::Expr| self.counts(&expr, o);
        let text = o.tokens.clone().into_iter().any(|t| matches!(t, TokenTree::Literal(_) | TokenTree::Group(_)));
        text && syn::parse2(o.tokens.clone()).is_ok_and(whole)
    }

    fn counts(&self, expr: &syn::Expr, o: &PassiveCode) -> bool {
        match strip_parens(expr) {
            syn::Expr::MethodCall(m) => m.method == "len" && m.args.is_empty(),
            syn::Expr::Call(c) => match (&*c.func, c.args.first()) {
                (syn::Expr::Path(p), Some(arg)) if p.path.segments.len() == 2 && p.path.segments[0].ident == "__d" => {
                    p.path.segments[1].ident == "answer" && self.counts(arg, o)
                }
                _ => false,
            },
            syn::Expr::Binary(b) if crate::frontend::syntax::floats::operator(&b.op).is_some() => {
                let sides = [&b.left, &b.right];
                let literal =
                    |e: &syn::Expr| matches!(strip_parens(e), syn::Expr::Lit(l) if matches!(&l.lit, syn::Lit::Int(_)));
                sides.iter().any(|e| self.counts(e, o)) && sides.iter().all(|e| literal(e) || self.counts(e, o))
            }
            syn::Expr::Path(p) => {
                let is_one = |var: &Var| p.path.is_ident(&self.info(*var).name) && self.fact(*var).length;
                o.reads.iter().any(is_one)
            }
            _ => false,
        }
    }

    /// A part that was found to carry no derivative, as tokens: where it is cast to a float rustc sees to it that it is none.
    pub fn checked_part(&self, value: &Value, shown: &PassiveCode) -> TokenStream {
        let tokens = arithmetic::factor(shown);
        match value {
            Value::Passive(p) if p.root.is_some_and(|v| self.fact(v).active || self.fact(v).part) => {
                quote::quote!(__d::integer(#tokens))
            }
            _ => tokens,
        }
    }
}

fn name_of(hint: &str, span: Span) -> String {
    format!("{hint} {span:?}")
}

/// Calls of methods of active values, without active arguments: as `0`, or as integers.
struct Asked<'a> {
    lower: &'a Lower,
    integer: syn::Expr,
    found: bool,
}

impl VisitMut for Asked<'_> {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        let syn::Expr::MethodCall(m) = &*expr else { return syn::visit_mut::visit_expr_mut(self, expr) };
        if self.lower.is_passive(expr) {
            return;
        }
        let float = names::scalar(&m.method.to_string(), m.args.len()).is_some();
        let place = matches!(strip_parens(&m.receiver), syn::Expr::Path(_) | syn::Expr::Field(_));
        let own = place
            && !float
            && !self.lower.is_chain(expr)
            && self.lower.act(expr).any()
            && self.lower.act(&m.receiver).any();
        if !own || m.args.iter().any(|a| !self.lower.is_passive(a)) {
            return syn::visit_mut::visit_expr_mut(self, expr);
        }
        self.found = true;
        // behind a shared reference, so that the method can change nothing
        let (mut call, receiver) = (m.clone(), &m.receiver);
        call.receiver = syn::parse_quote!((&#receiver));
        *expr = match &self.integer {
            integer @ syn::Expr::Path(_) => syn::parse_quote!(#integer(#call)),
            zero => zero.clone(),
        };
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
}
