//! The variables of one piece of derivative code, and the linear space that each belongs to.

use crate::ir::divisors::divisors;
use crate::ir::formulas::Formulas;
use crate::ir::visit::Vars;
use crate::ir::*;
use crate::support::hash::{HashMap, HashSet};
use crate::support::switches::is_on;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

/// Which numbers a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The user's own values.
    Primal,
    /// Cotangents.
    Bar,
    /// Tangents (of primal values, or in second order of cotangents).
    Dot,
}

/// Variables and their roles.
#[derive(Clone, Debug)]
pub struct Table {
    vars: Vec<VarInfo>,
    roles: Vec<Role>,
    /// Variables that are references in generated code.
    refs: HashSet<Var>,
    /// Of these: the ones to cells.
    cells: HashSet<Var>,
    /// Slice parameters, passive ones included.
    slices: HashSet<Var>,
    /// Of variables that stand for another one: which.
    origins: HashMap<Var, Var>,
    /// Of shadows: whose.
    owners: HashMap<Var, Var>,
    formulas: Formulas,
    /// What the function divides by.
    divisors: Vars,
    /// Of reciprocals that adjoints of quotients multiply by: the divisor.
    reciprocals: HashMap<Var, Operand>,
    reassociate: bool,
    vector_math: bool,
    /// Variables of inner loops several of which run together.
    jammed: HashSet<Var>,
    /// Variables of loops whose iterations, or iterations around them, go abreast.
    abreast: HashSet<Var>,
    /// Variables of loops whose iterations fill vectors by themselves.
    by_itself: HashSet<Var>,
}

impl Table {
    /// The function's own variables.
    pub fn of(function: &Function) -> Self {
        let refs = function.params.iter().filter(|p| p.passing != Passing::Value).map(|p| p.var).collect();
        let slices = function.params.iter().filter(|p| is_slice_type(&p.ty)).map(|p| p.var).collect();
        let roles = vec![Role::Primal; function.vars.len()];
        Table {
            vars: function.vars.clone(),
            roles,
            refs,
            cells: HashSet::default(),
            slices,
            origins: HashMap::default(),
            owners: HashMap::default(),
            formulas: function.formulas.clone(),
            divisors: divisors(&function.body),
            reciprocals: HashMap::default(),
            reassociate: function.reassociate,
            vector_math: function.vector_math,
            jammed: HashSet::default(),
            abreast: HashSet::default(),
            by_itself: HashSet::default(),
        }
    }

    /// The lines of the derivative table.
    pub fn formulas(&self) -> &Formulas {
        &self.formulas
    }

    /// Whether the function divides by the variable.
    pub fn divides_by(&self, var: Var) -> bool {
        self.divisors.contains(&var)
    }

    /// Takes down that the variable is `1 / divisor`, and stands for the division in derivatives of a quotient.
    pub fn note_reciprocal(&mut self, var: Var, divisor: Operand) {
        self.reciprocals.insert(var, divisor);
    }

    /// The divisor, if the variable is a reciprocal in derivatives of a quotient.
    pub fn divisor_of(&self, var: Var) -> Option<&Operand> {
        self.reciprocals.get(&var)
    }

    /// Whether sums may be added in any order, the user's own too.
    pub fn reassociates(&self) -> bool {
        self.reassociate && is_on("split_reductions")
    }

    /// Whether functions of several iterations may be computed at once.
    pub fn has_vector_math(&self) -> bool {
        self.vector_math && is_on("vector_calls")
    }

    /// Takes down that inner loops over the variable run together.
    pub fn set_jammed(&mut self, var: Var) {
        self.jammed.insert(self.origin(var));
    }

    /// Whether loops over the variable, or over one that it stands for, run together.
    pub fn is_jammed(&self, var: Var) -> bool {
        self.jammed.contains(&self.origin(var))
    }

    /// Takes down that several iterations of the loop over the variable, or of one around it, go abreast.
    pub fn set_abreast(&mut self, var: Var) {
        self.abreast.insert(var);
    }

    /// Whether several iterations of the loop over the variable, or of one around it, go abreast.
    pub fn is_abreast(&self, var: Var) -> bool {
        self.abreast.contains(&var)
    }

    /// Takes down that each iteration of the loop over the variable fills vectors.
    pub fn set_by_itself(&mut self, var: Var) {
        self.by_itself.insert(var);
    }

    /// Whether each iteration of the loop over the variable fills vectors.
    pub fn is_by_itself(&self, var: Var) -> bool {
        self.by_itself.contains(&var)
    }

    /// All variables.
    pub fn vars(&self) -> &[VarInfo] {
        &self.vars
    }

    /// What is known of a variable.
    pub fn info(&self, var: Var) -> &VarInfo {
        &self.vars[var.0 as usize]
    }

    /// Its space.
    pub fn role(&self, var: Var) -> Role {
        self.roles[var.0 as usize]
    }

    /// Whether generated code must dereference it to name the whole.
    pub fn is_ref(&self, var: Var) -> bool {
        self.refs.contains(&var)
    }

    /// Makes the variable a reference in generated code.
    pub fn set_ref(&mut self, var: Var) {
        self.refs.insert(var);
    }

    /// Whether the variable is a reference to a cell.
    pub fn is_cell(&self, var: Var) -> bool {
        self.cells.contains(&var)
    }

    /// Makes the variable a reference to a cell in generated code.
    pub fn set_cell(&mut self, var: Var) {
        self.cells.insert(var);
    }

    /// Its type.
    pub fn ty(&self, var: Var) -> &Ty {
        &self.info(var).ty
    }

    /// Corrects what is known of a variable's type.
    pub fn retype(&mut self, var: Var, ty: Ty) {
        self.vars[var.0 as usize].ty = ty;
    }

    /// A new variable.
    pub fn fresh(&mut self, hint: &str, ty: Ty, role: Role, span: Span) -> Var {
        let index = self.vars.len() as u32;
        self.vars.push(VarInfo {
            name: Ident::new(&format!("__v{index}_{hint}"), span),
            hint: hint.to_owned(),
            ty,
            written: None,
            mutable: true,
            changes: false,
            named: false,
            carrier: false,
            seen: ViewForm::Whole,
            span,
        });
        self.roles.push(role);
        Var(index)
    }

    /// A new variable that goes with another: `x_bar` for `x`.
    pub fn companion(&mut self, of: Var, suffix: &str, role: Role) -> Var {
        let VarInfo { hint, ty, span, .. } = self.info(of).clone();
        let var = self.fresh(&format!("{}_{suffix}", hint.trim_start_matches('_')), ty, role, span);
        self.owners.insert(var, of);
        var
    }

    /// Whether it is a cotangent, or the tangent of one.
    pub fn is_cotangent(&self, var: Var) -> bool {
        let owner = self.owners.get(&self.origin(var));
        self.role(var) == Role::Bar
            || self.role(var) == Role::Dot && owner.is_some_and(|of| self.role(*of) == Role::Bar)
    }

    /// The user's variable whose tangent this one is.
    pub fn primal(&self, tangent: Var) -> Option<Var> {
        let owner = *self.owners.get(&self.origin(tangent))?;
        (self.role(tangent) == Role::Dot && self.role(owner) == Role::Primal).then_some(owner)
    }

    /// The user's variable of which this one is a shadow, of any order.
    pub fn value(&self, shadow: Var) -> Option<Var> {
        let owner = *self.owners.get(&self.origin(shadow))?;
        if self.role(owner) == Role::Primal { Some(owner) } else { self.value(owner) }
    }

    /// A variable that stands for another one where the code around that is run again.
    pub fn twin(&mut self, of: Var, hint: &str) -> Var {
        let var = self.fresh(hint, self.ty(of).clone(), self.role(of), self.info(of).span);
        let info = self.info(of).clone();
        let twin = &mut self.vars[var.0 as usize];
        (twin.written, twin.mutable, twin.changes) = (info.written, info.mutable, info.changes);
        twin.seen = info.seen;
        if self.refs.contains(&of) {
            self.refs.insert(var);
        }
        if self.slices.contains(&of) {
            self.slices.insert(var);
        }
        self.origins.insert(var, self.origin(of));
        var
    }

    /// The variable that this one stands for in the end.
    pub fn origin(&self, var: Var) -> Var {
        self.origins.get(&var).copied().unwrap_or(var)
    }

    /// Makes the variable a value in generated code.
    pub fn set_owned(&mut self, var: Var) {
        self.refs.remove(&var);
    }

    /// Whether the variable is a parameter of a slice or `Vec` type.
    pub fn is_slice(&self, var: Var) -> bool {
        self.slices.contains(&var)
    }

    /// A passive value of one variable.
    pub fn read(&self, var: Var) -> PassiveCode {
        PassiveCode::var(var, self.info(var))
    }
}

/// A tuple of floats, of what carries none, and of such tuples: its type tells its shadow.
pub fn is_fixed(ty: &Ty) -> bool {
    let member = |ty: &Ty| matches!(ty, Ty::Float | Ty::Passive) || is_fixed(ty);
    matches!(ty, Ty::Tuple(all) if all.iter().all(member))
}

/// Such tuples, and vectors of them.
pub fn is_mixed(ty: &Ty) -> bool {
    match ty {
        Ty::Vec(e) | Ty::Array(e) | Ty::Slice(e) => is_mixed(e),
        ty => is_fixed(ty),
    }
}

/// A vector of vectors of floats, or of arrays.
pub fn is_nested(ty: &Ty) -> bool {
    let floats = |ty: &Ty| matches!(ty, Ty::Vec(e) | Ty::Array(e) if **e == Ty::Float);
    matches!(ty, Ty::Vec(e) if floats(e))
}

/// A vector of tuples of numbers, whose shape is its length.
pub fn is_list_of_tuples(ty: &Ty) -> bool {
    let some = |ty: &Ty| matches!(ty, Ty::Tuple(all) if !all.is_empty());
    matches!(ty, Ty::Vec(e) if some(e) && is_fixed(e) && holds_no_buffers(e))
}

/// Whether values of a type are numbers side by side, without memory of their own.
pub fn holds_no_buffers(ty: &Ty) -> bool {
    match ty {
        Ty::Float => true,
        Ty::Array(element) => holds_no_buffers(element),
        Ty::Tuple(members) => members.iter().all(holds_no_buffers),
        _ => false,
    }
}

/// A vector whose shape is its length.
pub fn is_measured(ty: &Ty) -> bool {
    *ty == Ty::Vec(Box::new(Ty::Float)) || is_list_of_tuples(ty)
}

/// A struct of which some fields are known from its definition.
pub fn is_known_struct(ty: &Ty) -> bool {
    matches!(ty, Ty::Struct(fields) if !fields.is_empty())
}

/// A vector of structs, tuples, or whatever else only rustc knows.
pub fn is_list_of_values(ty: &Ty) -> bool {
    matches!(ty, Ty::Vec(element) if **element != Ty::Float) && !is_nested(ty)
}

/// `[T]` or `Vec<T>`.
fn is_slice_type(ty: &TokenStream) -> bool {
    let is_semicolon = |tree| matches!(tree, TokenTree::Punct(sign) if sign.as_char() == ';');
    let mut last = None;
    for tree in ty.clone() {
        match tree {
            TokenTree::Group(group) => {
                let slice = last.is_none() && group.delimiter() == Delimiter::Bracket;
                return slice && !group.stream().into_iter().any(is_semicolon);
            }
            TokenTree::Punct(sign) if sign.as_char() == '&' => return false,
            TokenTree::Punct(sign) if sign.as_char() == '<' => break,
            TokenTree::Ident(name) => last = Some(name),
            _ => {}
        }
    }
    last.is_some_and(|name| name == "Vec")
}
