//! Memory: pinned, registered, and of devices, all of it the host's.

use crate::state::{Device, Outcome, State};
use crate::{ALREADY_REGISTERED, INVALID_VALUE, NOT_REGISTERED};

/// What freed memory is overwritten with.
const POISON: u8 = 0xDD;
const ALIGNMENT: usize = 4096;

#[derive(Debug)]
pub(crate) struct Allocation {
    pub(crate) nbytes: usize,
    /// None for pinned memory of the host.
    pub(crate) device: Option<Device>,
}

fn overlap((a, a_nbytes): (usize, usize), (b, b_nbytes): (usize, usize)) -> bool {
    a < b + b_nbytes && b < a + a_nbytes
}

fn within((a, a_nbytes): (usize, usize), (b, b_nbytes): (usize, usize)) -> bool {
    b <= a && a + a_nbytes <= b + b_nbytes
}

impl State {
    pub(crate) fn register(&mut self, start: usize, nbytes: usize) -> Outcome {
        if start == 0 || nbytes == 0 {
            return Err(INVALID_VALUE);
        }
        if self.registered.iter().any(|(other, size)| overlap((start, nbytes), (*other, *size))) {
            return Err(ALREADY_REGISTERED);
        }
        self.registered.insert(start, nbytes);
        Ok(())
    }

    pub(crate) fn unregister(&mut self, start: usize) -> Outcome {
        let Some(nbytes) = self.registered.remove(&start) else {
            self.misuse(format!("unregistered {start:#x}, which is not registered"));
            return Err(NOT_REGISTERED);
        };
        self.check_unused("unregistered", (start, nbytes));
        Ok(())
    }

    pub(crate) fn allocate(&mut self, device: Option<Device>, nbytes: usize) -> Outcome<usize> {
        if nbytes == 0 {
            return Err(INVALID_VALUE);
        }
        let pages = vec![[0u8; ALIGNMENT]; nbytes.div_ceil(ALIGNMENT) + 1].leak();
        let start = (pages.as_mut_ptr().expose_provenance()).next_multiple_of(ALIGNMENT);
        self.allocated.insert(start, Allocation { nbytes, device });
        Ok(start)
    }

    pub(crate) fn free(&mut self, of_device: bool, start: usize) -> Outcome {
        match self.allocated.remove(&start) {
            Some(allocation) if allocation.device.is_some() == of_device => {
                self.check_unused("freed", (start, allocation.nbytes));
                let memory = std::ptr::with_exposed_provenance_mut::<u8>(start);
                // SAFETY: it was leaked when it was allocated, and has so many bytes.
                unsafe { memory.write_bytes(POISON, allocation.nbytes) };
                self.freed.push((start, allocation.nbytes));
                Ok(())
            }
            _ => {
                self.misuse(format!("freed {start:#x}, which is not allocated"));
                Err(INVALID_VALUE)
            }
        }
    }

    /// Notes a fault where a transfer that is still to be made uses a range.
    fn check_unused(&mut self, what: &str, range: (usize, usize)) {
        let mut copies = self.streams.values().flat_map(|stream| &stream.work).filter_map(|work| work.copy());
        let used = copies
            .any(|copy| overlap(range, (copy.from, copy.nbytes)) || overlap(range, (copy.to, copy.nbytes)));
        if used {
            self.fault(format!("{what} {:#x} under a transfer", range.0));
        }
    }

    pub(crate) fn is_freed(&self, range: (usize, usize)) -> bool {
        self.freed.iter().any(|freed| overlap(range, *freed))
    }

    pub(crate) fn is_of_device(&self, range: (usize, usize)) -> bool {
        let on_device = |(start, allocation): (&usize, &Allocation)| {
            allocation.device.is_some() && within(range, (*start, allocation.nbytes))
        };
        self.allocated.iter().any(on_device)
    }

    pub(crate) fn is_pinned(&self, range: (usize, usize)) -> bool {
        let on_host = |(start, allocation): (&usize, &Allocation)| {
            allocation.device.is_none() && within(range, (*start, allocation.nbytes))
        };
        self.registered.iter().any(|(start, nbytes)| within(range, (*start, *nbytes)))
            || self.allocated.iter().any(on_host)
    }
}
