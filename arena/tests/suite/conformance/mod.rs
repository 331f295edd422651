//! One suite for every kind of arena: pools and rings, anonymous, named, and on the heap.

mod endpoints;
mod lifetime;
mod passes;
mod placement;
mod pressure;
mod ring_model;
mod stream;
mod tickets;

use crate::support::subject::Subject;
use libtest_mimic::Trial;

pub(crate) use placement::ROLES;

/// A test of the suite.
type Case = (&'static str, fn(Subject));

pub(crate) fn trials() -> Vec<Trial> {
    let (both, pools, rings) = (
        [stream::BOTH, tickets::BOTH, pressure::BOTH, lifetime::BOTH, passes::BOTH, endpoints::BOTH].concat(),
        [pressure::POOLS, placement::POOLS, lifetime::POOLS].concat(),
        [placement::RINGS, ring_model::RINGS].concat(),
    );
    let mut trials = Vec::new();
    for subject in Subject::all() {
        let own = if subject.ring { &rings } else { &pools };
        for (name, case) in both.iter().chain(own).copied() {
            let name = format!("conformance::{}::{name}", subject.name());
            trials.push(Trial::test(name, move || {
                case(subject);
                Ok(())
            }));
        }
    }
    trials
}
