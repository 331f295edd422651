//! Memory that processes share: an anonymous sealed file, or an object with a name.

use super::memory;
use crate::error::{Error, Result};
use crate::layout::{Control, Geometry};
use crate::sync::crash_point;
use memmap2::{Advice, MmapOptions, MmapRaw};
use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::{FlockOperation, MemfdFlags, Mode, SealFlags};
use rustix::io::Errno;
use rustix::mm::MprotectFlags;
use rustix::shm;

/// What the names of named arenas begin with.
const PREFIX: &str = "passband-";
/// Where the system shows them.
const FOLDER: &str = "/dev/shm";

/// The file behind an arena.
#[derive(Debug)]
pub(crate) struct File {
    fd: OwnedFd,
    pub(crate) name: Option<String>,
}

impl File {
    /// A new file of `total` bytes, all of them reserved. Nothing is left of it on failure.
    pub(crate) fn create(total: usize, named: bool) -> Result<Self> {
        memory::check(total as u64)?;
        if named {
            return Self::create_named(total);
        }
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let made = rustix::fs::memfd_create(c"passband", flags);
        let fd = made.map_err(Error::system("cannot make anonymous shared memory"))?;
        rustix::fs::fchmod(&fd, Mode::RUSR | Mode::WUSR)
            .map_err(Error::system("cannot set the mode of shared memory"))?;
        memory::reserve(fd.as_fd(), total as u64)?;
        rustix::fs::fcntl_add_seals(&fd, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)
            .map_err(Error::system("cannot seal shared memory"))?;
        Ok(Self { fd, name: None })
    }

    fn create_named(total: usize) -> Result<Self> {
        let file = loop {
            let file = Self::with_new_name()?;
            // Whoever holds this lock keeps the name from being swept.
            match rustix::fs::flock(&file.fd, FlockOperation::NonBlockingLockShared) {
                Ok(()) if leads_to(file.name.as_deref(), &file.fd) => break file,
                // A sweep was faster: it has taken the name, or is about to.
                Ok(()) | Err(Errno::WOULDBLOCK) => {}
                Err(errno) => {
                    file.remove_name();
                    return Err(Error::system("cannot lock named shared memory")(errno));
                }
            }
        };
        memory::reserve(file.fd.as_fd(), total as u64).inspect_err(|_| file.remove_name())?;
        Ok(file)
    }

    fn with_new_name() -> Result<Self> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(Error::random)?;
        let name = format!("{PREFIX}{:032x}", u128::from_le_bytes(random));
        let flags = shm::OFlags::CREATE | shm::OFlags::EXCL | shm::OFlags::RDWR;
        let fd = shm::open(format!("/{name}"), flags, Mode::RUSR | Mode::WUSR)
            .map_err(Error::system("cannot make named shared memory"))?;
        Ok(Self { fd, name: Some(name) })
    }

    /// The file of an anonymous arena that was made elsewhere.
    pub(crate) fn received(fd: OwnedFd) -> Result<Self> {
        let wanted = SealFlags::SHRINK | SealFlags::GROW;
        // Only a sealed file stays as large as it is.
        if !rustix::fs::fcntl_get_seals(&fd).is_ok_and(|seals| seals.contains(wanted)) {
            return Err(Error::Endpoint("the descriptor is not that of an arena".into()));
        }
        Ok(Self { fd, name: None })
    }

    /// The file of a named arena.
    pub(crate) fn open(name: &str) -> Result<Self> {
        let missing = |error: Errno| Error::System { what: "no arena of this name", error: error.into() };
        if !name.starts_with(PREFIX) || name.contains('/') {
            return Err(missing(Errno::NOENT));
        }
        let fd = reopen(name).map_err(missing)?;
        rustix::fs::flock(&fd, FlockOperation::NonBlockingLockShared)
            .map_err(Error::system("the arena of this name is being removed"))?;
        Ok(Self { fd, name: Some(name.into()) })
    }

    pub(crate) fn nbytes(&self) -> Result<usize> {
        let stat = rustix::fs::fstat(&self.fd).map_err(Error::system("no size of shared memory"))?;
        Ok(usize::try_from(stat.st_size).unwrap_or_default())
    }

    pub(crate) fn fd(&self) -> &OwnedFd {
        &self.fd
    }

    /// Marks the arena as unlinked, without a mapping of it.
    pub(crate) fn mark_unlinked(&self) {
        crash_point();
        let at = std::mem::offset_of!(Control, unlinked) as u64;
        // The memory is there; on a system that refuses, the name and the descriptor go all the same.
        let _ = rustix::io::pwrite(&self.fd, &1u64.to_ne_bytes(), at);
    }

    /// Removes the name, where there is one.
    pub(crate) fn remove_name(&self) {
        if let Some(name) = &self.name {
            // Gone already: unlinked by another.
            let _ = shm::unlink(format!("/{name}"));
        }
    }
}

/// The two mappings of an arena: words that both sides write, and the units.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) control: MmapRaw,
    pub(crate) data: MmapRaw,
}

impl Shared {
    pub(crate) fn map(file: &File, geometry: &Geometry, prefault: bool) -> Result<Self> {
        let map = |offset: usize, len: usize| {
            let refused = |error: std::io::Error| Error::Memory {
                wanted: geometry.total as u64,
                why: format!("mapping failed: {error}; see the limits of this process (ulimit -v)"),
                errno: error.raw_os_error().unwrap_or_default(),
            };
            MmapOptions::new().offset(offset as u64).len(len).map_raw(file.fd.as_raw_fd()).map_err(refused)
        };
        let (control, data) = (map(0, geometry.data)?, map(geometry.data, geometry.data_len())?);
        if prefault {
            // The memory is reserved: what may fail is an old kernel, and then first use does the same.
            let _ = control.advise(Advice::PopulateWrite);
            let _ = data.advise(Advice::PopulateWrite);
        }
        Ok(Self { control, data })
    }

    /// Makes whole pages of the data read-only in this process, or writable again.
    pub(crate) fn protect(&self, at: usize, nbytes: usize, writable: bool) -> Result<()> {
        let flags = if writable { MprotectFlags::READ | MprotectFlags::WRITE } else { MprotectFlags::READ };
        let nbytes = nbytes.next_multiple_of(rustix::param::page_size());
        if at.checked_add(nbytes).is_none_or(|end| end > self.data.len()) {
            return Err(Error::Corrupt("a segment outside the arena"));
        }
        // SAFETY: the pages are this mapping's own. Whoever may still write to them by a pointer gets a
        // fault, which is what the caller asks for.
        unsafe { rustix::mm::mprotect(self.data.as_mut_ptr().add(at).cast(), nbytes, flags) }
            .map_err(Error::system("cannot change the protection of shared memory"))
    }
}

/// Removes the named arenas of this user that no process has attached any more; returns their names.
///
/// A name is left behind only by processes that were killed. One that can be locked exclusively has
/// nobody attached; under the lock it is looked at again, as it may have been replaced meanwhile.
///
/// # Errors
///
/// [`Error::System`] where the names cannot be listed.
pub fn sweep() -> Result<Vec<String>> {
    let unlisted = |error| Error::System { what: "cannot list named shared memory", error };
    let mut removed = Vec::new();
    for entry in std::fs::read_dir(FOLDER).map_err(unlisted)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with(PREFIX) {
            continue;
        }
        // Locked until the name is gone.
        let Some(_abandoned) = abandoned(&name) else { continue };
        if shm::unlink(format!("/{name}")).is_ok() {
            removed.push(name);
        }
    }
    Ok(removed)
}

/// The object of this name, locked, where nobody has it attached.
fn abandoned(name: &str) -> Option<OwnedFd> {
    let fd = reopen(name).ok()?;
    let mine = rustix::fs::fstat(&fd).ok()?.st_uid == rustix::process::getuid().as_raw();
    let locked = mine && rustix::fs::flock(&fd, FlockOperation::NonBlockingLockExclusive).is_ok();
    (locked && leads_to(Some(name), &fd)).then_some(fd)
}

fn reopen(name: &str) -> rustix::io::Result<OwnedFd> {
    shm::open(format!("/{name}"), shm::OFlags::RDWR, Mode::empty())
}

/// Whether a name is still that of an object.
fn leads_to(name: Option<&str>, fd: &OwnedFd) -> bool {
    let (Some(Ok(now)), Ok(then)) = (name.map(reopen), rustix::fs::fstat(fd)) else { return false };
    rustix::fs::fstat(now).is_ok_and(|now| (now.st_dev, now.st_ino) == (then.st_dev, then.st_ino))
}
