// The twins on grids that change with time.
#pragma once

#include "arrays.hpp"

struct Heat {
    std::size_t n;
    explicit Heat(const Arrays& in) : n(in[1][0]) {}

    template <class T> T operator()(const Vector<T>& start) const {
        Vector<T> u = start, next = u;
        for (int t = 0; t < 20; t++) {
            for (std::size_t i = 1; i < n - 1; i++)
                for (std::size_t j = 1; j < n - 1; j++) {
                    const std::size_t k = i * n + j;
                    next[k] = u[k] + (0.1 + 0.02 * u[k] * u[k]) * (u[k - n] + u[k + n] + u[k - 1] + u[k + 1] - 4.0 * u[k]);
                }
            std::swap(u, next);
        }
        return squares(u);
    }
};

struct GrayScott {
    Array u0, v0;
    explicit GrayScott(const Arrays& in) : u0(in[1]), v0(in[2]) {}

    template <class T> T operator()(const Vector<T>& rates) const {
        const std::size_t n = std::sqrt(double(u0.size()));
        Vector<T> u(u0.begin(), u0.end()), v(v0.begin(), v0.end()), un(n * n), vn(n * n);
        for (int t = 0; t < 20; t++) {
            for (std::size_t i = 0; i < n; i++) {
                const std::size_t up = (i + n - 1) % n, down = (i + 1) % n;
                for (std::size_t j = 0; j < n; j++) {
                    const std::size_t left = (j + n - 1) % n, right = (j + 1) % n, k = i * n + j;
                    const T lu = u[up * n + j] + u[down * n + j] + u[i * n + left] + u[i * n + right] - 4.0 * u[k];
                    const T lv = v[up * n + j] + v[down * n + j] + v[i * n + left] + v[i * n + right] - 4.0 * v[k];
                    const T reaction = u[k] * v[k] * v[k];
                    un[k] = u[k] + rates[2] * lu - reaction + rates[0] * (1.0 - u[k]);
                    vn[k] = v[k] + rates[3] * lv + reaction - (rates[0] + rates[1]) * v[k];
                }
            }
            std::swap(u, un);
            std::swap(v, vn);
        }
        T sum = 0.0;
        for (const T& value : v) sum += value;
        return sum;
    }
};

struct Burgers {
    double viscosity;
    explicit Burgers(const Arrays& in) : viscosity(in[1][0]) {}

    template <class T> T operator()(const Vector<T>& start) const {
        const std::size_t n = start.size();
        Vector<T> u = start, next = u;
        T total = squares(u);
        for (int t = 0; t < 30; t++) {
            for (std::size_t i = 1; i < n - 1; i++) {
                T slope;
                if (u[i] > 0.0) slope = u[i] - u[i - 1];
                else slope = u[i + 1] - u[i];
                next[i] = u[i] - 0.1 * u[i] * slope + viscosity * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
            }
            std::swap(u, next);
            total += squares(u);
        }
        return total;
    }
};

struct Waves {
    std::size_t n;
    explicit Waves(const Arrays& in) : n(in[1][0]) {}

    template <class T> T operator()(const Vector<T>& x) const {
        const T c2 = x[n * n] * x[n * n];
        Vector<T> before(x.begin(), x.begin() + n * n), now = before;
        for (int t = 0; t < 20; t++) {
            Vector<T> next(n * n, 0.0);
            for (std::size_t i = 1; i < n - 1; i++)
                for (std::size_t j = 1; j < n - 1; j++) {
                    const std::size_t k = i * n + j;
                    next[k] = 2.0 * now[k] - before[k]
                        + c2 * (now[k + n] + now[k - n] + now[k + 1] + now[k - 1] - 4.0 * now[k]);
                }
            std::swap(before, now);
            std::swap(now, next);
        }
        return squares(now);
    }
};

struct Fisher {
    std::size_t n;
    Array start;
    explicit Fisher(const Arrays& in) : n(in[1][0]), start(in[2]) {}

    template <class T> T operator()(const Vector<T>& rates) const {
        Vector<T> u(n * n), next(n * n, 0.0);
        for (std::size_t k = 0; k < n * n; k++) u[k] = start[k] * rates[2];
        for (int t = 0; t < 20; t++) {
            for (std::size_t i = 1; i < n - 1; i++)
                for (std::size_t j = 1; j < n - 1; j++) {
                    const std::size_t k = i * n + j;
                    next[k] = u[k] + rates[0] * (u[k + n] + u[k - n] + u[k + 1] + u[k - 1] - 4.0 * u[k])
                        + rates[1] * u[k] * (1.0 - u[k]);
                }
            std::swap(u, next);
        }
        T sum = 0.0;
        for (const T& value : u) sum += value;
        return sum;
    }
};
