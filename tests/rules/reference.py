"""Writes reference.tsv: values and derivatives of every function of the derivative table, to all digits of a float.

    pip install mpmath && python3 tests/rules/reference.py > tests/rules/reference.tsv

The functions are mpmath's, the derivatives are differences with 200 digits: no formula of the table is used.
"""

from itertools import combinations_with_replacement
from mpmath import mp, mpf
import mpmath as m

mp.dps = 200
STEP = mpf(10) ** -30

half_away = lambda x: m.sign(x) * m.floor(abs(x) + mpf(1) / 2)
trunc = lambda x: m.sign(x) * m.floor(abs(x))
sign = lambda x: m.sign(x) if x != 0 else mpf(1)
div_euclid = lambda a, b: m.sign(b) * m.floor(a / abs(b))
real_cbrt = lambda x: m.sign(x) * m.cbrt(abs(x))
power = lambda x, n: x ** int(n)

SMALL, LARGE = 1e-60, 1e60
LINE = [-2.75, -0.625, 0.3, 1.9, 37.25]
POSITIVE = [SMALL, 0.015625, 0.7, 3.5, 1234.5, LARGE]
UNIT = [-0.96875, -0.3, 1e-9, 0.5, 0.99999]
PAIRS = [(1.25, 0.4), (-2.5, 0.75), (0.3, -1.7), (-4.0, -3.0), (7.5, 2.3)]

# Special functions as mpmath has them, and the derivatives that are lines themselves.
lower = lambda a, x: m.gammainc(a, 0, x, regularized=True)
beta_inc = lambda a, b, x: m.betainc(a, b, 0, x, regularized=True)
cdf = lambda x: m.erfc(-x / m.sqrt(2)) / 2
pdf = lambda x: m.exp(-x * x / 2) / m.sqrt(2 * m.pi)
along = lambda f, *directions: lambda *x: derivative(f, x, directions)
owen = lambda h, a: m.quad(lambda t: m.exp(-h * h * (1 + t * t) / 2) / (1 + t * t), [0, a]) / (2 * m.pi)

GAMMAS = [0.015625, 0.7, 1.4375, 3.5, 27.25, 1234.5]
PARAMETERS = [(0.7, 0.4), (2.5, 4.75), (11.0, 7.5), (30.0, 41.0)]
BETAS = [(0.7, 2.5, 0.3), (3.5, 1.25, 0.6), (12.0, 7.5, 0.5), (2.0, 30.0, 0.125)]
ORDERS = [(x, n) for x in [0.7, 3.5, 21.25] for n in [0, 1, 4]]

# What has an integer after its other arguments.
PASSIVE = ["powi", "polygamma", "bessel_j", "bessel_y", "bessel_i", "bessel_k", "zeta"]

# By how many of the parameters, which come before the last argument, a derivative has been taken that has three at most.
PARAMETRIC = {name: len(name.split("_")[-1]) for name in """gamma_p_a gamma_p_aa gamma_p_aaa beta_inc_a beta_inc_b beta_inc_aa
    beta_inc_ab beta_inc_bb beta_inc_aaa beta_inc_aab beta_inc_abb beta_inc_bbb""".split()}

# name: (function, points); the last number of a point of `powi` and others is passive
FUNCTIONS = {
    "recip": (lambda x: 1 / x, LINE + POSITIVE),
    "sqrt": (m.sqrt, POSITIVE),
    "cbrt": (real_cbrt, POSITIVE + LINE),
    "powi": (power, [(x, n) for x in [-1.5, 0.3, 2.25] for n in [-3, -1, 0, 1, 2, 7]] + [(0.0, n) for n in [0, 1, 2, 3]]),
    "powf": (lambda x, p: x**p, [(1.25, 0.4), (2.5, -1.75), (0.3, 3.0), (7.5, 1.0), (0.01, 2.0), (3.0, 0.0), (1e-200, 1.5)]),
    "hypot": (m.hypot, PAIRS + [(1e-100, 2e-100), (3e100, 4e100), (0.0, 2.0), (-1.5, 0.0)]),
    "mul_add": (lambda a, b, c: a * b + c, [(1.5, -2.0, 0.25), (-0.3, 0.7, 11.0), (3.0, 0.0, 1.0)]),
    "exp": (m.exp, LINE + [-50.0]),
    "exp2": (lambda x: mpf(2) ** x, LINE),
    "exp_m1": (m.expm1, LINE + [1e-12, -30.0]),
    "ln": (m.log, POSITIVE),
    "ln_1p": (m.log1p, [-0.96875, 1e-12, 0.7, 3.5, LARGE]),
    "log2": (lambda x: m.log(x) / m.log(2), POSITIVE),
    "log10": (lambda x: m.log(x) / m.log(10), POSITIVE),
    "log": (lambda x, b: m.log(x) / m.log(b), [(2.5, 3.0), (0.3, 7.5), (11.0, 0.4), (0.75, 0.2)]),
    "sin": (m.sin, LINE + [1e5]),
    "cos": (m.cos, LINE + [1e5]),
    "tan": (m.tan, LINE + [1.5625]),
    "asin": (m.asin, UNIT),
    "acos": (m.acos, UNIT),
    "atan": (m.atan, LINE + [1e20]),
    "atan2": (m.atan2, PAIRS + [(1e-100, 2e-100), (3e100, 4e100), (0.0, 2.0), (-1.5, 0.0), (1.5, 0.0)]),
    "to_degrees": (lambda x: x * 180 / m.pi, LINE),
    "to_radians": (lambda x: x * m.pi / 180, LINE),
    "sinh": (m.sinh, LINE),
    "cosh": (m.cosh, LINE),
    "tanh": (m.tanh, [-2.75, -0.625, 1e-9, 0.3, 1.9]),
    "asinh": (m.asinh, LINE + [1e-9, 1e200]),
    "acosh": (m.acosh, [1.00001, 1.25, 3.5, 1234.5, 1e200]),
    "atanh": (m.atanh, UNIT),
    "abs": (abs, LINE),
    "copysign": (lambda x, s: abs(x) * sign(s), PAIRS + [(0.5, 0.5)]),
    "max": (max, PAIRS),
    "min": (min, PAIRS),
    "clamp": (lambda x, l, h: min(max(x, l), h), [(0.5, -1.0, 2.0), (-3.5, -1.0, 2.0), (2.5, -1.0, 2.0), (7.0, 6.5, 6.75)]),
    "midpoint": (lambda a, b: (a + b) / 2, PAIRS),
    "fract": (lambda x: x - trunc(x), LINE),
    "rem_euclid": (lambda a, b: a - b * div_euclid(a, b), PAIRS + [(1e15, 0.7)]),
    "div_euclid": (div_euclid, PAIRS),
    "floor": (m.floor, LINE),
    "ceil": (m.ceil, LINE),
    "round": (half_away, LINE),
    "round_ties_even": (half_away, LINE),
    "trunc": (trunc, LINE),
    "signum": (sign, LINE),
    "ln_gamma": (m.loggamma, GAMMAS),
    "gamma": (m.gamma, GAMMAS[:5]),
    "digamma": (m.digamma, GAMMAS),
    "trigamma": (lambda x: m.polygamma(1, x), GAMMAS),
    "polygamma": (lambda x, n: m.polygamma(int(n), x), [(x, n) for x in [0.7, 3.5, 27.25] for n in [1, 2, 5]]),
    "digamma_step": (lambda a, b: m.digamma(a + b) - m.digamma(a), [(0.7, 2.5), (3.5, 1.25), (12.0, 0.5)]),
    "ln_beta": (lambda a, b: m.log(m.beta(a, b)), [(0.7, 2.5), (3.5, 1.25), (12.0, 27.5)]),
    "beta": (m.beta, [(0.7, 2.5), (3.5, 1.25), (12.0, 7.5)]),
    "ln_binomial": (lambda n, k: m.log(m.binomial(n, k)), [(7.5, 2.5), (30.0, 11.0), (5.0, 1.0)]),
    "zeta": (lambda s, n: m.zeta(s, 1, int(n)), [(s, n) for s in [0.5, 1.0625, 2.0, 11.5] for n in [0, 1, 3]]),
    "gamma_p": (lower, PARAMETERS),
    "gamma_q": (lambda a, x: 1 - lower(a, x), PARAMETERS),
    "gamma_pdf": (lambda a, x: m.exp((a - 1) * m.log(x) - x - m.loggamma(a)), PARAMETERS),
    "gamma_p_a": (along(lower, 0), PARAMETERS),
    "gamma_p_aa": (along(lower, 0, 0), PARAMETERS),
    "gamma_p_aaa": (along(lower, 0, 0, 0), PARAMETERS),
    "beta_inc": (beta_inc, BETAS),
    "beta_pdf": (lambda a, b, x: x ** (a - 1) * (1 - x) ** (b - 1) / m.beta(a, b), BETAS),
    "beta_inc_a": (along(beta_inc, 0), BETAS),
    "beta_inc_b": (along(beta_inc, 1), BETAS),
    "beta_inc_aa": (along(beta_inc, 0, 0), BETAS),
    "beta_inc_ab": (along(beta_inc, 0, 1), BETAS),
    "beta_inc_bb": (along(beta_inc, 1, 1), BETAS),
    "beta_inc_aaa": (along(beta_inc, 0, 0, 0), BETAS),
    "beta_inc_aab": (along(beta_inc, 0, 0, 1), BETAS),
    "beta_inc_abb": (along(beta_inc, 0, 1, 1), BETAS),
    "beta_inc_bbb": (along(beta_inc, 1, 1, 1), BETAS),
    "erf": (m.erf, [-2.75, -0.625, 1e-9, 0.3, 1.9]),
    "erfc": (m.erfc, [-2.75, -0.625, 0.3, 1.9, 5.5]),
    "erf_inv": (m.erfinv, UNIT),
    "erfc_inv": (lambda y: m.erfinv(1 - y), [0.03125, 0.25, 0.875, 1.5, 1.96875]),
    "gaussian": (lambda x: m.exp(-x * x), [-2.75, -0.625, 0.3, 1.9, 5.5]),
    "norm_pdf": (pdf, [-6.5, -2.75, -0.625, 0.3, 1.9]),
    "norm_cdf": (cdf, [-6.5, -2.75, -0.625, 0.3, 1.9]),
    "norm_quantile": (lambda p: m.sqrt(2) * m.erfinv(2 * p - 1), [0.001953125, 0.25, 0.5625, 0.96875]),
    "norm_pdf_quantile": (lambda p: pdf(m.sqrt(2) * m.erfinv(2 * p - 1)), [0.001953125, 0.25, 0.5625, 0.96875]),
    "ln_norm_cdf": (lambda x: m.log(cdf(x)), [-37.25, -6.5, -0.625, 0.3, 1.9]),
    "inverse_mills": (lambda x: pdf(x) / cdf(x), [-6.5, -0.625, 0.3, 1.9]),
    "inverse_mills_excess": (lambda x: x + pdf(x) / cdf(x), [-6.5, -2.75, -0.625, 0.3, 1.9]),
    "owen_t": (owen, [(0.5, 0.7), (1.25, 2.5), (2.0, -0.3)]),
    "bessel_j": (lambda x, n: m.besselj(int(n), x), ORDERS),
    "bessel_y": (lambda x, n: m.bessely(int(n), x), ORDERS),
    "bessel_i": (lambda x, n: m.besseli(int(n), x), ORDERS),
    "bessel_k": (lambda x, n: m.besselk(int(n), x), ORDERS),
    "ln_1p_exp": (lambda x: m.log1p(m.exp(x)), LINE + [-50.0]),
    "expit": (lambda x: 1 / (1 + m.exp(-x)), LINE + [-50.0]),
    "logit": (lambda p: m.log(p / (1 - p)), [0.015625, 0.3, 0.625, 0.96875]),
    "ln_add_exp": (lambda a, b: m.log(m.exp(a) + m.exp(b)), [(1.25, 0.5), (-2.5, 0.75), (30.0, 32.5), (0.5, 0.5), (-30.1, 30.3)]),
    "ln_sub_exp": (lambda a, b: m.log(m.exp(a) - m.exp(b)), [(1.25, 0.5), (0.75, -2.5), (34.0, 32.5), (30.1, -30.3)]),
    "softmax_of_pair": (lambda a, b: 1 / (1 + m.exp(b - a)), [(1.25, 0.5), (-2.5, 0.75), (30.0, 32.5), (0.5, 0.5), (-30.1, 30.3)]),
    "bose_einstein": (lambda a, b: 1 / m.expm1(a - b), [(1.25, 0.5), (0.75, -2.5), (32.5, 34.0), (-30.1, 30.3), (0.1, -30.3)]),
    "lambert_w0": (lambda x: m.lambertw(x).real, [-0.34375, -0.125, 0.3, 1.9, 1234.5]),
    "lambert_wm1": (lambda x: m.lambertw(x, -1).real, [-0.34375, -0.125, -0.0009765625]),
    "add": (lambda a, b: a + b, PAIRS),
    "sub": (lambda a, b: a - b, PAIRS),
    "mul": (lambda a, b: a * b, PAIRS + [(0.0, 2.0)]),
    "div": (lambda a, b: a / b, PAIRS + [(0.0, 2.0), (SMALL, LARGE)]),
    "rem": (lambda a, b: a - b * trunc(a / b), PAIRS + [(1e15, 0.7), (-1e15, 0.7)]),
    "neg": (lambda a: -a, LINE),
}


def derivative(f, x, directions):
    """One direction after the other, by central differences, extrapolated to h = 0."""
    if not directions:
        return f(*x)
    k, rest = directions[0], directions[1:]

    def difference(h):
        there, back = list(x), list(x)
        there[k] += h
        back[k] -= h
        return (derivative(f, there, rest) - derivative(f, back, rest)) / (2 * h)

    h = STEP * size(x, k)
    return (4 * difference(h / 2) - difference(h)) / 3


def size(x, k):
    """Over which distance the function changes."""
    return abs(x[k]) or min([abs(v) for v in x if v], default=mpf(1))


def clean(d, value, x, directions):
    """What is left of a zero is a zero."""
    natural = abs(value) or mpf(1)
    for k in directions:
        natural /= size(x, k)
    return d if abs(d) > natural * mpf(10) ** -60 else mpf(0)


def number(v):
    return repr(float(v))


print("# name\targuments\tpassive\tvalue\tfirst derivatives\tsecond derivatives (11 12 13 22 23 33)")
for name, (function, points) in FUNCTIONS.items():
    for point in points:
        point = point if isinstance(point, tuple) else (point,)
        x, passive = (point[:-1], point[-1:]) if name in PASSIVE else (point, ())
        f = lambda *x: function(*x, *passive)
        exact = [mpf(v) for v in x]
        value = f(*exact)
        given = lambda ks: PARAMETRIC.get(name, 0) + sum(k < len(x) - 1 for k in ks) <= 3
        slope = lambda *ks: clean(derivative(f, exact, ks), value, exact, ks) if given(ks) else mpf("nan")
        first = [slope(i) for i in range(len(x))]
        second = [slope(i, j) for i, j in combinations_with_replacement(range(len(x)), 2) if PARAMETRIC.get(name, 0) < 2]
        columns = [(repr, x), (str, passive or ["-"]), (number, [value]), (number, first), (number, second) if second else (str, ["-"])]
        print(name, *(" ".join(map(form, column)) for form, column in columns), sep="\t")
