"""What is asked of CuPy, by a module that stands in for it, as CuPy needs a real driver."""

from pathlib import Path

from stand_in import run

CUPY = """
    import types
    from types import SimpleNamespace

    cupy = types.ModuleType("cupy")
    asked = []

    class Device:
        current = 0
        def __init__(self, id):
            self.id = id
        def __enter__(self):
            self.before, Device.current = Device.current, self.id
        def __exit__(self, *error):
            Device.current = self.before

    class ExternalStream:
        def __init__(self, ptr, device_id):
            self.ptr, self.device_id = ptr, device_id
        def wait_event(self, event):
            asked.append((self.ptr, self.device_id, event))

    class ndarray:
        def __init__(self, memory):
            self.memory, self.device = memory, Device(memory.device)
            self.shape, self.dtype = memory.shape, memory.dtype
            self.producer = cuda.Stream(memory.device)
            told = {"stream": self.producer.handle}
            self.__cuda_array_interface__ = {**memory.__cuda_array_interface__, **told}
            self.data = SimpleNamespace(ptr=self.__cuda_array_interface__["data"][0])
        def __dlpack_device__(self):
            return self.memory.__dlpack_device__()

    def current():
        return SimpleNamespace(record=lambda: f"event on cuda:{Device.current}")

    cupy.ndarray = ndarray
    cupy.empty = lambda shape, dtype: ndarray(cuda.DeviceArray(shape, dtype, device=Device.current))
    cupy.ascontiguousarray = lambda array: array
    cupy.cuda = SimpleNamespace(
        Device=Device, ExternalStream=ExternalStream, get_current_stream=current)
"""


def test_arrays_become_those_of_cupy_once_it_is_imported(tmp_path: Path) -> None:
    main = """
        x = np.arange(5000)
        assert type(cuda.transfer_tensor_h2d(x)) is cuda.DeviceArray
        sys.modules["cupy"] = cupy
        stream = cuda.Stream(1)
        there = cuda.transfer_tensor_h2d({"x": x, "again": [x]}, stream=stream)
        assert type(there["x"]) is ndarray
        assert there["again"][0] is there["x"]
        # The copy comes after what the memory was used for before.
        assert asked == [(stream.handle, 1, "event on cuda:1")]
        assert Device.current == 0
        back = cuda.transfer_tensor_d2h(there)
        np.testing.assert_array_equal(back["x"], x)
        # Its own stream, and a device of its own.
        own = SimpleNamespace(ptr=stream.handle, device_id=1)
        assert cuda.transfer_tensor_h2d(x, stream=own).device.id == 1
        assert cuda.transfer_tensor_h2d(x, device=Device(1)).device.id == 1
        del there
        assert_all_given_back()
    """
    run(tmp_path, main, CUPY)


def test_a_failure_of_its_allocator_half_way(tmp_path: Path) -> None:
    main = """
        sys.modules["cupy"] = cupy
        control("delay=100")
        empty, left = cupy.empty, [2]

        def fails(shape, dtype):
            if not left[0]:
                raise MemoryError("no more")
            left[0] -= 1
            return empty(shape, dtype)

        cupy.empty = fails
        try:
            cuda.transfer_tensor_h2d([np.full(5000, number) for number in range(4)])
            raise AssertionError
        except MemoryError as error:
            assert str(error) == "no more"
        # Those that were begun are through.
        assert report()["queued"] == 0
        assert_all_given_back()
    """
    run(tmp_path, main, CUPY)
