//! The seam between kernels and vector units: one body, up to four levels.
//!
//! A kernel writes its arithmetic once, as a [`Body`] over [`Lanes`]. [`SimdLevel::run`] compiles
//! it for the level at hand: plain Rust ([`Scalar`]), what every CPU of the target has
//! ([`Baseline`]: SSE2, NEON or wasm's `simd128`), and with feature `std` on x86-64 also AVX2 and
//! AVX-512, which are found at run time. Holding a token proves that the CPU has the level.
//!
//! Fusing is fixed by level: scalar and the x86 baseline round `a * b + c` twice, AVX2, AVX-512
//! and NEON once. Bodies that use no `mul_add` give the same bits everywhere.
//!
//! To add a level: implement [`Lanes`] for `f32` and `f64` and [`Lanes16`] on a new token, then
//! name it in `levels!` below; conformance expects it from the CPU's flags.

/// Shuffles written as arrays, which compile to the level's own.
macro_rules! shuffles {
    ($t:ty, $w:literal) => {
        #[inline(always)]
        fn interleave(self, a: Self::Vector, b: Self::Vector) -> [Self::Vector; 2] {
            let (a, b): ([$t; $w], [$t; $w]) = (bytemuck::cast(a), bytemuck::cast(b));
            let mut halves = [[0.0; $w]; 2];
            for i in 0..$w / 2 {
                (halves[0][2 * i], halves[0][2 * i + 1]) = (a[i], b[i]);
                (halves[1][2 * i], halves[1][2 * i + 1]) = (a[$w / 2 + i], b[$w / 2 + i]);
            }
            [bytemuck::cast(halves[0]), bytemuck::cast(halves[1])]
        }
        #[inline(always)]
        fn deinterleave(self, a: Self::Vector, b: Self::Vector) -> [Self::Vector; 2] {
            let (a, b): ([$t; $w], [$t; $w]) = (bytemuck::cast(a), bytemuck::cast(b));
            let mut parts = [[0.0; $w]; 2];
            for i in 0..$w / 2 {
                (parts[0][i], parts[1][i]) = (a[2 * i], a[2 * i + 1]);
                (parts[0][$w / 2 + i], parts[1][$w / 2 + i]) = (b[2 * i], b[2 * i + 1]);
            }
            [bytemuck::cast(parts[0]), bytemuck::cast(parts[1])]
        }
        shift!($t, $w);
    };
}

/// The shift written as an array.
macro_rules! shift {
    ($t:ty, $w:literal) => {
        #[inline(always)]
        fn shift_in<const C: usize>(self, v: Self::Vector, first: [$t; C]) -> Self::Vector {
            let v: [$t; $w] = bytemuck::cast(v);
            let element = |i: usize| if i < C { first[i] } else { v[i - C] };
            bytemuck::cast(core::array::from_fn::<$t, $w, _>(element))
        }
    };
}

mod level;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod pulp;
mod scalar;
#[cfg(any(
    target_feature = "sse2",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod wide;

pub use level::SimdLevel;
pub(crate) use scalar::Scalar;
#[cfg(not(any(
    target_feature = "sse2",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub(crate) use scalar::Scalar as Baseline;
#[cfg(any(
    target_feature = "sse2",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(crate) use wide::Baseline;

/// Vectors of one floating-point type at one level.
pub(crate) trait Lanes<T>: Copy {
    /// A vector in a register.
    type Vector: Copy;
    /// A vector in memory: `[T; WIDTH]`.
    type Array: Copy + AsRef<[T]> + AsMut<[T]>;
    /// Elements per vector.
    const WIDTH: usize;

    /// The whole vectors at the start of a slice.
    fn arrays(x: &[T]) -> &[Self::Array];
    /// The whole vectors at the start of a slice, and what is left.
    fn arrays_mut(x: &mut [T]) -> (&mut [Self::Array], &mut [T]);
    /// A vector of zeros in memory.
    fn zeroed() -> Self::Array;
    /// The first elements from `x`, the others zero; `x` is shorter than a vector.
    #[inline(always)]
    fn partial(x: &[T]) -> Self::Array
    where
        T: Copy,
    {
        let mut array = Self::zeroed();
        array.as_mut().iter_mut().zip(x).for_each(|(to, from)| *to = *from);
        array
    }

    fn load(self, array: &Self::Array) -> Self::Vector;
    fn store(self, array: &mut Self::Array, v: Self::Vector);
    fn splat(self, x: T) -> Self::Vector;
    /// `[a0, b0, a1, b1, ..]`, the first half and the second.
    fn interleave(self, a: Self::Vector, b: Self::Vector) -> [Self::Vector; 2];
    /// The even elements of `a` then `b`, and the odd ones: the inverse of [`Self::interleave`].
    fn deinterleave(self, a: Self::Vector, b: Self::Vector) -> [Self::Vector; 2];
    /// `[first.., v0, v1, ..]`: the elements moved up, the last `C` of them out.
    fn shift_in<const C: usize>(self, v: Self::Vector, first: [T; C]) -> Self::Vector;
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a * b + c`, fused or not as the level says.
    fn mul_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
}

/// Vectors of 16-bit integers with 32-bit sums of products.
pub(crate) trait Lanes16: Copy {
    /// A vector of `i16` in a register.
    type Vector: Copy;
    /// Half as many `i32` sums in a register.
    type Sums: Copy;
    /// A vector of `i16` in memory.
    type Array: Copy + AsRef<[i16]> + AsMut<[i16]>;
    /// The sums in memory.
    type SumsArray: Copy + AsRef<[i32]>;
    /// Elements of [`Self::Array`].
    const WIDTH: usize;

    /// A vector of zeros in memory.
    fn zeroed() -> Self::Array;

    fn load(self, array: &Self::Array) -> Self::Vector;
    /// The pair repeated over the vector.
    fn splat_pair(self, pair: [i16; 2]) -> Self::Vector;
    fn zero_sums(self) -> Self::Sums;
    /// `sums[i] + a[2i] * b[2i] + a[2i+1] * b[2i+1]`, wrapping.
    fn add_products(self, sums: Self::Sums, a: Self::Vector, b: Self::Vector) -> Self::Sums;
    fn sums(self, sums: Self::Sums) -> Self::SumsArray;
}

/// A computation over vectors of `T` that a level can run.
///
/// Implementations are `#[inline(always)]` down to the last helper: what is not inlined falls off
/// its level.
pub(crate) trait Body<T> {
    type Output;
    fn run<S: Lanes<T> + Lanes16>(self, s: S) -> Self::Output;
}
