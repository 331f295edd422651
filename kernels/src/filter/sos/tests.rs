//! What conformance does not ask: refusals, states, delays.

use super::config::{NO_SECTIONS, NOT_FINITE, NOT_NORMALISED, NOT_SCALED};
use super::*;
use crate::sample::FixedPoint;
use core::f64::consts::TAU;
use std::vec;
use std::vec::Vec;

type One<X> = Sos<SosConfig<[Section<<X as Sample>::Component>; 1]>, [[X; 4]; 1]>;

/// `b = [1, 2, -1]`, `a = [1, 0.5, 0.25]`: every step is exact.
fn dyadic(level: SimdLevel) -> One<f64> {
    let section = Section::<f64>::new([1.0, 2.0, -1.0, 1.0, 0.5, 0.25]).unwrap();
    Sos::over(SosConfig::with_level([section], level).unwrap(), [[0.0; 4]; 1]).unwrap()
}

/// The state of the transposed direct form: what the next two outputs get from the past.
fn transposed(sos: &One<f64>) -> [f64; 2] {
    let [[s1, s2, x1, x2]] = sos.states;
    let [_, c1, c2, a1, a2] = sos.config.sections[0].factors;
    [a1 * s1 + a2 * s2 + c1 * x1 + c2 * x2, a2 * s1 + c2 * x1]
}

#[test]
fn an_empty_call_leaves_the_state_alone() {
    let x = [1.0, 0.0, -2.0, 4.0, 0.5];
    for level in SimdLevel::available() {
        for (state, first, expected, last) in [
            ([[0.0; 4]], [0.0, 0.0], [1.0, 1.5, -4.0, 1.625, 10.6875], None),
            // What gives the transposed direct form the state 0.75, -0.5.
            (
                [[2.0, -7.0, 0.0, 0.0]],
                [0.75, -0.5],
                [1.75, 0.625, -3.75, 1.71875, 10.578_125],
                Some([-8.71875, -3.144_531_25]),
            ),
        ] {
            let mut sos = dyadic(level);
            sos.states = state;
            assert_eq!(sos.steps(&[], &mut [f64::NAN; 3]), 0);
            assert_eq!(sos.steps(&x, &mut []), 0);
            assert_eq!((sos.states, transposed(&sos)), (state, first));
            let mut y = [f64::NAN; 5];
            assert_eq!(sos.steps(&x, &mut y), 5);
            assert_eq!(y, expected);
            let after = sos.states;
            sos.steps_in_place(&mut []);
            assert_eq!(sos.steps(&[], &mut []), 0);
            assert_eq!(sos.states, after);
            if let Some(last) = last {
                assert_eq!(transposed(&sos), last);
            }
        }
    }
}

#[test]
fn a_block_of_one_reads_one_sample() {
    let buffer = [1.0, f32::INFINITY, f32::NAN, f32::INFINITY];
    for level in SimdLevel::available() {
        for count in [1, 2, 9] {
            // The first section has the pole, the others let everything through.
            let mut sections = vec![Section::<f32>::new([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]).unwrap(); count];
            sections[0] = Section::<f32>::new([1.0, 0.0, 0.0, 1.0, -0.5, 0.0]).unwrap();
            let mut sos = BoxedSos::<f32>::with_level(&sections, level).unwrap();
            let mut y = [f32::NAN; 2];
            assert_eq!(sos.steps(&buffer[..1], &mut y), 1);
            assert_eq!(sos.steps(&[0.0], &mut y[1..]), 1);
            assert_eq!(y, [1.0, 0.5]);
        }
    }
}

#[test]
fn a_bad_sample_stays_until_reset_in_its_part_alone() {
    const N: usize = if cfg!(miri) { 10 } else { 100 };
    let row = [0.5, 0.25, 0.0, 1.0, -0.5, 0.25];
    let sections = vec![Section::<f32>::new(row).unwrap(); 5];
    for level in SimdLevel::available() {
        for bad in [f32::NAN, f32::INFINITY] {
            let mut sos = BoxedSos::<Complex<f32>>::with_level(&sections, level).unwrap();
            let mut io = [Complex::new(1.0, 1.0); N];
            io[N / 2].im = bad;
            sos.steps_in_place(&mut io);
            assert!(io.iter().all(|y| y.re.is_finite()));
            assert!((0..N).all(|n| io[n].im.is_finite() == (n < N / 2)));
            assert!(sos.step(Complex::ONE).im.is_nan());
            sos.reset();
            assert!(sos.step(Complex::ONE).im == 0.0);
        }
    }
}

#[test]
fn sections_must_be_normalised_finite_and_there() {
    let refused = |row| Section::<f32>::new(row).unwrap_err();
    for a0 in [0.0, 2.0, f32::NAN] {
        assert_eq!(refused([1.0, 0.0, 0.0, a0, 0.0, 0.0]), NOT_NORMALISED);
    }
    for bad in [0, 1, 2, 4, 5] {
        for value in [f32::NAN, f32::INFINITY] {
            let mut row = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
            row[bad] = value;
            assert_eq!(refused(row), NOT_FINITE);
        }
    }
    assert_eq!(refused([1e30, 0.0, 0.0, 1.0, 1e30, 0.0]), NOT_FINITE);
    assert_eq!(BoxedSos::<f64>::new(&[]).unwrap_err(), NO_SECTIONS);
    let config = SosConfig::new([Section::<f64>::new([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]).unwrap()]).unwrap();
    assert_eq!(Sos::over(config, [[0.0; 4]; 2]).unwrap_err().argument, "states");
}

#[test]
fn codes_need_a_scale() {
    let of = |a0| Section::<Q15>::new([1, 2, 3, a0, -5, 6].map(Q15));
    for a0 in [i16::MIN, -2, 0, 1, 3, 24576, i16::MAX] {
        assert_eq!(of(a0), Err(NOT_SCALED));
    }
    assert!([2, 4, 8192, 16384].map(of).iter().all(Result::is_ok));
    assert!(Section::<Q31>::new([0, 0, 0, 1 << 30, 0, 0].map(Q31)).is_ok());
}

#[test]
fn full_scale_saturates_and_comes_back() {
    fn gains<Q: Recursive<Component = Q> + FixedPoint>(level: SimdLevel, of: fn(f64) -> Q, row: Section<Q>) {
        let mut sos = BoxedSos::<Q>::with_level(&[row, row], level).unwrap();
        let ends = [-1.0, 1.0, -1.0, 1.0, 0.0].map(of);
        let mut y = ends;
        sos.steps_in_place(&mut y);
        // Times -2 twice, each time within the ends.
        assert_eq!(y, [-1.0, 1.0, -1.0, 1.0, 0.0].map(of));
        let mut small = [of(0.125), of(-0.25)];
        sos.steps_in_place(&mut small);
        assert_eq!(small, [of(0.5), of(-1.0)]);
    }
    for level in SimdLevel::available() {
        let row = [-1.0, 0.0, 0.0, 0.5, 0.0, 0.0];
        gains(level, Q15::from_f64, Section::<Q15>::new(row.map(Q15::from_f64)).unwrap());
        gains(level, Q31::from_f64, Section::<Q31>::new(row.map(Q31::from_f64)).unwrap());
        // Three products of -1 and -1: beyond 64 bits in Q31.
        let most = Section::<Q31>::new([i32::MIN, i32::MIN, i32::MIN, 2, 0, 0].map(Q31)).unwrap();
        let mut y = [Q31(i32::MIN); 3];
        BoxedSos::<Q31>::with_level(&[most], level).unwrap().steps_in_place(&mut y);
        assert_eq!(y, [Q31(i32::MAX); 3]);
    }
}

#[test]
fn the_group_delay_is_the_mean_time_of_the_impulse_response() {
    let rows = [[0.5, 0.25, 0.125, 1.0, -0.5, 0.25], [1.0, -0.5, 0.0, 1.0, 0.25, 0.0]];
    let sections = rows.map(|row| Section::<f64>::new(row).unwrap());
    let mut sos = BoxedSos::<f64>::new(&sections).unwrap();
    let mut response = vec![0.0; 400];
    response[0] = 1.0;
    sos.steps_in_place(&mut response);
    for freq in [0.0, 0.07, 0.31, 0.5, -0.2] {
        let term = |(n, h): (usize, &f64)| {
            let (sin, cos) = (TAU * freq * n as f64).sin_cos();
            Complex::new(h * cos, -h * sin)
        };
        let terms: Vec<_> = response.iter().enumerate().map(term).collect();
        let moment: Complex<f64> = terms.iter().enumerate().map(|(n, term)| term * n as f64).sum();
        let delay = (moment / terms.iter().sum::<Complex<f64>>()).re;
        assert!((sos.config().group_delay(freq) - delay).abs() < 1e-12);
    }
    // A double zero at half the sampling rate lets nothing through there.
    let notch = SosConfig::new([Section::<f64>::new([1.0, 2.0, 1.0, 1.0, 0.0, 0.0]).unwrap()]).unwrap();
    assert!((notch.group_delay(0.1) - 1.0).abs() < 1e-12);
}
