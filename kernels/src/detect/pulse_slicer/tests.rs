use super::*;
use crate::state::{StateError, forged};
use std::vec;
use std::vec::Vec;

fn slicer(min_length: u64) -> PulseSlicer<f32> {
    PulseSlicer::with_level(0.6, 0.4, min_length, SimdLevel::SCALAR).unwrap()
}

/// All records of a stream.
fn pulses(min_length: u64, x: &[f32]) -> Vec<(i64, i64, i64)> {
    let mut slicer = slicer(min_length);
    let mut out = vec![Pulse::default(); slicer.max_out(x.len()) + 1];
    let Progress { consumed, mut produced } = slicer.detect(x, &mut out);
    assert_eq!(consumed, x.len());
    produced += slicer.flush(&mut out[produced..]).produced;
    out[..produced].iter().map(|pulse| (pulse.start, pulse.width, pulse.gap)).collect()
}

#[test]
fn between_the_thresholds_the_stream_stays_as_it_is() {
    let x = [0.5, 0.6, 0.5, 0.4, 0.39, 0.5, 0.59, 0.6, 0.3];
    assert_eq!(pulses(1, &x), [(1, 3, 1), (7, 1, 3)]);
}

#[test]
fn short_pulses_count_as_low_in_the_gap_of_the_next() {
    let x = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0];
    assert_eq!(pulses(1, &x), [(0, 1, 0), (2, 2, 1), (5, 1, 1), (8, 3, 2)]);
    assert_eq!(pulses(2, &x), [(2, 2, 2), (8, 3, 4)]);
    assert_eq!(pulses(3, &x), [(8, 3, 8)]);
    assert_eq!(pulses(4, &x), []);
}

#[test]
fn nan_leaves_the_stream_as_it_was() {
    let nan = f32::NAN;
    assert_eq!(pulses(1, &[nan, 0.0, 1.0, nan, 1.0, 0.0, nan, 1.0]), [(2, 3, 2), (7, 1, 2)]);
    assert_eq!(pulses(1, &[f32::INFINITY, nan, f32::NEG_INFINITY]), [(0, 2, 0)]);
}

#[test]
fn a_record_without_room_comes_first_in_the_next_call() {
    let mut slicer = slicer(1);
    let x = [1.0, 0.0, 0.0, 1.0, 0.0, 1.0];
    assert_eq!(slicer.detect(&x, &mut []), Progress { consumed: 2, produced: 0 });
    assert_eq!((slicer.max_out(0), slicer.max_flush()), (1, 1));
    assert_eq!(slicer.detect(&x[2..], &mut []), Progress::default());
    let mut out = [Pulse::default()];
    assert_eq!(slicer.detect(&[], &mut out), Progress { consumed: 0, produced: 1 });
    assert_eq!(slicer.detect(&x[2..], &mut out), Progress { consumed: 4, produced: 1 });
    assert_eq!(out, [Pulse { start: 3, width: 1, gap: 2 }]);
    assert_eq!(slicer.flush(&mut []).produced, 0);
    assert_eq!(slicer.flush(&mut out).produced, 1);
    assert_eq!(out, [Pulse { start: 5, width: 1, gap: 1 }]);
    assert_eq!(slicer.max_flush(), 0);
}

#[test]
fn max_out_is_reached_by_the_densest_stream_and_by_no_denser_one() {
    let bits = |pattern: u32, n: usize| (0..n).map(|bit| (pattern >> bit & 1) as f32).collect::<Vec<_>>();
    for min_length in [1, 2, 3] {
        // From every state that a few samples lead to, over every continuation.
        for start in (0..1 << 5).step_by(if cfg!(miri) { 11 } else { 1 }) {
            for n in 0..=if cfg!(miri) { 4 } else { 8 } {
                let mut state = slicer(min_length);
                let _ = state.detect(&bits(start, 5), &mut [Pulse::default(); 8]);
                let records = |rest| {
                    let mut out = [Pulse::default(); 8];
                    state.clone().detect(&bits(rest, n), &mut out).produced
                };
                let reached = (0..1 << n).map(records).max();
                assert_eq!(reached, Some(state.max_out(n)), "{start:b}, min_length {min_length}, n {n}");
            }
        }
    }
}

#[test]
fn impossible_states_are_refused() {
    let mut slicer = slicer(3);
    let mut load = |index, end, tag, start, gap| forged::load(&mut slicer, &[index, end, tag, start, gap]);
    let refused = Err(StateError::Payload);
    assert_eq!(load(9, 4, 0, 0, 0), Ok(()));
    assert_eq!(load(9, 9, 0, 0, 0), refused, "no low sample since the last pulse");
    assert_eq!(load(9, 4, 0, 1, 0), refused);
    assert_eq!(load(u64::MAX, 4, 0, 0, 0), refused);
    assert_eq!(load(9, 4, 3, 5, 0), refused);
    assert_eq!(load(9, 4, 1, 5, 0), Ok(()));
    assert_eq!(load(9, 4, 1, 9, 0), refused, "starts in the future");
    assert_eq!(load(9, 4, 1, 4, 0), refused, "starts at the end of the last pulse");
    assert_eq!(load(9, 8, 2, 5, 2), Ok(()));
    assert_eq!(load(9, 8, 2, 6, 2), refused, "too short");
    assert_eq!(load(9, 7, 2, 4, 2), refused, "has not just ended");
    assert_eq!(load(9, 8, 2, 5, 6), refused, "a gap from before the stream");
    assert_eq!(load(9, 8, 2, 5, 0), refused, "no gap to the pulse before");
    assert_eq!(load(9, 8, 2, 5, 5), Ok(()));
}

#[test]
fn thresholds_that_make_no_sense_are_refused() {
    let refused = |on: f64, off, min_length| {
        PulseSlicer::new(on, off, min_length).map(|_| ()).map_err(|error| error.argument)
    };
    assert_eq!(refused(f64::NAN, 0.0, 1), Err("on"));
    assert_eq!(refused(f64::INFINITY, 0.0, 1), Err("on"));
    assert_eq!(refused(0.0, 0.1, 1), Err("off"));
    assert_eq!(refused(0.0, f64::NAN, 1), Err("off"));
    assert_eq!(refused(0.0, f64::NEG_INFINITY, 1), Err("off"));
    assert_eq!(refused(1.0, 1.0, 0), Err("min_length"));
    assert_eq!(refused(-1.0, -2.0, 1), Ok(()));
}
