//! Headers of files, and who may attach them.

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use passband_arena::Arena;
use passband_arena::fuzzing::{HEADER, seal_header};
use rustix::fs::{MemfdFlags, SealFlags};
use std::os::unix::fs::MetadataExt;
use std::sync::atomic::{AtomicU64, Ordering};

/// The header of an arena that could be, some words of which are changed.
#[derive(Arbitrary, Debug)]
pub struct Header {
    segment_size: u16,
    count: u8,
    records: u8,
    options: [u64; 4],
    /// Blocks of 4096 bytes that the file has beyond or short of what the header says.
    pages: i8,
    sealed: bool,
    /// Words and bits to turn, by one that seals afterwards or does not.
    edits: Vec<(u8, u64)>,
    late: bool,
}

/// The rules that are written down here once more, by which a header is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// All of them.
    All,
    /// That the number of records is a power of two is forgotten.
    ForgetPowersOfTwo,
}

/// What a file that is an arena begins with, as this version lays it out.
const MAGIC: [u8; 8] = *b"passband";
const VERSION: u64 = 2;

/// The words that name the arena: a process that knows it attaches it no second time.
const ID: [usize; 2] = [2, 3];

/// The word of flags, and those that may be anything: names belong to files of another kind, a
/// read-only arena has its ends in two processes, and pinned memory takes a driver.
const FLAGS: usize = 11;
const FREE_FLAGS: u64 = !0b1_1010;

/// What an arena of these sizes needs, control pages and all.
fn total(segment_size: u64, count: u64, records: u64) -> Option<u64> {
    let slots = u64::checked_mul(128, count)?.checked_add(u64::checked_mul(1024, records)?)?;
    let control = slots.checked_add(12 * 128)?;
    let data = control.checked_next_multiple_of(1 << 16)?;
    let stride = segment_size.checked_next_multiple_of(rustix::param::page_size() as u64)?;
    stride.checked_mul(count.max(1))?.checked_add(data).filter(|total| i64::try_from(*total).is_ok())
}

fn is_right(header: &[u64; HEADER], nbytes: u64, rules: Rules) -> bool {
    let mut sealed = *header;
    seal_header(&mut sealed);
    let [magic, version, _, _, segment_size, count, records, whole, .., namespace, _] = *header;
    let needed = total(segment_size, count, records);
    sealed == *header
        && magic.to_le_bytes() == MAGIC
        && version == VERSION
        && needed == Some(whole)
        && whole <= nbytes
        && (records.is_power_of_two() || rules == Rules::ForgetPowersOfTwo && records > 0)
        && namespace == self::namespace()
}

fn namespace() -> u64 {
    std::fs::metadata("/proc/self/ns/pid").map_or(0, |data| data.ino())
}

/// Attaches a file with this header, if `rules` say that it can be, and sends a unit through it.
///
/// # Panics
/// Where a right header is refused, a wrong one is taken, or an attached arena does not work.
pub fn check_header(header: &Header, rules: Rules) {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let (segment_size, count) = (u64::from(header.segment_size), u64::from(header.count % 8));
    let records = u64::from(header.records);
    let whole = total(segment_size, count, records).expect("small numbers");
    let [timeout, spin, ahead, flags] = header.options;
    let options = [timeout, spin, ahead, flags & FREE_FLAGS];
    let id = [NEXT.fetch_add(1, Ordering::Relaxed), 0];
    let mut words = [0; HEADER];
    words[..2].copy_from_slice(&[u64::from_le_bytes(MAGIC), VERSION]);
    words[2..4].copy_from_slice(&id);
    words[4..8].copy_from_slice(&[segment_size, count, records, whole]);
    words[8..12].copy_from_slice(&options);
    words[12] = namespace();
    let edit = |words: &mut [u64; HEADER]| {
        for (at, bits) in &header.edits {
            let at = usize::from(*at) % HEADER;
            if !ID.contains(&at) {
                words[at] ^= if at == FLAGS { bits & FREE_FLAGS } else { *bits };
            }
        }
    };
    if !header.late {
        edit(&mut words);
    }
    if header.sealed {
        seal_header(&mut words);
    }
    if header.late {
        edit(&mut words);
    }

    let nbytes = whole.saturating_add_signed(i64::from(header.pages) << 12);
    let file = rustix::fs::memfd_create(c"fuzz", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING);
    let file = file.expect("a file");
    rustix::fs::ftruncate(&file, nbytes).expect("a sparse file");
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let room = bytes.len().min(usize::try_from(nbytes).expect("small"));
    rustix::io::pwrite(&file, &bytes[..room], 0).expect("in the file");
    rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW).expect("seals");

    let right = is_right(&words, nbytes, rules);
    match Arena::attach(file) {
        Ok(arena) => {
            assert!(right, "attached by a wrong header: {words:?} in {nbytes} bytes");
            assert_eq!(arena.segment_size() as u64, words[4], "attached with other sizes");
            use_it(&arena);
        }
        Err(error) => assert!(!right, "refused a right header: {error}: {words:?} in {nbytes} bytes"),
    }
}

fn use_it(arena: &Arena) {
    let (mut writer, reader) = (arena.open_writer().expect("free"), arena.open_reader());
    let nbytes = arena.segment_size().min(100);
    assert!(writer.try_begin(nbytes).expect("an arena that was just made"), "no room in an empty arena");
    let extent = writer.write(vec![7; nbytes].as_slice()).expect("room");
    writer.commit(b"unit").expect("room");
    let mut reader = reader.expect("free");
    let delivery = reader.try_next().expect("an arena that works").expect("a unit");
    assert_eq!(reader.body(), b"unit");
    assert_eq!(reader.read_vec(extent).expect("inside"), vec![7; nbytes]);
    reader.end_unit(delivery.ticket).expect("current");
    arena.close();
}
