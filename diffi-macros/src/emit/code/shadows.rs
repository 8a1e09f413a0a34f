//! Shadows and buffers: how they are made, filled, cleared and given back.

use crate::emit::code::writer::Emit;
use crate::emit::items::frame::has_lifetime;
use crate::ir::place::element as element_of;
use crate::ir::symbols::{Role, holds_no_buffers, is_fixed, is_nested};
use crate::ir::*;

impl Emit<'_> {
    /// A shadow of a value's shape.
    pub fn shadow(&self, var: Var, like: &ShapeOf) -> String {
        format!("let mut {} = {};", self.name(var), self.zeros(var, like))
    }

    fn zeros(&self, var: Var, like: &ShapeOf) -> String {
        let (role, ty) = (self.table.role(var), self.table.ty(var));
        let (space, pool) = (self.space(role), self.pool(role));
        let element = match ty {
            Ty::Vec(e) => &**e,
            _ => ty,
        };
        match like {
            ShapeOf::Fixed => self.fixed_zero(ty, role),
            ShapeOf::Value(_) if is_fixed(ty) => self.fixed_zero(ty, role),
            ShapeOf::Value(p) if is_fixed(element) => {
                let zero = self.fixed_zero(element, role);
                format!("__d::Room::new().repeated({zero}, {}.len(), &mut {pool})", self.place(p))
            }
            ShapeOf::Len(len) if is_fixed(element) => {
                let zero = self.fixed_zero(element, role);
                format!("__d::Room::new().repeated({zero}, {}, &mut {pool})", self.passive_code(len))
            }
            ShapeOf::Value(p) if matches!(element_of(self.table.ty(p.root), &p.path), Ty::Slice(_)) => {
                let row = format!("|row| __d::Active::zeros::<{space}>(row, &mut {pool})");
                format!("{}.iter().map({row}).collect::<::std::vec::Vec<_>>()", self.place(p))
            }
            ShapeOf::Value(p) if self.is_view(p) || matches!(p.path.last(), Some(Proj::Range(..))) => {
                format!("__d::Spare::spare::<{space}>(&{})", self.place(p))
            }
            ShapeOf::Value(p) => {
                let value = self.seen_place(p, self.place(p));
                format!("__d::Active::zeros::<{space}>(&{value}, &mut {pool})")
            }
            ShapeOf::Passive(o) => format!("__d::Active::zeros::<{space}>(&({}), &mut {pool})", self.passive_code(o)),
            ShapeOf::Len(len) => format!("{pool}.take({}, {})", self.passive_code(len), self.zero(role)),
        }
    }

    /// Whether it is a view that was passed: its shadow is that of an array.
    fn is_view(&self, place: &Place) -> bool {
        let passed = self.function.params.iter().find(|p| p.var == place.root);
        place.path.is_empty() && passed.is_some_and(|p| has_lifetime(&p.ty))
    }

    /// A shadow that the callee initialises.
    pub fn unset(&self, var: Var, like: &ShapeOf, of: Option<Var>) -> String {
        let (role, name) = (self.table.role(var), self.name(var));
        let (space, pool) = (self.space(role), self.pool(role));
        match like {
            ShapeOf::Value(p) if self.is_view(p) => {
                format!("let mut {name} = __d::Spare::spare::<{space}>(&{});", self.place(p))
            }
            ShapeOf::Value(p) if of.is_some() => {
                let (like, of) = (self.place(p), of.map_or("", |of| self.name(of)));
                format!("let mut {name} = __d::Active::fresh_of::<{space}>(&{like}, {of}, &mut {pool});")
            }
            ShapeOf::Value(p) if self.lasts(var) => {
                let (like, place) = (self.place(p), self.lasting_place(var));
                format!("let {name} = __d::Active::fresh_in::<{space}>(&{like}, &mut {place}, &mut {pool});")
            }
            ShapeOf::Value(p) => {
                format!("let mut {name} = __d::Active::fresh::<{space}>(&{}, &mut {pool});", self.place(p))
            }
            _ => format!("let mut {name} = ::std::vec::Vec::<{space}>::new();"),
        }
    }

    /// The zero of a tuple; members that carry nothing have an empty shadow.
    fn fixed_zero(&self, ty: &Ty, role: Role) -> String {
        match ty {
            Ty::Tuple(all) => {
                format!("({})", all.iter().map(|t| self.fixed_zero(t, role) + ", ").collect::<String>())
            }
            Ty::Float => self.zero(role),
            _ => "()".to_owned(),
        }
    }

    pub fn refill(&self, var: Var, len: Option<&PassiveCode>, with: &Refill) -> String {
        let (name, zero) = (self.name(var), self.zero(self.table.role(var)));
        let sized = len.map(|len| format!("{name}.resize({}, {zero});", self.passive_code(len))).unwrap_or_default();
        sized
            + &match with {
                Refill::Value(o) => format!("{name}.fill({});", self.operand(o)),
                Refill::Zero => format!("{name}.fill({zero});"),
                Refill::Anything => String::new(),
                Refill::Copy(p) if is_nested(self.table.ty(var)) => {
                    format!("::core::clone::Clone::clone_from(&mut {name}, &{});", self.place(p))
                }
                Refill::Copy(p) => format!("{name}.clear(); {name}.extend_from_slice(&{});", self.place(p)),
            }
    }

    /// Gives the buffers of a variable back that nothing reads any more.
    pub fn release(&self, var: Var) -> String {
        let (role, name) = (self.table.role(var), self.name(var));
        let pool = self.pool(role);
        match (self.table.ty(var), role) {
            _ if self.is_float_vec(var) => format!("{pool}.give({name});"),
            (ty, _) if self.table.is_ref(var) || holds_no_buffers(ty) => String::new(),
            (ty, Role::Primal) if *ty == Ty::Library || is_nested(ty) => {
                format!("__d::Active::recycle({name}, &mut {pool});")
            }
            (_, Role::Primal) => {
                let spent = format!("__d::Spent::<_, {}>::new({name})", self.float);
                format!("{{ use __d::Dropped as _; {spent}.recycle(&mut {pool}); }}")
            }
            _ => format!("__d::Tangent::<{}>::recycle({name}, &mut {pool});", self.space(role)),
        }
    }

    /// Where the array of one iteration is for the next.
    pub fn lasting_place(&self, var: Var) -> String {
        format!("__{}_place", self.name(var).trim_start_matches("r#"))
    }

    /// The memory of an array that lasted as long as a loop.
    fn given_back(&self, var: Var) -> String {
        let (name, place) = (self.name(var), self.lasting_place(var));
        format!("if let ::core::option::Option::Some({name}) = {place} {{ {} }}", self.release(var))
    }

    /// Arrays that last as long as a loop.
    pub fn loop_buffers(&self, vars: &[Var], body: &Block) -> String {
        let empty = |v: &Var| format!("let mut {} = ::core::option::Option::None;", self.lasting_place(*v));
        let places: String = vars.iter().map(empty).collect();
        let given_back: String = vars.iter().map(|v| self.given_back(*v)).collect();
        let around = self.lasting.borrow().clone();
        self.lasting.borrow_mut().extend(vars);
        let body = self.block(body);
        self.lasting.replace(around);
        format!("{places} {body} {given_back}")
    }

    /// A place that is cleared.
    pub fn clear(&self, place: &Place, whole: bool) -> String {
        let role = self.table.role(place.root);
        let (space, zero) = (self.space(role), self.zero(role));
        if self.table.is_cell(place.root) {
            return format!("{}.set({zero});", self.name(place.root));
        }
        let to = self.place_mut(place);
        match whole {
            true => format!("__d::Tangent::<{space}>::clear(&mut {to});"),
            false if self.is_shadow_in_data(place) => format!("__d::reset::<{space}, {}, _>(&mut {to});", self.float),
            false => format!("{to} = {zero};"),
        }
    }

    /// A place whose value has been replaced by one that does not move.
    pub fn still(&self, place: &Place, like: &Place) -> String {
        let role = self.table.role(place.root);
        let (to, value, pool) = (self.place_mut(place), self.place(like), self.pool(role));
        format!("{{ use __d::Stills as _; __d::Still(&mut {to}).of(&{value}, &mut {pool}); }}")
    }
}
