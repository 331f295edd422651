//! The state machine behind the detector: powers in, bursts out.

use super::Burst;
use crate::math::NormSquared;
use crate::math::lane_sums::{LANES, LaneSums};
use crate::math::map::Function;
use crate::shape::Progress;
use crate::simd::{Body, Lanes, Lanes16};
use crate::state::{Reader, Writer};
use core::num::NonZero;
use core::slice::IterMut;

/// The constructor's arguments.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub(super) on: f32,
    pub(super) off: f32,
    pub(super) hang: u64,
    pub(super) min_length: u64,
}

/// What is known of the stream so far.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Samples taken.
    index: u64,
    phase: Phase,
    /// Powers since the start of an open burst, and how they were before its present gap.
    sums: LaneSums,
    kept: LaneSums,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    Quiet,
    /// `stop` is one past the last sample at or above `off`; all samples since are below.
    Open {
        start: u64,
        stop: u64,
        peak: f32,
    },
    /// A burst that ended with the last sample and found no room.
    Owed(Burst),
}

impl Machine {
    pub(super) const NEW: Self =
        Self { index: 0, phase: Phase::Quiet, sums: LaneSums::ZERO, kept: LaneSums::ZERO };

    pub(super) fn max_out(&self, rules: Rules, n_in: usize) -> usize {
        let Rules { hang, min_length, .. } = rules;
        let to_end = hang.saturating_add(1);
        let each = NonZero::<u64>::MIN.saturating_add(hang.saturating_add(min_length));
        let (owed, to_first) = match self.phase {
            Phase::Quiet => (0, each.get()),
            Phase::Owed(_) => (1, each.get()),
            Phase::Open { start, stop, .. } if stop - start >= min_length => {
                (0, to_end - (self.index - stop))
            }
            Phase::Open { start, .. } => {
                let missing = min_length.saturating_sub(self.index - start).max(1);
                (0, missing.saturating_add(to_end))
            }
        };
        let after_first = (n_in as u64).checked_sub(to_first);
        owed + after_first.map_or(0, |left| 1 + left / each) as usize
    }

    pub(super) fn max_flush(&self, rules: Rules) -> usize {
        match self.phase {
            Phase::Quiet => 0,
            Phase::Owed(_) => 1,
            Phase::Open { start, stop, .. } => usize::from(stop - start >= rules.min_length),
        }
    }

    /// Ends the stream; a burst that finds no room stays.
    pub(super) fn flush(&mut self, rules: Rules, out: &mut [Burst]) -> usize {
        let last = match self.phase {
            Phase::Quiet => None,
            Phase::Owed(burst) => Some(burst),
            Phase::Open { start, stop, peak } => self.finished(rules, start, stop, peak),
        };
        match (last, out) {
            (Some(_), []) => return 0,
            (Some(burst), [slot, ..]) => *slot = burst,
            (None, _) => {}
        }
        *self = Self::NEW;
        usize::from(last.is_some())
    }

    /// The record of an open burst, if it is long enough.
    fn finished(&self, rules: Rules, start: u64, stop: u64, peak: f32) -> Option<Burst> {
        let sums = if stop == self.index { &self.sums } else { &self.kept };
        let mean_power = (sums.total() / (stop - start) as f64) as f32;
        let burst = Burst { start: start as i64, stop: stop as i64, peak, mean_power };
        (stop - start >= rules.min_length).then_some(burst)
    }

    /// Takes one power; `None` when it ended a burst that found no room.
    #[inline(always)]
    fn sample(&mut self, rules: Rules, power: f32, out: &mut IterMut<'_, Burst>) -> Option<()> {
        let now = self.index;
        let mut room = Some(());
        match &mut self.phase {
            Phase::Open { stop, peak, .. } if power >= rules.off => {
                *stop = now + 1;
                *peak = if power > *peak { power } else { *peak };
                self.sums.add(now, power);
            }
            Phase::Open { stop, .. } if now - *stop < rules.hang => {
                if *stop == now {
                    self.kept = self.sums.clone();
                }
                self.sums.add(now, power);
            }
            &mut Phase::Open { start, stop, peak } => {
                let burst = self.finished(rules, start, stop, peak);
                (self.phase, self.sums, self.kept) = (Phase::Quiet, LaneSums::ZERO, LaneSums::ZERO);
                if let Some(burst) = burst {
                    room = out.next().map(|slot| *slot = burst);
                    if room.is_none() {
                        self.phase = Phase::Owed(burst);
                    }
                }
            }
            Phase::Quiet if power >= rules.on => {
                self.phase = Phase::Open { start: now, stop: now + 1, peak: power };
                self.sums.add(now, power);
            }
            Phase::Quiet | Phase::Owed(_) => {}
        }
        self.index += 1;
        room
    }

    /// Takes sixteen powers at once where they are alike; whether they were.
    #[inline(always)]
    fn block(&mut self, rules: Rules, powers: &[f32; LANES]) -> bool {
        let Rules { on, off, hang, .. } = rules;
        let (now, next) = (self.index, self.index + LANES as u64);
        match &mut self.phase {
            Phase::Quiet => {
                if any(powers, |p| p >= on) {
                    return false;
                }
            }
            Phase::Open { stop, peak, .. } => {
                if all(powers, |p| p >= off) {
                    *stop = next;
                    if any(powers, |p| p > *peak) {
                        *peak = powers.iter().fold(*peak, |peak, p| if *p > peak { *p } else { peak });
                    }
                } else if any(powers, |p| p >= off) || next - *stop > hang {
                    return false;
                } else if *stop == now {
                    self.kept = self.sums.clone();
                }
                self.sums.add_block(powers);
            }
            Phase::Owed(_) => return false,
        }
        self.index = next;
        true
    }

    pub(super) const PAYLOAD: usize = 8 * 4 + 4 * (2 + 4 * LANES);

    pub(super) fn write(&self, to: &mut Writer<'_>) {
        let (tag, start, stop, peak, mean_power) = match self.phase {
            Phase::Quiet => (0, 0, 0, 0.0, 0.0),
            Phase::Open { start, stop, peak } => (1, start, stop, peak, 0.0),
            Phase::Owed(Burst { start, stop, peak, mean_power }) => {
                (2, start as u64, stop as u64, peak, mean_power)
            }
        };
        for count in [self.index, tag, start, stop] {
            to.u64(count);
        }
        to.samples(&[peak, mean_power]);
        for LaneSums { sums, excess } in [&self.sums, &self.kept] {
            to.samples(sums);
            to.samples(excess);
        }
    }

    pub(super) fn read(&mut self, rules: Rules, from: &mut Reader<'_>) -> Option<()> {
        let Rules { on, hang, min_length, .. } = rules;
        let (index, tag, start, stop) = (from.count()?, from.u64()?, from.u64()?, from.u64()?);
        let (peak, mean_power) = (from.sample::<f32>()?, from.sample::<f32>()?);
        let [mut sums, mut kept] = [LaneSums::ZERO; 2];
        for LaneSums { sums, excess } in [&mut sums, &mut kept] {
            from.samples(sums)?;
            from.samples(excess)?;
        }
        let ordered = start < stop && stop <= index && peak >= on;
        let phase = match tag {
            0 if (start, stop, peak.to_bits(), mean_power.to_bits()) == (0, 0, 0, 0) => Phase::Quiet,
            1 if ordered && index - stop <= hang && mean_power.to_bits() == 0 => {
                Phase::Open { start, stop, peak }
            }
            2 if ordered && index - stop == hang.saturating_add(1) && stop - start >= min_length => {
                Phase::Owed(Burst { start: start as i64, stop: stop as i64, peak, mean_power })
            }
            _ => return None,
        };
        let power = |x: f32| x >= 0.0 || x.is_nan();
        let open = matches!(phase, Phase::Open { .. });
        let possible_sum = |sum: &f32| if open { power(*sum) } else { *sum == 0.0 };
        let possible_excess = |excess: &f32| open || *excess == 0.0;
        let possible = power(mean_power)
            && sums.sums.iter().chain(&kept.sums).all(possible_sum)
            && sums.excess.iter().chain(&kept.excess).all(possible_excess);
        possible.then(|| *self = Self { index, phase, sums, kept })
    }
}

// Without an early end, so that they vectorise.
#[inline(always)]
fn any(powers: &[f32; LANES], test: impl Fn(f32) -> bool) -> bool {
    powers.iter().fold(false, |any, power| any | test(*power))
}

#[inline(always)]
fn all(powers: &[f32; LANES], test: impl Fn(f32) -> bool) -> bool {
    powers.iter().fold(true, |all, power| all & test(*power))
}

/// Feeds samples to a machine.
pub(super) struct Scan<'a, X> {
    pub(super) rules: Rules,
    pub(super) machine: &'a mut Machine,
    pub(super) x: &'a [X],
    pub(super) out: &'a mut [Burst],
}

impl<X: Copy> Body<f32> for Scan<'_, X>
where
    NormSquared: Function<X, Output = f32>,
{
    type Output = Progress;

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) -> Progress {
        let Self { rules, machine, x, out } = self;
        let (first, room) = (machine.index, out.len());
        let mut out = out.iter_mut();
        // Where the room ends the state says all.
        let _ = scan(rules, machine, x, &mut out);
        Progress { consumed: (machine.index - first) as usize, produced: room - out.len() }
    }
}

/// Takes samples until one ends a burst that finds no room.
#[inline(always)]
fn scan<X: Copy>(rules: Rules, machine: &mut Machine, x: &[X], out: &mut IterMut<'_, Burst>) -> Option<()>
where
    NormSquared: Function<X, Output = f32>,
{
    if let Phase::Owed(burst) = machine.phase {
        *out.next()? = burst;
        machine.phase = Phase::Quiet;
    }
    let to_grid = machine.index.wrapping_neg() as usize % LANES;
    let (head, rest) = x.split_at_checked(to_grid).unwrap_or((x, &[]));
    let (blocks, tail) = rest.as_chunks::<LANES>();
    for x in head {
        machine.sample(rules, NormSquared.apply(*x), out)?;
    }
    for block in blocks {
        let mut powers = [0.0; LANES];
        powers.iter_mut().zip(block).for_each(|(power, x)| *power = NormSquared.apply(*x));
        if !machine.block(rules, &powers) {
            for power in powers {
                machine.sample(rules, power, out)?;
            }
        }
    }
    for x in tail {
        machine.sample(rules, NormSquared.apply(*x), out)?;
    }
    Some(())
}
