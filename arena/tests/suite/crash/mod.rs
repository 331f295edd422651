//! A process that dies at every one of its stores to shared memory.
//!
//! A scenario is played once to list its points, and then once for each, killed exactly there. The
//! process at the other end must see consistent units and then the death; whoever takes the place of the
//! dead goes on with the stream, and nothing is left of the arena in the end.

mod coverage;
mod makers;
mod scenarios;
mod survivors;

use crate::support::process::Process;
use crate::support::system::Traces;
use libtest_mimic::Trial;
use rustix::process::Signal;
use scenarios::{SCENARIOS, Scenario};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

pub(crate) use scenarios::ROLES;

/// How many runs go side by side: most of their time they wait.
const WORKERS: usize = 4;

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = crate::support::trials("crash", coverage::TESTS);
    trials.extend(makers::trials());
    for scenario in SCENARIOS {
        trials.push(Trial::test(format!("crash::{}", scenario.name), || {
            kill_at_every_point(scenario.name, |fatal| play(scenario, fatal));
            Ok(())
        }));
    }
    trials
}

/// Plays to the end once, and then to each point that was passed. Takes what the victim says about its
/// points: all of them, or the one that it died at.
fn kill_at_every_point(name: &str, play: impl Fn(Option<usize>) -> Vec<String> + Sync) {
    let points = play(None);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(point) = points.get(number) else { return };
                    assert_eq!(&play(Some(number)), std::slice::from_ref(point), "{name}");
                }
            });
        }
    });
    println!("crash points of {name}: {} killed", points.len());
}

/// Plays a scenario: to its end, or to the death of the victim at a point.
fn play(scenario: &Scenario, fatal: Option<usize>) -> Vec<String> {
    let arena = scenario.arena();
    let traces = Traces::of(&arena);
    if let Some(role) = scenario.before {
        Process::start(role, &arena, &[]).fall_to(Signal::KILL);
    }
    let mut victim = Process::start(scenario.victim, &arena, &[words(fatal)]);
    (scenario.survivor)(&arena, &mut victim);
    let points = end(&mut victim, fatal);
    drop(arena);
    traces.assert_none();
    points
}

/// The point to die at, for a victim.
fn words(fatal: Option<usize>) -> String {
    fatal.unwrap_or(usize::MAX).to_string()
}

/// What the victim says of its points, once it has ended as it should.
fn end(victim: &mut Process, fatal: Option<usize>) -> Vec<String> {
    match fatal {
        Some(_) => victim.fall_to(Signal::KILL),
        None => victim.succeed(),
    }
    victim.lines().into_iter().filter(|line| line.starts_with("crash point ")).collect()
}
