use super::{Gold, second};
use crate::source::pn::Chip;
use crate::source::pn::primitive_polynomial;
use crate::testing::{About, Case, generator};
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    std::vec![case::<u8>(10, 5), case::<i8>(5, 30), case::<f32>(11, 1000)]
}

fn case<C: Chip>(length: u32, shift: u64) -> Case {
    let about = About {
        family: "source",
        kernel: "Gold",
        summary: "Gold code of a preferred pair; C/A codes of GPS",
        variant: std::format!("{}, length {length}", C::NAME),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: f64::from(length) * 3.0 / 64.0 + 2.0,
        bytes: size_of::<C>() as f64,
        benched: true,
    };
    let make = move |level| Gold::<C>::with_level(length, shift, level).expect("a code");
    // Both sequences over a period, as they are defined.
    let reference = move |n: usize| {
        let period = (1usize << length) - 1;
        let sequence = |taps: u64| {
            let mut bits = std::vec![1usize; length as usize];
            for n in 0..period {
                let terms = (0..length as usize).filter(|k| taps >> k & 1 == 1);
                bits.push(terms.map(|k| bits[n + k]).sum::<usize>() % 2);
            }
            bits
        };
        let first = primitive_polynomial(length).expect("a length") as u64;
        let (u, v) = (sequence(first), sequence(second(length).expect("a length")));
        let late = period - shift as usize;
        let bit = |n: usize| (u[n % period] + v[(n + late) % period]) % 2;
        (0..n).flat_map(|n| C::CHIPS[bit(n)].parts()[..C::COMPONENTS].to_vec()).collect()
    };
    generator(about, make, reference)
}
