// Arrays of any type of number.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

using Array = std::vector<double>;
using Arrays = std::vector<Array>;
using Indices = std::vector<std::size_t>;
template <class T> using Vector = std::vector<T>;
template <class T> using Rows = std::vector<std::vector<T>>;

inline Indices indices(const Array& numbers) { return Indices(numbers.begin(), numbers.end()); }

template <class T> T dot(const Vector<T>& a, const Vector<T>& b) {
    T sum = 0.0;
    for (std::size_t i = 0; i < a.size(); i++) sum += a[i] * b[i];
    return sum;
}

template <class T> T squares(const Vector<T>& v) { return dot(v, v); }
