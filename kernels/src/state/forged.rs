//! Snapshots that no kernel wrote, for kernels to refuse.

use super::{Fingerprint, Reader, Snapshot, StateError, Writer};
use std::vec;
use std::vec::Vec;

/// A snapshot of a kernel with a payload of other words.
struct Forged<'a, K>(&'a K, &'a [u64]);

impl<K: Snapshot> Snapshot for Forged<'_, K> {
    fn kernel_id(&self) -> u32 {
        self.0.kernel_id()
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        self.0.fingerprint(hash);
    }
    fn payload_len(&self) -> usize {
        self.0.payload_len()
    }
    fn write(&self, to: &mut Writer<'_>) {
        self.1.iter().for_each(|word| to.u64(*word));
    }
    fn read(&mut self, _: &mut Reader<'_>) -> Option<()> {
        None
    }
}

/// Loads the words of a payload, under a header and a checksum that fit.
pub(crate) fn load<K: Snapshot>(kernel: &mut K, payload: &[u64]) -> Result<(), StateError> {
    let forged = Forged(&*kernel, payload);
    let mut blob: Vec<u8> = vec![0; forged.save_len()];
    assert_eq!(forged.save(&mut blob), Ok(blob.len()));
    kernel.load(&blob)
}
