//! What every CPU of the target has: four `f32` per vector.

use super::{Lanes, Lanes16};

#[derive(Clone, Copy)]
pub(crate) struct Baseline;

macro_rules! float {
    ($t:ty, $w:literal, $vector:ty) => {
        impl Lanes<$t> for Baseline {
            type Vector = $vector;
            type Array = [$t; $w];
            const WIDTH: usize = $w;

            #[inline(always)]
            fn arrays(x: &[$t]) -> &[[$t; $w]] {
                x.as_chunks().0
            }
            #[inline(always)]
            fn arrays_mut(x: &mut [$t]) -> (&mut [[$t; $w]], &mut [$t]) {
                x.as_chunks_mut()
            }
            #[inline(always)]
            fn zeroed() -> [$t; $w] {
                [0.0; $w]
            }
            #[inline(always)]
            fn load(self, array: &[$t; $w]) -> $vector {
                bytemuck::cast(*array)
            }
            #[inline(always)]
            fn store(self, array: &mut [$t; $w], v: $vector) {
                *array = bytemuck::cast(v);
            }
            #[inline(always)]
            fn splat(self, x: $t) -> $vector {
                <$vector>::splat(x)
            }
            shuffles!($t, $w);
            #[inline(always)]
            fn add(self, a: $vector, b: $vector) -> $vector {
                a + b
            }
            #[inline(always)]
            fn sub(self, a: $vector, b: $vector) -> $vector {
                a - b
            }
            #[inline(always)]
            fn mul(self, a: $vector, b: $vector) -> $vector {
                a * b
            }
            // On x86 `mul_add` of the crate fuses in builds with `+fma`, which this level must
            // not; NEON fuses always.
            #[cfg(not(target_arch = "aarch64"))]
            #[inline(always)]
            fn mul_add(self, a: $vector, b: $vector, c: $vector) -> $vector {
                a * b + c
            }
            #[cfg(target_arch = "aarch64")]
            #[inline(always)]
            fn mul_add(self, a: $vector, b: $vector, c: $vector) -> $vector {
                a.mul_add(b, c)
            }
        }
    };
}
float!(f32, 4, wide::f32x4);
float!(f64, 2, wide::f64x2);

impl Lanes16 for Baseline {
    type Vector = wide::i16x8;
    type Sums = wide::i32x4;
    type Array = [i16; 8];
    type SumsArray = [i32; 4];
    const WIDTH: usize = 8;

    #[inline(always)]
    fn zeroed() -> [i16; 8] {
        [0; 8]
    }
    #[inline(always)]
    fn load(self, array: &[i16; 8]) -> wide::i16x8 {
        bytemuck::cast(*array)
    }
    #[inline(always)]
    fn splat_pair(self, [a, b]: [i16; 2]) -> wide::i16x8 {
        bytemuck::cast([a, b, a, b, a, b, a, b])
    }
    #[inline(always)]
    fn zero_sums(self) -> wide::i32x4 {
        wide::i32x4::splat(0)
    }
    #[inline(always)]
    fn add_products(self, sums: wide::i32x4, a: wide::i16x8, b: wide::i16x8) -> wide::i32x4 {
        sums + a.dot(b)
    }
    #[inline(always)]
    fn sums(self, sums: wide::i32x4) -> [i32; 4] {
        bytemuck::cast(sums)
    }
}
