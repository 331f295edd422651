//! The tests of pinned memory and transfers, with a driver that copies late and fails on demand.
//!
//! A driver is loaded once in a process, so that each test is a process of its own: this program again, with
//! the test driver where the library of the real one would be found.

mod absent;
mod arenas;
mod driver;
mod failures;
mod forks;
mod pending;
mod support;
mod transfers;

use driver::Place;
use libtest_mimic::{Arguments, Failed, Trial};
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CASE: &str = "PASSBAND_TEST_CASE";
/// No test runs longer.
const DEADLINE: Duration = Duration::from_mins(1);

/// A test by its name, with what is found in place of the driver.
pub(crate) struct Case {
    name: String,
    place: Place,
    test: Box<dyn Fn()>,
}

/// The functions of a module as tests with the test driver.
macro_rules! cases {
    ($($name:ident),* $(,)?) => {
        vec![$(crate::Case::new(concat!(module_path!(), "::", stringify!($name)), crate::Place::Driver, $name)),*]
    };
}
pub(crate) use cases;

impl Case {
    pub(crate) fn new(name: impl Into<String>, place: Place, test: impl Fn() + 'static) -> Self {
        let name = name.into().trim_start_matches("cuda::").to_string();
        Self { name, place, test: Box::new(test) }
    }
}

fn main() {
    let modules = [
        absent::cases(),
        arenas::cases(),
        failures::cases(),
        forks::cases(),
        pending::cases(),
        transfers::cases(),
    ];
    let cases: Vec<Case> = modules.into_iter().flatten().collect();
    if let Ok(name) = std::env::var(CASE) {
        let case = cases.iter().find(|case| case.name == name).expect("a case of this program");
        return (case.test)();
    }
    let folders = driver::Folders::new();
    let trials = cases.into_iter().map(|Case { name, place, .. }| {
        let folder = folders.of(place);
        Trial::test(name.clone(), move || {
            let mut command = Command::new(std::env::current_exe().unwrap());
            run(command.env(CASE, &name).env("LD_LIBRARY_PATH", folder).env_remove("LOCAL_RANK"))
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

/// Runs a process to its good end.
fn run(command: &mut Command) -> Result<(), Failed> {
    let (mut output, pipe) = std::io::pipe()?;
    let mut child = command.stdout(pipe.try_clone()?).stderr(pipe).stdin(Stdio::null()).spawn()?;
    // The command has the other end of the pipe, too.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status.to_string(),
            None if start.elapsed() > DEADLINE => {
                child.kill()?;
                child.wait()?;
                break "no end".into();
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let mut text = String::new();
    output.read_to_string(&mut text)?;
    if status == "exit status: 0" { Ok(()) } else { Err(format!("{status}\n{text}").into()) }
}
