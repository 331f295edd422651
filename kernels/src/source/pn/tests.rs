use super::*;
use crate::source::lfsr::tests::recurrence;
use std::vec;
use std::vec::Vec;

fn bits(length: u32, count: usize) -> Vec<u8> {
    let mut out = vec![2; count];
    Pn::new(primitive_polynomial(length).unwrap(), None).unwrap().generate(&mut out);
    out
}

/// The prime factors of `2^n - 1`.
fn prime_factors(n: u32) -> Vec<u64> {
    if n.is_multiple_of(2) {
        let mut factors = prime_factors(n / 2);
        factors.extend(divided((1 << (n / 2)) + 1, 2));
        return factors;
    }
    let prime = (3..n).step_by(2).all(|d| !n.is_multiple_of(d));
    // All factors of such a number are 1 modulo twice its exponent.
    divided(u64::MAX >> (64 - n), if prime { 2 * u64::from(n) } else { 2 })
}

/// The prime factors of an odd number that are 1 modulo `step`.
fn divided(mut number: u64, step: u64) -> Vec<u64> {
    let (mut factors, mut divisor) = (vec![], 1 + step);
    while divisor * divisor <= number {
        while number.is_multiple_of(divisor) {
            number /= divisor;
            factors.push(divisor);
        }
        divisor += step;
    }
    factors.extend((number > 1).then_some(number));
    factors
}

#[test]
#[cfg_attr(miri, ignore = "takes millions of divisions")]
fn every_polynomial_of_the_table_is_primitive() {
    for length in 2..=64 {
        let period = u64::MAX >> (64 - length);
        let factors = prime_factors(length);
        let left = factors.iter().fold(period, |left, factor| {
            assert!(left.is_multiple_of(*factor), "{factor} of 2^{length} - 1");
            left / factor
        });
        assert_eq!(left, 1, "2^{length} - 1 is the product of {factors:?}");
        let polynomial = primitive_polynomial(length).unwrap();
        assert_eq!(polynomial.ilog2(), length);
        let start = Lfsr::new(polynomial, None).unwrap();
        let returns = |count: u64| {
            let mut register = start;
            register.advance(count);
            let [mut a, mut b] = [[0u8; 64]; 2];
            let level = SimdLevel::SCALAR;
            level.run(Sum { registers: &mut [register], out: &mut a });
            level.run(Sum { registers: &mut [start.starting_here()], out: &mut b });
            a == b
        };
        assert!(returns(period), "length {length}: not a period");
        for factor in factors {
            assert!(!returns(period / factor), "length {length}: a shorter period");
        }
    }
}

#[test]
fn one_period_has_each_state_once() {
    for length in 2..=if cfg!(miri) { 5 } else { 16 } {
        let period = (1 << length) - 1;
        let twice = bits(length, 2 * period);
        assert_eq!(twice[..period], twice[period..]);
        let (mut seen, mask) = (vec![false; period + 1], period);
        let mut state = 0;
        for (n, bit) in twice[..period + length as usize - 1].iter().enumerate() {
            state = state << 1 & mask | usize::from(*bit);
            if n + 1 >= length as usize {
                assert!(!seen[state], "length {length}: a state twice");
                seen[state] = true;
            }
        }
        assert!(!seen[0] && seen[1..].iter().all(|seen| *seen));
    }
}

#[test]
fn words_are_the_recurrence_at_every_length_and_level() {
    for length in (2..=64).step_by(if cfg!(miri) { 31 } else { 1 }) {
        let polynomial = primitive_polynomial(length).unwrap();
        let state = 0x9e37_79b9_7f4a_7c15 >> (64 - length);
        for level in SimdLevel::available() {
            let mut out = [0; 300];
            Pn::with_level(polynomial, Some(state), level).unwrap().generate(&mut out);
            assert_eq!(out[..], recurrence(polynomial, state, 300), "length {length} at {level}");
        }
    }
}

#[test]
fn chips_are_one_for_zero_and_minus_one_for_one() {
    fn chips<C: Chip>() -> [C; 70] {
        let mut out = [C::ZERO; 70];
        Pn::new(primitive_polynomial(7).unwrap(), None).unwrap().generate(&mut out);
        out
    }
    let (bits, signs, floats) = (chips::<u8>(), chips::<i8>(), chips::<f32>());
    for ((bit, sign), float) in bits.into_iter().zip(signs).zip(floats) {
        assert_eq!((sign, float), (1 - 2 * bit.cast_signed(), f32::from(sign)));
    }
}

#[test]
fn a_jump_leads_where_outputs_do_until_a_reset() {
    let whole = bits(29, 1000);
    let mut pn = Pn::<u8>::new(primitive_polynomial(29).unwrap(), None).unwrap();
    let mut out = [0; 100];
    pn.advance(817);
    pn.generate(&mut out);
    assert_eq!(out, whole[817..917]);
    pn.advance((1 << 29) - 1 - 917);
    pn.generate(&mut out);
    assert_eq!(out, whole[..100], "a period on");
    pn.reset();
    pn.generate(&mut out);
    assert_eq!(out, whole[..100]);
}

#[test]
fn what_is_no_register_is_refused() {
    let refused = |polynomial, state| Pn::<u8>::new(polynomial, state).map(|_| ()).unwrap_err().argument;
    for polynomial in [0, 1, 2, 3, 0b110, 1 << 65 | 1, u128::MAX] {
        assert_eq!(refused(polynomial, None), "polynomial");
    }
    for state in [0, 8, u64::MAX] {
        assert_eq!(refused(0b1011, Some(state)), "state");
    }
    for length in [0, 1, 65, u32::MAX] {
        assert_eq!(primitive_polynomial(length).unwrap_err().argument, "length");
    }
}
