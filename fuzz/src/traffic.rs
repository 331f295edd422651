//! Units that go through an arena, and a peer that writes to its words meanwhile.

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use passband_arena::fuzzing::{self, Word};
use passband_arena::{Arena, Options, Reader, SharedMemoryRingBuffer, SharedMemorySegmentPool, Writer};
use std::time::Duration;

/// What happens to an arena.
#[derive(Arbitrary, Debug)]
pub struct Traffic {
    ring: bool,
    /// Whether the peer makes the checks of the records agree with what it wrote.
    forged: bool,
    steps: Vec<Step>,
}

#[derive(Arbitrary, Debug)]
enum Step {
    Send { binary: u8, body: u16 },
    Take,
    Abort,
    Scribble { place: Place, at: u8, word: u8, bits: u64 },
}

#[derive(Arbitrary, Debug, Clone, Copy)]
enum Place {
    Control,
    Unit,
    Head,
    Inline,
}

/// Whether the peer is what it is believed to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// It is.
    AsItSays,
    /// It forges checks, and is believed not to.
    SecretForger,
}

/// What was sent, by the number of the unit.
struct Sent {
    body: Vec<u8>,
    binary: Vec<u8>,
}

const MOST_STEPS: usize = 64;

/// Does what `traffic` says.
///
/// # Panics
/// Where a unit comes as other bytes than were sent although nobody forged its checks, or where
/// something fails although nobody scribbled.
pub fn check_traffic(traffic: &Traffic, peer: Peer) {
    let options = Options { acquire_timeout: Some(Duration::ZERO), ..Options::default() };
    let arena = if traffic.ring {
        SharedMemoryRingBuffer::on_heap(4096, options)
    } else {
        SharedMemorySegmentPool::on_heap(2048, 3, options)
    };
    let arena = arena.expect("memory");
    let mut writer = arena.open_writer().expect("free");
    let mut reader = arena.open_reader().expect("free");
    let mut state =
        State { forged: traffic.forged, scribbled: false, moved: false, sent: Vec::new(), taken: 0 };
    for step in traffic.steps.iter().take(MOST_STEPS) {
        match *step {
            Step::Send { binary, body } => state.send(&mut writer, binary, body),
            Step::Take => state.take(&mut reader),
            Step::Abort => {
                let _ = writer.try_begin(1);
                writer.abort();
            }
            Step::Scribble { place, at, word, bits } => {
                state.scribble(&arena, place, at, word, bits, peer);
            }
        }
    }
    state.take(&mut reader);
}

struct State {
    forged: bool,
    scribbled: bool,
    /// Whether the words that say which bytes are in use were written to.
    moved: bool,
    sent: Vec<Sent>,
    taken: u64,
}

impl State {
    fn send(&mut self, writer: &mut Writer, binary: u8, body: u16) {
        let unit = self.sent.len() as u8;
        let sent = Sent {
            body: vec![unit ^ 0x55; usize::from(body % 2000)],
            binary: vec![unit; usize::from(binary)],
        };
        match writer.try_begin(2048) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => return assert!(self.scribbled, "no unit begun: {error}"),
        }
        let written = writer.write(sent.binary.as_slice());
        assert!(written.is_ok() || self.scribbled, "no room for a binary");
        match writer.commit(&sent.body) {
            Ok(ticket) => {
                assert_eq!(ticket.unit, self.sent.len() as u64, "units are numbered in a row");
                self.sent.push(sent);
            }
            // A body that does not fit beside the binary.
            Err(_) => writer.abort(),
        }
    }

    fn take(&mut self, reader: &mut Reader) {
        let delivery = match reader.try_next() {
            Ok(Some(delivery)) => delivery,
            Ok(None) => {
                return assert!(self.scribbled || self.taken == self.sent.len() as u64, "a unit is lost");
            }
            Err(error) => return assert!(self.scribbled, "no unit: {error}"),
        };
        self.taken += 1;
        let unit = delivery.ticket.unit;
        let binaries: Vec<_> = reader
            .extents()
            .iter()
            .map(|extent| reader.read_vec(*extent).expect("extents were checked"))
            .collect();
        if !self.forged {
            let sent = usize::try_from(unit).ok().and_then(|unit| self.sent.get(unit));
            let sent = sent.unwrap_or_else(|| panic!("unit {unit} came as other bytes: it was never sent"));
            assert!(reader.body() == sent.body, "unit {unit} came as other bytes");
            if !self.moved {
                assert!(binaries == [sent.binary.as_slice()], "a binary of unit {unit} came as other bytes");
            }
        }
        let ended = reader.end_unit(delivery.ticket);
        assert!(ended.is_ok() || self.scribbled, "a unit cannot be ended");
    }

    fn scribble(&mut self, arena: &Arena, place: Place, at: u8, word: u8, bits: u64, peer: Peer) {
        let place = match place {
            Place::Control => Word::Control(at),
            Place::Unit => Word::Unit { segment: at, word },
            Place::Head => Word::Head { record: at % 8, word },
            Place::Inline => Word::Inline { record: at % 8, word },
        };
        self.scribbled = true;
        self.moved |= matches!(place, Word::Control(_) | Word::Unit { .. });
        fuzzing::scribble(arena, place, bits, self.forged || peer == Peer::SecretForger);
    }
}
