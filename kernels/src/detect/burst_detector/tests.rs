use super::*;
use crate::state::{StateError, forged};
use std::vec;
use std::vec::Vec;

fn detector(on: f32, off: f32, hang: u64, min_length: u64) -> BurstDetector<f32> {
    BurstDetector::with_level(on, off, hang, min_length, SimdLevel::SCALAR).unwrap()
}

/// The bounds of all bursts in a stream of powers.
fn bounds(mut detector: BurstDetector<f32>, powers: &[f32]) -> Vec<(i64, i64)> {
    let x: Vec<f32> = powers.iter().map(|p| p.sqrt()).collect();
    let mut out = vec![Burst::default(); detector.max_out(x.len()) + 1];
    let Progress { consumed, mut produced } = detector.detect(&x, &mut out);
    assert_eq!(consumed, x.len());
    produced += detector.flush(&mut out[produced..]).produced;
    out[..produced].iter().map(|burst| (burst.start, burst.stop)).collect()
}

#[test]
fn a_burst_opens_at_on_and_ends_before_its_hang() {
    let powers = [0.25, 1.0, 0.25, 0.0, 0.0, 0.25, 0.0, 0.0, 0.0, 1.0];
    assert_eq!(bounds(detector(1.0, 0.25, 0, 1), &powers), [(1, 3), (9, 10)]);
    assert_eq!(bounds(detector(1.0, 0.25, 1, 1), &powers), [(1, 3), (9, 10)]);
    assert_eq!(bounds(detector(1.0, 0.25, 2, 1), &powers), [(1, 6), (9, 10)]);
    assert_eq!(bounds(detector(1.0, 0.25, 3, 1), &powers), [(1, 10)]);
    assert_eq!(bounds(detector(1.0, 0.25, u64::MAX, 1), &powers), [(1, 10)]);
}

#[test]
fn bursts_at_both_ends_of_the_stream_and_whole_streams_are_found() {
    assert_eq!(bounds(detector(1.0, 1.0, 0, 1), &[1.0, 0.0, 1.0]), [(0, 1), (2, 3)]);
    assert_eq!(bounds(detector(1.0, 1.0, 5, 1), &[1.0; 100]), [(0, 100)]);
    assert_eq!(bounds(detector(1.0, 1.0, 5, 1), &[]), []);
}

#[test]
fn shorter_bursts_than_min_length_are_dropped_without_their_hang() {
    let powers = [1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0];
    assert_eq!(bounds(detector(1.0, 1.0, 1, 3), &powers), [(5, 8)]);
    assert_eq!(bounds(detector(1.0, 1.0, 1, 4), &powers), []);
}

#[test]
fn peak_and_mean_are_those_of_the_record_and_gaps_within_it_count() {
    let mut detector = detector(1.0, 1.0, 2, 1);
    let mut out = [Burst::default()];
    let progress = detector.detect(&[2.0, 0.5, 0.5, 1.0, 0.9, 0.9, 0.9], &mut out);
    assert_eq!(progress, Progress { consumed: 7, produced: 1 });
    assert_eq!(out, [Burst { start: 0, stop: 4, peak: 4.0, mean_power: 1.375 }]);
}

#[test]
fn nan_is_below_and_infinity_above_every_threshold() {
    let nan = f32::NAN;
    assert_eq!(bounds(detector(1.0, 1.0, 0, 1), &[nan, 1.0, nan, 1.0]), [(1, 2), (3, 4)]);
    let mut detector = detector(1.0, 1.0, 1, 1);
    let mut out = [Burst::default(); 2];
    let x = [1.0, nan, 2.0, 0.0, 0.0, f32::INFINITY, 1.0, 0.0, 0.0];
    assert_eq!(detector.detect(&x, &mut out).produced, 2);
    assert!(out[0].mean_power.is_nan() && out[0].peak == 4.0);
    assert_eq!((out[1].mean_power, out[1].peak), (f32::INFINITY, f32::INFINITY));
}

#[test]
fn a_record_without_room_comes_first_in_the_next_call_even_without_input() {
    let mut detector = detector(1.0, 1.0, 0, 1);
    let x = [1.0, 0.0, 0.0, 1.0, 0.0, 1.0];
    assert_eq!(detector.detect(&x, &mut []), Progress { consumed: 2, produced: 0 });
    assert_eq!((detector.max_out(0), detector.max_flush()), (1, 1));
    assert_eq!(detector.detect(&x[2..], &mut []), Progress::default());
    let mut out = [Burst::default()];
    assert_eq!(detector.detect(&[], &mut out), Progress { consumed: 0, produced: 1 });
    assert_eq!((out[0].start, out[0].stop), (0, 1));
    assert_eq!(detector.detect(&x[2..], &mut out), Progress { consumed: 4, produced: 1 });
    assert_eq!((out[0].start, out[0].stop), (3, 4));
    assert_eq!(detector.flush(&mut []).produced, 0);
    assert_eq!(detector.flush(&mut out).produced, 1);
    assert_eq!((out[0].start, out[0].stop), (5, 6));
    assert_eq!((detector.flush(&mut out).produced, detector.max_flush()), (0, 0));
}

#[test]
fn max_out_is_reached_by_the_densest_stream_and_by_no_denser_one() {
    for (hang, min_length) in [(0, 1), (0, 3), (2, 1), (2, 3)] {
        // From every state that a few samples lead to, over every continuation.
        for start in (0..1 << 6).step_by(if cfg!(miri) { 21 } else { 1 }) {
            for n in 0..=if cfg!(miri) { 3 } else { 8 } {
                let reached = (0..1 << n).map(|rest| records(hang, min_length, start, rest, n)).max();
                let mut state = detector(1.0, 1.0, hang, min_length);
                let _ = state.detect(&bits(start, 6), &mut [Burst::default(); 8]);
                assert_eq!(reached, Some(state.max_out(n)), "{start:b} hang {hang} min {min_length} n {n}");
            }
        }
    }
}

fn bits(pattern: u32, n: usize) -> Vec<f32> {
    (0..n).map(|bit| (pattern >> bit & 1) as f32).collect()
}

/// The records of the second call.
fn records(hang: u64, min_length: u64, start: u32, rest: u32, n: usize) -> usize {
    let mut detector = detector(1.0, 1.0, hang, min_length);
    let mut out = [Burst::default(); 8];
    let _ = detector.detect(&bits(start, 6), &mut out);
    detector.detect(&bits(rest, n), &mut out).produced
}

#[test]
fn impossible_states_are_refused() {
    const QUIET: u64 = 0;
    const OPEN: u64 = 1;
    const OWED: u64 = 2;
    let mut detector = detector(1.0, 1.0, 2, 3);
    let mut load = |index: u64, phase: u64, start: u64, stop: u64, peak: f32, sum: f32| {
        let mut payload = vec![0; detector.payload_len() / 8];
        payload[..5].copy_from_slice(&[index, phase, start, stop, peak.to_bits().into()]);
        payload[5] = sum.to_bits().into();
        forged::load(&mut detector, &payload)
    };
    let refused = Err(StateError::Payload);
    assert_eq!(load(9, QUIET, 0, 0, 0.0, 0.0), Ok(()));
    assert_eq!(load(9, QUIET, 0, 0, 0.0, 3.0), refused, "power of no burst");
    assert_eq!(load(u64::MAX, QUIET, 0, 0, 0.0, 0.0), refused);
    assert_eq!(load(9, 3, 5, 8, 1.0, 3.0), refused);

    assert_eq!(load(9, OPEN, 5, 8, 1.0, 3.0), Ok(()));
    assert_eq!(load(9, OPEN, 8, 8, 1.0, 3.0), refused, "empty");
    assert_eq!(load(7, OPEN, 5, 8, 1.0, 3.0), refused, "ends in the future");
    assert_eq!(load(11, OPEN, 5, 8, 1.0, 3.0), refused, "has ended");
    assert_eq!(load(9, OPEN, 5, 8, 0.5, 3.0), refused, "never reached `on`");
    assert_eq!(load(9, OPEN, 5, 8, 1.0, -3.0), refused, "a negative power");

    assert_eq!(load(11, OWED, 5, 8, 1.0, 0.0), Ok(()));
    assert_eq!(load(10, OWED, 5, 8, 1.0, 0.0), refused, "has not ended");
    assert_eq!(load(11, OWED, 6, 8, 1.0, 0.0), refused, "too short");
}

#[test]
fn thresholds_that_make_no_sense_are_refused() {
    let refused = |on, off, min_length| {
        BurstDetector::<f32>::new(on, off, 0, min_length).map(|_| ()).map_err(|error| error.argument)
    };
    for on in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(refused(on, 0.5, 1), Err("on"));
    }
    for off in [0.0, -1.0, f32::NAN, 1.5] {
        assert_eq!(refused(1.0, off, 1), Err("off"));
    }
    assert_eq!(refused(1.0, 1.0, 0), Err("min_length"));
    assert_eq!(refused(1.0, 1.0, 1), Ok(()));
}

#[test]
fn records_have_no_padding_and_their_fields_stand_where_they_say() {
    let size = |field: &Field| if field.format == "i8" { 8 } else { 4 };
    let end = Burst::FIELDS.iter().fold(0, |end, field| {
        assert_eq!(field.offset, end);
        end + size(field)
    });
    assert_eq!(end, size_of::<Burst>());
}
