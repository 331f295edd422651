use super::*;
use std::vec::Vec;

const GAINS: PidConfig = PidConfig { kp: 0.8, ki: 0.05, ..PidConfig::NEW };

/// The levels of a leaky tank that a controller fills to `to`, with the controller's outputs.
fn filled(config: PidConfig, to: f64, n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut pid = Pid::<f64>::new(config).unwrap();
    let mut level = 0.0;
    let step = |_| {
        let flow = pid.step(to - level);
        level += 0.1 * (flow - level);
        (level, flow)
    };
    (0..n).map(step).unzip()
}

#[test]
fn the_sum_takes_the_error_away() {
    let (levels, _) = filled(GAINS, 2.0, 2000);
    assert!((levels[1999] - 2.0).abs() < 1e-6);
    let (levels, _) = filled(PidConfig { ki: 0.0, ..GAINS }, 2.0, 2000);
    assert!((levels[1999] - 2.0 * 0.8 / 1.8).abs() < 1e-6);
}

#[test]
fn a_limit_is_left_as_soon_as_the_error_turns() {
    let limits = PidConfig { low: -1.0, high: 1.0, ..GAINS };
    let mut pid = Pid::<f64>::new(limits).unwrap();
    assert!((0..10_000).all(|_| pid.step(5.0) == 1.0));
    // Without the hold the sum would be at 2500.
    assert!(pid.step(-0.1) < 0.0);
    let mut pid = Pid::<f64>::new(limits).unwrap();
    assert!((0..10_000).all(|_| pid.step(-5.0) == -1.0));
    assert!(pid.step(0.1) > 0.0);
}

#[test]
fn a_filtered_derivative_spreads_a_step_over_its_time() {
    let config = PidConfig { kd: 6.0, derivative_time: 2.0, ..PidConfig::NEW };
    let mut pid = Pid::<f64>::new(config).unwrap();
    let kicks: Vec<f64> = (0..2000).map(|_| pid.step(1.0)).collect();
    assert!((kicks[0] - 2.0).abs() < 1e-15 && (kicks[1] - 4.0 / 3.0).abs() < 1e-15);
    assert!((kicks.iter().sum::<f64>() - 6.0).abs() < 1e-12);
    assert_eq!(kicks[1999], 0.0);
    assert!(kicks.iter().all(|kick| *kick == 0.0 || kick.is_normal()));
}

#[test]
fn what_is_no_number_leaves_the_state() {
    let config = PidConfig { kd: 1.0, derivative_time: 1.0, low: -3.0, high: 3.0, ..GAINS };
    let mut clean = Pid::<f32>::new(config).unwrap();
    clean.step(1.0);
    let mut spoilt = clean.clone();
    assert!(spoilt.step(f32::NAN).is_nan());
    assert_eq!(spoilt.step(f32::INFINITY), 3.0);
    assert_eq!(spoilt.step(f32::NEG_INFINITY), -3.0);
    assert_eq!(spoilt.step(0.5), clean.step(0.5));
}

#[test]
fn arguments_that_make_no_sense_are_named() {
    let refused = |config| Pid::<f32>::new(config).map(|_| ()).unwrap_err().argument;
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!(refused(PidConfig { kp: bad, ..GAINS }), "kp");
        assert_eq!(refused(PidConfig { ki: bad, ..GAINS }), "ki");
        assert_eq!(refused(PidConfig { kd: bad, ..GAINS }), "kd");
        assert_eq!(refused(PidConfig { derivative_time: bad, ..GAINS }), "derivative_time");
    }
    assert_eq!(refused(PidConfig { derivative_time: -1.0, ..GAINS }), "derivative_time");
    assert_eq!(refused(PidConfig { low: f64::NAN, ..GAINS }), "low");
    assert_eq!(refused(PidConfig { high: f64::NAN, ..GAINS }), "high");
    assert_eq!(refused(PidConfig { low: 1.0, high: 0.5, ..GAINS }), "high");
}
