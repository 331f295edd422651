//! What memory there is, so that an arena fails when it is made and not when it is used.

use crate::error::{Error, Result};
use rustix::fd::BorrowedFd;
use rustix::fs::FallocateFlags;
use rustix::io::Errno;
use std::fs;
use std::path::{Path, PathBuf};

/// Refuses sizes that the system, or a control group of this process, could not hold.
pub(crate) fn check(wanted: u64) -> Result<()> {
    let limits = [system(Path::new("/proc/meminfo")), control_groups(Path::new("/"))];
    for (free, what) in limits.into_iter().flatten() {
        if wanted > free {
            let why = format!("{what} has {free} bytes left; ask for less, or give it more");
            return Err(Error::Memory { wanted, why, errno: Errno::NOMEM.raw_os_error() });
        }
    }
    Ok(())
}

/// Reserves every byte of a file, which has its size and its memory from then on.
pub(crate) fn reserve(file: BorrowedFd<'_>, total: u64) -> Result<()> {
    // Steps, so that the end of the memory is noticed before it is all in use.
    const STEP: u64 = 256 << 20;
    let refused = |errno: Errno| Error::Memory {
        wanted: total,
        why: format!("{errno}; ask for less, or see `df /dev/shm` and the limits of this process"),
        errno: errno.raw_os_error(),
    };
    // Beyond this limit the system would send a signal that ends the process.
    let limit = rustix::process::getrlimit(rustix::process::Resource::Fsize).current;
    if limit.is_some_and(|limit| limit < total) {
        return Err(refused(Errno::FBIG));
    }
    let mut at = 0;
    while at < total {
        let step = STEP.min(total - at);
        match rustix::fs::fallocate(file, FallocateFlags::empty(), at, step) {
            Ok(()) => at += step,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(refused(errno)),
        }
    }
    Ok(())
}

type Limit = Option<(u64, String)>;

/// What all processes together have left.
fn system(meminfo: &Path) -> Limit {
    let text = fs::read_to_string(meminfo).ok()?;
    let entry = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()
    };
    let kibibytes = entry("MemAvailable:")? + entry("SwapFree:").unwrap_or_default();
    Some((kibibytes << 10, "the system".into()))
}

/// The tightest control group of this process and of those around it, of both versions.
fn control_groups(root: &Path) -> Limit {
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let limits = groups.lines().flat_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        match controllers {
            "" => ancestors(&root.join("sys/fs/cgroup"), path, ["memory.max", "memory.current"]),
            _ if controllers.split(',').any(|name| name == "memory") => ancestors(
                &root.join("sys/fs/cgroup/memory"),
                path,
                ["memory.limit_in_bytes", "memory.usage_in_bytes"],
            ),
            _ => Vec::new(),
        }
    });
    limits.min_by_key(|(free, _)| *free)
}

fn ancestors(mount: &Path, group: &str, [limit, usage]: [&str; 2]) -> Vec<(u64, String)> {
    let group = PathBuf::from(group.trim_start_matches('/'));
    let free = |group: &Path| {
        let folder = mount.join(group);
        let number = |name: &str| fs::read_to_string(folder.join(name)).ok()?.trim().parse().ok();
        // A limit of "max" is no number, and no limit.
        let (limit, used): (u64, u64) = (number(limit)?, number(usage)?);
        // What was cached of files is given up before memory runs out.
        let stat = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
        let cached = stat.lines().find_map(|line| line.strip_prefix("inactive_file "));
        let cached = cached.and_then(|n| n.trim().parse::<u64>().ok()).unwrap_or_default();
        let name = format!("the control group /{}", group.display());
        Some((limit.saturating_sub(used.saturating_sub(cached)), name))
    };
    group.ancestors().filter_map(free).collect()
}

#[cfg(all(test, not(loom), not(miri)))]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn the_tightest_group_of_version_2_counts() {
        let root = tree(&[
            ("proc/self/cgroup", "0::/outer/inner\n"),
            ("sys/fs/cgroup/outer/inner/memory.max", "max\n"),
            ("sys/fs/cgroup/outer/inner/memory.current", "10\n"),
            ("sys/fs/cgroup/outer/memory.max", "1000\n"),
            ("sys/fs/cgroup/outer/memory.current", "900\n"),
            ("sys/fs/cgroup/outer/memory.stat", "anon 1\ninactive_file 300\n"),
        ]);
        assert_eq!(control_groups(root.path()), Some((400, "the control group /outer".into())));
    }

    #[test]
    fn the_memory_group_of_version_1_counts() {
        let root = tree(&[
            ("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/job\n0::/\n"),
            ("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "5000\n"),
            ("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "4000\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "4000\n"),
        ]);
        assert_eq!(control_groups(root.path()), Some((1000, "the control group /job".into())));
    }

    #[test]
    fn what_the_system_has_is_read() {
        let root = tree(&[("meminfo", "MemTotal: 9 kB\nMemAvailable:   3 kB\nSwapFree: 1 kB\n")]);
        assert_eq!(system(&root.path().join("meminfo")), Some((4096, "the system".into())));
        assert!(system(Path::new("/proc/meminfo")).unwrap().0 > 1 << 20);
        let error = check(1 << 60).unwrap_err().to_string();
        assert!(error.contains("cannot reserve 1152921504606846976 bytes"), "{error}");
    }
}
