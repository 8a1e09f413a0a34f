//! Vectors, whose memory is that of the workspace.

use crate::emit::code::copies;
use crate::emit::code::writer::Emit;
use crate::frontend::syntax::types::is_passive_scalar;
use crate::ir::plain_places::{copied_place, is_element};
use crate::ir::purity::{is_content, is_item, is_mold, molded_in};
use crate::ir::symbols::{Role, is_known_struct, is_list_of_tuples, is_measured, is_nested};
use crate::ir::*;
use proc_macro2::{TokenStream, TokenTree};

/// Whether a variable's value may be one that is moved.
fn may_be_moved(info: &VarInfo) -> bool {
    let scalar = |ty: &TokenStream| syn::parse2(ty.clone()).is_ok_and(|ty| is_passive_scalar(&ty));
    info.ty == Ty::Passive && !info.written.as_ref().is_some_and(scalar)
}

/// What a variable is given where that is moved out of a list of constants, or out of what one gave: a copy, since the reverse sweep takes
/// it out once more.
pub fn taken_out<'t>(
    info: &VarInfo,
    o: &PassiveCode,
    plain: &str,
    info_of: &dyn Fn(Var) -> &'t VarInfo,
) -> Option<String> {
    let given = || is_content(o) && o.reads.only().is_some_and(|root| info_of(root).carrier);
    match may_be_moved(info) {
        true if is_element(&o.tokens) || is_item(&o.tokens) => Some(format!("__d::list_item(&{plain})")),
        true if given() => Some(format!("__d::list_item({}.as_ref().unwrap())", plain.strip_suffix(".unwrap()")?)),
        _ => None,
    }
}

impl Emit<'_> {
    pub fn is_float_vec(&self, var: Var) -> bool {
        *self.table.ty(var) == Ty::Vec(Box::new(Ty::Float))
    }

    pub fn vec(&self, var: Var, value: &Operand, len: &PassiveCode) -> String {
        // a copy may take from the pool itself
        let apart = matches!(value, Operand::Place(p) if !self.is_float(p));
        let value = match value {
            Operand::Place(p) if self.is_nested(var) => self.place(p),
            value => self.owned(value),
        };
        let (len, pool) = (self.passive_code(len), self.pool(self.table.role(var)));
        match (self.is_float_vec(var), apart) {
            (true, false) => format!("{pool}.take({len}, {value})"),
            (true, true) => format!("{{ let (value, len) = ({value}, {len}); {pool}.take(len, value) }}"),
            (false, _) if self.is_nested(var) => {
                format!("{{ let (value, len) = (&{value}, {len}); __d::Nested::repeated(value, len, &mut {pool}) }}")
            }
            (false, _) => {
                let value_and_len = format!("let (value, len) = ({value}, {len});");
                let list = self.list_of_values(var, "repeated(value, len,", "Repeated(value).times(len,");
                format!("{{ use __d::RepeatedByClone as _; {value_and_len} {list} }}")
            }
        }
    }

    /// What is added to a vector: a copy of a vector of floats has memory of the workspace.
    pub fn appended(&self, value: &Operand) -> String {
        match value {
            Operand::Place(p) if p.path.is_empty() && self.is_float_vec(p.root) => {
                format!("{}.take_copy(&{})", self.pool(self.table.role(p.root)), self.place(p))
            }
            other => self.owned(other),
        }
    }

    /// Whether a variable of the function is a vector of rows or of arrays.
    pub fn is_nested(&self, var: Var) -> bool {
        is_nested(self.table.ty(var))
    }

    /// A vector to which elements are added.
    pub fn empty_vector(&self, var: Var, o: &PassiveCode) -> String {
        let pool = self.pool(self.table.role(var));
        match is_empty_vector(o) {
            true if self.is_float_vec(var) => format!("{pool}.empty({})", self.capacity(o)),
            true if self.is_nested(var) => format!("__d::Nested::room({}, &mut {pool})", self.capacity(o)),
            true if self.is_list_of_values(var) => {
                let n = self.capacity(o);
                match self.table.role(var) {
                    Role::Primal => format!("__d::Active::room({n}, &mut {pool})"),
                    _ => format!("__d::Room::new().take({n}, &mut {pool})"),
                }
            }
            _ => self.passive_code(o),
        }
    }

    /// Passive code; a vector of floats, rows or arrays may be a copy of a constant one, and a shape takes memory from the workspace.
    pub fn passive(&self, var: Var, o: &PassiveCode) -> String {
        if is_mold(o) {
            let pool: TokenStream = self.pool(Role::Primal).parse().expect("the path of a pool");
            return self.tokens(&molded_in(o, &pool));
        }
        let plain = self.passive_code(o);
        match copied_place(&o.tokens).filter(|_| self.is_float_vec(var) || self.is_nested(var)) {
            Some(place) => self.pooled_copy(var, &format!("&{}", self.tokens(&place)), &plain),
            None => taken_out(self.table.info(var), o, &plain, &|var| self.table.info(var)).unwrap_or(plain),
        }
    }

    /// A copy with memory of the workspace, if rustc finds that it is one of a vector.
    fn pooled_copy(&self, var: Var, of: &str, plain: &str) -> String {
        let pool = self.pool(self.table.role(var));
        format!(
            "{{ use __d::{{ PlainCopy as _, PooledCopy as _ }}; (&__d::Pooled({of})).copied(&mut {pool}, || {plain}) }}"
        )
    }

    /// `vec![a, b]`.
    pub fn vec_of(&self, var: Var, all: &[Operand]) -> String {
        let pool = self.pool(self.table.role(var));
        match self.is_nested(var) {
            // the elements may take memory from the same pool
            _ if self.is_float_vec(var) => format!("{{ let list = [{}]; {pool}.take_copy(&list) }}", self.list(all)),
            true => {
                let all: String = all.iter().map(|value| self.appended(value) + ", ").collect();
                format!("__d::Nested::listed([{all}], &mut {pool})")
            }
            false => {
                let list = self.list_of_values(var, "listed(list,", "Listed(list).list(");
                format!("{{ use __d::ListedAlone as _; let list = [{}]; {list} }}", self.list(all))
            }
        }
    }

    /// A vector of values whose type rustc knows: by a method of `Room` if they are tangents, by a way to copy values else.
    fn list_of_values(&self, var: Var, tangents: &str, values: &str) -> String {
        let (role, pool) = (self.table.role(var), self.pool(self.table.role(var)));
        match role {
            Role::Primal => format!("__d::{values} &mut {pool})"),
            _ => format!("__d::Room::new().{tangents} &mut {pool})"),
        }
    }

    /// Whether a variable is a struct of the function's float, by its definition.
    pub fn is_known_struct(&self, var: Var) -> bool {
        self.table.role(var) == Role::Primal && is_known_struct(self.table.ty(var))
    }

    /// A copy of a struct, whose lists have memory of the workspace.
    pub fn pooled_value(&self, place: &Place) -> String {
        format!("__d::Original(&{}).copy_in(&mut {})", self.place(place), self.pool(Role::Primal))
    }

    /// A copy of another variable that is a list or an array, with memory of the workspace.
    pub fn copy_of_array(&self, var: Var, of: &Place) -> Option<String> {
        let (ty, role) = (self.table.ty(var), self.table.role(var));
        if !of.path.is_empty() || self.table.ty(of.root) != ty || self.table.is_ref(of.root) {
            return None;
        }
        match ty {
            Ty::Library if role == Role::Primal => Some(copies::in_pool(&self.place(of), self.pool(role))),
            ty => (is_measured(ty) || is_nested(ty)).then(|| self.to_vec(var, of)),
        }
    }

    /// Whether a variable is a list of structs, or of tuples of numbers.
    fn is_list_of_values(&self, var: Var) -> bool {
        let ty = self.table.ty(var);
        is_list_of_tuples(ty) || matches!(ty, Ty::Vec(element) if matches!(**element, Ty::Struct(_)))
    }

    /// The capacity of an empty vector: `Vec::with_capacity(n)`.
    fn capacity(&self, o: &PassiveCode) -> String {
        match o.tokens.clone().into_iter().last() {
            Some(TokenTree::Group(n)) if !n.stream().is_empty() => {
                self.passive_code(&PassiveCode { tokens: n.stream(), ..o.clone() })
            }
            _ => "0".to_owned(),
        }
    }

    pub fn to_vec(&self, var: Var, place: &Place) -> String {
        let pool = self.pool(self.table.role(var));
        match self.is_float_vec(var) {
            true => format!("{pool}.take_copy(&{})", self.place(place)),
            false if self.is_nested(var) => format!("__d::Nested::copies(&{}, &mut {pool})", self.place(place)),
            false => {
                let list = self.list_of_values(var, "copies(all,", "Originals(all).copies(");
                format!("{{ use __d::CopiesByClone as _; let all = &{}[..]; {list} }}", self.place(place))
            }
        }
    }
}

/// `Vec::new()`, `Vec::with_capacity(n)`.
pub fn is_empty_vector(o: &PassiveCode) -> bool {
    let text = o.tokens.to_string().replace(' ', "");
    let call = text.strip_prefix("::std::vec::").unwrap_or(&text);
    call == "Vec::new()" || call.strip_prefix("Vec::with_capacity(").is_some_and(closes_last)
}

/// Whether the parenthesis that is open is closed by the last character.
fn closes_last(rest: &str) -> bool {
    let mut open = 1;
    let ends = |(_, c): &(usize, char)| {
        open += i32::from(*c == '(') - i32::from(*c == ')');
        open == 0
    };
    rest.char_indices().find(ends).is_some_and(|(at, _)| at + 1 == rest.len())
}
