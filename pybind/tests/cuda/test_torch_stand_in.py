"""What is asked of Torch, with tensors in the stand-in's memory: its own need a real driver."""

from pathlib import Path

import pytest
from stand_in import run

pytest.importorskip(
    "torch", reason="torch is not here: the job torch of the gate runs this with Debian's"
)

TORCH = """
    import ctypes
    import math
    from types import SimpleNamespace

    import torch

    real, asked = torch.empty, []

    def empty(shape, dtype, device=None, pin_memory=False):
        if device is None or not math.prod(shape):
            return real(shape, dtype=dtype)
        nbytes = math.prod(shape) * real(0, dtype=dtype).element_size()
        memory = cuda.DeviceArray(nbytes, "u1", device=device.index)
        address = memory.__cuda_array_interface__["data"][0]
        octets = (ctypes.c_ubyte * nbytes).from_address(address)
        octets.memory = memory
        return torch.frombuffer(octets, dtype=dtype).reshape(shape)

    torch.empty = empty
    torch.cuda.current_stream = lambda device: SimpleNamespace(
        name=f"that of {device}", synchronize=lambda: asked.append(f"the end of {device}"))
    torch.cuda.ExternalStream = lambda handle, device: SimpleNamespace(
        wait_stream=lambda other: asked.append((handle, str(device), other.name)))

    x = torch.arange(10_000, dtype=torch.float32).reshape(100, 100)
    TENSORS = [
        x,
        x.t(),
        x[::2, 3:],
        x.to(torch.bfloat16),
        x > 3,
        x.to(torch.int8),
        x[0, 0],
        x[:0],
        torch.complex(x, -x).conj(),
        torch.complex(x, -x).conj().imag,
        x.clone().requires_grad_(),
    ]
"""


def test_tensors_of_every_kind(tmp_path: Path) -> None:
    main = """
        stream = cuda.Stream(1)
        there = cuda.transfer_tensor_h2d({"tensors": TENSORS, "n": 3}, stream=stream)
        for before, after in zip(TENSORS, there["tensors"]):
            assert type(after) is torch.Tensor
            assert (before.dtype, before.shape) == (after.dtype, after.shape)
            assert before.requires_grad == after.requires_grad
            assert after.is_contiguous()
            assert torch.equal(before.resolve_conj().resolve_neg(), after)
        # The copies come after what the memory was used for before.
        assert asked == [(stream.handle, "cuda:1", "that of cuda:1")] * len(TENSORS)
    """
    run(tmp_path, main, TORCH)


def test_back_to_the_host(tmp_path: Path) -> None:
    main = """
        from passband.cuda import _torch
        stream = cuda.Stream(0)
        for tensor in cuda.transfer_tensor_h2d(TENSORS, device=0):
            asked.clear()
            back = _torch.to_host(tensor, stream).wait()
            assert torch.equal(back, tensor) and back.dtype == tensor.dtype
            assert back.requires_grad == tensor.requires_grad
            # What is still to be written to it comes first.
            assert asked == ["the end of cpu"]
    """
    run(tmp_path, main, TORCH)


def test_what_is_no_dense_tensor_of_the_host_stays(tmp_path: Path) -> None:
    main = """
        stay = [x.to_sparse(), x.to("meta"), torch.device("cpu"), torch.float32]
        assert all(a is b for a, b in zip(stay, cuda.transfer_tensor_h2d(stay)))
        assert all(a is b for a, b in zip([*stay, x], cuda.transfer_tensor_d2h([*stay, x])))
    """
    run(tmp_path, main, TORCH)


def test_a_failure_of_its_allocator_half_way(tmp_path: Path) -> None:
    main = """
        control("delay=100")
        made, left = torch.empty, [2]

        def fails(*shape, **options):
            if not left[0]:
                raise RuntimeError("CUDA out of memory")
            left[0] -= 1
            return made(*shape, **options)

        torch.empty = fails
        try:
            cuda.transfer_tensor_h2d([x + number for number in range(4)])
            raise AssertionError
        except RuntimeError as error:
            assert str(error) == "CUDA out of memory"
        # Those that were begun are through.
        assert report()["queued"] == 0
        assert_all_given_back()
    """
    run(tmp_path, main, TORCH)
