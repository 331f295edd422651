//! What the victims do, always with the same stores in the same order: they never wait in the arena,
//! but look, without a store, until the other side has come as far.

use super::makers::judges_makers;
use super::survivors;
use crate::support::content::{SOON, bytes_of};
use crate::support::process::{Process, Role, given_arena};
use crate::support::subject::{Made, Memory, Subject, within};
use passband_arena::{
    Arena, Blocker, Delivery, Error, Kind, Options, Reader, SharedMemorySegmentPool, Writer, crash,
};
use std::thread;
use std::time::{Duration, Instant};

/// A victim, and those around it.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) ring: bool,
    /// The role of one that dies before the victim comes.
    pub(crate) before: Option<&'static str>,
    /// The role of the victim.
    pub(crate) victim: &'static str,
    /// What happens meanwhile, and afterwards, in this process.
    pub(crate) survivor: fn(&Arena, &mut Process),
}

impl Scenario {
    pub(crate) fn arena(&self) -> Made {
        let subject = Subject { memory: Memory::Memfd, ring: self.ring };
        // Nobody spins, and all fits that the victim sends.
        let options = Options { spin: Duration::ZERO, max_ahead: 8, ..within(Duration::from_secs(1)) };
        // A ring in which one large unit stands in the way of the next.
        if self.ring { subject.arena(SEGMENT - 32, 2, options) } else { subject.arena(SEGMENT, 3, options) }
    }
}

#[rustfmt::skip]
pub(crate) const SCENARIOS: &[Scenario] = &[
    Scenario { name: "pool_writer", ring: false, before: None, victim: "crash_writes", survivor: survivors::reads },
    Scenario { name: "ring_writer", ring: true, before: None, victim: "crash_writes", survivor: survivors::reads },
    Scenario { name: "pool_reader", ring: false, before: None, victim: "crash_reads", survivor: survivors::writes },
    Scenario { name: "ring_reader", ring: true, before: None, victim: "crash_reads", survivor: survivors::writes },
    Scenario { name: "next_pool_writer", ring: false, before: Some("dies_writing"), victim: "crash_writes", survivor: survivors::reads },
    Scenario { name: "next_ring_writer", ring: true, before: Some("dies_writing"), victim: "crash_writes", survivor: survivors::reads },
    Scenario { name: "next_pool_reader", ring: false, before: Some("dies_holding"), victim: "crash_reads", survivor: survivors::writes },
    Scenario { name: "bystander", ring: false, before: None, victim: "crash_shuts_down", survivor: survivors::lives_on },
];

pub(crate) const ROLES: &[Role] = &cases![
    crash_writes,
    crash_reads,
    crash_shuts_down,
    crash_makes,
    judges_makers,
    dies_writing,
    dies_holding
];

/// The bytes of a segment.
pub(crate) const SEGMENT: usize = 8000;

/// The sizes of the binaries of a unit and the bytes of its envelope, by its place in a script.
pub(crate) fn shape(step: u64) -> (&'static [usize], usize) {
    match step {
        0 => (&[300, 0, 65], 20),
        // An envelope that lies in its unit.
        1 => (&[1000], 1200),
        2 => (&[SEGMENT], 8),
        _ => (&[100], 8),
    }
}

/// Binary `index` of a unit.
pub(crate) fn binary(unit: u64, index: usize, nbytes: usize) -> Vec<u8> {
    bytes_of(unit << 8 | index as u64, nbytes)
}

/// Sends the unit of a step; the first binary is placed, where the arena is a pool.
pub(crate) fn send(writer: &mut Writer, step: u64, placed: bool) -> passband_arena::Result<()> {
    let (binaries, body) = shape(step);
    writer.begin(SEGMENT)?;
    let unit = writer.published();
    for (index, nbytes) in binaries.iter().enumerate() {
        let bytes = binary(unit, index, *nbytes);
        if placed && index == 0 {
            writer.place(*nbytes)?.1.fill(&bytes);
        } else {
            writer.write(bytes.as_slice())?;
        }
    }
    writer.commit(&[&unit.to_le_bytes()[..], &bytes_of(unit, body - 8)].concat()).map(|_| ())
}

/// Checks that the record being read is whole: all of its bytes are its own.
pub(crate) fn check(reader: &Reader, delivery: Delivery) {
    let unit = delivery.ticket.unit;
    if delivery.ticket.nbytes > 0 {
        let rest = reader.body().strip_prefix(&unit.to_le_bytes()[..]).expect("the number of the unit");
        assert!(rest == bytes_of(unit, rest.len()), "the envelope of unit {unit}");
    }
    for (index, extent) in reader.extents().iter().enumerate() {
        let wanted = binary(unit, index, extent.nbytes);
        assert!(reader.read_vec(*extent).unwrap() == wanted, "binary {index} of unit {unit}");
    }
}

/// Looks until something is so.
fn until(mut ready: impl FnMut() -> bool) {
    let start = Instant::now();
    while !ready() {
        assert!(start.elapsed() < SOON, "it never comes");
        thread::sleep(Duration::from_micros(50));
    }
}

/// The arena, with the victim's points counted from here on.
fn victims_arena(words: &[String]) -> Arena {
    crash::arm(words[0].parse().unwrap());
    given_arena().unwrap()
}

fn report() {
    for (number, place) in crash::passed().iter().enumerate() {
        eprintln!("crash point {number} at {place}");
    }
}

/// Every way to send something, and to wait for room to.
fn crash_writes(words: &[String]) {
    let arena = victims_arena(words);
    let pool = arena.count() > 0;
    let mut writer = arena.open_writer().unwrap();
    until(|| writer.reclaimed().unwrap() == writer.published());
    writer.send(Kind::Started, b"now").unwrap();
    send(&mut writer, 0, pool).unwrap();
    writer.begin(SEGMENT).unwrap();
    writer.write([0xee; 200].as_slice()).unwrap();
    writer.abort();
    send(&mut writer, 1, false).unwrap();
    send(&mut writer, 2, false).unwrap();
    if pool {
        until(
            || matches!(writer.full(0, Duration::ZERO), Error::Full(full) if matches!(full.blocker, Blocker::Held { .. })),
        );
    }
    assert!(!writer.try_begin(SEGMENT).unwrap());
    writer.wait(SEGMENT, Duration::from_millis(1)).unwrap();
    println!("full");
    until(|| writer.reclaimed().unwrap() == writer.published());
    send(&mut writer, 3, pool).unwrap();
    let before = writer.wanted_pass().unwrap();
    println!("begin anew");
    until(|| writer.wanted_pass().unwrap() > before);
    writer.begin_pass(before + 1);
    writer.wait_for_pass(before + 1, Duration::from_millis(1)).unwrap();
    until(|| writer.reclaimed().unwrap() == writer.published());
    send(&mut writer, 4, false).unwrap();
    // What is carried arrives by no way that the reader of this scenario looks at.
    writer.try_send(Kind::Error, &[1; 2000], Some(&mut |_| Ok(()))).unwrap();
    writer.send(Kind::End, b"").unwrap();
    drop(writer);
    report();
}

/// Takes up what there is next.
fn next(reader: &mut Reader) -> Delivery {
    let mut taken = None;
    until(|| {
        taken = reader.try_next().unwrap();
        taken.is_some()
    });
    let delivery = taken.expect("taken");
    check(reader, delivery);
    delivery
}

/// Every way to take something, and to let it go.
fn crash_reads(words: &[String]) {
    let arena = victims_arena(words);
    let pool = arena.count() > 0;
    let mut reader = arena.open_reader().unwrap();
    reader.wait(Duration::from_millis(1)).unwrap();
    println!("waiting");
    let mut kept = Vec::new();
    for _ in 0..3 {
        let delivery = next(&mut reader);
        if pool {
            kept.push(reader.export(reader.extents()[0]).unwrap());
        }
        reader.end_unit(delivery.ticket).unwrap();
    }
    drop(kept.pop());
    kept.clear();
    let ticket = next(&mut reader).ticket;
    reader.end_unit(ticket).unwrap();
    reader.request_pass().unwrap();
    loop {
        let ticket = next(&mut reader).ticket;
        reader.end_unit(ticket).unwrap();
        if ticket.pass > 0 {
            break;
        }
    }
    drop(reader);
    report();
}

/// Ends the stream of two others.
fn crash_shuts_down(words: &[String]) {
    let arena = victims_arena(words);
    arena.shut_down();
    arena.unlink();
    report();
}

/// Makes an arena, closes it and unlinks it.
fn crash_makes(words: &[String]) {
    crash::arm(words[0].parse().unwrap());
    let options = Options { named: words[1] == "named", prefault: false, ..Options::default() };
    let arena = SharedMemorySegmentPool::new(100, 2, options).unwrap();
    arena.close();
    arena.unlink();
    report();
}

/// Dies right before it would publish its second unit.
fn dies_writing(_: &[String]) {
    let mut writer = given_arena().unwrap().open_writer().unwrap();
    crash::arm(usize::MAX);
    send(&mut writer, 3, false).unwrap();
    // The last two are the cursor and the bell.
    crash::arm(crash::passed().len() - 2);
    send(&mut writer, 3, false).unwrap();
}

/// Dies with all that it has read in its hands.
fn dies_holding(_: &[String]) {
    let arena = given_arena().unwrap();
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    let mut held = Vec::new();
    for _ in 0..2 {
        send(&mut writer, 3, false).unwrap();
        let delivery = next(&mut reader);
        held.push(reader.export(reader.extents()[0]).unwrap());
        reader.end_unit(delivery.ticket).unwrap();
    }
    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL).unwrap();
}
