//! `#[differentiable]` on `impl Index` and `impl IndexMut`: elements of a user's type, read and set by functions that have derivatives.
//!
//! `m[(i, j)]` is a call of `index_2__at`, and `m[(i, j)] = x` one of `index_2__set`; the number counts the members of the index. Their
//! bodies are those of `index` and `index_mut`, without the reference around what they give. Where an element is found without looking at
//! anything but the index, the tangent type has elements too, and `v[i]` is a place like others.

use crate::frontend::arrays::user_elements::function_name;
use crate::frontend::projections::accesses;
use crate::frontend::projections::definitions::{Definitions, type_name};
use crate::frontend::projections::kinds::projection;
use crate::ir::{Owner, OwnerKind, Projection};
use crate::item::{impls, projections};
use crate::support::errors;
use crate::support::options::Options;
use crate::support::syntax::strip_parens;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit::Visit;

/// Whether the block implements `Index`, or `IndexMut`.
pub fn is_index(block: &syn::ItemImpl) -> bool {
    trait_of(block).is_some_and(|name| name == "Index" || name == "IndexMut")
}

/// What stands beside the implementation.
pub fn code(options: &Options, block: &syn::ItemImpl, root: &TokenStream) -> syn::Result<TokenStream> {
    let method = block.items.iter().find_map(|item| match item {
        syn::ImplItem::Fn(f) => Some(f),
        _ => None,
    });
    let Some(method) = method else { return Ok(TokenStream::new()) };
    let Some(syn::FnArg::Typed(at)) = method.sig.inputs.iter().nth(1) else { return Ok(TokenStream::new()) };
    if let Some(code) = lent_code(block, method, root) {
        return Ok(code);
    }
    refuse_returns(&method.block)?;
    let access = Access { block, method, at, sets: trait_of(block).is_some_and(|name| name == "IndexMut") };
    let (ty, function) = (&block.self_ty, access.function());
    let (params, _, bounds) = block.generics.split_for_impl();
    let own: syn::ItemImpl = syn::parse2(quote!(impl #params #ty #bounds { #function }))?;
    let options = Options { constant: options.constant.clone(), dump: options.dump, ..Options::default() };
    let functions = impls::implementation(&options, own, root);
    let shadow = access.of_tangent(root);
    Ok(quote!(#functions #shadow))
}

/// What stands beside an implementation whose elements are no numbers: where they are. `IndexMut` has to lead to the same places.
fn lent_code(block: &syn::ItemImpl, method: &syn::ImplItemFn, root: &TokenStream) -> Option<TokenStream> {
    let (_, of, _) = block.trait_.as_ref()?;
    let (name, exclusive) = accesses::method_of(of)?;
    let ty = (*block.self_ty).clone();
    if exclusive {
        let known = Definitions::around(None);
        let access = known.access(&type_name(&ty)?.to_string(), &name.to_string())?;
        return (!access.is_number()).then(TokenStream::new);
    }
    let out = accesses::lent(block).filter(|out| !accesses::is_number(out, &block.generics))?;
    let mut sig = method.sig.clone();
    sig.ident = Ident::new(&name.to_string(), method.sig.ident.span());
    sig.output = syn::parse_quote!(-> &#out);
    let block_of = Box::new(method.block.clone());
    let item = syn::ItemFn { attrs: Vec::new(), vis: syn::Visibility::Inherited, sig, block: block_of };
    let projection = projection(&item.sig, None, None)?;
    let (functions, floats) = Default::default();
    let owner =
        Owner { kind: OwnerKind::Inherent, generics: block.generics.clone(), ty, functions, floats, library: false };
    Some(projections::code(&item, Projection { exclusive: true, ..projection }, &owner, root))
}

/// The method of `Index` or `IndexMut`.
struct Access<'a> {
    block: &'a syn::ItemImpl,
    method: &'a syn::ImplItemFn,
    /// Its parameter that is the index.
    at: &'a syn::PatType,
    sets: bool,
}

impl Access<'_> {
    /// The function that reads or sets an element.
    fn function(&self) -> TokenStream {
        let Access { block, method, at, sets } = self;
        let (out, body) = (output(block, method), valued(&method.block, if *sets { Use::Set } else { Use::Read }));
        let name = function_name(members(&at.ty), *sets, method.sig.ident.span());
        let hidden = quote! {
            #[doc(hidden)]
            #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, missing_docs)]
        };
        match sets {
            false => quote!(#hidden pub fn #name(&self, #at) -> #out #body),
            true => quote!(#hidden pub fn #name(&mut self, #at, value: #out) #body),
        }
    }

    /// The same implementation for the tangent type, where the element lies in a field and is found by the index alone.
    fn of_tangent(&self, root: &TokenStream) -> TokenStream {
        let Access { block, method, at, sets } = self;
        let (Some((_, path, _)), syn::Type::Path(ty)) = (&block.trait_, &*block.self_ty) else {
            return TokenStream::new();
        };
        if !self.is_found_by_index() {
            return TokenStream::new();
        }
        let (own, tangent) = (&block.generics.params, tangent_path(&ty.path));
        let comma = (!own.is_empty() && !own.trailing_punct()).then(<syn::Token![,]>::default);
        let (name, body) = (&method.sig.ident, &method.block);
        let signature = match sets {
            false => quote!(type Output = Space; fn #name(&self, #at) -> &Space),
            true => quote!(fn #name(&mut self, #at) -> &mut Space),
        };
        let exclusive = self.of_tangent_alone().map(|(path, body)| {
            quote! {
                impl<#own #comma Space: __d::LinearSpace<f64>> #path for #tangent {
                    fn index_mut(&mut self, #at) -> &mut Space #body
                }
            }
        });
        quote! {
            #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery)]
            const _: () = {
                use #root::__private as __d;
                impl<#own #comma Space: __d::LinearSpace<f64>> #path for #tangent { #signature #body }
                #exclusive
            };
        }
    }

    /// `IndexMut` of the tangent type, whose elements derivative code adds to, where the type itself has elements that are only read.
    fn of_tangent_alone(&self) -> Option<(TokenStream, syn::Block)> {
        let Access { block, method, at, sets: false } = self else { return None };
        let (of, ty) = (&block.trait_.as_ref()?.1, &at.ty);
        let (name, _) = accesses::method_of(of)?;
        let known = Definitions::around(None);
        let access = known.access(&type_name(&block.self_ty)?.to_string(), &name.to_string())?;
        access.is_read_only().then(|| (quote!(::core::ops::IndexMut<#ty>), valued(&method.block, Use::Lend)))
    }

    /// Whether the element is a number in a field, and nothing else is looked at.
    fn is_found_by_index(&self) -> bool {
        let constants = self.block.generics.params.iter().all(|p| matches!(p, syn::GenericParam::Const(_)));
        let plain = constants && output(self.block, self.method).to_string() == "f64";
        let mut looks = Looks { at: Vec::new(), elsewhere: false };
        looks.visit_block(&self.method.block);
        plain && !looks.elsewhere && !looks.at.is_empty()
    }
}

/// The path of a type's tangent.
pub fn tangent_path(ty: &syn::Path) -> syn::Path {
    let mut tangent = ty.clone();
    if let Some(last) = tangent.segments.last_mut() {
        last.ident = format_ident!("{}Tangent", last.ident);
        match &mut last.arguments {
            syn::PathArguments::AngleBracketed(args) => args.args.push(syn::parse_quote!(Space)),
            other => *other = syn::PathArguments::AngleBracketed(syn::parse_quote!(<Space>)),
        }
    }
    tangent
}

fn trait_of(block: &syn::ItemImpl) -> Option<String> {
    Some(block.trait_.as_ref()?.1.segments.last()?.ident.to_string())
}

fn members(ty: &syn::Type) -> usize {
    match ty {
        syn::Type::Tuple(t) => t.elems.len(),
        syn::Type::Array(a) => match &a.len {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) => n.base10_parse().unwrap_or(1),
            _ => 1,
        },
        _ => 1,
    }
}

/// The type of an element.
fn output(block: &syn::ItemImpl, method: &syn::ImplItemFn) -> TokenStream {
    let written = block.items.iter().find_map(|item| match item {
        syn::ImplItem::Type(t) if t.ident == "Output" => Some(t.ty.to_token_stream()),
        _ => None,
    });
    let given = match &method.sig.output {
        syn::ReturnType::Type(_, ty) => match &**ty {
            syn::Type::Reference(r) if !r.elem.to_token_stream().to_string().starts_with("Self") => {
                Some(r.elem.to_token_stream())
            }
            _ => None,
        },
        syn::ReturnType::Default => None,
    };
    // `Self::Output` of `IndexMut` stands in another block: if it is no float, what is made of it does not compile
    let number = block.generics.type_params().next().map_or_else(|| quote!(f64), |p| p.ident.to_token_stream());
    written.or(given).unwrap_or(number)
}

/// What stands where a reference to an element was.
#[derive(Clone, Copy)]
enum Use {
    /// The element itself.
    Read,
    /// An assignment to it.
    Set,
    /// An exclusive reference to it.
    Lend,
}

/// The body, with this use of the element where a reference to it was.
fn valued(block: &syn::Block, used: Use) -> syn::Block {
    let mut block = block.clone();
    if let Some(syn::Stmt::Expr(tail, None)) = block.stmts.last_mut() {
        *tail = element(tail, used);
    }
    block
}

fn element(tail: &syn::Expr, used: Use) -> syn::Expr {
    match strip_parens(tail) {
        syn::Expr::Reference(r) => leaf(&r.expr.to_token_stream(), used),
        syn::Expr::Match(m) => {
            let mut m = m.clone();
            m.arms.iter_mut().for_each(|arm| *arm.body = element(&arm.body, used));
            syn::Expr::Match(m)
        }
        syn::Expr::If(i) => {
            let mut i = i.clone();
            i.then_branch = valued(&i.then_branch, used);
            if let Some((_, other)) = &mut i.else_branch {
                **other = element(other, used);
            }
            syn::Expr::If(i)
        }
        syn::Expr::Block(b) => syn::Expr::Block(syn::ExprBlock { block: valued(&b.block, used), ..b.clone() }),
        syn::Expr::Macro(_) => tail.clone(),
        other => leaf(&quote!(*#other), used),
    }
}

fn leaf(place: &TokenStream, used: Use) -> syn::Expr {
    let code = match used {
        Use::Read => quote!(#place),
        Use::Set => quote!({ #place = value; }),
        Use::Lend => quote!(&mut #place),
    };
    syn::parse2(code.clone()).unwrap_or(syn::Expr::Verbatim(code)) // what is no place is an error where the item is read
}

fn refuse_returns(block: &syn::Block) -> syn::Result<()> {
    struct Returns(Option<Span>);
    impl<'a> Visit<'a> for Returns {
        fn visit_expr_return(&mut self, r: &'a syn::ExprReturn) {
            self.0.get_or_insert(r.return_token.span);
        }
    }
    let mut found = Returns(None);
    found.visit_block(block);
    match found.0 {
        Some(span) => Err(errors::returned_element(span)),
        None => Ok(()),
    }
}

/// Where `self` stands.
struct Looks {
    /// The fields in which elements are looked for.
    at: Vec<Ident>,
    /// It stands elsewhere too.
    elsewhere: bool,
}

impl<'a> Visit<'a> for Looks {
    fn visit_expr_field(&mut self, f: &'a syn::ExprField) {
        match (&*f.base, &f.member) {
            (syn::Expr::Path(p), syn::Member::Named(name)) if p.path.is_ident("self") => self.at.push(name.clone()),
            (syn::Expr::Path(p), syn::Member::Unnamed(_)) if p.path.is_ident("self") => {
                self.at.push(format_ident!("field"));
            }
            _ => syn::visit::visit_expr_field(self, f),
        }
    }

    fn visit_expr_index(&mut self, i: &'a syn::ExprIndex) {
        self.visit_expr(&i.expr);
        self.asked(&i.index);
    }

    fn visit_stmt(&mut self, s: &'a syn::Stmt) {
        let tail = matches!(s, syn::Stmt::Expr(_, None));
        let mut inside = Looks { at: Vec::new(), elsewhere: false };
        syn::visit::visit_stmt(&mut inside, s);
        match tail {
            true => {
                self.at.extend(inside.at);
                self.elsewhere |= inside.elsewhere;
            }
            false => self.elsewhere |= inside.elsewhere || !inside.at.is_empty(),
        }
    }

    fn visit_expr_if(&mut self, i: &'a syn::ExprIf) {
        self.asked(&i.cond);
        self.visit_block(&i.then_branch);
        i.else_branch.iter().for_each(|(_, other)| self.visit_expr(other));
    }

    fn visit_expr_match(&mut self, m: &'a syn::ExprMatch) {
        self.asked(&m.expr);
        m.arms.iter().for_each(|arm| self.visit_arm(arm));
    }

    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        self.visit_expr(&m.receiver);
        m.args.iter().for_each(|arg| self.asked(arg));
    }

    fn visit_macro(&mut self, m: &'a syn::Macro) {
        self.elsewhere |= m.tokens.clone().into_iter().any(|t| t.to_string() == "self");
    }

    fn visit_expr_path(&mut self, p: &'a syn::ExprPath) {
        self.elsewhere |= p.path.is_ident("self");
    }
}

impl Looks {
    /// What decides where to look.
    fn asked(&mut self, expr: &syn::Expr) {
        let mut inside = Looks { at: Vec::new(), elsewhere: false };
        inside.visit_expr(expr);
        self.elsewhere |= inside.elsewhere || !inside.at.is_empty();
    }
}
