//! AVX2 and AVX-512, found at run time.

use super::{Body, Lanes, Lanes16};
use pulp::x86::{V3, V4};
use pulp::{NullaryFnOnce, Simd};

macro_rules! float {
    ($token:ident, $t:ty, $w:literal, $vector:ty, $splat:ident, $add:ident, $sub:ident, $mul:ident, $mul_add:ident, { $($shuffles:tt)* }) => {
        impl Lanes<$t> for $token {
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
                Simd::$splat(self.0, x)
            }
            #[inline(always)]
            fn add(self, a: $vector, b: $vector) -> $vector {
                Simd::$add(self.0, a, b)
            }
            #[inline(always)]
            fn sub(self, a: $vector, b: $vector) -> $vector {
                Simd::$sub(self.0, a, b)
            }
            #[inline(always)]
            fn mul(self, a: $vector, b: $vector) -> $vector {
                Simd::$mul(self.0, a, b)
            }
            #[inline(always)]
            fn mul_add(self, a: $vector, b: $vector, c: $vector) -> $vector {
                Simd::$mul_add(self.0, a, b, c)
            }
            $($shuffles)*
        }
    };
}

/// Shuffles within halves of a vector, and of halves.
macro_rules! halves {
    ($low:ident, $high:ident, $permute:ident, $shuffle:ident, $even:literal, $odd:literal) => {
        #[inline(always)]
        fn interleave(self, a: Self::Vector, b: Self::Vector) -> [Self::Vector; 2] {
            let (avx, a, b) = (self.0.avx, bytemuck::cast(a), bytemuck::cast(b));
            let (low, high) = (avx.$low(a, b), avx.$high(a, b));
            let first = avx.$permute::<0x20>(low, high);
            [bytemuck::cast(first), bytemuck::cast(avx.$permute::<0x31>(low, high))]
        }
        #[inline(always)]
        fn deinterleave(self, a: Self::Vector, b: Self::Vector) -> [Self::Vector; 2] {
            let (avx, a, b) = (self.0.avx, bytemuck::cast(a), bytemuck::cast(b));
            let (low, high) = (avx.$permute::<0x20>(a, b), avx.$permute::<0x31>(a, b));
            let even = avx.$shuffle::<$even>(low, high);
            [bytemuck::cast(even), bytemuck::cast(avx.$shuffle::<$odd>(low, high))]
        }
    };
}

/// An array of indices, by a formula in `$i`.
macro_rules! indices {
    ($t:ty, $w:literal, |$i:ident| $index:expr) => {{
        let (mut array, mut $i) = ([0; $w], 0);
        while $i < $w {
            array[$i] = ($index) as $t;
            $i += 1;
        }
        array
    }};
}

/// Shuffles by one permutation of two vectors each; sixteen lanes are too many for LLVM to find
/// them in arrays.
macro_rules! permutations {
    ($t:ty, $w:literal, $index:ty, $permute:ident) => {
        #[inline(always)]
        fn interleave(self, a: Self::Vector, b: Self::Vector) -> [Self::Vector; 2] {
            const FIRST: [$index; $w] = indices!($index, $w, |i| i / 2 + i % 2 * $w);
            const SECOND: [$index; $w] = indices!($index, $w, |i| $w / 2 + i / 2 + i % 2 * $w);
            [self.$permute(a, b, FIRST), self.$permute(a, b, SECOND)]
        }
        #[inline(always)]
        fn deinterleave(self, a: Self::Vector, b: Self::Vector) -> [Self::Vector; 2] {
            const EVEN: [$index; $w] = indices!($index, $w, |i| 2 * i);
            const ODD: [$index; $w] = indices!($index, $w, |i| 2 * i + 1);
            [self.$permute(a, b, EVEN), self.$permute(a, b, ODD)]
        }
        #[inline(always)]
        fn shift_in<const C: usize>(self, v: Self::Vector, first: [$t; C]) -> Self::Vector {
            let start = bytemuck::cast(<Self as Lanes<$t>>::partial(&first));
            let moved = const { indices!($index, $w, |i| if i < C { $w + i } else { i - C }) };
            self.$permute(v, start, moved)
        }
    };
}

macro_rules! level {
    ($token:ident, $simd:ty, f32: $w32:literal $f32:ty, f64: $w64:literal $f64:ty,
     i16: $w16:literal $i16:ty, i32: $i32:ty, $products:ident, $splat32:ident) => {
        #[derive(Clone, Copy)]
        pub(crate) struct $token($simd);

        impl $token {
            pub(super) fn detect() -> Option<Self> {
                <$simd>::try_new().map(Self)
            }

            /// Compiles a body for this level.
            #[inline(always)]
            pub(super) fn vectorize<T, B: Body<T>>(self, body: B) -> B::Output
            where
                Self: Lanes<T>,
            {
                struct Call<T, B>($token, B, core::marker::PhantomData<T>);
                impl<T, B: Body<T>> NullaryFnOnce for Call<T, B>
                where
                    $token: Lanes<T>,
                {
                    type Output = B::Output;
                    #[inline(always)]
                    fn call(self) -> B::Output {
                        self.1.run(self.0)
                    }
                }
                self.0.vectorize(Call(self, body, core::marker::PhantomData))
            }
        }

        impl Lanes16 for $token {
            type Vector = $i16;
            type Sums = $i32;
            type Array = [i16; $w16];
            type SumsArray = [i32; $w16 / 2];
            const WIDTH: usize = $w16;

            #[inline(always)]
            fn zeroed() -> [i16; $w16] {
                [0; $w16]
            }
            #[inline(always)]
            fn load(self, array: &[i16; $w16]) -> $i16 {
                bytemuck::cast(*array)
            }
            #[inline(always)]
            fn splat_pair(self, pair: [i16; 2]) -> $i16 {
                bytemuck::cast(self.0.$splat32(bytemuck::cast(pair)))
            }
            #[inline(always)]
            fn zero_sums(self) -> $i32 {
                self.0.$splat32(0)
            }
            #[inline(always)]
            fn add_products(self, sums: $i32, a: $i16, b: $i16) -> $i32 {
                Simd::add_i32s(self.0, sums, self.0.$products(a, b))
            }
            #[inline(always)]
            fn sums(self, sums: $i32) -> [i32; $w16 / 2] {
                bytemuck::cast(sums)
            }
        }
    };
}

level!(Avx2, V3, f32: 8 pulp::f32x8, f64: 4 pulp::f64x4, i16: 16 pulp::i16x16, i32: pulp::i32x8,
    multiply_wrapping_add_adjacent_i16x16, splat_i32x8);
level!(Avx512, V4, f32: 16 pulp::f32x16, f64: 8 pulp::f64x8, i16: 32 pulp::i16x32, i32: pulp::i32x16,
    multiply_wrapping_add_adjacent_i16x32, splat_i32x16);

impl Avx512 {
    #[inline(always)]
    fn permute_f32(self, a: pulp::f32x16, b: pulp::f32x16, index: [i32; 16]) -> pulp::f32x16 {
        let (a, b) = (bytemuck::cast(a), bytemuck::cast(b));
        bytemuck::cast(self.0.avx512f._mm512_permutex2var_ps(a, bytemuck::cast(index), b))
    }

    #[inline(always)]
    fn permute_f64(self, a: pulp::f64x8, b: pulp::f64x8, index: [i64; 8]) -> pulp::f64x8 {
        let (a, b) = (bytemuck::cast(a), bytemuck::cast(b));
        bytemuck::cast(self.0.avx512f._mm512_permutex2var_pd(a, bytemuck::cast(index), b))
    }
}

float!(Avx2, f32, 8, pulp::f32x8, splat_f32s, add_f32s, sub_f32s, mul_f32s, mul_add_e_f32s, {
    halves!(
        _mm256_unpacklo_ps,
        _mm256_unpackhi_ps,
        _mm256_permute2f128_ps,
        _mm256_shuffle_ps,
        0b10_00_10_00,
        0b11_01_11_01
    );
    shift!(f32, 8);
});
float!(Avx2, f64, 4, pulp::f64x4, splat_f64s, add_f64s, sub_f64s, mul_f64s, mul_add_e_f64s, {
    halves!(
        _mm256_unpacklo_pd,
        _mm256_unpackhi_pd,
        _mm256_permute2f128_pd,
        _mm256_shuffle_pd,
        0b0000,
        0b1111
    );
    shift!(f64, 4);
});
float!(Avx512, f32, 16, pulp::f32x16, splat_f32s, add_f32s, sub_f32s, mul_f32s, mul_add_e_f32s, {
    permutations!(f32, 16, i32, permute_f32);
});
float!(Avx512, f64, 8, pulp::f64x8, splat_f64s, add_f64s, sub_f64s, mul_f64s, mul_add_e_f64s, {
    permutations!(f64, 8, i64, permute_f64);
});
