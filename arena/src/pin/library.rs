//! The real driver: the library `libcuda`, loaded at run time.

#![expect(non_snake_case, reason = "calls have the names that the driver gives them")]

use super::driver::{Answer, ContextId, Driver, EventId, Refusal, StreamId, code};
use crate::error::{Error, Result};
use cudarc::driver::sys::{CUcontext, CUdevice, CUdeviceptr, CUevent, CUstream};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::with_exposed_provenance_mut;

/// Pinned for every context of the process.
const PORTABLE: c_uint = cudarc::driver::sys::CU_MEMHOSTREGISTER_PORTABLE;
const NON_BLOCKING: c_uint = cudarc::driver::sys::CUstream_flags::CU_STREAM_NON_BLOCKING as c_uint;
const NO_TIMING: c_uint = cudarc::driver::sys::CUevent_flags::CU_EVENT_DISABLE_TIMING as c_uint;

/// The calls by their C names. They answer with a number: an enum of the codes known today would not be
/// sound with the driver of tomorrow. All are looked up at once, so that no missing one shows up later.
macro_rules! calls {
    ($($name:ident($($argument:ty),*);)*) => {
        pub(super) struct Library {
            $($name: unsafe extern "C" fn($($argument),*) -> c_uint,)*
        }

        impl Library {
            /// Loads the library, with every call that is needed of it.
            pub(super) fn load() -> Result<Self> {
                find()?;
                // SAFETY: as in `find`.
                let library = unsafe { cudarc::driver::sys::culib() };
                let mut missing = Vec::new();
                $(
                    // SAFETY: the driver has had this function with these arguments since CUDA 7.0 at the latest.
                    let $name = unsafe {
                        library.get::<unsafe extern "C" fn($($argument),*) -> c_uint>(stringify!($name))
                    };
                    if $name.is_err() {
                        missing.push(stringify!($name));
                    }
                )*
                match ($($name,)*) {
                    ($(Ok($name),)*) => Ok(Self { $($name: *$name,)* }),
                    _ => Err(Error::NoCuda(format!("the library of the driver lacks {}", missing.join(", ")))),
                }
            }
        }
    };
}

calls! {
    cuInit(c_uint);
    cuDeviceGetCount(*mut c_int);
    cuDeviceGet(*mut CUdevice, c_int);
    cuDevicePrimaryCtxRetain(*mut CUcontext, CUdevice);
    cuCtxPushCurrent_v2(CUcontext);
    cuCtxPopCurrent_v2(*mut CUcontext);
    cuMemHostRegister_v2(*mut c_void, usize, c_uint);
    cuMemHostUnregister(*mut c_void);
    cuMemHostAlloc(*mut *mut c_void, usize, c_uint);
    cuMemFreeHost(*mut c_void);
    cuMemAlloc_v2(*mut CUdeviceptr, usize);
    cuMemFree_v2(CUdeviceptr);
    cuStreamCreate(*mut CUstream, c_uint);
    cuStreamDestroy_v2(CUstream);
    cuStreamSynchronize(CUstream);
    cuStreamQuery(CUstream);
    cuEventCreate(*mut CUevent, c_uint);
    cuEventDestroy_v2(CUevent);
    cuEventRecord(CUevent, CUstream);
    cuEventQuery(CUevent);
    cuMemcpyHtoDAsync_v2(CUdeviceptr, *const c_void, usize, CUstream);
    cuMemcpyDtoHAsync_v2(*mut c_void, CUdeviceptr, usize, CUstream);
    cuGetErrorName(c_uint, *mut *const c_char);
    cuGetErrorString(c_uint, *mut *const c_char);
}

/// An error that says what was looked for. `cudarc` would panic without the library.
fn find() -> Result<()> {
    // SAFETY: what runs when the driver is loaded is the driver's own.
    if unsafe { cudarc::driver::sys::is_culib_present() } {
        return Ok(());
    }
    let looked_for = cudarc::get_lib_name_candidates("cuda").join(", ");
    Err(Error::NoCuda(format!(
        "no library of the driver: looked for {looked_for} where the system looks for libraries \
         (LD_LIBRARY_PATH); it comes with the driver of an NVIDIA GPU"
    )))
}

/// Calls the driver, and names the call where it is refused.
macro_rules! call {
    ($self:ident.$name:ident($($argument:expr),*)) => {{
        // SAFETY: the arguments are of the types that the driver wants; what they lead to is promised by
        // the callers of the trait's unsafe methods, or is a local that the call writes to.
        match unsafe { ($self.$name)($($argument),*) } {
            0 => Ok(()),
            code => Err(Refusal { call: stringify!($name), code }),
        }
    }};
}

/// A question to which "not ready" is an answer.
fn ready(answer: Answer<()>) -> Answer<bool> {
    match answer {
        Ok(()) => Ok(true),
        Err(Refusal { code: code::NOT_READY, .. }) => Ok(false),
        Err(refusal) => Err(refusal),
    }
}

fn stream(id: StreamId) -> CUstream {
    with_exposed_provenance_mut(id.0)
}

fn event(id: EventId) -> CUevent {
    with_exposed_provenance_mut(id.0)
}

fn host(start: usize) -> *mut c_void {
    with_exposed_provenance_mut(start)
}

impl Driver for Library {
    fn initialize(&self) -> Answer<()> {
        call!(self.cuInit(0))
    }

    fn device_count(&self) -> Answer<usize> {
        let mut count = 0;
        call!(self.cuDeviceGetCount(&raw mut count))?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    fn primary_context(&self, ordinal: usize) -> Answer<ContextId> {
        let (mut device, mut context) = (0, std::ptr::null_mut());
        call!(self.cuDeviceGet(&raw mut device, ordinal as c_int))?;
        call!(self.cuDevicePrimaryCtxRetain(&raw mut context, device))?;
        Ok(ContextId(context.expose_provenance()))
    }

    unsafe fn push_context(&self, context: ContextId) -> Answer<()> {
        call!(self.cuCtxPushCurrent_v2(with_exposed_provenance_mut(context.0)))
    }

    fn pop_context(&self) -> Answer<()> {
        let mut popped = std::ptr::null_mut();
        call!(self.cuCtxPopCurrent_v2(&raw mut popped))
    }

    unsafe fn register(&self, start: usize, nbytes: usize) -> Answer<()> {
        call!(self.cuMemHostRegister_v2(host(start), nbytes, PORTABLE))
    }

    unsafe fn unregister(&self, start: usize) -> Answer<()> {
        call!(self.cuMemHostUnregister(host(start)))
    }

    fn allocate_host(&self, nbytes: usize) -> Answer<usize> {
        let mut start = std::ptr::null_mut();
        call!(self.cuMemHostAlloc(&raw mut start, nbytes, PORTABLE))?;
        Ok(start.expose_provenance())
    }

    unsafe fn free_host(&self, start: usize) -> Answer<()> {
        call!(self.cuMemFreeHost(host(start)))
    }

    fn allocate_device(&self, nbytes: usize) -> Answer<u64> {
        let mut address = 0;
        call!(self.cuMemAlloc_v2(&raw mut address, nbytes))?;
        Ok(address)
    }

    unsafe fn free_device(&self, address: u64) -> Answer<()> {
        call!(self.cuMemFree_v2(address))
    }

    fn create_stream(&self) -> Answer<StreamId> {
        let mut stream = std::ptr::null_mut();
        call!(self.cuStreamCreate(&raw mut stream, NON_BLOCKING))?;
        Ok(StreamId(stream.expose_provenance()))
    }

    unsafe fn destroy_stream(&self, id: StreamId) -> Answer<()> {
        call!(self.cuStreamDestroy_v2(stream(id)))
    }

    unsafe fn synchronize_stream(&self, id: StreamId) -> Answer<()> {
        call!(self.cuStreamSynchronize(stream(id)))
    }

    unsafe fn query_stream(&self, id: StreamId) -> Answer<bool> {
        ready(call!(self.cuStreamQuery(stream(id))))
    }

    fn create_event(&self) -> Answer<EventId> {
        let mut event = std::ptr::null_mut();
        call!(self.cuEventCreate(&raw mut event, NO_TIMING))?;
        Ok(EventId(event.expose_provenance()))
    }

    unsafe fn destroy_event(&self, id: EventId) -> Answer<()> {
        call!(self.cuEventDestroy_v2(event(id)))
    }

    unsafe fn record_event(&self, id: EventId, on: StreamId) -> Answer<()> {
        call!(self.cuEventRecord(event(id), stream(on)))
    }

    unsafe fn query_event(&self, id: EventId) -> Answer<bool> {
        ready(call!(self.cuEventQuery(event(id))))
    }

    unsafe fn copy_to_device(&self, from: usize, to: u64, nbytes: usize, on: StreamId) -> Answer<()> {
        call!(self.cuMemcpyHtoDAsync_v2(to, host(from).cast_const(), nbytes, stream(on)))
    }

    unsafe fn copy_to_host(&self, from: u64, to: usize, nbytes: usize, on: StreamId) -> Answer<()> {
        call!(self.cuMemcpyDtoHAsync_v2(host(to), from, nbytes, stream(on)))
    }

    fn describe(&self, code: u32) -> (String, String) {
        let (mut name, mut text) = (std::ptr::null(), std::ptr::null());
        let answers = [
            call!(self.cuGetErrorName(code, &raw mut name)).map(|()| name),
            call!(self.cuGetErrorString(code, &raw mut text)).map(|()| text),
        ];
        let [name, text] = answers.map(|answer| match answer {
            Ok(words) if !words.is_null() => {
                // SAFETY: the driver gives a string of its own that stays, or null.
                unsafe { CStr::from_ptr(words) }.to_string_lossy().into_owned()
            }
            _ => "unknown to the driver".into(),
        });
        (name, text)
    }
}
