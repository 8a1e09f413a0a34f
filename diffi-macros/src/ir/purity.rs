//! What may be assumed of passive tokens.

use crate::ir::{Base, PassiveCode};
use crate::support::hash::HashSet;
use crate::support::names;
use crate::support::syntax::strip_parens;
use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// Methods that give the same value each time and cost next to nothing.
pub const PLAIN: &[&str] = &[
    "len",
    "is_empty",
    "min",
    "max",
    "abs",
    "saturating_sub",
    "saturating_add",
    "wrapping_sub",
    "wrapping_add",
    "rem_euclid",
    "div_ceil",
    "pow",
    "is_nan",
    "is_finite",
    "is_sign_negative",
    "is_sign_positive",
    "clamp",
    "nrows",
    "ncols",
    "signum",
    "size_hint",
    "floor",
    "ceil",
    "round",
    "trunc",
    "unsigned_abs",
    "to_radians",
    "count_ones",
    "is_power_of_two",
    "not",
    "recip",
    "first",
    "last",
    "unwrap",
    "expect",
    "unwrap_or",
    "as_ref",
    "as_deref",
    "as_slice",
    "as_str",
    "copied",
    "is_some",
    "is_none",
];

/// Whether passive code is `option.unwrap()`, what an option in a variable holds.
pub fn is_content(o: &PassiveCode) -> bool {
    let trees: Vec<TokenTree> = o.tokens.clone().into_iter().collect();
    matches!(&trees[..], [TokenTree::Ident(_), TokenTree::Punct(dot), TokenTree::Ident(unwrap), TokenTree::Group(none)]
        if dot.as_char() == '.' && unwrap == "unwrap" && none.stream().is_empty())
}

/// Whether passive code takes the shape of a value: `{ use ..; (&value).__like().mold() }`.
pub fn is_mold(o: &PassiveCode) -> bool {
    o.tokens.to_string().contains("Molded as _")
}

/// The same code with memory of a pool: `{ use ..; (&value).__like().mold(&mut pool) }`.
pub fn molded_in(o: &PassiveCode, pool: &TokenStream) -> TokenStream {
    let inner = o.tokens.clone().into_iter().flat_map(|tree| match tree {
        TokenTree::Group(block) => block.stream(),
        other => other.into(),
    });
    let mut inner: Vec<TokenTree> = inner.collect();
    inner.pop(); // `()`
    let inner: TokenStream = inner.into_iter().collect();
    quote!({ #inner (&mut #pool) })
}

/// The function through which answers of users' types go.
pub const ANSWER: &str = "answer";

/// The function through which numbers go that may be references.
const GIVEN: &str = "given";

/// The function that finds an item.
const ITEM: &str = "walked_item";

/// What shows whether a value is a reference.
const TAKEN_APART: &str = "TakenApart";
/// The method that takes a part out of it.
pub const PART: &str = "taken_part";

/// The items of an iterator, which are found by their numbers.
pub fn items(iterator: &TokenStream) -> TokenStream {
    quote!({ use __d::{ ByCollection as _, ByElements as _, BySlice as _ }; let iterator = #iterator; __d::ItemsOf::new(&iterator).items(iterator) })
}

/// The iterator of [`items`].
fn walked(o: &PassiveCode) -> Option<syn::Expr> {
    let Ok(syn::Expr::Block(b)) = syn::parse2(o.tokens.clone()) else { return None };
    let [_, syn::Stmt::Local(local), syn::Stmt::Expr(syn::Expr::MethodCall(last), None)] = &b.block.stmts[..] else {
        return None;
    };
    let items = matches!(&*last.receiver, syn::Expr::Call(c) if c.func.to_token_stream().to_string().ends_with("ItemsOf :: new"));
    items.then(|| local.init.as_ref().map(|init| (*init.expr).clone())).flatten()
}

/// The item of a number.
pub fn item(items: &TokenStream, k: &TokenStream) -> TokenStream {
    quote!((*__d::walked_item(&#items, #k)))
}

/// Whether an expression is an [`item`] by itself: a copy of it, where it is a value.
pub fn is_item(tokens: &TokenStream) -> bool {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(whole)), None) => {
            let trees: Vec<TokenTree> = whole.stream().into_iter().collect();
            matches!(&trees[..], [TokenTree::Punct(star), .., TokenTree::Ident(name), TokenTree::Group(_)]
                if star.as_char() == '*' && name == ITEM)
        }
        _ => false,
    }
}

/// Whether the tokens are a value of any type, which nobody reads: [`blank`] or [`blank_of`] a type.
pub fn is_blank(tokens: &TokenStream) -> bool {
    let text = tokens.to_string().replace(' ', "");
    text.ends_with("::default::Default::default()") || text.starts_with("{use__d::{ByDefault")
}

/// Whether the expression may be evaluated a second time in place of keeping its value: literals,
/// variables, arithmetic, comparisons, casts, indexing and a few cheap methods.
pub fn repeatable(o: &PassiveCode) -> bool {
    plain(o.tokens.clone())
}

/// Whether it is one of several values that are [`repeatable`], by conditions that are, and nothing else is done.
pub fn is_choice(o: &PassiveCode) -> bool {
    syn::parse2(o.tokens.clone()).is_ok_and(|expr| chosen(&expr))
}

fn chosen(expr: &syn::Expr) -> bool {
    let only = |block: &syn::Block| matches!(&block.stmts[..], [syn::Stmt::Expr(e, None)] if chosen(e));
    match strip_parens(expr) {
        syn::Expr::If(i) => {
            let condition = !matches!(*i.cond, syn::Expr::Let(_)) && plain(i.cond.to_token_stream());
            condition && only(&i.then_branch) && i.else_branch.as_ref().is_some_and(|(_, other)| chosen(other))
        }
        syn::Expr::Block(b) => b.label.is_none() && only(&b.block),
        other => plain(other.to_token_stream()),
    }
}

/// Whether evaluating it cannot fail, even where the user's function never comes to it: nothing is looked up in a list or taken away, and
/// divisors are written numbers.
pub fn cannot_fail(o: &PassiveCode) -> bool {
    fn tokens(all: TokenStream) -> bool {
        let trees: Vec<TokenTree> = all.into_iter().collect();
        trees.iter().enumerate().all(|(at, tree)| match tree {
            TokenTree::Group(g) => g.delimiter() == Delimiter::Parenthesis && tokens(g.stream()),
            TokenTree::Punct(p) if p.as_char() == '/' => matches!(trees.get(at + 1), Some(TokenTree::Literal(_))),
            TokenTree::Punct(p) => matches!(p.as_char(), '+' | '*' | '.'),
            TokenTree::Ident(_) | TokenTree::Literal(_) => true,
        })
    }
    repeatable(o) && tokens(o.tokens.clone())
}

/// The same, where structs and variants are made besides: `Grid { nx: 3, ny: 4 }`, `[Step::Turn(2), Step::Stop]`. Such a value is
/// made once more; it is not taken for another variable that was made alike, as its type need not be `Copy`.
pub fn constructs(o: &PassiveCode) -> bool {
    let is_type = |name: &Ident| name.to_string().starts_with(char::is_uppercase);
    is_plain(o.tokens.clone(), &[], &|name, parts| is_type(name) || names_fields(parts))
}

/// The same, where functions of a type make a value besides, `Xorshift::new(7)`. They may be called once more where nobody looks at the
/// value.
pub fn makes(o: &PassiveCode) -> bool {
    is_plain(o.tokens.clone(), &[], &|name, parts| is_maker(name) || names_fields(parts))
}

/// Whether a name is that of a type, or of a function that makes a value of one.
pub(super) fn is_maker(name: &Ident) -> bool {
    const MAKERS: &[&str] = &["new", "from_", "seed", "with_seed", "default", "rng", "thread_rng"];
    let name = name.to_string();
    name.starts_with(char::is_uppercase) || MAKERS.iter().any(|maker| name.starts_with(maker))
}

/// `{ field: .. }`: the parts of a struct, whatever its name looks like; a block does not begin like this.
pub(super) fn names_fields(parts: &Group) -> bool {
    let mut trees = parts.stream().into_iter();
    let first = (trees.next(), trees.next());
    let named = matches!(first, (Some(TokenTree::Ident(_)), Some(TokenTree::Punct(p))) if p.as_char() == ':' && p.spacing() == Spacing::Alone);
    named && parts.delimiter() == Delimiter::Brace
}

/// The same as [`repeatable`], where parts are looked for that cannot be kept, as they are lent.
pub fn looks_up(o: &PassiveCode) -> bool {
    is_plain(o.tokens.clone(), LOOKING, &|_, _| false)
}

pub(super) fn plain(tokens: TokenStream) -> bool {
    is_plain(tokens, &[], &|_, _| false)
}

/// `others`: methods that are plain here; `makes`: whether what a name stands in front of, in parentheses or braces, are the parts of a value.
pub(super) fn is_plain(tokens: TokenStream, others: &[&str], makes: &dyn Fn(&Ident, &Group) -> bool) -> bool {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    (0..trees.len()).all(|at| match &trees[at] {
        TokenTree::Group(group) => {
            let made = at > 0 && matches!(&trees[at - 1], TokenTree::Ident(name) if makes(name, group));
            let called = at > 0 && group.delimiter() == Delimiter::Parenthesis && is_name(&trees[at - 1]);
            let method = at > 1 && is_dot(&trees[at - 2]);
            let is_plain_name = |name: &str| PLAIN.contains(&name) || others.contains(&name);
            let plain_one = |t: &TokenTree| matches!(t, TokenTree::Ident(i) if is_plain_name(&i.to_string()));
            let answer = |t: &TokenTree| matches!(t, TokenTree::Ident(i) if [ANSWER, GIVEN, ITEM, TAKEN_APART, PART].iter().any(|known| i == known));
            let known = || (method && plain_one(&trees[at - 1])) || answer(&trees[at - 1]) || is_extreme(&trees[..at]);
            let allowed = made || group.delimiter() != Delimiter::Brace && (!called || known());
            allowed && is_plain(group.stream(), others, makes)
        }
        TokenTree::Punct(p) => {
            !matches!(p.as_char(), '?' | ';' | '#') && !is_closure(&trees, at) && !is_macro(&trees, at)
        }
        TokenTree::Ident(_) | TokenTree::Literal(_) => true,
    })
}

/// `core::cmp::max`, `core::cmp::min`.
fn is_extreme(path: &[TokenTree]) -> bool {
    let texts: Vec<String> = path.iter().rev().take(4).map(TokenTree::to_string).collect();
    matches!(&texts[..], [name, colon, _, module] if (name == "max" || name == "min") && colon == ":" && module == "cmp")
}

fn is_name(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Ident(i) if !["as", "in", "if", "return", "match"].contains(&i.to_string().as_str()))
}

fn is_dot(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(p) if p.as_char() == '.')
}

/// A `|` that no operand precedes.
fn is_closure(trees: &[TokenTree], at: usize) -> bool {
    let bar = matches!(&trees[at], TokenTree::Punct(p) if p.as_char() == '|');
    bar && (at == 0 || matches!(&trees[at - 1], TokenTree::Punct(p) if p.as_char() != '|'))
}

/// `name!(..)`, but not `name != ..` and not `!flag`.
fn is_macro(trees: &[TokenTree], at: usize) -> bool {
    let bang = matches!(&trees[at], TokenTree::Punct(p) if p.as_char() == '!');
    let after_name = at > 0 && is_name(&trees[at - 1]);
    let before_group = matches!(trees.get(at + 1), Some(TokenTree::Group(_)));
    bang && after_name && before_group
}

/// `&place`, or the same in parentheses.
pub fn is_borrow(tokens: &TokenStream) -> bool {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Punct(sign)), _) => sign.as_char() == '&',
        (Some(TokenTree::Group(group)), None) => is_borrow(&group.stream()),
        _ => false,
    }
}

/// Methods whose items are references into their receiver.
const LENDING: &[&str] =
    &["iter", "keys", "values", "lines", "split_whitespace", "chars", "bytes", "rows", "columns", "outer_iter"];

/// Whether the expression gives the [`items`] of a place, which are references into it: these cannot be kept, and are found again as
/// they were.
pub fn collects_parts(o: &PassiveCode) -> bool {
    let mentioned = |tree| matches!(tree, TokenTree::Group(g) if mentions_items(g.stream()));
    o.tokens.clone().into_iter().any(mentioned) && walked(o).is_some_and(|iterator| lends(&iterator))
}

fn mentions_items(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| matches!(tree, TokenTree::Ident(name) if name == "ItemsOf"))
}

/// `&place`, `place.iter()`, and `*&place`: a copy of a reference.
pub(super) fn lends(expr: &syn::Expr) -> bool {
    match strip_parens(expr) {
        syn::Expr::Reference(r) => r.mutability.is_none() && is_part(&r.expr),
        syn::Expr::Unary(u) => match &*u.expr {
            syn::Expr::Reference(_) => lends(&u.expr),
            inner => matches!(u.op, syn::UnOp::Deref(_)) && is_walked_item(inner),
        },
        syn::Expr::MethodCall(m) => m.args.is_empty() && LENDING.iter().any(|n| m.method == n) && is_part(&m.receiver),
        _ => false,
    }
}

/// An [`item`] of items that are found again themselves.
fn is_walked_item(expr: &syn::Expr) -> bool {
    let syn::Expr::Call(c) = expr else { return false };
    matches!(&*c.func, syn::Expr::Path(p) if p.path.segments.last().is_some_and(|last| last.ident == ITEM))
}

/// A variable, or a part of one that its fields and plain indices find.
fn is_part(expr: &syn::Expr) -> bool {
    match strip_parens(expr) {
        syn::Expr::Path(p) => p.path.get_ident().is_some(),
        syn::Expr::Field(f) => is_part(&f.base),
        syn::Expr::Index(i) => is_part(&i.expr) && is_plain(i.index.to_token_stream(), LOOKING, &|_, _| false),
        syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && is_part(&u.expr),
        syn::Expr::Reference(r) => r.mutability.is_none() && is_part(&r.expr),
        _ => false,
    }
}

/// Methods that only look at their receiver.
pub(super) const LOOKING: &[&str] = &[
    "iter",
    "get",
    "first",
    "last",
    "contains",
    "contains_key",
    "keys",
    "values",
    "to_vec",
    "to_string",
    "clone",
    "as_slice",
    "as_ref",
    "as_str",
    "chunks",
    "chunks_exact",
    "windows",
    "split_at",
    "binary_search",
    "starts_with",
    "ends_with",
    "is_some",
    "is_none",
    "chars",
    "bytes",
];

/// Whether the expression calls a method on the variable that may change it.
pub fn may_change(o: &PassiveCode, variable: &Ident) -> bool {
    calls_unknown(o.tokens.clone(), variable)
}

fn calls_unknown(tokens: TokenStream, variable: &Ident) -> bool {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    (0..trees.len()).any(|at| match &trees[at] {
        TokenTree::Ident(i) if i == variable => is_unknown_call(&trees[at + 1..]),
        TokenTree::Group(g) if is_place(g.stream(), variable) => is_unknown_call(&trees[at + 1..]),
        TokenTree::Group(g) => calls_unknown(g.stream(), variable),
        _ => false,
    })
}

/// `*x` or `&mut x`.
fn is_place(tokens: TokenStream, variable: &Ident) -> bool {
    let mut trees: Vec<TokenTree> = tokens.into_iter().collect();
    let last = trees.pop();
    let sign = |t: &TokenTree| matches!(t, TokenTree::Punct(_)) || matches!(t, TokenTree::Ident(i) if i == "mut");
    matches!(last, Some(TokenTree::Ident(i)) if i == *variable) && trees.iter().all(sign)
}

/// `.method(..)`, perhaps of an element or a field.
fn is_unknown_call(after: &[TokenTree]) -> bool {
    match after {
        [TokenTree::Group(g), rest @ ..] if g.delimiter() == Delimiter::Bracket => is_unknown_call(rest),
        [TokenTree::Punct(dot), TokenTree::Ident(name), rest @ ..] if dot.as_char() == '.' => {
            let called = matches!(rest.first(), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
            match called {
                true => !is_look(name),
                false => is_unknown_call(rest),
            }
        }
        _ => false,
    }
}

/// What a variable holds before its first value.
pub fn blank() -> PassiveCode {
    PassiveCode::literal(quote!(::core::default::Default::default()))
}

/// The same, for a written type, which need not have a `Default`.
pub fn blank_of(ty: &TokenStream, base: &Base) -> PassiveCode {
    let (Base::Concrete(float) | Base::Generic(float)) = base;
    PassiveCode::literal(quote!({ use __d::{ ByDefault as _, ByParts as _ }; __d::Blank::<#ty, #float>::NEW.value() }))
}

/// Methods that only look at what they are called on.
pub fn is_look(method: &Ident) -> bool {
    let name = method.to_string();
    let leads = name.starts_with(names::MAYBE) && !name.starts_with(names::MAYBE_MUT);
    leads || only_looks(method) || PLAIN.iter().any(|name| method == name)
}

/// Whether methods of std's containers of this name only look at them. (A type of the user's may have a `clamp` that changes it.)
pub fn only_looks(method: &Ident) -> bool {
    LOOKING.iter().any(|name| method == name)
}

/// Whether the expression makes a vector or an array, as far as its text tells.
pub fn is_container(o: &PassiveCode) -> bool {
    let first = o.tokens.clone().into_iter().next();
    if matches!(first, Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Bracket) {
        return true;
    }
    const MAKERS: &[&str] = &["vec", "Vec", "collect", "to_vec", "to_owned"];
    if may_make(o.tokens.clone()) && syn::parse2::<syn::Expr>(o.tokens.clone()).is_ok_and(|e| is_aggregate(&e)) {
        return true;
    }
    // a maker inside of an argument says nothing of the whole
    o.tokens.clone().into_iter().any(|t| matches!(t, TokenTree::Ident(i) if MAKERS.contains(&i.to_string().as_str())))
}

/// Whether there is anything in an expression by which it could [make an array or a struct](is_aggregate): it is only parsed then.
fn may_make(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(name) => name.to_string().starts_with(char::is_uppercase),
        TokenTree::Punct(sign) => sign.as_char() == '!',
        TokenTree::Group(group) => group.delimiter() != Delimiter::Parenthesis || may_make(group.stream()),
        TokenTree::Literal(_) => false,
    })
}

/// Whether an expression is plainly an array, or may be a struct, whichever way it goes.
fn is_aggregate(e: &syn::Expr) -> bool {
    let tail = |block: &syn::Block| match block.stmts.split_last() {
        Some((syn::Stmt::Expr(syn::Expr::Path(name), None), before)) => names_an_aggregate(&name.path, before),
        Some((syn::Stmt::Expr(e, None), _)) => is_aggregate(e),
        _ => false,
    };
    match e {
        syn::Expr::Array(_) | syn::Expr::Repeat(_) | syn::Expr::Struct(_) => true,
        syn::Expr::Macro(m) => m.mac.path.segments.last().is_some_and(|s| s.ident == "array"),
        syn::Expr::Call(c) => matches!(&*c.func, syn::Expr::Path(p) if names_a_type(&p.path)),
        syn::Expr::MethodCall(m) => is_aggregate(&m.receiver),
        syn::Expr::Paren(p) => is_aggregate(&p.expr),
        syn::Expr::Block(b) => tail(&b.block),
        syn::Expr::If(i) => tail(&i.then_branch) || i.else_branch.as_ref().is_some_and(|(_, e)| is_aggregate(e)),
        syn::Expr::Match(m) => m.arms.iter().any(|a| is_aggregate(&a.body)),
        _ => false,
    }
}

/// Whether statements give a name an array, or what may be a struct, by its type or its value.
fn names_an_aggregate(name: &syn::Path, stmts: &[syn::Stmt]) -> bool {
    let gives = |stmt: &syn::Stmt| {
        let syn::Stmt::Local(local) = stmt else { return false };
        let (pattern, ty) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let is_it = matches!(pattern, syn::Pat::Ident(bound) if name.is_ident(&bound.ident));
        let by_type = ty.is_some_and(|ty| matches!(ty, syn::Type::Array(_) | syn::Type::Tuple(_)) || is_type_name(ty));
        is_it && (by_type || local.init.as_ref().is_some_and(|init| is_aggregate(&init.expr)))
    };
    stmts.iter().any(gives)
}

/// Whether a type is named as those of libraries and users are: `Point`, `Vec<f64>`.
fn is_type_name(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if names_a_type(&path.path))
}

/// Whether a path leads to or through a type: `Point`, `Point::new`, `Array1::zeros`.
fn names_a_type(path: &syn::Path) -> bool {
    path.segments.iter().any(|s| s.ident.to_string().starts_with(char::is_uppercase))
}

/// Notes the names of which tokens read a field or an element, hand on a reference, or call a method that numbers do not have.
pub fn note_structs(tokens: &TokenStream, found: &mut HashSet<String>) {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    for at in 0..trees.len() {
        let name = match &trees[at..] {
            [TokenTree::Ident(name), TokenTree::Punct(dot), TokenTree::Ident(member), rest @ ..]
                if dot.as_char() == '.' && !calls_number_method(member, rest) =>
            {
                name
            }
            [TokenTree::Ident(name), TokenTree::Punct(dot), TokenTree::Literal(_), ..] if dot.as_char() == '.' => name,
            [TokenTree::Ident(name), TokenTree::Group(index), ..] if index.delimiter() == Delimiter::Bracket => name,
            [TokenTree::Punct(lent), TokenTree::Ident(name), ..] if lent.as_char() == '&' && is_first(&trees, at) => {
                name
            }
            [TokenTree::Group(group), ..] => {
                note_structs(&group.stream(), found);
                continue;
            }
            _ => continue,
        };
        found.insert(name.to_string());
    }
}

/// Whether a member is a method that numbers have, called with what comes after it.
fn calls_number_method(member: &Ident, rest: &[TokenTree]) -> bool {
    match rest.first() {
        Some(TokenTree::Group(args)) if args.delimiter() == Delimiter::Parenthesis => {
            is_of_numbers(member, args.stream())
        }
        _ => false,
    }
}

/// Whether an argument may begin there: `&` is no operator then.
fn is_first(trees: &[TokenTree], at: usize) -> bool {
    let before = at.checked_sub(1).map(|k| &trees[k]);
    before.is_none_or(|tree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ','))
}

/// Whether numbers have a method.
fn is_of_numbers(method: &Ident, args: TokenStream) -> bool {
    let commas = args.clone().into_iter().filter(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == ',')).count();
    let count = if args.is_empty() { 0 } else { commas + 1 };
    let name = method.to_string();
    const STARTS: &[&str] =
        &["checked_", "saturating_", "wrapping_", "is_", "to_", "leading_", "trailing_", "count_", "then"];
    let other = || ["cmp", "partial_cmp", "total_cmp", "into", "isqrt", "ilog2"].contains(&&name[..]);
    let integers = || STARTS.iter().any(|start| name.starts_with(start));
    if ["len", "is_empty", "iter", "first", "last", "get", "contains"].contains(&&name[..]) {
        return false;
    }
    PLAIN.contains(&&name[..]) || names::is_scalar(&name, count) || integers() || other()
}
