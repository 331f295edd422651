//! What tests tell the driver to do, and what it tells them.
//!
//! Commands are `key=value`, with `;` between them, in the environment as `PASSBAND_TEST_DRIVER` and at any
//! time by [`test_driver_control`]:
//!
//! * `devices=2`: so many there are;
//! * `delay=50`: each copy is made so many milliseconds late;
//! * `hold=1`: nothing that is submitted comes to its turn, until `hold=0`;
//! * `fail=cuMemHostUnregister,719,1,2`: after 1 good call the next 2 (`*`: all) do nothing, and answer 719;
//! * `after=cuMemHostUnregister,719,1,2`: the same, but they do what they are called for;
//! * `fail=`: no call fails any more.

use crate::state::{State, lock, notify};
use crate::{NOT_INITIALIZED, SUCCESS};
use std::ffi::{CStr, CString, c_char, c_int, c_uint};
use std::fmt::Write;
use std::sync::Mutex;
use std::time::Duration;

/// A call that is to fail.
#[derive(Debug)]
pub(crate) struct Failure {
    call: String,
    code: c_uint,
    skip: u64,
    times: u64,
    /// Whether it does what it is called for all the same.
    after: bool,
}

impl Failure {
    fn parse(words: &str, after: bool) -> Option<Self> {
        let [call, code, skip, times] = words.split(',').collect::<Vec<_>>().try_into().ok()?;
        let times = if times == "*" { u64::MAX } else { times.parse().ok()? };
        Some(Self { call: call.into(), code: code.parse().ok()?, skip: skip.parse().ok()?, times, after })
    }

    /// Whether this is its time.
    fn comes(&mut self, call: &str) -> bool {
        if self.call != call || self.times == 0 {
            return false;
        }
        if self.skip > 0 {
            self.skip -= 1;
            return false;
        }
        self.times -= 1;
        true
    }
}

/// Does a call, unless it is to fail.
pub(crate) fn call(name: &'static str, act: impl FnOnce(&mut State) -> Result<(), c_uint>) -> c_uint {
    let mut state = lock();
    *state.calls.entry(name).or_default() += 1;
    let failure = state.failures.iter_mut().find_map(|failure| {
        let comes = failure.comes(name);
        comes.then_some((failure.code, failure.after))
    });
    state.failed += u64::from(failure.is_some());
    if let Some((code, false)) = failure {
        return code;
    }
    if name != "cuInit" && state.initialized_by != Some(std::process::id()) {
        return NOT_INITIALIZED;
    }
    let code = answer(act(&mut state));
    notify();
    failure.map_or(code, |(code, _)| code)
}

pub(crate) fn answer(outcome: Result<(), c_uint>) -> c_uint {
    outcome.err().unwrap_or(SUCCESS)
}

/// Carries out commands; none of a text that cannot be understood.
pub(crate) fn obey(state: &mut State, commands: &str) -> Option<()> {
    for command in commands.split(';').filter(|command| !command.is_empty()) {
        let (key, value) = command.split_once('=')?;
        match (key, value) {
            ("devices", count) => state.devices = count.parse().ok()?,
            ("delay", milliseconds) => state.delay = Duration::from_millis(milliseconds.parse().ok()?),
            ("hold", hold) => state.hold = hold == "1",
            ("fail", "") => state.failures.clear(),
            ("fail" | "after", words) => state.failures.push(Failure::parse(words, key == "after")?),
            _ => return None,
        }
    }
    Some(())
}

/// Carries out commands: 0, or 1 where they cannot be understood.
#[unsafe(no_mangle)]
unsafe extern "C" fn test_driver_control(commands: *const c_char) -> c_int {
    // SAFETY: the caller gives a string.
    let commands = unsafe { CStr::from_ptr(commands) }.to_string_lossy();
    let obeyed = obey(&mut lock(), &commands);
    notify();
    c_int::from(obeyed.is_none())
}

/// What there is, in lines of a name and a number; faults follow their number. Good until the next call.
#[unsafe(no_mangle)]
extern "C" fn test_driver_report() -> *const c_char {
    static REPORT: Mutex<Option<CString>> = Mutex::new(None);
    let text = lock().report();
    let mut report = REPORT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    report.insert(CString::new(text).unwrap_or_default()).as_ptr()
}

impl State {
    fn report(&self) -> String {
        let mut text = format!("faults {}\n", self.faults.len());
        for fault in &self.faults {
            let _ = writeln!(text, "fault: {fault}");
        }
        for (name, count) in self.live() {
            let _ = writeln!(text, "{name} {count}");
        }
        let _ = writeln!(text, "failed {}", self.failed);
        for (start, nbytes) in &self.registered {
            let _ = writeln!(text, "range {start:#x} {nbytes}");
        }
        for (name, count) in &self.calls {
            let _ = writeln!(text, "calls {name} {count}");
        }
        text
    }
}

/// The name of a code and what it means.
pub(crate) fn description(code: c_uint) -> Option<(&'static CStr, &'static CStr)> {
    Some(match code {
        0 => (c"CUDA_SUCCESS", c"no error"),
        1 => (c"CUDA_ERROR_INVALID_VALUE", c"invalid argument"),
        2 => (c"CUDA_ERROR_OUT_OF_MEMORY", c"out of memory"),
        3 => (c"CUDA_ERROR_NOT_INITIALIZED", c"initialization error"),
        100 => (c"CUDA_ERROR_NO_DEVICE", c"no CUDA-capable device is detected"),
        101 => (c"CUDA_ERROR_INVALID_DEVICE", c"invalid device ordinal"),
        201 => (c"CUDA_ERROR_INVALID_CONTEXT", c"invalid device context"),
        400 => (c"CUDA_ERROR_INVALID_HANDLE", c"invalid resource handle"),
        600 => (c"CUDA_ERROR_NOT_READY", c"device not ready"),
        700 => (c"CUDA_ERROR_ILLEGAL_ADDRESS", c"an illegal memory access was encountered"),
        712 => (c"CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", c"part or all of it is mapped already"),
        713 => (c"CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", c"pointer is not a registered one"),
        719 => (c"CUDA_ERROR_LAUNCH_FAILED", c"unspecified launch failure"),
        _ => return None,
    })
}
