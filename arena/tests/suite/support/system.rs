//! What the system knows of an arena: its names, mappings and descriptors.

use passband_arena::Arena;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::thread;
use std::time::{Duration, Instant};

/// The memory behind an arena, as the system tells it from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Traces {
    device: u64,
    inode: u64,
}

impl Traces {
    /// To be asked before the arena is closed.
    pub(crate) fn of(arena: &Arena) -> Self {
        let file = fs::File::from(arena.descriptor().unwrap()).metadata().unwrap();
        Self { device: file.dev(), inode: file.ino() }
    }

    /// The lines of this process's mappings that show the arena.
    pub(crate) fn mappings(self) -> Vec<String> {
        let (major, minor) = (rustix::fs::major(self.device), rustix::fs::minor(self.device));
        let (device, inode) = (format!("{major:02x}:{minor:02x}"), self.inode.to_string());
        let maps = fs::read_to_string("/proc/self/maps").unwrap();
        let shows = |line: &&str| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            fields[3] == device && fields[4] == inode
        };
        maps.lines().filter(shows).map(str::to_owned).collect()
    }

    /// How many descriptors of this process lead to the arena.
    pub(crate) fn descriptors(self) -> usize {
        let open = fs::read_dir("/proc/self/fd").unwrap().flatten();
        // One that is closed meanwhile is none.
        let files = open.filter_map(|entry| fs::metadata(entry.path()).ok());
        files.filter(|file| (file.dev(), file.ino()) == (self.device, self.inode)).count()
    }

    /// That nothing of the arena is left in this process.
    pub(crate) fn assert_none(self) {
        assert_eq!(self.mappings(), [""; 0], "mappings of the arena");
        assert_eq!(self.descriptors(), 0, "descriptors of the arena");
    }
}

/// The names of shared memory.
pub(crate) fn names() -> Vec<String> {
    let entries = fs::read_dir("/dev/shm").unwrap().flatten();
    entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

/// The named arenas that no process has attached: those in use hold a lock.
pub(crate) fn abandoned() -> Vec<String> {
    let unlocked =
        |name: &String| File::open(format!("/dev/shm/{name}")).is_ok_and(|file| file.try_lock().is_ok());
    names().into_iter().filter(|name| name.starts_with("passband-") && unlocked(name)).collect()
}

/// That no arena is abandoned but those that were before.
pub(crate) fn assert_none_abandoned_since(before: &[String]) {
    let start = Instant::now();
    loop {
        let left: Vec<String> = abandoned().into_iter().filter(|name| !before.contains(name)).collect();
        if left.is_empty() {
            return;
        }
        // One that another program is just making, or just removing, is unlocked for a moment.
        assert!(start.elapsed() < Duration::from_secs(1), "left in /dev/shm: {left:?}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Whether the arena of this name is to be seen.
pub(crate) fn has_name(name: &str) -> bool {
    fs::exists(format!("/dev/shm/{name}")).unwrap()
}

/// How the page at an address of this process is protected.
pub(crate) fn protection(address: usize) -> Option<String> {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    maps.lines().find_map(|line| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let bound = |text| usize::from_str_radix(text, 16).unwrap();
        (bound(start)..bound(end)).contains(&address).then(|| rest[..4].to_owned())
    })
}
