//! Functions of other packages that are lines of the table under another name.

/// A function that callers name by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// The path from the package on.
    pub path: &'static str,
    /// The line.
    pub rule: &'static str,
    /// Which of the line's arguments each of its own is; the passive one comes last.
    pub order: &'static [usize],
    /// The passive argument, if the function has it in its name.
    pub whole: Option<i32>,
}

/// The function with this path.
pub fn foreign(path: &str) -> Option<&'static Foreign> {
    FOREIGN.iter().find(|foreign| foreign.path == path)
}

macro_rules! foreign {
    ($($path:literal is $rule:ident $order:tt $(with $whole:literal)?;)+) => {
        /// All of them.
        pub const FOREIGN: &[Foreign] = &[$(Foreign {
            path: $path,
            rule: stringify!($rule),
            order: &$order,
            whole: [$(Some($whole),)? None][0],
        }),+];
    };
}

foreign! {
    "diffi::special::polygamma" is polygamma [1, 0];
    "diffi::special::bessel_j" is bessel_j [1, 0];
    "diffi::special::bessel_y" is bessel_y [1, 0];
    "diffi::special::bessel_i" is bessel_i [1, 0];
    "diffi::special::bessel_k" is bessel_k [1, 0];
    "libm::erf" is erf [0];
    "libm::erff" is erf [0];
    "libm::erfc" is erfc [0];
    "libm::erfcf" is erfc [0];
    "libm::lgamma" is ln_gamma [0];
    "libm::lgammaf" is ln_gamma [0];
    "libm::tgamma" is gamma [0];
    "libm::tgammaf" is gamma [0];
    "libm::j0" is bessel_j [0] with 0;
    "libm::j1" is bessel_j [0] with 1;
    "libm::jn" is bessel_j [1, 0];
    "libm::y0" is bessel_y [0] with 0;
    "libm::y1" is bessel_y [0] with 1;
    "libm::yn" is bessel_y [1, 0];
    "statrs::function::gamma::ln_gamma" is ln_gamma [0];
    "statrs::function::gamma::gamma" is gamma [0];
    "statrs::function::gamma::digamma" is digamma [0];
    "statrs::function::gamma::gamma_lr" is gamma_p [0, 1];
    "statrs::function::gamma::gamma_ur" is gamma_q [0, 1];
    "statrs::function::beta::ln_beta" is ln_beta [0, 1];
    "statrs::function::beta::beta" is beta [0, 1];
    "statrs::function::beta::beta_reg" is beta_inc [0, 1, 2];
    "statrs::function::erf::erf" is erf [0];
    "statrs::function::erf::erfc" is erfc [0];
    "statrs::function::erf::erf_inv" is erf_inv [0];
    "statrs::function::erf::erfc_inv" is erfc_inv [0];
    "statrs::function::logistic::logistic" is expit [0];
    "statrs::function::logistic::logit" is logit [0];
}
