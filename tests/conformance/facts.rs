//! The facts, read from JSON: matrices are nested rows there, but Jacobians and Hessians go column by column.

use ndarray::Array2;
use serde_json::Value;

/// All facts.
pub struct Facts(Value);

impl Facts {
    pub fn read() -> Self {
        Facts(serde_json::from_str(include_str!("../data/conformance.json")).unwrap())
    }

    pub fn all(&self) -> impl Iterator<Item = Fact<'_>> {
        self.0["cases"].as_array().unwrap().iter().map(Fact)
    }

    pub fn get(&self, id: &str) -> Fact<'_> {
        self.all().find(|fact| fact.id() == id).unwrap_or_else(|| panic!("no fact {id}"))
    }
}

/// One of them.
#[derive(Clone, Copy)]
pub struct Fact<'a>(pub &'a Value);

impl Fact<'_> {
    pub fn id(&self) -> &str {
        self.0["id"].as_str().unwrap()
    }

    pub fn kind(&self) -> &str {
        self.0["kind"].as_str().unwrap()
    }

    /// The operators with an expected result.
    pub fn operators(&self) -> Vec<&str> {
        let not = ["value", "shape"];
        self.0["expected"].as_object().unwrap().keys().map(|key| &**key).filter(|key| !not.contains(key)).collect()
    }

    pub fn point<T: FromJson>(&self) -> T {
        T::read(&self.0["input"]["x"])
    }

    /// A complex number, alone or the only one of a vector, as a pair.
    pub fn complex(&self, name: &str) -> Vec<f64> {
        flat(&self.0["input"][name])
    }

    pub fn seed<T: FromJson>(&self, name: &str, k: usize) -> T {
        T::read(&self.0["input"][name][k])
    }

    /// An argument that looks like the result, or like a number where there is none.
    pub fn unknown<T: FromJson>(&self) -> T {
        T::unknown(&self.0["expected"]["value"])
    }

    /// The derivative or gradient, for operators of second order.
    pub fn first(&self, operator: &str) -> Option<Vec<f64>> {
        let first = match operator {
            "second_derivative" => "derivative",
            "hvp" | "hessian" => "gradient",
            _ => return None,
        };
        self.0["expected"].get(first).map(flat)
    }

    pub fn value(&self) -> Vec<f64> {
        flat(&self.0["expected"]["value"])
    }

    /// What an operator finds, flattened row by row.
    pub fn expected(&self, operator: &str) -> Vec<f64> {
        let found = &self.0["expected"][operator];
        let (x, y) = (order(&self.0["input"]["x"]), order(&self.0["expected"]["value"]));
        match operator {
            "jacobian" => permuted(found, &y, &x),
            "hessian" => permuted(found, &x, &x),
            _ => flat(found),
        }
    }
}

/// All numbers, row by row.
fn flat(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(values) => values.iter().flat_map(flat).collect(),
        Value::Null => Vec::new(),
        number => vec![number.as_f64().unwrap()],
    }
}

/// The numbers of an argument or a result, row by row, as they are counted column by column.
fn order(value: &Value) -> Vec<usize> {
    let shape = (value.as_array().map(Vec::len), value[0].as_array().map(Vec::len));
    match shape {
        (Some(rows), Some(columns)) => (0..rows).flat_map(|i| (0..columns).map(move |j| j * rows + i)).collect(),
        (Some(length), None) => (0..length).collect(),
        _ => vec![0],
    }
}

fn permuted(matrix: &Value, rows: &[usize], columns: &[usize]) -> Vec<f64> {
    let entry = |i: &usize, j: &usize| matrix[*i][*j].as_f64().unwrap();
    rows.iter().flat_map(|i| columns.iter().map(move |j| entry(i, j))).collect()
}

/// Arguments and seeds.
pub trait FromJson {
    fn read(value: &Value) -> Self;
    /// Another value of the same size, in the same domain.
    fn elsewhere(self) -> Self;
    /// A value of the same size, full of NaNs.
    fn unknown(value: &Value) -> Self;
}

impl FromJson for f64 {
    fn read(value: &Value) -> f64 {
        value.as_f64().unwrap()
    }
    fn elsewhere(self) -> f64 {
        0.9 * self + 0.05
    }
    fn unknown(_: &Value) -> f64 {
        f64::NAN
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn read(value: &Value) -> Vec<T> {
        value.as_array().unwrap().iter().map(T::read).collect()
    }
    fn elsewhere(self) -> Vec<T> {
        self.into_iter().map(T::elsewhere).collect()
    }
    fn unknown(value: &Value) -> Vec<T> {
        value.as_array().into_iter().flatten().map(T::unknown).collect()
    }
}

impl<T: FromJson, const N: usize> FromJson for [T; N] {
    fn read(value: &Value) -> [T; N] {
        std::array::from_fn(|k| T::read(&value[k]))
    }
    fn elsewhere(self) -> [T; N] {
        self.map(T::elsewhere)
    }
    fn unknown(value: &Value) -> [T; N] {
        std::array::from_fn(|k| T::unknown(value.get(k).unwrap_or(value)))
    }
}

impl FromJson for Array2<f64> {
    fn read(value: &Value) -> Array2<f64> {
        let rows: Vec<Vec<f64>> = FromJson::read(value);
        Array2::from_shape_fn((rows.len(), rows[0].len()), |(i, j)| rows[i][j])
    }
    fn elsewhere(self) -> Array2<f64> {
        self.mapv(f64::elsewhere)
    }
    fn unknown(value: &Value) -> Array2<f64> {
        Self::read(value).mapv(|_| f64::NAN)
    }
}
