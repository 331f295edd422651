//! One copy of raw bytes: through the caches, or past them where it is too large to stay there.

use std::ptr::copy as copy_cached;

/// From here on, bytes have left the caches before their reader comes to them. To write them past the
/// caches saves reading the target first, which made 32 MiB take half the time.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const LARGE: usize = 16 << 20;

/// Copies bytes. A large copy must not overlap, or leaves some of the target with bytes that were there.
///
/// # Safety
///
/// `nbytes` bytes are readable from `source` on and writable from `target` on.
pub(super) unsafe fn copy(source: *const u8, target: *mut u8, nbytes: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if nbytes >= LARGE {
        // SAFETY: as the caller says.
        return unsafe { copy_past_caches(source, target, nbytes) };
    }
    // SAFETY: as the caller says.
    unsafe { copy_cached(source, target, nbytes) };
}

/// # Safety
///
/// As for [`copy`].
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[expect(clippy::cast_ptr_alignment, reason = "loads need none, and the lines of the target are aligned")]
unsafe fn copy_past_caches(source: *const u8, target: *mut u8, nbytes: usize) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};

    /// A cache line in registers: it goes past the caches if it is written as a whole.
    const LINE: usize = 4;
    let line = LINE * size_of::<__m128i>();
    let head = target.align_offset(line).min(nbytes);
    let lines = (nbytes - head) / line;
    let tail = head + lines * line;
    // SAFETY: head, lines and tail are what the caller gave; a line of the target is aligned. The baseline
    // of x86-64 has these instructions, and the fence orders their stores before those that follow.
    unsafe {
        copy_cached(source, target, head);
        let (from, to) = (source.add(head).cast::<__m128i>(), target.add(head).cast::<__m128i>());
        for i in 0..lines {
            let line: [_; LINE] = std::array::from_fn(|part| _mm_loadu_si128(from.add(LINE * i + part)));
            for (part, value) in line.into_iter().enumerate() {
                _mm_stream_si128(to.add(LINE * i + part), value);
            }
        }
        _mm_sfence();
        copy_cached(source.add(tail), target.add(tail), nbytes - tail);
    }
}

#[cfg(all(test, not(loom), not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn large_copies_are_whole_whatever_their_alignment() {
        let source: Vec<u8> = (0..LARGE + 200).map(|i| (i % 251) as u8).collect();
        for (from, to, nbytes) in [(0, 0, LARGE), (3, 61, LARGE), (64, 1, LARGE + 63), (1, 64, LARGE + 65)] {
            let mut target = vec![255; nbytes + to + 64];
            // SAFETY: both vectors are longer.
            unsafe { copy(source[from..].as_ptr(), target[to..].as_mut_ptr(), nbytes) };
            assert_eq!(target[to..][..nbytes], source[from..][..nbytes]);
            assert!(target[..to].iter().chain(&target[to + nbytes..]).all(|byte| *byte == 255));
        }
    }
}
