use super::*;
use crate::source::lfsr::tests::recurrence;
use std::vec;
use std::vec::Vec;

const LENGTHS: [u32; 11] = [5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18];

fn code(length: u32, shift: u64) -> Vec<i32> {
    let mut out = vec![0i8; (1 << length) - 1];
    Gold::new(length, shift).unwrap().generate(&mut out);
    out.into_iter().map(i32::from).collect()
}

#[test]
fn codes_of_satellites_begin_as_published() {
    // IS-GPS-200, table 3-Ia: the delays of the codes, and their first ten chips in octal digits.
    let delays = [
        5, 6, 7, 8, 17, 18, 139, 140, 141, 251, 252, 254, 255, 256, 257, 258, 469, 470, 471, 472, 473, 474,
        509, 512, 513, 514, 515, 516, 859, 860, 861, 862,
    ];
    let published = "1440 1620 1710 1744 1133 1455 1131 1454 1626 1504 1642 1750 1764 1772 1775 1776 1156 \
        1467 1633 1715 1746 1763 1063 1706 1743 1761 1770 1774 1127 1453 1625 1712";
    for (shift, chips) in delays.into_iter().zip(published.split_whitespace()) {
        let mut bits = [0u8; 10];
        Gold::new(10, shift).unwrap().generate(&mut bits);
        let octal = bits.iter().fold(0, |octal, bit| octal << 1 | u32::from(*bit));
        assert_eq!(std::format!("{octal:o}"), chips, "shift {shift}");
    }
}

#[test]
fn correlations_take_three_values() {
    for length in LENGTHS.into_iter().take_while(|length| *length <= if cfg!(miri) { 5 } else { 11 }) {
        let excess = 1 << (length / 2 + 1);
        let allowed = [-1, -1 - excess, -1 + excess];
        let (a, b) = (code(length, 0), code(length, 3));
        let twice = [&b[..], &b[..]].concat();
        for lag in 0..a.len() {
            let sum: i32 = a.iter().zip(&twice[lag..]).map(|(a, b)| a * b).sum();
            assert!(allowed.contains(&sum), "length {length}, lag {lag}: {sum}");
        }
    }
}

/// R. Gold's theorem: such decimations are preferred pairs.
#[test]
#[cfg_attr(miri, ignore = "arithmetic only, and much of it")]
fn second_sequences_are_first_ones_decimated() {
    for length in LENGTHS.into_iter().filter(|length| *length != 10) {
        let (first, by) = (primitive_polynomial(length).unwrap(), if length % 2 == 1 { 3 } else { 5 });
        let all = recurrence(first, 1, by * 200);
        let decimated: Vec<u8> = all.iter().step_by(by).copied().collect();
        let state = (0..length).fold(0, |state, k| state | u64::from(decimated[k as usize]) << k);
        let second = polynomial(length, second(length).unwrap());
        assert_eq!(recurrence(second, state, 200), decimated, "length {length}");
    }
}

#[test]
fn a_jump_leads_where_outputs_do_until_a_reset() {
    let mut gold = Gold::<u8>::new(18, 12345).unwrap();
    let mut whole = [0; 1000];
    gold.generate(&mut whole);
    gold.advance((1 << 18) - 1 - 1000 + 333);
    let mut out = [0; 100];
    gold.generate(&mut out);
    assert_eq!(out, whole[333..433]);
    gold.reset();
    gold.generate(&mut out);
    assert_eq!(out, whole[..100]);
}

#[test]
fn lengths_without_a_pair_and_shifts_beyond_the_period_are_refused() {
    let refused = |length, shift| Gold::<u8>::new(length, shift).map(|_| ()).unwrap_err().argument;
    for length in [0, 4, 8, 12, 16, 19, 64, u32::MAX] {
        assert_eq!(refused(length, 0), "length");
    }
    assert_eq!(refused(10, 1023), "shift");
    assert_eq!(refused(5, u64::MAX), "shift");
    assert!(Gold::<u8>::new(5, 30).is_ok());
}
