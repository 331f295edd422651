//! Memory, descriptors and address space that are not there: errors when an arena is made, and nothing
//! left of it. Each test is a process of its own.

use crate::support::content::{get, put};
use crate::support::namespace::{self, SHM_MIB};
use crate::support::process::{Process, Role};
use crate::support::subject::hasty;
use libtest_mimic::Trial;
use passband_arena::{Arena, Error, Options, Result, SharedMemoryRingBuffer, SharedMemorySegmentPool};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fs;

pub(crate) const ROLES: &[Role] = &cases![
    failure_27_an_arena_that_cannot_be_made_leaves_nothing,
    failure_28_a_limit_of_file_sizes_is_an_error,
    failure_28_a_limit_of_the_address_space_is_an_error,
    failure_28_a_full_dev_shm_is_an_error,
    failure_29_more_than_the_system_has_is_refused,
    failure_30_an_arena_needs_few_descriptors,
    failure_32_memory_is_touched_when_the_arena_is_made,
];

pub(crate) fn trials() -> Vec<Trial> {
    let trial = |(role, _): &Role| match *role {
        "failure_28_a_full_dev_shm_is_an_error" => namespace::trial("memory", role),
        role => Trial::test(format!("memory::{role}"), || {
            Process::spawn(Process::command(role)).succeed();
            Ok(())
        }),
    };
    ROLES.iter().map(trial).collect()
}

/// A pool of so many mebibytes.
fn pool(mebibytes: usize, named: bool) -> Result<Arena> {
    SharedMemorySegmentPool::new(mebibytes << 18, 4, Options { named, prefault: false, ..hasty() })
}

fn count(folder: &str) -> usize {
    fs::read_dir(folder).unwrap().count()
}

/// The mappings of arenas.
fn mappings() -> usize {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    maps.matches("/memfd:passband").count() + maps.matches("/dev/shm/passband-").count()
}

/// The error of what cannot be made; nothing is left of the attempt.
fn refused(make: impl Fn() -> Result<Arena>) -> Error {
    let before = (count("/proc/self/fd"), mappings());
    let error = make().unwrap_err();
    assert_eq!((count("/proc/self/fd"), mappings()), before, "{error}");
    error
}

fn limit(resource: Resource, current: u64) {
    setrlimit(resource, Rlimit { current: Some(current), ..getrlimit(resource) }).unwrap();
}

/// That the error names the size, and has this number.
fn assert_memory(error: &Error, mebibytes: u64, number: i32) {
    let Error::Memory { wanted, errno, .. } = error else { panic!("{error:?}") };
    // The segments and the control area.
    assert!((mebibytes << 20..(mebibytes << 20) + (1 << 18)).contains(wanted), "{error}");
    assert_eq!(*errno, number, "{error}");
    assert!(error.to_string().starts_with(&format!("cannot reserve {wanted} bytes of shared memory: ")));
}

/// That all is well with an arena.
fn works(arena: &Arena) {
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    for _ in 0..=arena.count() {
        put(&mut writer, arena.segment_size()).unwrap();
        get(&mut reader).unwrap();
    }
}

fn failure_27_an_arena_that_cannot_be_made_leaves_nothing(_: &[String]) {
    for named in [false, true] {
        let options = Options { named, ..hasty() };
        for (size, count) in [(0, 1), (1, 0), (0, 0)] {
            let error = refused(|| SharedMemorySegmentPool::new(size, count, options));
            assert!(matches!(error, Error::Argument { .. }), "{error:?}");
        }
        let error = refused(|| SharedMemoryRingBuffer::new(0, options));
        assert_eq!(error.to_string(), "capacity: expected a positive number of them, got 0");
        for (size, count) in
            [(usize::MAX, 1), (1 << 63, 1), (1, usize::MAX), (1 << 40, 1 << 40), (1 << 62, 1)]
        {
            let error = refused(|| SharedMemorySegmentPool::new(size, count, options));
            assert!(matches!(error, Error::Memory { .. }), "{error:?}");
        }
    }
}

fn failure_28_a_limit_of_file_sizes_is_an_error(_: &[String]) {
    limit(Resource::Fsize, 4 << 20);
    for named in [false, true] {
        let error = refused(|| pool(8, named));
        assert_memory(&error, 8, libc::EFBIG);
        works(&pool(2, false).unwrap());
    }
}

fn failure_28_a_limit_of_the_address_space_is_an_error(_: &[String]) {
    let pages = fs::read_to_string("/proc/self/statm").unwrap();
    let used: u64 = pages.split(' ').next().unwrap().parse().unwrap();
    limit(Resource::As, used * 4096 + (64 << 20));
    for named in [false, true] {
        let error = refused(|| pool(100, named));
        assert_memory(&error, 100, libc::ENOMEM);
        assert!(error.to_string().contains("mapping failed: "), "{error}");
    }
    works(&pool(8, false).unwrap());
}

fn failure_28_a_full_dev_shm_is_an_error(_: &[String]) {
    for mebibytes in [SHM_MIB as u64, 400] {
        let error = refused(|| pool(mebibytes as usize, true));
        assert_memory(&error, mebibytes, libc::ENOSPC);
        assert!(error.to_string().contains("see `df /dev/shm`"), "{error}");
        assert_eq!(count("/dev/shm"), 0, "names left behind");
    }
    let arena = pool(SHM_MIB - 1, true).unwrap();
    works(&arena);
    // An anonymous arena lies elsewhere.
    works(&pool(2 * SHM_MIB, false).unwrap());
    arena.unlink();
    assert_eq!(count("/dev/shm"), 0, "names left behind");
}

fn failure_29_more_than_the_system_has_is_refused(_: &[String]) {
    for named in [false, true] {
        let error = refused(|| pool(1 << 30, named));
        assert_memory(&error, 1 << 30, libc::ENOMEM);
        assert!(error.to_string().contains(" has ") && error.to_string().contains(" bytes left"), "{error}");
    }
}

fn failure_30_an_arena_needs_few_descriptors(_: &[String]) {
    let used = count("/proc/self/fd") as u64;
    // One for the arena, and one to look into /proc with.
    limit(Resource::Nofile, used + 1);
    let arena = SharedMemorySegmentPool::new(100, 100, hasty()).unwrap();
    works(&arena);
    limit(Resource::Nofile, 3);
    for named in [false, true] {
        let error = pool(1, named).unwrap_err();
        assert!(matches!(error, Error::System { .. }), "{error:?}");
        assert!(error.to_string().ends_with(" shared memory: Too many open files (os error 24)"), "{error}");
    }
    limit(Resource::Nofile, used + 10);
    works(&pool(1, false).unwrap());
}

fn failure_32_memory_is_touched_when_the_arena_is_made(_: &[String]) {
    let resident = || -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("RssShmem:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
    };
    for prefault in [false, true] {
        let before = resident();
        let arena = SharedMemorySegmentPool::new(4 << 20, 4, Options { prefault, ..hasty() }).unwrap();
        let touched = resident() - before;
        assert_eq!(touched >= 16 << 20, prefault, "{touched} bytes are resident");
        drop(arena);
    }
}
