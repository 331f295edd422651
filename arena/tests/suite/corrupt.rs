//! A peer that writes anything over the whole control area. `PASSBAND_SEEDS` says how often.
//!
//! The survivor gets errors. It does not crash, it does not hang, and what it takes for a unit is one.

use crate::support::content::{bytes_of, check, number_from, put};
use crate::support::process::{Process, Role, given_arena};
use crate::support::subject::{Memory, Subject, within};
use fastrand::Rng;
use libtest_mimic::Trial;
use passband_arena::{Arena, Kind, Options, Reader, Result, Writer};
use std::fs::File;
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::thread;
use std::time::Duration;

pub(crate) const ROLES: &[Role] = &cases![survives, scribbles];

const SEGMENT: usize = 3000;
const SEGMENTS: usize = 4;
/// How many seeds one surviving process has.
const BATCH: usize = 15;

pub(crate) fn trials() -> Vec<Trial> {
    let kinds = [("pool", "reader"), ("pool", "writer"), ("ring", "reader"), ("ring", "writer")];
    let seeds = number_from("PASSBAND_SEEDS", 60).div_ceil(kinds.len());
    let trial = |(kind, end): (&'static str, &'static str)| {
        Trial::test(format!("corrupt::{end}_of_a_{kind}_survives"), move || {
            for start in (0..seeds).step_by(BATCH) {
                let mut command = Process::command("survives");
                command.args([kind, end, &BATCH.min(seeds - start).to_string()]);
                let mut survivor = Process::spawn(command);
                survivor.succeed();
            }
            println!("corrupt peers: {seeds} for the {end} of a {kind}");
            Ok(())
        })
    };
    kinds.map(trial).into()
}

fn survives(words: &[String]) {
    let (mut successes, mut errors) = (0, 0);
    for _ in 0..words[2].parse().unwrap() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let counts = survive(words[0] == "ring", words[1] == "reader", seed);
        successes += counts.0;
        errors += counts.1;
    }
    println!("{successes} steps succeeded, {errors} were errors");
    assert!(successes > 0 && errors > 0);
}

/// How many steps of a survivor succeed, and how many do not.
fn survive(ring: bool, as_reader: bool, seed: u64) -> (usize, usize) {
    let options = Options { max_ahead: 3, ..within(Duration::from_millis(2)) };
    let arena = Subject { memory: Memory::Memfd, ring }.arena(SEGMENT, SEGMENTS, options);
    let mut random = Rng::with_seed(seed);
    // A reader that has all of the units still before it, or one that is there from the start.
    let late = as_reader && random.bool();
    let mut step: Box<dyn FnMut() -> Result<()>> = if as_reader {
        let (mut reader, mut wanted) = (arena.open_reader().unwrap(), 0);
        Box::new(move || read(&mut reader, &mut wanted, &mut random))
    } else {
        let mut writer = arena.open_writer().unwrap();
        Box::new(move || write(&mut writer, &mut random))
    };
    let role = if as_reader { "writer" } else { "reader" };
    let mut scribbler = Process::start("scribbles", &arena, &[seed.to_string(), role.into()]);
    let death = scribbler.death();
    assert!(!late || scribbler.says("scribbling"));
    let (mut counts, mut left) = ((0, 0), 30);
    while left > 0 {
        // Some more when it is all over.
        left -= i32::from(death.is_finished());
        match step() {
            Ok(()) => counts.0 += 1,
            Err(_) => counts.1 += 1,
        }
    }
    scribbler.succeed();
    // What is left is refused, or it is an arena of which nothing more is asked.
    drop(Arena::attach(arena.descriptor().unwrap()));
    drop((arena.open_writer(), arena.open_reader()));
    counts
}

/// What a writer does, whatever it is told.
fn write(writer: &mut Writer, random: &mut Rng) -> Result<()> {
    writer.abort();
    writer.reclaimed()?;
    let pass = writer.wanted_pass()?;
    writer.begin_pass(pass);
    if random.u8(..6) == 0 {
        writer.wait_for_pass(pass, Duration::from_millis(1))?;
        writer.try_send(Kind::End, &[1; 2000], Some(&mut |_| Ok(())))?;
    }
    writer.begin(SEGMENT)?;
    let bytes = bytes_of(writer.published(), random.usize(..SEGMENT));
    let placed = writer.place(bytes.len()).map(|(_, mut export)| {
        export.fill(&bytes);
        export
    });
    if placed.is_err() {
        writer.write(bytes.as_slice())?;
    }
    writer.commit_by(&mut |_| Ok(()), &vec![7; random.usize(..2000)])?;
    // What it holds in its own hands is its own.
    assert!(placed.is_err() || placed.is_ok_and(|export| export.to_vec() == bytes));
    Ok(())
}

/// What a reader does, whatever it is told.
fn read(reader: &mut Reader, wanted: &mut u64, random: &mut Rng) -> Result<()> {
    if random.u8(..20) == 0 {
        *wanted = reader.request_pass()?;
    }
    reader.held();
    reader.starves_writer()?;
    let Some(delivery) = reader.next(Some(Duration::from_millis(2)))? else { return Ok(()) };
    check(reader, delivery.ticket);
    assert!(delivery.kind == Kind::Item && delivery.ticket.pass <= *wanted, "{delivery:?}");
    let export = reader.export(reader.extents()[0]);
    reader.end_unit(delivery.ticket)?;
    assert!(export.map_or(true, |export| export.to_vec() == bytes_of(delivery.ticket.unit, export.nbytes())));
    Ok(())
}

/// Takes part for a while, and then writes anything anywhere.
fn scribbles(words: &[String]) {
    let mut random = Rng::with_seed(words[0].parse().unwrap());
    let arena = given_arena().unwrap();
    let honest = random.usize(..8);
    let ends = if words[1] == "writer" {
        let mut writer = arena.open_writer().unwrap();
        for _ in 0..honest {
            drop(put(&mut writer, random.usize(..SEGMENT)));
        }
        (Some(writer), None)
    } else {
        let mut reader = arena.open_reader().unwrap();
        for _ in 0..honest {
            let delivery = reader.next(None).unwrap().expect("a unit");
            reader.end_unit(delivery.ticket).unwrap();
        }
        (None, Some(reader))
    };
    let file = File::from(std::io::stdin().as_fd().try_clone_to_owned().unwrap());
    let data = arena.segment_size().next_multiple_of(4096) * arena.count().max(1);
    let control = file.metadata().unwrap().len() - data as u64;
    // The words of the ends, or the records in use, or anything.
    let region = [0..2048, 2048..12 << 10, 0..control][random.usize(..3)].clone();
    println!("scribbling");
    // Often few writes: what many of them hit is refused whatever else is wrong with it.
    for _ in 0..1 << random.u32(..9) {
        let at = random.u64(region.clone());
        let mut block = vec![0; random.usize(..512)];
        random.fill(&mut block);
        let (at, bytes) = match random.u8(..5) {
            0 => (at, vec![random.u8(..)]),
            1 => (at & !7, random.u64(..).to_le_bytes().to_vec()),
            2 => (at & !7, random.u64(..64).to_le_bytes().to_vec()),
            3 => (at & !7, u64::MAX.to_le_bytes().to_vec()),
            _ => (at, block),
        };
        let room = usize::try_from(control - at).unwrap();
        file.write_all_at(&bytes[..bytes.len().min(room)], at).unwrap();
        // The other one is to see some of it.
        if random.u8(..8) == 0 {
            thread::sleep(Duration::from_micros(50));
        }
    }
    // It does not even say good-bye.
    std::mem::forget(ends);
}
