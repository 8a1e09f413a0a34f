//! Calls by path: annotated functions, and what std offers.

use crate::frontend::inline;
use crate::frontend::iterators::applied;
use crate::frontend::lower::constant_lists::is_of_numbers;
use crate::frontend::lower::unannotated::unannotated;
use crate::frontend::projections::hidden_methods::hidden_by_trait;
use crate::frontend::projections::passing::{gives_count, gives_nothing, is_followed, is_plain_trait};
use crate::frontend::state::context::{Lower, Origin};
use crate::frontend::state::site::Site;
use crate::frontend::state::value::{Maybe, Refs, Value};
use crate::frontend::syntax::{cuts, types};
use crate::ir::*;
use crate::support::names;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// What ends the name of a trait's method on an object.
pub const OF_OBJECT: &str = "__object";
/// How many arguments and functions the types in place of handles are made for.
pub const MOST_ARGUMENTS: usize = 8;
pub const MOST_CALLEES: usize = 16;

/// Crates that every crate sees: a function of that name is found where it stands.
const CRATES: &[&str] = &["core", "std", "alloc"];

impl Lower {
    /// `function(args)`.
    pub fn call(&mut self, c: &syn::ExprCall) -> Value {
        if self.refuses_thread(c) {
            return Value::Poison;
        }
        if let Some(closure) = self.closure_called(&c.func) {
            let args = self.in_order(&c.args.iter().collect::<Vec<_>>(), &mut |l, _, a| l.expr(a));
            return self.inline(&closure, args);
        }
        let syn::Expr::Path(path) = strip_parens(&c.func) else {
            return self.call_of_value(c);
        };
        if let Some(var) = self.parameter_called(&c.func) {
            return self.call_of_parameter(var, c);
        }
        if let Some(name) = path.path.get_ident().filter(|n| self.scope.get(n).is_some()) {
            self.errors.unknown_function(name.span(), Some(&name.to_string()));
            return Value::Poison;
        }
        if crate::frontend::lower::special::is_special(path) {
            let args = self.in_order(&c.args.iter().collect::<Vec<_>>(), &mut |l, _, a| l.expr(a));
            if let Some(value) = self.special(path, &args, c.span()) {
                return value;
            }
        }
        if let Some(total) = self.total_by_path(path, c) {
            return self.expr(&total);
        }
        let made = self.join_call(path, c).or_else(|| self.array_call(path, c));
        if let Some(value) = made.or_else(|| self.operator(path, c)) {
            return value;
        }
        match self.std_call(path, c) {
            Some(value) => value,
            None => {
                let args: Vec<&syn::Expr> = c.args.iter().collect();
                let converted = self.conversion(path, &args, c.span());
                converted.unwrap_or_else(|| self.annotated(path, &args, c.span()))
            }
        }
    }

    /// `table[i](args)`, `(if up { f } else { g })(args)`: a call of what an expression gives.
    fn call_of_value(&mut self, c: &syn::ExprCall) -> Value {
        if let Some(var) = self.parameter_called(&c.func) {
            let (args, handed) = self.call_args(c.args.iter(), Vec::new());
            return self.parameter_call(var, args, handed, c.span());
        }
        let value = self.expr(&c.func);
        match self.as_function(&value) {
            Some(Value::Closure(closure)) => {
                let args = self.in_order(&c.args.iter().collect::<Vec<_>>(), &mut |l, _, a| l.expr(a));
                self.inline(&closure, args)
            }
            Some(Value::Function { var, .. }) => self.call_of_parameter(var, c),
            _ if matches!(value, Value::Poison) => Value::Poison,
            _ => {
                self.errors.unknown_function(c.func.span(), None);
                Value::Poison
            }
        }
    }

    /// A function's path, applied by an adaptor.
    pub fn apply_path(&mut self, path: &syn::Expr, args: Vec<Value>) -> Value {
        let syn::Expr::Path(p) = strip_parens(path) else {
            return self.refuse(path.span(), "this function", "write a closure here");
        };
        if let Some(var) = self.parameter_called(path) {
            let args = args.into_iter().map(|a| self.call_arg_of(a, path.span())).collect();
            return self.parameter_call(var, args, Vec::new(), path.span());
        }
        if let Some(name) = p.path.get_ident().filter(|n| self.scope.get(n).is_some()) {
            self.errors.unknown_function(name.span(), Some(&name.to_string()));
            return Value::Poison;
        }
        let looked_at = p.path.segments.last().is_some_and(|s| self.looks_at(&s.ident));
        if looked_at || !args.iter().any(Value::is_active) {
            let noted = p.path.segments.last().filter(|_| looked_at).map(|s| Site::of(&s.ident));
            self.looked_at.borrow_mut().extend(noted);
            let shown: Vec<PassiveCode> = args.iter().map(|a| self.show(a, path.span())).collect();
            let tokens = shown.iter().map(|o| &o.tokens);
            let tokens = quote!(#p(#(#tokens),*));
            return Value::passive(crate::ir::affine::gathered(tokens, shown.iter(), path.span()));
        }
        let last = last_name(p);
        if let Some(value) = self.special(p, &args, path.span()) {
            return value;
        }
        let known = self.crate_function(p, &args, path.span());
        if let Some(value) = known.or_else(|| self.float_function(p, &last, &args, path.span())) {
            return value;
        }
        match (last.as_str(), &args[..]) {
            (cuts::CUT, [v]) => {
                let shown = self.show(v, path.span());
                Value::passive(shown.map(|shown| quote!(__d::constant_of(&#shown))))
            }
            ("Some", [v]) => Value::Maybe(Maybe::some(v.clone())),
            ("clone" | "to_owned", [v]) if p.path.segments.len() > 1 => {
                self.only_copy(p, &last);
                self.owned(v.clone(), path.span())
            }
            ("identity", [v]) if p.path.segments.iter().rev().nth(1).is_none_or(|s| s.ident == "convert") => {
                self.only_identity(p, "identity");
                v.clone().dereferenced_fully()
            }
            ("to_vec", [v]) if p.qself.is_some() => self.owned(v.clone(), path.span()),
            _ => {
                let args = args.into_iter().map(|a| self.call_arg_of(a, path.span())).collect();
                self.call_of(p, args, Vec::new(), path.span())
            }
        }
    }

    /// `f64::max(a, b)`, `T::sin(x)`, `Float::exp(x)`.
    fn float_function(&mut self, p: &syn::ExprPath, name: &str, args: &[Value], span: Span) -> Option<Value> {
        let (Base::Concrete(base) | Base::Generic(base)) = &self.base;
        let of = owner_of(p);
        let owner = *base == of || ["Float", "Real", "f64", "f32"].iter().any(|n| of == *n);
        if !owner {
            return None;
        }
        self.only_known_float_trait();
        let bare: Vec<Value> = args.iter().map(|a| a.clone().dereferenced_fully()).collect();
        match (name, &bare[..]) {
            ("from", [value]) => Some(value.clone()),
            _ => self.scalar_method(name, &bare, span),
        }
    }

    /// `F::from(x)` of `num_traits`, where a method of options is called on it.
    pub fn is_cast_of_floats(&self, expr: &syn::Expr) -> bool {
        let syn::Expr::Call(c) = strip_parens(expr) else { return false };
        let syn::Expr::Path(p) = strip_parens(&c.func) else { return false };
        let (Base::Concrete(base) | Base::Generic(base)) = &self.base;
        let of = owner_of(p);
        last_name(p) == "from" && c.args.len() == 1 && (*base == of || ["Float", "Real", "NumCast"].contains(&&of[..]))
    }

    fn call_of_parameter(&mut self, var: Var, c: &syn::ExprCall) -> Value {
        let (args, handed) = self.call_args(c.args.iter(), Vec::new());
        self.parameter_call(var, args, handed, c.span())
    }

    /// A method of the table, with its receiver first.
    pub fn scalar_method(&mut self, name: &str, args: &[Value], span: Span) -> Option<Value> {
        let extra = args.len().checked_sub(1)?;
        let float = matches!(args.first(), Some(Value::Active(a)) if self.ty_of(&a.place) == Ty::Float);
        match (name, extra) {
            ("add" | "sub" | "mul" | "div" | "rem" | "neg", _) if !float => return None,
            ("sin_cos", 0) => {
                let both = ["sin", "cos"].map(|name| self.operation(Op::Fn(name), args, span));
                return Some(Value::Tuple(both.into()));
            }
            ("add", 1) => return Some(self.operation(Op::Add, args, span)),
            ("sub", 1) => return Some(self.operation(Op::Sub, args, span)),
            ("mul", 1) => return Some(self.operation(Op::Mul, args, span)),
            ("div", 1) => return Some(self.operation(Op::Div, args, span)),
            ("rem", 1) => return Some(self.operation(Op::Fn("rem"), args, span)),
            ("neg", 0) => return Some(self.operation(Op::Neg, args, span)),
            ("powi", 1) if args[1..].iter().any(|n| self.is_used_as_integer(n)) => return Some(Value::Poison),
            _ => {}
        }
        let name = names::scalar(name, extra)?;
        Some(self.operation(Op::Fn(name), args, span))
    }

    /// Functions of std that are known by their path.
    fn std_call(&mut self, p: &syn::ExprPath, c: &syn::ExprCall) -> Option<Value> {
        let (last, owner, span) = (last_name(p), owner_of(p), c.span());
        match (owner.as_str(), last.as_str(), c.args.len()) {
            ("", "Some" | "Ok" | "Err", 1) | ("Option", "Some", 1) | ("Result", "Ok" | "Err", 1) => {
                return Some(self.option_or_result(p, &last, &c.args[0]));
            }
            ("cmp", "max_by" | "min_by", 3) => return Some(self.extreme_of_two(p, &last, c)),
            (_, "transmute", _) => return Some(self.refuse(span, "`transmute`", "use arithmetic")),
            ("mem", "swap" | "replace" | "take", 1 | 2) => {
                let name = format_ident!("{last}");
                self.only_of_std(p, &quote!(::core::mem::#name::<f64>));
                return Some(self.exchanged(&last, c));
            }
            ("" | "mem", "drop", 1) => {
                self.only_of_std(p, &quote!(::core::mem::drop::<f64>));
                let value = self.expr(&c.args[0]);
                self.end_value(&value);
                return Some(Value::Unit);
            }
            ("Clone" | "ToOwned" | "Option" | "Vec" | "Box", "clone" | "to_owned", 1) => {
                self.only_copy(p, &last);
                let original = self.expr(&c.args[0]);
                return Some(self.owned(original, span));
            }
            ("array", "from_fn", 1) => return Some(self.array_from_fn(p, &c.args[0], span)),
            ("hint" | "", "black_box", 1) | ("convert" | "", "identity", 1) => {
                self.only_identity(p, &last);
                return Some(self.expr(&c.args[0]));
            }
            (owner, ..) if types::is_library(owner) => {
                if let Some(value) = self.library_call(p, c) {
                    return Some(value);
                }
            }
            ("VecDeque", _, _) => return Some(self.new_queue(c).unwrap_or(Value::Poison)),
            ("Vec", "from", 1) => {
                let value = self.active_value(&c.args[0]).dereferenced_fully();
                return Some(match value {
                    Value::Active(a) if matches!(self.ty_of(&a.place), Ty::Array(_)) => self.vec_of(a.place, span),
                    value => self.owned(value, span),
                });
            }
            ("Rc" | "Arc", "new" | "clone", 1) => return Some(self.reference_counted(p, (&owner, &last), c)),
            ("Rc" | "Arc", "make_mut" | "get_mut" | "try_unwrap" | "unwrap_or_clone" | "into_inner", 1)
                if self.act(&c.args[0]).any() =>
            {
                let instead = "read it (`*shared`), or copy what it holds (`(*shared).clone()`)";
                return Some(self.refuse(span, &format!("`{owner}::{last}`"), instead));
            }
            ("RefCell" | "Cell" | "Mutex", "new", 1) => {
                return Some(self.refuse(span, "shared mutable data", "use a local variable"));
            }
            ("f64" | "f32", "from", 1) => {
                let converted = self.conversion(p, &[&c.args[0]], span);
                return Some(converted.unwrap_or_else(|| self.expr(&c.args[0]).dereferenced_fully()));
            }
            _ => {}
        }
        if (owner.as_str(), last.as_str(), c.args.len()) == ("Box", "new", 1) {
            return Some(self.boxed(&c.args[0], span));
        }
        if crate::frontend::lower::structs::is_constructor(&p.path) {
            return Some(self.tuple_struct(&p.path, c));
        }
        self.call_of_floats(p, c, &owner)
    }

    /// `Some(x)`, `Ok(x)`, `Err(e)`.
    fn option_or_result(&mut self, p: &syn::ExprPath, name: &str, content: &syn::Expr) -> Value {
        let path = match name {
            "Some" => quote!(::core::option::Option::<f64>::Some),
            "Ok" => quote!(::core::result::Result::<f64, ()>::Ok),
            _ => quote!(::core::result::Result::<(), f64>::Err),
        };
        self.only_of_std(p, &path);
        if name == "Err" {
            return self.err(content);
        }
        let some = Maybe::some(self.expr(content));
        Value::Maybe(if name == "Ok" { some.or_never(types::error_of_path(&p.path).map(|e| quote!(#e))) } else { some })
    }

    /// `cmp::max_by(a, b, f)`, `cmp::min_by(a, b, f)`.
    fn extreme_of_two(&mut self, p: &syn::ExprPath, name: &str, c: &syn::ExprCall) -> Value {
        let (method, span) = (format_ident!("{name}"), c.span());
        let compares = quote!(fn(&f64, &f64) -> ::core::cmp::Ordering);
        self.only_of_std(p, &quote!(::core::cmp::#method::<f64, #compares>));
        let (a, b, f) = (&c.args[0], &c.args[1], &c.args[2]);
        let ordering = applied(&quote!(#f), &[quote!(&__first), quote!(&__second)]);
        let second = quote!((#ordering) != ::core::cmp::Ordering::Greater);
        let (then, els) = match name == "max_by" {
            true => (quote!(__second), quote!(__first)),
            false => (quote!(__first), quote!(__second)),
        };
        self.expr(&syn::parse_quote_spanned!(span=> {
            let (__first, __second) = (#a, #b);
            if #second { #then } else { #els }
        }))
    }

    /// A function of floats by its path, of std's or of a crate's.
    fn call_of_floats(&mut self, p: &syn::ExprPath, c: &syn::ExprCall, owner: &str) -> Option<Value> {
        let (last, span) = (last_name(p), c.span());
        if matches!(owner, "libm" | "num_traits") && c.args.iter().any(|a| self.act(a).any()) {
            let args = self.in_order(&c.args.iter().collect::<Vec<_>>(), &mut |l, _, a| l.expr(a));
            return self.crate_function(p, &args, span);
        }
        let (Base::Concrete(base) | Base::Generic(base)) = &self.base;
        (*base == owner || ["Float", "Real", "f64", "f32"].contains(&owner)).then_some(())?;
        let args = self.in_order(&c.args.iter().collect::<Vec<_>>(), &mut |l, _, a| l.expr(a));
        let value = self.float_function(p, &last, &args, span);
        Some(value.unwrap_or_else(|| {
            self.errors.unknown_method(p.span(), &last);
            Value::Poison
        }))
    }

    /// `f64::sum(items)`, `Iterator::product(items)`, `<f64 as Sum>::sum(items)`: the methods, where the paths are std's.
    fn total_by_path(&mut self, p: &syn::ExprPath, c: &syn::ExprCall) -> Option<syn::Expr> {
        let (last, items) = (last_name(p), c.args.first().filter(|_| c.args.len() == 1)?);
        let of_trait = if last == "sum" { format_ident!("Sum") } else { format_ident!("Product") };
        let owner = p.path.segments.iter().rev().nth(1)?.ident.to_string();
        let float = ["f64", "f32"].contains(&owner.as_str()) || of_trait == owner;
        if !["sum", "product"].contains(&last.as_str()) || !float && owner != "Iterator" || !self.is_chain(items) {
            return None;
        }
        let (Base::Concrete(base) | Base::Generic(base)) = &self.base;
        let name = format_ident!("{last}", span = c.span());
        let one = quote!(::core::option::IntoIter<f64>);
        let std = match float {
            true => quote!(<f64 as ::core::iter::#of_trait<f64>>::#name::<#one>),
            false => quote!(<#one as ::core::iter::Iterator>::#name::<f64>),
        };
        let total = syn::parse_quote_spanned!(c.span()=> #items.#name::<#base>());
        self.only_of_std(p, &std);
        Some(total)
    }

    /// `identity` or `black_box`, which give what they are given.
    fn only_identity(&mut self, path: &syn::ExprPath, name: &str) {
        match name {
            "identity" => self.only_of_std(path, &quote!(::core::convert::identity::<f64>)),
            _ => self.only_of_std(path, &quote!(::core::hint::black_box::<f64>)),
        }
    }

    /// `Clone::clone`, `Type::clone`, `ToOwned::to_owned`: the trait's, not a function of the type itself.
    fn only_copy(&mut self, path: &syn::ExprPath, name: &str) {
        let owner = path.path.segments.iter().rev().nth(1).map(|s| s.ident.to_string()).unwrap_or_default();
        let known = ["Vec", "Option", "Box", "Self"].contains(&owner.as_str());
        let name = Ident::new(name, path.span());
        let of = match owner.as_str() {
            "Clone" | "ToOwned" => quote!(f64 as),
            _ => quote!(_ as),
        };
        let of_trait = if name == "clone" { quote!(::core::clone::Clone) } else { quote!(::std::borrow::ToOwned) };
        if !known && path.qself.is_none() {
            self.only_of_std(path, &quote!(<#of #of_trait>::#name));
        }
    }

    /// A call of an annotated function.
    fn annotated(&mut self, path: &syn::ExprPath, args: &[&syn::Expr], span: Span) -> Value {
        if let Some(last) = path.path.segments.last().filter(|last| !is_associated(path) && is_followed(&last.ident)) {
            self.errors.followed_elsewhere(path.span(), &last.ident.to_string());
            return Value::Poison;
        }
        if let Some(last) = path.path.segments.last() {
            self.note_integers(&last.ident, args, false);
        }
        let taken = path.path.segments.last().map(|last| self.as_taken(&last.ident, args, false)).unwrap_or_default();
        let (args, handed) = self.call_args(taken.iter(), Vec::new());
        self.call_of(path, args, handed, span)
    }

    fn call_of(&mut self, path: &syn::ExprPath, args: Vec<CallArg>, handed: Vec<FunctionArg>, span: Span) -> Value {
        let mut plain = path.clone();
        if let Some(last) = plain.path.segments.last_mut() {
            last.arguments = syn::PathArguments::None;
        }
        if args.iter().any(|a| !matches!(a, CallArg::Passive(_) | CallArg::Lent(_))) {
            let lent: Vec<Var> = args.iter().filter_map(|a| self.lent_to(a)).collect();
            lent.into_iter().for_each(|root| self.activate_lent(root, span));
        }
        let callee = match is_associated(&plain) {
            true => self.lacking(&plain, &args).unwrap_or_else(|| self.associated(plain)),
            false => Callee::Function(self.handle_of(&plain, args.len())),
        };
        let written = match path.path.get_ident().and_then(|name| self.item_name(name)) {
            Some(name) => quote!(#name),
            None => quote!(#path),
        };
        self.result_of(Call { handed, ..Call::new(callee, written, args) }, &last_name(path), span)
    }

    /// Declares local values of a user's type that a call takes as ones that may carry a derivative: the tape keeps such values, and no others
    /// of the user's.
    pub fn keep_own_constants(&mut self, args: &[CallArg], span: Span) {
        let is_passive = |a: &CallArg| matches!(a, CallArg::Passive(_) | CallArg::Lent(_));
        if args.iter().all(is_passive) {
            return;
        }
        let names = |o: &PassiveCode, var: Var| {
            let name = &self.info(var).name;
            [quote!(#name), quote!(&#name), quote!(&(#name))]
                .iter()
                .any(|tokens| tokens.to_string() == o.tokens.to_string())
        };
        let own = |var: Var| {
            let name = syn::parse_str::<syn::Expr>(&self.info(var).hint).ok();
            name.zip(self.unannotated.as_ref()).is_some_and(|(name, known)| known.gives_own(&name))
        };
        let local = |arg: &CallArg| match arg {
            CallArg::Passive(o) if o.reads.len() == 1 => o.reads.first().copied(),
            _ => None,
        };
        let fits = |(o, var): (&CallArg, Var)| match o {
            CallArg::Passive(o) => self.fact(var).site.is_some() && names(o, var) && own(var),
            _ => false,
        };
        let kept: Vec<Var> = args.iter().filter_map(|a| local(a).filter(|var| fits((a, *var)))).collect();
        kept.into_iter().for_each(|var| self.activate(var, span));
    }

    /// What a call gives.
    pub fn result_of(&mut self, call: Call, hint: &str, span: Span) -> Value {
        self.keep_own_constants(&call.args, span);
        let known = || self.sibling(&call).map(|s| s.ty.clone());
        let known = known().or_else(|| self.real_part_of_complex(&call)).or_else(|| self.told_result(&call));
        let ty = self.jumps.expected.clone().filter(|_| known != Some(Ty::Float)).or(known).unwrap_or(Ty::Unknown);
        let ty = match (ty, &call.callee) {
            (Ty::Unknown, Callee::Associated(_)) => {
                let written = &call.written;
                self.struct_given(quote!(#written())).unwrap_or(Ty::Unknown)
            }
            (ty, _) => ty,
        };
        let lent: Vec<Var> = call.args.iter().filter_map(exclusive_root).collect();
        let left = self.left_by(&call);
        let name = callee_name(&call).filter(|_| !lent.is_empty());
        let is_answer = name.as_ref().is_some_and(|name| self.usefulness.is_answer(name));
        let counts = || name.as_ref().is_some_and(|name| gives_count(&name.to_string(), call.args.len()));
        let counts = !is_answer && ty == Ty::Unknown && counts();
        let ty = if is_answer || counts { Ty::Passive } else { ty };
        let gives_nothing = name.is_some_and(|name| gives_nothing(&name.to_string(), call.args.len()));
        let call = Call { gives_nothing, ..call };
        let var = self.bind(hint, span, ty, Expr::Call(call));
        let result = self.value_of(var);
        self.take_back(&[lent, left].concat(), var, span);
        if counts {
            let count = PassiveCode::var(var, self.info(var));
            let tokens = count.map(|count| quote!(if false { let _ = __d::integer(#count); }));
            self.emit(Stmt::Effect { tokens, writes: Default::default() });
        }
        result
    }

    /// What is known of the callee, if it stands in the same block.
    fn sibling(&self, call: &Call) -> Option<&Sibling> {
        let name = match (&call.callee, call.args.first()?) {
            (Callee::Method(name), CallArg::Ref(p) | CallArg::Mut(p)) => {
                let this = self.fact(p.root).receiver && p.path.is_empty();
                Some(name.unraw().to_string()).filter(|_| this)
            }
            (Callee::Associated(path), _) => {
                let segments = &path.path.segments;
                let own = path.qself.is_none() && segments.len() == 2 && segments[0].ident == "Self";
                segments.last().filter(|_| own).map(|s| s.ident.to_string())
            }
            _ => None,
        }?;
        self.owner.as_ref()?.functions.get(&name)
    }

    /// Whether the body declares a function of this name.
    fn has_inner(&self, name: &Ident) -> bool {
        let declares = |item: &TokenStream| syn::parse2(item.clone()).is_ok_and(|f: syn::ItemFn| f.sig.ident == *name);
        self.items.iter().any(declares)
    }

    /// What the only function of this name in the file gives, if that is made of floats.
    fn told_result(&self, call: &Call) -> Option<Ty> {
        let (Callee::Function(_), Base::Concrete(_)) = (&call.callee, &self.base) else { return None };
        let called: syn::Path = syn::parse2(call.written.clone()).ok()?;
        let name = called.get_ident().filter(|name| self.scope.get(name).is_none() && !self.has_inner(name))?;
        let ty = types::describe_variable(&inline::result_of(name)?, &self.base);
        is_of_numbers(&ty).then_some(ty)
    }

    fn associated(&mut self, path: syn::ExprPath) -> Callee {
        let path = of_the_type(path);
        if let Some(last) = path.path.segments.last() {
            self.known_by_its_type(&last.ident);
        }
        Callee::Associated(path)
    }

    /// Code that says what is wrong where a type has no derivative of this name.
    pub fn known_by_its_type(&mut self, name: &Ident) {
        self.item_once(unannotated(name));
        crate::frontend::arrays::complex::import(name).into_iter().for_each(|import| self.item_once(import));
        crate::frontend::arrays::nalgebra::import().into_iter().for_each(|import| self.item_once(import));
        crate::frontend::arrays::user_elements::import(name).into_iter().for_each(|import| self.item_once(import));
    }

    /// `receiver.method(args)`, of a method that only rustc knows.
    pub fn annotated_method(&mut self, receiver: Value, m: &syn::ExprMethodCall, exclusive: bool) -> Value {
        let span = m.method.span();
        let name = m.method.unraw();
        if let Some((owner, of)) = hidden_by_trait(&name.to_string()) {
            self.errors.two_methods(&name, &owner, &of);
            return Value::Poison;
        }
        let receiver = match receiver {
            Value::Active(_) | Value::Passive(_) => receiver.behind(Refs { depth: 1, exclusive }),
            Value::Tuple(_) | Value::Ref(_) => receiver,
            Value::Poison => return Value::Poison,
            _ => {
                self.errors.unknown_method(span, &m.method.to_string());
                return Value::Poison;
            }
        };
        let receiver = match receiver {
            Value::Passive(p) if !exclusive => CallArg::Passive(p.passive),
            other => self.call_arg_of(other, span),
        };
        let given: Vec<&syn::Expr> = m.args.iter().collect();
        self.note_integers(&m.method, &given, true);
        let taken = self.as_taken(&m.method, &given, true);
        let (args, handed) = self.call_args(taken.iter(), vec![receiver]);
        let lent: Vec<Var> = args.iter().filter_map(|a| self.lent_to(a)).collect();
        lent.into_iter().for_each(|root| self.activate_lent(root, span));
        let (name, turbofish) = (&m.method, &m.turbofish);
        let (callee, written) = self.lacking_method(m, &args).unwrap_or_else(|| {
            let name = &self.name_on(&m.receiver, name, &args);
            self.known_by_its_type(name);
            (Callee::Method(name.clone()), quote!(#name #turbofish))
        });
        let call = Call { handed, ..Call::new(callee, written, args) };
        let result = self.result_of(call, &name.to_string(), span);
        self.note_own(&result, || syn::Expr::MethodCall(m.clone()));
        result
    }

    /// Notes that a result is of a type of the module's.
    pub fn note_own(&mut self, result: &Value, of: impl FnOnce() -> syn::Expr) {
        if let (Value::Active(a), Some(known)) = (result, self.unannotated.clone())
            && a.place.path.is_empty()
            && self.ty_of(&a.place) == Ty::Unknown
            && matches!(self.fact(a.place.root).origin, Origin::Unknown)
            && known.gives_own(&of())
        {
            self.fact_mut(a.place.root).origin = Origin::Named;
        }
    }

    /// Whether a variable is taken for a constant that calls change.
    fn is_lent_only(&self, var: Var) -> bool {
        let name = &self.info(var).hint;
        self.scope.changes.lent_only.contains(name) || self.options.constant_locals.iter().any(|n| n == name)
    }

    /// A variable without derivative as an argument that the call may change.
    fn lend(&mut self, var: Var, borrow: PassiveCode) -> CallArg {
        self.info_mut(var).mutable = true;
        CallArg::Lent(borrow.map(|borrow| quote!(__d::lent_place(#borrow))))
    }

    /// The passive variable that a call may change through a reference which is held in another one.
    fn lent_to(&self, arg: &CallArg) -> Option<Var> {
        let (CallArg::Passive(o) | CallArg::Lent(o)) = arg else { return None };
        o.reads.iter().find_map(|v| self.fact(*v).lends)
    }

    /// Which of the functions that are called by handles this is, and whether it is called for the first time.
    pub fn callee_at(&mut self, path: &syn::ExprPath, arguments: usize) -> (usize, bool) {
        let callee = (path.to_token_stream().to_string(), arguments);
        let at = self.callees.iter().position(|known| *known == callee).unwrap_or(self.callees.len());
        let is_new = at == self.callees.len();
        is_new.then(|| self.callees.push(callee));
        (at, is_new)
    }

    /// A function's handle, under a name that diffi has a type for where there is none (`signature/unannotated.rs` in the runtime).
    fn handle_of(&mut self, path: &syn::ExprPath, arguments: usize) -> TokenStream {
        let span = path.path.segments.last().map_or_else(Span::call_site, |s| s.ident.span());
        if path.path.get_ident().is_some_and(|name| self.name.as_ref() == Some(name)) {
            return quote!(#path); // an import might find another function of this name
        }
        let (at, is_new) = self.callee_at(path, arguments);
        let name = format_ident!("__callee_{at}", span = span);
        if is_new {
            let (of, module) = (format_ident!("of_{arguments}"), format_ident!("n{at}"));
            let known = arguments <= MOST_ARGUMENTS && at < MOST_CALLEES;
            known.then(|| self.item_once(quote!(use __d::handles::#of::#module::*;)));
            let crates = path.path.get_ident().is_some_and(|name| CRATES.iter().any(|c| name == c));
            let here = crates.then(|| quote!(self::));
            self.item_once(quote!(use #here #path as #name;));
        }
        quote!(#name)
    }

    pub fn call_arg(&mut self, arg: &syn::Expr) -> CallArg {
        if self.is_passive(arg) && matches!(strip_parens(arg), syn::Expr::Closure(_)) {
            return CallArg::Passive(self.passive_code(arg));
        }
        let expected = self.jumps.expected.take();
        if let Some(lent) = self.lent_tuple(arg) {
            self.jumps.expected = expected;
            return lent;
        }
        if let Some(lent) = self.lent_by_some(arg) {
            self.jumps.expected = expected;
            return lent;
        }
        let borrow = matches!(strip_parens(arg), syn::Expr::Reference(r) if r.mutability.is_some());
        let value = match self.lent_part(arg) {
            Some(part) => part,
            None if self.is_passive(arg) || borrow => self.expr(arg),
            None => self.argument_value(arg),
        };
        let passive = self.is_passive(arg);
        self.jumps.expected = expected;
        if let Some(seen) = self.seen_as(arg, &value) {
            return self.view_argument(value, seen, arg.span());
        }
        match value {
            Value::Passive(p) if passive && p.refs.depth == 0 => CallArg::Passive(self.passive_code(arg)),
            Value::Maybe(maybe) if is_shared_borrow(arg) => self.option_behind_reference(&maybe, arg.span()),
            value => self.call_arg_of(value, arg.span()),
        }
    }

    fn argument_value(&mut self, arg: &syn::Expr) -> Value {
        match strip_parens(arg) {
            syn::Expr::Reference(r) => self.argument_value(&r.expr).borrowed(r.mutability.is_some()),
            e => self.active_value(e),
        }
    }

    pub fn call_arg_of(&mut self, value: Value, span: Span) -> CallArg {
        match value {
            Value::Active(a) => match a.refs {
                Refs { depth: 0, .. } => CallArg::Value(Operand::Place(a.place)),
                Refs { exclusive: true, .. } => {
                    self.refuse_element(a.place.root, span);
                    self.info_mut(a.place.root).mutable = true;
                    CallArg::Mut(a.place)
                }
                _ => CallArg::Ref(a.place),
            },
            Value::Tuple(_) if value.is_active() => CallArg::Value(self.whole(&value, span)),
            Value::Ref(_) if value.is_active() => match self.whole(&value, span) {
                Operand::Place(place) => CallArg::Ref(place),
                other => CallArg::Value(other),
            },
            Value::Passive(p) if p.refs.exclusive && self.is_lent_as_copy(&p) => self.lent_integer(p, span),
            Value::Passive(p) if p.refs.exclusive => {
                let root = p.root;
                let shown = PassiveCode { span, ..self.show(&Value::Passive(p), span) };
                match root {
                    Some(root) if self.is_lent_only(root) => self.lend(root, shown),
                    Some(root) => {
                        self.activate_lent(root, span);
                        CallArg::Passive(shown)
                    }
                    None => CallArg::Passive(shown),
                }
            }
            Value::Closure(_) => {
                self.errors.closure_argument(span);
                CallArg::Passive(PassiveCode::literal(quote!(())))
            }
            Value::Maybe(maybe) => self.option_argument(&maybe, span),
            Value::Chain(chain) => self.listed(chain, span),
            Value::Queue(_) => {
                self.errors.unsupported(span, "this argument", "pass numbers, slices or arrays");
                CallArg::Passive(PassiveCode::literal(quote!(())))
            }
            value => CallArg::Passive(self.show(&value, span)),
        }
    }
}

/// `&value`.
fn is_shared_borrow(arg: &syn::Expr) -> bool {
    matches!(strip_parens(arg), syn::Expr::Reference(r) if r.mutability.is_none())
}

/// `Type::name`, `<Type as Trait>::name`: types begin with a capital letter.
pub fn is_associated(path: &syn::ExprPath) -> bool {
    let types = path.path.segments.iter().rev().skip(1);
    path.qself.is_some() || types.rev().any(|s| is_type_name(&s.ident))
}

/// `<Type>::name` of `<Type as Trait>::name`, if the trait has no derivative functions.
fn of_the_type(mut path: syn::ExprPath) -> syn::ExprPath {
    let Some(qself) = &mut path.qself else { return path };
    let of_trait = qself.position.checked_sub(1).and_then(|at| path.path.segments.get(at));
    if of_trait.is_some_and(|of| is_plain_trait(&of.ident)) {
        path.path.segments = path.path.segments.into_iter().skip(qself.position).collect();
        path.path.leading_colon = Some(Default::default());
        qself.position = 0;
        qself.as_token = None;
    }
    path
}

fn is_type_name(name: &Ident) -> bool {
    let name = name.to_string();
    name.starts_with(char::is_uppercase) || ["f32", "f64"].contains(&&name[..])
}

/// The name of what is called, if it is one.
fn callee_name(call: &Call) -> Option<Ident> {
    match &call.callee {
        Callee::Method(name) => Some(name.clone()),
        Callee::Associated(path) => path.path.segments.last().map(|s| s.ident.clone()),
        Callee::Function(_) => syn::parse2::<syn::ExprPath>(call.written.clone())
            .ok()
            .and_then(|p| p.path.segments.last().map(|s| s.ident.clone())),
        Callee::Parameter(_) | Callee::With(_) => None,
    }
}

/// The variable that a call may change.
fn exclusive_root(arg: &CallArg) -> Option<Var> {
    match arg {
        CallArg::Mut(place) => Some(place.root),
        _ => None,
    }
}

/// The last name before the function's, or the type in brackets: `Float` of `num_traits::Float::sin`, `f64` of `<f64>::sin`.
fn owner_of(p: &syn::ExprPath) -> String {
    let before = p.path.segments.iter().rev().nth(1).map(|s| s.ident.to_string());
    let bracketed = || match p.qself.as_ref().map(|q| &*q.ty) {
        Some(syn::Type::Path(ty)) => ty.path.get_ident().map(ToString::to_string),
        _ => None,
    };
    before.or_else(bracketed).unwrap_or_default()
}

/// The last segment of a path.
pub fn last_name(p: &syn::ExprPath) -> String {
    p.path.segments.last().map(|s| s.ident.clone()).map_or_else(String::new, |i: Ident| i.to_string())
}
