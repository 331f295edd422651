//! Philox4x32-10: random numbers as a function of a counter and a key.

/// The 128 random bits of a counter, by ten rounds of multiplications.
///
/// J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, *Parallel random numbers: as easy as 1, 2, 3*,
/// SC '11.
#[inline(always)]
pub(super) fn philox(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    // A loop over counters vectorises in 64 bits, where words that are zero-extended need no shuffles.
    let ([mut a, mut b, mut c, mut d], [mut k, mut l]) = (counter.map(u64::from), key);
    for _ in 0..10 {
        let (p, q) = (a * 0xd251_1f53, c * 0xcd9e_8d57);
        (a, b) = (q >> 32 ^ b ^ u64::from(k), q & 0xffff_ffff);
        (c, d) = (p >> 32 ^ d ^ u64::from(l), p & 0xffff_ffff);
        (k, l) = (k.wrapping_add(0x9e37_79b9), l.wrapping_add(0xbb67_ae85));
    }
    [a as u32, b as u32, c as u32, d as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_known_answers_of_random123() {
        let known = [
            ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([u32::MAX; 4], [u32::MAX; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0],
                [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
            ),
        ];
        for (counter, key, expected) in known {
            assert_eq!(philox(counter, key), expected);
        }
    }
}
