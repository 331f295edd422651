//! Bytes that tell by themselves which unit they belong to.

use passband_arena::{Reader, Ticket, Writer};
use std::time::Duration;

/// How long a test waits for what must come.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// The bytes of a unit, which no other has.
pub(crate) fn bytes_of(unit: u64, nbytes: usize) -> Vec<u8> {
    let mut bytes = vec![0; nbytes];
    fastrand::Rng::with_seed(unit ^ 0x5eed << 40).fill(&mut bytes);
    bytes
}

/// Sends a unit of one binary.
pub(crate) fn put(writer: &mut Writer, nbytes: usize) -> passband_arena::Result<Ticket> {
    writer.begin(nbytes)?;
    let unit = writer.published();
    writer.write(bytes_of(unit, nbytes).as_slice())?;
    writer.commit(&unit.to_le_bytes())
}

/// Reads a unit that [`put`] sent, checks every byte, and ends it.
pub(crate) fn get(reader: &mut Reader) -> passband_arena::Result<Ticket> {
    let delivery = reader.next(Some(SOON))?.expect("a unit");
    check(reader, delivery.ticket);
    reader.end_unit(delivery.ticket)?;
    Ok(delivery.ticket)
}

/// Checks that the unit being read is, with all of its bytes, the one that its ticket names.
pub(crate) fn check(reader: &Reader, ticket: Ticket) {
    assert_eq!(reader.body(), ticket.unit.to_le_bytes(), "the body of {ticket}");
    let &[extent] = reader.extents() else { panic!("{ticket} has {} binaries", reader.extents().len()) };
    assert!(reader.read_vec(extent).unwrap() == bytes_of(ticket.unit, extent.nbytes), "bytes of {ticket}");
}

/// The number in an environment variable.
pub(crate) fn number_from(variable: &str, default: usize) -> usize {
    std::env::var(variable).map_or(default, |number| number.parse().expect("a number"))
}
