//! Passive tokens: they read the values of numbers.

use super::*;
use proc_macro2::{Delimiter, Literal, Punct, Spacing, Span};
use quote::quote;

/// What a token that names a variable leads to.
struct Path {
    var: Var,
    ty: Ty,
    /// The variable's placeholder, and the steps.
    tokens: TokenStream,
    /// How many tokens it takes.
    len: usize,
}

impl Path {
    /// Goes on through an index or a range, in brackets.
    fn index(&mut self, ranged: bool, inner: TokenStream) {
        self.tokens.extend([TokenTree::Group(Group::new(Delimiter::Bracket, inner))]);
        self.ty = match ranged {
            true => element(&self.ty, &[Proj::Range(None, None)]),
            false => element_type(&self.ty),
        };
        self.len += 1;
    }

    /// Goes on through members: `.0`, or `.0.1` in one token.
    fn members(&mut self, members: &str) -> Option<()> {
        for member in members.split('.') {
            let index = member.parse().ok()?;
            self.tokens.extend([
                TokenTree::Punct(Punct::new('.', Spacing::Alone)),
                TokenTree::Literal(Literal::u32_unsuffixed(index)),
            ]);
            let member = syn::Member::Unnamed(syn::Index { index, span: Span::call_site() });
            self.ty = element(&self.ty, &[Proj::Field(member)]);
        }
        self.len += 2;
        Some(())
    }
}

impl Generic<'_> {
    /// Passive tokens, in which the numbers' values stand for them.
    pub fn passive_code(&self, o: &PassiveCode) -> String {
        self.named(&self.observing(o.tokens.clone()))
    }

    /// Tokens with names for placeholders.
    pub fn named(&self, tokens: &TokenStream) -> String {
        self.frame.holes.tokens(tokens, &|word| Some(self.name(self.names.placeholder(word)?).to_owned()))
    }

    /// Whether all that the tokens read can be read from numbers.
    pub fn permits_tokens(&self, tokens: &TokenStream) -> bool {
        let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
        trees.iter().enumerate().all(|(k, tree)| match tree {
            TokenTree::Group(g) => self.permits_tokens(&g.stream()),
            // A struct's field, or a method that might change the variable.
            _ => self.path(&trees[k..]).is_none_or(|path| {
                let rest = &trees[k + path.len..];
                let field = matches!(rest, [TokenTree::Punct(p), TokenTree::Ident(_), ..] if p.as_char() == '.')
                    && !matches!(rest.get(2), Some(TokenTree::Group(_)) | Some(TokenTree::Punct(_)));
                let lent = k >= 2 && is_ident(&trees[k - 1], "mut");
                !field && !lent
            }),
        })
    }

    fn observing(&self, tokens: TokenStream) -> TokenStream {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut out, mut k) = (TokenStream::new(), 0);
        while k < trees.len() {
            match (self.path(&trees[k..]), &trees[k]) {
                (Some(path), _) => {
                    k += path.len;
                    out.extend(self.observed(&path, &trees[k..]));
                    continue;
                }
                (None, TokenTree::Group(g)) => {
                    let mut inner = Group::new(g.delimiter(), self.observing(g.stream()));
                    inner.set_span(g.span());
                    out.extend([TokenTree::Group(inner)]);
                }
                (None, other) => out.extend([other.clone()]),
            }
            k += 1;
        }
        out
    }

    /// The value of a place, in front of the tokens `rest`.
    fn observed(&self, path: &Path, rest: &[TokenTree]) -> TokenStream {
        let place = &path.tokens;
        let length = matches!(rest, [TokenTree::Punct(p), TokenTree::Ident(m), ..]
            if p.as_char() == '.' && ["len", "is_empty", "shape", "dim"].iter().any(|name| m == name));
        let behind = self.table.is_ref(path.var) && path.len == 1;
        match (&path.ty, behind) {
            (Ty::Passive, _) => place.clone(),
            _ if length => place.clone(),
            (Ty::Float, false) => quote!((__d::Real::observe(#place))),
            (Ty::Float, true) => quote!((&__d::Real::observe(*#place))),
            (Ty::Unknown, false) => {
                quote!(({ use __d::{ AsItIs as _, MadeOfNumbers as _ }; __d::Seen(&#place).values() }))
            }
            (_, false) => quote!((__d::values(&#place))),
            (Ty::Slice(_), true) => quote!((&__d::values(&*#place)[..])),
            (_, true) => quote!((&__d::values(&*#place))),
        }
    }

    /// The place that the tokens begin with, if it is made of numbers.
    fn path(&self, trees: &[TokenTree]) -> Option<Path> {
        let TokenTree::Ident(word) = trees.first()? else { return None };
        let var = self.names.placeholder(&word.to_string()).filter(|v| self.lifted(*v))?;
        let mut path = Path { var, ty: self.info(var).ty.clone(), tokens: trees[0].clone().into(), len: 1 };
        loop {
            match &trees[path.len..] {
                [TokenTree::Group(g), ..] if g.delimiter() == Delimiter::Bracket => {
                    path.index(has_range(&g.stream()), self.observing(g.stream()));
                }
                [TokenTree::Punct(dot), TokenTree::Literal(members), ..] if dot.as_char() == '.' => {
                    path.members(&members.to_string())?;
                }
                _ => return Some(path),
            }
        }
    }
}

fn is_ident(tree: &TokenTree, name: &str) -> bool {
    matches!(tree, TokenTree::Ident(i) if i == name)
}

/// Whether an index is a range.
fn has_range(index: &TokenStream) -> bool {
    let trees: Vec<TokenTree> = index.clone().into_iter().collect();
    trees.windows(2).any(|pair| match pair {
        [TokenTree::Punct(a), TokenTree::Punct(b)] => {
            a.as_char() == '.' && a.spacing() == Spacing::Joint && b.as_char() == '.'
        }
        _ => false,
    })
}

impl Generic<'_> {
    /// Whether the tokens name a variable that is made of numbers.
    pub fn reads(&self, tokens: &TokenStream) -> bool {
        tokens.clone().into_iter().any(|tree| match tree {
            TokenTree::Ident(i) => self.names.placeholder(&i.to_string()).is_some_and(|v| self.lifted(v)),
            TokenTree::Group(g) => self.reads(&g.stream()),
            _ => false,
        })
    }

    /// The place, if the tokens are one of a single number, and whether it is a reference.
    pub fn float_place(&self, tokens: TokenStream) -> Option<(String, bool)> {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let path = self.path(&trees).filter(|path| path.len == trees.len() && path.ty == Ty::Float)?;
        Some((self.named(&path.tokens), self.table.is_ref(path.var) && path.len == 1))
    }
}
