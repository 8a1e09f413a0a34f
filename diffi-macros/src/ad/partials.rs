//! The factors of the chain rule: what a scalar operation multiplies tangents and cotangents by.
//!
//! The formulas are the derivative table's; this module turns a line of it into statements.

use crate::analysis::activity::{Activity, is_flat};
use crate::analysis::signs::{Sign, Signs};
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::Visit;
use crate::ir::*;
use crate::support::hash::HashMap;
use diffi_rules::{Kind, Rule};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};

/// `∂answer/∂argument`.
#[derive(Clone, Debug)]
pub struct Factor {
    /// Whether it is subtracted.
    pub minus: bool,
    /// What it multiplies by, if not by one.
    pub by: Option<Operand>,
    /// Whose zero makes the product zero, whatever the other factor is.
    pub strong: Option<StrongZero>,
}

impl Factor {
    /// One, or minus one.
    pub fn unit(minus: bool) -> Self {
        Factor { minus, by: None, strong: None }
    }

    /// A number.
    pub fn plus(by: Operand) -> Self {
        Factor { minus: false, by: Some(by), strong: None }
    }

    /// The operation that multiplies.
    pub fn mul(&self) -> Op {
        self.strong.map_or(Op::Mul, Op::StrongMul)
    }
}

/// Which argument of an operation is a divisor, if one is.
///
/// Its partial derivative `-y / b` may be infinite where the derivative is a number, as in `p * (y / b)` with a small `b`. So it is no
/// factor: tangents are `(a_dot - y * b_dot) / b`, and cotangents `flow = y_bar / b; a_bar += flow; b_bar -= y * flow`.
pub fn divisor(op: &Op) -> Option<usize> {
    match op {
        Op::Div => Some(1),
        Op::PseudoInverse | Op::Fn("recip") => Some(0),
        _ => None,
    }
}

/// Makes the statements that compute factors.
pub struct Partials<'a> {
    /// Where temporaries go.
    pub table: &'a mut Table,
    /// What their derivatives depend on.
    pub activity: &'a mut Activity,
    /// The float type of literals.
    pub base: &'a Base,
    /// The signs of values.
    pub signs: &'a Signs,
    /// Functions of the same number that are computed anyway, and their answers.
    pub there: &'a [(&'static str, Var)],
    /// The statements so far.
    pub out: Vec<Stmt>,
}

impl Partials<'_> {
    /// The factors for the wanted arguments of `answer = op(args)`.
    pub fn factors(
        &mut self,
        op: &Op,
        args: &[Operand],
        answer: Var,
        wanted: &[bool],
        span: Span,
    ) -> Vec<Option<Factor>> {
        let one = || Factor::unit(false);
        let minus = || Factor::unit(true);
        let all = match op {
            Op::Neg => vec![Some(minus())],
            Op::Add => vec![Some(one()), Some(one())],
            Op::Sub => vec![Some(one()), Some(minus())],
            Op::Mul => vec![Some(Factor::plus(args[1].clone())), Some(Factor::plus(args[0].clone()))],
            Op::StrongMul(zero) => {
                let other = match zero {
                    StrongZero::Vector => StrongZero::Factor,
                    StrongZero::Factor => StrongZero::Vector,
                    StrongZero::Either => StrongZero::Either,
                };
                let by = |k: usize, zero| Some(Factor { strong: Some(zero), ..Factor::plus(args[k].clone()) });
                vec![by(1, *zero), by(0, other)]
            }
            Op::Div => {
                assert!(!wanted[1], "a divisor that changes has no factor");
                vec![Some(Factor::plus(self.inverse(op, args, answer, span))), None]
            }
            Op::PseudoInverse => unreachable!("a divisor that changes has no factor"),
            Op::Fn(name) => self.rule(name, args, answer, wanted, span),
        };
        all.into_iter().zip(wanted).map(|(f, wanted)| f.filter(|_| *wanted)).collect()
    }

    /// `1 / b`, for `answer = a / b`. The derivative by `b` has no factor: [`divisor`] says why.
    pub fn inverse(&mut self, op: &Op, args: &[Operand], answer: Var, span: Span) -> Operand {
        let b = match (op, args) {
            (Op::Div, [a, b]) if !is_one(a) => b,
            _ => return Operand::var(answer),
        };
        let inverse = self.op(Op::Fn("recip"), vec![b.clone()], "inverse", span);
        if let Some(var) = inverse.as_var() {
            self.table.note_reciprocal(var, b.clone());
        }
        inverse
    }

    fn rule(&mut self, name: &str, args: &[Operand], answer: Var, wanted: &[bool], span: Span) -> Vec<Option<Factor>> {
        if let ("powi", [x, Operand::Passive(n)]) = (name, args)
            && let Ok(n) = n.tokens.to_string().parse::<u32>()
        {
            return vec![self.power(x, n, span)];
        }
        let levels_off = name == "sqrt" && self.signs.of_operand(&args[0]) == Sign::Vertex;
        if levels_off || name == "sqrt" && self.table.divides_by(answer) {
            let inverse = if levels_off { Op::PseudoInverse } else { Op::Fn("recip") };
            return vec![Some(self.root(inverse, answer, span))];
        }
        let Some(rule) = diffi_rules::rule(name) else { return vec![None; args.len()] };
        let scope = Scope::new(rule, args, answer);
        let partial = |k: usize| rule.partials.get(k).filter(|_| wanted[k]);
        (0..args.len()).map(|k| Some(self.factor(rule.kind, partial(k)?, &scope, span))).collect()
    }

    /// The factor that a formula of the table is.
    fn factor(&mut self, kind: Kind, text: &'static str, scope: &Scope, span: Span) -> Factor {
        let formula = self.table.formulas().get(text);
        match kind {
            // of what is not selected the tangent may be infinite
            Kind::Linear => {
                let strong = matches!(*formula, syn::Expr::If(_)).then_some(StrongZero::Factor);
                Factor { strong, ..simple(self.constant(&formula, scope, span)) }
            }
            _ => simple(self.lower(&formula, scope, span)),
        }
    }

    /// The table's line for `sqrt`, with the reciprocal that a quotient has too; zero at the vertex of what the root is drawn of, where
    /// the tangent is zero.
    fn root(&mut self, inverse: Op, answer: Var, span: Span) -> Factor {
        let inverse = self.op(inverse, vec![Operand::var(answer)], "inverse", span);
        let half = Operand::Passive(PassiveCode::literal(literal(self.base, &quote!(0.5))));
        Factor::plus(self.op(Op::Mul, vec![half, inverse], "factor", span))
    }

    /// The table's line for `powi`, where the exponent is written out: `n · x^(n - 1)`.
    fn power(&mut self, x: &Operand, n: u32, span: Span) -> Option<Factor> {
        let number = |n: u32| {
            let value = proc_macro2::Literal::f64_unsuffixed(f64::from(n));
            Operand::Passive(PassiveCode::literal(literal(self.base, &quote!(#value))))
        };
        match n {
            0 => None,
            1 => Some(Factor::unit(false)),
            2 => Some(Factor::plus(self.op(Op::Mul, vec![number(2), x.clone()], "factor", span))),
            _ => {
                let lower = proc_macro2::Literal::u32_unsuffixed(n - 1);
                let n = number(n);
                let exponent = Operand::Passive(PassiveCode::literal(quote!(#lower)));
                let power = self.op(Op::Fn("powi"), vec![x.clone(), exponent], "power", span);
                Some(Factor::plus(self.op(Op::Mul, vec![n, power], "factor", span)))
            }
        }
    }

    /// A locally constant factor stays one passive expression.
    fn constant(&mut self, formula: &syn::Expr, scope: &Scope, span: Span) -> Operand {
        let mut passive = scope.passive(formula, self, span);
        passive.span = span;
        Operand::Passive(passive)
    }

    fn lower(&mut self, formula: &syn::Expr, scope: &Scope, span: Span) -> Operand {
        match formula {
            syn::Expr::Paren(inner) => self.lower(&inner.expr, scope, span),
            syn::Expr::Lit(_) | syn::Expr::Cast(_) => Operand::Passive(scope.passive(formula, self, span)),
            syn::Expr::Path(path) => scope.operand(&path.to_token_stream().to_string()),
            syn::Expr::Unary(unary) => {
                let inner = self.lower(&unary.expr, scope, span);
                self.op(Op::Neg, vec![inner], "factor", span)
            }
            syn::Expr::Binary(binary) => {
                let args = vec![self.lower(&binary.left, scope, span), self.lower(&binary.right, scope, span)];
                self.op(operator(&binary.op), args, "factor", span)
            }
            syn::Expr::MethodCall(call) => self.function(call, scope, span),
            syn::Expr::If(branch) => self.branch(branch, scope, span),
            syn::Expr::Block(block) => self.lower(tail(&block.block), scope, span),
            other => unreachable!("the derivative table has no {}", other.to_token_stream()),
        }
    }

    fn function(&mut self, call: &syn::ExprMethodCall, scope: &Scope, span: Span) -> Operand {
        let name = call.method.to_string();
        let rule = diffi_rules::rule(&name).expect("the table uses its own functions");
        let there = self.there.iter().find(|(there, _)| *there == name && scope.is_argument(call));
        if let Some((_, answer)) = there {
            return Operand::var(*answer);
        }
        let mut args = vec![self.lower(&call.receiver, scope, span)];
        for (k, arg) in call.args.iter().enumerate() {
            let passive = k + 1 >= rule.args.len();
            args.push(match passive {
                true => Operand::Passive(scope.passive(arg, self, span)),
                false => self.lower(arg, scope, span),
            });
        }
        self.op(Op::Fn(rule.name), args, "factor", span)
    }

    fn branch(&mut self, branch: &syn::ExprIf, scope: &Scope, span: Span) -> Operand {
        let cond = scope.passive(&branch.cond, self, span);
        let result = self.table.fresh("factor", Ty::Float, Role::Primal, span);
        let then = self.arm(tail(&branch.then_branch), result, scope, span);
        let (_, els) = branch.else_branch.as_ref().expect("the table's `if` has an `else`");
        let els = self.arm(els, result, scope, span);
        self.out.push(Stmt::Declare { var: result });
        self.out.push(Stmt::If { cond, then, els });
        Operand::var(result)
    }

    fn arm(&mut self, formula: &syn::Expr, result: Var, scope: &Scope, span: Span) -> Block {
        let outer = std::mem::take(&mut self.out);
        let value = self.lower(formula, scope, span);
        let varied = self.varied(&value).or(self.activity.varied(result));
        self.activity.note(result, varied);
        self.out.push(Stmt::Assign { place: Place::var(result), op: Assign::Set, value, span });
        Block { stmts: std::mem::replace(&mut self.out, outer) }
    }

    /// `let t = op(args)`, passive where its arguments are.
    pub fn op(&mut self, op: Op, args: Vec<Operand>, hint: &str, span: Span) -> Operand {
        let var = self.table.fresh(hint, Ty::Float, Role::Primal, span);
        let varied = args.iter().fold(ParamSet::default(), |set, a| set.or(self.varied(a)));
        let varied = if is_flat(&op) { ParamSet::default() } else { varied };
        self.activity.note(var, varied);
        self.out.push(Stmt::Let { var, expr: Expr::Op { op, args, span } });
        Operand::var(var)
    }

    fn varied(&self, o: &Operand) -> ParamSet {
        match o {
            Operand::Place(p) => self.activity.varied(p.root),
            _ => ParamSet::default(),
        }
    }
}

fn is_one(o: &Operand) -> bool {
    matches!(o, Operand::Passive(o) if matches!(o.tokens.to_string().as_str(), "1.0" | "1f64" | "1.0f64" | "1f32" | "1.0f32"))
}

fn simple(by: Operand) -> Factor {
    let text = match &by {
        Operand::Passive(o) => o.tokens.to_string().replace(' ', ""),
        _ => String::new(),
    };
    match text.as_str() {
        "1.0" => Factor::unit(false),
        "-1.0" => Factor::unit(true),
        _ => Factor::plus(by),
    }
}

fn tail(block: &syn::Block) -> &syn::Expr {
    match block.stmts.last() {
        Some(syn::Stmt::Expr(e, None)) => e,
        _ => unreachable!("the table's blocks are expressions"),
    }
}

fn peeled(formula: &syn::Expr) -> &syn::Expr {
    match formula {
        syn::Expr::Paren(p) => peeled(&p.expr),
        other => other,
    }
}

fn operator(op: &syn::BinOp) -> Op {
    match op {
        syn::BinOp::Add(_) => Op::Add,
        syn::BinOp::Sub(_) => Op::Sub,
        syn::BinOp::Mul(_) => Op::Mul,
        syn::BinOp::Div(_) => Op::Div,
        other => unreachable!("the table has no {}", other.to_token_stream()),
    }
}

/// What the names in a line of the table stand for.
struct Scope {
    names: HashMap<String, Operand>,
    /// The first argument's.
    argument: &'static str,
}

impl Scope {
    fn new(rule: &Rule, args: &[Operand], answer: Var) -> Self {
        let formal = rule.args.iter().copied().chain(rule.passive);
        let mut names: HashMap<String, Operand> =
            formal.zip(args).map(|(name, arg)| (name.to_owned(), arg.clone())).collect();
        names.insert(rule.answer.to_owned(), Operand::var(answer));
        Scope { names, argument: rule.args[0] }
    }

    /// Whether a function of the first argument alone is called.
    fn is_argument(&self, call: &syn::ExprMethodCall) -> bool {
        call.args.is_empty() && call.receiver.to_token_stream().to_string() == self.argument
    }

    fn operand(&self, name: &str) -> Operand {
        self.names.get(name).cloned().unwrap_or_else(|| panic!("the derivative table names `{name}`"))
    }

    /// An expression as tokens: names replaced by what they stand for, literals in the base type.
    fn passive(&self, formula: &syn::Expr, partials: &Partials<'_>, span: Span) -> PassiveCode {
        let mut passive = PassiveCode { span, ..PassiveCode::literal(TokenStream::new()) };
        passive.tokens = match (partials.base, peeled(formula)) {
            (Base::Generic(_), syn::Expr::Cast(cast)) => {
                let number = self.tokens(cast.expr.to_token_stream(), partials, &mut passive);
                literal(partials.base, &quote!((#number) as f64))
            }
            _ => self.tokens(formula.to_token_stream(), partials, &mut passive),
        };
        passive
    }

    fn tokens(&self, tokens: TokenStream, partials: &Partials<'_>, found: &mut PassiveCode) -> TokenStream {
        let mut out = TokenStream::new();
        for tree in tokens {
            match tree {
                proc_macro2::TokenTree::Ident(name) if self.names.contains_key(&name.to_string()) => {
                    out.extend(self.name(&name.to_string(), partials, found));
                }
                proc_macro2::TokenTree::Ident(name) if name == "f64" => out.extend(float_type(partials.base)),
                proc_macro2::TokenTree::Literal(l) if l.to_string().contains('.') => {
                    out.extend(literal(partials.base, &l.into_token_stream()));
                }
                proc_macro2::TokenTree::Group(g) => {
                    let inner = self.tokens(g.stream(), partials, found);
                    out.extend([proc_macro2::TokenTree::Group(proc_macro2::Group::new(g.delimiter(), inner))]);
                }
                other => out.extend([other]),
            }
        }
        out
    }

    fn name(&self, name: &str, partials: &Partials<'_>, found: &mut PassiveCode) -> TokenStream {
        match self.operand(name) {
            Operand::Passive(o) => {
                found.reads.extend(&o.reads);
                found.shapes.extend(&o.shapes);
                let tokens = o.tokens;
                quote!((#tokens))
            }
            Operand::Place(p) => {
                Visit(&mut |v, _| {
                    found.reads.insert(v);
                })
                .place(&p);
                place_tokens(&p, partials.table)
            }
            Operand::Made { .. } => unreachable!("derivatives are found before bodies are folded"),
        }
    }
}

/// A place as tokens, with placeholders.
pub fn place_tokens(place: &Place, table: &Table) -> TokenStream {
    let root = &table.info(place.root).name;
    let start = match table.is_ref(place.root) && place.path.is_empty() {
        true => quote!((*#root)),
        false => quote!(#root),
    };
    path(start, place, |o| o.tokens.clone())
}

/// The steps of a place after its root.
pub fn path(root: TokenStream, place: &Place, passive: impl Fn(&PassiveCode) -> TokenStream) -> TokenStream {
    place.path.iter().fold(root, |out, step| match step {
        Proj::Field(member) => quote!(#out.#member),
        Proj::Payload(variant, _) if variant == "Some" => quote!((*__d::some(&#out))),
        Proj::Payload(variant, member) => {
            let name = crate::ir::place::accessor(variant, member);
            quote!((*#out.#name()))
        }
        Proj::Deref => quote!((*#out)),
        Proj::Index(i) if crate::ir::place::type_of_index(i).is_some() => {
            let i = passive(i);
            quote!((*#out.__lead(#i)))
        }
        Proj::Index(i) => {
            let i = passive(i);
            quote!(#out[#i])
        }
        Proj::Range(lo, hi) => {
            let [lo, hi] = [lo, hi].map(|end| end.as_ref().map(&passive));
            quote!(#out[#lo..#hi])
        }
    })
}

/// The float type as tokens.
pub fn float_type(base: &Base) -> TokenStream {
    match base {
        Base::Concrete(name) | Base::Generic(name) => quote!(#name),
    }
}

/// A float literal in the base type.
pub fn literal(base: &Base, value: &TokenStream) -> TokenStream {
    match base {
        Base::Concrete(_) => value.clone(),
        Base::Generic(name) => quote!(<#name as __d::Base>::lit(#value)),
    }
}
