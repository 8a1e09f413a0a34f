//! The crate `ad_trait`.

use crate::backend::chunked_forward::ChunkSize;
use crate::backend::external::{Foreign, ForeignDual, all_zero, package, unary};
use ad_trait::AD;
use ad_trait::forward_ad::ForwardADTrait;
use ad_trait::forward_ad::adfn::adfn;

package! {
    /// The dual numbers of the crate `ad_trait`, up to twelve directions in each.
    AutoAdTrait, ChunkSize::AUTO; adfn<1>, adfn<4>, adfn<8>, adfn<12>
}

/// By the methods that the package's trait has from simba's.
macro_rules! functions {
    ([$($name:ident)+]) => { $(
        #[inline]
        fn $name(self) -> Self {
            fn of<T: AD>(x: T) -> T {
                x.$name()
            }
            of(self)
        }
    )+ };
}

fn power<T: AD<RealField = T>>(x: T, p: T) -> T {
    x.powf(p)
}

fn whole_power<T: AD>(x: T, n: i32) -> T {
    x.powi(n)
}

fn angle<T: AD>(a: T, b: T) -> T {
    a.atan2(b)
}

impl<const N: usize> Foreign for adfn<N> {
    #[inline]
    fn constant(v: f64) -> Self {
        adfn::new_constant(v)
    }
    #[inline]
    fn re(&self) -> f64 {
        self.value()
    }
    #[inline]
    fn is_zero(&self) -> bool {
        all_zero(self)
    }
    unary!(functions);
    #[inline]
    fn powi(self, n: i32) -> Self {
        whole_power(self, n)
    }
    #[inline]
    fn powf(self, p: Self) -> Self {
        power(self, p)
    }
    #[inline]
    fn atan2(self, b: Self) -> Self {
        angle(self, b)
    }
}

impl<const N: usize> ForeignDual for adfn<N> {
    const DIRECTIONS: usize = N;
    #[inline]
    fn part(&self, k: usize) -> f64 {
        self.tangent()[k]
    }
    #[inline]
    fn set_part(&mut self, k: usize, v: f64) {
        self.set_tangent_value(k, v);
    }
}
