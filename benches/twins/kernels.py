"""The kernels of `benches/kernels/list` that have a twin, as somebody writes them who knows JAX: whole arrays at once.

Each takes the arrays after x, as lists of numbers, and gives a function of x. Steps of time are either all written out or a scan,
whichever `repeat` does; the quicker is measured.
"""

import jax
import jax.numpy as jnp
import numpy as np


def scan(step, state, inputs):
    return jax.lax.scan(lambda state, each: (step(state, each), None), state, inputs)[0]


def written_out(step, state, inputs):
    for k in range(len(inputs)):
        state = step(state, inputs[k])
    return state


def array(numbers):
    return jnp.asarray(numbers, dtype=float)


def integers(numbers):
    return np.asarray(numbers, dtype=int)


def conjugate_gradients(repeat, b):
    b = array(b)

    def f(a):
        a = a.reshape(len(b), len(b))

        def step(state, _):
            x, r, p, rr = state
            ap = a @ p
            alpha = rr / (p @ ap)
            x, r = x + alpha * p, r - alpha * ap
            following = r @ r
            return x, r, r + following / rr * p, following

        return repeat(step, (jnp.zeros_like(b), b, b, b @ b), np.arange(8))[0] @ b

    return f


def marginal_likelihood(_, at, seen):
    at, seen = array(at), array(seen)

    def f(theta):
        d = (at[:, None] - at[None, :]) / theta[1]
        p = theta[0] * jnp.exp(-0.5 * d * d) + theta[2] * jnp.eye(len(at))
        factor = jnp.linalg.cholesky(p)
        z = jax.scipy.linalg.solve_triangular(factor, seen, lower=True)
        return 0.5 * z @ z + jnp.log(jnp.diag(factor)).sum()

    return f


def cholesky(_, n):
    n = int(n[0])

    def f(x):
        a = jnp.outer(x, x) + 0.1 + jnp.diag(0.9 + x)
        return 2.0 * jnp.log(jnp.diag(jnp.linalg.cholesky(a))).sum()

    return f


def heat(_, n):
    n = int(n[0])

    def step(u, _):
        inner = u[1:-1, 1:-1]
        around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * inner
        return u.at[1:-1, 1:-1].add((0.1 + 0.02 * inner * inner) * around)

    return lambda start: (scan(step, start.reshape(n, n), np.arange(20)) ** 2).sum()


def gray_scott(_, u, v):
    n = int(len(u) ** 0.5)
    start = array(u).reshape(n, n), array(v).reshape(n, n)

    def around(u):
        return jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1) - 4.0 * u

    def f(rates):
        feed, kill = rates[0], rates[1]

        def step(state, _):
            u, v = state
            reaction = u * v * v
            un = u + rates[2] * around(u) - reaction + feed * (1.0 - u)
            return un, v + rates[3] * around(v) + reaction - (feed + kill) * v

        return scan(step, start, np.arange(20))[1].sum()

    return f


def burgers(_, viscosity):
    viscosity = viscosity[0]

    def step(state, _):
        u, total = state
        left, here, right = u[:-2], u[1:-1], u[2:]
        slope = jnp.where(here > 0.0, here - left, right - here)
        u = u.at[1:-1].add(viscosity * (right - 2.0 * here + left) - 0.1 * here * slope)
        return u, total + u @ u

    return lambda start: scan(step, (start, start @ start), np.arange(30))[1]


def waves(_, n):
    n = int(n[0])

    def f(x):
        start, c2 = x[:-1].reshape(n, n), x[-1] ** 2

        def step(state, _):
            before, now = state
            here = now[1:-1, 1:-1]
            around = now[2:, 1:-1] + now[:-2, 1:-1] + now[1:-1, 2:] + now[1:-1, :-2] - 4.0 * here
            return now, jnp.pad(2.0 * here - before[1:-1, 1:-1] + c2 * around, 1)

        return (scan(step, (start, start), np.arange(20))[1] ** 2).sum()

    return f


def fisher(_, n, start):
    n = int(n[0])
    start = array(start).reshape(n, n)

    def f(rates):
        def step(state, _):
            u, other = state
            here = u[1:-1, 1:-1]
            around = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * here
            new = here + rates[0] * around + rates[1] * here * (1.0 - here)
            return other.at[1:-1, 1:-1].set(new), u

        return scan(step, (start * rates[2], jnp.zeros_like(start)), np.arange(20))[0].sum()

    return f


def lennard_jones(_, *lists):
    first = np.repeat(np.arange(len(lists)), [len(near) for near in lists])
    second = integers(np.concatenate(lists))

    def f(x):
        at = x.reshape(-1, 3)
        s6 = ((at[first] - at[second]) ** 2).sum(1) ** -3
        return 4.0 * (s6 * s6 - s6).sum()

    return f


def finite_elements(_, points, triangles):
    points, triangles = np.asarray(points).reshape(-1, 2), integers(triangles).reshape(-1, 3)
    p, q, r = (points[triangles[:, k]] for k in range(3))
    area = array((q[:, 0] - p[:, 0]) * (r[:, 1] - p[:, 1]) - (r[:, 0] - p[:, 0]) * (q[:, 1] - p[:, 1]))
    across = array(np.stack([q[:, 1] - r[:, 1], r[:, 1] - p[:, 1], p[:, 1] - q[:, 1]], 1))
    along = array(np.stack([r[:, 0] - q[:, 0], p[:, 0] - r[:, 0], q[:, 0] - p[:, 0]], 1))

    def f(u):
        corners = u[triangles]
        dx, dy = (corners * across).sum(1) / area, (corners * along).sum(1) / area
        return (0.5 * area * jnp.sqrt(1.0 + dx * dx + dy * dy)).sum()

    return f


def stars(repeat, masses):
    masses = array(masses)

    def step(state, _):
        position, velocity = state
        apart = position[None, :, :] - position[:, None, :]
        r2 = 0.05 + (apart**2).sum(2)
        force = ((masses[None, :] / (r2 * jnp.sqrt(r2)))[:, :, None] * apart).sum(1)
        velocity = velocity + 0.01 * force
        return position + 0.01 * velocity, velocity

    def f(x):
        start = x.reshape(-1, 3)
        return (repeat(step, (start, jnp.zeros_like(start)), np.arange(10))[0] ** 2).sum()

    return f


def robot_arm(_, goal):
    goal = array(goal)

    def rotations(angles):
        s, c, zero, one = jnp.sin(angles), jnp.cos(angles), jnp.zeros_like(angles), jnp.ones_like(angles)
        about = [
            [[one, zero, zero], [zero, c, -s], [zero, s, c]],
            [[c, zero, s], [zero, one, zero], [-s, zero, c]],
            [[c, -s, zero], [s, c, zero], [zero, zero, one]],
        ]
        stacked = jnp.stack([jnp.stack([jnp.stack(row) for row in matrix]) for matrix in about])
        each = np.arange(len(angles))
        return stacked[each % 3, :, :, each]

    def step(state, rotation):
        frame, hand = state
        frame = frame @ rotation
        return frame, hand + 0.5 * frame[:, 0] + 0.1 * frame[:, 2]

    return lambda angles: ((scan(step, (jnp.eye(3), jnp.zeros(3)), rotations(angles))[1] - goal) ** 2).sum()


def heston(_, steps, noise):
    noise = array(noise).reshape(-1, int(steps[0]), 2).transpose(1, 2, 0)
    paths = noise.shape[2]

    def f(x):
        kappa, theta, sigma, rho = x[0], x[1], x[2], x[3]

        def step(state, each):
            spot, variance = state
            a, b = each
            root = jnp.sqrt(jnp.maximum(variance, 1e-6))
            spot = spot * jnp.exp((0.02 - 0.5 * variance) * 0.05 + root * 0.22 * a)
            other = rho * a + jnp.sqrt(1.0 - rho * rho) * b
            return spot, variance + kappa * (theta - variance) * 0.05 + sigma * root * 0.22 * other

        spot, _ = scan(step, (jnp.ones(paths), x[4] * jnp.ones(paths)), noise)
        return jnp.maximum(spot - 1.0, 0.0).mean()

    return f


def american_put(_, n):
    n = int(n[0])
    places = np.arange(n)

    def f(x):
        spot, strike, sigma, rate = x
        dt = 1.0 / n
        up, growth = jnp.exp(sigma * dt**0.5), jnp.exp(rate * dt)
        p = (growth - 1.0 / up) / (up - 1.0 / up)

        def step(value, level):
            hold = (p * value[1:] + (1.0 - p) * value[:-1]) / growth
            exercise = strike - spot * up ** (2.0 * places - level)
            return value.at[:-1].set(jnp.maximum(hold, exercise))

        last = jnp.maximum(strike - spot * up ** (2.0 * np.arange(n + 1) - n), 0.0)
        return scan(step, last, np.arange(n - 1, -1, -1.0))[0]

    return f


def portfolio(_, *rows):
    covariance = array(rows)

    def f(x):
        w = jax.nn.softmax(x)
        return jnp.sqrt(w @ covariance @ w) + 0.1 * (w * jnp.log(w)).sum()

    return f


def logistic(_, starts, columns, values, labels):
    rows = len(labels)
    columns, values = integers(columns).reshape(rows, -1), array(values).reshape(rows, -1)
    labels = array(labels)

    def f(w):
        z = (w[columns] * values).sum(1)
        return jnp.log(1.0 + jnp.exp(-labels * z)).sum() + 0.01 * w @ w

    return f


def factorization(_, sizes, seen):
    rank, count = int(sizes[0]), int(sizes[1])
    seen = np.asarray(seen).reshape(-1, 3)
    users, items, ratings = seen[:, 0].astype(int), seen[:, 1].astype(int), array(seen[:, 2])

    def f(x):
        factors = x.reshape(-1, rank)
        p, q = factors[:count][users], factors[count:][items]
        return ((ratings - (p * q).sum(1)) ** 2 + 0.02 * (p[:, 0] ** 2 + q[:, 0] ** 2)).sum()

    return f


def time_warping(_, b):
    """By diagonals of the table: places of one do not depend on each other."""
    b = array(b)
    m = len(b)

    def f(a):
        n = len(a)
        rows = np.arange(1, n + 1)

        def step(state, k):
            older, last = state
            columns = k - rows
            cost = (a - b[jnp.clip(columns - 1, 0, m - 1)]) ** 2
            p, q, r = last[:-1], last[1:], older[:-1]
            least = jnp.minimum(jnp.minimum(p, q), r)
            soft = jnp.exp(-(p - least)) + jnp.exp(-(q - least)) + jnp.exp(-(r - least))
            inside = (columns >= 1) & (columns <= m)
            new = jnp.where(inside, cost + least - jnp.log(soft), 1e3)
            return last, jnp.concatenate([jnp.full(1, 1e3), new])

        border = jnp.full(n + 1, 1e3)
        return scan(step, (border.at[0].set(0.0), border), np.arange(2, n + m + 1))[1][n]

    return f


def layers(_, targets, *inputs):
    targets, inputs = array(targets), array(inputs)

    def layer(w, x, outputs):
        size = outputs * x.shape[1]
        return jnp.tanh(x @ w[:size].reshape(outputs, -1).T + w[size:])

    def f(w):
        y = layer(w[416:433], layer(w[144:416], layer(w[:144], inputs, 16), 16), 1)
        return ((y[:, 0] - targets) ** 2).sum()

    return f


def epidemic(_, seen):
    seen = array(seen)
    h = 0.2

    def f(p):
        def spread(y):
            infection = p[0] * y[0] * y[2]
            return jnp.stack([-infection, infection - p[1] * y[1], p[1] * y[1] - p[2] * y[2], p[2] * y[2]])

        def step(state, s):
            y, error = state
            k1 = spread(y)
            k2 = spread(y + 0.5 * h * k1)
            k3 = spread(y + 0.5 * h * k2)
            k4 = spread(y + h * k3)
            y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
            return y, error + (y[2] - s) ** 2

        return scan(step, (jnp.array([0.99, 0.0, 0.01, 0.0]), 0.0), seen)[1]

    return f


# Those whose steps are also written out: to compile those of the others takes up to minutes, and they are no quicker then.
OF_STEPS = {conjugate_gradients, stars}
