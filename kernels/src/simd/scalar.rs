//! The scalar level: the same bodies over two-element arrays, which a CPU without vectors keeps
//! in registers.

use super::{Lanes, Lanes16};

#[derive(Clone, Copy)]
pub(crate) struct Scalar;

macro_rules! float {
    ($t:ty) => {
        impl Lanes<$t> for Scalar {
            type Vector = [$t; 2];
            type Array = [$t; 2];
            const WIDTH: usize = 2;

            #[inline(always)]
            fn arrays(x: &[$t]) -> &[[$t; 2]] {
                x.as_chunks().0
            }
            #[inline(always)]
            fn arrays_mut(x: &mut [$t]) -> (&mut [[$t; 2]], &mut [$t]) {
                x.as_chunks_mut()
            }
            #[inline(always)]
            fn zeroed() -> [$t; 2] {
                [0.0; 2]
            }
            #[inline(always)]
            fn load(self, array: &[$t; 2]) -> [$t; 2] {
                *array
            }
            #[inline(always)]
            fn store(self, array: &mut [$t; 2], v: [$t; 2]) {
                *array = v;
            }
            #[inline(always)]
            fn splat(self, x: $t) -> [$t; 2] {
                [x; 2]
            }
            shuffles!($t, 2);
            #[inline(always)]
            fn add(self, a: [$t; 2], b: [$t; 2]) -> [$t; 2] {
                [a[0] + b[0], a[1] + b[1]]
            }
            #[inline(always)]
            fn sub(self, a: [$t; 2], b: [$t; 2]) -> [$t; 2] {
                [a[0] - b[0], a[1] - b[1]]
            }
            #[inline(always)]
            fn mul(self, a: [$t; 2], b: [$t; 2]) -> [$t; 2] {
                [a[0] * b[0], a[1] * b[1]]
            }
            #[inline(always)]
            fn mul_add(self, a: [$t; 2], b: [$t; 2], c: [$t; 2]) -> [$t; 2] {
                [a[0] * b[0] + c[0], a[1] * b[1] + c[1]]
            }
        }
    };
}
float!(f32);
float!(f64);

impl Lanes16 for Scalar {
    type Vector = [i16; 4];
    type Sums = [i32; 2];
    type Array = [i16; 4];
    type SumsArray = [i32; 2];
    const WIDTH: usize = 4;

    #[inline(always)]
    fn zeroed() -> [i16; 4] {
        [0; 4]
    }
    #[inline(always)]
    fn load(self, array: &[i16; 4]) -> [i16; 4] {
        *array
    }
    #[inline(always)]
    fn splat_pair(self, [a, b]: [i16; 2]) -> [i16; 4] {
        [a, b, a, b]
    }
    #[inline(always)]
    fn zero_sums(self) -> [i32; 2] {
        [0; 2]
    }
    #[inline(always)]
    fn add_products(self, sums: [i32; 2], a: [i16; 4], b: [i16; 4]) -> [i32; 2] {
        let product = |i: usize| i32::from(a[i]) * i32::from(b[i]);
        let pair = |i: usize| product(2 * i).wrapping_add(product(2 * i + 1));
        [sums[0].wrapping_add(pair(0)), sums[1].wrapping_add(pair(1))]
    }
    #[inline(always)]
    fn sums(self, sums: [i32; 2]) -> [i32; 2] {
        sums
    }
}
