//! When outputs are due: the arithmetic of counts that every change of rate shares.
//!
//! Time is counted in ticks, whole numbers of which are between two inputs and between two
//! outputs, so that nothing is rounded however long a stream is.

use crate::sample::Sample;
use crate::scratch::History;
use crate::shape::Progress;
use crate::state::{Reader, Writer};
use core::ops::RangeInclusive;

/// Ticks from an input to the next, and from an output to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rhythm {
    pub(crate) input: u128,
    pub(crate) output: u128,
}

/// Where a stream is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// Ticks from the last input that was taken to the next output. Less than to the next input:
    /// the state owes the output.
    pub(crate) due: u128,
}

impl Clock {
    /// Before the first input, with the first output so many ticks after it.
    pub(crate) const fn new(rhythm: Rhythm, phase: u128) -> Self {
        Self { due: rhythm.input + phase }
    }

    /// Writes a clock whose ticks fit a word, as they do wherever a factor is an integer.
    pub(crate) fn write(self, to: &mut Writer<'_>) {
        to.u64(self.due as u64);
    }

    /// Reads what [`write`](Self::write) wrote; none where the output would not be due then.
    pub(crate) fn read(from: &mut Reader<'_>, due: RangeInclusive<u128>) -> Option<Self> {
        let read = u128::from(from.u64()?);
        due.contains(&read).then_some(Self { due: read })
    }

    /// Outputs that `inputs` more inputs, and those that were taken, lead to.
    pub(crate) fn outputs(self, rhythm: Rhythm, inputs: usize) -> usize {
        let end = (inputs as u128 + 1).saturating_mul(rhythm.input);
        let ticks = end.saturating_sub(self.due);
        saturated(divided(ticks.saturating_add(rhythm.output - 1), rhythm.output))
    }

    /// Inputs that a call takes before the output after `outputs` lacks room.
    pub(crate) fn inputs(self, rhythm: Rhythm, outputs: usize) -> usize {
        let at = |output: usize| {
            let ticks = (output as u128).saturating_mul(rhythm.output);
            saturated(divided(ticks.saturating_add(self.due), rhythm.input))
        };
        // The input of the last output that has room, and all before that of the first without.
        let last = outputs.checked_sub(1).map_or(0, at);
        last.max(at(outputs).saturating_sub(1))
    }

    /// Takes inputs and gives outputs.
    pub(crate) fn advance(&mut self, rhythm: Rhythm, inputs: usize, outputs: usize) {
        let gone = inputs as u128 * rhythm.input;
        self.due = (self.due + outputs as u128 * rhythm.output).saturating_sub(gone);
    }
}

/// A call: takes inputs until the next output has no room, and lets `body` compute what is due.
///
/// `body(due, window, past, out)` fills `out` with outputs from the one on that is due so many ticks
/// after the last of the first `past` samples of the window.
#[inline]
pub(crate) fn run<X: Sample, Y>(
    clock: &mut Clock,
    rhythm: Rhythm,
    state: &mut impl History<X>,
    x: &[X],
    out: &mut [Y],
    mut body: impl FnMut(u128, &[X], usize, &mut [Y]),
) -> Progress {
    let consumed = x.len().min(clock.inputs(rhythm, out.len()));
    let produced = out.len().min(clock.outputs(rhythm, consumed));
    let past = state.samples().len();
    let mut rest = out.get_mut(..produced).unwrap_or_default();
    let mut give = |clock: &mut Clock, inputs: usize, window: &[X]| {
        let count = clock.outputs(rhythm, inputs).min(rest.len());
        // A piece without an output leaves the room to those that follow.
        if count > 0
            && let Some((here, later)) = core::mem::take(&mut rest).split_at_mut_checked(count)
        {
            body(clock.due, window, past, here);
            rest = later;
        }
        clock.advance(rhythm, inputs, count);
    };
    if clock.due < rhythm.input {
        state.look(|window| give(clock, 0, window));
    }
    state.drive(x.get(..consumed).unwrap_or(x), |window, inputs| give(clock, inputs.len(), window));
    Progress { consumed, produced }
}

/// A quotient, by the processor's own division where the operands allow.
fn divided(ticks: u128, by: u128) -> u128 {
    match (u64::try_from(ticks), u64::try_from(by)) {
        (Ok(ticks), Ok(by)) => (ticks / by.max(1)).into(),
        _ => ticks / by.max(1),
    }
}

fn saturated(count: u128) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_definition() {
        for (input, output) in [(1, 1), (3, 2), (2, 3), (7, 1), (1, 7), (160, 147)] {
            let rhythm = Rhythm { input, output };
            for phase in 0..output {
                let clock = Clock::new(rhythm, phase);
                for n in 0..40 {
                    let due = (0..).map(|m| phase + m * output).take_while(|t| *t < n as u128 * input);
                    assert_eq!(clock.outputs(rhythm, n), due.count());
                }
                for room in 0..40 {
                    let n = clock.inputs(rhythm, room);
                    // One is taken when all of its outputs have room, or the first of several.
                    let taken = |n| clock.outputs(rhythm, n) <= room || clock.outputs(rhythm, n - 1) < room;
                    assert!(n == 0 || taken(n), "{n} inputs for {room} outputs are too many");
                    assert!(!taken(n + 1), "{n} inputs for {room} outputs are too few");
                }
            }
        }
    }

    #[test]
    fn every_output_is_given_however_many_pieces_have_none() {
        for (phase, step) in [(0, 1), (0, 100), (50, 100), (399, 7), (3, 1000)] {
            let rhythm = Rhythm { input: 1, output: step };
            let mut state = crate::scratch::State::<f32, 4, 32>::new(2).unwrap();
            let mut clock = Clock::new(rhythm, phase);
            let mut out = [0; 1000];
            let mut given = 0;
            let progress = run(&mut clock, rhythm, &mut state, &[0.0; 1000], &mut out, |_, _, _, here| {
                here.fill(1);
                given += here.len();
            });
            assert_eq!((progress.consumed, progress.produced), (1000, given));
            assert!(out[..given].iter().all(|y| *y == 1));
            assert_eq!(given, (1000 - phase as usize).div_ceil(step as usize));
        }
    }

    #[test]
    fn counts_saturate() {
        let rhythm = Rhythm { input: 1 << 64, output: 1 };
        let clock = Clock::new(rhythm, 0);
        assert_eq!(clock.outputs(rhythm, usize::MAX), usize::MAX);
        assert_eq!(Clock::new(Rhythm { input: 1, output: u128::MAX / 2 }, 0).inputs(rhythm, 0), 0);
    }
}
