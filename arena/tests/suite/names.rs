//! Names, and what processes leave behind that were killed. Each test has a `/dev/shm` of its own.

use crate::support::content::{SOON, get, put};
use crate::support::namespace;
use crate::support::process::{Process, Role};
use crate::support::subject::hasty;
use crate::support::system::names;
use libtest_mimic::Trial;
use passband_arena::{Arena, Error, Options, SLICE, SharedMemorySegmentPool, sweep};
use rustix::fs::{MemfdFlags, Mode, SealFlags, fcntl_add_seals, memfd_create};
use rustix::process::{Uid, umask};
use rustix::thread::set_thread_uid;
use std::fs::{self, File};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use xxhash_rust::xxh3::xxh3_64;

pub(crate) const ROLES: &[Role] = &cases![
    failure_16_an_end_that_nobody_opened_is_waited_for,
    failure_18_an_arena_in_the_making_is_refused,
    failure_18_what_is_no_arena_is_refused,
    failure_20_who_attaches_and_goes_takes_nothing_along,
    failure_21_the_killed_leave_no_name_that_is_not_swept,
    failure_21_a_sweep_spares_an_arena_in_the_making,
    failure_22_no_name_is_ever_adopted,
    failure_33_other_users_cannot_attach,
    failure_33_an_arena_keeps_its_size,
    attaches_to_all,
    attaches_and_goes,
    makes_and_waits,
];

pub(crate) fn trials() -> Vec<Trial> {
    let tests = ROLES.iter().filter(|(role, _)| role.starts_with("failure_"));
    tests.map(|(role, _)| namespace::trial("names", role)).collect()
}

fn named() -> Arena {
    SharedMemorySegmentPool::new(1000, 2, Options { named: true, ..hasty() }).unwrap()
}

fn works(arena: &Arena) {
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    put(&mut writer, 1000).unwrap();
    get(&mut reader).unwrap();
}

/// A named arena whose maker was killed.
fn orphaned() -> Arena {
    let mut maker = Process::spawn(Process::command("makes_and_waits"));
    let arena = Arena::open(&maker.line().unwrap()).unwrap();
    maker.kill();
    arena
}

/// Who makes an arena for two others may go: the death of that process is not that of an end.
fn failure_16_an_end_that_nobody_opened_is_waited_for(_: &[String]) {
    let arena = orphaned();
    let mut reader = arena.open_reader().unwrap();
    assert!(reader.next(Some(2 * SLICE)).unwrap().is_none());
    put(&mut arena.open_writer().unwrap(), 1000).unwrap();
    get(&mut reader).unwrap();

    let arena = orphaned();
    let mut writer = arena.open_writer().unwrap();
    let full = std::iter::repeat_with(|| put(&mut writer, 1000)).find_map(Result::err).unwrap();
    assert!(matches!(full, Error::Full(_)), "{full:?}");
    writer.wait(1000, SLICE).unwrap();
    let mut reader = arena.open_reader().unwrap();
    get(&mut reader).unwrap();
    put(&mut writer, 1000).unwrap();
}

fn failure_18_an_arena_in_the_making_is_refused(_: &[String]) {
    let mut attacher = Process::spawn(Process::command("attaches_to_all"));
    let death = attacher.death();
    while !death.is_finished() {
        let arena = named();
        arena.close();
        arena.unlink();
    }
    attacher.succeed();
    assert_eq!(names(), [""; 0]);
}

/// Attaches whatever has a name, in whatever state it is.
fn attaches_to_all(_: &[String]) {
    let mut attached = 0;
    while attached < 100 {
        for name in names() {
            match Arena::open(&name) {
                Ok(arena) => {
                    assert_eq!((arena.segment_size(), arena.count()), (1000, 2));
                    attached += 1;
                }
                Err(Error::Endpoint(text)) => {
                    let known =
                        ["cannot attach: the arena ", "the shared memory is too small to be an arena"];
                    assert!(known.iter().any(|known| text.starts_with(known)), "{text}");
                }
                Err(Error::System { what: "no arena of this name", .. }) => {}
                Err(error) => panic!("{error:?}"),
            }
        }
    }
}

/// A sealed file of these bytes.
fn sealed(bytes: &[u8]) -> OwnedFd {
    let fd = memfd_create(c"test", MemfdFlags::ALLOW_SEALING | MemfdFlags::CLOEXEC).unwrap();
    let file = File::from(fd);
    file.write_all_at(bytes, 0).unwrap();
    fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW).unwrap();
    file.into()
}

fn failure_18_what_is_no_arena_is_refused(_: &[String]) {
    let text = |fd: OwnedFd| Arena::attach(fd).unwrap_err().to_string();
    let unsealed = memfd_create(c"test", MemfdFlags::ALLOW_SEALING).unwrap();
    for fd in
        [unsealed, File::open("/dev/null").unwrap().into(), File::open("/proc/self/exe").unwrap().into()]
    {
        assert_eq!(text(fd), "the descriptor is not that of an arena");
    }
    for bytes in [&[][..], &[0; 4096]] {
        assert_eq!(text(sealed(bytes)), "the shared memory is too small to be an arena");
    }
    assert_eq!(text(sealed(&vec![0; 1 << 20])), "cannot attach: the arena is still being made");
    assert_eq!(text(sealed(&vec![1; 1 << 20])), "cannot attach: this is not an arena");

    let arena = SharedMemorySegmentPool::new(1000, 2, hasty()).unwrap();
    let file = File::from(arena.descriptor().unwrap());
    let mut bytes = vec![0; file.metadata().unwrap().len() as usize];
    file.read_exact_at(&mut bytes, 0).unwrap();
    // A copy is an arena too, once the process has it no more.
    drop((arena, file));
    works(&Arena::attach(sealed(&bytes)).unwrap());

    let with = |word: usize, value: u64, signed: bool| {
        let mut bytes = bytes.clone();
        bytes[8 * word..8 * word + 8].copy_from_slice(&value.to_le_bytes());
        if signed {
            let ready = xxh3_64(&bytes[..8 * READY]) | 1;
            bytes[8 * READY..8 * READY + 8].copy_from_slice(&ready.to_le_bytes());
        }
        text(sealed(&bytes))
    };
    for word in 0..READY {
        assert_eq!(with(word, 77, false), "cannot attach: this is not an arena");
    }
    assert_eq!(with(READY, 0, false), "cannot attach: the arena is still being made");
    assert_eq!(with(0, 77, true), "cannot attach: this is not an arena");
    assert_eq!(with(1, 77, true), "cannot attach: the arena has layout 77, this build knows 2");
    // Segment size, count, records and total.
    for (word, value) in
        [(4, 1 << 60), (4, u64::MAX), (5, 3), (5, u64::MAX), (6, 63), (6, 0), (7, 1), (7, 1 << 40)]
    {
        let refused = with(word, value, true);
        assert_eq!(refused, "cannot attach: the sizes of the arena do not agree", "word {word} is {value}");
    }
    assert!(with(12, 77, true).contains("another pid namespace"));
}

/// The word that is stored last, behind those that it is a hash of.
const READY: usize = 13;

fn attaches_and_goes(words: &[String]) {
    let arena = Arena::open(&words[0]).unwrap();
    works(&arena);
    if words[1] == "close" {
        arena.close();
    }
}

fn failure_20_who_attaches_and_goes_takes_nothing_along(_: &[String]) {
    for how in ["close", "drop"] {
        let arena = named();
        let name = arena.name().unwrap();
        let mut command = Process::command("attaches_and_goes");
        command.args([&name, how]);
        Process::spawn(command).succeed();
        assert_eq!(names(), std::slice::from_ref(&name));
        // What is closed stays closed; it is there, and can be attached.
        assert_eq!(Arena::open(&name).unwrap().published().unwrap(), 1);
        arena.unlink();
        assert_eq!(names(), [""; 0]);
    }
}

fn makes_and_waits(_: &[String]) {
    let anonymous = SharedMemorySegmentPool::new(1000, 2, hasty()).unwrap();
    let named = named();
    works(&anonymous);
    println!("{}", named.name().unwrap());
    thread::sleep(SOON);
}

fn failure_21_the_killed_leave_no_name_that_is_not_swept(_: &[String]) {
    let mut maker = Process::spawn(Process::command("makes_and_waits"));
    let name = maker.line().unwrap();
    assert_eq!(names(), std::slice::from_ref(&name));
    assert_eq!(sweep().unwrap(), [""; 0], "the living keep their names");
    let arena = Arena::open(&name).unwrap();
    maker.kill();
    assert_eq!(sweep().unwrap(), [""; 0], "it is in use here");
    works(&arena);
    drop(arena);
    assert_eq!(sweep().unwrap(), [name]);
    assert_eq!(names(), [""; 0]);
}

fn failure_21_a_sweep_spares_an_arena_in_the_making(_: &[String]) {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let sweeper = scope.spawn(|| {
            let mut swept = Vec::new();
            while !over.load(Ordering::SeqCst) {
                swept.extend(sweep().unwrap());
            }
            swept
        });
        let mut made = Vec::new();
        for _ in 0..2000 {
            let arena = named();
            let name = arena.name().unwrap();
            assert!(names().contains(&name), "an arena without its name");
            arena.unlink();
            made.push(name);
        }
        over.store(true, Ordering::SeqCst);
        let swept = sweeper.join().unwrap();
        // A name may go while its maker has yet to lock it; then the arena has got another.
        assert!(made.iter().all(|name| !swept.contains(name)), "swept while it was in use");
    });
}

fn failure_22_no_name_is_ever_adopted(_: &[String]) {
    let arenas = [(); 50].map(|()| named());
    let mut different: Vec<String> = arenas.iter().map(|arena| arena.name().unwrap()).collect();
    for name in &different {
        let random = name.strip_prefix("passband-").unwrap();
        assert!(random.len() == 32 && random.bytes().all(|digit| digit.is_ascii_hexdigit()), "{name}");
    }
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 50);
    // What lies about under such a name is not taken for an arena.
    let squatted = format!("passband-{:032x}", 7);
    fs::write(format!("/dev/shm/{squatted}"), vec![0; 1 << 18]).unwrap();
    let refused = Arena::open(&squatted).unwrap_err();
    assert_eq!(refused.to_string(), "cannot attach: the arena is still being made");
    for outside in ["../etc/passwd", "passband-/../x", "other", ""] {
        assert!(matches!(Arena::open(outside), Err(Error::System { .. })), "{outside}");
    }
    arenas.iter().for_each(Arena::unlink);
    assert_eq!(names(), [squatted]);
}

fn failure_33_other_users_cannot_attach(_: &[String]) {
    umask(Mode::empty());
    let arena = named();
    let path = format!("/dev/shm/{}", arena.name().unwrap());
    assert_eq!(fs::metadata(path).unwrap().mode() & 0o7777, 0o600);
    let anonymous = SharedMemorySegmentPool::new(1000, 2, hasty()).unwrap();
    let mode = File::from(anonymous.descriptor().unwrap()).metadata().unwrap().mode();
    assert_eq!(mode & 0o7777, 0o600);
    set_thread_uid(Uid::from_raw(65534)).unwrap();
    let error = Arena::open(&arena.name().unwrap()).unwrap_err();
    assert!(error.to_string().ends_with("Permission denied (os error 13)"), "{error}");
    assert_eq!(sweep().unwrap(), [""; 0]);
}

fn failure_33_an_arena_keeps_its_size(_: &[String]) {
    let arena = SharedMemorySegmentPool::new(1000, 2, hasty()).unwrap();
    let file = File::from(arena.descriptor().unwrap());
    let size = file.metadata().unwrap().len();
    for other in [0, size - 1, size + 1] {
        assert_eq!(file.set_len(other).unwrap_err().raw_os_error(), Some(libc::EPERM));
    }
    let refused = fcntl_add_seals(&file, SealFlags::WRITE).unwrap_err();
    assert_eq!(refused.raw_os_error(), libc::EPERM, "nor can it be made read-only for others");
    works(&arena);
}
