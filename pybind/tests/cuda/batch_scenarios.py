"""Scenarios of whole batches, and of where they go."""

import dataclasses
import os
import threading
from collections import OrderedDict, defaultdict, deque, namedtuple
from typing import Any

import numpy as np
import passband.cuda as cuda
from registry import assert_nothing_is_left, scenario

Pair = namedtuple("Pair", ["left", "right"])


@dataclasses.dataclass
class Block:
    """A dataclass with a field that its constructor does not take."""

    samples: Any
    rate: int
    label: Any = dataclasses.field(default=None, init=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    """A dataclass that allows no assignment."""

    samples: Any


@scenario
def a_batch_goes_there_and_back() -> None:
    x = np.arange(10_000, dtype=np.float32)
    label = object()
    batch: dict[Any, Any] = {
        "list": [x, x * 2, "text", 3.5, None],
        "pair": Pair(x + 1, label),
        "block": Block(x.reshape(100, 100), 48_000),
        "frozen": Frozen(x[:0]),
        "default": defaultdict(list, {"k": [x.astype(np.complex64)]}),
        "ordered": OrderedDict(a=x.astype(np.int16)),
        "deque": deque([x > 5], maxlen=3),
        "tuple": (),
        7: (x.T, b"bytes", {1, 2}),
    }
    batch["block"].label = x - 1
    there = cuda.transfer_tensor_h2d(batch)
    assert type(there["list"][0]) is cuda.DeviceArray
    assert there["list"][2:] == ["text", 3.5, None]
    assert type(there["pair"]) is Pair
    assert there["pair"].right is label
    assert type(there["block"]) is Block
    assert type(there["block"].label) is cuda.DeviceArray
    assert there["default"].default_factory is list
    assert there["deque"].maxlen == 3
    back = cuda.transfer_tensor_d2h(there)
    for before, after in [
        (batch["list"][0], back["list"][0]),
        (batch["list"][1], back["list"][1]),
        (batch["pair"].left, back["pair"].left),
        (batch["block"].samples, back["block"].samples),
        (batch["block"].label, back["block"].label),
        (batch["frozen"].samples, back["frozen"].samples),
        (batch["default"]["k"][0], back["default"]["k"][0]),
        (batch["ordered"]["a"], back["ordered"]["a"]),
        (batch["deque"][0], back["deque"][0]),
        (batch[7][0], back[7][0]),
    ]:
        assert (before.dtype, before.shape) == (after.dtype, after.shape)
        np.testing.assert_array_equal(before, after)
    # The batch is as it was.
    assert type(batch["list"][0]) is np.ndarray
    del there, back
    assert_nothing_is_left()


@scenario
def what_is_shared_stays_shared() -> None:
    x = np.arange(1000)
    inner = [x]
    there = cuda.transfer_tensor_h2d([x, inner, inner, {"x": x}])
    assert there[0] is there[1][0] is there[3]["x"]
    assert there[1] is there[2]


@scenario
def types_and_layouts() -> None:
    for char in "?bhilqBHILQefdFD":
        x = np.arange(24).astype(char).reshape(2, 3, 4)
        for one in (x, x[:, ::-1], x.T, x[0, 0, 0:1].reshape(()), x[:0], np.asfortranarray(x)):
            back = cuda.transfer_tensor_d2h(cuda.transfer_tensor_h2d(one))
            assert (back.dtype, back.shape) == (one.dtype, one.shape)
            np.testing.assert_array_equal(back, one)
    swapped = np.arange(5, dtype=">i4")
    np.testing.assert_array_equal(
        cuda.transfer_tensor_d2h(cuda.transfer_tensor_h2d(swapped)), swapped
    )
    stay = [np.array(["a"]), np.array([None]), np.ma.masked_array([1.0]), np.zeros(2, "i4,f4")]
    assert all(a is b for a, b in zip(stay, cuda.transfer_tensor_h2d(stay), strict=True))


@scenario
def devices_streams_and_threads() -> None:
    devices = range(min(2, cuda.device_count()))
    failed: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            rng = np.random.default_rng(seed)
            streams = [cuda.Stream(device) for device in devices]
            for _ in range(20):
                x = rng.standard_normal(20_000)
                for stream in streams:
                    there = cuda.transfer_tensor_h2d([x, 2 * x], stream=stream)
                    assert there[0].device == stream.device
                    other = cuda.transfer_tensor_d2h(there, device=f"cuda:{stream.device}")
                    np.testing.assert_array_equal(other[0], x)
                    np.testing.assert_array_equal(other[1], 2 * x)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, failed
    assert_nothing_is_left()


@scenario
def the_environment_names_the_device() -> None:
    os.environ["LOCAL_RANK"] = str(cuda.device_count() - 1)
    last = cuda.device_count() - 1
    assert cuda.default_device() == last
    assert cuda.transfer_tensor_h2d(np.arange(3)).device == last
    assert cuda.transfer_tensor_h2d(np.arange(3), device="cuda").device == last
    assert cuda.transfer_tensor_h2d(np.arange(3), device="cuda:0").device == 0
    for wrong in (str(last + 1), "-1", "first"):
        os.environ["LOCAL_RANK"] = wrong
        refused = ""
        try:
            cuda.transfer_tensor_h2d(np.arange(3))
        except ValueError as error:
            refused = str(error)
        assert "LOCAL_RANK" in refused
