//! Snapshots: a kernel's state as bytes that any target and any level can continue from.
//!
//! A blob is, in little-endian order: the magic `PBST`, the format (`u16`), the kernel id
//! (`u32`), the payload's length (`u32`), the FNV-1a-64 fingerprint of the constructor's
//! arguments, the payload, and the CRC-32 of everything before it. Counts in a payload are
//! `u64` and nothing depends on a level's width, so the same state has the same bytes on a
//! Cortex-M and on a PC.

#[cfg(test)]
pub(crate) mod forged;
pub mod id;

use crate::sample::Sample;
use core::fmt;

const MAGIC: [u8; 4] = *b"PBST";
const FORMAT: u16 = 1;
pub(crate) const HEADER: usize = 22;
const CHECKSUM: usize = 4;

/// Why a snapshot could not be written or read; nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateError {
    /// The buffer is shorter than [`Snapshot::save_len`].
    TooShort {
        /// Bytes needed.
        needed: usize,
        /// Bytes given.
        given: usize,
    },
    /// The blob's length is not that of this kernel's snapshots.
    Length {
        /// Bytes expected.
        expected: usize,
        /// Bytes given.
        given: usize,
    },
    /// The blob does not start as a snapshot of this format does.
    Header,
    /// The blob is of another kernel or of other sample types.
    Kernel {
        /// This kernel's id.
        expected: u32,
        /// The blob's id.
        given: u32,
    },
    /// The blob is of a kernel constructed with other arguments.
    Config,
    /// The blob is damaged: its checksum does not match.
    Checksum,
    /// The blob holds a state that this kernel cannot be in.
    Payload,
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooShort { needed, given } => {
                write!(f, "state: expected room for {needed} bytes, given {given}")
            }
            Self::Length { expected, given } => {
                write!(f, "state: expected {expected} bytes, given {given}")
            }
            Self::Header => f.write_str("state: expected a snapshot of format 1, given other bytes"),
            Self::Kernel { expected, given } => {
                let [expected, given] = [expected, given].map(id::name);
                write!(f, "state: expected a snapshot of {expected}, given one of {given}")
            }
            Self::Config => f.write_str(
                "state: expected a snapshot of the same constructor arguments, given one of others",
            ),
            Self::Checksum => f.write_str("state: expected a matching checksum, given a damaged snapshot"),
            Self::Payload => f.write_str("state: expected a reachable state, given an impossible one"),
        }
    }
}

impl core::error::Error for StateError {}

/// Saving and loading of state.
///
/// A kernel supplies its id, the fingerprint of its constructor's arguments and its payload; the
/// codec around them is here.
pub trait Snapshot {
    /// The kernel id, from [`id`].
    fn kernel_id(&self) -> u32;

    /// Hashes the constructor's arguments in the caller's order, after rounding to the sample
    /// type; nothing that is state, storage or level.
    fn fingerprint(&self, hash: &mut Fingerprint);

    /// Bytes of the payload; the same for every state of one config.
    fn payload_len(&self) -> usize;

    /// Writes the payload.
    fn write(&self, to: &mut Writer<'_>);

    /// Reads and checks a payload, and only then changes the state; `None` refuses it.
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()>;

    /// Bytes that [`save`](Self::save) writes.
    fn save_len(&self) -> usize {
        HEADER + self.payload_len() + CHECKSUM
    }

    /// Writes the state to the start of `out` and returns the bytes written.
    ///
    /// # Errors
    /// [`StateError::TooShort`] when `out` is shorter than [`save_len`](Self::save_len); nothing
    /// is written.
    fn save(&self, out: &mut [u8]) -> Result<usize, StateError> {
        let needed = self.save_len();
        let given = out.len();
        let blob = out.get_mut(..needed).ok_or(StateError::TooShort { needed, given })?;
        let mut to = Writer { rest: blob };
        to.bytes(&header(self));
        self.write(&mut to);
        let unwritten = to.rest.len();
        let sum = crc32(blob.get(..needed - unwritten).unwrap_or(&[]));
        Writer { rest: blob.get_mut(needed - unwritten..).unwrap_or(&mut []) }.bytes(&sum.to_le_bytes());
        Ok(needed)
    }

    /// Continues from a saved state.
    ///
    /// # Errors
    /// A [`StateError`] for a wrong, short, damaged or foreign blob, or one of another config; the
    /// state is as it was.
    fn load(&mut self, blob: &[u8]) -> Result<(), StateError> {
        let (expected, given) = (self.save_len(), blob.len());
        let mut from = Reader { rest: blob };
        if from.array() != Some(MAGIC) || from.array().map(u16::from_le_bytes) != Some(FORMAT) {
            return Err(StateError::Header);
        }
        let kernel = from.u32().ok_or(StateError::Header)?;
        if kernel != self.kernel_id() {
            return Err(StateError::Kernel { expected: self.kernel_id(), given: kernel });
        }
        if given != expected || from.u32() != u32::try_from(self.payload_len()).ok() {
            // Another tap count is another config; say so where the blob is whole.
            return Err(if whole(blob) {
                StateError::Config
            } else {
                StateError::Length { expected, given }
            });
        }
        if !whole(blob) {
            return Err(StateError::Checksum);
        }
        if from.u64() != Some(config_hash(self)) {
            return Err(StateError::Config);
        }
        let mut payload = Reader { rest: from.rest.get(..self.payload_len()).unwrap_or(&[]) };
        self.read(&mut payload).ok_or(StateError::Payload)
    }
}

fn header<K: Snapshot + ?Sized>(kernel: &K) -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    let mut to = Writer { rest: &mut bytes };
    to.bytes(&MAGIC);
    to.bytes(&FORMAT.to_le_bytes());
    to.bytes(&kernel.kernel_id().to_le_bytes());
    to.bytes(&(kernel.payload_len() as u32).to_le_bytes());
    to.u64(config_hash(kernel));
    bytes
}

fn config_hash<K: Snapshot + ?Sized>(kernel: &K) -> u64 {
    let mut hash = Fingerprint::default();
    kernel.fingerprint(&mut hash);
    hash.0
}

fn whole(blob: &[u8]) -> bool {
    blob.split_last_chunk().is_some_and(|(body, sum)| crc32(body) == u32::from_le_bytes(*sum))
}

/// Writes a payload; what does not fit is dropped and shows as a wrong checksum.
pub struct Writer<'a> {
    rest: &'a mut [u8],
}

impl Writer<'_> {
    fn bytes(&mut self, bytes: &[u8]) {
        let rest = core::mem::take(&mut self.rest);
        if let Some((head, tail)) = rest.split_at_mut_checked(bytes.len()) {
            head.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            self.rest = tail;
        }
    }

    /// Writes a count, an index or a phase.
    pub fn u64(&mut self, value: u64) {
        self.bytes(&value.to_le_bytes());
    }

    /// Writes samples.
    pub fn samples<T: Sample>(&mut self, samples: &[T]) {
        for component in T::components(samples) {
            let mut bytes = [0; 8];
            if let Some(bytes) = bytes.get_mut(..size_of::<T::Component>()) {
                bytes.iter_mut().zip(bytemuck::bytes_of(component)).for_each(|(to, from)| *to = *from);
                if cfg!(target_endian = "big") {
                    bytes.reverse();
                }
                self.bytes(bytes);
            }
        }
    }
}

/// Reads a payload.
#[derive(Clone)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, tail) = self.rest.split_first_chunk()?;
        self.rest = tail;
        Some(*head)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// Reads a count, an index or a phase.
    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads a count of samples since the start of a stream; none is near the end of its range.
    pub fn count(&mut self) -> Option<u64> {
        self.u64().filter(|count| *count < 1 << 62)
    }

    /// Reads one sample.
    pub fn sample<T: Sample>(&mut self) -> Option<T> {
        let mut sample = [T::ZERO];
        self.samples(&mut sample)?;
        Some(sample[0])
    }

    /// Fills `samples`, or leaves them as they are and gives `None` where bytes are missing.
    pub fn samples<T: Sample>(&mut self, samples: &mut [T]) -> Option<()> {
        let (mut head, tail) = self.rest.split_at_checked(size_of_val(samples))?;
        self.rest = tail;
        for component in T::components_mut(samples) {
            let to = bytemuck::bytes_of_mut(component);
            let (bytes, rest) = head.split_at_checked(to.len())?;
            to.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            if cfg!(target_endian = "big") {
                to.reverse();
            }
            head = rest;
        }
        Some(())
    }
}

/// FNV-1a-64 over a constructor's arguments.
#[derive(Clone, Copy, Debug)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    fn bytes(&mut self, bytes: impl Iterator<Item = u8>) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Adds a count.
    pub fn u64(&mut self, value: u64) {
        self.bytes(value.to_le_bytes().into_iter());
    }

    /// Adds a sample.
    pub fn sample<T: Sample>(&mut self, sample: T) {
        for component in T::components(&[sample]) {
            let bytes = bytemuck::bytes_of(component);
            if cfg!(target_endian = "big") {
                self.bytes(bytes.iter().rev().copied());
            } else {
                self.bytes(bytes.iter().copied());
            }
        }
    }
}

/// CRC-32 (IEEE 802.3, reflected), four bits at a time: a table of 64 bytes in flash.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 16] = {
        let mut table = [0; 16];
        let mut i = 0;
        while i < 16 {
            let mut r = i as u32;
            let mut bit = 0;
            while bit < 4 {
                r = if r & 1 == 1 { r >> 1 ^ 0xedb8_8320 } else { r >> 1 };
                bit += 1;
            }
            table[i] = r;
            i += 1;
        }
        table
    };
    let step = |r: u32, nibble: u32| r >> 4 ^ TABLE[((r ^ nibble) & 15) as usize];
    !bytes.iter().fold(!0, |r, &byte| step(step(r, u32::from(byte)), u32::from(byte >> 4)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crc32_gives_the_check_value_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn fingerprint_gives_the_published_fnv_values() {
        let mut hash = Fingerprint::default();
        hash.bytes(b"foobar".iter().copied());
        assert_eq!(hash.0, 0x8594_4171_f739_67e8);
    }
}
