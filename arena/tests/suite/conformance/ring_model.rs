//! The spans of a ring against a model that is too simple to be wrong.

use super::Case;
use crate::support::content::{get, put};
use crate::support::subject::{Subject, hasty};
use passband_arena::Error;
use std::collections::VecDeque;

pub(crate) const RINGS: &[Case] = &cases![
    spans_are_those_of_the_model,
    any_unit_up_to_the_capacity_fits_an_empty_ring,
    units_wrap_at_every_boundary,
];

/// A ring as a row of cells of 64 bytes, each free or in use.
struct Model {
    capacity: usize,
    used: Vec<bool>,
    /// The first cell and the number of cells of each unit.
    units: VecDeque<(usize, usize)>,
}

impl Model {
    fn new(capacity: usize) -> Self {
        Self { capacity, used: vec![false; capacity.div_ceil(64)], units: VecDeque::new() }
    }

    /// Where a unit goes: behind the newest, or else at the start of the ring.
    fn find(&self, nbytes: usize) -> Option<usize> {
        let behind = self.units.back().map_or(0, |(start, cells)| start + cells);
        let cells = nbytes.max(1).div_ceil(64);
        let fits = |start: usize| {
            let free = self.used.get(start..start + cells).is_some_and(|cells| !cells.contains(&true));
            // Behind the newest and right before the oldest, the ring would look empty.
            let closes = self.units.front().is_some_and(|(oldest, _)| start + cells == *oldest);
            free && !closes && start * 64 + nbytes.max(1) <= self.capacity
        };
        [behind, 0].into_iter().find(|start| fits(*start))
    }

    fn put(&mut self, start: usize, nbytes: usize) {
        let cells = nbytes.max(1).div_ceil(64);
        self.used[start..start + cells].fill(true);
        self.units.push_back((start, cells));
    }

    fn get(&mut self) {
        let (start, cells) = self.units.pop_front().expect("a unit");
        self.used[start..start + cells].fill(false);
        if self.units.is_empty() {
            *self = Self::new(self.capacity);
        }
    }
}

fn spans_are_those_of_the_model(subject: Subject) {
    for capacity in [64, 100, 640, 4096, 5000] {
        let seed = fastrand::u64(..);
        println!("capacity {capacity}, seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let arena = subject.arena(capacity, 1, hasty());
        let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
        let mut model = Model::new(capacity);
        for _ in 0..2000 {
            // Small ones that fill the ring, and large ones that only just fit.
            let largest = if random.bool() { capacity } else { capacity.div_ceil(8) };
            let nbytes = random.usize(0..=largest);
            match model.find(nbytes) {
                Some(start) if random.u8(..) > 20 => {
                    put(&mut writer, nbytes).unwrap();
                    model.put(start, nbytes);
                }
                None => {
                    let error = writer.begin(nbytes).unwrap_err();
                    let Error::Full(full) = error else { panic!("{error:?}") };
                    let (needed, free) = full.ring.unwrap();
                    assert_eq!(needed, nbytes);
                    assert!(free < nbytes.max(1), "no room for {nbytes} bytes, but {free} are free");
                    // What is said to be free can be had.
                    assert_eq!(model.find(free).is_some(), free > 0);
                    get(&mut reader).unwrap();
                    model.get();
                }
                Some(_) => {
                    if !model.units.is_empty() {
                        get(&mut reader).unwrap();
                        model.get();
                    }
                }
            }
        }
    }
}

fn any_unit_up_to_the_capacity_fits_an_empty_ring(subject: Subject) {
    let capacity = 500;
    let arena = subject.arena(capacity, 1, hasty());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    for nbytes in 0..=capacity {
        assert_eq!(put(&mut writer, nbytes).unwrap().nbytes, nbytes);
        get(&mut reader).unwrap();
        put(&mut writer, capacity).unwrap();
        get(&mut reader).unwrap();
    }
}

fn units_wrap_at_every_boundary(subject: Subject) {
    let capacity = 1024;
    for at in (0..capacity).step_by(64) {
        let arena = subject.arena(capacity, 1, hasty());
        let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
        // Two units that end at the boundary; the second keeps the ring from beginning anew.
        put(&mut writer, at.saturating_sub(64)).unwrap();
        put(&mut writer, 64).unwrap();
        get(&mut reader).unwrap();
        let mut waiting = 1;
        for nbytes in [capacity - at, 1, 63, 64, 65, at / 2, capacity / 2, 0] {
            while !writer.try_begin(nbytes).unwrap() {
                get(&mut reader).unwrap();
                waiting -= 1;
            }
            writer.abort();
            put(&mut writer, nbytes).unwrap();
            waiting += 1;
        }
        for _ in 0..waiting {
            get(&mut reader).unwrap();
        }
        assert_eq!(writer.reclaimed().unwrap(), writer.published());
    }
}
