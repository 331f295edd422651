"""Ways to keep a unit's bytes without the object that was received.

As a script, tries those of one group (`python`, `torch`) and prints what became of each.
"""

import ctypes
import gc
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from passband.arena import ArenaFull, Export, SharedMemorySegmentPool

HELD = "held"
Keep = Callable[[Any], Any]


class Interface:
    """The address of an array and nothing else."""

    def __init__(self, array: Any) -> None:
        self.__array_interface__ = dict(array.__array_interface__)


def deepest(array: Any) -> Any:
    """The last of the bases."""
    while getattr(array, "base", None) is not None:
        array = array.base
    return array


def released(view: memoryview) -> Any:
    """An array over a memoryview that was released since."""
    array = np.asarray(memoryview(view.obj))
    view.release()
    return array


ARRAY: dict[str, Keep] = {
    "the array": lambda a: a,
    "a slice": lambda a: a[10:20],
    "a reshaped view": lambda a: a.reshape(30, -1),
    "a transposed view": lambda a: a.reshape(30, -1).T,
    "a flattened view": lambda a: a.ravel(),
    "another type": lambda a: a.view("u8"),
    "a field": lambda a: a.view([("low", "u2"), ("high", "u2")])["high"],
    "the base": lambda a: a.base,
    "the deepest base": lambda a: deepest(a[::2][::2]),
    "an array over the deepest base": lambda a: np.frombuffer(deepest(a), "u1"),
    "a slice of a memoryview": lambda a: memoryview(a)[3:9],
    "a memoryview of the base": lambda a: memoryview(a.base).cast("I")[5:],
    "as_strided": lambda a: as_strided(a, (5, 3), (8, 4)),
    "a broadcast": lambda a: np.broadcast_to(a, (2, a.size)),
    "DLPack": lambda a: np.from_dlpack(a),
    "ctypes": np.ctypeslib.as_ctypes,
    "ctypes over the base": lambda a: (ctypes.c_char * 8).from_buffer(a.base),
    "a subclass": lambda a: a.view(np.recarray),
    "a matrix": lambda a: np.asmatrix(a),
    "a masked array": lambda a: np.ma.masked_array(a, copy=False),
    "an iterator": lambda a: a.flat,
    "a pickle buffer": lambda a: pickle.PickleBuffer(a),
    "an object that holds it": lambda a: np.array([a, None], dtype=object),
    "a cycle": lambda a: (lambda box: box.append(box) or box)([a]),
    "__array_interface__ alone": Interface,
}
BYTES: dict[str, Keep] = {
    "the memoryview": lambda m: m,
    "a slice": lambda m: m[10:20],
    "a cast": lambda m: m.cast("I"),
    "read-only": lambda m: m.toreadonly(),
    "a memoryview of it": memoryview,
    "an array": lambda m: np.frombuffer(m, "u1"),
    "a strided array": lambda m: np.asarray(m)[::2],
    "its object": lambda m: m.obj,
    "an array after release()": released,
}
BYTEARRAY: dict[str, Keep] = {
    "ctypes": lambda m: (ctypes.c_char * 8).from_buffer(m, 16),
    "ctypes over its object": lambda m: (ctypes.c_char * 8).from_buffer(m.obj),
}
FILL = np.full(1200, 0xAAAAAAAA, "u4")
OTHER = {"item": np.full(1200, 0x11111111, "u4")}


def python_rows() -> dict[str, tuple[Any, Keep]]:
    """Rows by name: what is sent, and how what arrives is kept."""
    return {
        **{f"array: {name}": (FILL, keep) for name, keep in ARRAY.items()},
        **{f"bytes: {name}": (FILL.tobytes(), keep) for name, keep in BYTES.items()},
        **{f"bytearray: {n}": (bytearray(FILL.tobytes()), k) for n, k in BYTEARRAY.items()},
    }


def torch_rows() -> dict[str, tuple[Any, Keep]]:
    """The same for tensors, and for tensors over arrays and bytes."""
    import torch

    tensor: dict[str, Keep] = {
        "the tensor": lambda t: t,
        "a slice": lambda t: t[10:20],
        "view": lambda t: t.view(30, -1),
        "reshape": lambda t: t.reshape(30, -1).t(),
        "as_strided": lambda t: t.as_strided((5, 3), (2, 1)),
        "unsqueeze": lambda t: t.unsqueeze(0),
        "expand": lambda t: t.expand(2, -1),
        "split": lambda t: t.split(100)[3],
        "detach": lambda t: t.detach(),
        "data": lambda t: t.data,
        "a gradient's": lambda t: t.view(torch.float32).requires_grad_().detach(),
        "a parameter": lambda t: torch.nn.Parameter(t.view(torch.float32)).data,
        "another type": lambda t: t.view(torch.uint8),
        "numpy": lambda t: t.numpy(),
        "a slice of a memoryview": lambda t: memoryview(t.numpy())[3:9],
        "DLPack": lambda t: np.from_dlpack(t),
        "torch's DLPack": lambda t: torch.from_dlpack(t),
        "storage": lambda t: t.storage(),
        "set_ of the storage": lambda t: torch.empty(0, dtype=t.dtype).set_(t.storage()),
    }
    if hasattr(torch.Tensor, "untyped_storage"):
        tensor["untyped_storage"] = lambda t: t.untyped_storage()
    array: dict[str, Keep] = {
        "from_numpy": torch.from_numpy,
        "as_tensor": torch.as_tensor,
        "from_dlpack": torch.from_dlpack,
        "frombuffer of the base": lambda a: torch.frombuffer(a.base, dtype=torch.uint8),
    }
    bytes_: dict[str, Keep] = {
        "frombuffer": lambda m: torch.frombuffer(m, dtype=torch.uint8),
        "frombuffer of a slice": lambda m: torch.frombuffer(m[16:80], dtype=torch.uint8),
        "frombuffer of its object, then release()": lambda m: (
            torch.frombuffer(m.obj, dtype=torch.uint8),
            m.release(),
        )[0],
    }
    signed = FILL.view("i4")
    return {
        **{f"tensor: {n}": (torch.from_numpy(signed), keep) for n, keep in tensor.items()},
        **{f"array: {name}": (signed, keep) for name, keep in array.items()},
        **{f"bytes: {name}": (bytearray(signed.tobytes()), keep) for name, keep in bytes_.items()},
    }


def seen(kept: Any) -> bytes:
    """The bytes that show through what was kept."""
    if isinstance(kept, Interface):
        return np.asarray(kept).tobytes()
    if isinstance(kept, list):
        return seen(kept[0])
    if isinstance(kept, np.ndarray) and kept.dtype == object:
        return seen(kept[0])
    if isinstance(kept, np.flatiter):
        return kept.copy().tobytes()
    if isinstance(kept, ctypes.Array | Export | memoryview | pickle.PickleBuffer):
        return bytes(memoryview(kept).cast("B"))
    if type(kept).__module__.startswith("torch"):
        kept = kept if hasattr(kept, "dim") else [value & 0xFF for value in kept]
        kept = kept if isinstance(kept, list) else kept.contiguous().numpy()
        return bytes(kept) if isinstance(kept, list) else kept.tobytes()
    return np.asarray(kept).tobytes()


def outcome(item: Any, keep: Keep) -> str:
    """What becomes of the bytes that are kept while more units are sent than there are segments."""
    pool = SharedMemorySegmentPool(1 << 13, 2, acquire_timeout=0, prefault=False)
    writer, reader = pool.open_writer(), pool.open_reader()

    def push() -> int:
        for sent in range(4):
            try:
                writer.put(OTHER)
            except ArenaFull:
                return sent
            reader.get()
        return 4

    writer.put({"item": item})
    kept = keep(reader.get()["item"])
    gc.collect()
    sent = push()
    if set(seen(kept)) != {0xAA}:
        return "overwritten"
    if sent != 1:
        return f"not held: {sent} more units were sent"
    del kept
    gc.collect()
    return HELD if push() == 4 else "held for ever"


def table(group: str) -> dict[str, str]:
    """What became of each, found out in a process of its own."""
    command = [sys.executable, "-W", "ignore", Path(__file__), group]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    results: dict[str, str] = json.loads(ran.stdout)
    width = max(map(len, results))
    print(*(f"{name:{width}}  {result}" for name, result in results.items()), sep="\n")
    return results


if __name__ == "__main__":
    rows = {"python": python_rows, "torch": torch_rows}[sys.argv[1]]()
    print(json.dumps({name: outcome(*row) for name, row in rows.items()}, indent=1))
