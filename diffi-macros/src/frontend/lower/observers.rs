//! Macros that look at their arguments, `assert!`, `println!`, `dbg!`: what the arguments do besides is done before, once and in order.
//!
//! `assert!(shrink(&mut v))` is `{ let observed = shrink(&mut v); assert!(observed) }`, and `dbg!(f(x))` prints what it gives. By its
//! text alone a macro is opened before lowering, so that every pass sees what its arguments change; by what names stand for, later.

use crate::frontend::lower::failing_macros::{failing, is_opened};
use crate::frontend::state::context::Lower;
use crate::frontend::state::jumps::Dest;
use crate::frontend::state::value::{Scope, Value};
use crate::frontend::syntax::heads::head;
use crate::frontend::syntax::passive_code::captured;
use crate::frontend::syntax::writes::{self, Matches};
use crate::frontend::syntax::{cuts, effects};
use crate::support::names;
use crate::support::syntax::strip_parens;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::ops::Range;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

type Args = Punctuated<syn::Expr, syn::Token![,]>;

/// A macro that looks at its arguments, of which the first are evaluated in any case, and the others only for the message of a panic.
struct Observer {
    name: String,
    mac: syn::Macro,
    args: Vec<syn::Expr>,
    always: Range<usize>,
}

impl Observer {
    fn of(mac: &syn::Macro) -> Option<Self> {
        let name = mac.path.segments.last()?.ident.to_string();
        let args: Vec<syn::Expr> = mac.parse_body_with(Args::parse_terminated).ok()?.into_iter().collect();
        let always = match name.trim_start_matches("debug_") {
            "assert" => 0..1,
            "assert_eq" | "assert_ne" => 0..2,
            "write" | "writeln" => 1..args.len(),
            _ => 0..args.len(),
        };
        Some(Observer { name, mac: mac.clone(), always: always.start..always.end.min(args.len()), args })
    }

    fn is_debug(&self) -> bool {
        self.name.starts_with("debug_")
    }

    /// The same, with the arguments that change something in front of it; an argument where that is not possible.
    fn opened(self, changes: &dyn Fn(&syn::Expr) -> bool) -> Option<Result<syn::Expr, Span>> {
        let last = self.args.iter().rposition(|arg| changes(value_of(arg)))?;
        let debug = self.is_debug();
        let open = match self.always.contains(&last) && !self.args[..self.always.start].iter().any(changes) {
            true => self.looking_back(last),
            false => match self.told_at_last(changes) {
                Some(open) => open,
                None => return Some(Err(self.args[last].span())),
            },
        };
        let only = || syn::parse_quote_spanned!(open.span()=> if ::core::cfg!(debug_assertions) { #open });
        Some(Ok(if debug { only() } else { open }))
    }

    /// `{ let a = .., b = ..; macro!(a, b, c) }`.
    fn looking_back(mut self, last: usize) -> syn::Expr {
        self.say_what();
        let always = self.always.start..last + 1;
        let before: Vec<syn::Stmt> =
            self.args[always].iter_mut().enumerate().filter_map(|(k, arg)| named(value_of_mut(arg), k)).collect();
        let (mac, args) = (&mut self.mac, &self.args);
        if let Some(name) = mac.path.segments.last_mut() {
            name.ident = syn::Ident::new(name.ident.to_string().trim_start_matches("debug_"), name.ident.span());
        }
        mac.tokens = quote!(#(#args),*);
        let valued = names::is_format(&self.name) || self.name.starts_with("write") || effects::panics(mac);
        let end = (!valued).then(<syn::Token![;]>::default);
        syn::parse_quote_spanned!(mac.path.span()=> { #(#before)* #mac #end })
    }

    /// `assert!(c)` says what `c` is.
    fn say_what(&mut self) {
        if self.name.ends_with("assert") && self.args.len() == 1 {
            let text = format!("assertion failed: {}", self.args[0].to_token_stream());
            self.args.extend([syn::parse_quote!("{}"), syn::parse_quote!(#text)]);
        }
    }

    /// `assert!(c, "{}", f(&mut v))`, whose message changes something, as a branch that panics.
    fn told_at_last(&self, changes: &dyn Fn(&syn::Expr) -> bool) -> Option<syn::Expr> {
        if !self.name.ends_with("assert") || self.args.len() < 2 {
            return None;
        }
        let (holds, message) = (head(&self.args[0]), &self.args[1..]);
        let span = self.mac.path.span();
        let told: syn::Expr = syn::parse_quote_spanned!(span=> ::core::panic!(#(#message),*));
        let told = opened(&told, changes).and_then(Result::ok)?;
        Some(syn::parse_quote_spanned!(span=> if #holds {} else { #told }))
    }
}

/// A macro behind the variables that its arguments are evaluated to; none where they are only read.
fn opened(macro_expr: &syn::Expr, changes: &dyn Fn(&syn::Expr) -> bool) -> Option<Result<syn::Expr, Span>> {
    let syn::Expr::Macro(syn::ExprMacro { mac, .. }) = macro_expr else { return None };
    match mac.path.segments.last()?.ident.to_string().as_str() {
        "dbg" => printed(mac).map(Ok),
        "constant" => cuts::call_of(mac).map(Ok),
        "matches" => {
            let Matches(matched) = mac.parse_body().ok()?;
            let matched = syn::Expr::Match(matched);
            changes(&matched).then_some(Ok(matched))
        }
        name if names::is_observer(name) => Observer::of(mac)?.opened(changes),
        _ => None,
    }
}

/// `dbg!(a, b)` as the values, which are printed when all of them are there.
fn printed(mac: &syn::Macro) -> Option<syn::Expr> {
    let args = mac.parse_body_with(Args::parse_terminated).ok()?;
    let span = mac.path.span();
    let place = quote_spanned!(span=> ::core::file!(), ::core::line!(), ::core::column!());
    if args.is_empty() {
        return Some(syn::parse_quote_spanned!(span=> ::std::eprintln!("[{}:{}:{}]", #place)));
    }
    let name = |k: usize| format_ident!("__observed_{k}", span = args[k].span());
    let lets = args.iter().enumerate().map(|(k, arg)| {
        let (name, text) = (name(k), arg.to_token_stream().to_string());
        let printing = quote_spanned!(span=> ::std::eprintln!("[{}:{}:{}] {} = {:#?}", #place, #text, &#name););
        quote_spanned!(arg.span()=> let #name = #arg; #printing)
    });
    let names = (0..args.len()).map(name);
    let value = if args.len() == 1 { quote!(#(#names)*) } else { quote!((#(#names),*)) };
    Some(syn::parse_quote_spanned!(span=> { #(#lets)* #value }))
}

/// `info!("{}", y)` as the text, which is made first, and the macro that writes it: what a macro of this name does with its arguments
/// is not known, and text carries no derivative.
fn logged(mac: &syn::Macro) -> Option<syn::Expr> {
    let (before, rest) = around_target(mac.tokens.clone());
    let args = Args::parse_terminated.parse2(rest).ok().filter(|_| names::is_logging(mac))?;
    let Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(format), .. })) = args.first() else { return None };
    let span = mac.path.span();
    let text = format_ident!("__observed_text", span = span);
    if args.len() == 1 && captured(&format.value()).is_empty()
        || args.iter().any(|arg| matches!(arg, syn::Expr::Path(p) if p.path.is_ident(&text)))
    {
        return None;
    }
    let path = &mac.path;
    Some(syn::parse_quote_spanned!(span=> { let #text = ::std::format!(#args); #path!(#before "{}", #text); }))
}

/// `target: "name",` of the arguments of such a macro, and what follows.
fn around_target(tokens: TokenStream) -> (TokenStream, TokenStream) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is_comma = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ',');
    let end = match &trees[..] {
        [TokenTree::Ident(_), TokenTree::Punct(colon), ..] if colon.as_char() == ':' => {
            trees.iter().position(is_comma).map_or(0, |at| at + 1)
        }
        _ => 0,
    };
    (trees[..end].iter().cloned().collect(), trees[end..].iter().cloned().collect())
}

/// The value of `name = value`.
fn value_of(arg: &syn::Expr) -> &syn::Expr {
    if let syn::Expr::Assign(named) = arg { &named.right } else { arg }
}

fn value_of_mut(arg: &mut syn::Expr) -> &mut syn::Expr {
    if let syn::Expr::Assign(named) = arg { &mut named.right } else { arg }
}

/// `let name = value;`, where a macro takes a reference to the value; a place stays where it is.
fn named(value: &mut syn::Expr, k: usize) -> Option<syn::Stmt> {
    if matches!(strip_parens(value), syn::Expr::Path(_) | syn::Expr::Lit(_)) {
        return None;
    }
    let name = format_ident!("__observed_{k}", span = value.span());
    let (seen, looked_at) = match is_place(value) {
        true => (quote!(&#value), quote!(*#name)),
        false => (value.to_token_stream(), quote!(#name)),
    };
    *value = syn::parse_quote!(#looked_at);
    Some(syn::parse_quote_spanned!(name.span()=> let #name = #seen;))
}

fn is_place(e: &syn::Expr) -> bool {
    match strip_parens(e) {
        syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Index(_) => true,
        syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)),
        _ => false,
    }
}

/// A block whose macros are opened where their text tells that an argument changes something.
pub fn opened_block(block: &syn::Block) -> syn::Block {
    let mut block = block.clone();
    Opening.visit_block_mut(&mut block);
    block
}

struct Opening;

impl Opening {
    fn open(&mut self, macro_expr: &syn::Expr) -> Option<syn::Expr> {
        let scope = Scope::default();
        let changes = |arg: &syn::Expr| !effects::of_expr(&scope, arg).writes.is_empty();
        opened(macro_expr, &changes).and_then(Result::ok)
    }
}

impl VisitMut for Opening {
    fn visit_stmt_mut(&mut self, stmt: &mut syn::Stmt) {
        if let syn::Stmt::Macro(m) = stmt
            && let Some(open) = logged(&m.mac).or_else(|| failing(&m.mac))
        {
            *stmt = syn::Stmt::Expr(open, m.semi_token);
        }
        if let syn::Stmt::Macro(m) = stmt
            && let Some(open) = self.open(&syn::Expr::Macro(syn::ExprMacro { attrs: Vec::new(), mac: m.mac.clone() }))
        {
            *stmt = syn::Stmt::Expr(open, m.semi_token);
        }
        visit_mut::visit_stmt_mut(self, stmt);
    }

    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        if is_opened(expr) {
            return;
        }
        if let syn::Expr::Macro(m) = expr
            && let Some(open) = failing(&m.mac)
        {
            *expr = open;
        } else if let Some(open) = self.open(expr) {
            *expr = open;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Lower {
    /// Whether evaluating an argument does more than to read active values, by what its names stand for.
    pub fn argument_changes(&self, arg: &syn::Expr) -> bool {
        let writes = effects::of_expr(&self.scope, arg).writes;
        self.runs_iterator(arg)
            || !writes.is_empty() && (!self.all_passive(&writes) || self.mentions_active(&self.passive_code(arg)))
    }

    /// Whether a method is called on an iterator in a variable.
    fn runs_iterator(&self, arg: &syn::Expr) -> bool {
        struct Runs<'a>(&'a Scope, bool);
        impl<'a> Visit<'a> for Runs<'_> {
            fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
                let value = writes::root_name(&m.receiver).and_then(|name| self.0.get(name));
                self.1 |= matches!(value, Some(Value::Chain(_)));
                visit::visit_expr_method_call(self, m);
            }
        }
        let mut runs = Runs(&self.scope, false);
        runs.visit_expr(arg);
        runs.1
    }

    /// A macro behind the variables that its arguments are evaluated to; none where they are only read.
    pub fn observed(&mut self, mac: &syn::Macro) -> Option<Value> {
        let whole = syn::Expr::Macro(syn::ExprMacro { attrs: Vec::new(), mac: mac.clone() });
        let open = opened(&whole, &|arg| self.argument_changes(arg))?;
        Some(match open {
            Ok(syn::Expr::Block(open)) => self.block_in_scope(&open.block, Dest::Value),
            Ok(syn::Expr::If(open)) => self.stmt(&syn::Stmt::Expr(open.into(), Some(Default::default()))),
            Ok(open) => self.expr(&open),
            Err(span) => self.refuse_change(mac, span),
        })
    }

    /// Refuses an argument that changes what carries derivatives.
    pub fn refuse_change(&mut self, mac: &syn::Macro, span: Span) -> Value {
        let name = mac.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        let what = format!("an argument of `{name}!` that changes an active value");
        self.errors.order(span, &what, &format!("take the value with `let` before the `{name}!`"));
        Value::Poison
    }
}
