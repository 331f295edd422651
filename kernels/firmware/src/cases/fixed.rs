//! Fixed-point arithmetic.

use super::SCALAR;
use crate::inputs::{q7, q15, q31};
use crate::report::Report;
use crate::shapes::{N, some};
use core::fmt::Result;
use core::hint::black_box;
use passband_kernels::fixed::{add_with, dot_with, mul_with, shift_with, sub_with};

pub(super) fn run(report: &mut Report) -> Result {
    arithmetic(report)?;
    Ok(())
}

fn arithmetic(report: &mut Report) -> Result {
    macro_rules! arithmetic {
        ($($name:literal: $a:expr;)*) => {$(
            let (a, mut b, mut sum) = ($a, $a, 0);
            b.reverse();
            let name = concat!("fixed.add ", $name);
            report.function(name, N, |out| add_with(SCALAR, some(&a), some(&b), out))?;
            let name = concat!("fixed.sub ", $name);
            report.function(name, N, |out| sub_with(SCALAR, some(&a), some(&b), out))?;
            let name = concat!("fixed.mul ", $name);
            report.function(name, N, |out| mul_with(SCALAR, some(&a), some(&b), out))?;
            let name = concat!("fixed.shift ", $name);
            report.function(name, N, |out| shift_with(SCALAR, some(&a), black_box(1), out))?;
            report.case(concat!("fixed.dot ", $name), N, || sum = dot_with(SCALAR, some(&a), some(&b)))?;
            report.numbers([(sum >> 32) as f64, f64::from(sum as u32)])?;
        )*};
    }
    arithmetic! { "q7": q7(); "q15": q15(); "q31": q31(); }
    Ok(())
}
