//! The driver of this process, and the devices that it shows.

use super::cleaner::{Cleaner, wants_nudge};
use super::driver::{Answer, ContextId, Driver, Refusal, code};
use super::kept::Pending;
use super::library::Library;
use crate::endpoint::generation;
use crate::error::{DriverError, Error, Result};
use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The CUDA driver of this process: loaded once, at the first use, and never unloaded.
///
/// ```
/// use passband_arena::{Error, pin::Cuda};
///
/// match Cuda::get() {
///     Ok(cuda) => assert!(cuda.device_count() > 0),
///     Err(Error::NoCuda(why)) => println!("nothing can be pinned here: {why}"),
///     Err(error) => println!("{error}"),
/// }
/// ```
pub struct Cuda {
    driver: Box<dyn Driver>,
    /// The primary contexts, of which this process has a share from their first use on.
    contexts: Mutex<Vec<Option<ContextId>>>,
    device_count: usize,
    pub(super) cleaner: Cleaner,
    generation: u32,
    pid: u32,
}

static CUDA: OnceLock<Cuda> = OnceLock::new();
/// Held by who loads the driver.
static LOADING: Mutex<()> = Mutex::new(());

impl Cuda {
    /// The driver, which the first call loads and prepares.
    ///
    /// # Errors
    ///
    /// [`Error::NoCuda`] without a driver or a device, [`Error::Driver`] where it fails,
    /// [`Error::ForkedCuda`] in a process that was forked from one with CUDA.
    pub fn get() -> Result<&'static Self> {
        if let Some(cuda) = CUDA.get()
            && cuda.cleaner.is_running()
        {
            return cuda.check();
        }
        let _loading = LOADING.lock().unwrap_or_else(PoisonError::into_inner);
        let cuda = if let Some(cuda) = CUDA.get() {
            cuda.check()?
        } else {
            let loaded = Self::load()?;
            // SAFETY: the function stays for the life of the program. Those that the driver registered
            // when it was loaded run later.
            unsafe { libc::atexit(stop) };
            CUDA.get_or_init(|| loaded)
        };
        cuda.cleaner.start()?;
        Ok(cuda)
    }

    fn load() -> Result<Self> {
        let driver = Box::new(Library::load()?);
        let cuda = Self {
            driver,
            contexts: Mutex::default(),
            device_count: 0,
            cleaner: Cleaner::default(),
            generation: generation(),
            pid: std::process::id(),
        };
        let device_count = cuda.driver.initialize().and_then(|()| cuda.driver.device_count());
        match device_count {
            Ok(0) => Err(Error::NoCuda("the driver is there, but shows no device".into())),
            Ok(device_count) => Ok(Self { device_count, ..cuda }),
            Err(refusal) if refusal.code == code::NO_DEVICE => {
                Err(Error::NoCuda(format!("the driver is there, but no device: {}", cuda.explain(refusal))))
            }
            Err(refusal) if refusal.code == code::NOT_INITIALIZED => Err(cuda.error(
                "cannot use CUDA here, as is so in a process forked from one that uses it \
                 (start processes by spawn or forkserver)",
                refusal,
            )),
            Err(refusal) => Err(cuda.error("cannot use CUDA", refusal)),
        }
    }

    /// Refuses a process that has inherited the driver, which works in none but the first.
    fn check(&'static self) -> Result<&'static Self> {
        let mine = self.generation == generation();
        mine.then_some(self).ok_or(Error::ForkedCuda { pid: self.pid })
    }

    /// The number of devices.
    #[must_use]
    pub fn device_count(&self) -> usize {
        self.device_count
    }

    /// A device, with its primary context: the one that other libraries use, too.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] where there is no such device, and as [`Cuda::get`].
    pub fn device(&'static self, ordinal: usize) -> Result<Device> {
        self.device_of("device", ordinal)
    }

    /// The device of this process: that of the environment's `LOCAL_RANK`, or else the first one.
    ///
    /// # Errors
    ///
    /// As [`Cuda::device`].
    pub fn default_device(&'static self) -> Result<Device> {
        let Some(rank) = std::env::var_os("LOCAL_RANK") else { return self.device_of("device", 0) };
        match rank.to_str().and_then(|rank| rank.parse().ok()) {
            Some(ordinal) => self.device_of("LOCAL_RANK", ordinal),
            None => Err(Error::Argument {
                argument: "LOCAL_RANK",
                expected: "the number of a CUDA device",
                given: format!("\"{}\"", rank.display()),
            }),
        }
    }

    fn device_of(&'static self, argument: &'static str, ordinal: usize) -> Result<Device> {
        self.check()?;
        if ordinal >= self.device_count {
            let given = format!("{ordinal}, where there are {} devices", self.device_count);
            return Err(Error::Argument { argument, expected: "the number of a CUDA device", given });
        }
        let mut contexts = self.contexts.lock().unwrap_or_else(PoisonError::into_inner);
        contexts.resize(self.device_count, None);
        let context = match contexts[ordinal] {
            Some(context) => context,
            None => self
                .driver
                .primary_context(ordinal)
                .map_err(|refusal| self.error(&format!("cannot use device {ordinal}"), refusal))?,
        };
        contexts[ordinal] = Some(context);
        Ok(Device { cuda: self, ordinal, context })
    }

    /// What a refusal means, in words.
    pub(super) fn explain(&self, refusal: Refusal) -> String {
        self.driver_error(String::new(), refusal).cause()
    }

    fn error(&self, doing: &str, refusal: Refusal) -> Error {
        Error::Driver(Box::new(self.driver_error(doing.into(), refusal)))
    }

    fn driver_error(&self, doing: String, Refusal { call, code }: Refusal) -> DriverError {
        let (name, text) = self.driver.describe(code);
        DriverError { doing, call, code, name, text }
    }
}

impl fmt::Debug for Cuda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cuda").field("device_count", &self.device_count).finish_non_exhaustive()
    }
}

/// When the process ends, what is still pinned stays so: nothing is unmapped under a transfer.
extern "C" fn stop() {
    if let Some(Ok(cuda)) = CUDA.get().map(Cuda::check) {
        cuda.cleaner.stop();
    }
}

/// A device with its primary context.
#[derive(Debug, Clone, Copy)]
pub struct Device {
    cuda: &'static Cuda,
    ordinal: usize,
    context: ContextId,
}

impl Device {
    /// Its number.
    #[must_use]
    pub fn ordinal(&self) -> usize {
        self.ordinal
    }

    pub(super) fn cuda(&self) -> &'static Cuda {
        self.cuda
    }

    /// An error in a process that was forked from the one with CUDA.
    pub(super) fn check(&self) -> Result<()> {
        self.cuda.check().map(drop)
    }

    /// Calls the driver with this device's context as the current one, and the one before it after that.
    pub(super) fn within<T>(&self, call: impl FnOnce(&dyn Driver) -> Answer<T>) -> Answer<T> {
        let driver = &*self.cuda.driver;
        // SAFETY: a primary context stays, as this process keeps its share.
        unsafe { driver.push_context(self.context)? };
        let answer = call(driver);
        // Nothing here goes by the context that a thread happens to have.
        let _ = driver.pop_context();
        answer
    }

    /// The same for a caller, who wants to know what could not be done.
    pub(super) fn call<T>(
        &self,
        doing: impl FnOnce() -> String,
        call: impl FnOnce(&dyn Driver) -> Answer<T>,
    ) -> Result<T> {
        self.check()?;
        self.within(call).map_err(|refusal| self.cuda.error(&doing(), refusal))
    }
}

/// What this process still owes the driver, the oldest first: transfers that are not over, and what could
/// not be given back. Nothing without CUDA, and in a forked child.
///
/// It waits for the cleaner to look at what was dropped just before, for a second at most.
#[must_use]
pub fn pending() -> Vec<Pending> {
    ask(false, Duration::from_secs(1))
}

/// Has everything tried once more that the driver refused, and returns what is left then.
///
/// It waits for the cleaner, whose calls of the driver may take their time, for ten seconds at most.
#[expect(clippy::must_use_candidate, reason = "what is left may be of no interest")]
pub fn retry_cleanup() -> Vec<Pending> {
    ask(true, Duration::from_secs(10))
}

fn ask(again: bool, limit: Duration) -> Vec<Pending> {
    match CUDA.get().map(Cuda::check) {
        Some(Ok(cuda)) => cuda.cleaner.ask(again, limit),
        _ => Vec::new(),
    }
}

/// Has the cleaner try again what was refused, if anything was: each operation of an arena does this.
#[inline]
pub(crate) fn nudge() {
    if wants_nudge()
        && let Some(Ok(cuda)) = CUDA.get().map(Cuda::check)
    {
        cuda.cleaner.nudge();
    }
}
