//! The table's special functions of either float.

use crate::number::float::{Base, Math};

macro_rules! functions {
    ($($name:ident ($($x:ident),+ $(; $n:ident: $int:ty)?) -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => { $(
        #[doc = concat!("The function `", stringify!($name), "` of the derivative table.")]
        pub fn $name<F: Base>($($x: F),+ $(, $n: $int)?) -> F {
            F::Math::$name($($x),+ $(, $n)?)
        }
    )+ };
}
diffi_rules::special!(functions);
