//! The tests of arenas in real shared memory.
//!
//! A program of its own, because it also plays the other processes: started again with a role in its
//! environment, it is a writer, a reader, or whoever is to be killed.

#[macro_use]
mod support;

mod conformance;
mod corrupt;
#[cfg(feature = "crash-points")]
mod crash;
mod kills;
mod memory;
mod names;
mod pid_namespaces;
mod two_processes;

use libtest_mimic::Arguments;
use support::{process, system};

fn main() {
    if let Some(role) = process::role() {
        let roles = [
            conformance::ROLES,
            two_processes::ROLES,
            #[cfg(feature = "crash-points")]
            crash::ROLES,
            kills::ROLES,
            corrupt::ROLES,
            memory::ROLES,
            names::ROLES,
            pid_namespaces::ROLES,
        ];
        return process::play(&role, &roles.concat());
    }
    let trials = [
        conformance::trials(),
        two_processes::trials(),
        #[cfg(feature = "crash-points")]
        crash::trials(),
        kills::trials(),
        corrupt::trials(),
        memory::trials(),
        names::trials(),
        pid_namespaces::trials(),
    ];
    let before = system::abandoned();
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials.into_iter().flatten().collect());
    system::assert_none_abandoned_since(&before);
    conclusion.exit();
}
