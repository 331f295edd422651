//! The tests of arenas in real shared memory.
//!
//! A program of its own, because it also plays the other processes: started again with a role in its
//! environment, it is a writer, a reader, or whoever is to be killed.

#[macro_use]
mod support;

mod conformance;
#[cfg(feature = "crash-points")]
mod crash;
mod two_processes;

use libtest_mimic::Arguments;
use support::process;

fn main() {
    if let Some(role) = process::role() {
        let mut roles = [conformance::ROLES, two_processes::ROLES].concat();
        #[cfg(feature = "crash-points")]
        roles.extend(crash::roles());
        return process::play(&role, &roles);
    }
    let mut trials = conformance::trials();
    trials.extend(support::trials("two_processes", two_processes::TESTS));
    #[cfg(feature = "crash-points")]
    trials.extend(crash::trials());
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
