//! The control area: what the two sides tell each other, in aligned words and offsets only.
//!
//! ```text
//! Control                      identity, flags, claims, cursors, bells
//! UnitSlot   x count           one for each segment: its unit, and that unit's release
//! RecordSlot x records         descriptors in the order of the stream, small envelopes inline
//! ```
//!
//! Overlaid on the mapping in production; built by value, with loom's atomics where loom runs.

use crate::error::Limit;
use crate::sync::{Bell, Cursor, Plain, Word};

/// What the first word of every control area says.
pub(crate) const MAGIC: u64 = u64::from_le_bytes(*b"passband");
/// Changes with the meaning of any word below.
pub(crate) const VERSION: u64 = 2;
/// The data begin at a multiple of this, the largest page of today's machines.
pub(crate) const DATA_ALIGNMENT: usize = 1 << 16;
/// Binaries lie at multiples of this within their unit.
pub(crate) const BINARY_ALIGNMENT: usize = 64;

/// A line of its own: neighbours of 64 bytes are fetched in pairs.
#[derive(Debug, Default)]
#[repr(C, align(128))]
pub(crate) struct Line<T>(pub(crate) T);

/// How many words say what an arena is; [`crate::segment`] names them.
pub(crate) const FACTS: usize = 13;

/// What an arena is; written once, before anybody else can see it.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct Identity {
    pub(crate) facts: [Plain; FACTS],
    /// A hash of the facts, stored last: 0 until the arena is ready.
    pub(crate) ready: Word,
}

/// The words of the whole arena.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct Control {
    pub(crate) identity: Line<Identity>,
    /// Not 0: no process may attach any more.
    pub(crate) unlinked: Line<Word>,
    /// Not 0: the stream is over for both sides.
    pub(crate) shut_down: Line<Word>,
    pub(crate) writer: Line<Word>,
    pub(crate) reader: Line<Word>,
    /// The writer's: how many records it committed.
    pub(crate) published: Line<Cursor>,
    /// The writer's: one more than the unit that waits for the reader to release a segment, or 0.
    pub(crate) starved: Line<Word>,
    /// The writer's: which envelope is being carried by a way of its own, as [`Carried`] says, or 0.
    pub(crate) carried: Line<Word>,
    /// The reader's: how many records it is done with.
    pub(crate) delivered: Line<Cursor>,
    /// The reader's: the pass that it wants.
    pub(crate) pass: Line<Word>,
    pub(crate) writer_bell: Line<Bell>,
    pub(crate) reader_bell: Line<Bell>,
}

/// Which envelope is being carried: one more than the number of its record, whose upper bits tell another
/// attempt at the same one from the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Carried(pub(crate) u64);

impl Carried {
    const BITS: u32 = 48;

    pub(crate) fn new(number: u64, attempt: u64) -> Self {
        Self(attempt << Self::BITS | Self::of(number))
    }

    pub(crate) fn is_of(self, number: u64) -> bool {
        Self::of(self.0.wrapping_sub(1)) == Self::of(number)
    }

    fn of(number: u64) -> u64 {
        number.wrapping_add(1) & ((1 << Self::BITS) - 1)
    }
}

/// The unit in one segment. A number is stored plus one, so that 0 is none.
#[derive(Debug, Default)]
#[repr(C, align(128))]
pub(crate) struct UnitSlot {
    /// The writer's: the unit committed here last.
    pub(crate) unit: Word,
    /// The last export's: the unit that may be overwritten.
    pub(crate) released: Word,
}

/// The bytes of an envelope that need no room in a unit.
pub(crate) const INLINE: usize = if cfg!(loom) { 64 } else { 928 };

/// One descriptor. [`crate::record`] gives the words their meaning.
#[derive(Debug)]
#[repr(C, align(128))]
pub(crate) struct RecordSlot {
    pub(crate) head: [Plain; HEAD],
    pub(crate) inline: [Plain; INLINE / 8],
}

/// The words of a descriptor without its inline envelope.
pub(crate) const HEAD: usize = 12;

impl Default for RecordSlot {
    fn default() -> Self {
        Self {
            head: std::array::from_fn(|_| Plain::default()),
            inline: std::array::from_fn(|_| Plain::default()),
        }
    }
}

// What two builds must agree on.
#[cfg(not(loom))]
const _: () = {
    assert!(size_of::<Word>() == 8 && size_of::<Bell>() == 8);
    assert!(size_of::<Identity>() <= 128 && size_of::<Line<Identity>>() == 128);
    assert!(size_of::<Control>() == 12 * 128);
    assert!(size_of::<UnitSlot>() == 128 && size_of::<RecordSlot>() == 1024);
};

/// Where the parts of an arena lie: computed from its sizes, never read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Geometry {
    /// The largest unit in bytes.
    pub(crate) segment_size: usize,
    /// The number of segments; 0 for a ring, which has one for all units together.
    pub(crate) count: usize,
    /// The number of record slots.
    pub(crate) records: usize,
    /// From one segment to the next.
    pub(crate) stride: usize,
    /// Where the data begin.
    pub(crate) data: usize,
    /// The bytes of everything.
    pub(crate) total: usize,
}

impl Geometry {
    /// None where the sizes overflow.
    pub(crate) fn new(segment_size: usize, count: usize, records: usize, page: usize) -> Option<Self> {
        let slots = count.checked_mul(size_of::<UnitSlot>())?;
        let control = size_of::<Control>()
            .checked_add(slots)?
            .checked_add(records.checked_mul(size_of::<RecordSlot>())?)?;
        let data = control.checked_next_multiple_of(DATA_ALIGNMENT.max(page))?;
        let stride = segment_size.checked_next_multiple_of(page)?;
        let total = stride.checked_mul(count.max(1))?.checked_add(data)?;
        let fits = isize::try_from(total).is_ok();
        fits.then_some(Self { segment_size, count, records, stride, data, total })
    }

    pub(crate) fn is_ring(&self) -> bool {
        self.count == 0
    }

    /// What limits the largest unit.
    pub(crate) fn largest_unit(&self) -> Limit {
        if self.is_ring() { Limit::Ring } else { Limit::Segment }
    }

    pub(crate) fn data_len(&self) -> usize {
        self.total - self.data
    }
}

/// The control area of one arena, wherever it lies.
#[derive(Debug)]
pub(crate) struct ControlArea {
    control: *const Control,
    units: *const UnitSlot,
    records: *const RecordSlot,
    geometry: Geometry,
    /// The words themselves, where no mapping holds them.
    _owned: Option<Owned>,
}

/// Vectors, one of a single element: a box would claim to hold the only pointer.
#[derive(Debug)]
struct Owned {
    control: Vec<Control>,
    units: Vec<UnitSlot>,
    records: Vec<RecordSlot>,
}

// SAFETY: the pointers lead to atomics, which any thread may use.
unsafe impl Send for ControlArea {}
// SAFETY: as above.
unsafe impl Sync for ControlArea {}

impl ControlArea {
    /// The control area at the start of a mapping.
    ///
    /// # Safety
    ///
    /// `base` is aligned to [`DATA_ALIGNMENT`]'s page, and the `geometry.data` bytes from it on are mapped
    /// for reading and writing until the area is dropped, and used by nothing but control areas.
    pub(crate) unsafe fn overlay(base: *const u8, geometry: Geometry) -> Self {
        let units_at = size_of::<Control>();
        let records_at = units_at + geometry.count * size_of::<UnitSlot>();
        // SAFETY: `Geometry::new` made `data` the sum of these parts, rounded up.
        let (units, records) = unsafe { (base.add(units_at), base.add(records_at)) };
        Self { control: base.cast(), units: units.cast(), records: records.cast(), geometry, _owned: None }
    }

    /// A control area on the heap, for tests without a mapping.
    pub(crate) fn on_heap(geometry: Geometry) -> Self {
        let owned = Owned {
            control: vec![Control::default()],
            units: std::iter::repeat_with(UnitSlot::default).take(geometry.count).collect(),
            records: std::iter::repeat_with(RecordSlot::default).take(geometry.records).collect(),
        };
        Self {
            control: owned.control.as_ptr(),
            units: owned.units.as_ptr(),
            records: owned.records.as_ptr(),
            geometry,
            _owned: Some(owned),
        }
    }

    #[inline]
    pub(crate) fn control(&self) -> &Control {
        // SAFETY: `overlay` and `on_heap` made the pointer lead to a control of atomics that lives as
        // long as this area; every bit pattern is one.
        unsafe { &*self.control }
    }

    /// The slot of a segment, which must be one of `count`.
    #[inline]
    pub(crate) fn unit(&self, segment: usize) -> &UnitSlot {
        assert!(segment < self.geometry.count, "segments are checked where they are read");
        // SAFETY: as for `control`; the slot is one of the area.
        unsafe { &*self.units.add(segment) }
    }

    /// The slot of a record, by its number in the stream.
    #[inline]
    pub(crate) fn record(&self, number: u64) -> &RecordSlot {
        // `records` is a power of two.
        let index = number as usize & (self.geometry.records - 1);
        // SAFETY: as for `control`; the mask keeps the index inside.
        unsafe { &*self.records.add(index) }
    }
}
