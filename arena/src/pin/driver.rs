//! The seam to the CUDA driver: what pinning and transfers ask of it, and nothing else.

/// A primary context, as the driver names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ContextId(pub(super) usize);

/// A stream, as the driver names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StreamId(pub(super) usize);

/// An event, as the driver names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EventId(pub(super) usize);

/// A call that the driver did not answer with success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) call: &'static str,
    pub(super) code: u32,
}

pub(super) type Answer<T> = Result<T, Refusal>;

/// Codes of the driver that mean more than a failure.
pub(super) mod code {
    pub(in super::super) const INVALID_VALUE: u32 = 1;
    pub(in super::super) const OUT_OF_MEMORY: u32 = 2;
    pub(in super::super) const NOT_INITIALIZED: u32 = 3;
    pub(in super::super) const NO_DEVICE: u32 = 100;
    pub(in super::super) const INVALID_HANDLE: u32 = 400;
    pub(in super::super) const NOT_READY: u32 = 600;
    pub(in super::super) const ALREADY_REGISTERED: u32 = 712;
    pub(in super::super) const NOT_REGISTERED: u32 = 713;
}

/// The driver, one method to a call.
///
/// # Safety
///
/// Of the unsafe methods: contexts, streams, events and addresses come from the driver itself, and were not
/// given back to it before the call. Ranges of host memory are this process's, and those of a copy stay
/// readable and writable until the copy is complete. What is made or copied belongs to the current context.
pub(super) trait Driver: Send + Sync {
    /// Prepares the driver for all further calls; again, it does nothing.
    fn initialize(&self) -> Answer<()>;
    fn device_count(&self) -> Answer<usize>;
    /// Takes a share of a device's primary context, which makes it if need be.
    fn primary_context(&self, ordinal: usize) -> Answer<ContextId>;
    /// Makes a context the current one of this thread.
    unsafe fn push_context(&self, context: ContextId) -> Answer<()>;
    /// Makes the one before it current again.
    fn pop_context(&self) -> Answer<()>;

    /// Pins a range of host memory, for all contexts.
    unsafe fn register(&self, start: usize, nbytes: usize) -> Answer<()>;
    unsafe fn unregister(&self, start: usize) -> Answer<()>;
    /// New pinned host memory, for all contexts.
    fn allocate_host(&self, nbytes: usize) -> Answer<usize>;
    unsafe fn free_host(&self, start: usize) -> Answer<()>;
    fn allocate_device(&self, nbytes: usize) -> Answer<u64>;
    unsafe fn free_device(&self, address: u64) -> Answer<()>;

    /// A stream that does not wait for the legacy default stream.
    fn create_stream(&self) -> Answer<StreamId>;
    unsafe fn destroy_stream(&self, stream: StreamId) -> Answer<()>;
    unsafe fn synchronize_stream(&self, stream: StreamId) -> Answer<()>;
    /// Whether everything submitted to the stream is complete.
    unsafe fn query_stream(&self, stream: StreamId) -> Answer<bool>;

    /// An event without a clock.
    fn create_event(&self) -> Answer<EventId>;
    unsafe fn destroy_event(&self, event: EventId) -> Answer<()>;
    unsafe fn record_event(&self, event: EventId, stream: StreamId) -> Answer<()>;
    /// Whether everything before the event's record is complete.
    unsafe fn query_event(&self, event: EventId) -> Answer<bool>;

    unsafe fn copy_to_device(&self, from: usize, to: u64, nbytes: usize, stream: StreamId) -> Answer<()>;
    unsafe fn copy_to_host(&self, from: u64, to: usize, nbytes: usize, stream: StreamId) -> Answer<()>;

    /// The name and the meaning of a code.
    fn describe(&self, code: u32) -> (String, String);
}
