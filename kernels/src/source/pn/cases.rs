use super::{Pn, primitive_polynomial};
use crate::source::pn::Chip;
use crate::testing::{About, Case, generator};
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    std::vec![case::<u8>(2), case::<u8>(10), case::<i8>(23), case::<f32>(37), case::<u8>(64)]
}

fn case<C: Chip>(length: u32) -> Case {
    let polynomial = primitive_polynomial(length).expect("2 to 64");
    let about = About {
        family: "source",
        kernel: "Pn",
        summary: "maximal-length sequence of a shift register of length 2 to 64",
        variant: std::format!("{}, length {length}", C::NAME),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: f64::from(length) * 1.5 / 64.0 + 2.0,
        bytes: size_of::<C>() as f64,
        benched: true,
    };
    let make = move |level| Pn::<C>::with_level(polynomial, None, level).expect("a primitive polynomial");
    // The recurrence over the outputs themselves, as differences of indices.
    let reference = move |n: usize| {
        let length = length as usize;
        let mut bits = std::vec![1usize; length];
        for n in 0..n {
            let terms = (0..length).filter(|k| polynomial >> k & 1 == 1);
            bits.push(terms.map(|k| bits[n + k]).sum::<usize>() % 2);
        }
        bits.truncate(n);
        bits.iter().flat_map(|bit| C::CHIPS[*bit].parts()[..C::COMPONENTS].to_vec()).collect()
    };
    generator(about, make, reference)
}
