//! Constructors of `nalgebra`'s vectors and matrices.

use crate::frontend::arrays::library::{library, operation};
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::ir::affine::gathered;
use crate::ir::*;
use crate::support::syntax::strip_parens;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;

/// What a constructor is asked for.
struct New<'a> {
    path: &'a syn::ExprPath,
    /// The type, with its float.
    ty: TokenStream,
    /// The type's name.
    owner: &'a str,
    args: &'a [&'a syn::Expr],
    span: Span,
}

impl New<'_> {
    /// Whether the type leaves a length open.
    fn is_dynamic(&self) -> bool {
        ["DVector", "DMatrix", "RowDVector"].contains(&self.owner)
    }

    /// How many of the lengths it leaves open.
    fn open_lengths(&self) -> usize {
        match self.owner {
            "DMatrix" => 2,
            "DVector" | "RowDVector" => 1,
            _ => 0,
        }
    }
}

impl Lower {
    /// A vector or a matrix of `nalgebra`, with active elements.
    pub fn new_matrix(
        &mut self,
        path: &syn::ExprPath,
        owner: &str,
        name: &str,
        args: &[&syn::Expr],
        span: Span,
    ) -> Option<Value> {
        let new = New { path, ty: self.new_type(path)?, owner, args, span };
        let made = match name {
            "new" if !new.is_dynamic() => {
                let (operands, _) = self.elements(args.to_vec());
                let vec = self.bind("elements", span, Ty::Vec(Box::new(Ty::Float)), Expr::VecOf(operands));
                let form = self.form(&new, true)?;
                Some(self.shaped(Value::place(Place::var(vec)), form, span))
            }
            "from_vec" | "from_column_slice" | "from_row_slice" | "from" => self.matrix_of_list(&new, name),
            "from_iterator" | "from_row_iterator" => self.matrix_of_chain(&new, name == "from_row_iterator"),
            "from_fn" => self.matrix_of_function(&new),
            "from_element" | "repeat" => self.matrix_of_number(&new),
            "from_diagonal" if args.len() == 1 => {
                let diagonal = self.active_value(args[0]).dereferenced_fully();
                let op = PassiveCode { span, ..PassiveCode::literal(operation("FromDiagonal", span)) };
                Some(self.rule(op, &[diagonal], Ty::Library, "matrix", span))
            }
            "from_diagonal_element" => self.matrix_of_diagonal_element(&new),
            "from_rows" | "from_columns" => self.matrix_of_lines(&new, name),
            _ => None,
        };
        Some(made.unwrap_or_else(|| {
            self.errors.unknown_method(path.span(), name);
            Value::Poison
        }))
    }

    /// How the elements lie, with the lengths that the arguments begin with.
    fn form(&mut self, new: &New, by_rows: bool) -> Option<PassiveCode> {
        let lengths = new.args.get(..new.open_lengths())?;
        let lengths: Vec<PassiveCode> = lengths.iter().map(|n| self.parameter(n)).collect();
        Some(self.form_of(new, &lengths, by_rows))
    }

    fn form_of(&self, new: &New, lengths: &[PassiveCode], by_rows: bool) -> PassiveCode {
        let (ty, span) = (&new.ty, new.span);
        let (formed, tokens) = (library("formed", span), lengths.iter().map(|o| &o.tokens));
        let form = match new.owner {
            "DMatrix" => quote!(#formed::<#ty>(#(#tokens,)* #by_rows)),
            "DVector" => quote!(#formed::<#ty>(#(#tokens,)* 1, false)),
            "RowDVector" => quote!(#formed::<#ty>(1, #(#tokens,)* true)),
            _ => {
                let form = library(if by_rows { "fixed" } else { "fixed_by_columns" }, span);
                let (Base::Concrete(base) | Base::Generic(base)) = &self.base;
                quote!(#form::<#base, #ty>())
            }
        };
        gathered(form, lengths.iter(), span)
    }

    /// Of a slice, an array or a vector. A vector of an open length is as long as it.
    fn matrix_of_list(&mut self, new: &New, name: &str) -> Option<Value> {
        let by_rows = name == "from_row_slice";
        let elements = *new.args.last()?;
        if name == "from" && !(new.owner.contains("Vector") && new.args.len() == 1) {
            return None;
        }
        if new.open_lengths() == 1 {
            let list = self.numbers_of(elements, new.span);
            let len = self.length(&list, new.span);
            let form = self.form_of(new, &[len], by_rows);
            return (new.args.len() == 1).then(|| self.shaped(list, form, new.span));
        }
        let form = self.form(new, by_rows)?;
        if new.args.len() != new.open_lengths() + 1 {
            return None;
        }
        let list = self.numbers_of(elements, new.span);
        Some(self.shaped(list, form, new.span))
    }

    fn numbers_of(&mut self, elements: &syn::Expr, span: Span) -> Value {
        match self.active_value(elements).dereferenced_fully() {
            Value::Active(a) if matches!(self.ty_of(&a.place), Ty::Array(_)) => self.vec_of(a.place, span),
            list => self.owned(list, span),
        }
    }

    fn matrix_of_chain(&mut self, new: &New, by_rows: bool) -> Option<Value> {
        let form = self.form(new, by_rows)?;
        let [chain] = new.args.get(new.open_lengths()..)? else { return None };
        let chain = self.chain(chain)?;
        let elements = self.collect(chain, Some(Ty::Vec(Box::new(Ty::Float))), new.span);
        Some(self.shaped(elements, form, new.span))
    }

    /// By a function of the indices.
    fn matrix_of_function(&mut self, new: &New) -> Option<Value> {
        let (f, lengths) = new.args.split_last()?;
        let lengths: Vec<syn::Expr> = match (new.owner, lengths) {
            ("DVector", [n]) => vec![(*n).clone(), syn::parse_quote!(1)],
            ("RowDVector", [n]) => vec![syn::parse_quote!(1), (*n).clone()],
            ("DMatrix", [rows, columns]) => vec![(*rows).clone(), (*columns).clone()],
            (_, []) => fixed_lengths(new.path)?.to_vec(),
            _ => return None,
        };
        let values = self.filled_elements(&lengths, f, new.span, true)?;
        let form = self.form(new, true)?;
        Some(self.shaped(values, form, new.span))
    }

    /// One number everywhere.
    fn matrix_of_number(&mut self, new: &New) -> Option<Value> {
        let form = self.form(new, true)?;
        let [number] = new.args.get(new.open_lengths()..)? else { return None };
        let number = self.active_value(number).dereferenced_fully();
        if let Value::Active(a) = &number {
            self.refine(&a.place, Ty::Float);
        }
        let (op, tokens) = (operation("Filled", new.span), &form.tokens);
        let op = PassiveCode { tokens: quote!(#op(#tokens)), ..form.clone() };
        Some(self.rule(op, &[number], Ty::Library, "matrix", new.span))
    }

    /// One number on the diagonal.
    fn matrix_of_diagonal_element(&mut self, new: &New) -> Option<Value> {
        let (number, lengths) = new.args.split_last()?;
        let mut zeros = new.path.clone();
        zeros.path.segments.last_mut()?.ident = format_ident!("zeros", span = new.span);
        (lengths.len() == new.open_lengths()).then(|| {
            self.expr(&syn::parse_quote_spanned! {new.span=> {
                let __number = #number;
                let mut __square = #zeros(#(#lengths),*);
                for __k in 0..__square.nrows().min(__square.ncols()) {
                    __square[(__k, __k)] = __number;
                }
                __square
            }})
        })
    }

    /// `from_rows(&[a, b])`, `from_columns(&[a, b])`.
    fn matrix_of_lines(&mut self, new: &New, name: &str) -> Option<Value> {
        let [lines] = new.args else { return None };
        let syn::Expr::Reference(r) = strip_parens(lines) else { return None };
        let syn::Expr::Array(lines) = strip_parens(&r.expr) else { return None };
        let (lines, count) = (&lines.elems, lines.elems.len());
        let mut owner = new.path.clone();
        let slice = if name == "from_rows" { "from_row_slice" } else { "from_column_slice" };
        owner.path.segments.last_mut()?.ident = format_ident!("{slice}", span = new.span);
        let lengths: TokenStream = match (new.owner, name) {
            ("DMatrix", "from_rows") => quote!(#count, __elements.len() / #count,),
            ("DMatrix", _) => quote!(__elements.len() / #count, #count,),
            _ => quote!(),
        };
        let lines = lines.iter();
        Some(self.expr(&syn::parse_quote_spanned! {new.span=> {
            let mut __elements = ::std::vec::Vec::new();
            #(for __v in (#lines).iter() { __elements.push(*__v); })*
            #owner(#lengths &__elements)
        }}))
    }

    /// The type that a constructor names, with its float.
    pub fn new_type(&self, p: &syn::ExprPath) -> Option<TokenStream> {
        let (Base::Concrete(base) | Base::Generic(base)) = &self.base;
        let mut owner = p.path.clone();
        owner.segments.pop();
        owner.segments.pop_punct();
        let last = owner.segments.last_mut()?;
        if last.arguments.is_empty() {
            last.arguments = syn::PathArguments::AngleBracketed(syn::parse_quote!(<#base>));
        }
        Some(quote!(#owner))
    }
}

/// The rows and the columns that a type's name says: `Matrix2x3`, `RowVector3`, `SVector<f64, 7>`.
fn fixed_lengths(path: &syn::ExprPath) -> Option<[syn::Expr; 2]> {
    let owner = path.path.segments.iter().rev().nth(1)?;
    let name = owner.ident.to_string();
    let number = |n: &str| n.parse::<usize>().ok().map(|n| -> syn::Expr { syn::parse_quote!(#n) });
    let one: syn::Expr = syn::parse_quote!(1);
    if let Some(n) = name.strip_prefix("RowVector") {
        return Some([one, number(n)?]);
    }
    if let Some(n) = name.strip_prefix("Vector") {
        return Some([number(n)?, one]);
    }
    if let Some(sizes) = name.strip_prefix("Matrix") {
        let (rows, columns) = sizes.split_once('x').unwrap_or((sizes, sizes));
        return Some([number(rows)?, number(columns)?]);
    }
    let syn::PathArguments::AngleBracketed(args) = &owner.arguments else { return None };
    let sizes: Vec<syn::Expr> = args.args.iter().skip(1).map(|arg| syn::parse_quote!({ #arg })).collect();
    match (name.as_str(), &sizes[..]) {
        ("SVector", [n]) => Some([n.clone(), one]),
        ("SMatrix", [rows, columns]) => Some([rows.clone(), columns.clone()]),
        _ => None,
    }
}
