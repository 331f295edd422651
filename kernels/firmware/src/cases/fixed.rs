//! Fixed-point arithmetic.

use super::{N, SCALAR, some, some_mut};
use crate::report::Report;
use core::fmt::{Result, Write};
use core::hint::black_box;
use passband_kernels::convert::{Fraction, to_fixed_with};
use passband_kernels::fixed::{Arithmetic, add_with, dot_with, mul_with, shift_with, sub_with};
use passband_kernels::sample::{Q15, Q31};

pub(super) fn run(report: &mut Report<impl Write, impl FnMut() -> u32>, real: &[f32; N]) -> Result {
    let x = real.map(|x| x / 32768.0);
    functions::<Q15>(report, &x, ["to_q15", "shift_q15", "add_q15", "sub_q15", "mul_q15", "dot_q15"])?;
    functions::<Q31>(report, &x, ["to_q31", "shift_q31", "add_q31", "sub_q31", "mul_q31", "dot_q31"])
}

fn functions<Q: Arithmetic + Fraction<f32>>(
    report: &mut Report<impl Write, impl FnMut() -> u32>,
    x: &[f32; N],
    [convert, shift, add, sub, mul, dot]: [&str; 6],
) -> Result {
    let (mut a, mut b, mut out, mut sum) = ([Q::ZERO; N], [Q::ZERO; N], [Q::ZERO; N], 0);
    report.case(convert, N, || {
        to_fixed_with(SCALAR, some(x), some_mut(&mut a));
    })?;
    report.integers(codes(&a))?;
    report.case(shift, N, || {
        shift_with(SCALAR, some(&a), black_box(1), some_mut(&mut b));
    })?;
    report.integers(codes(&b))?;
    report.case(add, N, || {
        add_with(SCALAR, some(&a), some(&b), some_mut(&mut out));
    })?;
    report.integers(codes(&out))?;
    report.case(sub, N, || {
        sub_with(SCALAR, some(&a), some(&b), some_mut(&mut out));
    })?;
    report.integers(codes(&out))?;
    report.case(mul, N, || {
        mul_with(SCALAR, some(&a), some(&b), some_mut(&mut out));
    })?;
    report.integers(codes(&out))?;
    report.case(dot, N, || sum = dot_with(SCALAR, some(&a), some(&b)))?;
    report.integers([(sum >> 32) as i32, sum as i32])
}

fn codes<Q: Arithmetic>(x: &[Q]) -> impl Iterator<Item = i32> {
    x.iter().map(|code| code.parts()[0] as i32)
}
