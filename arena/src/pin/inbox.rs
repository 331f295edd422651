//! A list that anybody can put a value on without waiting, and one takes all from.

use std::ops::{Deref, DerefMut};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A value with room for its place in a list: putting it on one allocates nothing.
#[derive(Debug)]
pub(super) struct Parcel<T>(Box<Linked<T>>);

#[derive(Debug)]
struct Linked<T> {
    value: T,
    next: *mut Self,
}

// SAFETY: the link is null, or followed by the inbox that owns the value.
unsafe impl<T: Send> Send for Linked<T> {}
// SAFETY: a shared reference leads to the value alone.
unsafe impl<T: Sync> Sync for Linked<T> {}

impl<T> Parcel<T> {
    pub(super) fn new(value: T) -> Self {
        Self(Box::new(Linked { value, next: null_mut() }))
    }
}

impl<T> Deref for Parcel<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T> DerefMut for Parcel<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0.value
    }
}

/// The list. It owns what is on it.
#[derive(Debug)]
pub(super) struct Inbox<T: Send>(AtomicPtr<Linked<T>>);

impl<T: Send> Default for Inbox<T> {
    fn default() -> Self {
        Self(AtomicPtr::new(null_mut()))
    }
}

impl<T: Send> Inbox<T> {
    /// Puts a value on the list: no lock, no allocation.
    pub(super) fn put(&self, parcel: Parcel<T>) {
        let new = Box::into_raw(parcel.0);
        let mut first = self.0.load(Ordering::Relaxed);
        loop {
            // SAFETY: nobody else knows of `new` before it is the first of the list.
            unsafe { (*new).next = first };
            // The list is only ever taken as a whole: where the same one is first, it is the same list.
            match self.0.compare_exchange_weak(first, new, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => first = now,
            }
        }
    }

    /// Takes all that is on the list, the oldest first.
    pub(super) fn take(&self) -> Vec<Parcel<T>> {
        let mut taken = Vec::new();
        let mut next = self.0.swap(null_mut(), Ordering::Acquire);
        while !next.is_null() {
            // SAFETY: it came from a box, and the swap has made it this function's own.
            let mut linked = unsafe { Box::from_raw(next) };
            next = std::mem::replace(&mut linked.next, null_mut());
            taken.push(Parcel(linked));
        }
        taken.reverse();
        taken
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.load(Ordering::Acquire).is_null()
    }
}

impl<T: Send> Drop for Inbox<T> {
    fn drop(&mut self) {
        self.take();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn nothing_is_lost_and_all_comes_in_the_order_of_its_thread() {
        const EACH: usize = if cfg!(miri) { 50 } else { 10_000 };
        let inbox = Inbox::default();
        let mut taken = Vec::new();
        thread::scope(|scope| {
            let inbox = &inbox;
            let threads = [0, 1, 2].map(|thread| {
                scope.spawn(move || (0..EACH).for_each(|i| inbox.put(Parcel::new((thread, i)))))
            });
            while !threads.iter().all(thread::ScopedJoinHandle::is_finished) {
                taken.extend(inbox.take());
            }
        });
        // What is left is freed with the inbox: Miri would tell.
        inbox.put(Parcel::new((3, 0)));
        inbox.put(Parcel::new((3, 1)));
        taken.extend(inbox.take());
        inbox.put(Parcel::new((4, 0)));
        let of = |thread| taken.iter().filter(move |parcel| (***parcel).0 == thread).map(|parcel| parcel.1);
        for thread in 0..3 {
            assert!(of(thread).eq(0..EACH));
        }
        assert!(of(3).eq(0..2));
    }
}
