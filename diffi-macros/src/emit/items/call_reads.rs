//! `__reads`, beside the derivative functions: which arguments the reverse sweep reads, by the types of the arguments.
//!
//! ```text
//! fn __reads(p0: &Vec3, p1: &f64) -> impl __d::CallReads + use<> {
//!     (__d::These::<0>, __d::passed::<_, 1, 0>(|| __d::library::Two::reads(__d::library::op::Mul, &(*p0).x, &(*p1))))
//! }
//! ```

use crate::ad::derivatives::{Derivatives, SecondDerivatives};
use crate::ad::forward::Forward;
use crate::analysis::call_tbr::Reader;
use crate::analysis::slice::slice;
use crate::emit::code::call::derivative_name;
use crate::emit::code::writer::{Order, is_mut, path};
use crate::emit::items::frame::{Frame, has_lifetime};
use crate::emit::items::slot::Slot;
use crate::ir::purity::repeatable;
use crate::ir::*;
use crate::support::hash::HashMap;
use quote::ToTokens;

/// What the reverse sweep reads.
#[derive(Default)]
struct Reads {
    /// Parameters, by their bits.
    always: u64,
    /// Whatever calls read: the parameter, the callee's argument, and the call.
    through: Vec<(usize, usize, String)>,
}

impl Frame<'_> {
    /// The function that says which arguments the reverse sweep reads; none where nobody asks.
    pub fn reads(&self, products: &Derivatives<'_>) -> String {
        self.reading(|frame| frame.reads_of(products)).unwrap_or_default()
    }

    /// The same of a function with a rule by hand, which may read all.
    pub fn reads_all(&self) -> String {
        self.reading(|_| Reads { always: u64::MAX, through: Vec::new() }).unwrap_or_default()
    }

    fn reading(&self, reads: impl FnOnce(&Self) -> Reads) -> Option<String> {
        let (name, arguments, first) = self.reads_header()?;
        let Reads { always, through } = match self.has_operators() {
            true => Reads { always: u64::MAX, ..Reads::default() }, // whose rules rustc would have to know here
            false => reads(self),
        };
        let own = format!("__d::These::<{always}>");
        let Some(plain) = Some(through).filter(|all| !all.is_empty()) else {
            let (generics, bounds) = self.generics(&[], &[]);
            return Some(format!(
                "#[doc(hidden)] #[inline(always)] pub fn {name}{generics}({arguments}) -> {own} {bounds} {{ {own} }}"
            ));
        };
        let all = plain.iter().fold(own, |all, (parameter, argument, call)| {
            format!("({all}, __d::passed::<_, {argument}, {parameter}>(|| {call}))")
        });
        Some(format!(
            "#[doc(hidden)] #[inline(always)] pub fn {name}({arguments}) -> impl __d::CallReads + use<> {{ {first} {all} }}"
        ))
    }

    /// The function's name and arguments, and how the body names these.
    fn reads_header(&self) -> Option<(String, String, String)> {
        let params = &self.function.params;
        let fits = self.inside.is_none() && params.len() <= 64 && !params.is_empty();
        (fits && params.iter().all(is_plain)).then_some(())?;
        match self.function.owner.as_ref().map(|o| &o.kind) {
            None if self.function.name == "operator" => {
                let one = |(k, p): (usize, &Param)| format!("p{k}: &{}, ", self.holes.ty(&p.ty));
                Some(("__reads".to_owned(), params.iter().enumerate().map(one).collect(), String::new()))
            }
            Some(OwnerKind::Inherent) if params[0].receiver => {
                let names: String = (1..params.len()).map(|k| format!("p{k}, ")).collect();
                let types: String = params[1..].iter().map(|p| self.holes.ty(&p.full) + ", ").collect();
                let name = self.holes.put(derivative_name(&self.function.name, "reads", false).to_token_stream());
                let first = format!("let p0 = self; let ({names}) = given;");
                Some((name, format!("&self, given: ({types})"), first))
            }
            _ => None,
        }
    }

    /// What the adjoint reads in either form: callers may call either.
    fn reads_of(&self, products: &Derivatives<'_>) -> Reads {
        let Derivatives { pull, split, second, .. } = products;
        let mut all = Reads::default();
        self.note_reads(&pull.body, &pull.bars, None, &mut all);
        split.iter().for_each(|s| self.note_reads(&s.reverse, &s.bars, None, &mut all));
        if let Some(second) = second {
            let SecondDerivatives { pull_push, split_push } = second;
            self.note_reads(&pull_push.body, &pull.bars, Some(&pull_push.pass), &mut all);
            for (split, tangent) in split.iter().zip(split_push) {
                self.note_reads(&tangent.reverse, &split.bars, Some(&tangent.pass), &mut all);
            }
        }
        all
    }

    /// What a body reads of the parameters and their tangents.
    fn note_reads(&self, body: &Block, bars: &HashMap<Var, Var>, tangents: Option<&Forward<'_>>, all: &mut Reads) {
        let with_dot = |v: Var| [v].into_iter().chain(tangents.and_then(|t| t.dots.get(&v)).copied());
        let slice = slice(body, bars.values().flat_map(|bar| with_dot(*bar)));
        for (k, param) in self.params() {
            for need in with_dot(param.var).map(|v| slice.need(v)) {
                all.always |= u64::from(need.always) << k;
                need.calls.iter().for_each(|reader| self.note_reader(k, reader, all));
            }
        }
    }

    fn note_reader(&self, k: usize, reader: &Reader<'_>, all: &mut Reads) {
        match self.asked_of_parameters(reader.sweep) {
            None => all.always |= 1 << k,
            Some(call) => {
                let one = (k, reader.argument, call);
                if !all.through.contains(&one) {
                    all.through.push(one);
                }
            }
        }
    }

    /// What a call of an operation reads, if its arguments are parts of parameters, whose types are known.
    fn asked_of_parameters(&self, sweep: &Sweep) -> Option<String> {
        let owner = self.function.owner.as_ref();
        let own = &self.function.generics;
        let generic = owner.is_some_and(|o| !o.generics.params.is_empty())
            || own.type_params().next().is_some()
            || own.const_params().next().is_some()
            || self.function.params.iter().any(|p| has_lifetime(&p.ty))
            || owner.is_some() && !own.params.is_empty();
        if generic || !sweep.call.is_rule() {
            return None;
        }
        self.of_known_types(&sweep.call, "reads", NESTED)
    }

    /// A call of an operation by the types of its arguments, which are those of parts of parameters.
    fn of_known_types(&self, call: &Call, name: &str, depth: usize) -> Option<String> {
        let Callee::Function(path) = &call.callee else { return None };
        let args: Option<Vec<String>> = call.args.iter().map(|arg| self.of_known_type(arg, depth)).collect();
        Some(format!("<{path}>::{name}({})", args?.join(", ")))
    }

    fn of_known_type(&self, arg: &CallArg, depth: usize) -> Option<String> {
        match arg {
            CallArg::Ref(p) => self.like_place(p, depth).map(|place| format!("&{place}")),
            CallArg::Passive(o) if o.reads.is_empty() && o.shapes.is_empty() && is_constant(o) => {
                let table = symbols::Table::of(self.function);
                Some(self.emit(&table, (Order::First, Slot::DOT), &[]).passive_code(o))
            }
            _ => None,
        }
    }

    /// An expression of the type of a place.
    fn like_place(&self, place: &Place, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        if !place.path.iter().all(|step| matches!(step, Proj::Field(_))) {
            return None;
        }
        let root = match self.params().find(|(_, p)| p.var == place.root) {
            Some((k, param)) => {
                let behind = self.function.owner.is_none() || param.receiver || param.passing == Passing::Ref;
                if behind { format!("(*p{k})") } else { format!("p{k}") }
            }
            None => self.like_local(place.root, depth)?,
        };
        Some(path(&root, place, false, |_| String::new()))
    }

    /// An expression of the type of a variable, by what it is set to.
    fn like_local(&self, var: Var, depth: usize) -> Option<String> {
        self.function.body.stmts.iter().find_map(|stmt| match stmt {
            Stmt::Let { var: v, expr } if *v == var => match expr {
                Expr::Operand(Operand::Place(p)) => self.like_place(p, depth),
                Expr::Call(call) if call.is_rule() => self.of_known_types(call, "call", depth),
                _ => None,
            },
            _ => None,
        })
    }
}

/// How many expressions may stand within each other.
const NESTED: usize = 6;

/// A path, or a number.
fn is_constant(o: &PassiveCode) -> bool {
    let text = o.tokens.to_string();
    repeatable(o) || text.replace(' ', "").starts_with("__d::library::op::")
}

/// Whether a parameter is a value or a shared reference, of a type with a name.
fn is_plain(param: &Param) -> bool {
    let unnamed = |tree: proc_macro2::TokenTree| matches!(tree.to_string().as_str(), "impl" | "dyn" | "_");
    let has_name = || !param.full.clone().into_iter().any(unnamed);
    param.function.is_none() && param.list.is_none() && !param.captured && !is_mut(param) && has_name()
}
