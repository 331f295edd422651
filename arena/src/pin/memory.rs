//! Bytes on either side, with what keeps them where they are.

use super::cuda::Device;
use super::driver::code;
use super::kept::{Duty, Keep, Owner};
use crate::error::{Error, Result};
use crate::export::Export;
use std::ptr::NonNull;
use std::sync::Arc;

/// Bytes of host memory, and what keeps them.
pub struct HostRange {
    pub(super) start: NonNull<u8>,
    pub(super) nbytes: usize,
    pub(super) owner: Owner,
}

// SAFETY: the pointer is only handed to the driver, and the owner can be sent.
unsafe impl Send for HostRange {}

impl HostRange {
    /// Bytes of any kind: pinned ones are copied while the caller goes on, others by way of the driver's own.
    ///
    /// # Safety
    ///
    /// Until `owner` is dropped `nbytes` bytes from `start` on are readable, and writable where the range is
    /// what a copy goes to or is registered. A copy reads or writes them on its own time: what it writes is
    /// nobody else's until the copy is complete.
    #[must_use]
    pub unsafe fn from_raw(start: NonNull<u8>, nbytes: usize, owner: Owner) -> Self {
        Self { start, nbytes, owner }
    }

    /// The number of bytes.
    #[must_use]
    pub fn nbytes(&self) -> usize {
        self.nbytes
    }
}

impl From<Export> for HostRange {
    /// The unit is released when the copy of it is complete.
    fn from(export: Export) -> Self {
        Self { start: export.as_ptr(), nbytes: export.nbytes(), owner: Box::new(export) }
    }
}

/// Bytes of device memory, and what keeps them.
pub struct DeviceRange {
    pub(super) address: u64,
    pub(super) nbytes: usize,
    pub(super) owner: Owner,
}

impl DeviceRange {
    /// Bytes that another library has allocated.
    ///
    /// # Safety
    ///
    /// Until `owner` is dropped `nbytes` bytes of device memory from `address` on belong to it. What a
    /// copy writes is nobody else's until the copy is complete.
    #[must_use]
    pub unsafe fn from_raw(address: u64, nbytes: usize, owner: Owner) -> Self {
        Self { address, nbytes, owner }
    }

    /// The number of bytes.
    #[must_use]
    pub fn nbytes(&self) -> usize {
        self.nbytes
    }
}

/// An error unless a part lies within a whole.
fn check_part(offset: usize, nbytes: usize, whole: usize) -> Result<()> {
    if offset.checked_add(nbytes).is_some_and(|end| end <= whole) {
        return Ok(());
    }
    let given = format!("{offset} and {nbytes} of {whole} bytes");
    Err(Error::Argument { argument: "offset, nbytes", expected: "a part of the range", given })
}

/// A part of host memory that an owner with many shares has.
pub(super) fn part<T: Send + Sync + 'static>(
    owner: &Arc<T>,
    start: NonNull<u8>,
    whole: usize,
    offset: usize,
    nbytes: usize,
) -> Result<HostRange> {
    check_part(offset, nbytes, whole)?;
    // SAFETY: within the range, as just checked.
    let start = unsafe { start.add(offset) };
    Ok(HostRange { start, nbytes, owner: Box::new(owner.clone()) })
}

/// Host memory of another's that is pinned for as long as a clone of this, a range of it, or a transfer lives.
///
/// After that the cleaner unregisters it, and then lets its owner go.
#[derive(Debug, Clone)]
pub struct Registered {
    start: NonNull<u8>,
    nbytes: usize,
    keep: Arc<Keep>,
}

// SAFETY: the pointer is only handed out.
unsafe impl Send for Registered {}
// SAFETY: as above.
unsafe impl Sync for Registered {}

impl Device {
    /// Pins a writable range of host memory, for all devices.
    ///
    /// Copies of pinned memory run while the caller goes on, and at the full speed of the bus. The system
    /// cannot move or swap it meanwhile, and may limit how much there is of it.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] for an empty range; [`Error::Driver`] where the driver refuses, as it does for a
    /// range that is pinned already.
    pub fn register(&self, range: HostRange) -> Result<Registered> {
        self.register_as(format!("{} bytes of registered memory", range.nbytes), range)
    }

    pub(crate) fn register_as(&self, what: String, range: HostRange) -> Result<Registered> {
        let HostRange { start, nbytes, owner } = range;
        if nbytes == 0 {
            let (argument, expected) = ("range", "bytes to be pinned");
            return Err(Error::Argument { argument, expected, given: "none".into() });
        }
        let address = start.as_ptr().expose_provenance();
        let doing = || format!("cannot pin {nbytes} bytes at {address:#x}");
        let mut keep = Keep::new(*self, Duty::Unregister(address), what, nbytes, vec![owner]);
        // SAFETY: whoever made the range says that the bytes are there until its owner is dropped.
        let registered = self.call(doing, |driver| unsafe { driver.register(address, nbytes) });
        match registered {
            Ok(()) => Ok(Registered { start, nbytes, keep: Arc::new(keep) }),
            Err(Error::Driver(error)) if error.call == REGISTER && error.code != code::ALREADY_REGISTERED => {
                // It may be pinned all the same: unregister it before its owner goes.
                keep.doubt();
                Err(Error::Driver(error))
            }
            Err(error) => {
                keep.release();
                Err(error)
            }
        }
    }

    /// New memory of this device.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] where there is not so much.
    pub fn allocate(&self, nbytes: usize) -> Result<DeviceBuffer> {
        let doing = || format!("cannot allocate {nbytes} bytes on device {}", self.ordinal());
        let address = self.call(doing, |driver| driver.allocate_device(nbytes.max(1)))?;
        let what = format!("{nbytes} bytes of device {}", self.ordinal());
        let keep = Keep::new(*self, Duty::FreeDevice(address), what, nbytes, Vec::new());
        Ok(DeviceBuffer { device: *self, address, nbytes, keep: Arc::new(keep) })
    }
}

const REGISTER: &str = "cuMemHostRegister_v2";

impl Registered {
    /// The first byte.
    #[must_use]
    pub fn as_ptr(&self) -> NonNull<u8> {
        self.start
    }

    /// The number of bytes.
    #[must_use]
    pub fn nbytes(&self) -> usize {
        self.nbytes
    }

    /// A part of it, which keeps the whole.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] outside.
    pub fn range(&self, offset: usize, nbytes: usize) -> Result<HostRange> {
        part(&self.keep, self.start, self.nbytes, offset, nbytes)
    }
}

/// Memory of a device, which the cleaner frees when no clone of this, no range of it, and no transfer has it.
#[derive(Debug, Clone)]
pub struct DeviceBuffer {
    device: Device,
    address: u64,
    nbytes: usize,
    keep: Arc<Keep>,
}

impl DeviceBuffer {
    /// The device.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Where it begins, for whoever knows what to do with that.
    #[must_use]
    pub fn address(&self) -> u64 {
        self.address
    }

    /// The number of bytes.
    #[must_use]
    pub fn nbytes(&self) -> usize {
        self.nbytes
    }

    /// A part of it, which keeps the whole.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] outside.
    pub fn range(&self, offset: usize, nbytes: usize) -> Result<DeviceRange> {
        check_part(offset, nbytes, self.nbytes)?;
        let owner = Box::new(self.keep.clone());
        Ok(DeviceRange { address: self.address + offset as u64, nbytes, owner })
    }
}
