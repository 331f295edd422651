"""Tensors of Torch: dense ones in the memory of the host, of any type and strides."""

from __future__ import annotations

import warnings
from typing import Any, Final

import torch

from passband.arena._kinds import Kind, Layout, Row, Source


class _Tensor:
    """`torch.Tensor`; what has more to it than elements is left to Torch's own pickling."""

    type = torch.Tensor

    def takes(self, obj: torch.Tensor, /) -> bool:
        return (
            obj.layout is torch.strided
            and obj.device.type == "cpu"
            and not (obj.is_quantized or obj.is_nested or any(getattr(obj, "names", ())))
            and not (obj._backward_hooks or obj.__dict__)
            and obj.numel() > 0
        )

    def owner(self, _obj: torch.Tensor, /) -> object:
        return None

    def leaf(self, _obj: torch.Tensor, /) -> Any:
        return None

    def layout(self, obj: torch.Tensor, /) -> Layout:
        itemsize = obj.element_size()
        strides = tuple(stride * itemsize for stride in obj.stride())
        return Layout(obj.data_ptr(), itemsize, tuple(obj.shape), strides)

    def row(
        self,
        obj: torch.Tensor,
        source: Source,
        offset: int = 0,
        strides: tuple[int, ...] | None = None,
        /,
    ) -> Row:
        itemsize = obj.element_size()
        elements = tuple(stride // itemsize for stride in strides or ())
        layout = str(obj.dtype).removeprefix("torch."), tuple(obj.shape), elements, offset
        bits = obj.requires_grad, obj.is_conj(), obj.is_neg()
        return "torch.Tensor", source, (*layout, *bits)

    def restore(
        self,
        source: Any,
        _copy: bool,
        dtype: str,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        offset: int,
        requires_grad: bool,
        conjugate: bool,
        negative: bool,
        /,
    ) -> torch.Tensor:
        reaches = (stride * (length - 1) for length, stride in zip(shape, strides, strict=True))
        elements = _elements(source, getattr(torch, dtype), 1 + sum(reaches), offset)
        tensor = elements.as_strided(shape, strides)
        # Two operations that tensors put off, and mark themselves with.
        tensor = tensor.conj() if conjugate else tensor
        tensor = torch._neg_view(tensor) if negative else tensor
        return tensor.requires_grad_(requires_grad)


def _elements(source: Any, dtype: torch.dtype, count: int, offset: int) -> torch.Tensor:
    if not memoryview(source).readonly:
        return torch.frombuffer(source, dtype=dtype, count=count, offset=offset)
    with warnings.catch_warnings():
        # Torch has no read-only tensors, and says so.
        warnings.simplefilter("ignore")
        return torch.frombuffer(source, dtype=dtype, count=count, offset=offset)


KINDS: Final[tuple[Kind, ...]] = (_Tensor(),)
