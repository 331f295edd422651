//! A process's part in an arena: its mapping until it closes it, its file until it is unlinked.

use super::{CLOSED_HERE, File, Mapping};
use crate::endpoint::{Side, close};
use crate::error::{Error, Result};
use crate::sync::{Mutex, MutexGuard, Ordering, fence};
use rustix::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::{Arc, PoisonError};

/// What an [`Arena`](crate::Arena) and its endpoints have in common.
#[derive(Debug)]
pub(crate) struct Attachment {
    mapping: Mutex<Option<Arc<Mapping>>>,
    /// None for an arena on the heap.
    file: Mutex<Option<File>>,
}

impl Attachment {
    pub(crate) fn new(mapping: Arc<Mapping>, file: Option<File>) -> Arc<Self> {
        Arc::new(Self { mapping: Mutex::new(Some(mapping)), file: Mutex::new(file) })
    }

    /// The arena, if it is not closed in this process.
    pub(crate) fn mapping(&self) -> Result<Arc<Mapping>> {
        crate::pin::nudge();
        let mapping = lock(&self.mapping);
        mapping.as_ref().filter(|mapping| !mapping.is_closed()).cloned().ok_or(CLOSED_HERE)
    }

    /// Closes the ends that this process holds; both, where it made the arena and holds none.
    pub(crate) fn close(&self) {
        let Some(mapping) = lock(&self.mapping).take() else { return };
        let (first, owner) = (mapping.close(), mapping.is_owner());
        // Before the claims are looked at: see `Endpoint::claim`.
        fence(Ordering::SeqCst);
        let held = [Side::Writer, Side::Reader].map(|side| close(&mapping, side));
        if first && owner && held == [false; 2] {
            mapping.shut_down();
        }
        mapping.ring_both();
        // The owner's descriptor stays until the arena is unlinked, a name's until nobody has it.
        let mut file = lock(&self.file);
        if !owner && file.as_ref().is_some_and(|file| file.name.is_none()) {
            *file = None;
        }
    }

    /// Lets nobody attach any more.
    pub(crate) fn unlink(&self) {
        let Some(file) = lock(&self.file).take() else { return };
        file.mark_unlinked();
        file.remove_name();
    }

    /// A descriptor of the arena's memory, to be handed to another process.
    pub(crate) fn descriptor(&self) -> Result<OwnedFd> {
        let further = self.with_file(|file| file.fd().try_clone())?;
        further.map_err(|error| Error::System { what: "no further descriptor", error })
    }

    /// The number of the descriptor that the arena itself has.
    pub(crate) fn raw_descriptor(&self) -> Result<RawFd> {
        self.with_file(|file| file.fd().as_raw_fd())
    }

    fn with_file<T>(&self, of: impl FnOnce(&File) -> T) -> Result<T> {
        self.mapping()?;
        lock(&self.file).as_ref().map(of).ok_or(Error::Closed("it was unlinked, and has no descriptor"))
    }

    pub(crate) fn name(&self) -> Option<String> {
        lock(&self.file).as_ref()?.name.clone()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
