//! Truncated power series in several variables.

use super::taylor::{answers, method};
use crate::number::flag::On;
use crate::number::float::Base;
use crate::number::real::{Real, lift};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul, Neg, Range};
use std::sync::Mutex;

/// Which powers of the variables a series has: all up to a total order, and in each variable up to an order of its own.
pub struct Terms {
    orders: Vec<u32>,
    order: u32,
    /// The exponents of each term, by degree; of the same degree those of the first variables first.
    exponents: Vec<Vec<u32>>,
    /// Where a term stands.
    places: HashMap<Vec<u32>, usize>,
    /// Where the terms of each degree begin, and all end.
    degrees: Vec<usize>,
    /// Of which two terms each is the product.
    factors: Vec<Vec<(usize, usize)>>,
}

impl Terms {
    /// All terms in so many variables up to a total order.
    pub fn of(variables: usize, order: u32) -> &'static Terms {
        Terms::with_orders(&vec![order; variables], order)
    }

    /// All terms up to an order in each variable, and up to a total order. They are made once, and stay as long as the process does.
    ///
    /// # Panics
    ///
    /// If there is no variable.
    pub fn with_orders(orders: &[u32], order: u32) -> &'static Terms {
        static ALL: Mutex<Vec<&'static Terms>> = Mutex::new(Vec::new());
        assert!(!orders.is_empty(), "a series has at least one variable");
        let mut all = ALL.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(terms) = all.iter().find(|terms| terms.orders == orders && terms.order == order) {
            return terms;
        }
        let terms: &'static Terms = Box::leak(Box::new(Terms::new(orders, order)));
        all.push(terms);
        terms
    }

    fn new(orders: &[u32], order: u32) -> Self {
        let mut exponents = vec![Vec::new()];
        for most in orders {
            let longer = |shorter: &Vec<u32>| {
                let left = order - shorter.iter().sum::<u32>();
                let shorter = shorter.clone();
                (0..=left.min(*most)).rev().map(move |e| [&shorter[..], &[e]].concat())
            };
            exponents = exponents.iter().flat_map(longer).collect();
        }
        exponents.sort_by_key(|term| term.iter().sum::<u32>());
        let degree = |term: &Vec<u32>| term.iter().sum::<u32>();
        let degrees = (0..=order + 1).map(|k| exponents.partition_point(|term| degree(term) < k)).collect();
        let places: HashMap<_, _> = exponents.iter().cloned().zip(0..).collect();
        let mut factors = vec![Vec::new(); exponents.len()];
        for (i, a) in exponents.iter().enumerate() {
            for (j, b) in exponents.iter().enumerate() {
                let product: Vec<u32> = a.iter().zip(b).map(|(a, b)| a + b).collect();
                if let Some(k) = places.get(&product) {
                    factors[*k].push((i, j));
                }
            }
        }
        Terms { orders: orders.to_vec(), order, exponents, places, degrees, factors }
    }

    /// How many there are.
    #[expect(clippy::len_without_is_empty, reason = "the constant term is always there")]
    pub fn len(&self) -> usize {
        self.exponents.len()
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.orders.len()
    }

    /// The total order.
    pub fn order(&self) -> u32 {
        self.order
    }

    /// The exponents of each term, in the order of coefficients.
    pub fn exponents(&self) -> impl Iterator<Item = &[u32]> {
        self.exponents.iter().map(Vec::as_slice)
    }

    /// Where the term with these exponents stands among the coefficients; `None` if there is no such term.
    pub fn place(&self, exponents: &[u32]) -> Option<usize> {
        self.places.get(exponents).copied()
    }

    /// Where the terms of a degree stand.
    fn of_degree(&self, degree: u32) -> Range<usize> {
        self.degrees[degree as usize]..self.degrees[degree as usize + 1]
    }

    fn degree(&self, place: usize) -> u32 {
        self.exponents[place].iter().sum()
    }

    /// Where a term stands times a variable to a power.
    fn beside(&self, place: usize, variable: usize, by: i32) -> Option<usize> {
        let mut exponents = self.exponents[place].clone();
        exponents[variable] = exponents[variable].checked_add_signed(by)?;
        self.place(&exponents)
    }
}

impl fmt::Debug for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terms").field("orders", &self.orders).field("order", &self.order).finish_non_exhaustive()
    }
}

/// A truncated power series in several variables, with room for `N` coefficients: a number that is computed with like any other.
///
/// ```
/// use diffi_runtime::number::real::Real;
/// use diffi_runtime::number::scalar::{Multivariate, Terms};
///
/// let terms = Terms::of(2, 3);
/// let [a, b] = [0, 1].map(|k| Multivariate::<f64, 10>::variable(terms, k, 0.0));
/// let y = (a * b).exp() / (Multivariate::lit(1.0) - a);
/// assert_eq!(y.coefficient(&[2, 1]), Some(1.0));
/// ```
///
/// Every function is a line of the derivative table. Let `E` multiply the terms of degree `k` by `k`: it is a derivation, so that
/// `E y = f'(x) E x`, from which the terms of `y` follow degree by degree. Comparisons, `==` included, look at values only.
#[derive(Clone, Copy)]
pub struct Multivariate<S, const N: usize> {
    coefficients: [S; N],
    /// `None` for a constant, which fits to all.
    terms: Option<&'static Terms>,
    /// Below which degree they are known.
    known: u32,
}

impl<S: Real, const N: usize> Multivariate<S, N> {
    /// A constant.
    #[inline]
    pub fn constant(value: S) -> Self {
        let coefficients = std::array::from_fn(|k| if k == 0 { value } else { S::lit(0.0) });
        Multivariate { coefficients, terms: None, known: u32::MAX }
    }

    /// `value + t[k]`.
    ///
    /// # Panics
    ///
    /// If there is no room for all terms, or no such variable.
    pub fn variable(terms: &'static Terms, k: usize, value: S) -> Self {
        assert!(terms.len() <= N, "{} terms do not fit into {N} coefficients", terms.len());
        assert!(k < terms.variables(), "there are {} variables", terms.variables());
        let mut series = Multivariate { terms: Some(terms), ..Multivariate::constant(value) };
        if let Some(place) = terms.beside(0, k, 1) {
            series.coefficients[place] = S::lit(1.0);
        }
        series
    }

    /// The terms that there are; `None` for a constant.
    pub fn terms(&self) -> Option<&'static Terms> {
        self.terms
    }

    /// All coefficients, in the order of [`Terms::exponents`].
    pub fn coefficients(&self) -> &[S] {
        &self.coefficients[..self.len()]
    }

    /// The coefficient of the term with these exponents; `None` if it is not among the terms.
    pub fn coefficient(&self, exponents: &[u32]) -> Option<S> {
        match self.terms {
            Some(terms) => terms.place(exponents).map(|place| self.coefficients[place]),
            None => exponents.iter().all(|e| *e == 0).then_some(self.coefficients[0]),
        }
    }

    /// The partial derivative at 0, so often by each variable: the coefficient times the factorials of the exponents.
    pub fn derivative(&self, exponents: &[u32]) -> Option<S> {
        let factorials: f64 = exponents.iter().flat_map(|e| 1..=*e).map(f64::from).product();
        self.coefficient(exponents).map(|c| c.scale(<S::Base as Base>::lit(factorials)))
    }

    /// The value of the truncated series.
    ///
    /// # Panics
    ///
    /// Unless there is one number for each variable.
    pub fn evaluate(&self, at: &[S]) -> S {
        self.substituted(at, S::lit(1.0), |c, power| c * power, S::lit(0.0))
    }

    /// The polynomial around another point: with `t + by` in place of `t`.
    ///
    /// # Panics
    ///
    /// Unless there is one number for each variable.
    pub fn translated(&self, by: &[S]) -> Self {
        let Some(terms) = self.terms else { return *self };
        let moved: Vec<Self> = by.iter().enumerate().map(|(k, by)| Multivariate::variable(terms, k, *by)).collect();
        self.of(&moved)
    }

    /// This series with others in place of the variables, whose own constants have to be 0. It has no more terms than they have: with orders of
    /// single variables, what the cut off terms of this series would have given is missing.
    ///
    /// # Panics
    ///
    /// If they are not, or unless there is one series for each variable.
    pub fn composed(&self, inner: &[Self]) -> Self {
        let are_zero = inner.iter().all(|inner| inner.coefficients[0].is_zero());
        assert!(are_zero, "a series can be put in place of a variable if it is 0 at 0");
        self.of(inner)
    }

    fn of(&self, inner: &[Self]) -> Self {
        let term = |c: S, power: Self| Multivariate::constant(c) * power;
        self.substituted(inner, Multivariate::constant(S::lit(1.0)), term, Multivariate::constant(S::lit(0.0)))
    }

    /// The sum of all terms, each power being made of the one before.
    fn substituted<T: Copy + Mul<Output = T> + Add<Output = T>>(
        &self,
        inner: &[T],
        one: T,
        term: impl Fn(S, T) -> T,
        zero: T,
    ) -> T {
        let Some(terms) = self.terms else { return zero + term(self.coefficients[0], one) };
        assert_eq!(inner.len(), terms.variables(), "there is one for each variable");
        let mut powers = vec![one];
        for place in 1..terms.len() {
            let k = terms.exponents[place].iter().position(|e| *e > 0).expect("only the first term is constant");
            powers.push(powers[terms.beside(place, k, -1).expect("lower terms are there")] * inner[k]);
        }
        self.coefficients().iter().zip(powers).fold(zero, |sum, (c, power)| sum + term(*c, power))
    }

    /// The partial derivative by a variable. Its terms of the highest order are not known, and 0.
    pub fn differentiated(&self, variable: usize) -> Self {
        self.moved(variable, 1, |exponent| f64::from(exponent + 1))
    }

    /// The integral by a variable, which is 0 where that is 0. The terms of the highest order are lost.
    pub fn integrated(&self, variable: usize) -> Self {
        self.moved(variable, -1, |exponent| 1.0 / f64::from(exponent))
    }

    /// Every coefficient as that of a term beside, by a factor that the own exponent gives.
    fn moved(&self, variable: usize, by: i32, factor: impl Fn(u32) -> f64) -> Self {
        let Some(terms) = self.terms else { return Multivariate::constant(S::lit(0.0)) };
        let mut moved = Multivariate { terms: self.terms, ..Multivariate::constant(S::lit(0.0)) };
        for place in 0..terms.len() {
            if let Some(from) = terms.beside(place, variable, by) {
                let factor = <S::Base as Base>::lit(factor(terms.exponents[place][variable]));
                moved.coefficients[place] = self.coefficients[from].scale(factor);
            }
        }
        moved
    }

    /// The series for which a map of as many series as variables, with these in place of the variables, gives the variables.
    ///
    /// # Panics
    ///
    /// If the map has a constant, no terms of its own, or a linear part that cannot be inverted.
    pub fn inverted(map: &[Self]) -> Vec<Self> {
        let terms = map.iter().find_map(|series| series.terms).expect("a map depends on its variables");
        let n = terms.variables();
        assert_eq!(map.len(), n, "there is one series for each variable");
        let identity: Vec<Self> = (0..n).map(|k| Multivariate::variable(terms, k, S::lit(0.0))).collect();
        let mut inverse = vec![Multivariate::constant(S::lit(0.0)); n];
        // Each round is right in one degree more.
        for _ in 0..terms.order() {
            let wrong = map.iter().zip(&identity).map(|(series, t)| *t - series.composed(&inverse));
            let slopes = map.iter().map(|series| (0..n).map(|k| series.slope(k)).collect()).collect();
            let steps = solved_by_elimination(slopes, wrong.collect());
            inverse.iter_mut().zip(steps).for_each(|(inverse, step)| *inverse += step);
        }
        inverse
    }

    /// The coefficient of a variable alone.
    fn slope(&self, k: usize) -> S {
        let place = self.terms.and_then(|terms| terms.beside(0, k, 1));
        place.map_or(S::lit(0.0), |place| self.coefficients[place])
    }

    fn len(&self) -> usize {
        self.terms.map_or(1, Terms::len)
    }

    /// The terms of a result.
    fn common(arguments: &[Self]) -> Option<&'static Terms> {
        let mut all = arguments.iter().filter_map(|x| x.terms);
        let first = all.next()?;
        assert!(all.all(|terms| std::ptr::eq(terms, first)), "series in one formula have the same terms");
        Some(first)
    }

    /// Whether nothing depends on a variable.
    fn is_constant(&self) -> bool {
        self.coefficients[1..].iter().all(|c| c.is_zero())
    }

    /// Below which degree a result is known.
    fn known(arguments: &[Self]) -> u32 {
        arguments.iter().map(|x| x.known).min().unwrap_or(u32::MAX)
    }

    /// The same, of which no more than the terms below a degree are known.
    fn truncated(mut self, known: u32) -> Self {
        self.known = known.min(self.known);
        if let Some(terms) = self.terms {
            let first = terms.degrees[self.known.min(terms.order() + 1) as usize];
            self.coefficients[first..].fill(S::lit(0.0));
        }
        self
    }

    fn each(arguments: &[Self], coefficient: impl Fn(usize) -> S) -> Self {
        let terms = Self::common(arguments);
        let len = terms.map_or(1, Terms::len);
        let coefficients = std::array::from_fn(|k| if k < len { coefficient(k) } else { S::lit(0.0) });
        Multivariate { coefficients, terms, known: Self::known(arguments) }
    }

    fn product(a: &Self, b: &Self) -> Self {
        let Some(terms) = Self::common(&[*a, *b]) else {
            return Multivariate::constant(a.coefficients[0] * b.coefficients[0]);
        };
        Self::each(&[*a, *b], |place| {
            let products = terms.factors[place].iter().map(|(i, j)| a.coefficients[*i] * b.coefficients[*j]);
            products.reduce(Add::add).expect("every term is a product with 1")
        })
    }

    /// Term by term: `a = y b`.
    fn quotient(a: &Self, b: &Self) -> Self {
        let mut y = Self::flat(a.coefficients[0] / b.coefficients[0], [*a, *b]);
        let terms = y.terms;
        for place in 1..y.len() {
            let factors = terms.into_iter().flat_map(|terms| &terms.factors[place]).filter(|(i, _)| *i != place);
            let rest =
                factors.fold(a.coefficients[place], |rest, (i, j)| rest - y.coefficients[*i] * b.coefficients[*j]);
            y.coefficients[place] = rest / b.coefficients[0];
        }
        y
    }

    /// The series from the value on, `slopes` being the partial derivatives as far as `y` is known.
    fn solved<const K: usize>(
        value: S,
        arguments: [Self; K],
        uses_answer: bool,
        slopes: impl Fn([Self; K], Self) -> [Self; K],
    ) -> Self {
        let mut y = Self::flat(value, arguments);
        let Some(terms) = y.terms.filter(|_| !arguments.iter().all(Multivariate::is_constant)) else { return y };
        let at = |y: &Self, known: u32| slopes(arguments.map(|x| x.truncated(known)), y.truncated(known));
        let known = y.known.min(terms.order() + 1);
        let all = if uses_answer { None } else { Some(at(&y, known - 1)) };
        for degree in 1..known {
            let slopes = all.unwrap_or_else(|| at(&y, degree));
            for place in terms.of_degree(degree) {
                let mut c = S::lit(0.0);
                for (x, slope) in arguments.iter().zip(&slopes) {
                    for (i, j) in terms.factors[place].iter().filter(|(i, _)| *i > 0 && !x.coefficients[*i].is_zero()) {
                        let share = f64::from(terms.degree(*i)) / f64::from(degree);
                        c += x.coefficients[*i] * slope.coefficients[*j].scale(<S::Base as Base>::lit(share));
                    }
                }
                y.coefficients[place] = c;
            }
        }
        y
    }

    /// The series where the slopes are zero.
    fn flat<const K: usize>(value: S, arguments: [Self; K]) -> Self {
        let (terms, known) = (Self::common(&arguments), Self::known(&arguments));
        Multivariate { terms, known, ..Multivariate::constant(value) }
    }

    /// The series where the slopes are constant. What is not selected has the slope zero, and its coefficients may be infinite.
    fn linear<const K: usize>(value: S, arguments: [Self; K], slopes: [S::Base; K]) -> Self {
        let mut y = Self::each(&arguments, |place| {
            let terms = arguments.iter().zip(slopes);
            let terms = terms.filter(|(x, slope)| *slope != S::Base::ZERO && !x.coefficients[place].is_zero());
            terms.map(|(x, slope)| x.coefficients[place].scale(slope)).reduce(Add::add).unwrap_or(S::lit(0.0))
        });
        y.coefficients[0] = value;
        y
    }
}

/// Gauss's elimination, the largest pivot of each column first.
fn solved_by_elimination<S: Real, const N: usize>(
    mut matrix: Vec<Vec<S>>,
    mut right: Vec<Multivariate<S, N>>,
) -> Vec<Multivariate<S, N>> {
    let n = right.len();
    for k in 0..n {
        let size = |row: usize| matrix[row][k].abs();
        let pivot = (k + 1..n).fold(k, |best, row| if size(row) > size(best) { row } else { best });
        assert!(!matrix[pivot][k].is_zero(), "a map can be inverted if its linear part can");
        matrix.swap(k, pivot);
        right.swap(k, pivot);
        for row in (0..n).filter(|row| *row != k) {
            let factor = matrix[row][k] / matrix[k][k];
            let above = matrix[k].clone();
            matrix[row].iter_mut().zip(above).for_each(|(own, above)| *own -= factor * above);
            let above = right[k];
            right[row] -= Multivariate::constant(factor) * above;
        }
    }
    right.into_iter().enumerate().map(|(k, right)| right / Multivariate::constant(matrix[k][k])).collect()
}

impl<S: fmt::Debug, const N: usize> fmt::Debug for Multivariate<S, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exponents = self.terms.map(|terms| &terms.exponents[..]).unwrap_or_default();
        let Some((_, rest)) = exponents.split_first() else { return self.coefficients[0].fmt(f) };
        f.debug_map().entry(&"1", &self.coefficients[0]).entries(rest.iter().zip(&self.coefficients[1..])).finish()
    }
}

macro_rules! functions {
    ($($name:ident $args:tt -> $y:ident: $partials:tt $kind:ident $(($($second:tt)+))?;)+) => {
        #[allow(clippy::approx_constant)] // the table's literals are what they look like
        impl<S: Real, const N: usize> Real for Multivariate<S, N> {
            type Base = S::Base;
            /// Of as high an order as a series with `N` coefficients can have.
            const DERIVATIVES: u32 = S::DERIVATIVES + N as u32 - 1;
            type Varies = On;
            type Curves = On;
            #[inline]
            fn from_base(b: S::Base) -> Self {
                Multivariate::constant(S::from_base(b))
            }
            #[inline]
            fn value(self) -> S::Base {
                self.coefficients[0].value()
            }
            #[inline]
            fn is_zero(self) -> bool {
                self.coefficients.iter().all(|c| c.is_zero())
            }
            #[inline]
            fn scale(self, k: S::Base) -> Self {
                Multivariate { coefficients: self.coefficients.map(|c| c.scale(k)), ..self }
            }
            #[inline]
            fn shift(mut self, k: S::Base) -> Self {
                self.coefficients[0] = self.coefficients[0].shift(k);
                self
            }
            $(method! { $name $args -> $y: $partials $kind })+
        }
    };
}
diffi_rules::functions!(functions);

super::assigning! { [S: Real, const N: usize] Multivariate<S, N> }

impl<S: Real, const N: usize> Neg for Multivariate<S, N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Multivariate { coefficients: self.coefficients.map(Neg::neg), ..self }
    }
}

super::arithmetic! {
    [S: Real, const N: usize] Multivariate<S, N>;
    Add add |a, b| Self::each(&[a, b], |k| a.coefficients[k] + b.coefficients[k]);
    Sub sub |a, b| Self::each(&[a, b], |k| a.coefficients[k] - b.coefficients[k]);
    Mul mul |a, b| Multivariate::product(&a, &b);
    Div div |a, b| Multivariate::quotient(&a, &b);
    Rem rem |a, b| {
        let value = a.coefficients[0] % b.coefficients[0];
        let quotient = ((a.value() - value.value()) / b.value()).as_f64().round();
        Multivariate::linear(value, [a, b], [S::Base::ONE, <S::Base as Base>::lit(-quotient)])
    };
}

impl<S: Real, const N: usize> Sum for Multivariate<S, N> {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Multivariate::constant(S::lit(-0.0)), Add::add)
    }
}

impl<S: Real, const N: usize> PartialEq for Multivariate<S, N> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.coefficients[0] == other.coefficients[0]
    }
}

impl<S: Real, const N: usize> PartialOrd for Multivariate<S, N> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.coefficients[0].partial_cmp(&other.coefficients[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::scalar::Taylor;

    type Series = Multivariate<f64, 15>;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-11 * (1.0 + b.abs()), "{a}, expected {b}");
    }

    fn all_close(a: &Series, b: &Series) {
        a.coefficients().iter().zip(b.coefficients()).for_each(|(a, b)| close(*a, *b));
    }

    fn variables(at: [f64; 2]) -> [Series; 2] {
        [0, 1].map(|k| Series::variable(Terms::of(2, 4), k, at[k]))
    }

    #[test]
    fn terms_are_numbered_by_degree() {
        let terms: Vec<&[u32]> = Terms::of(2, 2).exponents().collect();
        assert_eq!(terms, [&[0, 0][..], &[1, 0], &[0, 1], &[2, 0], &[1, 1], &[0, 2]]);
        // A total order, and orders of the variables below it.
        let some: Vec<&[u32]> = Terms::with_orders(&[2, 1], 2).exponents().collect();
        assert_eq!(some, [&[0, 0][..], &[1, 0], &[0, 1], &[2, 0], &[1, 1]]);
        assert_eq!((Terms::of(3, 4).len(), Terms::of(4, 3).variables(), Terms::of(4, 3).order()), (35, 4, 3));
        assert!(std::ptr::eq(Terms::of(2, 4), Terms::of(2, 4)));
    }

    /// Along a line through the point, a series in two variables is one in one variable.
    #[test]
    fn every_function_agrees_with_series_along_lines() {
        fn all<S: Real>(x: S, y: S) -> Vec<S> {
            let half = S::lit(0.5);
            vec![
                x.recip() * y.sqrt() + (x * y).cbrt(),
                x.powi(3) * y.powi(-2) + x.powf(y) + y.powf(S::lit(2.5)),
                x.hypot(y) + x.atan2(y) + (x * y).exp() - y.exp2() * x.exp_m1(),
                x.ln() * y.ln_1p() + x.log2() * y.log10() + x.log(y + S::lit(3.0)),
                x.sin() * y.cos() + (x * y).tan(),
                (x * y).asin() + (x - y).acos() + (x / y).atan(),
                x.sinh() * y.cosh() - (x + y).tanh() + x.asinh() + (x * y).atanh() + (x + y).acosh(),
                (x - y).abs() + x.max(y) * x.min(half) + x % half - y.floor(),
                x.mul_add(y, half) / (x * x + y),
            ]
        }
        let at = [0.7, 0.9];
        let [x, y] = variables(at);
        for direction in [[1.0, 0.0], [0.0, 1.0], [0.6, -0.8], [1.0, 2.0], [-0.3, 0.4]] {
            let line = |k: usize| Taylor::<f64, 5>::new([at[k], direction[k], 0.0, 0.0, 0.0]);
            for (series, along) in all(x, y).iter().zip(all(line(0), line(1))) {
                for degree in 0..5 {
                    let terms = Terms::of(2, 4);
                    let powers = terms.of_degree(degree).map(|place| {
                        let exponents = &terms.exponents[place];
                        let power = |k: usize| f64::powi(direction[k], exponents[k] as i32);
                        series.coefficients[place] * power(0) * power(1)
                    });
                    close(powers.sum(), along.coefficients()[degree as usize]);
                }
            }
        }
    }

    /// What a series of lower orders has is what one of higher orders has there.
    #[test]
    fn orders_of_single_variables() {
        let f = |x: [Series; 2]| (x[0] * x[1]).sin() / (x[0] + x[1].exp());
        let whole = f(variables([0.3, -0.2]));
        let terms = Terms::with_orders(&[3, 1], 4);
        let part = f([0, 1].map(|k| Series::variable(terms, k, [0.3, -0.2][k])));
        assert_eq!(part.coefficient(&[0, 2]), None);
        for exponents in terms.exponents() {
            close(part.coefficient(exponents).unwrap(), whole.coefficient(exponents).unwrap());
        }
    }

    #[test]
    fn coefficients_and_derivatives() {
        let [a, b] = variables([0.5, -0.25]);
        let y = a * a * b.exp();
        close(y.coefficient(&[2, 1]).unwrap(), (-0.25f64).exp());
        close(y.derivative(&[2, 2]).unwrap(), 2.0 * (-0.25f64).exp());
        assert_eq!(y.coefficient(&[3, 2]), None);
    }

    #[test]
    fn calculus_and_substitution() {
        let [a, b] = variables([0.0, 0.0]);
        let y = a.cos() * b.sin() + a * b * b;
        let by_a = y.differentiated(0);
        let expected = -a.sin() * b.sin() + b * b;
        let low = Terms::of(2, 4).of_degree(4).start;
        (0..low).for_each(|place| close(by_a.coefficients()[place], expected.coefficients()[place]));
        all_close(&(by_a.integrated(0) + b.sin()), &y);
        let polynomial = 0.02 - 0.02f64.powi(3) / 6.0 + 0.01 * 0.02 * 0.02 - 0.01 * 0.01 * 0.02 / 2.0;
        close(y.evaluate(&[0.01, 0.02]), polynomial);
        let inner = [a * b + a, b.sin() - a * a];
        all_close(&y.composed(&inner), &(inner[0].cos() * inner[1].sin() + inner[0] * inner[1] * inner[1]));
        // A polynomial is the same around every point.
        let polynomial = a * a * b + Series::lit(2.0) * b * b;
        let [c, d] = variables([0.5, -1.0]);
        all_close(&polynomial.translated(&[0.5, -1.0]), &(c * c * d + Series::lit(2.0) * d * d));
    }

    #[test]
    fn poisson_brackets() {
        let [q, p] = variables([0.4, -0.3]);
        let (f, g) = (q * q * p.exp(), q.sin() * p);
        let bracket = f.differentiated(0) * g.differentiated(1) - f.differentiated(1) * g.differentiated(0);
        let expected = Series::lit(2.0) * q * p.exp() * q.sin() - q * q * p.exp() * q.cos() * p;
        let low = Terms::of(2, 4).of_degree(4).start;
        (0..low).for_each(|place| close(bracket.coefficients()[place], expected.coefficients()[place]));
        assert!(low == 10 && bracket.coefficients()[1].abs() > 0.1);
    }

    #[test]
    fn maps_are_inverted() {
        let [a, b] = variables([0.0, 0.0]);
        let map = [b.sin() + a * b, a.exp() - Series::lit(1.0) + b * b * Series::lit(0.5) - b];
        let inverse = Series::inverted(&map);
        for (series, expected) in map.iter().zip([a, b]) {
            all_close(&series.composed(&inverse), &expected);
        }
        for (series, expected) in inverse.iter().zip([a, b]) {
            all_close(&series.composed(&map), &expected);
        }
    }
}
