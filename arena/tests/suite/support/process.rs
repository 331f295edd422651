//! The other processes: this program again, in a role.

use passband_arena::Arena;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::AsFd;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use std::io::{PipeReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const ROLE: &str = "PASSBAND_TEST_ROLE";
/// No process of a test lives longer.
const DEADLINE: Duration = Duration::from_mins(1);

/// What a process plays, with the words that follow it.
pub(crate) type Role = (&'static str, fn(&[String]));

/// The role of this process, if it is not the one that tests.
pub(crate) fn role() -> Option<String> {
    std::env::var(ROLE).ok()
}

/// Plays a role to its end.
pub(crate) fn play(role: &str, roles: &[Role]) {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (_, play) = roles.iter().find(|(name, _)| *name == role).expect("a role of this program");
    play(&words);
}

/// The arena that the starter of this process gave it as its standard input.
pub(crate) fn given_arena() -> passband_arena::Result<Arena> {
    Arena::attach(std::io::stdin().as_fd().try_clone_to_owned().expect("a further descriptor"))
}

/// Another process; killed when its test is done with it.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    /// What it prints, errors too.
    output: PipeReader,
    unread: Vec<u8>,
}

impl Process {
    /// Starts a process in a role, with the arena as its standard input.
    pub(crate) fn start(role: &str, arena: &Arena, words: &[String]) -> Self {
        let mut command = Self::command(role);
        command.args(words).stdin(Stdio::from(arena.descriptor().unwrap()));
        Self::spawn(command)
    }

    /// This program in a role, still to be started.
    pub(crate) fn command(role: &str) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.env(ROLE, role).stdin(Stdio::null());
        command
    }

    pub(crate) fn spawn(mut command: Command) -> Self {
        let (output, pipe) = std::io::pipe().unwrap();
        command.stdout(pipe.try_clone().unwrap()).stderr(pipe);
        Self { child: command.spawn().unwrap(), output, unread: Vec::new() }
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// The next line that the process prints; none where it ends without one.
    pub(crate) fn line(&mut self) -> Option<String> {
        let line = self.coming()?;
        self.unread.drain(..=line.len());
        Some(line)
    }

    /// The same, but it will come again.
    pub(crate) fn coming(&mut self) -> Option<String> {
        let start = Instant::now();
        loop {
            if let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
                return Some(String::from_utf8(self.unread[..end].into()).unwrap());
            }
            assert!(ready_by(&self.output, start), "process {} says nothing", self.id());
            let mut chunk = [0; 4096];
            match self.output.read(&mut chunk).unwrap() {
                0 => return None,
                n => self.unread.extend_from_slice(&chunk[..n]),
            }
        }
    }

    /// Whether this is what the process prints next.
    pub(crate) fn says(&mut self, line: &str) -> bool {
        let says = self.coming().as_deref() == Some(line);
        if says {
            self.line();
        }
        says
    }

    /// All that the process has still to say.
    pub(crate) fn lines(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.line()).collect()
    }

    /// Tells when the process has ended.
    pub(crate) fn death(&self) -> JoinHandle<Instant> {
        let pidfd = pidfd_open(self.pid(), PidfdFlags::empty()).unwrap();
        thread::spawn(move || {
            assert!(ready_by(pidfd, Instant::now()), "it does not end");
            Instant::now()
        })
    }

    fn wait(&mut self) -> ExitStatus {
        let pidfd = pidfd_open(self.pid(), PidfdFlags::empty()).unwrap();
        assert!(ready_by(pidfd, Instant::now()), "process {} does not end", self.id());
        self.child.wait().unwrap()
    }

    /// Waits for a good end.
    pub(crate) fn succeed(&mut self) {
        let status = self.wait();
        assert!(status.success(), "it ended with {status}, after {:#?}", self.lines());
    }

    /// Waits for an end by this signal.
    pub(crate) fn fall_to(&mut self, signal: Signal) {
        let status = self.wait();
        let fell = status.signal() == Some(signal.as_raw());
        assert!(fell, "it ended with {status}, after {:#?}", self.lines());
    }

    /// Kills the process, and waits until it is gone.
    pub(crate) fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.fall_to(Signal::KILL);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ready_by(fd: impl AsFd, start: Instant) -> bool {
    let left = DEADLINE.saturating_sub(start.elapsed());
    let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
    poll(&mut [PollFd::new(&fd, PollFlags::IN)], Some(&left)).unwrap() > 0
}
