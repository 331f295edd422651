"""Tensors through an arena: type, order, aliases, gradients; what has more to it by Torch's way."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from passband.arena import _codec
from trips import POOL, Trip, everywhere, sizes

torch = pytest.importorskip(
    "torch", reason="torch is not here: the job torch of the gate runs this with Debian's"
)

TYPES = [
    name
    for name in [
        "bool",
        "uint8",
        "int8",
        "int16",
        "int32",
        "int64",
        "float16",
        "bfloat16",
        "float32",
        "float64",
        "complex64",
        "complex128",
        "uint16",
        "uint32",
        "uint64",
        "float8_e4m3fn",
        "float8_e5m2",
    ]
    if hasattr(torch, name)
]


def octets(tensor: Any) -> bytes:
    """The bytes of a tensor's elements in their order."""
    flat = tensor.detach().resolve_conj().resolve_neg().contiguous().reshape(-1)
    return bytes(flat.view(torch.uint8).numpy()) if flat.numel() else b""


def is_same(there: Any, given: Any) -> bool:
    """Whether two tensors are the same in all but where they lie."""
    return (
        type(there) is type(given)
        and there.dtype == given.dtype
        and there.shape == given.shape
        and there.requires_grad == given.requires_grad
        and (there.is_conj(), there.is_neg()) == (given.is_conj(), given.is_neg())
        and octets(there) == octets(given)
    )


@everywhere
@pytest.mark.parametrize("length", [3, 6000])
@pytest.mark.parametrize("name", TYPES)
def test_types(trip: Trip, name: str, length: int) -> None:
    given = (torch.arange(length) % 2).to(getattr(torch, name))
    assert is_same(trip([given])[0], given)
    nbytes = given.element_size() * length
    assert sizes([given]) == ([nbytes] if nbytes >= 4096 else [])


def inference() -> Any:
    """A tensor made in inference mode."""
    with torch.inference_mode():
        return torch.arange(6000.0)


ORDERS: dict[str, Callable[[], Any]] = {
    "contiguous": lambda: torch.arange(6000.0).reshape(20, 300),
    "transposed": lambda: torch.arange(6000.0).reshape(20, 300).t(),
    "channels last": lambda: (
        torch.arange(12000.0).reshape(2, 3, 40, 50).contiguous(memory_format=torch.channels_last)
    ),
    "a scalar": lambda: torch.tensor(2.5),
    "no elements": lambda: torch.zeros(3, 0, 4),
    "expanded": lambda: torch.arange(1000.0)[:, None].expand(1000, 50),
    "windows": lambda: torch.arange(6000.0).unfold(0, 100, 1),
    "from the middle": lambda: torch.arange(60000.0)[100:7000],
    "put-off conjugate": lambda: torch.full((3000,), 1 + 2j).conj(),
    "put-off, few": lambda: torch.full((3,), 1 + 2j).conj(),
    "with a gradient": lambda: torch.arange(6000.0).requires_grad_(),
    "of a gradient": lambda: torch.arange(6000.0).requires_grad_() * 2,
    "of inference": inference,
}
GAPS: dict[str, Callable[[], Any]] = {
    "every third": lambda: torch.arange(6000.0)[::3],
    "a column": lambda: torch.arange(600000.0).reshape(6000, 100)[:, 7],
    "a crop": lambda: torch.arange(60000.0).reshape(100, 600)[10:50, 20:60].t(),
    "put-off negative": lambda: torch.full((3000,), 1 + 2j).conj().imag,
    "real parts": lambda: torch.full((3000,), 1 + 2j).real,
}


@everywhere
@pytest.mark.parametrize("name", ORDERS)
def test_orders(trip: Trip, name: str) -> None:
    given = ORDERS[name]()
    there = trip({"t": given})["t"]
    assert is_same(there, given)
    assert there.stride() == given.stride()


@everywhere
@pytest.mark.parametrize("name", GAPS)
def test_gaps_are_not_sent(trip: Trip, name: str) -> None:
    given = GAPS[name]()
    assert is_same(trip([given])[0], given)
    assert sizes(given) == [given.numel() * given.element_size()]


@everywhere
def test_tensors_and_arrays_of_one_memory_share_it_again(trip: Trip) -> None:
    base = torch.arange(6000.0)
    given = {
        "base": base,
        "again": base,
        "detached": base.detach(),
        "slice": base[5:50],
        "strided": base[::7],
        "other type": base.view(torch.int32),
        "matrix": base.reshape(60, 100).t(),
        "array": base.numpy(),
        "array view": base.numpy()[::-2],
    }
    assert sizes(given) == [24000]
    there = trip(given)
    assert there["base"] is there["again"]
    for tensors in (there, given):
        tensors["base"][...] = torch.arange(7.0, 6007)
    for name, tensor in given.items():
        assert np.array_equal(np.asarray(there[name]), np.asarray(tensor)), name


@everywhere
def test_few_elements_alias_as_well(trip: Trip) -> None:
    base = torch.zeros(10)
    there = trip([base[3:5], base])
    there[1][4] = 7
    assert there[0][1] == 7


def test_a_tensor_lies_in_the_arena_aligned() -> None:
    there = POOL([torch.ones(3001), torch.ones(3001, dtype=torch.bfloat16)])
    assert [tensor.data_ptr() % 64 for tensor in there] == [0, 0]


def test_tensors_over_read_only_memory() -> None:
    given = torch.arange(3000.0)
    body, leaves = _codec.dumps([given])
    assert torch.equal(_codec.loads(body, [bytes(leaves[0])], True)[0], given)


def quantized() -> Any:
    """Integers with a scale."""
    return torch.quantize_per_tensor(torch.arange(6000.0), 0.5, 3, torch.qint32)


def parameter() -> Any:
    """What modules train."""
    return torch.nn.Parameter(torch.arange(6000.0))


def sparse() -> Any:
    """Indices and values."""
    return torch.eye(100).to_sparse()


class Tagged(torch.Tensor):  # type: ignore[misc]
    """A subclass."""


def tagged() -> Any:
    """An object of a subclass, with an attribute."""
    tensor = torch.arange(6000.0).as_subclass(Tagged)
    tensor.tag = "tag"
    return tensor


@everywhere
@pytest.mark.parametrize(
    "make",
    [quantized, parameter, sparse, tagged],
    ids=lambda make: make.__name__,
)
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
def test_other_tensors(trip: Trip, make: Callable[[], Any]) -> None:
    given = make()
    there = trip([given, given])
    assert there[0] is there[1]
    assert type(there[0]) is type(given)
    assert there[0].layout == given.layout
    assert there[0].requires_grad == given.requires_grad
    assert getattr(there[0], "tag", "") == getattr(given, "tag", "")
    if given.is_quantized:
        there, given = [there[0].int_repr()], given.int_repr()
    assert torch.equal(there[0].detach().to_dense(), given.detach().to_dense())


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
def test_a_module_comes_back() -> None:
    module = torch.nn.Sequential(torch.nn.Linear(50, 60), torch.nn.ReLU())
    there = POOL(module)
    x = torch.ones(3, 50)
    assert torch.equal(there(x), module(x))


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
def test_more_than_elements_is_left_to_torch() -> None:
    given = torch.arange(6000.0).requires_grad_()
    given.register_hook(print)
    with pytest.warns(UserWarning, match="hook"):
        there = POOL([given])[0]
    assert torch.equal(there, given)


def test_a_received_tensor_takes_part_in_training() -> None:
    x, w = POOL([torch.ones(3000), torch.full((3000,), 2.0).requires_grad_()])
    (x * w).sum().backward()
    assert torch.equal(w.grad, x)
    with torch.no_grad():
        w -= w.grad
    assert w[0] == 1
