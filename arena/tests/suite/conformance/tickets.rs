//! A ticket ends the unit that it names, once, and no other.

use super::Case;
use crate::support::content::{SOON, get, put};
use crate::support::subject::{Subject, hasty};
use passband_arena::{Error, Reader, Ticket};

pub(crate) const BOTH: &[Case] = &cases![failure_14_a_wrong_ticket_is_refused_and_changes_nothing];

fn failure_14_a_wrong_ticket_is_refused_and_changes_nothing(subject: Subject) {
    let arena = subject.arena(256, 3, hasty());
    let (mut writer, mut reader) = (arena.open_writer().unwrap(), arena.open_reader().unwrap());
    let tickets = [64, 65, 66].map(|nbytes| put(&mut writer, nbytes).unwrap());
    refuse(&mut reader, tickets[0], "none");

    let first = reader.next(Some(SOON)).unwrap().unwrap().ticket;
    assert_eq!(first, tickets[0]);
    let name = first.to_string();
    assert_eq!(name, format!("unit 0 of pass 0 of arena {}", arena.id()));
    refuse(&mut reader, tickets[1], &name);
    refuse(&mut reader, Ticket { pass: 1, ..first }, &name);
    refuse(&mut reader, Ticket { nbytes: 63, ..first }, &name);
    if subject.memory != crate::support::subject::Memory::Heap {
        let other = subject.arena(256, 3, hasty());
        let foreign = put(&mut other.open_writer().unwrap(), 64).unwrap();
        assert_ne!(foreign.arena, first.arena);
        refuse(&mut reader, foreign, &name);
    }
    assert_eq!((reader.delivered(), writer.reclaimed().unwrap()), (0, 0));

    reader.end_unit(first).unwrap();
    refuse(&mut reader, first, "none");
    assert_eq!((reader.delivered(), writer.reclaimed().unwrap()), (1, 1));
    for ticket in &tickets[1..] {
        assert_eq!(get(&mut reader).unwrap(), *ticket);
    }
    assert_eq!(writer.reclaimed().unwrap(), 3);
}

fn refuse(reader: &mut Reader, ticket: Ticket, expected: &str) {
    let error = reader.end_unit(ticket).unwrap_err();
    assert!(matches!(error, Error::Ticket { .. }), "{error:?}");
    let text = format!("ticket of {ticket}, but the unit being read is {expected}: end units once each, ");
    assert_eq!(error.to_string(), text + "in the order they came");
}
