//! Sections in the lanes of a vector, skewed so that none waits for the one before it.
//!
//! In step `t` lane `k` handles sample `t - LAG k`, whose input lane `k - 1` gave `LAG` steps ago,
//! long enough for it to be there. Before the first step each section is brought as far ahead of
//! the next as the skew asks for, and after the last step the sections are brought level again,
//! one after the other with the same operations. So nothing is in flight between calls, and no
//! result depends on where they end or on the number of lanes.

use super::Section;
use crate::sample::Sample;
use crate::simd::{Body, Lanes, Lanes16};
use core::cell::Cell;
use core::marker::PhantomData;
use core::slice::{from_mut, from_ref};

/// Samples by which a section is behind the one before it: the latency of a section is shorter.
const LAG: usize = 4;

/// Sections over `io` in place; a sample has `C` components, each in a lane of its own.
pub(super) struct Pipeline<'a, T, const C: usize> {
    pub(super) sections: &'a [Section<T>],
    pub(super) states: &'a mut [[[T; C]; 4]],
    pub(super) io: &'a mut [[T; C]],
}

impl<T: Sample, const C: usize> Body<T> for Pipeline<'_, T, C> {
    type Output = ();

    #[inline(always)]
    fn run<S: Lanes<T> + Lanes16>(self, s: S) {
        let Self { sections, states, io } = self;
        // Reading an output takes long beyond the first 32 bytes of a vector that was just stored.
        let lanes = <S as Lanes<T>>::WIDTH.min(32 / size_of::<T>()) / C;
        for (sections, states) in sections.chunks(lanes).zip(states.chunks_mut(lanes)) {
            // No step gives `None`; were one to, outputs would be missing, which conformance detects.
            let _ = pass(s, sections, states, io);
        }
    }
}

/// Filters `io` by at most as many sections as there are lanes.
#[inline(always)]
fn pass<T: Sample, S: Lanes<T>, const C: usize>(
    s: S,
    sections: &[Section<T>],
    states: &mut [[[T; C]; 4]],
    io: &mut [[T; C]],
) -> Option<()> {
    let last = sections.len().checked_sub(1)?;
    let (n, lag) = (io.len(), LAG * last);
    let mut ring = [s.splat(T::ZERO); LAG];
    if n <= lag || last == 0 {
        for (section, state) in sections.iter().zip(states) {
            run(s, from_ref(section), from_mut(state), &mut ring, io)?;
        }
        return Some(());
    }
    for (k, (section, state)) in sections.iter().zip(states.iter_mut()).enumerate().take(last) {
        run(s, from_ref(section), from_mut(state), &mut ring, io.get_mut(..lag - LAG * k)?)?;
    }
    // Where a section stopped early lies what the one before it has ready for it.
    let (ready, _) = io.get(..lag)?.as_chunks::<LAG>();
    for (i, ring) in ring.iter_mut().enumerate() {
        *ring = gather(s, ready.iter().rev().map(|outputs| outputs[i]));
    }
    run(s, sections, states, &mut ring, io)?;
    let (ready, _) = io.get_mut(n - lag..)?.as_chunks_mut::<LAG>();
    for (i, ring) in ring.iter().enumerate() {
        scatter(s, *ring, ready.iter_mut().rev().map(|outputs| &mut outputs[i]));
    }
    for (k, (section, state)) in sections.iter().zip(states).enumerate().skip(1) {
        run(s, from_ref(section), from_mut(state), &mut ring, io.get_mut(n - LAG * k..)?)?;
    }
    Some(())
}

/// Steps sections that are skewed already: takes the inputs of the first from where it is, puts the
/// outputs of the last at the start of `io`. `ring` holds the last outputs of all, oldest first.
#[inline(always)]
fn run<T: Sample, S: Lanes<T>, const C: usize>(
    s: S,
    sections: &[Section<T>],
    states: &mut [[[T; C]; 4]],
    ring: &mut [S::Vector; LAG],
    io: &mut [[T; C]],
) -> Option<()> {
    let last = sections.len().checked_sub(1)?;
    let mut lanes = Skewed::load(s, sections, states);
    let io = Cell::from_mut(io).as_slice_of_cells();
    let (x, rest) = io.get(LAG * last..)?.as_chunks::<LAG>();
    let (y, _) = io.as_chunks::<LAG>();
    let mut past = *ring;
    for (x, y) in x.iter().zip(y) {
        for i in 0..LAG {
            past[i] = lanes.step(s, s.shift_in(past[i], x[i].get()));
            y[i].set(lane(s, past[i], last)?);
        }
    }
    for (x, y) in rest.iter().zip(io.get(LAG * x.len()..)?) {
        let [oldest, a, b, c] = past;
        past = [a, b, c, lanes.step(s, s.shift_in(oldest, x.get()))];
        y.set(lane(s, past[LAG - 1], last)?);
    }
    *ring = past;
    lanes.save(s, states);
    Some(())
}

/// One section per lane (or `C` lanes) in registers.
struct Skewed<T, S: Lanes<T>, const C: usize> {
    /// `b0, c1, c2, -a1, -a2`
    factors: [S::Vector; 5],
    /// `s[n - 1], s[n - 2], x[n - 1], x[n - 2]`
    state: [S::Vector; 4],
    coefficient: PhantomData<T>,
}

impl<T: Sample, S: Lanes<T>, const C: usize> Skewed<T, S, C> {
    #[inline(always)]
    fn load(s: S, sections: &[Section<T>], states: &[[[T; C]; 4]]) -> Self {
        let (mut factors, mut state) = ([s.splat(T::ZERO); 5], [s.splat(T::ZERO); 4]);
        for (i, factor) in factors.iter_mut().enumerate() {
            *factor = gather(s, sections.iter().map(|section| [section.factors[i]; C]));
        }
        for (i, state) in state.iter_mut().enumerate() {
            *state = gather(s, states.iter().map(|state| state[i]));
        }
        Self { factors, state, coefficient: PhantomData }
    }

    #[inline(always)]
    fn save(self, s: S, states: &mut [[[T; C]; 4]]) {
        for (i, from) in self.state.into_iter().enumerate() {
            scatter(s, from, states.iter_mut().map(|state| &mut state[i]));
        }
    }

    /// The outputs for inputs `x`.
    #[inline(always)]
    fn step(&mut self, s: S, x: S::Vector) -> S::Vector {
        let [b0, c1, c2, a1, a2] = self.factors;
        let [s1, s2, x1, x2] = self.state;
        // Only the last product waits for the step before.
        let forced = s.mul_add(a2, s2, s.mul_add(c1, x1, s.mul(c2, x2)));
        let now = s.mul_add(a1, s1, forced);
        self.state = [now, s1, x, x1];
        s.mul_add(b0, x, now)
    }
}

/// A vector of samples, the first lanes first; lanes without one are zero.
#[inline(always)]
fn gather<T: Sample, S: Lanes<T>, const C: usize>(s: S, samples: impl Iterator<Item = [T; C]>) -> S::Vector {
    let mut array = S::zeroed();
    let (lanes, _) = array.as_mut().as_chunks_mut::<C>();
    lanes.iter_mut().zip(samples).for_each(|(lane, sample)| *lane = sample);
    s.load(&array)
}

/// The inverse of [`gather`].
#[inline(always)]
fn scatter<'a, T: Sample, S: Lanes<T>, const C: usize>(
    s: S,
    v: S::Vector,
    samples: impl Iterator<Item = &'a mut [T; C]>,
) {
    let mut array = S::zeroed();
    s.store(&mut array, v);
    let (lanes, _) = array.as_ref().as_chunks::<C>();
    samples.zip(lanes).for_each(|(sample, lane)| *sample = *lane);
}

/// Within a cache line: to read from a vector that was just stored across two makes each step wait.
#[repr(align(64))]
struct Line<A>(A);

#[inline(always)]
fn lane<T: Sample, S: Lanes<T>, const C: usize>(s: S, v: S::Vector, index: usize) -> Option<[T; C]> {
    let mut line = Line(S::zeroed());
    s.store(&mut line.0, v);
    line.0.as_ref().as_chunks::<C>().0.get(index).copied()
}
