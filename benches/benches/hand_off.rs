//! How long a unit takes from one thread to another, beside the least that any hand-over could take: two
//! words, a spin, and a futex. Half a round trip under load, where nobody has to sleep for long.

use criterion::{Criterion, criterion_group, criterion_main};
use passband_arena::{Arena, Error, Options, Reader, SharedMemorySegmentPool, Writer};
use rustix::thread::futex;
use std::hint::{black_box, spin_loop};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering, fence};
use std::thread;
use std::time::{Duration, Instant};

const SPIN: Duration = Duration::from_micros(20);
const STOP: u32 = u32::MAX;

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

fn pass_on(reader: &mut Reader, writer: &mut Writer) -> Result<(), Error> {
    loop {
        let delivery = reader.next(None)?.expect("without a limit there is no time-out");
        let unit = reader.export(reader.extents()[0])?;
        reader.end_unit(delivery.ticket)?;
        send(writer, black_box(unit.nbytes()))?;
    }
}

fn send(writer: &mut Writer, nbytes: usize) -> Result<(), Error> {
    writer.begin(nbytes)?;
    writer.write([0u8; 64].as_slice())?;
    writer.commit(&[])?;
    Ok(())
}

fn pool() -> Arena {
    let options = Options { spin: SPIN, ..Options::default() };
    SharedMemorySegmentPool::new(4096, 4, options).expect("16 KiB of shared memory")
}

fn arena(criterion: &mut Criterion) {
    let (there, back) = (pool(), pool());
    let mut echo_reader = there.open_reader().expect("a new pool");
    let mut echo_writer = back.open_writer().expect("a new pool");
    let echo = thread::spawn(move || pass_on(&mut echo_reader, &mut echo_writer));
    let mut writer = there.open_writer().expect("a new pool");
    let mut reader = back.open_reader().expect("a new pool");
    criterion.bench_function("hand-off/pool units of 64 bytes", |bencher| {
        bencher.iter_custom(|times| {
            let start = Instant::now();
            for _ in 0..times {
                send(&mut writer, 64).expect("the echo is there");
                let delivery = reader.next(None).expect("the echo is there").expect("a unit");
                black_box(reader.export(reader.extents()[0]).expect("one binary"));
                reader.end_unit(delivery.ticket).expect("its own ticket");
            }
            start.elapsed() / 2
        });
    });
    drop(writer);
    assert!(matches!(echo.join().expect("the echo ends"), Err(Error::Closed(_))));
}

criterion_group!(benches, bare, arena);
criterion_main!(benches);
