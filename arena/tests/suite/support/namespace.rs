//! Processes in namespaces of their own: with a `/dev/shm` where nobody else's names are and little
//! memory is, or with process ids that mean nothing outside.

use super::process::Process;
use libtest_mimic::Trial;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// The size of the private `/dev/shm`.
pub(crate) const SHM_MIB: usize = 8;

const MOUNT: &[&str] = &["--mount"];
/// Root may have a namespace as it is, others within one of users.
const PID: [&[&str]; 2] = [&["--pid", "--fork"], &["--user", "--map-root-user", "--pid", "--fork"]];

/// How this process may have a mount namespace of its own, if at all.
static MOUNT_PERMITTED: LazyLock<Option<&[&str]>> =
    LazyLock::new(|| permitted("the tests in a private /dev/shm", &[MOUNT]));
/// The same of a pid namespace.
static PID_PERMITTED: LazyLock<Option<&[&str]>> =
    LazyLock::new(|| permitted("the tests from another pid namespace", &PID));

/// The first of these ways to call `unshare` that is permitted.
fn permitted(tests: &str, ways: &[&'static [&'static str]]) -> Option<&'static [&'static str]> {
    let works = |way: &&&[&str]| {
        let tried = Command::new("unshare").args(**way).arg("true").stderr(Stdio::null()).status();
        tried.is_ok_and(|status| status.success())
    };
    let way = ways.iter().find(works).copied();
    if way.is_none() {
        let ways: Vec<String> = ways.iter().map(|way| format!("`unshare {}`", way.join(" "))).collect();
        eprintln!("SKIPPED: {tests} need {}, which is not permitted", ways.join(" or "));
    }
    way
}

/// A test that is a role, played with a `/dev/shm` of its own. Ignored where that is not permitted.
pub(crate) fn trial(module: &str, role: &'static str) -> Trial {
    let test = move || {
        let mut process = Process::spawn(with_own_shm(role));
        process.succeed();
        for line in process.lines() {
            println!("{line}");
        }
        Ok(())
    };
    Trial::test(format!("{module}::{role}"), test).with_ignored_flag(MOUNT_PERMITTED.is_none())
}

fn with_own_shm(role: &str) -> Command {
    let mount = format!(r#"mount -t tmpfs -o size={SHM_MIB}m tmpfs /dev/shm && exec "$0""#);
    unshared(MOUNT, &["sh", "-c", &mount], role)
}

/// A test that starts processes [with own process ids](with_own_pids). Ignored where that is not
/// permitted.
pub(crate) fn pid_trial(name: &str, test: fn()) -> Trial {
    let test = move || {
        test();
        Ok(())
    };
    Trial::test(name, test).with_ignored_flag(PID_PERMITTED.is_none())
}

/// This program in a role, as the first process of a pid namespace.
pub(crate) fn with_own_pids(role: &str) -> Command {
    unshared(PID_PERMITTED.expect("the test is ignored otherwise"), &[], role)
}

/// This program in a role, started through `unshare` and another program.
fn unshared(way: &[&str], through: &[&str], role: &str) -> Command {
    let inner = Process::command(role);
    let mut command = Command::new("unshare");
    command.args(way).args(through).arg(inner.get_program()).stdin(Stdio::null());
    command.envs(inner.get_envs().filter_map(|(key, value)| Some((key, value?))));
    command
}
