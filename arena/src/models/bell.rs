//! A model of a bell alone.

use crate::sync::{Bell, Word};
use loom::thread;
use std::sync::Arc;
use std::time::Duration;

/// Each change of the word is noticed, however late the bell is rung for the one before.
#[test]
fn no_ring_is_lost() {
    super::explore(|| {
        let shared = Arc::<(Word, Bell)>::default();
        let (word, bell) = &*shared;
        let theirs = shared.clone();
        let ringing = thread::spawn(move || {
            for value in 1..=2 {
                theirs.0.store(value);
                theirs.1.ring();
            }
        });
        for value in 1..=2 {
            // False only where the ring was for an older change.
            while !bell.wait(Duration::ZERO, Duration::MAX, || word.load() >= value) {}
        }
        ringing.join().unwrap();
    });
}
