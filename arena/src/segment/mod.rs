//! One arena as this process sees it: its control area, its bytes, and what they lie in.

mod attachment;
mod copy;
mod data;
mod memory;
mod shared;

pub(crate) use attachment::Attachment;
pub(crate) use data::Data;
pub use data::{Source, bytes_copied};
pub use shared::sweep;

use crate::endpoint::{pid_namespace, this_process};
use crate::error::{Error, Result};
use crate::layout::{ControlArea, FACTS, Geometry, Identity, MAGIC, VERSION};
use crate::options::Options;
use crate::pin::{self, Registered};
use crate::record::ArenaId;
use crate::sync::{AtomicBool, Ordering};
use rustix::fd::OwnedFd;
pub(crate) use shared::File;
use shared::Shared;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use xxhash_rust::xxh3::xxh3_64;

pub(crate) const CLOSED_HERE: Error = Error::Closed("it was closed in this process");
/// Why a process has no part in an arena that it could map.
pub(crate) const FOREIGN: &str =
    "the arena was made in another pid namespace, whose processes cannot be watched";

/// The memory of one arena in this process; unmapped when the last owner is gone.
#[derive(Debug)]
pub(crate) struct Mapping {
    pub(crate) id: ArenaId,
    pub(crate) geometry: Geometry,
    pub(crate) options: Options,
    pub(crate) area: ControlArea,
    pub(crate) data: Data,
    /// Whether this process is done with the arena.
    closed: AtomicBool,
    /// The process that made the arena; 0 elsewhere.
    owner: u64,
    /// The pid namespace of all who have a part in the arena.
    pub(crate) namespace: u64,
    /// What pins the data in this process, if anything does.
    pinned: Mutex<Option<Registered>>,
    // Last: the fields above point into it.
    backing: Backing,
}

#[derive(Debug)]
enum Backing {
    /// Shared with what pins it: pinned memory is unregistered before it is unmapped.
    Shared(Arc<Shared>),
    /// For tests without a mapping: under Miri, loom and sanitizers.
    Heap { _pages: Vec<Page> },
}

#[derive(Debug, Clone, Copy)]
#[repr(C, align(4096))]
struct Page([u8; 4096]);

/// The arenas that this process has mapped: one mapping each, so that overlaps show in addresses.
static MAPPED: Mutex<Vec<(ArenaId, Weak<Mapping>)>> = Mutex::new(Vec::new());

impl Mapping {
    /// A new arena in shared memory.
    pub(crate) fn create(size: usize, count: usize, options: Options) -> Result<(Arc<Self>, File)> {
        let geometry = geometry(size, count, &options, rustix::param::page_size())?;
        if options.pin_memory {
            pin::require()?;
        }
        let id = new_id()?;
        let file = File::create(geometry.total, options.named)?;
        let shared = Shared::map(&file, &geometry, options.prefault).inspect_err(|_| file.remove_name())?;
        // SAFETY: `shared` maps the control pages and keeps them for as long as the mapping lives.
        let area = unsafe { ControlArea::overlay(shared.control.as_ptr(), geometry) };
        publish(&area.control().identity.0, id, &geometry, &options);
        let mapping = Self::over_shared(id, geometry, options, area, shared, this_process());
        Ok((register(mapping), file))
    }

    /// A new arena on this process's heap.
    pub(crate) fn on_heap(size: usize, count: usize, options: Options) -> Result<Arc<Self>> {
        if options.pin_memory {
            let (argument, expected) = ("pin_memory", "false for an arena on the heap");
            return Err(Error::Argument { argument, expected, given: "true".into() });
        }
        let geometry = geometry(size, count, &options, size_of::<Page>())?;
        let mut pages = vec![Page([0; 4096]); geometry.data_len() / size_of::<Page>()];
        let base = NonNull::from(pages.as_mut_slice()).cast();
        // SAFETY: the pages are kept beside the data and touched by nothing else.
        let data = unsafe { Data::new(base, geometry.data_len()) };
        let area = ControlArea::on_heap(geometry);
        let id = ArenaId([1, 2]);
        publish(&area.control().identity.0, id, &geometry, &options);
        let closed = AtomicBool::new(false);
        let (owner, namespace) = (this_process(), pid_namespace());
        let backing = Backing::Heap { _pages: pages };
        let pinned = Mutex::default();
        Ok(Arc::new(Self { id, geometry, options, area, data, closed, owner, namespace, pinned, backing }))
    }

    /// The arena behind a descriptor that another process sent.
    pub(crate) fn attach(fd: OwnedFd) -> Result<(Arc<Self>, File)> {
        Self::attach_file(File::received(fd)?)
    }

    /// The arena of this name.
    pub(crate) fn open(name: &str) -> Result<(Arc<Self>, File)> {
        Self::attach_file(File::open(name)?)
    }

    fn attach_file(file: File) -> Result<(Arc<Self>, File)> {
        let nbytes = file.nbytes()?;
        let (id, geometry, options) = identify(&file, nbytes)?;
        if let Some(known) = known(&mapped(), id) {
            let closed = known.is_closed();
            return if closed { Err(CLOSED_HERE) } else { Ok((known, file)) };
        }
        let shared = Shared::map(&file, &geometry, options.prefault)?;
        // SAFETY: as in `create`; the file is as long as the geometry says and, sealed, stays so.
        let area = unsafe { ControlArea::overlay(shared.control.as_ptr(), geometry) };
        let mapping = Self::over_shared(id, geometry, options, area, shared, 0);
        Ok((register(mapping), file))
    }

    fn over_shared(
        id: ArenaId,
        geometry: Geometry,
        options: Options,
        area: ControlArea,
        shared: Shared,
        owner: u64,
    ) -> Self {
        let base = NonNull::new(shared.data.as_mut_ptr()).unwrap_or(NonNull::dangling());
        // SAFETY: `shared` maps the data pages and keeps them for as long as the mapping lives.
        let data = unsafe { Data::new(base, shared.data.len()) };
        let (closed, namespace) = (AtomicBool::new(false), pid_namespace());
        let (pinned, backing) = (Mutex::default(), Backing::Shared(Arc::new(shared)));
        Self { id, geometry, options, area, data, closed, owner, namespace, pinned, backing }
    }

    /// Where a segment begins in the data.
    pub(crate) fn segment_at(&self, segment: usize) -> usize {
        segment * self.geometry.stride
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    pub(crate) fn is_shut_down(&self) -> bool {
        self.area.control().shut_down.0.load() != 0
    }

    /// Whether this process made the arena; a forked child of its maker did not.
    pub(crate) fn is_owner(&self) -> bool {
        self.owner != 0 && self.owner == this_process()
    }

    /// Ends this process's use of the arena; true for the first time.
    pub(crate) fn close(&self) -> bool {
        !self.closed.swap(true, Ordering::AcqRel)
    }

    pub(crate) fn shut_down(&self) {
        self.area.control().shut_down.0.store(1);
        self.ring_both();
    }

    pub(crate) fn ring_both(&self) {
        self.area.control().writer_bell.0.ring();
        self.area.control().reader_bell.0.ring();
    }

    /// Pins the data in this process, once: `register` is given the mapping, and what keeps it.
    pub(crate) fn pin(
        &self,
        register: impl FnOnce(NonNull<u8>, usize, Box<dyn Send>) -> Result<Registered>,
    ) -> Result<()> {
        let mut pinned = self.pinned.lock().unwrap_or_else(PoisonError::into_inner);
        if let (None, Backing::Shared(shared)) = (&*pinned, &self.backing) {
            let start = NonNull::new(shared.data.as_mut_ptr()).unwrap_or(NonNull::dangling());
            *pinned = Some(register(start, shared.data.len(), Box::new(shared.clone()))?);
        }
        Ok(())
    }

    /// Makes the whole data, or one segment of it, read-only in this process, or writable again.
    pub(crate) fn protect(&self, segment: Option<usize>, writable: bool) -> Result<()> {
        let (at, nbytes) = match segment {
            Some(segment) => (self.segment_at(segment), self.geometry.stride),
            None => (0, self.geometry.data_len()),
        };
        match &self.backing {
            Backing::Shared(shared) => shared.protect(at, nbytes, writable),
            Backing::Heap { .. } => Ok(()),
        }
    }
}

fn geometry(size: usize, count: usize, options: &Options, page: usize) -> Result<Geometry> {
    let sizes = Geometry::new(size, count, options.records(count), page);
    sizes.ok_or_else(|| Error::Memory {
        wanted: (size as u64).saturating_mul(count.max(1) as u64),
        why: "more than an address can reach; ask for less".into(),
        errno: rustix::io::Errno::NOMEM.raw_os_error(),
    })
}

fn new_id() -> Result<ArenaId> {
    let word = || getrandom::u64().map_err(Error::random);
    Ok(ArenaId([word()?, word()?]))
}

/// Writes what the arena is, and last that it is ready.
fn publish(identity: &Identity, id: ArenaId, geometry: &Geometry, options: &Options) {
    let facts = facts(id, geometry, options);
    for (word, fact) in identity.facts.iter().zip(facts) {
        word.store(fact);
    }
    identity.ready.store(ready(&facts));
}

/// What an arena is, in words; `identify` reads them in this order.
fn facts(id: ArenaId, geometry: &Geometry, options: &Options) -> [u64; FACTS] {
    let [id_0, id_1] = id.0;
    let Geometry { segment_size, count, records, total, .. } = *geometry;
    let [segment_size, count, records, total] = [segment_size, count, records, total].map(|x| x as u64);
    let [timeout, spin, max_ahead, flags] = options.to_words();
    // The process ids of claims mean something in one pid namespace only.
    let namespace = pid_namespace();
    [
        MAGIC,
        VERSION,
        id_0,
        id_1,
        segment_size,
        count,
        records,
        total,
        timeout,
        spin,
        max_ahead,
        flags,
        namespace,
    ]
}

/// A hash that is never 0.
pub(crate) fn ready(facts: &[u64; FACTS]) -> u64 {
    let bytes: Vec<u8> = facts.iter().flat_map(|word| word.to_le_bytes()).collect();
    xxh3_64(&bytes) | 1
}

/// Reads what the arena in a file is, and refuses all that this process cannot take part in.
fn identify(file: &File, nbytes: usize) -> Result<(ArenaId, Geometry, Options)> {
    let least = Geometry::new(1, 1, 1, rustix::param::page_size());
    let Some(least) = least.filter(|least| nbytes >= least.data) else {
        return Err(Error::Endpoint("the shared memory is too small to be an arena".into()));
    };
    let head = memmap2::MmapOptions::new()
        .len(least.data)
        .map_raw(file.fd())
        .map_err(|error| Error::System { what: "cannot map the head of the arena", error })?;
    // SAFETY: the head of the file is mapped until `head` is dropped, after `area`.
    let area = unsafe { ControlArea::overlay(head.as_ptr(), least) };
    let identity = &area.control().identity.0;
    let sealed = identity.ready.load();
    let facts = std::array::from_fn(|i| identity.facts[i].load());
    let [
        magic,
        version,
        id_0,
        id_1,
        segment_size,
        count,
        records,
        total,
        timeout,
        spin,
        max_ahead,
        flags,
        namespace,
    ] = facts;
    let refuse = |why: &str| Err(Error::Endpoint(format!("cannot attach: {why}")));
    if sealed == 0 {
        return refuse("the arena is still being made");
    }
    if magic != MAGIC || sealed != ready(&facts) {
        return refuse("this is not an arena");
    }
    if version != VERSION {
        return refuse(&format!("the arena has layout {version}, this build knows {VERSION}"));
    }
    if namespace != pid_namespace() {
        return refuse(FOREIGN);
    }
    if area.control().unlinked.0.load() != 0 {
        return refuse("the arena was unlinked");
    }
    let size = |word: u64| usize::try_from(word).unwrap_or(usize::MAX);
    let options = Options::from_words([timeout, spin, max_ahead, flags]);
    let page = rustix::param::page_size();
    let geometry = Geometry::new(size(segment_size), size(count), size(records), page);
    match geometry {
        Some(geometry)
            if geometry.total as u64 == total
                && nbytes >= geometry.total
                && geometry.records.is_power_of_two() =>
        {
            Ok((ArenaId([id_0, id_1]), geometry, options))
        }
        _ => refuse("the sizes of the arena do not agree"),
    }
}

type Mapped = [(ArenaId, Weak<Mapping>)];

fn known(mapped: &Mapped, id: ArenaId) -> Option<Arc<Mapping>> {
    mapped.iter().find(|(known, _)| *known == id)?.1.upgrade()
}

fn mapped() -> MutexGuard<'static, Vec<(ArenaId, Weak<Mapping>)>> {
    MAPPED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn register(mapping: Mapping) -> Arc<Mapping> {
    let mut mapped = mapped();
    mapped.retain(|(_, mapping)| mapping.strong_count() > 0);
    // Another thread may have attached it meanwhile.
    known(&mapped, mapping.id).unwrap_or_else(|| {
        let mapping = Arc::new(mapping);
        mapped.push((mapping.id, Arc::downgrade(&mapping)));
        mapping
    })
}
