//! Copies between host and device, which own what they read and write until they are over.

use super::cuda::Device;
use super::driver::{Answer, Driver, EventId, StreamId};
use super::kept::{Duty, Keep, Owner};
use super::memory::{DeviceRange, HostRange};
use crate::error::{Error, Result};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// A stream of a device: copies in one are made in the order in which they were submitted.
///
/// Clones are the same stream, which the cleaner destroys when the last one, and the last copy in it, is gone.
#[derive(Debug, Clone)]
pub struct Stream {
    device: Device,
    id: StreamId,
    keep: Arc<Keep>,
}

impl Device {
    /// A stream of its own, which waits for no other.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`].
    pub fn stream(&self) -> Result<Stream> {
        let doing = || format!("cannot make a stream on device {}", self.ordinal());
        let id = self.call(doing, |driver| driver.create_stream())?;
        let what = format!("a stream of device {}", self.ordinal());
        let keep = Keep::new(*self, Duty::DestroyStream(id), what, 0, Vec::new());
        Ok(Stream { device: *self, id, keep: Arc::new(keep) })
    }

    /// A stream of another library's, by its handle; 0 is the default stream of this device.
    ///
    /// # Safety
    ///
    /// Until `owner` is dropped the handle is that of a stream of this device's primary context.
    #[must_use]
    pub unsafe fn foreign_stream(&self, handle: usize, owner: Owner) -> Stream {
        let what = format!("a foreign stream of device {}", self.ordinal());
        let mut keep = Keep::new(*self, Duty::DestroyStream(StreamId(handle)), what, 0, vec![owner]);
        // It is not ours to destroy.
        keep.release();
        Stream { device: *self, id: StreamId(handle), keep: Arc::new(keep) }
    }
}

impl Stream {
    /// The device.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Its handle, by which other libraries can use it for as long as this lives.
    #[must_use]
    pub fn handle(&self) -> usize {
        self.id.0
    }

    /// Waits until everything submitted to the stream is complete.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`]: then it may not be.
    pub fn synchronize(&self) -> Result<()> {
        let doing = || "cannot wait for a stream".into();
        // SAFETY: the stream lives as long as `self`.
        self.device.call(doing, |driver| unsafe { driver.synchronize_stream(self.id) })
    }

    /// Begins to copy from the host to the device.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] for ranges of unequal size; [`Error::Driver`]. Where the copy may have begun all
    /// the same, the cleaner keeps both ranges until it is over.
    pub fn copy_to_device(&self, from: HostRange, to: DeviceRange) -> Result<Transfer> {
        let (start, address) = (from.start.as_ptr().expose_provenance(), to.address);
        let what = format!("copy of {} bytes to device {}", from.nbytes, self.device.ordinal());
        self.copy(&what, [from.nbytes, to.nbytes], [from.owner, to.owner], |driver, nbytes| {
            // SAFETY: whoever made the ranges says what they are; `copy` keeps their owners.
            unsafe { driver.copy_to_device(start, address, nbytes, self.id) }
        })
    }

    /// Begins to copy from the device to the host.
    ///
    /// # Errors
    ///
    /// As [`Stream::copy_to_device`].
    pub fn copy_to_host(&self, from: DeviceRange, to: HostRange) -> Result<Transfer> {
        let (address, start) = (from.address, to.start.as_ptr().expose_provenance());
        let what = format!("copy of {} bytes from device {}", from.nbytes, self.device.ordinal());
        self.copy(&what, [from.nbytes, to.nbytes], [from.owner, to.owner], |driver, nbytes| {
            // SAFETY: as above.
            unsafe { driver.copy_to_host(address, start, nbytes, self.id) }
        })
    }

    fn copy(
        &self,
        what: &str,
        [nbytes, room]: [usize; 2],
        [from, to]: [Owner; 2],
        submit: impl FnOnce(&dyn Driver, usize) -> Answer<()>,
    ) -> Result<Transfer> {
        if nbytes != room {
            let (argument, expected) = ("to", "as many bytes as are to be copied");
            return Err(Error::Argument { argument, expected, given: format!("{room} for {nbytes}") });
        }
        let device = self.device;
        let event = device.call(|| format!("cannot begin a {what}"), |driver| driver.create_event())?;
        let made = Keep::new(device, Duty::DestroyEvent(event), "an event", 0, Vec::new());
        let owners: Vec<Owner> = vec![from, to, Box::new(self.keep.clone()), Box::new(made)];
        // Until an event is recorded behind the copy, only the stream tells when it is over.
        let mut keep = Keep::new(device, Duty::AwaitStream(self.id), what, nbytes, owners);
        let mut begun = false;
        let recorded = device.call(
            || format!("cannot begin a {what}"),
            |driver| {
                begun = true;
                if nbytes > 0 {
                    submit(driver, nbytes)?;
                }
                // SAFETY: the event and the stream are among the owners.
                unsafe { driver.record_event(event, self.id) }
            },
        );
        match recorded {
            Ok(()) => {
                keep.await_event(event);
                Ok(Transfer { keep, device, event, nbytes, complete: false })
            }
            Err(error) => {
                if !begun {
                    keep.release();
                }
                Err(error)
            }
        }
    }
}

/// A copy that was begun. It owns what it reads and writes, its stream and its event, until it is complete.
///
/// Dropping it does not end the copy: the cleaner keeps everything until the device is done with it.
#[derive(Debug)]
pub struct Transfer {
    keep: Keep,
    device: Device,
    event: EventId,
    nbytes: usize,
    complete: bool,
}

impl Transfer {
    /// The number of bytes.
    #[must_use]
    pub fn nbytes(&self) -> usize {
        self.nbytes
    }

    /// Whether the copy is complete. What it owns goes when it is dropped, and not before.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`]: then nobody knows, and everything is kept.
    pub fn is_complete(&mut self) -> Result<bool> {
        if !self.complete {
            let doing = || format!("cannot tell whether a copy of {} bytes is complete", self.nbytes);
            // SAFETY: the event is among the owners.
            self.complete = self.device.call(doing, |driver| unsafe { driver.query_event(self.event) })?;
            if self.complete {
                self.keep.release();
            }
        }
        Ok(self.complete)
    }

    /// Waits for the copy, up to `timeout`, for ever without one; whether it is complete.
    ///
    /// # Errors
    ///
    /// As [`Transfer::is_complete`].
    pub fn wait(&mut self, timeout: Option<Duration>) -> Result<bool> {
        /// Short copies are looked at all the time: to sleep takes longer than they do.
        const SPIN: Duration = Duration::from_micros(50);
        /// How much later than need be the end of a long one is seen, as a part of its time.
        const LATE: u32 = 16;
        let start = Instant::now();
        loop {
            if self.is_complete()? {
                return Ok(true);
            }
            let waited = start.elapsed();
            let left = timeout.map_or(Duration::MAX, |timeout| timeout.saturating_sub(waited));
            if left.is_zero() {
                return Ok(false);
            }
            if waited < SPIN {
                std::hint::spin_loop();
            } else {
                thread::sleep((waited / LATE).min(Duration::from_millis(1)).min(left));
            }
        }
    }
}
