use super::*;
use core::f64::consts::TAU;
use std::vec;
use std::vec::Vec;

fn sections() -> Vec<Allpass<f64>> {
    let first = [0.5, -0.9, 0.0].map(|a1| Allpass::first_order(a1).unwrap());
    let second = [(-1.2, 0.81), (0.3, -0.5), (0.0, 0.0)];
    let second = second.map(|(a1, a2)| Allpass::second_order(a1, a2).unwrap());
    first.into_iter().chain(second).collect()
}

/// The response to an impulse, long enough to decay.
fn response(section: &Allpass<f64>) -> Vec<f64> {
    let mut y = vec![0.0; if cfg!(miri) { 300 } else { 1000 }];
    y[0] = 1.0;
    section.clone().steps_in_place(&mut y);
    y
}

fn phasor(angle: f64) -> Complex<f64> {
    Complex::new(angle.cos(), angle.sin())
}

/// The phasor of the response at `freq`.
fn at(response: &[f64], freq: f64) -> Complex<f64> {
    response.iter().enumerate().map(|(n, y)| phasor(-TAU * freq * n as f64) * y).sum()
}

#[test]
fn every_amplitude_is_left_and_the_delay_is_that_of_the_phase() {
    for section in sections() {
        let response = response(&section);
        for freq in [0.0, 0.01, 0.1, 0.25, 0.3, 0.49] {
            let (below, above) = (at(&response, freq - 1e-5), at(&response, freq + 1e-5));
            assert!((at(&response, freq).norm_sqr() - 1.0).abs() < 1e-12, "{section:?} at {freq}");
            let turn = below * above.conj();
            let delay = turn.im.atan2(turn.re) / (2e-5 * TAU);
            assert!((section.group_delay(freq) / delay - 1.0).abs() < 1e-5, "{section:?} at {freq}");
        }
    }
}

#[test]
fn the_decay_ends_in_silence() {
    let mut section = Allpass::<f64>::second_order(-1.2, 0.5).unwrap();
    let mut y = vec![0.0; 4000];
    y[0] = 1.0;
    section.steps_in_place(&mut y);
    assert!(y.iter().all(|y| *y == 0.0 || y.is_normal()));
    assert_eq!(y[3999], 0.0);
}

#[test]
fn what_is_no_number_stays_until_reset() {
    for mut section in sections() {
        let mut y = [1.0; 30];
        y[3] = f64::NAN;
        section.steps_in_place(&mut y);
        assert!(y[..3].iter().all(|y| y.is_finite()) && y[5..].iter().all(|y| y.is_nan()));
        section.reset();
        assert!(section.step(1.0).is_finite());
    }
}

#[test]
fn sections_that_do_not_decay_are_refused() {
    for a1 in [1.0, -1.0, 2.0, f64::NAN] {
        assert_eq!(Allpass::<f32>::first_order(a1).map(|_| ()).unwrap_err().argument, "a1");
    }
    let refused = |a1, a2| Allpass::<f32>::second_order(a1, a2).map(|_| ()).unwrap_err().argument;
    for a2 in [1.0, -1.0, f64::NAN] {
        assert_eq!(refused(0.0, a2), "a2");
    }
    for (a1, a2) in [(1.5, 0.5), (-1.5, 0.5), (0.5, -0.5), (f64::NAN, 0.0)] {
        assert_eq!(refused(a1, a2), "a1");
    }
}
