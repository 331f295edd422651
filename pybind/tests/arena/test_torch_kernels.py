"""Kernels over the memory of torch tensors."""

import numpy as np
import passband
import pytest

torch = pytest.importorskip(
    "torch", reason="torch is not here: the job torch of the gate runs this with Debian's"
)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_a_kernel_reads_one_tensor_and_fills_another(dtype: str) -> None:
    x = torch.arange(1.0, 1001.0).to(getattr(torch, dtype))
    y = torch.zeros_like(x)
    out = y.numpy()
    assert passband.Fir([0.5, 0.5], dtype=dtype).steps(x.numpy(), out=out) is out
    assert y[0] == 0.5
    assert torch.equal(y[1:], (x[1:] + x[:-1]) / 2)


def test_a_result_becomes_a_tensor_without_a_copy() -> None:
    result = passband.LocalOscillator(0.25).steps(1000)
    tensor = torch.from_numpy(result)
    assert tensor.data_ptr() == result.__array_interface__["data"][0]
    del result
    assert torch.allclose(tensor[:4], torch.tensor([1, 1j, -1, -1j]), atol=1e-6)
    np.multiply(tensor.numpy(), 2, out=tensor.numpy())
    assert torch.allclose(tensor.abs(), torch.tensor(2.0))
