//! A busy flag and what it guards: a lock that never waits.

#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

/// A value that one call at a time may use.
///
/// `std::sync::Mutex::try_lock` does the same in two more locked instructions, a tenth of a call.
pub(crate) struct Exclusive<T: ?Sized> {
    busy: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached only through a guard, and the flag admits one guard at a time,
// with the ordering of a lock.
unsafe impl<T: ?Sized + Send> Sync for Exclusive<T> {}

impl<T> Exclusive<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { busy: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }
}

impl<T: ?Sized> Exclusive<T> {
    /// The value, or `None` while another guard lives.
    #[inline]
    pub(crate) fn try_take(&self) -> Option<Guard<'_, T>> {
        let free = !self.busy.swap(true, Ordering::Acquire);
        free.then(|| Guard { cell: self })
    }
}

/// The right to the value; dropping it gives the flag back.
pub(crate) struct Guard<'a, T: ?Sized> {
    cell: &'a Exclusive<T>,
}

impl<T: ?Sized> Drop for Guard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.cell.busy.store(false, Ordering::Release);
    }
}

impl<T: ?Sized> Deref for Guard<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: this guard is the only one, and lends the value for no longer than its own life.
        unsafe { &*self.cell.value.get() }
    }
}

impl<T: ?Sized> DerefMut for Guard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above; the guard is borrowed mutably, so that no other borrow exists.
        unsafe { &mut *self.cell.value.get() }
    }
}
