"""Where there is no driver, or no device."""

import ctypes
from pathlib import Path

import pytest
from stand_in import run


def has_driver() -> bool:
    """Whether a real driver is here."""
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


@pytest.mark.skipif(has_driver(), reason="this machine has a driver: its absence cannot be seen")
def test_the_error_names_what_was_looked_for(tmp_path: Path) -> None:
    main = """
        for attempt in (
            partial(arena.SharedMemorySegmentPool, 1 << 16, 3, pin_memory=True),
            partial(arena.SharedMemoryRingBuffer, 1 << 16, pin_memory=True),
            partial(cuda.transfer_tensor_h2d, [1, 2]),
            partial(cuda.transfer_tensor_d2h, [1, 2], device=0),
            partial(cuda.register_buffer, np.zeros(10)),
            partial(cuda.copy_h2d, np.zeros(10)),
            partial(cuda.DeviceArray, 10),
            cuda.Stream,
            cuda.device_count,
            cuda.default_device,
        ):
            try:
                attempt()
                raise AssertionError(attempt)
            except RuntimeError as error:
                assert "libcuda.so.1" in str(error), error
        assert cuda.pending() == cuda.retry_cleanup() == []
        assert mappings() == []
        # All that needs no driver works.
        assert cuda.transfer_tensor_d2h([np.arange(3), 4])[1] == 4
        with arena.SharedMemorySegmentPool(1 << 16, 3) as pool:
            assert not pool.pin_memory
            writer, reader = pool.open_writer(), pool.open_reader()
            writer.put(np.arange(5000))
            assert reader.get()[4999] == 4999
            assert pool.pending == pool.retry_cleanup() == []
    """
    run(tmp_path, main, driver=None)


def test_a_driver_without_a_device(tmp_path: Path) -> None:
    main = """
        try:
            arena.SharedMemorySegmentPool(1 << 16, 3, pin_memory=True)
            raise AssertionError
        except RuntimeError as error:
            assert "no device" in str(error), error
        assert mappings() == []
    """
    run(tmp_path, main, driver="devices=0")


def test_what_needs_no_cuda_loads_no_driver(tmp_path: Path) -> None:
    main = """
        with arena.SharedMemorySegmentPool(1 << 16, 3) as pool:
            writer, reader = pool.open_writer(), pool.open_reader()
            writer.put(np.arange(5000))
            reader.get()
        assert cuda.transfer_tensor_d2h([1]) == [1]
        assert cuda.pending() == []
        assert "libcuda" not in open("/proc/self/maps").read()
        assert "torch" not in sys.modules and "cupy" not in sys.modules
    """
    run(tmp_path, main)
