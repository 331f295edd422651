//! What those do who stay alive, and what they must find.

use super::scenarios::{check, send};
use crate::support::aftermath::goes_on;
use crate::support::content::{SOON, get, put};
use crate::support::process::Process;
use passband_arena::{Arena, Error, Kind, Reader, Result, SLICE, Writer};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Reads what a victim writes, and takes its place.
pub(crate) fn reads(arena: &Arena, victim: &mut Process) {
    let mut reader = arena.open_reader().unwrap();
    let death = victim.death();
    let end = read_along(&mut reader, victim, &death, arena.count() > 0);
    if may_be_replaced(end, death) {
        let mut writer = arena.open_writer().unwrap();
        assert_eq!(writer.published(), reader.delivered());
        goes_on(&mut writer, &mut reader, arena);
    }
}

/// Ends well only where the victim never came.
fn read_along(reader: &mut Reader, victim: &mut Process, death: &Death, pool: bool) -> Result<()> {
    // The items of the victim, which begins with a start.
    let (mut kept, mut items) = (Vec::new(), None);
    loop {
        let Some(delivery) = reader.next(Some(Duration::from_secs(1)))? else {
            if never_came(victim, death) {
                return Ok(());
            }
            continue;
        };
        assert_eq!(delivery.ticket.unit, reader.delivered());
        check(reader, delivery);
        if pool && items.is_some_and(|items| items < 3) && delivery.kind == Kind::Item {
            kept.push(reader.export(reader.extents()[0])?);
        }
        reader.end_unit(delivery.ticket)?;
        match delivery.kind {
            Kind::Started => items = Some(0),
            Kind::Item => items = items.map(|items| items + 1),
            Kind::End | Kind::Error => {}
        }
        // What it says now, it may not live to say. A pool is full when all is held, a ring when
        // something is not read.
        if items == Some(if pool { 3 } else { 2 }) {
            victim.says("full");
            kept.clear();
        }
        if items == Some(4) {
            victim.says("begin anew");
            reader.request_pass()?;
            items = None;
        }
    }
}

/// Writes what a victim reads, and takes its place.
pub(crate) fn writes(arena: &Arena, victim: &mut Process) {
    let mut writer = arena.open_writer().unwrap();
    let death = victim.death();
    let end = write_along(&mut writer, victim, &death, arena.count() > 0);
    if may_be_replaced(end, death) {
        let mut reader = arena.open_reader().unwrap();
        while reader.delivered() < writer.published() {
            let delivery = reader.next(Some(SOON)).unwrap().unwrap();
            assert_eq!(delivery.ticket.unit, reader.delivered());
            check(&reader, delivery);
            reader.end_unit(delivery.ticket).unwrap();
        }
        writer.begin_pass(writer.wanted_pass().unwrap());
        goes_on(&mut writer, &mut reader, arena);
    }
}

/// Ends well only where the victim never came.
fn write_along(writer: &mut Writer, victim: &mut Process, death: &Death, pool: bool) -> Result<()> {
    victim.says("waiting");
    let pass = writer.wanted_pass()?;
    let mut step = 0;
    loop {
        match send(writer, step, pool) {
            Ok(()) => step += 1,
            Err(Error::Full(_)) if never_came(victim, death) => return Ok(()),
            Err(Error::Full(_)) => {}
            Err(error) => return Err(error),
        }
        if step == 4 {
            while writer.wanted_pass()? == pass {
                if never_came(victim, death) {
                    return Ok(());
                }
                writer.wait_for_pass(pass, SLICE)?;
            }
            writer.begin_pass(pass + 1);
        }
    }
}

/// Watches a stream that another process may shut down.
pub(crate) fn lives_on(arena: &Arena, victim: &mut Process) {
    let death = victim.death();
    let stream = || -> Result<()> {
        let (mut writer, mut reader) = (arena.open_writer()?, arena.open_reader()?);
        loop {
            let was_over = death.is_finished();
            put(&mut writer, 100)?;
            get(&mut reader)?;
            if was_over {
                goes_on(&mut writer, &mut reader, arena);
                return Ok(());
            }
        }
    };
    if let Err(error) = stream() {
        assert!(matches!(error, Error::Closed(_)), "{error:?}");
    }
}

/// When the victim died.
type Death = JoinHandle<Instant>;

/// Whether the victim died before it was the other end.
fn never_came(victim: &mut Process, death: &Death) -> bool {
    if !death.is_finished() {
        return false;
    }
    victim.coming().is_some_and(|line| line.starts_with("crash point 0 "))
}

/// Whether the end of the victim is free, and its death was told in time. It may also have closed it.
fn may_be_replaced(end: Result<()>, death: Death) -> bool {
    let now = Instant::now();
    let late = now.saturating_duration_since(death.join().unwrap());
    match end {
        Ok(()) => true,
        Err(Error::PeerDied { .. }) => {
            assert!(late < Duration::from_secs(1), "told {late:?} after the death");
            true
        }
        Err(Error::Closed(_)) => false,
        Err(other) => panic!("{other:?}"),
    }
}
