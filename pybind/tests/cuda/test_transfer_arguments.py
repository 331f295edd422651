"""Arguments: each error names its own, what was expected and what was given."""

from pathlib import Path

from stand_in import run

REFUSED: list[tuple[str, type[Exception], str]] = [
    ("transfer_tensor_h2d(x, device=2)", ValueError, "device: expected one of 0 to 1, given 2"),
    ("transfer_tensor_h2d(x, device=-1)", ValueError, "device: expected one of 0 to 1"),
    ('transfer_tensor_h2d(x, device="cpu")', ValueError, "device: expected 'cuda' or such as"),
    ('transfer_tensor_h2d(x, device="cuda:x")', ValueError, "device: expected 'cuda'"),
    ("transfer_tensor_h2d(x, device=1.5)", TypeError, "device: expected a number, a name"),
    ("transfer_tensor_h2d(x, device=True)", TypeError, "device: expected a number, a name"),
    ('transfer_tensor_h2d(x, stream="x")', TypeError, "stream: expected a stream of"),
    ("transfer_tensor_h2d(x, stream=-1)", ValueError, "stream: expected a number of at least 0"),
    (
        "transfer_tensor_h2d(x, device=0, stream=other)",
        ValueError,
        "stream: expected one on cuda:0, given one on cuda:1",
    ),
    (
        "transfer_tensor_d2h([there], device=1)",
        ValueError,
        "x: expected an array on cuda:1, given one on cuda:0",
    ),
    (
        "transfer_tensor_d2h([there], stream=other)",
        ValueError,
        "x: expected an array on cuda:1, given one on cuda:0",
    ),
    ("copy_h2d([1, 2])", TypeError, "x: expected an array of NumPy without references"),
    ("copy_h2d(np.array([None]))", TypeError, "x: expected an array of NumPy"),
    ("copy_h2d(x, out=x)", TypeError, "out: expected an array on a device"),
    (
        "copy_h2d(x[:5], out=there)",
        ValueError,
        "out: expected float64 of shape (5,), given float64 of shape (10,)",
    ),
    ('copy_h2d(x.astype("f4"), out=there)', ValueError, "out: expected float32 of shape"),
    ("copy_h2d(x, out=Interface(data=(1, True)))", TypeError, "out: expected a writable array"),
    (
        "copy_h2d(x, out=Interface(strides=(16,)))",
        ValueError,
        "out: expected elements in C's order, given strides (16,)",
    ),
    ("copy_h2d(x, out=there, stream=other)", ValueError, "out: expected an array on cuda:1"),
    ("copy_d2h(x)", TypeError, "x: expected an array on a device"),
    ("copy_d2h(there, out=readonly)", TypeError, "out: expected a writable array of NumPy"),
    ("copy_d2h(there, out=np.zeros(20)[::2])", TypeError, "out: expected a writable array of"),
    ("copy_d2h(there, out=[0])", TypeError, "out: expected an array of NumPy"),
    ("register_buffer(readonly)", TypeError, "arr: expected a writable array of NumPy"),
    ("register_buffer([1])", TypeError, "arr: expected a writable array of NumPy"),
    ("register_buffer(np.array([None]))", TypeError, "arr: expected a writable array of"),
    ("register_buffer(x[:0])", ValueError, "arr: expected at least one byte"),
    ('register_buffer(x, device="0")', TypeError, "device: expected an integer, given '0'"),
    ("register_buffer(x, device=7)", ValueError, "device: expected the number of a CUDA device"),
    ("DeviceArray(-1)", ValueError, "shape: expected lengths of at least 0"),
    ("DeviceArray(1, object)", TypeError, "dtype: expected a type of NumPy without references"),
    ("Stream(7)", ValueError, "device: expected the number of a CUDA device"),
    ("copy_h2d(x).wait(-1)", ValueError, "timeout: expected a non-negative number of seconds"),
    (
        "arena.SharedMemorySegmentPool(1, 1, pin_memory=1)",
        TypeError,
        "pin_memory: expected True or",
    ),
    ("arena.SharedMemoryRingBuffer(1, pin_memory=None)", TypeError, "pin_memory: expected True or"),
]

MAIN = """
    x = np.arange(10.0)
    there = cuda.copy_h2d(x).wait()
    other = cuda.Stream(1)
    readonly = x.copy()
    readonly.flags.writeable = False

    class Interface:
        def __init__(self, **changes):
            self.__cuda_array_interface__ = {**there.__cuda_array_interface__, **changes}

    for call, kind, text in REFUSED:
        try:
            eval(call, {**vars(cuda), **globals()})
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            assert told.startswith(f"{kind}: {text}"), (call, told)
            assert ", given " in told, told
        else:
            raise AssertionError(call)
    np.testing.assert_array_equal(cuda.copy_d2h(there).wait(), np.arange(10.0))
"""


def test_an_error_names_the_argument(tmp_path: Path) -> None:
    refused = [(call, kind.__name__, text) for call, kind, text in REFUSED]
    run(tmp_path, MAIN.replace("REFUSED", repr(refused)))


def test_how_objects_show_themselves_and_what_names_a_device(tmp_path: Path) -> None:
    main = """
        x = np.arange(10.0)
        other = cuda.Stream(1)
        there = cuda.copy_h2d(x).wait()
        assert repr(there) == "<DeviceArray of float64, shape (10,), on cuda:0>"
        assert repr(cuda.copy_h2d(x)) == "<Transfer of 80 bytes>"
        assert repr(other) == f"<Stream {other.handle:#x} on cuda:1>"
        for device in (0, 1, "cuda:1", np.int64(1)):
            assert cuda.transfer_tensor_h2d(x, device=device).device == (0 if device == 0 else 1)
        assert cuda.transfer_tensor_h2d(x, stream=other).device == 1
    """
    run(tmp_path, main)


def test_what_another_library_takes(tmp_path: Path) -> None:
    main = """
        import ctypes
        api = ctypes.pythonapi
        api.PyCapsule_GetPointer.restype = ctypes.c_void_p
        api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
        api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]

        class Tensor(ctypes.Structure):
            _fields_ = [
                ("data", ctypes.c_void_p),
                ("device", ctypes.c_int32 * 2),
                ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.c_void_p),
                ("offset", ctypes.c_uint64),
                ("context", ctypes.c_void_p),
                ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
            ]

        for dtype, code in [("i2", 0), ("u4", 1), ("f4", 2), ("c8", 5), ("?", 6)]:
            x = np.zeros((3, 4), dtype)
            there = cuda.copy_h2d(x, device=1).wait()
            address = there.__cuda_array_interface__["data"][0]
            assert there.__dlpack_device__() == (2, 1)
            # One that nobody takes.
            there.__dlpack__(stream=1, max_version=(1, 0))
            capsule = there.__dlpack__()
            pointer = api.PyCapsule_GetPointer(capsule, b"dltensor")
            tensor = Tensor.from_address(pointer)
            assert (tensor.data, list(tensor.device), tensor.ndim) == (address, [2, 1], 2)
            assert (tensor.code, tensor.bits, tensor.lanes) == (code, 8 * x.itemsize, 1)
            assert (tensor.shape[:2], tensor.strides, tensor.offset) == ([3, 4], None, 0)
            # One that is taken.
            api.PyCapsule_SetName(capsule, b"used_dltensor")
            del there, capsule
            assert cuda.retry_cleanup() == []
            assert report()["device"] == 1
            tensor.deleter(pointer)
            assert cuda.retry_cleanup() == []
            assert_all_given_back()
        records = cuda.copy_h2d(np.zeros(3, "i4,f4")).wait()
        try:
            records.__dlpack__()
            raise AssertionError
        except BufferError as error:
            assert "DLPack" in str(error)
        assert cuda.copy_d2h(records).wait().dtype == np.dtype("i4,f4")
    """
    run(tmp_path, main)
