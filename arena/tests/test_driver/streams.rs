//! Streams, each with a thread that does its work late, and events.

use crate::state::{Device, Outcome, State, lock, notify, wait};
use crate::{INVALID_HANDLE, INVALID_VALUE, NOT_READY, current};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(crate) struct Stream {
    device: Device,
    pub(crate) work: VecDeque<Work>,
    pub(crate) destroyed: bool,
}

#[derive(Debug)]
pub(crate) struct Event {
    device: Device,
    recorded: u64,
    reached: u64,
}

/// What a stream is still to do, and not before its time.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Work {
    Copy(Copy, Instant),
    Reach { event: usize, record: u64 },
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Copy {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) nbytes: usize,
    /// Whether its host memory was pinned when it was submitted.
    pinned: bool,
}

impl Work {
    pub(crate) fn copy(&self) -> Option<&Copy> {
        match self {
            Self::Copy(copy, _) => Some(copy),
            Self::Reach { .. } => None,
        }
    }
}

impl State {
    pub(crate) fn create_stream(&mut self, device: Device) -> usize {
        let id = self.handle();
        self.streams.insert(id, Stream { device, work: VecDeque::new(), destroyed: false });
        std::thread::spawn(move || work(id));
        id
    }

    pub(crate) fn stream(&mut self, id: usize) -> Outcome<&mut Stream> {
        self.streams.get_mut(&id).filter(|stream| !stream.destroyed).ok_or(INVALID_HANDLE)
    }

    pub(crate) fn destroy_stream(&mut self, id: usize) -> Outcome {
        let Ok(stream) = self.stream(id) else {
            self.misuse(format!("destroyed {id}, which is no stream"));
            return Err(INVALID_HANDLE);
        };
        stream.destroyed = true;
        if !stream.work.is_empty() {
            self.fault(format!("destroyed stream {id} with work in it"));
        }
        Ok(())
    }

    pub(crate) fn query_stream(&mut self, id: usize) -> Outcome {
        if self.stream(id)?.work.is_empty() { Ok(()) } else { Err(NOT_READY) }
    }

    pub(crate) fn create_event(&mut self, device: Device) -> usize {
        let id = self.handle();
        self.events.insert(id, Event { device, recorded: 0, reached: 0 });
        id
    }

    pub(crate) fn destroy_event(&mut self, id: usize) -> Outcome {
        let Some(event) = self.events.remove(&id) else {
            self.misuse(format!("destroyed {id}, which is no event"));
            return Err(INVALID_HANDLE);
        };
        if event.reached < event.recorded {
            self.fault(format!("destroyed event {id} before it came"));
        }
        Ok(())
    }

    pub(crate) fn record(&mut self, event: usize, stream: usize) -> Outcome {
        let device = self.stream(stream)?.device;
        let known = self.events.get_mut(&event).filter(|event| event.device == device);
        let known = known.ok_or(INVALID_HANDLE)?;
        known.recorded += 1;
        let record = known.recorded;
        self.stream(stream)?.work.push_back(Work::Reach { event, record });
        Ok(())
    }

    pub(crate) fn query_event(&mut self, id: usize) -> Outcome {
        let event = self.events.get(&id).ok_or(INVALID_HANDLE)?;
        if event.reached == event.recorded { Ok(()) } else { Err(NOT_READY) }
    }

    /// Submits a copy from the host to a device, or back.
    pub(crate) fn copy(
        &mut self,
        from: usize,
        to: usize,
        nbytes: usize,
        stream: usize,
        to_device: bool,
    ) -> Outcome {
        let (device, host) = if to_device { (to, from) } else { (from, to) };
        if self.stream(stream)?.device != current()? {
            return Err(INVALID_HANDLE);
        }
        if !self.is_of_device((device, nbytes)) || self.is_freed((host, nbytes)) {
            self.fault(format!("a copy of {nbytes} bytes from {from:#x} to {to:#x}, which are not there"));
            return Err(INVALID_VALUE);
        }
        let copy = Copy { from, to, nbytes, pinned: self.is_pinned((host, nbytes)) };
        let due = Instant::now() + self.delay;
        self.stream(stream)?.work.push_back(Work::Copy(copy, due));
        Ok(())
    }

    /// Makes a copy, whose memory has to be as it was when it was submitted.
    fn make(&mut self, copy: Copy) {
        let Copy { from, to, nbytes, pinned } = copy;
        let ranges = [(from, nbytes), (to, nbytes)];
        if ranges.iter().any(|range| self.is_freed(*range)) {
            self.fault(format!("{from:#x} or {to:#x} was freed under a transfer"));
        }
        let still = ranges.iter().any(|range| self.is_pinned(*range));
        if pinned && !still {
            self.fault(format!("{from:#x} or {to:#x} is not pinned any more"));
        }
        let from = std::ptr::with_exposed_provenance::<u8>(from);
        let to = std::ptr::with_exposed_provenance_mut::<u8>(to);
        // SAFETY: as real hardware, it goes by what it was told. Memory that was unmapped ends the process.
        unsafe { std::ptr::copy(from, to, nbytes) };
    }
}

/// Does the work of a stream, until it is destroyed.
fn work(id: usize) {
    /// How long to wait for a change, which is told of.
    const LONG: Duration = Duration::from_hours(1);
    let mut state = lock();
    loop {
        let hold = state.hold;
        let Some(stream) = state.streams.get(&id) else { return };
        let now = Instant::now();
        let left = match stream.work.front() {
            None if stream.destroyed => {
                state.streams.remove(&id);
                return;
            }
            None => LONG,
            Some(_) if hold => LONG,
            Some(Work::Copy(_, due)) => due.saturating_duration_since(now),
            Some(Work::Reach { .. }) => Duration::ZERO,
        };
        if !left.is_zero() {
            state = wait(state, left);
            continue;
        }
        let work = stream.work.front().copied();
        match work {
            Some(Work::Copy(copy, _)) => state.make(copy),
            Some(Work::Reach { event, record }) => {
                if let Some(event) = state.events.get_mut(&event) {
                    event.reached = record;
                }
            }
            None => {}
        }
        if let Some(stream) = state.streams.get_mut(&id) {
            stream.work.pop_front();
        }
        notify();
    }
}

/// Waits until a stream has done all of its work.
pub(crate) fn wait_for(id: usize) {
    let mut state = lock();
    while state.streams.get(&id).is_some_and(|stream| !stream.work.is_empty()) {
        state = wait(state, Duration::from_secs(1));
    }
}
