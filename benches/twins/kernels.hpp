// The kernels of `benches/kernels/list` that have a twin, for any type of number. Each takes its constants from the arrays that follow x.
#pragma once

#include "grids.hpp"

struct ConjugateGradients {
    Array b;
    explicit ConjugateGradients(const Arrays& in) : b(in[1]) {}

    template <class T> T operator()(const Vector<T>& a) const {
        const std::size_t n = b.size();
        Vector<T> x(n, 0.0), r(b.begin(), b.end()), p = r, ap(n);
        T rr = dot(r, r);
        for (int t = 0; t < 8; t++) {
            for (std::size_t i = 0; i < n; i++) {
                T sum = 0.0;
                for (std::size_t j = 0; j < n; j++) sum += a[i * n + j] * p[j];
                ap[i] = sum;
            }
            const T alpha = rr / dot(p, ap);
            for (std::size_t i = 0; i < n; i++) {
                x[i] += alpha * p[i];
                r[i] -= alpha * ap[i];
            }
            const T next = dot(r, r);
            const T beta = next / rr;
            rr = next;
            for (std::size_t i = 0; i < n; i++) p[i] = r[i] + beta * p[i];
        }
        T result = 0.0;
        for (std::size_t i = 0; i < n; i++) result += x[i] * b[i];
        return result;
    }
};

struct MarginalLikelihood {
    Array at, seen;
    explicit MarginalLikelihood(const Arrays& in) : at(in[1]), seen(in[2]) {}

    template <class T> T operator()(const Vector<T>& theta) const {
        using std::exp;
        using std::log;
        using std::sqrt;
        const std::size_t m = at.size();
        Rows<T> p(m, Vector<T>(m));
        for (std::size_t i = 0; i < m; i++)
            for (std::size_t j = 0; j < m; j++) {
                const T d = (at[i] - at[j]) / theta[1];
                p[i][j] = theta[0] * exp(-0.5 * d * d);
                if (i == j) p[i][j] += theta[2];
            }
        T log_det = 0.0;
        for (std::size_t j = 0; j < m; j++) {
            for (std::size_t k = 0; k < j; k++)
                for (std::size_t i = j; i < m; i++) p[i][j] -= p[i][k] * p[j][k];
            const T d = sqrt(p[j][j]);
            log_det += log(d);
            for (std::size_t i = j; i < m; i++) p[i][j] /= d;
        }
        T fit = 0.0;
        Vector<T> z(m);
        for (std::size_t i = 0; i < m; i++) {
            T s = seen[i];
            for (std::size_t k = 0; k < i; k++) s -= p[i][k] * z[k];
            z[i] = s / p[i][i];
            fit += z[i] * z[i];
        }
        return 0.5 * fit + log_det;
    }
};

struct Cholesky {
    std::size_t n;
    explicit Cholesky(const Arrays& in) : n(in[1][0]) {}

    template <class T> T operator()(const Vector<T>& x) const {
        using std::log;
        using std::sqrt;
        Vector<T> l(n * n, 0.0);
        T log_det = 0.0;
        for (std::size_t i = 0; i < n; i++) {
            for (std::size_t j = 0; j <= i; j++) {
                T s = x[i] * x[j];
                if (i == j) s += 1.0 + x[i];
                else s += 0.1;
                for (std::size_t k = 0; k < j; k++) s -= l[i * n + k] * l[j * n + k];
                if (i == j) l[i * n + j] = sqrt(s);
                else l[i * n + j] = s / l[j * n + j];
            }
            log_det += 2.0 * log(l[i * n + i]);
        }
        return log_det;
    }
};

struct LennardJones {
    Rows<std::size_t> lists;
    explicit LennardJones(const Arrays& in) {
        for (std::size_t i = 1; i < in.size(); i++) lists.push_back(indices(in[i]));
    }

    template <class T> T operator()(const Vector<T>& x) const {
        T energy = 0.0;
        for (std::size_t i = 0; i < lists.size(); i++)
            for (std::size_t j : lists[i]) {
                T r2 = 0.0;
                for (int d = 0; d < 3; d++) {
                    const T difference = x[3 * i + d] - x[3 * j + d];
                    r2 += difference * difference;
                }
                const T s6 = 1.0 / (r2 * r2 * r2);
                energy += 4.0 * (s6 * s6 - s6);
            }
        return energy;
    }
};

struct FiniteElements {
    Array points;
    Indices triangles;
    explicit FiniteElements(const Arrays& in) : points(in[1]), triangles(indices(in[2])) {}

    template <class T> T operator()(const Vector<T>& u) const {
        using std::sqrt;
        T energy = 0.0;
        for (std::size_t t = 0; t < triangles.size(); t += 3) {
            const std::size_t a = triangles[t], b = triangles[t + 1], c = triangles[t + 2];
            const double *p = &points[2 * a], *q = &points[2 * b], *r = &points[2 * c];
            const double area = (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]);
            const T dx = (u[a] * (q[1] - r[1]) + u[b] * (r[1] - p[1]) + u[c] * (p[1] - q[1])) / area;
            const T dy = (u[a] * (r[0] - q[0]) + u[b] * (p[0] - r[0]) + u[c] * (q[0] - p[0])) / area;
            energy += 0.5 * area * sqrt(1.0 + dx * dx + dy * dy);
        }
        return energy;
    }
};

struct Stars {
    Array masses;
    explicit Stars(const Arrays& in) : masses(in[1]) {}

    template <class T> T operator()(const Vector<T>& x) const {
        using std::sqrt;
        const std::size_t n = masses.size();
        Vector<std::array<T, 3>> position(n), velocity(n), force(n);
        for (std::size_t i = 0; i < n; i++)
            for (int d = 0; d < 3; d++) {
                position[i][d] = x[3 * i + d];
                velocity[i][d] = 0.0;
            }
        for (int t = 0; t < 10; t++) {
            for (auto& f : force) f.fill(0.0);
            for (std::size_t i = 0; i < n; i++)
                for (std::size_t j = 0; j < i; j++) {
                    T r2 = 0.05;
                    for (int d = 0; d < 3; d++) {
                        const T difference = position[i][d] - position[j][d];
                        r2 += difference * difference;
                    }
                    const T pull = 1.0 / (r2 * sqrt(r2));
                    for (int d = 0; d < 3; d++) {
                        const T f = pull * (position[j][d] - position[i][d]);
                        force[i][d] += masses[j] * f;
                        force[j][d] -= masses[i] * f;
                    }
                }
            for (std::size_t i = 0; i < n; i++)
                for (int d = 0; d < 3; d++) {
                    velocity[i][d] += 0.01 * force[i][d];
                    position[i][d] += 0.01 * velocity[i][d];
                }
        }
        T sum = 0.0;
        for (const auto& p : position) sum += p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
        return sum;
    }
};

struct RobotArm {
    Array goal;
    explicit RobotArm(const Arrays& in) : goal(in[1]) {}

    template <class T> using Matrix = std::array<std::array<T, 3>, 3>;

    template <class T> static Matrix<T> rotation(const T& angle, int axis) {
        using std::cos;
        using std::sin;
        const T s = sin(angle), c = cos(angle);
        if (axis == 0) return {{{1.0, 0.0, 0.0}, {0.0, c, T(-s)}, {0.0, s, c}}};
        if (axis == 1) return {{{c, 0.0, s}, {0.0, 1.0, 0.0}, {T(-s), 0.0, c}}};
        return {{{c, T(-s), 0.0}, {s, c, 0.0}, {0.0, 0.0, 1.0}}};
    }

    template <class T> static Matrix<T> compose(const Matrix<T>& a, const Matrix<T>& b) {
        Matrix<T> c;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
        return c;
    }

    template <class T> T operator()(const Vector<T>& angles) const {
        Matrix<T> frame = rotation(T(0.0), 0);
        std::array<T, 3> hand;
        hand.fill(0.0);
        for (std::size_t k = 0; k < angles.size(); k++) {
            frame = compose(frame, rotation(angles[k], k % 3));
            for (int d = 0; d < 3; d++) hand[d] += frame[d][0] * 0.5 + frame[d][2] * 0.1;
        }
        T sum = 0.0;
        for (int d = 0; d < 3; d++) sum += (hand[d] - goal[d]) * (hand[d] - goal[d]);
        return sum;
    }
};

struct Heston {
    std::size_t steps;
    Array noise; // pairs, path after path
    explicit Heston(const Arrays& in) : steps(in[1][0]), noise(in[2]) {}

    template <class T> T operator()(const Vector<T>& x) const {
        using std::exp;
        using std::max;
        using std::sqrt;
        const T &kappa = x[0], &theta = x[1], &sigma = x[2], &rho = x[3];
        const std::size_t paths = noise.size() / (2 * steps);
        T sum = 0.0;
        for (std::size_t path = 0; path < paths; path++) {
            T spot = 1.0, variance = x[4];
            for (std::size_t k = 0; k < steps; k++) {
                const double a = noise[2 * (path * steps + k)], b = noise[2 * (path * steps + k) + 1];
                const T root = sqrt(max(variance, 1e-6));
                spot *= exp((0.02 - 0.5 * variance) * 0.05 + root * 0.22 * a);
                const T other = rho * a + sqrt(1.0 - rho * rho) * b;
                variance += kappa * (theta - variance) * 0.05 + sigma * root * 0.22 * other;
            }
            if (spot > 1.0) sum += spot - 1.0;
        }
        return sum / double(paths);
    }
};

struct AmericanPut {
    int n;
    explicit AmericanPut(const Arrays& in) : n(in[1][0]) {}

    template <class T> T operator()(const Vector<T>& x) const {
        using std::exp;
        using std::pow;
        const T &spot = x[0], &strike = x[1], &sigma = x[2], &rate = x[3];
        const double dt = 1.0 / n;
        const T up = exp(sigma * std::sqrt(dt)), growth = exp(rate * dt);
        const T p = (growth - 1.0 / up) / (up - 1.0 / up);
        Vector<T> value(n + 1);
        for (int i = 0; i <= n; i++) {
            const T exercise = strike - spot * pow(up, double(2 * i - n));
            if (exercise > 0.0) value[i] = exercise;
            else value[i] = 0.0;
        }
        for (int level = n - 1; level >= 0; level--)
            for (int i = 0; i <= level; i++) {
                const T hold = (p * value[i + 1] + (1.0 - p) * value[i]) / growth;
                const T exercise = strike - spot * pow(up, double(2 * i - level));
                if (hold > exercise) value[i] = hold;
                else value[i] = exercise;
            }
        return value[0];
    }
};

struct Portfolio {
    Rows<double> covariance;
    explicit Portfolio(const Arrays& in) : covariance(in.begin() + 1, in.end()) {}

    template <class T> T operator()(const Vector<T>& x) const {
        using std::exp;
        using std::log;
        using std::sqrt;
        const std::size_t n = x.size();
        T largest = x[0];
        for (const T& v : x)
            if (v > largest) largest = v;
        Vector<T> w(n);
        T total = 0.0, variance = 0.0, entropy = 0.0;
        for (std::size_t i = 0; i < n; i++) {
            w[i] = exp(x[i] - largest);
            total += w[i];
        }
        for (std::size_t i = 0; i < n; i++) w[i] /= total;
        for (std::size_t i = 0; i < n; i++) {
            T sum = 0.0;
            for (std::size_t j = 0; j < n; j++) sum += covariance[i][j] * w[j];
            variance += w[i] * sum;
        }
        for (std::size_t i = 0; i < n; i++) entropy -= w[i] * log(w[i]);
        return sqrt(variance) - 0.1 * entropy;
    }
};

struct Logistic {
    Indices starts, columns;
    Array values, labels;
    explicit Logistic(const Arrays& in) : starts(indices(in[1])), columns(indices(in[2])), values(in[3]), labels(in[4]) {}

    template <class T> T operator()(const Vector<T>& w) const {
        using std::exp;
        using std::log;
        T loss = 0.0;
        for (std::size_t r = 0; r < labels.size(); r++) {
            T z = 0.0;
            for (std::size_t k = starts[r]; k < starts[r + 1]; k++) z += w[columns[k]] * values[k];
            loss += log(1.0 + exp(-labels[r] * z));
        }
        return loss + 0.01 * squares(w);
    }
};

struct Factorization {
    std::size_t rank, count;
    Array seen; // user, item, rating
    explicit Factorization(const Arrays& in) : rank(in[1][0]), count(in[1][1]), seen(in[2]) {}

    template <class T> T operator()(const Vector<T>& x) const {
        T loss = 0.0;
        for (std::size_t s = 0; s < seen.size(); s += 3) {
            const T* p = &x[std::size_t(seen[s]) * rank];
            const T* q = &x[(count + std::size_t(seen[s + 1])) * rank];
            T guess = 0.0;
            for (std::size_t k = 0; k < rank; k++) guess += p[k] * q[k];
            loss += (seen[s + 2] - guess) * (seen[s + 2] - guess) + 0.02 * (p[0] * p[0] + q[0] * q[0]);
        }
        return loss;
    }
};

struct TimeWarping {
    Array b;
    explicit TimeWarping(const Arrays& in) : b(in[1]) {}

    template <class T> T operator()(const Vector<T>& a) const {
        using std::exp;
        using std::log;
        const std::size_t n = a.size(), m = b.size();
        Rows<T> table(n + 1, Vector<T>(m + 1, 1e3));
        table[0][0] = 0.0;
        for (std::size_t i = 1; i <= n; i++)
            for (std::size_t j = 1; j <= m; j++) {
                const T &p = table[i - 1][j], &q = table[i][j - 1], &r = table[i - 1][j - 1];
                T least = p;
                if (q < least) least = q;
                if (r < least) least = r;
                const T soft = exp(-(p - least)) + exp(-(q - least)) + exp(-(r - least));
                table[i][j] = (a[i - 1] - b[j - 1]) * (a[i - 1] - b[j - 1]) + least - log(soft);
            }
        return table[n][m];
    }
};

struct Layers {
    Rows<double> inputs;
    Array targets;
    explicit Layers(const Arrays& in) : inputs(in.begin() + 2, in.end()), targets(in[1]) {}

    template <class T, class U> static Vector<T> layer(const T* w, const Vector<U>& x, std::size_t outputs) {
        using std::tanh;
        const std::size_t n = x.size();
        Vector<T> y(outputs);
        for (std::size_t o = 0; o < outputs; o++) {
            T sum = w[outputs * n + o];
            for (std::size_t i = 0; i < n; i++) sum += w[o * n + i] * x[i];
            y[o] = tanh(sum);
        }
        return y;
    }

    template <class T> T operator()(const Vector<T>& w) const {
        T loss = 0.0;
        for (std::size_t s = 0; s < inputs.size(); s++) {
            const Vector<T> h = layer(&w[0], inputs[s], 16), g = layer(&w[144], h, 16), y = layer(&w[416], g, 1);
            loss += (y[0] - targets[s]) * (y[0] - targets[s]);
        }
        return loss;
    }
};

struct Epidemic {
    Array seen;
    explicit Epidemic(const Arrays& in) : seen(in[1]) {}

    template <class T> using State = std::array<T, 4>;

    template <class T> static State<T> spread(const State<T>& y, const Vector<T>& p) {
        const T infection = p[0] * y[0] * y[2];
        return {T(-infection), T(infection - p[1] * y[1]), T(p[1] * y[1] - p[2] * y[2]), T(p[2] * y[2])};
    }

    template <class T> static State<T> moved(const State<T>& y, double by, const State<T>& k) {
        State<T> result;
        for (int i = 0; i < 4; i++) result[i] = y[i] + by * k[i];
        return result;
    }

    template <class T> T operator()(const Vector<T>& p) const {
        State<T> y = {0.99, 0.0, 0.01, 0.0};
        T error = 0.0;
        const double h = 0.2;
        for (double s : seen) {
            const State<T> k1 = spread(y, p), k2 = spread(moved(y, 0.5 * h, k1), p);
            const State<T> k3 = spread(moved(y, 0.5 * h, k2), p), k4 = spread(moved(y, h, k3), p);
            for (int i = 0; i < 4; i++) y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            error += (y[2] - s) * (y[2] - s);
        }
        return error;
    }
};
