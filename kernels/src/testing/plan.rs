//! How a check feeds a stream to a kernel.

use super::{Random, Rng};
use crate::SimdLevel;
use std::vec;
use std::vec::Vec;

/// The seed of the signals that the bounds of cases are held against.
pub const SEED: u64 = 20_260_101;

/// One call, or several where a call stops early.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Inputs to feed (outputs to ask for, from a generator).
    pub take: usize,
    /// Room for outputs in each call; `None` for as much as the kernel asks for.
    pub room: Option<usize>,
    /// Before the piece, save the state and continue in a new object of this level.
    pub resume: Option<SimdLevel>,
}

/// Changes to a snapshot, for a kernel to refuse or to take.
#[derive(Clone, Debug)]
pub struct Damage {
    /// Bytes to change, each by its position (any number) and the bits to turn.
    pub edits: Vec<(usize, u8)>,
    /// Make the checksum that of the changed bytes.
    pub sealed: bool,
}

/// A stream, how it is cut, and where it lies.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The level to run at.
    pub level: SimdLevel,
    /// The seed of the input signal.
    pub seed: u64,
    /// Input samples.
    pub len: usize,
    /// The power of two that all floating-point inputs are multiplied by.
    pub exponent: i32,
    /// Elements by which buffers are off alignment.
    pub offset: usize,
    /// The cuts; what is left goes in one last call.
    pub pieces: Vec<Piece>,
    /// Feed other samples first, then reset.
    pub reset: bool,
    /// Then load the own state with these changes.
    pub damage: Option<Damage>,
}

impl Plan {
    /// The whole stream in one call.
    #[must_use]
    pub fn whole(level: SimdLevel, seed: u64, len: usize) -> Self {
        Self { level, seed, len, exponent: 0, offset: 0, pieces: vec![], reset: false, damage: None }
    }

    /// The stream that the bounds of cases are held against, in one call.
    #[must_use]
    pub fn bounded(level: SimdLevel, len: usize) -> Self {
        Self::whole(level, SEED + len as u64, len)
    }

    /// The same stream cut once.
    #[must_use]
    pub fn cut(&self, at: usize) -> Self {
        let pieces = vec![Piece { take: at, room: None, resume: None }];
        Self { pieces, ..self.clone() }
    }

    /// The same stream cut at random, with empty calls, short outputs, saved and resumed states
    /// and other alignments.
    #[must_use]
    pub fn shredded(&self, rng: &mut Rng) -> Self {
        let mut left = self.len;
        let mut pieces = vec![];
        while left > 0 && pieces.len() < 64 {
            let take = match rng.below(6) {
                0 => 0,
                1 => 1,
                2 => rng.below(4),
                3 => rng.below(20),
                _ => rng.below(left),
            }
            .min(left);
            let room = (rng.below(4) == 0).then(|| 1 + rng.below(take + 2));
            let resume = (rng.below(8) == 0).then_some(self.level);
            pieces.push(Piece { take, room, resume });
            left -= take;
        }
        Self { pieces, offset: rng.below(9), reset: rng.below(2) == 0, ..self.clone() }
    }

    /// A signal of this plan's seed and length, and as large or small as it wants it.
    pub(super) fn input<X: Random>(&self, make_signal: impl Fn(u64, usize) -> Vec<X>) -> Vec<X> {
        self.scaled(make_signal(self.seed, self.len))
    }

    /// Any signal, as large or small.
    pub(super) fn scaled<X: Random>(&self, signal: Vec<X>) -> Vec<X> {
        signal.into_iter().map(|x| x.scaled(self.exponent)).collect()
    }

    /// Every piece, the last one included.
    pub(super) fn calls(&self) -> impl Iterator<Item = Piece> {
        let cut: usize = self.pieces.iter().map(|piece| piece.take).sum();
        let last = Piece { take: self.len.saturating_sub(cut), room: None, resume: None };
        self.pieces.iter().copied().chain([last])
    }
}
