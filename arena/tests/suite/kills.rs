//! Deaths at random times, under load. `PASSBAND_KILLS` says how many.

use crate::support::aftermath::goes_on;
use crate::support::content::{SOON, bytes_of, check, number_from};
use crate::support::process::{Process, Role, given_arena};
use crate::support::subject::{Memory, Subject, within};
use crate::support::system::Traces;
use fastrand::Rng;
use libtest_mimic::Trial;
use passband_arena::{Error, Export, Reader, Result, SLICE, Writer};
use rustix::process::Signal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) const ROLES: &[Role] = &cases![sends_for_ever, reads_for_ever];

/// How many deaths one arena sees.
const DEATHS: usize = 5;
const SEGMENT: usize = 20_000;

pub(crate) fn trials() -> Vec<Trial> {
    let kinds = [(false, true), (false, false), (true, true), (true, false)];
    let kills = number_from("PASSBAND_KILLS", 40).div_ceil(kinds.len());
    let trial = |(ring, of_writers): (bool, bool)| {
        let name = format!(
            "{}_of_a_{}",
            if of_writers { "writers" } else { "readers" },
            if ring { "ring" } else { "pool" }
        );
        Trial::test(format!("kills::{name}"), move || {
            for start in (0..kills).step_by(DEATHS) {
                kill_some(ring, of_writers, DEATHS.min(kills - start));
            }
            println!("random kills: {kills} {name}");
            Ok(())
        })
    };
    kinds.map(trial).into()
}

/// Kills one after the other at one end, while this process has the other.
fn kill_some(ring: bool, of_writers: bool, deaths: usize) {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = Rng::with_seed(seed);
    let arena = Subject { memory: Memory::Memfd, ring }.arena(SEGMENT, 4, within(SLICE));
    let traces = Traces::of(&arena);
    let (mut writer, mut reader) = (None, None);
    if of_writers {
        let reader = reader.insert(arena.open_reader().unwrap());
        let mut held = Vec::new();
        for _ in 0..deaths {
            Round::new("sends_for_ever", &arena, &mut random)
                .survive(|random| take(reader, &mut held, random));
        }
        held.clear();
        writer = Some(arena.open_writer().unwrap());
    } else {
        let writer = writer.insert(arena.open_writer().unwrap());
        for _ in 0..deaths {
            Round::new("reads_for_ever", &arena, &mut random).survive(|random| send(writer, random));
        }
        writer.abort();
        let reader = reader.insert(arena.open_reader().unwrap());
        while reader.delivered() < writer.published() {
            assert!(take(reader, &mut Vec::new(), &mut random).unwrap());
        }
    }
    let (mut writer, mut reader) = (writer.expect("one end"), reader.expect("the other"));
    assert_eq!(writer.published(), reader.delivered());
    goes_on(&mut writer, &mut reader, &arena);
    drop((writer, reader, arena));
    traces.assert_none();
}

/// One life and death at the other end.
struct Round<'a> {
    victim: Process,
    random: &'a mut Rng,
}

impl<'a> Round<'a> {
    fn new(role: &str, arena: &passband_arena::Arena, random: &'a mut Rng) -> Self {
        Self { victim: Process::start(role, arena, &[random.u64(..).to_string()]), random }
    }

    /// Works until the victim is dead, and until that is told. A step says whether it got anywhere.
    fn survive(mut self, mut step: impl FnMut(&mut Rng) -> Result<bool>) {
        let (came, killed) = (AtomicBool::new(false), AtomicBool::new(false));
        let (mut random, death) = (self.random.fork(), self.victim.death());
        thread::scope(|scope| {
            scope.spawn(|| {
                // Now and then before it is quite there.
                if random.u8(..8) > 0 {
                    assert!(self.victim.says("here"));
                    came.store(true, Ordering::SeqCst);
                }
                thread::sleep(Duration::from_micros(random.u64(..5000)));
                if random.u8(..4) == 0 {
                    self.victim.signal(Signal::STOP);
                    thread::sleep(Duration::from_millis(random.u64(10..250)));
                    self.victim.signal(Signal::CONT);
                }
                killed.store(true, Ordering::SeqCst);
                self.victim.kill();
            });
            loop {
                let over = death.is_finished();
                match step(self.random) {
                    // The stopped are waited for, and the dead are told of.
                    Err(Error::PeerDied { .. }) if killed.load(Ordering::SeqCst) => break,
                    // This one is told of the victim before, while the next is on its way.
                    Err(Error::PeerDied { .. }) if !came.load(Ordering::SeqCst) => {
                        thread::sleep(Duration::from_micros(200));
                    }
                    Ok(false) if over && !came.load(Ordering::SeqCst) => break,
                    Ok(_) => {}
                    Err(error) => panic!("{error:?}"),
                }
            }
            let told = Instant::now();
            let late = told.saturating_duration_since(death.join().unwrap());
            assert!(late < Duration::from_secs(1), "told {late:?} after the death");
        });
    }
}

/// Takes a unit, checks it, and holds it for a while.
fn take(reader: &mut Reader, held: &mut Vec<(u64, Export)>, random: &mut Rng) -> Result<bool> {
    let Some(delivery) = reader.next(Some(SLICE))? else { return Ok(false) };
    let unit = delivery.ticket.unit;
    assert_eq!(unit, reader.delivered());
    check(reader, delivery.ticket);
    if reader.zero_copy() && random.u8(..3) == 0 {
        held.push((unit, reader.export(reader.extents()[0])?));
    }
    reader.end_unit(delivery.ticket)?;
    while held.len() > random.usize(..3) {
        let (unit, export) = held.swap_remove(random.usize(..held.len()));
        assert!(export.to_vec() == bytes_of(unit, export.nbytes()), "the bytes of unit {unit}, held");
    }
    Ok(true)
}

/// Sends a unit, or gives it up.
fn send(writer: &mut Writer, random: &mut Rng) -> Result<bool> {
    let nbytes = random.usize(..SEGMENT);
    match writer.begin(nbytes) {
        Err(Error::Full(_)) => return Ok(false),
        begun => begun?,
    }
    let bytes = bytes_of(writer.published(), nbytes);
    match writer.place(nbytes) {
        Ok((_, mut export)) if random.bool() => export.fill(&bytes),
        Ok(_) => {
            // Once more, and for good.
            writer.abort();
            return Ok(true);
        }
        Err(_) => drop(writer.write(bytes.as_slice())?),
    }
    writer.commit(&writer.published().to_le_bytes())?;
    Ok(true)
}

fn sends_for_ever(words: &[String]) {
    let mut random = Rng::with_seed(words[0].parse().unwrap());
    let mut writer = given_arena().unwrap().open_writer().unwrap();
    for round in 0.. {
        send(&mut writer, &mut random).unwrap();
        if round == 3 {
            println!("here");
        }
    }
}

fn reads_for_ever(words: &[String]) {
    let mut random = Rng::with_seed(words[0].parse().unwrap());
    let mut reader = given_arena().unwrap().open_reader().unwrap();
    let (mut held, start) = (Vec::new(), Instant::now());
    for round in 0.. {
        take(&mut reader, &mut held, &mut random).unwrap();
        if round == 3 {
            println!("here");
        }
        assert!(start.elapsed() < SOON, "nobody kills");
    }
}
