//! Makers of arenas that die while they make them.

use super::{end, kill_at_every_point, words};
use crate::support::namespace;
use crate::support::process::Process;
use crate::support::system::names;
use libtest_mimic::Trial;
use passband_arena::{Arena, Error};

pub(crate) fn trials() -> Vec<Trial> {
    let anonymous = Trial::test("crash::maker", || {
        kill_at_every_point("maker", |fatal| make(fatal, "anonymous"));
        Ok(())
    });
    vec![anonymous, namespace::trial("crash", "judges_makers")]
}

/// Has an arena made, up to a point. Nothing can be left of an anonymous one.
pub(crate) fn make(fatal: Option<usize>, kind: &str) -> Vec<String> {
    let mut command = Process::command("crash_makes");
    command.args([&words(fatal), kind]);
    end(&mut Process::spawn(command), fatal)
}

/// In a `/dev/shm` of its own: a named arena that nobody finished is refused, and swept away.
pub(crate) fn judges_makers(_: &[String]) {
    let points = make(None, "named");
    assert_eq!(names(), [""; 0]);
    for (number, point) in points.iter().enumerate() {
        assert_eq!(&make(Some(number), "named"), std::slice::from_ref(point));
        let left = names();
        if let Some(name) = left.first() {
            match Arena::open(name) {
                Err(Error::Endpoint(text)) => assert!(text.starts_with("cannot attach: "), "{text}"),
                finished => drop(finished.unwrap()),
            }
        }
        assert_eq!(passband_arena::sweep().unwrap(), left);
        assert_eq!(names(), [""; 0]);
    }
    println!("crash points of named maker: {} killed", points.len());
}
