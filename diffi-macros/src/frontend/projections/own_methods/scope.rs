//! The types of variables, by the patterns that bind them.

use super::around::Around;
use super::types::TypeName;
use std::rc::Rc;

/// The variables at a place of a function.
#[derive(Clone)]
pub struct Scope {
    pub around: Rc<Around>,
    /// The type of the block around the function.
    pub this: TypeName,
    /// The names, the last one of a kind first.
    names: Vec<(String, TypeName)>,
}

impl Scope {
    /// No variables yet.
    pub fn new(around: Rc<Around>, this: TypeName) -> Self {
        Scope { around, this, names: Vec::new() }
    }

    /// The type of a variable; none, if there is none of the name.
    pub fn get(&self, name: &str) -> Option<&TypeName> {
        self.names.iter().rev().find(|(known, _)| known == name).map(|(_, ty)| ty)
    }

    /// How many variables there are: behind these, others are forgotten by [`Scope::leave`].
    pub fn enter(&self) -> usize {
        self.names.len()
    }

    pub fn leave(&mut self, known: usize) {
        self.names.truncate(known);
    }

    /// A type as it is written at this place.
    pub fn written(&self, ty: &syn::Type) -> TypeName {
        TypeName::of(ty).replaced(&|name| (name == "Self").then(|| self.this.clone()))
    }

    pub fn add(&mut self, name: &str, ty: TypeName) {
        self.names.push((name.to_owned(), ty));
    }

    /// What is pushed to a variable says what its elements are.
    pub fn filled(&mut self, name: &str, element: TypeName) {
        let known = self.names.iter_mut().rev().find(|(known, _)| known == name);
        if let Some((_, TypeName::Sequence(of))) = known
            && **of == TypeName::Unknown
        {
            **of = element;
        }
    }

    /// The variables of a pattern.
    pub fn bind(&mut self, pattern: &syn::Pat, ty: TypeName) {
        match pattern {
            syn::Pat::Ident(p) => {
                if let Some((_, inner)) = p.subpat.as_ref().filter(|(_, inner)| !matches!(**inner, syn::Pat::Rest(_))) {
                    self.bind(inner, ty.clone());
                }
                self.add(&p.ident.to_string(), ty);
            }
            syn::Pat::Type(p) => {
                let ty = self.written(&p.ty).or_known(ty);
                self.bind(&p.pat, ty);
            }
            syn::Pat::Reference(p) => self.bind(&p.pat, ty),
            syn::Pat::Paren(p) => self.bind(&p.pat, ty),
            syn::Pat::Or(p) => p.cases.iter().for_each(|case| self.bind(case, ty.clone())),
            syn::Pat::Slice(p) => p.elems.iter().for_each(|part| self.bind_part_of_slice(part, &ty)),
            syn::Pat::Tuple(p) => self.bind_members(&p.elems, &|k| match &ty {
                TypeName::Tuple(all) => all.get(k).cloned(),
                _ => None,
            }),
            syn::Pat::TupleStruct(p) => {
                let (of, variant) = self.taken_apart(&p.path, ty);
                let around = self.around.clone();
                self.bind_members(&p.elems, &|k| match (&of, variant.as_str()) {
                    (TypeName::Maybe(inner), "Some" | "Ok") => Some((**inner).clone()),
                    (of, variant) => around.part(of, variant, &k.to_string()),
                });
            }
            syn::Pat::Struct(p) => {
                let (of, variant) = self.taken_apart(&p.path, ty);
                for field in &p.fields {
                    let syn::Member::Named(name) = &field.member else { continue };
                    let part = self.around.part(&of, &variant, &name.to_string());
                    self.bind(&field.pat, part.unwrap_or_default());
                }
            }
            _ => {}
        }
    }

    fn bind_members<'p>(
        &mut self,
        patterns: impl IntoIterator<Item = &'p syn::Pat>,
        member: &dyn Fn(usize) -> Option<TypeName>,
    ) {
        let mut known = true;
        for (k, pattern) in patterns.into_iter().enumerate() {
            known &= !matches!(pattern, syn::Pat::Rest(_));
            let ty = if known { member(k) } else { None };
            self.bind(pattern, ty.unwrap_or_default());
        }
    }

    fn bind_part_of_slice(&mut self, pattern: &syn::Pat, of: &TypeName) {
        let rest = matches!(pattern, syn::Pat::Ident(p) if p.subpat.as_ref().is_some_and(|(_, inner)| matches!(**inner, syn::Pat::Rest(_))));
        self.bind(pattern, if rest { of.clone() } else { of.item() });
    }

    /// The type that a path in a pattern takes apart, and the variant.
    fn taken_apart(&self, path: &syn::Path, ty: TypeName) -> (TypeName, String) {
        let last = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        let of = match (&ty, path.segments.iter().nth_back(1)) {
            (TypeName::Unknown, Some(of)) if of.ident == "Self" => self.this.clone(),
            (TypeName::Unknown, Some(of)) => TypeName::Named(of.ident.to_string(), Vec::new()),
            (TypeName::Unknown, None) if last == "Self" => self.this.clone(),
            (TypeName::Unknown, None) => TypeName::Named(last.clone(), Vec::new()),
            _ => ty,
        };
        (of, last)
    }
}
