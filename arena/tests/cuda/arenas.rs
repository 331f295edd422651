//! Arenas whose reader has its bytes pinned.

#![expect(unsafe_code, reason = "lends raw memory")]

use crate::driver::{bytes_at, control, report};
use crate::support::{NBYTES, assert_clean, drain, mapped, options, pattern, pool, send, take, upload};
use crate::{Case, cases};
use passband_arena::pin::{Cuda, PinnedBlock, Stream};
use passband_arena::{Error, Reader, SharedMemoryRingBuffer, Writer, bytes_copied};

pub(crate) fn cases() -> Vec<Case> {
    cases![
        the_mapping_is_pinned_as_it_is_and_once,
        units_are_not_used_again_under_a_transfer,
        a_closed_arena_stays_until_its_transfers_are_over,
        a_ring_copies_once_into_blocks_that_are_used_again,
        blocks_beyond_the_capacity_are_given_back,
        what_is_out_of_memory_is_tried_again_with_all_blocks_given_back,
        a_mapping_pinned_by_another_is_left_alone,
        pinning_fails_before_the_end_is_claimed,
    ]
}

fn stream() -> Stream {
    Cuda::get().unwrap().default_device().unwrap().stream().unwrap()
}

fn the_mapping_is_pinned_as_it_is_and_once() {
    let (pool, writer, reader) = pool(3);
    assert!(reader.is_pinned());
    assert_eq!(report().ranges, mapped());
    drop((writer, reader));
    assert_eq!(report().count("cuMemHostRegister_v2"), 1);
    assert!(matches!(pool.open_reader(), Err(Error::Closed(_))));
    pool.close();
    pool.unlink();
    assert_clean();
    assert_eq!(report().count("cuMemHostUnregister"), 1);
}

fn units_are_not_used_again_under_a_transfer() {
    control("hold=1");
    let (pool, mut writer, mut reader) = pool(2);
    let stream = stream();
    send(&mut writer, 1).unwrap();
    let unit = take(&mut reader);
    let (transfer, buffer) = upload(&stream, unit.into()).unwrap();
    // Nobody waits for it, and nobody has the unit.
    drop(transfer);
    send(&mut writer, 2).unwrap();
    drop(take(&mut reader));
    let full = send(&mut writer, 3).unwrap_err();
    assert!(matches!(full, Error::Full(_)), "{full}");
    assert_eq!(bytes_at(buffer.address(), NBYTES), vec![0; NBYTES]);
    control("hold=0");
    drain();
    assert_eq!(bytes_at(buffer.address(), NBYTES), pattern(1));
    for unit in 3..6 {
        send(&mut writer, unit).unwrap();
        drop(take(&mut reader));
    }
    drop((pool, writer, reader, stream, buffer));
    assert_clean();
}

fn a_closed_arena_stays_until_its_transfers_are_over() {
    control("hold=1");
    let (pool, mut writer, mut reader) = pool(2);
    send(&mut writer, 7).unwrap();
    let unit = take(&mut reader);
    let (mut transfer, buffer) = upload(&stream(), unit.into()).unwrap();
    pool.close();
    pool.unlink();
    drop((pool, writer, reader));
    assert!(!transfer.wait(Some(std::time::Duration::from_millis(20))).unwrap());
    let pinned = report().ranges;
    assert_eq!((pinned.len(), &pinned), (1, &mapped()));
    drop(transfer);
    assert_eq!(mapped(), pinned);
    control("hold=0");
    drain();
    assert_eq!(bytes_at(buffer.address(), NBYTES), pattern(7));
    drop(buffer);
    assert_clean();
}

fn ring(units: usize) -> (Writer, Reader) {
    let ring = SharedMemoryRingBuffer::new(units * NBYTES, options()).unwrap();
    (ring.open_writer().unwrap(), ring.open_reader().unwrap())
}

/// Copies the next unit out.
fn copy_out(writer: &mut Writer, reader: &mut Reader, unit: u8) -> PinnedBlock {
    writer.begin(NBYTES).unwrap();
    writer.write(pattern(unit).as_slice()).unwrap();
    writer.commit(b"").unwrap();
    let delivery = reader.next(None).unwrap().unwrap();
    let block = reader.read_pinned(reader.extents()[0]).unwrap();
    reader.end_unit(delivery.ticket).unwrap();
    block
}

fn a_ring_copies_once_into_blocks_that_are_used_again() {
    let (mut writer, mut reader) = ring(3);
    assert!(reader.is_pinned() && report().ranges.is_empty());
    let before = bytes_copied();
    let first = copy_out(&mut writer, &mut reader, 1);
    // Once into the ring, and once out of it.
    assert_eq!(bytes_copied() - before, 2 * NBYTES as u64);
    assert_eq!((first.nbytes(), first.to_vec()), (NBYTES, pattern(1)));

    control("hold=1");
    let stream = stream();
    let (transfer, buffer) = upload(&stream, first.range(0, NBYTES).unwrap()).unwrap();
    let busy = first.as_ptr();
    drop((first, transfer));
    let second = copy_out(&mut writer, &mut reader, 2);
    assert_ne!(second.as_ptr(), busy, "a block was used again under a transfer");
    control("hold=0");
    drain();
    let third = copy_out(&mut writer, &mut reader, 3);
    assert_eq!(third.as_ptr(), busy);
    assert_eq!(report().count("cuMemHostAlloc"), 2);
    assert_eq!(bytes_at(buffer.address(), NBYTES), pattern(1));
    // They outlive the ring.
    drop((writer, reader));
    assert_eq!((second.to_vec(), third.to_vec()), (pattern(2), pattern(3)));
    drop((second, third, stream, buffer));
    assert_clean();
}

fn blocks_beyond_the_capacity_are_given_back() {
    let device = Cuda::get().unwrap().default_device().unwrap();
    let blocks = device.pinned_blocks(3 * 8192);
    let held: Vec<_> = (0..6).map(|_| blocks.allocate(8192).unwrap()).collect();
    drop(held);
    // Another size: nothing fits, and what is too much goes.
    let other = blocks.allocate(20_000).unwrap();
    drop(passband_arena::pin::pending());
    assert_eq!((report().count("cuMemFreeHost"), report().count("pinned")), (3, 4));
    drop((blocks, other));
    assert_clean();
}

fn what_is_out_of_memory_is_tried_again_with_all_blocks_given_back() {
    let device = Cuda::get().unwrap().default_device().unwrap();
    let blocks = device.pinned_blocks(usize::MAX);
    drop((blocks.allocate(4096).unwrap(), blocks.allocate(4096).unwrap()));
    control("fail=cuMemHostAlloc,2,0,1");
    let large = blocks.allocate(1 << 20).unwrap();
    assert_eq!((report().count("cuMemFreeHost"), report().count("pinned")), (2, 1));
    control("fail=cuMemHostAlloc,2,0,*");
    let text = blocks.allocate(1 << 20).unwrap_err().to_string();
    let expected = "cannot allocate 1048576 bytes of pinned memory: \
                    cuMemHostAlloc answered 2, CUDA_ERROR_OUT_OF_MEMORY (out of memory)";
    assert_eq!(text, expected);
    drop((blocks, large));
    assert_clean();
}

fn a_mapping_pinned_by_another_is_left_alone() {
    let pool = passband_arena::SharedMemorySegmentPool::new(NBYTES, 2, options()).unwrap();
    let device = Cuda::get().unwrap().default_device().unwrap();
    let (start, nbytes) = mapped()[0];
    let start = std::ptr::NonNull::new(std::ptr::with_exposed_provenance_mut(start)).unwrap();
    // SAFETY: the pool is mapped for as long as this is registered.
    let range = unsafe { passband_arena::pin::HostRange::from_raw(start, nbytes, Box::new(())) };
    let other = device.register(range).unwrap();
    let text = pool.open_reader().unwrap_err().to_string();
    assert!(text.contains("cuMemHostRegister_v2 answered 712"), "{text}");
    assert!(passband_arena::pin::pending().is_empty());
    assert_eq!(report().ranges, mapped(), "the other's registration is gone");
    drop(other);
    drop(pool);
    assert_clean();
}

fn pinning_fails_before_the_end_is_claimed() {
    let pool = passband_arena::SharedMemorySegmentPool::new(NBYTES, 2, options()).unwrap();
    control("fail=cuMemHostRegister_v2,2,0,1");
    let text = pool.open_reader().unwrap_err().to_string();
    assert!(text.contains("cannot pin") && text.contains("cuMemHostRegister_v2 answered 2, "), "{text}");
    // Both ends are free, and it works now.
    let (writer, reader) = (pool.open_writer().unwrap(), pool.open_reader().unwrap());
    assert!(reader.is_pinned());
    drop((pool, writer, reader));
    assert_clean();
}
