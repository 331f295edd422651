//! Linear feedback shift registers that give 64 bits at a time.
//!
//! Over the polynomial `p(x) = x^L + .. + 1` a register gives `a[n + L] = sum c[k] a[n + k]` modulo 2,
//! where `c[k]` is the coefficient of `x^k`. From `x^m = sum r[k] x^k` modulo `p` follows
//! `a[n + m] = sum r[k] a[n + k]` for any `m`: powers of x look ahead.

use crate::sample::Sample;
use crate::shape::ConfigError;
use crate::simd::{Body, Lanes, Lanes16};
use crate::state::{Fingerprint, Reader, Writer};

/// What a bit becomes: 0 and 1 in `u8`, 1 and -1 in `i8` and `f32`.
pub trait Chip: Sample {
    /// The chips of 0 and of 1.
    const CHIPS: [Self; 2];
}

impl Chip for u8 {
    const CHIPS: [Self; 2] = [0, 1];
}

impl Chip for i8 {
    const CHIPS: [Self; 2] = [1, -1];
}

impl Chip for f32 {
    const CHIPS: [Self; 2] = [1.0, -1.0];
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Lfsr {
    length: u32,
    /// The coefficients of `p` without `x^L`.
    taps: u64,
    /// `x^(L + 63)` modulo `p`.
    ahead: u64,
    /// The state to reset to.
    first: u64,
    /// Bit `k` is `a[n + k]`, `n` being the number of the next output.
    state: u64,
}

impl Lfsr {
    /// A register that starts at `state`, or else at ones.
    pub(super) const fn new(polynomial: u128, state: Option<u64>) -> Result<Self, ConfigError> {
        if polynomial < 4 || polynomial >> 65 != 0 || polynomial & 1 == 0 {
            let expected = "degree 2 to 64, with the term 1";
            return Err(ConfigError { argument: "polynomial", expected });
        }
        let length = polynomial.ilog2();
        let ones = ones(length);
        let state = match state {
            Some(state) => state,
            None => ones,
        };
        if state == 0 || state > ones {
            return Err(ConfigError { argument: "state", expected: "1 to 2^length - 1" });
        }
        let taps = polynomial as u64 & ones;
        let register = Self { length, taps, ahead: 0, first: state, state };
        Ok(Self { ahead: register.power(length as u64 + 63), ..register })
    }

    pub(super) const fn reset(&mut self) {
        self.state = self.first;
    }

    /// Makes the present state that of a reset.
    pub(super) const fn starting_here(self) -> Self {
        Self { first: self.state, ..self }
    }

    /// Leaves out `count` outputs.
    pub(super) const fn advance(&mut self, count: u64) {
        let (power, window) = (self.power(count), self.window());
        let (mut state, mut k) = (0, 0);
        while k < self.length {
            state |= parity((window >> k) as u64 & power) << k;
            k += 1;
        }
        self.state = state;
    }

    /// `x^exponent` modulo `p`.
    const fn power(&self, exponent: u64) -> u64 {
        let (mut power, mut bit) = (1, u64::BITS - exponent.leading_zeros());
        while bit > 0 {
            bit -= 1;
            power = self.product(power, power);
            if exponent >> bit & 1 == 1 {
                power = self.times_x(power);
            }
        }
        power
    }

    const fn product(&self, a: u64, b: u64) -> u64 {
        let (mut product, mut bit) = (0, self.length);
        while bit > 0 {
            bit -= 1;
            product = self.times_x(product) ^ (a & (b >> bit & 1).wrapping_neg());
        }
        product
    }

    const fn times_x(&self, a: u64) -> u64 {
        let reduced = self.taps & (a >> (self.length - 1) & 1).wrapping_neg();
        (a << 1 & ones(self.length)) ^ reduced
    }

    /// The next output.
    #[inline(always)]
    const fn shift(&mut self) -> u64 {
        let out = self.state & 1;
        self.state = self.state >> 1 | parity(self.state & self.taps) << (self.length - 1);
        out
    }

    /// The next `L + 63` outputs.
    #[inline(always)]
    const fn window(&self) -> u128 {
        let (mut register, mut window, mut k) = (*self, self.state as u128, self.length);
        while k < self.length + 63 {
            register.shift();
            window |= (register.state as u128 >> (self.length - 1)) << k;
            k += 1;
        }
        window
    }

    /// The window 64 outputs on.
    #[inline(always)]
    const fn moved(&self, window: u128) -> u128 {
        let (mut rest, mut next) = (self.ahead, 0);
        while rest != 0 {
            next ^= (window >> rest.trailing_zeros()) as u64;
            rest &= rest - 1;
        }
        window >> 64 | (next as u128) << (self.length - 1)
    }

    pub(super) fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.length.into());
        hash.u64(self.taps);
    }

    pub(super) const PAYLOAD: usize = size_of::<u64>();

    pub(super) fn write(&self, to: &mut Writer<'_>) {
        to.u64(self.state);
    }

    /// The state of a snapshot, which is never zero.
    pub(super) fn read(&self, from: &mut Reader<'_>) -> Option<Self> {
        let state = from.u64().filter(|state| *state != 0 && *state <= ones(self.length))?;
        Some(Self { state, ..*self })
    }
}

const fn ones(length: u32) -> u64 {
    u64::MAX >> (u64::BITS - length)
}

#[inline(always)]
const fn parity(x: u64) -> u64 {
    (x.count_ones() & 1) as u64
}

/// Fills `out` with the sums modulo 2 of registers of one length.
pub(super) struct Sum<'a, C, const N: usize> {
    pub(super) registers: &'a mut [Lfsr; N],
    pub(super) out: &'a mut [C],
}

impl<C: Chip, const N: usize> Body<f32> for Sum<'_, C, N> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) {
        let (words, last) = self.out.as_chunks_mut::<64>();
        if !words.is_empty() {
            let mut windows = [0; N];
            for (window, register) in windows.iter_mut().zip(&*self.registers) {
                *window = register.window();
            }
            for out in words {
                let mut word = 0;
                for (window, register) in windows.iter_mut().zip(&*self.registers) {
                    word ^= *window as u64;
                    *window = register.moved(*window);
                }
                spread(word, out);
            }
            for (window, register) in windows.iter().zip(&mut *self.registers) {
                register.state = *window as u64 & ones(register.length);
            }
        }
        for y in last {
            let mut bit = 0;
            for register in &mut *self.registers {
                bit ^= register.shift();
            }
            *y = chip(bit != 0);
        }
    }
}

/// The chips of a word, the lowest bit first.
#[inline(always)]
fn spread<C: Chip>(word: u64, out: &mut [C; 64]) {
    let halves = [word as u32, (word >> 32) as u32];
    for (out, half) in out.as_chunks_mut::<32>().0.iter_mut().zip(halves) {
        for (k, y) in out.iter_mut().enumerate() {
            *y = chip(half & 1 << k != 0);
        }
    }
}

#[inline(always)]
fn chip<C: Chip>(bit: bool) -> C {
    let [zero, one] = C::CHIPS;
    if bit { one } else { zero }
}

/// The polynomial `x^length + .. + 1` out of its other coefficients.
pub(super) const fn polynomial(length: u32, taps: u64) -> u128 {
    1 << length | taps as u128
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::vec::Vec;

    /// The recurrence as it is defined, one bit after the other.
    pub(crate) fn recurrence(polynomial: u128, state: u64, count: usize) -> Vec<u8> {
        let length = polynomial.ilog2() as usize;
        let mut bits: Vec<u8> = (0..length).map(|k| (state >> k & 1) as u8).collect();
        for n in 0..count.saturating_sub(length) {
            let terms = (0..length).filter(|k| polynomial >> k & 1 == 1);
            bits.push(terms.fold(0, |sum, k| sum ^ bits[n + k]));
        }
        bits.truncate(count);
        bits
    }

    #[test]
    fn any_step_leads_where_single_ones_do() {
        for polynomial in [0b111, 0x409, 1 << 64 | 0x1b] {
            let start = Lfsr::new(polynomial, Some(1)).unwrap();
            let mut walked = start;
            for count in 0..if cfg!(miri) { 10 } else { 300 } {
                let mut jumped = start;
                jumped.advance(count);
                assert_eq!(jumped.state, walked.state, "{count} steps of {polynomial:#x}");
                walked.shift();
            }
        }
    }

    #[test]
    fn steps_add_up_however_long() {
        let mut rng = crate::testing::Rng::new(1);
        for _ in 0..if cfg!(miri) { 1 } else { 100 } {
            let (a, b) = (rng.bits() >> 1, rng.bits() >> 1);
            let start = Lfsr::new(1 << 61 | 0x27, Some(rng.bits() >> 3 | 1)).unwrap();
            let [mut twice, mut once] = [start; 2];
            twice.advance(a);
            twice.advance(b);
            once.advance(a + b);
            assert_eq!(twice.state, once.state);
        }
    }
}
