//! Every number of parameters.

/// Calls a macro for every number of parameters: once with `K0 P0 X0 x0 0`, up to twelve such groups.
macro_rules! arities {
    ($callback:ident) => { $crate::number::arities::arities!(@ $callback []
        [K0 P0 X0 x0 0] [K1 P1 X1 x1 1] [K2 P2 X2 x2 2] [K3 P3 X3 x3 3] [K4 P4 X4 x4 4] [K5 P5 X5 x5 5]
        [K6 P6 X6 x6 6] [K7 P7 X7 x7 7] [K8 P8 X8 x8 8] [K9 P9 X9 x9 9] [K10 P10 X10 x10 10] [K11 P11 X11 x11 11]); };
    (@ $callback:ident [$($done:tt)*]) => {};
    (@ $callback:ident [$($done:tt)*] $next:tt $($rest:tt)*) => {
        $callback!($($done)* $next);
        $crate::number::arities::arities!(@ $callback [$($done)* $next] $($rest)*);
    };
}

pub(crate) use arities;
