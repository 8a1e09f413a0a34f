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

# name: (function, points); the last number of a point of `powi` is passive
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
        x, passive = (point[:-1], point[-1:]) if name == "powi" else (point, ())
        f = lambda *x: function(*x, *passive)
        exact = [mpf(v) for v in x]
        value = f(*exact)
        along = lambda *ks: clean(derivative(f, exact, ks), value, exact, ks)
        first = [along(i) for i in range(len(x))]
        second = [along(i, j) for i, j in combinations_with_replacement(range(len(x)), 2)]
        columns = [(repr, x), (str, passive or ["-"]), (number, [value]), (number, first), (number, second)]
        print(name, *(" ".join(map(form, column)) for form, column in columns), sep="\t")
