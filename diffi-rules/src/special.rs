//! The lines of special functions, and where other packages have the same ones.

/// [`functions!`](crate::functions), without those of the standard library: values are those of `diffi::special`.
#[macro_export]
macro_rules! special {
    ($($callback:ident)::+ $({ $($more:tt)* })?) => { $($callback)::+! { $($($more)*)?
        // gamma function
        ln_gamma        (x)         -> y: [x.digamma()]                                       curved;
        gamma           (x)         -> y: [y * x.digamma()]                                   curved;
        digamma         (x)         -> y: [x.trigamma()]                                      curved;
        trigamma        (x)         -> y: [x.polygamma(0 + 2)]                                curved;
        polygamma       (x; n: i32) -> y: [x.polygamma(n + 1)]                                curved;
        digamma_step    (a, b)      -> y: [(a + b).trigamma() - a.trigamma(), (a + b).trigamma()] curved(aa, ab, bb);
        ln_beta         (a, b)      -> y: [-a.digamma_step(b), -b.digamma_step(a)] curved(aa, ab, bb);
        beta            (a, b)      -> y: [-y * a.digamma_step(b), -y * b.digamma_step(a)] curved(aa, ab, bb);
        ln_binomial     (n, k)      -> y: [(n - k + 1.0).digamma_step(k), (k + 1.0).digamma_step(n - 2.0 * k)] curved(nn, nk, kk);
        zeta            (s; n: i32) -> y: [s.zeta(n + 1)]                                     curved;
        // incomplete gamma function: by the parameter to third order, and NaN beyond
        gamma_p         (a, x)      -> y: [a.gamma_p_a(x), a.gamma_pdf(x)]                    curved(aa, ax, xx);
        gamma_q         (a, x)      -> y: [-a.gamma_p_a(x), -a.gamma_pdf(x)]                  curved(aa, ax, xx);
        gamma_pdf       (a, x)      -> y: [y * (x.ln() - a.digamma()), y * ((a - 1.0) / x - 1.0)] curved(aa, ax, xx);
        gamma_p_a       (a, x)      -> y: [a.gamma_p_aa(x), a.gamma_pdf(x) * (x.ln() - a.digamma())] curved(aa, ax, xx);
        gamma_p_aa      (a, x)      -> y: [a.gamma_p_aaa(x), a.gamma_pdf(x) * ((x.ln() - a.digamma()) * (x.ln() - a.digamma()) - a.trigamma())] curved(aa, ax, xx);
        gamma_p_aaa     (a, x)      -> y: [0.0 / 0.0 * a, a.gamma_pdf(x) * ((x.ln() - a.digamma()) * ((x.ln() - a.digamma()) * (x.ln() - a.digamma()) - 3.0 * a.trigamma()) - a.polygamma(0 + 2))] curved(aa, ax, xx);
        // incomplete beta function: by the parameters to third order, and NaN beyond
        beta_inc        (a, b, x)   -> y: [a.beta_inc_a(b, x), a.beta_inc_b(b, x), a.beta_pdf(b, x)] curved(aa, ab, ax, bb, bx, xx);
        beta_pdf        (a, b, x)   -> y: [y * (x.ln() + a.digamma_step(b)), y * ((-x).ln_1p() + b.digamma_step(a)), y * ((a - 1.0) / x - (b - 1.0) / (1.0 - x))] curved(aa, ab, ax, bb, bx, xx);
        beta_inc_a      (a, b, x)   -> y: [a.beta_inc_aa(b, x), a.beta_inc_ab(b, x), a.beta_pdf(b, x) * (x.ln() + a.digamma_step(b))] curved(aa, ab, ax, bb, bx, xx);
        beta_inc_b      (a, b, x)   -> y: [a.beta_inc_ab(b, x), a.beta_inc_bb(b, x), a.beta_pdf(b, x) * ((-x).ln_1p() + b.digamma_step(a))] curved(aa, ab, ax, bb, bx, xx);
        beta_inc_aa     (a, b, x)   -> y: [a.beta_inc_aaa(b, x), a.beta_inc_aab(b, x), a.beta_pdf(b, x) * ((x.ln() + a.digamma_step(b)) * (x.ln() + a.digamma_step(b)) - a.trigamma() + (a + b).trigamma())] curved(aa, ab, ax, bb, bx, xx);
        beta_inc_ab     (a, b, x)   -> y: [a.beta_inc_aab(b, x), a.beta_inc_abb(b, x), a.beta_pdf(b, x) * ((x.ln() + a.digamma_step(b)) * ((-x).ln_1p() + b.digamma_step(a)) + (a + b).trigamma())] curved(aa, ab, ax, bb, bx, xx);
        beta_inc_bb     (a, b, x)   -> y: [a.beta_inc_abb(b, x), a.beta_inc_bbb(b, x), a.beta_pdf(b, x) * (((-x).ln_1p() + b.digamma_step(a)) * ((-x).ln_1p() + b.digamma_step(a)) - b.trigamma() + (a + b).trigamma())] curved(aa, ab, ax, bb, bx, xx);
        beta_inc_aaa    (a, b, x)   -> y: [0.0 / 0.0 * a, 0.0 / 0.0 * b, a.beta_pdf(b, x) * ((x.ln() + a.digamma_step(b)) * ((x.ln() + a.digamma_step(b)) * (x.ln() + a.digamma_step(b)) + 3.0 * ((a + b).trigamma() - a.trigamma())) + (a + b).polygamma(0 + 2) - a.polygamma(0 + 2))]       curved(aa, ab, ax, bb, bx, xx);
        beta_inc_aab    (a, b, x)   -> y: [0.0 / 0.0 * a, 0.0 / 0.0 * b, a.beta_pdf(b, x) * (((-x).ln_1p() + b.digamma_step(a)) * ((x.ln() + a.digamma_step(b)) * (x.ln() + a.digamma_step(b)) + ((a + b).trigamma() - a.trigamma())) + 2.0 * (x.ln() + a.digamma_step(b)) * (a + b).trigamma() + (a + b).polygamma(0 + 2))]       curved(aa, ab, ax, bb, bx, xx);
        beta_inc_abb    (a, b, x)   -> y: [0.0 / 0.0 * a, 0.0 / 0.0 * b, a.beta_pdf(b, x) * ((x.ln() + a.digamma_step(b)) * (((-x).ln_1p() + b.digamma_step(a)) * ((-x).ln_1p() + b.digamma_step(a)) + ((a + b).trigamma() - b.trigamma())) + 2.0 * ((-x).ln_1p() + b.digamma_step(a)) * (a + b).trigamma() + (a + b).polygamma(0 + 2))]       curved(aa, ab, ax, bb, bx, xx);
        beta_inc_bbb    (a, b, x)   -> y: [0.0 / 0.0 * a, 0.0 / 0.0 * b, a.beta_pdf(b, x) * (((-x).ln_1p() + b.digamma_step(a)) * (((-x).ln_1p() + b.digamma_step(a)) * ((-x).ln_1p() + b.digamma_step(a)) + 3.0 * ((a + b).trigamma() - b.trigamma())) + (a + b).polygamma(0 + 2) - b.polygamma(0 + 2))]       curved(aa, ab, ax, bb, bx, xx);
        // error function and normal distribution
        gaussian        (x)         -> y: [-2.0 * x * y]                                      curved;
        norm_pdf        (x)         -> y: [-x * y]                                            curved;
        erf             (x)         -> y: [1.1283791670955126 * x.gaussian()]                 curved;
        erfc            (x)         -> y: [-1.1283791670955126 * x.gaussian()]                curved;
        erf_inv         (x)         -> y: [if x < -0.5 { 0.3535533905932738 / (0.5 * (1.0 + x)).norm_pdf_quantile() } else if x > 0.5 { 0.3535533905932738 / (0.5 * (1.0 - x)).norm_pdf_quantile() } else { 0.886226925452758 / y.gaussian() }] curved;
        erfc_inv        (x)         -> y: [-0.3535533905932738 / (0.5 * x).norm_pdf_quantile()] curved;
        norm_cdf        (x)         -> y: [x.norm_pdf()]                                      curved;
        norm_quantile   (p)         -> y: [1.0 / p.norm_pdf_quantile()]                       curved;
        norm_pdf_quantile (p)         -> y: [-p.norm_quantile()]                              curved;
        ln_norm_cdf     (x)         -> y: [x.inverse_mills()]                                 curved;
        inverse_mills   (x)         -> y: [-y * x.inverse_mills_excess()]                     curved;
        inverse_mills_excess (x)    -> y: [1.0 - y * (y - x)]                                 curved;
        owen_t          (h, a)      -> y: [-0.5 * h.norm_pdf() * (0.7071067811865476 * a * h).erf(), h.norm_pdf() * (a * h).norm_pdf() / (1.0 + a * a)] curved(hh, ha, aa);
        // Bessel functions of whole order
        bessel_j        (x; n: i32) -> y: [0.5 * (x.bessel_j(n - 1) - x.bessel_j(n + 1))]     curved;
        bessel_y        (x; n: i32) -> y: [0.5 * (x.bessel_y(n - 1) - x.bessel_y(n + 1))]     curved;
        bessel_i        (x; n: i32) -> y: [0.5 * (x.bessel_i(n - 1) + x.bessel_i(n + 1))]     curved;
        bessel_k        (x; n: i32) -> y: [-0.5 * (x.bessel_k(n - 1) + x.bessel_k(n + 1))]    curved;
        // logistic function, and sums of exponentials in logarithms
        ln_1p_exp       (x)         -> y: [x.expit()]                                         curved;
        expit           (x)         -> y: [y * (-x).expit()]                                  curved;
        logit           (p)         -> y: [1.0 / (p * (1.0 - p))]                             curved;
        ln_add_exp      (a, b)      -> y: [a.softmax_of_pair(b), b.softmax_of_pair(a)]        curved(aa, ab, bb);
        softmax_of_pair (a, b)      -> y: [y * b.softmax_of_pair(a), -y * b.softmax_of_pair(a)] curved(aa, ab, bb);
        ln_sub_exp      (a, b)      -> y: [-b.bose_einstein(a), -a.bose_einstein(b)]          curved(aa, ab, bb);
        bose_einstein   (a, b)      -> y: [y * b.bose_einstein(a), -y * b.bose_einstein(a)]   curved(aa, ab, bb);
        // Lambert's W
        lambert_w0      (x)         -> y: [if x > 1.0 { y / (x * (1.0 + y)) } else { 1.0 / (y.exp() * (1.0 + y)) }] curved;
        lambert_wm1     (x)         -> y: [y / (x * (1.0 + y))]                               curved;
    } };
}
