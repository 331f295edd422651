//! Processes that cannot watch each other: one of them is in a pid namespace of its own.

use crate::support::content::{get, put};
use crate::support::namespace::{pid_trial, with_own_pids};
use crate::support::process::{Process, Role, given_arena};
use crate::support::subject::{Memory, Subject, patient};
use libtest_mimic::Trial;
use passband_arena::Arena;
use std::process::Stdio;

pub(crate) const ROLES: &[Role] = &cases![attaches_as_a_stranger];

pub(crate) fn trials() -> Vec<Trial> {
    let name = "pid_namespaces::failure_18_another_pid_namespace_is_refused";
    vec![pid_trial(name, failure_18_another_pid_namespace_is_refused)]
}

fn failure_18_another_pid_namespace_is_refused() {
    for subject in Subject::all().filter(|subject| subject.memory != Memory::Heap) {
        let arena = subject.arena(1000, 2, patient());
        let mut command = with_own_pids("attaches_as_a_stranger");
        command.args(arena.name()).stdin(Stdio::from(arena.descriptor().unwrap()));
        let mut stranger = Process::spawn(command);
        let text =
            "cannot attach: the arena was made in another pid namespace, whose processes cannot be watched";
        assert_eq!(stranger.line().as_deref(), Some(text), "{}", subject.name());
        stranger.succeed();
        // Nothing changes for those who can see each other.
        let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
        put(&mut writer, 1000).unwrap();
        get(&mut reader).unwrap();
    }
}

/// Attaches the arena of the name that it is given, or else that of its standard input.
fn attaches_as_a_stranger(words: &[String]) {
    assert_eq!(std::process::id(), 1, "the first process of its namespace");
    let attached = words.first().map_or_else(given_arena, |name| Arena::open(name));
    println!("{}", attached.unwrap_err());
}
