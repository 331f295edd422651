"""Scenarios of pinned memory: of arenas, and of one's own."""

import gc
import sys

import numpy as np
import passband
import passband.arena as arena
import passband.cuda as cuda
from registry import assert_nothing_is_left, scenario


@scenario
def copies_of_ones_own() -> None:
    x = np.arange(1 << 18, dtype=np.float32)
    stream = cuda.Stream()
    there = cuda.DeviceArray(x.shape, x.dtype, device=stream.device)
    transfer = cuda.copy_h2d(x, out=there, stream=stream)
    assert transfer.nbytes == x.nbytes
    assert transfer.wait(timeout=60) is there
    assert transfer.done
    assert transfer.wait() is there
    pinned = cuda.register_buffer(np.zeros_like(x))
    assert cuda.copy_d2h(there, out=pinned, stream=stream.handle).wait() is pinned
    np.testing.assert_array_equal(pinned, x)
    stream.synchronize()
    empty = cuda.copy_d2h(cuda.copy_h2d(x[:0]).wait()).wait()
    assert empty.shape == (0,)
    # Dropped, they are completed by the library.
    for _ in range(10):
        cuda.copy_h2d(x * 2, stream=stream)
    del there, transfer, pinned, stream
    assert_nothing_is_left()


@scenario
def a_registered_buffer() -> None:
    x = np.arange(60_000, dtype=np.int32).reshape(200, 300)
    for view in (x, x[::2, ::-3], x.T):
        pinned = cuda.register_buffer(view)
        assert pinned.strides == view.strides
        assert np.shares_memory(pinned, view)
        np.testing.assert_array_equal(pinned, view)
        part = pinned[1:]
        del pinned
        there = cuda.transfer_tensor_h2d(part)
        np.testing.assert_array_equal(cuda.transfer_tensor_d2h(there), view[1:])
        pinned = part
        pinned[0, 0] = -1
        assert view[1, 0] == -1
        del pinned, part, there
        assert_nothing_is_left()
    # The array itself is let go with the last view.
    own = np.zeros(100_000)
    pinned = cuda.register_buffer(own)
    before = sys.getrefcount(own)
    del pinned
    assert_nothing_is_left()
    assert sys.getrefcount(own) == before - 1


@scenario
def a_pinned_pool() -> None:
    pool = arena.SharedMemorySegmentPool(1 << 20, 3, pin_memory=True, acquire_timeout=5.0)
    assert pool.pin_memory
    writer, reader = pool.open_writer(), pool.open_reader()
    for number in range(20):
        writer.put({"x": np.full(100_000, number, np.float32), "number": number})
        item = reader.get()
        there = cuda.transfer_tensor_h2d(item)
        assert there["number"] == number
        back = cuda.transfer_tensor_d2h(there)
        assert (back["x"] == number).all()
    assert pool.pending == []
    kept = item["x"]
    pool.close()
    pool.unlink()
    assert (kept == 19).all()
    assert (cuda.copy_d2h(cuda.copy_h2d(kept).wait()).wait() == 19).all()
    del kept, item, there, back, writer, reader
    gc.collect()
    assert pool.retry_cleanup() == []


@scenario
def a_pinned_ring() -> None:
    ring = arena.SharedMemoryRingBuffer(1 << 20, pin_memory=True, acquire_timeout=5.0)
    writer, reader = ring.open_writer(), ring.open_reader()
    kept = []
    before = arena.bytes_copied()
    for number in range(40):
        writer.put([np.full(50_000, number, np.int16), b"x" * 5000, bytearray(5000)])
        item = reader.get()
        assert type(item[0].base) is arena.Export
        assert [type(one) for one in item[1:]] == [bytes, bytearray]
        kept.append((item[0], cuda.transfer_tensor_h2d(item[0])))
    # One copy into the ring, and one out of it.
    assert arena.bytes_copied() - before == 40 * 2 * (100_000 + 10_000)
    for number, (x, there) in enumerate(kept):
        assert (x == number).all()
        assert (cuda.transfer_tensor_d2h(there) == number).all()
    writer.put(np.arange(1000))
    assert reader.get()[999] == 999
    ring.close()
    ring.unlink()
    assert (kept[7][0] == 7).all()
    del kept, item, x, there, writer, reader
    assert_nothing_is_left()


@scenario
def a_kernel_writes_pinned_memory() -> None:
    pool = arena.SharedMemorySegmentPool(1 << 20, 3, pin_memory=True)
    writer, reader = pool.open_writer(), pool.open_reader()
    copied = arena.bytes_copied()
    mixer, expected = passband.Mixer(0.25), passband.Mixer(0.25)
    x = np.ones(100_000, np.complex64)
    for _ in range(5):
        writer.put(mixer.steps(x, out=writer.empty(len(x), "complex64")))
        there = cuda.transfer_tensor_h2d(reader.get())
        np.testing.assert_array_equal(cuda.transfer_tensor_d2h(there), expected.steps(x))
    assert arena.bytes_copied() == copied
    # Without an arena.
    out = cuda.register_buffer(np.empty_like(x))
    assert mixer.steps(x, out=out) is out
    there = cuda.copy_h2d(out).wait()
    np.testing.assert_array_equal(cuda.copy_d2h(there).wait(), expected.steps(x))
    pool.close()
    pool.unlink()
    del writer, reader, out, there
    assert_nothing_is_left()
