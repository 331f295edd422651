//! How long it takes from unit to unit under load, beside the least that any hand-over could take: half a
//! round trip of two words, with a spin and then a futex; and beside what the lines of a unit alone take.

use criterion::{Criterion, criterion_group};
use passband_arena::{Arena, Error, Options, Reader, SharedMemorySegmentPool, Writer};
use rustix::thread::futex;
use std::env;
use std::hint::{black_box, spin_loop};
use std::io::stdin;
use std::os::fd::AsFd;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
use std::thread;
use std::time::{Duration, Instant};

const SPIN: Duration = Duration::from_micros(20);
const STOP: u32 = u32::MAX;
/// Set in the process that sends.
const LOAD: &str = "PASSBAND_HAND_OFF_LOAD";

/// A word that one thread changes, and another waits to see changed.
#[derive(Default)]
struct Word {
    value: AtomicU32,
    sleepers: AtomicU32,
}

impl Word {
    fn set(&self, value: u32) {
        self.value.store(value, Ordering::Release);
        fence(Ordering::SeqCst);
        if self.sleepers.load(Ordering::Relaxed) != 0 {
            let _ = futex::wake(&self.value, futex::Flags::empty(), 1);
        }
    }

    fn wait_until_not(&self, value: u32) -> u32 {
        let start = Instant::now();
        loop {
            for _ in 0..32 {
                let seen = self.value.load(Ordering::Acquire);
                if seen != value {
                    return seen;
                }
                spin_loop();
            }
            if start.elapsed() >= SPIN {
                self.sleepers.store(1, Ordering::Relaxed);
                fence(Ordering::SeqCst);
                let _ = futex::wait(&self.value, futex::Flags::empty(), value, None);
                self.sleepers.store(0, Ordering::Relaxed);
            }
        }
    }
}

fn bare(criterion: &mut Criterion) {
    let words = Arc::new([Word::default(), Word::default()]);
    let [there, back] = &*words;
    let echo = thread::spawn({
        let words = words.clone();
        move || {
            let mut seen = 0;
            while seen != STOP {
                seen = words[0].wait_until_not(seen);
                words[1].set(seen);
            }
        }
    });
    let mut count = 0;
    criterion.bench_function("hand-off/bare words", |bencher| {
        bencher.iter_custom(|times| {
            let start = Instant::now();
            for _ in 0..times {
                let before = count;
                count += 1;
                there.set(count);
                back.wait_until_not(before);
            }
            start.elapsed() / 2
        });
    });
    there.set(STOP);
    echo.join().expect("the echo ends");
}

/// A line of a processor, and its neighbour, which is fetched with it.
#[derive(Default)]
#[repr(align(128))]
struct Line([AtomicU64; 16]);

/// The lines by which a unit is handed over: its bytes, what it is, whether it was released.
#[derive(Default)]
struct Unit {
    bytes: Line,
    record: Line,
    released: Line,
}

const UNITS: usize = 8;
const AHEAD: u64 = 3;

/// The same lines as a pool's, and nothing but stores, loads and spins.
#[derive(Default)]
struct Lines {
    units: [Unit; UNITS],
    published: Line,
    delivered: Line,
}

impl Lines {
    /// Sends units until the reader is done with the last of all.
    fn send(&self) {
        for number in 0.. {
            let unit = &self.units[number as usize % UNITS];
            loop {
                let delivered = self.delivered.0[0].load(Ordering::Acquire);
                if delivered == u64::MAX {
                    return;
                }
                let released = unit.released.0[0].load(Ordering::Acquire);
                if number - delivered < AHEAD && released + UNITS as u64 > number {
                    break;
                }
                spin_loop();
            }
            unit.bytes.0.iter().take(8).for_each(|word| word.store(number, Ordering::Relaxed));
            unit.record.0.iter().for_each(|word| word.store(number, Ordering::Relaxed));
            self.published.0[0].store(number + 1, Ordering::Release);
        }
    }

    fn receive(&self, number: u64) {
        let unit = &self.units[number as usize % UNITS];
        while self.published.0[0].load(Ordering::Acquire) <= number {
            spin_loop();
        }
        unit.record.0.iter().for_each(|word| assert_eq!(word.load(Ordering::Relaxed), number));
        self.delivered.0[0].store(number + 1, Ordering::Release);
        unit.released.0[0].store(number + 1, Ordering::Release);
    }
}

/// What a pool's units would take if only their lines had to cross, from unit to unit.
fn lines(criterion: &mut Criterion) {
    let lines = Arc::new(Lines::default());
    let load = thread::spawn({
        let lines = lines.clone();
        move || lines.send()
    });
    let mut number = 0;
    criterion.bench_function("hand-off/bare lines of units", |bencher| {
        bencher.iter_custom(|times| {
            let start = Instant::now();
            for _ in 0..times {
                lines.receive(number);
                number += 1;
            }
            start.elapsed()
        });
    });
    lines.delivered.0[0].store(u64::MAX, Ordering::Release);
    load.join().expect("the sender ends");
}

fn send(writer: &mut Writer) -> Result<(), Error> {
    writer.begin(64)?;
    writer.write([0u8; 64].as_slice())?;
    writer.commit(&[])?;
    Ok(())
}

fn receive(reader: &mut Reader) -> Result<(), Error> {
    let delivery = reader.next(None)?.expect("without a limit there is no time-out");
    black_box(reader.export(reader.extents()[0])?);
    reader.end_unit(delivery.ticket)
}

/// Sends through the arena behind standard input until its reader is gone.
fn load() {
    let arena = stdin().as_fd().try_clone_to_owned().expect("a descriptor");
    let arena = Arena::attach(arena).expect("the pool of `arena`");
    let mut writer = arena.open_writer().expect("a free end");
    while send(&mut writer).is_ok() {}
}

/// A process that sends as fast as it may, and a reader that drops each unit: from unit to unit.
fn arena(criterion: &mut Criterion) {
    let options = Options { spin: SPIN, ..Options::default() };
    let pool = SharedMemorySegmentPool::new(4096, 8, options).expect("32 KiB of shared memory");
    let mut reader = pool.open_reader().expect("a new pool");
    let program = env::current_exe().expect("this program");
    let descriptor = pool.descriptor().expect("the pool is there");
    let mut load = Command::new(program).env(LOAD, "1").stdin(descriptor).spawn().expect("a process");
    criterion.bench_function("hand-off/pool units of 64 bytes", |bencher| {
        bencher.iter_custom(|times| {
            let start = Instant::now();
            for _ in 0..times {
                receive(&mut reader).expect("the writer is there");
            }
            start.elapsed()
        });
    });
    drop(reader);
    assert!(load.wait().expect("a child").success());
}

criterion_group!(benches, bare, lines, arena);

fn main() {
    if env::var_os(LOAD).is_some() {
        return load();
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
