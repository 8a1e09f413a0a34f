//! The items around the bodies: the handle, its derivative functions, and the traits that
//! operators see.

use super::names::Foreign;
use super::{Emit, Order, flag_name, is_mut};
use crate::activity::Activity;
use crate::forward::Forward;
use crate::ir::*;
use crate::options::Rule;
use crate::partials::float_type;
use crate::reverse::{Apart, Joint};
use crate::table::Table;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::collections::HashMap;

/// The derivative code of one function.
pub struct Products<'f> {
    /// Tangents: the pass and its body.
    pub push: (Forward<'f>, Block, Out),
    /// Both sweeps in one.
    pub pull: Joint,
    /// The two sweeps apart.
    pub split: Apart,
    /// The tangent of `pull`.
    pub pull_push: (Forward<'f>, Block, Out),
    /// The tangent of `split`.
    pub split_push: (Forward<'f>, Block, Block, Out),
}

/// Everything that the attribute adds beside the user's function.
pub fn items(
    function: &Function,
    visibility: &syn::Visibility,
    handle: &Ident,
    root: &TokenStream,
    activity: &Activity,
    products: Products<'_>,
) -> TokenStream {
    let frame = Frame { function, activity, foreign: Foreign::of(function) };
    let bodies = [
        frame.push(&products.push),
        frame.pull(&products.pull),
        frame.split(&products.split),
        frame.pull_push(&products.pull, &products.pull_push),
        frame.split_push(&products.split, &products.split_push),
    ];
    let primal = super::generic::primal(function, activity, &frame.foreign);
    beside(&frame, visibility, handle, root, &quote!(#(#bodies)* #primal))
}

/// The same for a function with a rule by hand.
pub fn items_by_rule(
    function: &Function,
    visibility: &syn::Visibility,
    handle: &Ident,
    root: &TokenStream,
    activity: &Activity,
    rule: &Rule,
) -> TokenStream {
    let frame = Frame { function, activity, foreign: Foreign::of(function) };
    beside(&frame, visibility, handle, root, &super::rule::bodies(&frame, rule))
}

/// The handle, its functions, and its traits.
fn beside(
    frame: &Frame<'_>,
    visibility: &syn::Visibility,
    handle: &Ident,
    root: &TokenStream,
    bodies: &TokenStream,
) -> TokenStream {
    let (func, source) = (frame.func(handle), frame.source(handle));
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        #visibility struct #handle {}
        #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, missing_docs)]
        const _: () = {
            use #root::__private as __d;
            impl #handle {
                /// The handle: what operators take.
                pub const D: #handle = #handle {};
                #bodies
            }
            #func
            #source
        };
    }
}

/// The type that a parameter's shadow goes with.
pub fn place_type(param: &Param) -> TokenStream {
    let kind = has_lifetime(&param.ty) && param.passing == Passing::Value;
    let ty = &param.ty;
    match kind {
        true => {
            let ty = with_static(ty.clone());
            quote!(<<#ty as __d::Param>::Kind as __d::Kind>::Place)
        }
        false => quote!(#ty),
    }
}

pub(super) fn has_lifetime(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|t| match t {
        TokenTree::Punct(p) => p.as_char() == '\'',
        TokenTree::Group(g) => has_lifetime(&g.stream()),
        _ => false,
    })
}

/// Every lifetime becomes `'static`.
pub(super) fn with_static(tokens: TokenStream) -> TokenStream {
    let mut after = false;
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Punct(p) if p.as_char() == '\'' => {
                after = true;
                TokenTree::Punct(p)
            }
            TokenTree::Ident(i) if std::mem::take(&mut after) => TokenTree::Ident(Ident::new("static", i.span())),
            TokenTree::Group(g) => TokenTree::Group(proc_macro2::Group::new(g.delimiter(), with_static(g.stream()))),
            other => other,
        })
        .collect()
}

/// One function's signature, from which all the others are made.
pub(super) struct Frame<'f> {
    pub(super) function: &'f Function,
    activity: &'f Activity,
    foreign: Foreign,
}

/// What stands before and after a body.
#[derive(Default)]
struct Around {
    before: TokenStream,
    after: TokenStream,
}

impl Frame<'_> {
    pub(super) fn params(&self) -> impl Iterator<Item = (usize, &Param)> {
        self.function.params.iter().enumerate()
    }

    pub(super) fn float(&self) -> TokenStream {
        float_type(&self.function.base)
    }

    /// The user's generics with more parameters, and the bounds of ours.
    pub(super) fn generics(&self, more: &[TokenStream], bounds: &[TokenStream]) -> (TokenStream, TokenStream) {
        let generics = &self.function.generics;
        let lifetimes = generics.lifetimes();
        let types = generics.params.iter().filter(|p| !matches!(p, syn::GenericParam::Lifetime(_)));
        let own = generics.where_clause.iter().flat_map(|w| &w.predicates).map(|p| p.to_token_stream());
        let base = match &self.function.base {
            Base::Generic(name) if more.is_empty() => Some(quote!(#name: __d::Float)),
            Base::Generic(name) => {
                let spaces =
                    [quote!(Space), quote!(#name)].map(|space| quote!(#name: __d::Active<Tangent<#space> = #space>));
                Some(quote!(#name: __d::Float + __d::Word, #(#spaces),*))
            }
            Base::Concrete(_) => None,
        };
        let all: Vec<TokenStream> = own.chain(base).chain(bounds.iter().cloned()).collect();
        (quote!(<#(#lifetimes,)* #(#types,)* #(#more),*>), quote!(where #(#all),*))
    }

    /// The generics without the float, which is `float`, and their bounds.
    ///
    /// `for<'any>` keeps rustc from asking whether a float that the user left out has the bounds.
    pub(super) fn generics_at(&self, name: &Ident, float: &Ident) -> (TokenStream, TokenStream) {
        let generics = &self.function.generics;
        let mut bounds = Vec::new();
        let mut params = Vec::new();
        for param in &generics.params {
            match param {
                syn::GenericParam::Type(ty) if ty.ident == *name => {
                    let own = &ty.bounds;
                    bounds.push(quote!(for<'any> #float: #own));
                }
                other => params.push(other),
            }
        }
        bounds.extend(generics.where_clause.iter().flat_map(|w| &w.predicates).map(|p| match p {
            syn::WherePredicate::Type(p) if p.lifetimes.is_none() => quote!(for<'any> #p),
            other => other.to_token_stream(),
        }));
        (quote!(<#(#params),*>), at_float(quote!(where #(#bounds),*), name, float))
    }

    fn emit<'a>(&'a self, table: &'a Table, order: Order, blocks: &[&Block]) -> Emit<'a> {
        Emit::new(self.function, table, &self.foreign, order, self.activity.everything(), blocks)
    }

    fn tangent_type(&self, space: &TokenStream) -> TokenStream {
        let ret = &self.function.ret;
        let float = self.float();
        quote!(__d::Tan<#ret, #space, #float>)
    }

    fn lin(&self) -> TokenStream {
        let float = self.float();
        quote!(Space: __d::Lin<#float>)
    }

    fn workspace(&self) -> TokenStream {
        let float = self.float();
        quote!(ws: &mut __d::Workspace<#float, Space>)
    }

    /// `x: &[f64]`.
    fn declared(&self, emit: &Emit<'_>, param: &Param) -> TokenStream {
        let (name, ty) = (emit.name(param.var), &param.full);
        let mutable =
            (param.passing == Passing::Value && self.function.vars[param.var.0 as usize].mutable).then(|| quote!(mut));
        quote!(#mutable #name: #ty)
    }

    fn dot_bound(&self, k: usize, param: &Param) -> TokenStream {
        let (slot, place) = (format_ident!("__D{k}"), place_type(param));
        match (param.active, is_mut(param)) {
            (false, _) => quote!(#slot),
            (true, false) => quote!(#slot: __d::DotSlot<#place, Space>),
            (true, true) => quote!(#slot: __d::BarSlot<#place, Space>),
        }
    }

    fn bar_bound(&self, slot: Ident, param: &Param, space: &TokenStream) -> TokenStream {
        let place = place_type(param);
        match param.active {
            false => quote!(#slot),
            true => quote!(#slot: __d::BarSlot<#place, #space>),
        }
    }

    /// The type parameter of one of a parameter's slots; in second-order code cotangents are floats.
    pub(super) fn slot_bound(&self, slot: char, k: usize, param: &Param, second: bool) -> TokenStream {
        let space = if second && slot == 's' { self.float() } else { quote!(Space) };
        match slot {
            'd' => self.dot_bound(k, param),
            _ => self.bar_bound(format_ident!("__{}{k}", slot.to_ascii_uppercase()), param, &space),
        }
    }

    /// `let x_dot = ..` from its slot.
    fn open_dot(&self, emit: &Emit<'_>, k: usize, param: &Param, dot: Var) -> TokenStream {
        let (name, place, float) = (emit.name(dot), place_type(param), self.float());
        if param.passing == Passing::Value && self.is_float(param) {
            return text(format!(
                "let mut {name}: Space = *__d::DotSlot::<{place}, Space>::get(&__d{k}, &<Space as __d::Lin<{float}>>::ZERO);"
            ));
        }
        let (slot, borrow) = if is_mut(param) { ("BarSlot", "&mut") } else { ("DotSlot", "&") };
        text(format!(
            "let mut {name}_off = <{place} as __d::Member>::empty::<Space>();
             let {name} = __d::{slot}::<{place}, Space>::get({borrow} __d{k}, <{place} as __d::Member>::shadow::<Space>(&mut {name}_off));"
        ))
    }

    /// `let x_bar = ..` from its slot, and back.
    fn open_bar(
        &self,
        emit: &Emit<'_>,
        slot: &Ident,
        generic: &Ident,
        param: &Param,
        bar: Var,
        space: &TokenStream,
    ) -> Around {
        let (name, place, float) = (emit.name(bar), place_type(param), self.float());
        let zero = format!("<{space} as __d::Lin<{float}>>::ZERO");
        let fresh = format!("<{generic} as __d::BarSlot<{place}, {space}>>::FRESH");
        if param.passing == Passing::Value && self.is_float(param) {
            let before = text(format!(
                "let mut {name}: {space} = *__d::BarSlot::<{place}, {space}>::get(&mut {slot}, &mut {zero});
                 if {fresh} {{ __d::Tangent::<{space}>::clear(&mut {name}); }}"
            ));
            let after = text(format!("*__d::BarSlot::<{place}, {space}>::get(&mut {slot}, &mut {zero}) = {name};"));
            return Around { before, after };
        }
        let flag = emit.fresh(bar);
        let clear = match emit.initialises(bar) {
            true => String::new(),
            false => format!("if {flag} {{ __d::Tangent::<{space}>::clear({name}); }}"),
        };
        let before = text(format!(
            "let {flag} = {fresh};
             let mut {name}_off = <{place} as __d::Member>::empty::<{space}>();
             let {name} = __d::BarSlot::<{place}, {space}>::get(&mut {slot}, <{place} as __d::Member>::shadow::<{space}>(&mut {name}_off));
             {clear}"
        ));
        Around { before, after: TokenStream::new() }
    }

    pub(super) fn is_float(&self, param: &Param) -> bool {
        self.function.vars[param.var.0 as usize].ty == Ty::Float
    }

    /// `const`-like flags for guards, for the ones that the body mentions.
    fn flags(&self, prefix: char, space: &TokenStream, body: &TokenStream) -> TokenStream {
        let mut used = std::collections::HashSet::new();
        idents(body.clone(), &mut used);
        let mut out = TokenStream::new();
        for (k, param) in self.params().filter(|(_, p)| p.active) {
            let name = flag_name(k);
            if !used.contains(&name.to_string()) {
                continue;
            }
            let (slot, place) = (format_ident!("__{prefix}{k}"), place_type(param));
            let trait_ = if prefix == 'D' && !is_mut(param) { quote!(DotSlot) } else { quote!(BarSlot) };
            out.extend(quote!(let #name = <<#slot as __d::#trait_<#place, #space>>::On as __d::Flag>::ON;));
        }
        out
    }

    fn out(&self, emit: &Emit<'_>, out: &Out) -> TokenStream {
        match out {
            Out::Float(Operand::Place(p)) => emit.place(p),
            Out::Float(Operand::Opaque(o)) | Out::Passive(o) => emit.opaque(o),
            Out::Place(p)
                if p.path.is_empty()
                    && !self.function.params.iter().any(|q| q.var == p.root && q.passing != Passing::Value) =>
            {
                emit.place(p)
            }
            Out::Place(p) => {
                let place = emit.place(p);
                quote!(::core::clone::Clone::clone(&#place))
            }
            Out::Tuple(all) => {
                let all = all.iter().map(|o| self.out(emit, o));
                quote!((#(#all,)*))
            }
            Out::Array(all) => {
                let all = all.iter().map(|o| self.out(emit, o));
                quote!([#(#all),*])
            }
            Out::Unit => quote!(()),
        }
    }

    fn push(&self, (pass, body, result): &(Forward<'_>, Block, Out)) -> TokenStream {
        let emit = self.emit(&pass.table, Order::First, &[body]);
        let (mut args, mut bounds, mut open) = (vec![], vec![], TokenStream::new());
        for (k, param) in self.params() {
            let (declared, slot, generic) =
                (self.declared(&emit, param), format_ident!("__d{k}"), format_ident!("__D{k}"));
            args.push(quote!(#declared, mut #slot: #generic,));
            bounds.push(self.dot_bound(k, param));
            if param.active {
                open.extend(self.open_dot(&emit, k, param, pass.dots[&param.var]));
            }
        }
        let (ret, tan) = (&self.function.ret, self.tangent_type(&quote!(Space)));
        let (lin, ws, items) = (self.lin(), self.workspace(), &self.function.items);
        let (generics, bounds) = self.generics(&[&[lin][..], &bounds].concat(), &[]);
        let stmts = emit.block(body);
        let flags = self.flags('D', &quote!(Space), &stmts);
        let (value, dot) = (self.out(&emit, &self.function.result), self.out(&emit, result));
        let kins = emit.kins(&[body]);
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __push #generics (#(#args)* #ws) -> (#ret, #tan) #bounds {
                #(#items)*
                #flags #open #kins
                #stmts
                (#value, #dot)
            }
        }
    }

    fn pull(&self, joint: &Joint) -> TokenStream {
        let emit = self.emit(&joint.table, Order::First, &[&joint.body]);
        let (mut args, mut bounds) = (vec![], vec![]);
        let mut around = Around::default();
        for (k, param) in self.params() {
            let (declared, slot, generic) =
                (self.declared(&emit, param), format_ident!("__s{k}"), format_ident!("__S{k}"));
            args.push(quote!(#declared, mut #slot: #generic,));
            bounds.push(self.bar_bound(generic.clone(), param, &quote!(Space)));
            if let Some(bar) = joint.bars.get(&param.var) {
                let one = self.open_bar(&emit, &slot, &generic, param, *bar, &quote!(Space));
                around.before.extend(one.before);
                around.after.extend(one.after);
            }
        }
        let seed = self.seed(&emit, joint.y_bar);
        let (ret, tan) = (&self.function.ret, self.tangent_type(&quote!(Space)));
        let (lin, ws, items) = (self.lin(), self.workspace(), &self.function.items);
        let more = [&[lin, quote!(Valued: __d::Flag)][..], &bounds].concat();
        let (generics, bounds) = self.generics(&more, &[]);
        let stmts = emit.block(&joint.body);
        let flags = self.flags('S', &quote!(Space), &stmts);
        let value = self.out(&emit, &self.function.result);
        let Around { before, after } = around;
        let kins = emit.kins(&[&joint.body]);
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __pull #generics (_: Valued, #(#args)* y_bar_in: &mut #tan, #ws) -> ::core::option::Option<#ret> #bounds {
                #(#items)*
                #flags #before #seed #kins
                #stmts
                #after
                if Valued::ON { ::core::option::Option::Some(#value) } else { ::core::option::Option::None }
            }
        }
    }

    fn seed(&self, emit: &Emit<'_>, y_bar: Option<Var>) -> TokenStream {
        let Some(var) = y_bar else { return TokenStream::new() };
        let name = emit.name(var);
        match self.function.result {
            Out::Float(_) => quote!(let #name = *y_bar_in;),
            _ => quote!(let #name = y_bar_in;),
        }
    }

    fn split(&self, apart: &Apart) -> TokenStream {
        let both = [&apart.forward, &apart.reverse];
        let emit = self.emit(&apart.table, Order::First, &both);
        let (mut args, mut bounds) = (vec![], vec![]);
        let mut around = Around::default();
        for (k, param) in self.params() {
            let (declared, slot, generic) =
                (self.declared(&emit, param), format_ident!("__s{k}"), format_ident!("__S{k}"));
            args.push(quote!(#declared, mut #slot: #generic,));
            bounds.push(self.bar_bound(generic.clone(), param, &quote!(Space)));
            if let Some(bar) = apart.bars.get(&param.var) {
                let one = self.open_bar(&emit, &slot, &generic, param, *bar, &quote!(Space));
                around.before.extend(one.before);
                around.after.extend(one.after);
            }
        }
        let seed = self.seed(&emit, apart.y_bar);
        let (ret, tan) = (&self.function.ret, self.tangent_type(&quote!(Space)));
        let (lin, ws, items) = (self.lin(), self.workspace(), &self.function.items);
        let more = [&[lin, quote!(Phase: __d::Flag)][..], &bounds].concat();
        let (generics, bounds) = self.generics(&more, &[]);
        let (forward, reverse) = (emit.block(&apart.forward), emit.block(&apart.reverse));
        let flags = self.flags('S', &quote!(Space), &quote!(#forward #reverse));
        let value = self.out(&emit, &self.function.result);
        let Around { before, after } = around;
        let kins = emit.kins(&both);
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __split #generics (_: Phase, #(#args)* y_bar_in: ::core::option::Option<&mut #tan>, #ws) -> ::core::option::Option<#ret> #bounds {
                #(#items)*
                #flags #kins
                if !Phase::ON {
                    #forward
                    ::core::option::Option::Some(#value)
                } else {
                    let y_bar_in = y_bar_in.expect("the reverse sweep takes a cotangent");
                    #before #seed
                    #reverse
                    #after
                    ::core::option::Option::None
                }
            }
        }
    }

    fn pull_push(&self, joint: &Joint, (pass, body, result): &(Forward<'_>, Block, Out)) -> TokenStream {
        let emit = self.emit(&pass.table, Order::Second, &[body]);
        let Second { args, bounds, dots, around } = self.second(&emit, pass, &joint.bars);
        let seed = self.second_seed(&emit, pass, joint.y_bar);
        let float = self.float();
        let (ret, tan, base) = (&self.function.ret, self.tangent_type(&quote!(Space)), self.tangent_type(&float));
        let (lin, ws, items) = (self.lin(), self.workspace(), &self.function.items);
        let more = [&[lin, quote!(Valued: __d::Flag)][..], &bounds].concat();
        let (generics, bounds) = self.generics(&more, &[]);
        let stmts = emit.block(body);
        let flags = self.flags('D', &quote!(Space), &stmts);
        let (value, dot) = (self.out(&emit, &self.function.result), self.out(&emit, result));
        let Around { before, after } = around;
        let kins = emit.kins(&[body]);
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __pull_push #generics (_: Valued, #(#args)* y_bar_in: &mut #base, y_bar_dot_in: &mut #tan, #ws)
                -> ::core::option::Option<(#ret, #tan)> #bounds
            {
                #(#items)*
                #flags #dots #before #seed #kins
                #stmts
                #after
                if Valued::ON { ::core::option::Option::Some((#value, #dot)) } else { ::core::option::Option::None }
            }
        }
    }

    fn split_push(
        &self,
        apart: &Apart,
        (pass, forward, reverse, result): &(Forward<'_>, Block, Block, Out),
    ) -> TokenStream {
        let both = [forward, reverse];
        let emit = self.emit(&pass.table, Order::Second, &both);
        let Second { args, bounds, dots, around } = self.second(&emit, pass, &apart.bars);
        let seed = self.second_seed(&emit, pass, apart.y_bar);
        let float = self.float();
        let (ret, tan, base) = (&self.function.ret, self.tangent_type(&quote!(Space)), self.tangent_type(&float));
        let (lin, ws, items) = (self.lin(), self.workspace(), &self.function.items);
        let more = [&[lin, quote!(Phase: __d::Flag)][..], &bounds].concat();
        let (generics, bounds) = self.generics(&more, &[]);
        let kins = emit.kins(&both);
        let (forward, reverse) = (emit.block(forward), emit.block(reverse));
        let flags = self.flags('D', &quote!(Space), &quote!(#forward #reverse));
        let (value, dot) = (self.out(&emit, &self.function.result), self.out(&emit, result));
        let Around { before, after } = around;
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn __split_push #generics (
                _: Phase, #(#args)* y_bar_in: ::core::option::Option<&mut #base>, y_bar_dot_in: ::core::option::Option<&mut #tan>, #ws
            ) -> ::core::option::Option<(#ret, #tan)> #bounds {
                #(#items)*
                #flags #dots #kins
                if !Phase::ON {
                    #forward
                    ::core::option::Option::Some((#value, #dot))
                } else {
                    let y_bar_in = y_bar_in.expect("the reverse sweep takes a cotangent");
                    let y_bar_dot_in = y_bar_dot_in.expect("and its tangent");
                    #before #seed
                    #reverse
                    #after
                    ::core::option::Option::None
                }
            }
        }
    }

    fn second(&self, emit: &Emit<'_>, pass: &Forward<'_>, bars: &HashMap<Var, Var>) -> Second {
        let mut second = Second::default();
        let float = self.float();
        for (k, param) in self.params() {
            let declared = self.declared(emit, param);
            let (d, s, t) = (format_ident!("__d{k}"), format_ident!("__s{k}"), format_ident!("__t{k}"));
            let (gd, gs, gt) = (format_ident!("__D{k}"), format_ident!("__S{k}"), format_ident!("__T{k}"));
            second.args.push(quote!(#declared, mut #d: #gd, mut #s: #gs, mut #t: #gt,));
            second.bounds.push(self.dot_bound(k, param));
            second.bounds.push(self.bar_bound(gs.clone(), param, &float));
            second.bounds.push(self.bar_bound(gt.clone(), param, &quote!(Space)));
            let Some(bar) = bars.get(&param.var) else { continue };
            second.dots.extend(self.open_dot(emit, k, param, pass.dots[&param.var]));
            for one in [
                self.open_bar(emit, &s, &gs, param, *bar, &float),
                self.open_bar(emit, &t, &gt, param, pass.dots[bar], &quote!(Space)),
            ] {
                second.around.before.extend(one.before);
                second.around.after.extend(one.after);
            }
        }
        second
    }

    fn second_seed(&self, emit: &Emit<'_>, pass: &Forward<'_>, y_bar: Option<Var>) -> TokenStream {
        let Some(var) = y_bar else { return TokenStream::new() };
        let (name, dot) = (emit.name(var), emit.name(pass.dots[&var]));
        match self.function.result {
            Out::Float(_) => quote!(let #name = *y_bar_in; let #dot = *y_bar_dot_in;),
            _ => quote!(let #name = y_bar_in; let #dot = y_bar_dot_in;),
        }
    }
}

/// The float's name replaced by the float.
pub(super) fn at_float(tokens: TokenStream, name: &Ident, float: &Ident) -> TokenStream {
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Ident(i) if i == *name => TokenTree::Ident(float.clone()),
            TokenTree::Group(g) => {
                TokenTree::Group(proc_macro2::Group::new(g.delimiter(), at_float(g.stream(), name, float)))
            }
            other => other,
        })
        .collect()
}

/// A template whose parts have no place in the user's code: rustc's lexer is faster than `quote`.
pub(super) fn text(template: String) -> TokenStream {
    template.parse().expect("the templates are Rust")
}

/// What second order adds to a signature.
#[derive(Default)]
struct Second {
    args: Vec<TokenStream>,
    bounds: Vec<TokenStream>,
    dots: TokenStream,
    around: Around,
}

fn idents(tokens: TokenStream, found: &mut std::collections::HashSet<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Ident(i) => {
                found.insert(i.to_string());
            }
            TokenTree::Group(g) => idents(g.stream(), found),
            _ => {}
        }
    }
}
