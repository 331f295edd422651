//! Maximal-length sequences.

#[cfg(feature = "testing")]
mod cases;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

pub use super::lfsr::Chip;
use super::lfsr::{Lfsr, Sum, polynomial};
use crate::shape::{ConfigError, Generator, Kernel};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;

/// The middle terms of a primitive polynomial of each degree from 2 to 64: exponents beside the degree
/// and 0, which fills the rest.
///
/// Up to 32 those of SciPy's `max_len_seq`, beyond those of P. Alfke, *Efficient Shift Registers,
/// LFSR Counters, and Long Pseudo-Random Sequence Generators*, Xilinx XAPP 052 (1996), save for 37.
#[rustfmt::skip]
const MIDDLE: [[u8; 3]; 63] = [
    [1, 0, 0], [2, 0, 0], [3, 0, 0], [3, 0, 0], [5, 0, 0], [6, 0, 0], [7, 6, 1],
    [5, 0, 0], [7, 0, 0], [9, 0, 0], [11, 10, 4], [12, 11, 8], [13, 12, 2], [14, 0, 0],
    [15, 13, 4], [14, 0, 0], [11, 0, 0], [18, 17, 14], [17, 0, 0], [19, 0, 0], [21, 0, 0],
    [18, 0, 0], [23, 22, 17], [22, 0, 0], [25, 24, 20], [26, 25, 22], [25, 0, 0], [27, 0, 0],
    [29, 28, 7], [28, 0, 0], [31, 30, 10], [20, 0, 0], [27, 2, 1], [33, 0, 0], [25, 0, 0],
    [6, 4, 1], [6, 5, 1], [35, 0, 0], [38, 21, 19], [38, 0, 0], [41, 20, 19], [42, 38, 37],
    [43, 18, 17], [44, 42, 41], [45, 26, 25], [42, 0, 0], [47, 21, 20], [40, 0, 0], [49, 24, 23],
    [50, 36, 35], [49, 0, 0], [52, 38, 37], [53, 18, 17], [31, 0, 0], [55, 35, 34], [50, 0, 0],
    [39, 0, 0], [58, 38, 37], [59, 0, 0], [60, 46, 45], [61, 6, 5], [62, 0, 0], [63, 61, 60],
];

/// A primitive polynomial of degree `length`; bit `k` is the coefficient of `x^k`.
///
/// Up to degree 32 it is the one of SciPy's `max_len_seq`.
///
/// # Errors
/// [`ConfigError`] unless `length` is 2 to 64.
///
/// ```
/// use passband_kernels::source::primitive_polynomial;
///
/// assert_eq!(primitive_polynomial(10)?, 1 << 10 | 1 << 7 | 1);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
pub const fn primitive_polynomial(length: u32) -> Result<u128, ConfigError> {
    if length < 2 || length > 64 {
        return Err(ConfigError { argument: "length", expected: "2 to 64" });
    }
    let [a, b, c] = MIDDLE[length as usize - 2];
    Ok(polynomial(length, 1 | 1 << a | 1 << b | 1 << c))
}

/// A pseudo-noise sequence, `a[n + L] = sum c[k] a[n + k]` modulo 2, of a shift register of length `L`.
///
/// `c[k]` is the coefficient of `x^k` in the polynomial, whose degree is `L`; the first `L` outputs are
/// the bits of `state`, the lowest first. With a primitive polynomial
/// ([`primitive_polynomial`]) the sequence is maximal: its period is `2^L - 1`, and in one period
/// there is one more 1 than there are 0s. This is the register in the form of Fibonacci; that of
/// Galois gives the same sequence, at another phase. Documents that write the polynomial in delays,
/// as `1 + x^3 + x^10` for `a[n] = a[n - 3] + a[n - 10]`, have its reciprocal, here
/// `x^10 + x^7 + 1`.
///
/// Outputs are 0 and 1 in `u8`; in `i8` and `f32` they are 1 for 0 and -1 for 1.
///
/// * **Accuracy**: exact. The same bits at every level and on every target.
/// * **Cost**: 64 outputs at a time, for which the register takes `L / 2` steps of three operations;
///   a call of 64 or more begins with 63 single ones. [`advance`](Self::advance) takes 64 products
///   of polynomials, however far it goes. No allocation.
///
/// S. W. Golomb, *Shift Register Sequences*, Holden-Day, 1967.
///
/// ```
/// use passband_kernels::shape::Generator;
/// use passband_kernels::source::Pn;
///
/// let mut pn = Pn::<u8>::new(0b1011, Some(0b001))?;
/// let mut bits = [0; 9];
/// pn.generate(&mut bits);
/// assert_eq!(bits, [1, 0, 0, 1, 0, 1, 1, 1, 0]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pn<C> {
    level: SimdLevel,
    register: [Lfsr; 1],
    output: PhantomData<C>,
}

impl<C: Chip> Pn<C> {
    /// A sequence of a polynomial from a state, or from ones, for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] for a polynomial whose degree is not 2 to 64 or which lacks the term 1, and
    /// for a state that is 0 or not below `2^L`.
    pub fn new(polynomial: u128, state: Option<u64>) -> Result<Self, ConfigError> {
        Self::with_level(polynomial, state, SimdLevel::best())
    }

    /// The same for a level.
    ///
    /// # Errors
    /// As those of [`new`](Self::new).
    pub const fn with_level(
        polynomial: u128,
        state: Option<u64>,
        level: SimdLevel,
    ) -> Result<Self, ConfigError> {
        match Lfsr::new(polynomial, state) {
            Ok(register) => Ok(Self { level, register: [register], output: PhantomData }),
            Err(error) => Err(error),
        }
    }

    /// Leaves out the next `count` outputs.
    pub fn advance(&mut self, count: u64) {
        self.register[0].advance(count);
    }
}

impl<C: Chip> Snapshot for Pn<C> {
    fn kernel_id(&self) -> u32 {
        id::of(id::PN, 0, C::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        self.register[0].fingerprint(hash);
    }
    fn payload_len(&self) -> usize {
        Lfsr::PAYLOAD
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.register[0].write(to);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.register = [self.register[0].read(from)?];
        Some(())
    }
}

impl<C: Chip> Kernel for Pn<C> {
    fn reset(&mut self) {
        self.register[0].reset();
    }
}

impl<C: Chip> Generator for Pn<C> {
    type Output = C;

    fn generate(&mut self, out: &mut [C]) {
        self.level.run(Sum { registers: &mut self.register, out });
    }
}
