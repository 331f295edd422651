"""Scenarios of libraries that need a real driver."""

import numpy as np
import passband.arena as arena
import passband.cuda as cuda
from registry import needs


@needs("torch")
def tensors_of_torch() -> None:
    import torch

    x = torch.arange(10_000, dtype=torch.float32).reshape(100, 100)
    tensors = [x, x.t(), x.to(torch.bfloat16), x > 3, x[:0], torch.tensor(1.5), x.to(torch.int8)]
    there = cuda.transfer_tensor_h2d({"tensors": tensors, "x": x.numpy()})
    back = cuda.transfer_tensor_d2h(there)
    for before, on, after in zip(tensors, there["tensors"], back["tensors"], strict=True):
        assert on.is_cuda
        assert after.is_pinned() or after.numel() == 0
        assert before.dtype == on.dtype == after.dtype
        assert torch.equal(before, on.cpu())
        assert torch.equal(before, after)
    taken = torch.from_dlpack(cuda.copy_h2d(x.numpy()).wait())
    assert torch.equal(taken.cpu(), x)
    own = torch.cuda.Stream()
    assert torch.equal(cuda.transfer_tensor_h2d(x, stream=own).cpu(), x)
    # What the current stream has still to do comes first.
    for _ in range(20):
        big = torch.ones(4096, 4096, device="cuda")
        product = big @ big
        assert cuda.transfer_tensor_d2h(product)[5, 5] == 4096
        del big, product
        assert torch.equal(cuda.transfer_tensor_h2d(x).cpu(), x)
    pool = arena.SharedMemorySegmentPool(1 << 20, 3, pin_memory=True)
    writer, reader = pool.open_writer(), pool.open_reader()
    writer.put(x)
    item = reader.get()
    assert item.is_pinned()
    assert torch.equal(cuda.transfer_tensor_h2d(item).cpu(), x)
    pool.close()
    pool.unlink()


@needs("cupy")
def arrays_of_cupy() -> None:
    import cupy

    x = np.arange(10_000, dtype=np.float32).reshape(100, 100)
    there = cuda.transfer_tensor_h2d([x, x.T, x[:0]])
    for before, on in zip([x, x.T, x[:0]], there, strict=True):
        assert type(on) is cupy.ndarray
        np.testing.assert_array_equal(on.get(), before)
    back = cuda.transfer_tensor_d2h([there[0].T, there[1][::2]])
    np.testing.assert_array_equal(back[0], x.T)
    np.testing.assert_array_equal(back[1], x.T[::2])
    np.testing.assert_array_equal(cupy.from_dlpack(cuda.copy_h2d(x).wait()).get(), x)
    own = cupy.cuda.Stream()
    np.testing.assert_array_equal(cuda.transfer_tensor_h2d(x, stream=own).get(), x)
