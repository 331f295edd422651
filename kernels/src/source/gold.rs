//! Gold codes.

#[cfg(feature = "testing")]
mod cases;
#[cfg(test)]
mod tests;

#[cfg(feature = "testing")]
pub(crate) use cases::cases;

use super::lfsr::{Lfsr, Sum, polynomial};
use super::pn::{Chip, primitive_polynomial};
use crate::shape::{ConfigError, Generator, Kernel};
use crate::simd::SimdLevel;
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;

/// The second polynomial of a preferred pair without its highest term; the first is that of
/// [`primitive_polynomial`].
///
/// The second sequence is the first decimated by 3 where the length is odd and by 5 where it is
/// even; at length 10 it is that of the Global Positioning System.
const fn second(length: u32) -> Option<u64> {
    Some(match length {
        5 => 0xf,
        6 => 0x33,
        7 => 0x55,
        9 => 0x69,
        10 => 0x197,
        11 => 0x249,
        13 => 0x791,
        14 => 0x376d,
        15 => 0x4421,
        17 => 0x1_c001,
        18 => 0x2901,
        _ => return None,
    })
}

/// A Gold code, `y[n] = u[n] + v[n - shift]` modulo 2, of a preferred pair of maximal sequences.
///
/// `u` and `v` both begin with `length` ones and have the period `2^length - 1`. Any two codes of
/// the family, one for each shift, have a correlation over a period that takes three values only:
/// -1 and `-1 +- 2^floor((length + 2) / 2)`. Of length 10 they are the C/A codes of GPS, with the
/// code delays of IS-GPS-200 as the shifts.
///
/// Outputs are 0 and 1 in `u8`; in `i8` and `f32` they are 1 for 0 and -1 for 1.
///
/// * **Accuracy**: exact. The same bits at every level and on every target.
/// * **Cost**: that of two [`Pn`](super::Pn); no allocation.
///
/// R. Gold, *Optimal binary sequences for spread spectrum multiplexing*, IEEE Trans. Inf. Theory 13
/// (1967).
///
/// ```
/// use passband_kernels::shape::Generator;
/// use passband_kernels::source::Gold;
///
/// // The first satellite's code begins with 1440 in octal digits.
/// let mut code = Gold::<u8>::new(10, 5)?;
/// let mut bits = [0; 10];
/// code.generate(&mut bits);
/// assert_eq!(bits, [1, 1, 0, 0, 1, 0, 0, 0, 0, 0]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Gold<C> {
    level: SimdLevel,
    shift: u64,
    registers: [Lfsr; 2],
    output: PhantomData<C>,
}

impl<C: Chip> Gold<C> {
    /// The code of a shift, for the best level of this CPU.
    ///
    /// # Errors
    /// [`ConfigError`] for a length other than 5, 6, 7, 9, 10, 11, 13, 14, 15, 17 or 18, and for a
    /// shift that is not below `2^length - 1`.
    pub fn new(length: u32, shift: u64) -> Result<Self, ConfigError> {
        Self::with_level(length, shift, SimdLevel::best())
    }

    /// The same for a level.
    ///
    /// # Errors
    /// As those of [`new`](Self::new).
    pub const fn with_level(length: u32, shift: u64, level: SimdLevel) -> Result<Self, ConfigError> {
        let Some(taps) = second(length) else {
            let expected = "5, 6, 7, 9, 10, 11, 13, 14, 15, 17 or 18";
            return Err(ConfigError { argument: "length", expected });
        };
        let period = (1 << length) - 1;
        if shift >= period {
            return Err(ConfigError { argument: "shift", expected: "0 to 2^length - 2" });
        }
        let first = match primitive_polynomial(length) {
            Ok(first) => first,
            Err(error) => return Err(error),
        };
        match (Lfsr::new(first, None), Lfsr::new(polynomial(length, taps), None)) {
            (Ok(u), Ok(mut v)) => {
                v.advance(period - shift);
                Ok(Self { level, shift, registers: [u, v.starting_here()], output: PhantomData })
            }
            (Err(error), _) | (_, Err(error)) => Err(error),
        }
    }

    /// Leaves out the next `count` outputs.
    pub fn advance(&mut self, count: u64) {
        for register in &mut self.registers {
            register.advance(count);
        }
    }
}

impl<C: Chip> Snapshot for Gold<C> {
    fn kernel_id(&self) -> u32 {
        id::of(id::GOLD, 0, C::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        self.registers[0].fingerprint(hash);
        hash.u64(self.shift);
    }
    fn payload_len(&self) -> usize {
        2 * Lfsr::PAYLOAD
    }
    fn write(&self, to: &mut Writer<'_>) {
        for register in &self.registers {
            register.write(to);
        }
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let [u, v] = &self.registers;
        self.registers = [u.read(from)?, v.read(from)?];
        Some(())
    }
}

impl<C: Chip> Kernel for Gold<C> {
    fn reset(&mut self) {
        for register in &mut self.registers {
            register.reset();
        }
    }
}

impl<C: Chip> Generator for Gold<C> {
    type Output = C;

    fn generate(&mut self, out: &mut [C]) {
        self.level.run(Sum { registers: &mut self.registers, out });
    }
}
