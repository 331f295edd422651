"""Tensors of Torch, in its own memory on either side."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from passband._cuda import Stream, Transfer


def is_on_host(tensor: torch.Tensor) -> bool:
    """Whether it is a dense one in the memory of the host."""
    special = tensor.is_quantized or tensor.is_nested
    return tensor.device.type == "cpu" and tensor.layout is torch.strided and not special


def is_on_device(tensor: torch.Tensor) -> bool:
    """Whether it is a dense one on a CUDA device."""
    return tensor.is_cuda and tensor.layout is torch.strided and not tensor.is_quantized


def to_device(tensor: torch.Tensor, stream: Stream) -> Transfer:
    """Begins to copy a tensor to the device of a stream."""
    device = torch.device("cuda", stream.device)
    made = torch.empty(tensor.shape, dtype=tensor.dtype, device=device)
    # What the memory was used for before may still be running.
    copies = torch.cuda.ExternalStream(stream.handle, device)
    copies.wait_stream(torch.cuda.current_stream(device))
    made.requires_grad_(tensor.requires_grad)
    return stream._to_device(_octets(_plain(tensor)), made, made.data_ptr())


def to_host(tensor: torch.Tensor, stream: Stream) -> Transfer:
    """Begins to copy a tensor of the device of a stream."""
    source = _plain(tensor)
    torch.cuda.current_stream(tensor.device).synchronize()
    made = torch.empty(tensor.shape, dtype=tensor.dtype, pin_memory=True)
    octets = _octets(made)
    made.requires_grad_(tensor.requires_grad)
    return stream._to_host(source, source.data_ptr(), octets, made)


def _plain(tensor: torch.Tensor) -> torch.Tensor:
    """Its elements as they are in the end, in C's order."""
    return tensor.detach().resolve_conj().resolve_neg().contiguous()


def _octets(tensor: torch.Tensor) -> NDArray[np.uint8]:
    """The memory of a tensor in C's order, whatever its type."""
    octets: NDArray[np.uint8] = tensor.reshape(-1).view(torch.uint8).numpy()
    return octets
