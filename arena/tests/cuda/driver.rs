//! The driver that a test has: where it is found, what it is told, and what it tells.

#![expect(unsafe_code, reason = "calls a C library")]

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What is found by the name of the driver's library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The test driver.
    Driver,
    /// Another library.
    Other,
    /// Nothing.
    Empty,
}

/// Folders for `LD_LIBRARY_PATH`.
pub(crate) struct Folders {
    root: TempDir,
}

impl Folders {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        for (place, library) in [
            (Place::Driver, Some(test_driver())),
            (Place::Other, Some(another_library())),
            (Place::Empty, None),
        ] {
            let folder = root.path().join(format!("{place:?}"));
            std::fs::create_dir(&folder).unwrap();
            if let Some(library) = library {
                std::os::unix::fs::symlink(library, folder.join("libcuda.so")).unwrap();
            }
        }
        Self { root }
    }

    pub(crate) fn of(&self, place: Place) -> PathBuf {
        self.root.path().join(format!("{place:?}"))
    }
}

/// The test driver, which cargo builds with the examples.
fn test_driver() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    let built = program.ancestors().nth(2).unwrap().join("examples/libtest_driver.so");
    assert!(built.exists(), "{} is missing: cargo build --example test_driver", built.display());
    built
}

/// A library that has nothing of a driver.
fn another_library() -> PathBuf {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let path = maps.lines().filter_map(|line| line.split_whitespace().nth(5));
    Path::new(path.into_iter().find(|path| path.contains("/libgcc_s.so")).expect("libgcc_s")).into()
}

/// A function of the test driver, which is found as the library of the driver is.
fn symbol(name: &CStr) -> *mut c_void {
    // SAFETY: the test driver has no requirements.
    let library = unsafe { libc::dlopen(c"libcuda.so".as_ptr(), libc::RTLD_NOW) };
    assert!(!library.is_null(), "no test driver");
    // SAFETY: the library is open, and never closed.
    let symbol = unsafe { libc::dlsym(library, name.as_ptr()) };
    assert!(!symbol.is_null(), "this is not the test driver");
    symbol
}

/// Tells the driver what to do.
pub(crate) fn control(commands: &str) {
    // SAFETY: the function has this type.
    let control: unsafe extern "C" fn(*const c_char) -> c_int =
        unsafe { std::mem::transmute(symbol(c"test_driver_control")) };
    let words = CString::new(commands).unwrap();
    // SAFETY: it reads a string.
    assert_eq!(unsafe { control(words.as_ptr()) }, 0, "{commands}");
}

/// What the driver has seen.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) faults: Vec<String>,
    /// The ranges that are registered.
    pub(crate) ranges: Vec<(usize, usize)>,
    counts: BTreeMap<String, u64>,
}

impl Report {
    /// How many there are of something, or how often a call was made.
    pub(crate) fn count(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or_default()
    }

    /// What was made, and not given back.
    pub(crate) fn live(&self) -> Vec<String> {
        let names = ["registered", "pinned", "device", "streams", "events", "queued"];
        names
            .iter()
            .filter(|name| self.count(name) > 0)
            .map(|name| format!("{} {name}", self.count(name)))
            .collect()
    }
}

pub(crate) fn report() -> Report {
    // SAFETY: the function has this type.
    let report: extern "C" fn() -> *const c_char =
        unsafe { std::mem::transmute(symbol(c"test_driver_report")) };
    // SAFETY: the string stays until the next call.
    let text = unsafe { CStr::from_ptr(report()) }.to_str().unwrap();
    let mut seen = Report::default();
    for line in text.lines() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["fault:", ..] => seen.faults.push(line.into()),
            ["range", start, nbytes] => {
                let start = usize::from_str_radix(start.trim_start_matches("0x"), 16).unwrap();
                seen.ranges.push((start, nbytes.parse().unwrap()));
            }
            ["calls", name, count] | [name, count] => {
                seen.counts.insert(name.into(), count.parse().unwrap());
            }
            _ => panic!("{line}"),
        }
    }
    seen
}

/// The bytes of a device, which are the test driver's.
pub(crate) fn bytes_at(address: u64, nbytes: usize) -> Vec<u8> {
    let start = std::ptr::with_exposed_provenance::<u8>(address as usize);
    // SAFETY: the test driver has allocated them, and keeps even what was freed.
    unsafe { std::slice::from_raw_parts(start, nbytes) }.to_vec()
}
