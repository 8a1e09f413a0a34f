//! The types around a function: those of its file, and those of other files that it may mean.

use super::table::{self, OwnFunction, OwnType, Table};
use super::types::{TypeName, traits};
use crate::frontend::projections::defined::{Defined, beside};
use crate::frontend::projections::variants::names_of;
use crate::frontend::syntax::file_names::FileNames;
use crate::frontend::syntax::inner_functions::function_of;
use crate::ir::Owner;
use crate::support::tokens::position;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// What a function's text may say of types.
pub struct Around {
    files: Vec<Rc<Defined>>,
    line: usize,
    /// The traits of the types that it is generic over.
    pub bounds: HashMap<String, Vec<String>>,
    /// The names of items that stand in it.
    hidden: Vec<String>,
    /// What the functions give that stand in it, those that were inlined among them.
    inner: HashMap<String, TypeName>,
}

impl Around {
    /// Those of a function.
    pub fn of(item: &syn::ItemFn, owner: Option<&Owner>) -> Self {
        let at = position();
        let files = at.as_ref().map(|at| beside(&at.file)).unwrap_or_default();
        let generics = [Some(&item.sig.generics), owner.map(|o| &o.generics)];
        let items = item.block.stmts.iter().filter_map(|statement| match statement {
            syn::Stmt::Item(item) => Some(names_of(item)),
            _ => None,
        });
        let hidden = items.flatten().collect();
        let bounds = generics.into_iter().flatten().flat_map(bounds).collect();
        let inner = item.block.stmts.iter().filter_map(function_of);
        let inner = inner.map(|f| (f.sig.ident.to_string(), table::free(&f.sig))).collect();
        Around { files, line: at.map_or(0, |at| at.line), bounds, hidden, inner }
    }

    fn tables(&self) -> impl Iterator<Item = (usize, &Table)> {
        self.files.iter().map(|file| &file.own).enumerate()
    }

    /// The type of a name, and the file that it stands in: the one around the function, or the only one that it may be.
    fn definition(&self, name: &str) -> Option<(usize, &OwnType)> {
        if self.hidden.iter().any(|other| other == name) {
            return None;
        }
        let all: Vec<(usize, &OwnType)> = self
            .tables()
            .flat_map(|(k, table)| table.types.get(name).into_iter().flatten().map(move |ty| (k, ty)))
            .collect();
        let near = all.iter().filter(|(k, ty)| *k == 0 && ty.module.contains(&self.line));
        let near = near.min_by_key(|(_, ty)| ty.module.len()).copied();
        let only = || all.first().copied().filter(|(k, _)| all.len() == 1 && (*k == 0 || imports(name)));
        near.or_else(only)
    }

    /// The function of a type, or of a trait.
    pub fn function(&self, owner: &str, name: &str) -> Option<&OwnFunction> {
        let key = (owner.to_owned(), name.to_owned());
        let of_number = owner.starts_with(char::is_lowercase);
        let defined = if of_number { None } else { Some(self.definition(owner)?) };
        let only = self.tables().flat_map(|(_, table)| table.types.get(owner).into_iter().flatten()).count() == 1;
        let all =
            self.tables().flat_map(|(k, table)| table.functions.get(&key).into_iter().flatten().map(move |f| (k, f)));
        let own = |(k, f): &(usize, &OwnFunction)| match defined {
            Some((file, ty)) => only || *k == file && f.module == ty.module,
            None => *k == 0,
        };
        let all: Vec<&OwnFunction> = all.filter(own).map(|(_, f)| f).collect();
        let inherent = all.iter().find(|f| f.of.is_none());
        inherent.or(all.first()).copied()
    }

    /// Whether a trait stands in the files around.
    pub fn has_trait(&self, name: &str) -> bool {
        self.files.iter().any(|file| file.traits.contains_key(name))
    }

    /// The type of a struct's field.
    pub fn field(&self, of: &TypeName, name: &str) -> Option<TypeName> {
        let TypeName::Named(owner, arguments) = of else { return None };
        let (_, ty) = self.definition(owner)?;
        Some(filled_in(ty.fields.get(name)?, &ty.generics, arguments))
    }

    /// Whether a struct is generic over a type.
    pub fn is_generic(&self, name: &str) -> bool {
        self.definition(name).is_some_and(|(_, ty)| !ty.generics.is_empty())
    }

    /// The types that a generic struct is of, by those of its fields.
    pub fn arguments(&self, name: &str, fields: &[(String, TypeName)]) -> Vec<TypeName> {
        let Some((_, ty)) = self.definition(name) else { return Vec::new() };
        let of_field = |generic: &String, (field, value): &(String, TypeName)| {
            ty.fields.get(field)?.standing_for(generic, value).filter(|of| *of != TypeName::Unknown)
        };
        let argument = |generic: &String| fields.iter().find_map(|field| of_field(generic, field)).unwrap_or_default();
        ty.generics.iter().map(argument).collect()
    }

    /// The type of a field of a variant of an enum, or of a struct that a pattern takes apart.
    pub fn part(&self, of: &TypeName, variant: &str, name: &str) -> Option<TypeName> {
        let TypeName::Named(owner, arguments) = of else { return None };
        let (_, ty) = self.definition(owner)?;
        let field = ty.variants.get(variant).unwrap_or(&ty.fields).get(name)?;
        Some(filled_in(field, &ty.generics, arguments))
    }

    /// Whether a type has this variant.
    pub fn has_variant(&self, owner: &str, variant: &str) -> bool {
        self.definition(owner).is_some_and(|(_, ty)| ty.variants.contains_key(variant))
    }

    /// The type of a free function's value: of the one within, or around, or of the only one in the files around.
    pub fn given(&self, name: &str) -> Option<&TypeName> {
        if let Some(inner) = self.inner.get(name) {
            return Some(inner);
        }
        let all: Vec<(usize, &(TypeName, Range<usize>))> = self
            .tables()
            .flat_map(|(k, table)| table.free.get(name).into_iter().flatten().map(move |f| (k, f)))
            .collect();
        let near = all.iter().filter(|(k, (_, module))| *k == 0 && module.contains(&self.line));
        let near = near.min_by_key(|(_, (_, module))| module.len());
        near.or(all.first().filter(|_| all.len() == 1)).map(|(_, (ty, _))| ty)
    }
}

fn imports(name: &str) -> bool {
    FileNames::here().is_some_and(|here| here.imports(name))
}

fn filled_in(ty: &TypeName, generics: &[String], arguments: &[TypeName]) -> TypeName {
    let at = |name: &str| generics.iter().position(|generic| generic == name);
    ty.replaced(&|name| Some(arguments.get(at(name)?).cloned().unwrap_or_default()))
}

/// The traits of the types that an item is generic over.
fn bounds(generics: &syn::Generics) -> HashMap<String, Vec<String>> {
    let mut all: HashMap<String, Vec<String>> = HashMap::new();
    for param in generics.type_params() {
        all.entry(param.ident.to_string()).or_default().extend(traits(&param.bounds));
    }
    for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        if let syn::WherePredicate::Type(bound) = predicate
            && let TypeName::Named(name, _) = TypeName::of(&bound.bounded_ty)
        {
            all.entry(name).or_default().extend(traits(&bound.bounds));
        }
    }
    all
}
