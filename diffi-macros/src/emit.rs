//! IR to tokens: templates only, no question about derivatives.

mod call;
mod generic;
mod item;
mod names;
mod rule;
mod statement;
mod tape;
mod traits;

pub use item::{Products, items, items_by_rule};

use crate::ir::*;
use crate::partials::{float_type, literal};
use crate::table::{Role, Table};
use crate::walk::{Touch, Vars, Visit, substitute};
use names::{Foreign, Names};
use proc_macro2::{Ident, TokenStream};
use quote::{TokenStreamExt, format_ident, quote};

/// Which derivative code is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Cotangents live in the linear space `A`.
    First,
    /// Cotangents are floats, tangents live in `A`.
    Second,
}

/// Writes one body.
pub struct Emit<'a> {
    function: &'a Function,
    table: &'a Table,
    order: Order,
    names: Names,
    /// Variables that need `mut`.
    changed: Vars,
    /// Cotangents of parameters that the body initialises itself.
    initialised: Vars,
    /// Which parameters can be active.
    everything: ParamSet,
}

impl<'a> Emit<'a> {
    /// For one body.
    pub fn new(
        function: &'a Function,
        table: &'a Table,
        foreign: &Foreign,
        order: Order,
        everything: ParamSet,
        body: &[&Block],
    ) -> Self {
        let mut changed = Vars::new();
        for block in body {
            let mut note = |v, touch| {
                if touch == Touch::Write {
                    changed.insert(v);
                }
            };
            Visit(&mut note).block(block);
        }
        let names = Names::new(foreign, table);
        let initialised = body.iter().flat_map(|b| &b.stmts).filter_map(initialised).collect();
        Emit { function, table, order, names, changed, initialised, everything }
    }

    /// Whether the body initialises a parameter's cotangent.
    pub fn initialises(&self, bar: Var) -> bool {
        self.initialised.contains(&bar)
    }

    /// The user's float type.
    fn float(&self) -> TokenStream {
        float_type(&self.function.base)
    }

    /// The number type of a role.
    fn space(&self, role: Role) -> TokenStream {
        match (role, self.order) {
            (Role::Primal, _) | (Role::Bar, Order::Second) => self.float(),
            (Role::Bar, Order::First) | (Role::Dot, _) => quote!(Space),
        }
    }

    fn zero(&self, role: Role) -> TokenStream {
        let float = self.float();
        match (role, self.order) {
            (Role::Primal, _) => literal(&self.function.base, &quote!(0.0)),
            (Role::Bar, Order::Second) => quote!(<#float as __d::Lin<#float>>::ZERO),
            (Role::Bar, Order::First) | (Role::Dot, _) => quote!(<Space as __d::Lin<#float>>::ZERO),
        }
    }

    /// The stack of the workspace that holds a role's numbers.
    fn pool(&self, role: Role) -> TokenStream {
        match (role, self.order) {
            (Role::Primal, _) | (Role::Bar, Order::Second) => quote!(ws.base),
            (Role::Bar, Order::First) | (Role::Dot, _) => quote!(ws.shadows),
        }
    }

    /// A variable's name in generated code.
    pub fn name(&self, var: Var) -> Ident {
        self.names.get(self.table.info(var))
    }

    /// Passive tokens, with names for placeholders.
    pub fn opaque(&self, o: &Opaque) -> TokenStream {
        if o.reads.is_empty() && o.shapes.is_empty() {
            return o.tokens.clone();
        }
        substitute(o.tokens.clone(), self.names.map())
    }

    /// A place, as a value or as the target of an assignment.
    pub fn place(&self, place: &Place) -> TokenStream {
        let mut out = TokenStream::new();
        let root = self.name(place.root);
        match self.table.is_ref(place.root) && place.path.is_empty() {
            true => out.extend(quote!((*#root))),
            false => out.append(root),
        }
        crate::partials::path(out, place, |o| self.opaque(o))
    }

    /// The operand's value.
    fn operand(&self, o: &Operand) -> TokenStream {
        match o {
            Operand::Place(p) => self.place(p),
            Operand::Opaque(o) => {
                let tokens = self.opaque(o);
                match is_atom(&o.tokens) {
                    true => tokens,
                    false => quote!((#tokens)),
                }
            }
        }
    }

    /// The operand's value, owned: aggregates are cloned.
    fn owned(&self, o: &Operand) -> TokenStream {
        match o {
            Operand::Place(p) if *self.type_of(p) != Ty::Float => {
                let place = self.place(p);
                quote!(::core::clone::Clone::clone(&#place))
            }
            other => self.operand(other),
        }
    }

    fn type_of(&self, place: &Place) -> Box<Ty> {
        Box::new(crate::versions::element(self.table.ty(place.root), &place.path))
    }

    /// Whether the parameters of a set are active: a condition on constants.
    fn condition(&self, on: ParamSet) -> TokenStream {
        let names = on.members().filter(|k| ParamSet::one(*k).0 & self.everything.0 != 0).map(flag_name);
        quote!(#(#names)||*)
    }
}

fn initialised(stmt: &Stmt) -> Option<Var> {
    match stmt {
        Stmt::Derived(Derived::Fresh { bar, .. }) => Some(*bar),
        _ => None,
    }
}

/// A literal, a name or a parenthesised group.
fn is_atom(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().count() == 1
}

/// The constant that says whether a parameter is active.
pub fn flag_name(index: usize) -> Ident {
    format_ident!("on_{}", index)
}

/// Whether the function writes through the parameter.
pub fn is_mut(param: &Param) -> bool {
    matches!(param.passing, Passing::Mut | Passing::Out)
}
