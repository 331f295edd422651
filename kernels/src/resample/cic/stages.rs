//! The integrators and combs of one component.

use crate::sample::{FixedPoint, Q15, Q31};

/// The most stages of each kind.
pub(super) const MOST: usize = 8;

/// A fixed-point type as an integer of 64 bits.
pub trait Code: FixedPoint {
    /// The code.
    #[must_use]
    fn code(self) -> i64;
    /// The nearest code.
    #[must_use]
    fn saturated(code: i64) -> Self;
}

macro_rules! codes {
    ($($q:ident($code:ty);)*) => {$(
        impl Code for $q {
            fn code(self) -> i64 {
                self.0.into()
            }
            fn saturated(code: i64) -> Self {
                Self(code.clamp(<$code>::MIN.into(), <$code>::MAX.into()) as $code)
            }
        }
    )*};
}

codes! {
    Q15(i16);
    Q31(i32);
}

/// A sum over the gain, rounded half up once.
pub(super) fn normalised<T: Code>(sum: i64, gain: i64) -> T {
    let gain = gain.max(1);
    T::saturated((sum.wrapping_add(gain / 2)).div_euclid(gain))
}

/// Sums wrap: differences of them are right all the same, as long as the result fits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stages {
    sums: [i64; MOST],
    /// What each comb was given last, and before that.
    past: [[i64; 2]; MOST],
    /// What a comb has for the integrators.
    fed: i64,
}

impl Stages {
    /// All that a state of so many stages and so much delay has.
    pub(super) fn values(&self, order: usize, delay: usize) -> impl Iterator<Item = &i64> {
        let past = self.past.iter().take(order).flat_map(move |past| past.iter().take(delay));
        self.sums.iter().take(order).chain(past)
    }

    /// The same, to be overwritten.
    pub(super) fn values_mut(&mut self, order: usize, delay: usize) -> impl Iterator<Item = &mut i64> {
        let past = self.past.iter_mut().take(order).flat_map(move |past| past.iter_mut().take(delay));
        self.sums.iter_mut().take(order).chain(past)
    }

    /// Takes inputs into the integrators, in a loop without a loop over stages in it.
    pub(super) fn integrate(&mut self, order: usize, codes: impl Iterator<Item = i64>) {
        match order {
            1 => self.integrate_in::<1>(codes),
            2 => self.integrate_in::<2>(codes),
            3 => self.integrate_in::<3>(codes),
            4 => self.integrate_in::<4>(codes),
            5 => self.integrate_in::<5>(codes),
            6 => self.integrate_in::<6>(codes),
            7 => self.integrate_in::<7>(codes),
            _ => self.integrate_in::<MOST>(codes),
        }
    }

    #[inline(always)]
    fn integrate_in<const N: usize>(&mut self, codes: impl Iterator<Item = i64>) {
        if let Some(stored) = self.sums.first_chunk_mut::<N>() {
            let mut sums = *stored;
            for code in codes {
                let mut carry = code;
                for sum in &mut sums {
                    *sum = sum.wrapping_add(carry);
                    carry = *sum;
                }
            }
            *stored = sums;
        }
    }

    /// What the combs make of the last integrator.
    pub(super) fn comb(&mut self, delay: usize, order: usize) -> i64 {
        let sum = self.sums.iter().take(order).next_back().copied().unwrap_or_default();
        self.differences(delay, order, sum)
    }

    /// Takes an input into the combs.
    pub(super) fn feed(&mut self, delay: usize, order: usize, code: i64) {
        self.fed = self.differences(delay, order, code);
    }

    /// The last integrator a tick later.
    pub(super) fn tick(&mut self, order: usize) -> i64 {
        let mut carry = core::mem::take(&mut self.fed);
        for sum in self.sums.iter_mut().take(order) {
            *sum = sum.wrapping_add(carry);
            carry = *sum;
        }
        carry
    }

    fn differences(&mut self, delay: usize, order: usize, mut value: i64) -> i64 {
        for past in self.past.iter_mut().take(order) {
            let [last, before] = *past;
            *past = [value, last];
            value = value.wrapping_sub(if delay == 1 { last } else { before });
        }
        value
    }
}
