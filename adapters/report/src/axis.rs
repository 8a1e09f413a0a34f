//! One axis of a picture.

/// An axis, linear or logarithmic.
pub struct Axis {
    pub(crate) name: String,
    from: f64,
    to: f64,
    logarithmic: bool,
}

impl Axis {
    /// A linear one.
    #[must_use]
    pub fn linear(name: &str, from: f64, to: f64) -> Self {
        Axis { name: name.to_owned(), from, to, logarithmic: false }
    }

    /// A logarithmic one.
    #[must_use]
    pub fn logarithmic(name: &str, from: f64, to: f64) -> Self {
        Axis { name: name.to_owned(), from, to, logarithmic: true }
    }

    /// Between 0 and 1.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let scale = |value: f64| if self.logarithmic { value.max(self.from).log10() } else { value };
        ((scale(value) - scale(self.from)) / (scale(self.to) - scale(self.from))).clamp(0.0, 1.0)
    }

    /// Where the lines are, and what stands there.
    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        if self.logarithmic { self.powers() } else { self.multiples() }
    }

    fn powers(&self) -> Vec<(f64, String)> {
        let (from, to) = (self.from.log10().ceil() as i32, self.to.log10().floor() as i32);
        let step = 1 + (to - from) as usize / 6;
        (from..=to).step_by(step).map(|power| (10f64.powi(power), format!("1e{power}"))).collect()
    }

    fn multiples(&self) -> Vec<(f64, String)> {
        let rough = (self.to - self.from) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|step| *step >= rough).unwrap_or(rough);
        let (first, last) = ((self.from / step).ceil() as i64, (self.to / step).floor() as i64);
        let digits = (-step.log10().floor()).max(0.0) as usize;
        (first..=last).map(|k| k as f64 * step).map(|value| (value, format!("{value:.digits$}"))).collect()
    }
}
