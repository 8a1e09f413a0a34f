//! Functions of which rustc says by itself that their types do not fit: integers beside floats, floats as indices, a result that is forgotten.
//!
//! rustc would say the same once more of each derivative. Such a function gets derivative code that nobody can use, and no message of ours.
//! Only what is certain counts: types of parameters that are written, literals, and what std's functions make of them.

mod types;

use crate::frontend::syntax::file_names::FileNames;
use crate::frontend::syntax::pattern_names::names_of;
use crate::frontend::syntax::writes::is_assignment;
use crate::support::syntax::strip_parens;
use proc_macro2::Ident;
use std::collections::HashMap;
use syn::visit::{self, Visit};
use types::Type::{self, *};

/// Functions of a float that give a float, and take only floats.
const OF_FLOATS: &[&str] = &[
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "exp2",
    "exp_m1",
    "ln",
    "ln_1p",
    "log2",
    "log10",
    "log",
    "sqrt",
    "cbrt",
    "abs",
    "signum",
    "floor",
    "ceil",
    "round",
    "trunc",
    "fract",
    "recip",
    "powf",
    "max",
    "min",
    "atan2",
    "hypot",
    "copysign",
    "mul_add",
    "clamp",
    "rem_euclid",
    "to_radians",
    "to_degrees",
];

/// Whether rustc refuses the function for sure. One that a macro writes may have names of other files.
pub fn is_ill_typed(item: &syn::ItemFn) -> bool {
    let names = FileNames::here().filter(|names| names.has_function(&item.sig.ident.to_string()));
    is_refused(item, names.as_deref())
}

fn is_refused(item: &syn::ItemFn, names: Option<&FileNames>) -> bool {
    let result = match &item.sig.output {
        syn::ReturnType::Default => Unknown,
        syn::ReturnType::Type(_, ty) => Type::of(ty),
    };
    let mut check =
        Check { scopes: vec![HashMap::new()], result: result.clone(), names, found: has_other_length(item) };
    for input in &item.sig.inputs {
        if let syn::FnArg::Typed(param) = input {
            check.bind(&param.pat, Type::of(&param.ty));
        }
    }
    let value = check.block(&item.block);
    check.found |= result.excludes(&value) || result != Unknown && forgets(&item.block);
    check.found
}

/// Whether the result is an array of another length than the one that the body ends in.
fn has_other_length(item: &syn::ItemFn) -> bool {
    let syn::ReturnType::Type(_, ty) = &item.sig.output else { return false };
    match (&**ty, item.block.stmts.last()) {
        (syn::Type::Array(ty), Some(syn::Stmt::Expr(syn::Expr::Array(last), None))) => match &ty.len {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(len), .. }) => {
                len.base10_parse::<usize>().is_ok_and(|len| len != last.elems.len())
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether a body ends in a value and a semicolon.
fn forgets(block: &syn::Block) -> bool {
    let last = match block.stmts.last() {
        Some(syn::Stmt::Expr(last, Some(_))) => last,
        _ => return false,
    };
    let is_value = matches!(strip_parens(last), syn::Expr::Binary(b) if !is_assignment(&b.op));
    (is_value || matches!(last, syn::Expr::Path(_) | syn::Expr::Lit(_) | syn::Expr::Array(_)))
        && !block.stmts.iter().any(leaves)
}

fn leaves(stmt: &syn::Stmt) -> bool {
    struct Leaves(bool);
    impl<'a> Visit<'a> for Leaves {
        fn visit_expr_loop(&mut self, _: &'a syn::ExprLoop) {
            self.0 = true;
        }
        fn visit_macro(&mut self, _: &'a syn::Macro) {
            self.0 = true;
        }
        fn visit_expr_call(&mut self, _: &'a syn::ExprCall) {
            self.0 = true;
        }
        fn visit_expr_return(&mut self, _: &'a syn::ExprReturn) {
            self.0 = true;
        }
    }
    let mut found = Leaves(false);
    found.visit_stmt(stmt);
    found.0
}

struct Check<'n> {
    /// The variables of the blocks around.
    scopes: Vec<HashMap<String, Type>>,
    result: Type,
    names: Option<&'n FileNames>,
    found: bool,
}

impl Check<'_> {
    fn bind(&mut self, pattern: &syn::Pat, ty: Type) {
        let (pattern, ty) = match pattern {
            syn::Pat::Type(p) => (&*p.pat, Type::of(&p.ty)),
            _ => (pattern, ty),
        };
        let Some(scope) = self.scopes.last_mut() else { return };
        match pattern {
            syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                scope.insert(p.ident.to_string(), ty);
            }
            _ => names_of(pattern).into_iter().for_each(|name| {
                scope.insert(name.to_string(), Unknown);
            }),
        }
    }

    fn variable(&mut self, name: &Ident) -> Type {
        let name = name.to_string();
        let known = self.scopes.iter().rev().find_map(|scope| scope.get(&name)).cloned();
        self.found |= known.is_none() && self.is_nowhere(&name);
        known.unwrap_or(Unknown)
    }

    /// Whether nothing has this name: no variable, no item of the file, and nothing that is imported.
    fn is_nowhere(&self, name: &str) -> bool {
        let is_plain = name.starts_with(|c: char| c.is_ascii_lowercase()) && name != "self" && !is_of_prelude(name);
        is_plain && self.names.is_some_and(|names| names.lacks(name))
    }

    fn inside<T>(&mut self, scope: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(HashMap::new());
        let value = scope(self);
        self.scopes.pop();
        value
    }

    /// The type of a block's value.
    fn block(&mut self, block: &syn::Block) -> Type {
        self.inside(|check| {
            let mut value = Unknown;
            for stmt in &block.stmts {
                value = check.stmt(stmt);
            }
            value
        })
    }

    fn stmt(&mut self, stmt: &syn::Stmt) -> Type {
        match stmt {
            syn::Stmt::Local(local) => {
                let value = local.init.as_ref().map_or(Unknown, |init| self.of(&init.expr));
                self.declare(local, value);
                Unknown
            }
            syn::Stmt::Expr(e, semicolon) => {
                let value = self.of(e);
                if semicolon.is_none() { value } else { Unknown }
            }
            syn::Stmt::Item(_) | syn::Stmt::Macro(_) => Unknown,
        }
    }

    fn declare(&mut self, local: &syn::Local, value: Type) {
        if let syn::Pat::Type(p) = &local.pat {
            let declared = Type::of(&p.ty);
            let negated = local.init.as_ref().is_some_and(|init| is_negated(&init.expr));
            let unsigned = matches!(&declared, Integer(name) if name.starts_with('u'));
            self.found |= declared.excludes(&value) || negated && unsigned && value == Literal;
        }
        self.bind(&local.pat, value);
    }

    fn of(&mut self, e: &syn::Expr) -> Type {
        use syn::Expr;
        match strip_parens(e) {
            Expr::Lit(l) => literal(&l.lit),
            Expr::Path(p) => p.path.get_ident().map_or(Unknown, |name| self.variable(name)),
            Expr::Unary(u) => self.unary(u),
            Expr::Binary(b) => self.binary(b),
            Expr::Assign(a) => {
                let (target, value) = (self.of(&a.left), self.of(&a.right));
                self.found |= target.excludes(&value) || self.is_shared_place(&a.left);
                Unknown
            }
            Expr::Call(c) => self.call(c),
            Expr::Try(t) => {
                self.of(&t.expr);
                self.found |= self.result != Unknown;
                Unknown
            }
            Expr::Async(_) => Unknown,
            Expr::MethodCall(m) => self.method(m),
            Expr::Index(i) => self.index(i),
            Expr::Cast(c) => {
                self.of(&c.expr);
                Type::of(&c.ty)
            }
            Expr::If(i) => self.condition(i),
            Expr::Block(b) if b.label.is_none() => self.block(&b.block),
            Expr::ForLoop(f) => self.for_loop(f),
            Expr::Closure(c) => self.closure(c),
            Expr::Return(r) => {
                let value = r.expr.as_ref().map_or(Unknown, |value| self.of(value));
                self.found |= self.result.excludes(&value);
                Unknown
            }
            other => {
                visit::visit_expr(self, other);
                Unknown
            }
        }
    }

    fn unary(&mut self, u: &syn::ExprUnary) -> Type {
        let operand = self.of(&u.expr);
        match (&u.op, operand) {
            (syn::UnOp::Neg(_), Float | FloatRef) => Float,
            (syn::UnOp::Neg(_), Literal) => Literal,
            (syn::UnOp::Deref(_), FloatRef) => Float,
            (syn::UnOp::Deref(_), Literal | Float) => {
                self.found = true;
                Unknown
            }
            _ => Unknown,
        }
    }

    fn binary(&mut self, b: &syn::ExprBinary) -> Type {
        use syn::BinOp::*;
        let (left, right) = (self.of(&b.left), self.of(&b.right));
        let is_sequence = |ty: &Type| ty.element().is_some();
        let mixed = left.is_float() && right.is_integer() || left.is_integer() && right.is_float();
        let whole =
            is_sequence(&left) && (right.is_float() || is_sequence(&right)) || left.is_float() && is_sequence(&right);
        match &b.op {
            Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_) => {
                self.found |= mixed || whole;
                arithmetic(left, right)
            }
            Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_) => {
                self.found |= left == Float && (right.is_integer() || right == FloatRef)
                    || right == Float && (left.is_integer() || left == FloatRef);
                Bool
            }
            And(_) | Or(_) => Bool,
            AddAssign(_) | SubAssign(_) | MulAssign(_) | DivAssign(_) | RemAssign(_) => {
                self.found |= mixed || whole || self.is_shared_place(&b.left);
                Unknown
            }
            _ => {
                self.found |= (left.is_float() || right.is_float()) && left != Unknown && right != Unknown;
                Unknown
            }
        }
    }

    fn method(&mut self, m: &syn::ExprMethodCall) -> Type {
        let receiver = self.of(&m.receiver);
        let arguments: Vec<Type> = m.args.iter().map(|a| self.of(a)).collect();
        let name = m.method.to_string();
        match (receiver, name.as_str()) {
            (Float, "powi") => {
                self.found |= arguments.iter().any(Type::is_float);
                Float
            }
            (Float, of) if OF_FLOATS.contains(&of) => {
                self.found |= arguments.iter().any(Type::is_integer);
                Float
            }
            (Sequence(of) | Shared(of), "sort" | "sort_unstable") => {
                self.found |= *of == Float;
                Unknown
            }
            (Shared(_), "iter_mut" | "fill" | "swap" | "push" | "sort_by") => {
                self.found = true;
                Unknown
            }
            (Sequence(_) | Shared(_), "len") => Integer("usize".to_owned()),
            (Sequence(of) | Shared(of), "to_vec") => Sequence(of),
            (_, "collect" | "sum" | "product") => named_result(m),
            _ => Unknown,
        }
    }

    fn call(&mut self, c: &syn::ExprCall) -> Type {
        let given: Vec<Type> = c.args.iter().map(|a| self.of(a)).collect();
        let name = match strip_parens(&c.func) {
            syn::Expr::Path(p) => p.path.get_ident().map(Ident::to_string),
            other => {
                self.of(other);
                None
            }
        };
        let Some(name) = name.filter(|name| !self.scopes.iter().any(|scope| scope.contains_key(name))) else {
            return Unknown;
        };
        self.found |= self.is_nowhere(&name);
        if let Some(params) = self.names.and_then(|names| names.function(&name)) {
            let shared = |a: &syn::Expr| matches!(a, syn::Expr::Reference(r) if r.mutability.is_none());
            let exclusive = |ty: &syn::Type| matches!(ty, syn::Type::Reference(r) if r.mutability.is_some());
            let odd = params.iter().zip(&given).any(|(ty, given)| Type::of(ty).excludes(given));
            let lent = params.iter().zip(&c.args).any(|(ty, a)| exclusive(ty) && shared(a));
            self.found |= params.len() != given.len() || odd || lent;
        }
        Unknown
    }

    /// Whether an element of a slice that is only read is assigned to.
    fn is_shared_place(&mut self, target: &syn::Expr) -> bool {
        match strip_parens(target) {
            syn::Expr::Index(i) => matches!((strip_parens(&i.expr), self.of(&i.expr)), (syn::Expr::Path(_), Shared(_))),
            _ => false,
        }
    }

    fn index(&mut self, i: &syn::ExprIndex) -> Type {
        let (of, index) = (self.of(&i.expr), self.of(&i.index));
        let Some(element) = of.element().cloned() else { return Unknown };
        self.found |= match &index {
            Integer(name) => name != "usize",
            other => other.is_float(),
        };
        match strip_parens(&i.index) {
            syn::Expr::Range(_) => Sequence(Box::new(element)),
            _ if index.is_integer() => element,
            _ => Unknown,
        }
    }

    fn condition(&mut self, i: &syn::ExprIf) -> Type {
        self.inside(|check| {
            check.of(&i.cond);
            let then = check.block(&i.then_branch);
            let Some((_, other)) = &i.else_branch else { return Unknown };
            let other = check.of(other);
            check.found |= then.excludes(&other) || other.excludes(&then);
            if then == other { then } else { Unknown }
        })
    }

    fn for_loop(&mut self, f: &syn::ExprForLoop) -> Type {
        let over = match strip_parens(&f.expr) {
            syn::Expr::Range(range) => self.range(range),
            other => match self.of(other) {
                Shared(element) if *element == Float => FloatRef,
                _ => Unknown,
            },
        };
        self.inside(|check| {
            check.bind(&f.pat, over);
            check.block(&f.body)
        });
        Unknown
    }

    fn range(&mut self, range: &syn::ExprRange) -> Type {
        let mut bounds = [&range.start, &range.end].map(|bound| bound.as_ref().map_or(Unknown, |bound| self.of(bound)));
        self.found |= bounds.iter().any(Type::is_float);
        bounds.sort_by_key(|bound| !matches!(bound, Integer(_)));
        let [first, _] = bounds;
        if matches!(first, Integer(_)) { first } else { Unknown }
    }

    fn closure(&mut self, closure: &syn::ExprClosure) -> Type {
        let result = std::mem::replace(&mut self.result, Unknown);
        self.inside(|check| {
            closure.inputs.iter().for_each(|input| check.bind(input, Unknown));
            check.of(&closure.body)
        });
        self.result = result;
        Unknown
    }
}

/// What an expression that is none of the above is made of.
impl<'a> Visit<'a> for Check<'_> {
    fn visit_expr(&mut self, e: &'a syn::Expr) {
        self.of(e);
    }
    fn visit_block(&mut self, block: &'a syn::Block) {
        self.block(block);
    }
    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        self.inside(|check| visit::visit_arm(check, arm));
    }
    fn visit_pat(&mut self, pattern: &'a syn::Pat) {
        self.bind(pattern, Unknown);
    }
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

fn literal(lit: &syn::Lit) -> Type {
    match lit {
        syn::Lit::Float(_) => Float,
        syn::Lit::Int(lit) if lit.suffix().is_empty() => Literal,
        syn::Lit::Int(lit) if lit.suffix().starts_with('f') => Float,
        syn::Lit::Int(lit) => Integer(lit.suffix().to_owned()),
        syn::Lit::Bool(_) => Bool,
        _ => Unknown,
    }
}

fn arithmetic(left: Type, right: Type) -> Type {
    match (left, right) {
        (Float | FloatRef, Float | FloatRef) => Float,
        (Literal, Literal) => Literal,
        (Integer(name), Literal | Integer(_)) | (Literal, Integer(name)) => Integer(name),
        _ => Unknown,
    }
}

fn is_negated(e: &syn::Expr) -> bool {
    matches!(e, syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Neg(_)))
}

/// `collect::<Vec<f64>>()`: the type that is written.
fn named_result(m: &syn::ExprMethodCall) -> Type {
    match m.turbofish.as_ref().and_then(|of| of.args.first()) {
        Some(syn::GenericArgument::Type(ty)) => Type::of(ty),
        _ => Unknown,
    }
}

/// Whether std's prelude or diffi's has a function of this name.
fn is_of_prelude(name: &str) -> bool {
    const STD: &[&str] = &["drop", "size_of", "size_of_val", "align_of", "align_of_val"];
    const OURS: &[&str] = &[
        "check_rule",
        "coloring",
        "compress",
        "decompress",
        "derivative",
        "differentiate_with",
        "gradient",
        "hessian",
        "hvp",
        "jacobian",
        "nth_derivative",
        "prepare_",
        "pullback",
        "pushforward",
        "second_derivative",
        "stop_gradient",
        "taylor_coefficients",
        "value_",
    ];
    STD.contains(&name) || OURS.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests;
