//! Kernels with planted faults, which the checks must find: `y[n] = x[n] + x[n - 1]` in each shape.

use super::{About, Case, batch, blockwise, buffered, channels, sink, two_input, two_output};
use crate::shape::{
    Batch, Blockwise, Buffered, Kernel, MultiChannel, Progress, Sink, TwoInput, TwoOutput, VariableLength,
};
use crate::state::{Fingerprint, Reader, Snapshot, Writer};
use std::vec::Vec;
use std::{format, vec};

/// What is wrong with a planted kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// The past is lost where a call starts.
    Split,
    /// The past is lost before a call of three samples.
    ForgetsAtThree,
    /// One output more is written than reported.
    Surplus,
    /// One output is left as it was.
    Gap,
    /// A snapshot restores nothing.
    Snapshot,
    /// A refused snapshot has been read already.
    ReadsBeforeItRefuses,
    /// A reset leaves the past.
    Reset,
    /// Results are off by one part in a thousand.
    Inexact,
    /// Frames see the one before, channels see each other.
    Leak,
    /// A flush gives a zero in place of the last output.
    Flush,
}

/// The planted kernel; of its two channels the first is that of the shapes with one.
struct Sum {
    past: [f32; 2],
    /// Of the buffered shape: the last sample, which is held back.
    held: Option<f32>,
    fault: Fault,
}

impl Sum {
    /// What a call does before its first sample.
    fn begin(&mut self, n: usize) {
        if self.fault == Fault::Split || (self.fault == Fault::ForgetsAtThree && n == 3) {
            self.past = [0.0; 2];
        }
    }

    fn sum(&mut self, channel: usize, x: f32) -> f32 {
        let channel = if self.fault == Fault::Leak { 0 } else { channel };
        let gain = if self.fault == Fault::Inexact { 1.001 } else { 1.0 };
        gain * (x + core::mem::replace(&mut self.past[channel], x))
    }
}

impl Snapshot for Sum {
    fn kernel_id(&self) -> u32 {
        0
    }
    fn fingerprint(&self, _: &mut Fingerprint) {}
    fn payload_len(&self) -> usize {
        12
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.samples(&self.past);
        // Signals are within -1 to 1, other states out of reach.
        to.samples(&[self.held.unwrap_or(2.0)]);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let mut past = [0.0f32; 2];
        from.samples(&mut past)?;
        let held: f32 = from.sample()?;
        let reachable = past.iter().all(|past| past.abs() <= 1.0) && (held.abs() <= 1.0 || held == 2.0);
        if (reachable && self.fault != Fault::Snapshot) || self.fault == Fault::ReadsBeforeItRefuses {
            (self.past, self.held) = (past, Some(held).filter(|held| *held != 2.0));
        }
        reachable.then_some(())
    }
}

impl Kernel for Sum {
    fn reset(&mut self) {
        if self.fault != Fault::Reset {
            (self.past, self.held) = ([0.0; 2], None);
        }
    }
}

impl Blockwise for Sum {
    type Input = f32;
    type Output = f32;

    fn steps(&mut self, x: &[f32], out: &mut [f32]) -> usize {
        let n = x.len().min(out.len());
        self.begin(n);
        for (i, (y, x)) in out.iter_mut().zip(x).enumerate() {
            let sum = self.sum(0, *x);
            if self.fault != Fault::Gap || i != 5 {
                *y = sum;
            }
        }
        n - usize::from(self.fault == Fault::Surplus && n > 1)
    }
}

impl TwoInput for Sum {
    type Input = f32;
    type Second = f32;
    type Output = f32;

    /// The second input is the channel that is passed on.
    fn steps(&mut self, x: &[f32], d: &[f32], out: &mut [f32]) -> usize {
        self.begin(x.len());
        let pairs = x.iter().zip(d);
        out.iter_mut().zip(pairs).map(|(y, (x, d))| *y = self.sum(0, *x) + d).count()
    }
}

impl TwoOutput for Sum {
    type Input = f32;
    type First = f32;
    type Second = f32;

    fn steps(&mut self, x: &[f32], out: (&mut [f32], &mut [f32])) -> usize {
        self.begin(x.len());
        let outs = out.0.iter_mut().zip(out.1);
        let mut set = |(i, ((a, b), x)): (usize, ((&mut f32, &mut f32), &f32))| {
            let sum = self.sum(0, *x);
            *a = sum;
            if self.fault != Fault::Gap || i != 5 {
                *b = -sum;
            }
        };
        outs.zip(x).enumerate().map(&mut set).count()
    }
}

impl Batch for Sum {
    type Input = f32;
    type Output = f32;

    fn frame_in(&self) -> usize {
        3
    }
    fn frame_out(&self) -> usize {
        3
    }
    fn batch(&mut self, frames: &[f32], out: &mut [f32]) -> usize {
        let (frames, out) = (frames.as_chunks::<3>().0, out.as_chunks_mut::<3>().0);
        let frame = |(x, y): (&[f32; 3], &mut [f32; 3])| {
            if self.fault != Fault::Leak {
                self.past = [0.0; 2];
            }
            *y = x.map(|x| self.sum(0, x));
        };
        frames.iter().zip(out).map(frame).count()
    }
}

impl MultiChannel for Sum {
    type Input = f32;
    type Output = f32;

    fn channels(&self) -> usize {
        2
    }
    fn steps_interleaved(&mut self, x: &[f32], out: &mut [f32]) -> usize {
        self.begin(x.len() / 2);
        let sets = x.as_chunks::<2>().0.iter().zip(out.as_chunks_mut::<2>().0);
        sets.map(|(x, y)| *y = [self.sum(0, x[0]), self.sum(1, x[1])]).count()
    }
    fn steps_planar(&mut self, x: &[f32], out: &mut [f32]) -> usize {
        self.begin(x.len() / 2);
        let (rows, row) = (x.split_at(x.len() / 2), out.len() / 2);
        for (channel, (x, y)) in [rows.0, rows.1].into_iter().zip(out.chunks_mut(row.max(1))).enumerate() {
            y.iter_mut().zip(x).for_each(|(y, x)| *y = self.sum(channel, *x));
        }
        row.min(x.len() / 2)
    }
}

impl VariableLength for Sum {
    type Input = f32;
    type Output = f32;

    fn execute(&mut self, x: &[f32], out: &mut [f32]) -> Progress {
        self.begin(x.len());
        let mut progress = Progress::default();
        for x in x {
            if let Some(held) = self.held {
                let Some(y) = out.get_mut(progress.produced) else { break };
                *y = self.sum(0, held);
                progress.produced += 1;
            }
            self.held = Some(*x);
            progress.consumed += 1;
        }
        progress
    }
    fn max_out(&self, n_in: usize) -> usize {
        n_in.saturating_sub(self.held.is_none().into())
    }
    fn max_in(&self, n_out: usize) -> usize {
        n_out
    }
}

impl Buffered for Sum {
    fn flush(&mut self, out: &mut [f32]) -> Progress {
        let due = self.held.zip(out.first_mut());
        let produced = usize::from(due.is_some());
        if let Some((held, y)) = due {
            *y = if self.fault == Fault::Flush { 0.0 } else { self.sum(0, held) };
            self.reset();
        } else if self.held.is_none() {
            self.reset();
        }
        Progress { consumed: 0, produced }
    }
    fn max_flush(&self) -> usize {
        self.held.is_some().into()
    }
}

impl Sink for Sum {
    type Input = f32;
    type Value = f32;

    fn push(&mut self, x: &[f32]) {
        self.begin(x.len());
        for x in x {
            self.sum(0, *x);
        }
    }
    fn value(&self) -> f32 {
        self.past[0]
    }
}

fn about(fault: Fault) -> About {
    About {
        family: "planted",
        kernel: "Sum",
        summary: "sum of two",
        variant: format!("{fault:?}"),
        max_error: 1.3e-7,
        snr_db: 140.0,
        flops: 1.0,
        bytes: 8.0,
        benched: false,
    }
}

fn reference(x: &[f32]) -> Vec<f64> {
    let past = core::iter::once(0.0).chain(x.iter().copied());
    x.iter().zip(past).map(|(x, past)| f64::from(*x) + f64::from(past)).collect()
}

/// The planted kernel as a blockwise one.
#[must_use]
pub fn sum(fault: Fault) -> Case {
    blockwise(about(fault), move |_| Sum { past: [0.0; 2], held: None, fault }, reference)
}

/// The planted kernel in each of the other shapes that the fault concerns.
#[must_use]
pub fn shapes(fault: Fault) -> Vec<Case> {
    let make = move |_| Sum { past: [0.0; 2], held: None, fault };
    let with_second =
        |x: &[f32], d: &[f32]| reference(x).iter().zip(d).map(|(sum, d)| sum + f64::from(*d)).collect();
    let both = |x: &[f32]| reference(x).iter().flat_map(|sum| [*sum, -sum]).collect();
    let last = |x: &[f32]| vec![x.last().copied().unwrap_or_default().into()];
    let of_two_outputs = || two_output(about(fault), make, super::signal, both);
    let of_channels = || channels(about(fault), make, reference);
    match fault {
        Fault::Gap => vec![of_two_outputs()],
        Fault::Leak => vec![batch(about(fault), make, reference), of_channels()],
        Fault::Flush => vec![buffered(about(fault), make, reference)],
        _ => vec![
            two_input(about(fault), make, with_second),
            of_two_outputs(),
            of_channels(),
            buffered(about(fault), make, reference),
            sink(about(fault), make, last),
        ],
    }
}
