//! Of which float a constant is, where derivative code alone does not say so: `Complex::new(0.0, 1.0).of_f64()`.

/// A type over `f64`.
pub trait OfF64: Sized {
    /// The value.
    #[inline]
    fn of_f64(self) -> Self {
        self
    }
}

/// The same of `f32`.
pub trait OfF32: Sized {
    /// The value.
    #[inline]
    fn of_f32(self) -> Self {
        self
    }
}

/// A value of any other type of such a name. It is found where the others are not, for it takes one reference more.
pub trait OfAny: Clone {
    /// The value.
    #[inline]
    fn of_f64(&self) -> Self {
        self.clone()
    }
    /// The value.
    #[inline]
    fn of_f32(&self) -> Self {
        self.clone()
    }
}

impl<T: Clone> OfAny for T {}

#[cfg(any(feature = "num-complex", feature = "nalgebra"))]
impl OfF64 for num_complex::Complex<f64> {}
#[cfg(any(feature = "num-complex", feature = "nalgebra"))]
impl OfF32 for num_complex::Complex<f32> {}
