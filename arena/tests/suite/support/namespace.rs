//! Tests in a `/dev/shm` of their own, where nobody else's names are and little memory is.

use super::process::Process;
use libtest_mimic::Trial;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// The size of the private `/dev/shm`.
pub(crate) const SHM_MIB: usize = 8;

/// Whether this process may have a mount namespace of its own.
static PERMITTED: LazyLock<bool> = LazyLock::new(|| {
    let mut command = Command::new("unshare");
    let tried = command.args(["--mount", "true"]).stderr(Stdio::null()).status();
    let permitted = tried.is_ok_and(|status| status.success());
    if !permitted {
        eprintln!("SKIPPED: the tests in a private /dev/shm need `unshare --mount`, which is not permitted");
    }
    permitted
});

/// A test that is a role, played with a `/dev/shm` of its own. Ignored where that is not permitted.
pub(crate) fn trial(module: &str, role: &'static str) -> Trial {
    let test = move || {
        let mut process = Process::spawn(command(role));
        process.succeed();
        for line in process.lines() {
            println!("{line}");
        }
        Ok(())
    };
    Trial::test(format!("{module}::{role}"), test).with_ignored_flag(!*PERMITTED)
}

fn command(role: &str) -> Command {
    let inner = Process::command(role);
    let mut command = Command::new("unshare");
    let mount = format!(r#"mount -t tmpfs -o size={SHM_MIB}m tmpfs /dev/shm && exec "$0""#);
    command.args(["--mount", "sh", "-c", &mount]).arg(inner.get_program());
    command.envs(inner.get_envs().filter_map(|(key, value)| Some((key, value?))));
    command
}
