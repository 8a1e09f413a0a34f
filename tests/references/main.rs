//! Methods that return references into `self`, functions that return them into an argument, and references that a condition chooses: by every
//! operator, forward, reverse and of second order, against differences of the plain
//! function.
#![allow(clippy::all)] // the functions are written as all kinds of people write them

#[allow(unused, reason = "there are no lists here")]
#[path = "../composition/check.rs"]
mod check;
#[path = "../numbers/mod.rs"]
mod numbers;

mod choices;
mod elements;
mod functions;
mod lent;
mod lent_options;
mod options;
mod parts;
mod reborrowed;
mod receivers;

const AT: [f64; 6] = [0.7, 1.3, -0.4, 0.9, 1.1, 0.6];

macro_rules! functions {
    ($($group:ident: $($name:ident)+;)+) => { $( mod $group {
        $(#[test]
        fn $name() {
            use diffi::prelude::*;
            crate::check::number!(crate::$group::$name::f::D, crate::AT, |x| x, |y| crate::$group::$name::f(y));
        })+
    } )+ };
}

mod tests {
    functions! {
        choices: slices parts_of_an_argument exclusive numbers fields in_loops jumps;
        elements: mat_at rows branches grid_const bound mixed module param closure early;
        parts: params nested particles vec_of deep_fields generic_struct trait_generic_self swap traits;
        functions: free module;
        lent: vector number slice rows_by_index;
        lent_options: doubled kept_best taken cached differences array of_a_struct lent_field by_as_mut
            recursive inserted previous_point relaxed pair tracked first filled in_a_loop copied buffer
            handed_on swapped indices until_none question last mem_take parameter;
        options: find tree std_names opt_nested;
        reborrowed: in_a_loop asked method rows found;
        receivers: builder chain_build chosen;
    }
}
