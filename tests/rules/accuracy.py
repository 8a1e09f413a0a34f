"""Writes accuracy.tsv: values and first derivatives of special functions at random points of their domains, with 60 digits.

    pip install mpmath && python3 tests/rules/accuracy.py > tests/rules/accuracy.tsv

A number stands as two floats whose sum has its first 32 digits.
"""

import math
import random
from mpmath import mp, mpf
import mpmath as m

mp.dps = 60
POINTS = 40


def between(a, b):
    return lambda: random.uniform(a, b)


def wide(a, b):
    return lambda: math.exp(random.uniform(math.log(a), math.log(b)))


def order(a, b):
    return lambda: random.randint(a, b)


cdf = lambda x: m.erfc(-x / m.sqrt(2)) / 2
pdf = lambda x: m.exp(-x * x / 2) / m.sqrt(2 * m.pi)
lower = lambda a, x: m.gammainc(a, 0, x, regularized=True)
upper = lambda a, x: m.gammainc(a, x, regularized=True)
beta_inc = lambda a, b, x: m.betainc(a, b, 0, x, regularized=True)
erfc_inv = lambda y: m.findroot(lambda x: m.log(m.erfc(x)) - m.log(y), m.sqrt(-m.log(y / 2)) if y < 0.5 else 1 - y)
gamma_pdf = lambda a, x: m.exp((a - 1) * m.log(x) - x - m.loggamma(a))
beta_pdf = lambda a, b, x: m.exp((a - 1) * m.log(x) + (b - 1) * m.log1p(-x)) / m.beta(a, b)
owen = lambda h, a: m.quad(lambda t: m.exp(-h * h * (1 + t * t) / 2) / (1 + t * t), [0, a / 2, a]) / (2 * m.pi)
bessel = lambda f: lambda x, n: f(int(n), x)

# name, domain, function, arguments
FUNCTIONS = [
    ("ln_gamma", "1e-300 to 1e300", m.loggamma, [wide(1e-300, 1e300)]),
    ("ln_gamma", "0.5 to 3", m.loggamma, [between(0.5, 3)]),
    ("gamma", "1e-3 to 170", m.gamma, [wide(1e-3, 170)]),
    ("digamma", "1e-300 to 1e300", m.digamma, [wide(1e-300, 1e300)]),
    ("digamma", "1 to 2, around its zero", m.digamma, [between(1, 2)]),
    ("trigamma", "1e-100 to 1e100", lambda x: m.polygamma(1, x), [wide(1e-100, 1e100)]),
    ("polygamma", "0.001 to 1000, n to 10", lambda x, n: m.polygamma(int(n), x), [wide(1e-3, 1e3), order(2, 10)]),
    ("ln_beta", "0.001 to 1e6", lambda a, b: m.log(m.beta(a, b)), [wide(1e-3, 1e6), wide(1e-3, 1e6)]),
    ("beta", "0.1 to 50", m.beta, [wide(0.1, 50), wide(0.1, 50)]),
    ("ln_binomial", "n to 1e5", lambda n, k: m.log(m.binomial(n, k)), [wide(50, 1e5), between(1, 49)]),
    ("zeta", "0.01 to 50", lambda s, n: m.zeta(s, 1, int(n)), [wide(0.01, 50), order(0, 3)]),
    ("gamma_p", "0.1 to 100, x/a from 0.5 to 2", lower, [wide(0.1, 100), wide(0.5, 2)]),
    ("gamma_q", "0.1 to 100, x/a from 0.5 to 2", upper, [wide(0.1, 100), wide(0.5, 2)]),
    ("beta_inc", "0.3 to 50, around the mean", beta_inc, [wide(0.3, 50), wide(0.3, 50), between(-2, 2)]),
    ("erf", "-6 to 6", m.erf, [between(-6, 6)]),
    ("erfc", "-6 to 26", m.erfc, [between(-6, 26)]),
    ("erf_inv", "-1 to 1", m.erfinv, [between(-1, 1)]),
    ("erf_inv", "within 1e-15 to 0.1 of 1", m.erfinv, [lambda: 1 - wide(1e-15, 0.1)()]),
    ("norm_pdf", "-37 to 37", pdf, [between(-37, 37)]),
    ("norm_cdf", "-37 to 8", cdf, [between(-37, 8)]),
    ("ln_norm_cdf", "-1e5 to 8", lambda x: m.log(cdf(x)), [lambda: random.choice([between(-37, 8)(), -wide(1, 1e5)()])]),
    ("inverse_mills", "-50 to 8", lambda x: pdf(x) / cdf(x), [between(-50, 8)]),
    ("owen_t", "0 to 2, 0 to 2", owen, [between(0.01, 2), between(0.01, 2)]),
    ("owen_t", "0 to 6, 0 to 2", owen, [between(0.01, 6), between(0.01, 2)]),
    ("bessel_j", "0 to 2, n to 3", bessel(m.besselj), [between(0.01, 2), order(0, 3)]),
    ("bessel_y", "0 to 0.8, n to 3", bessel(m.bessely), [between(0.01, 0.8), order(0, 3)]),
    ("bessel_j", "2 to 1000, n to 3, of the envelope", bessel(m.besselj), [wide(2, 1000), order(0, 3)]),
    ("bessel_y", "0.8 to 1000, n to 3, of the envelope", bessel(m.bessely), [wide(0.8, 1000), order(0, 3)]),
    ("bessel_i", "0.001 to 600, n to 9", bessel(m.besseli), [wide(1e-3, 600), order(0, 9)]),
    ("bessel_k", "0.001 to 600, n to 9", bessel(m.besselk), [wide(1e-3, 600), order(0, 9)]),
    ("ln_1p_exp", "-600 to 100", lambda x: m.log1p(m.exp(x)), [between(-600, 100)]),
    ("expit", "-600 to 100", lambda x: 1 / (1 + m.exp(-x)), [between(-600, 100)]),
    ("logit", "0 to 1", lambda p: m.log(p / (1 - p)), [between(0, 1)]),
    ("ln_add_exp", "-50 to 50", lambda a, b: m.log(m.exp(a) + m.exp(b)), [between(-50, 50), between(-50, 50)]),
    ("lambert_w0", "1e-100 to 1e100", lambda x: m.lambertw(x).real, [wide(1e-100, 1e100)]),
    ("lambert_w0", "-0.367 to 3", lambda x: m.lambertw(x).real, [between(-0.367, 3)]),
    ("lambert_wm1", "-0.367 to -1e-6", lambda x: m.lambertw(x, -1).real, [between(-0.367, -1e-6)]),
    ("erfc_inv", "1e-300 to 2", erfc_inv, [lambda: random.choice([wide(1e-300, 0.1)(), between(0.1, 1.99)()])]),
    ("norm_quantile", "1e-300 to 1", lambda p: -m.sqrt(2) * erfc_inv(2 * p), [lambda: random.choice([wide(1e-300, 0.1)(), between(0.1, 0.99)()])]),
    ("ln_sub_exp", "-50 to 50, less by 1e-3 to 50", lambda a, b: m.log(m.exp(a) - m.exp(b)), [between(-50, 50), wide(1e-3, 50)]),
    ("ln_sub_exp", "0 to 50, less by 50 to 100", lambda a, b: m.log(m.exp(a) - m.exp(b)), [between(0, 50), between(50, 100)]),
    ("gamma_pdf", "0.1 to 100, x/a from 0.5 to 2", gamma_pdf, [wide(0.1, 100), wide(0.5, 2)]),
    ("beta_pdf", "0.3 to 50, around the mean", beta_pdf, [wide(0.3, 50), wide(0.3, 50), between(-2, 2)]),
]


def point(name, arguments):
    x = [draw() for draw in arguments]
    if name in ("gamma_p", "gamma_q", "gamma_pdf"):
        x[1] *= x[0]
    if name == "ln_sub_exp":
        x[1] = x[0] - x[1]
    if name in ("beta_inc", "beta_pdf"):
        a, b, off = x
        mean = a / (a + b)
        x[2] = min(0.99, max(0.01, mean + off * math.sqrt(mean * (1 - mean) / (a + b + 1))))
    return x


def slope(f, x, k):
    with mp.workdps(100):
        h = abs(mpf(x[k])) * mpf(10) ** -25
        difference = lambda h: (f(*shifted(x, k, h)) - f(*shifted(x, k, -h))) / (2 * h)
        return (4 * difference(h / 2) - difference(h)) / 3


def shifted(x, k, h):
    return [mpf(v) + (h if i == k else 0) for i, v in enumerate(x)]


def two(v):
    high = float(v)
    return f"{high!r} {float(v - mpf(high))!r}"


for name, domain, f, arguments in FUNCTIONS:
    print(f"# {name}\t{domain}")
    random.seed(name + domain)
    for _ in range(POINTS):
        x = point(name, arguments)
        moving = [k for k, v in enumerate(x) if isinstance(v, float)]
        numbers = [two(f(*map(mpf, x)))] + [two(slope(f, x, k)) for k in moving]
        print(name, " ".join(repr(v) for v in x), *numbers, sep="\t")
