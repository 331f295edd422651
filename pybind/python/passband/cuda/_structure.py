"""A batch as its leaves and a pickle of the containers that they are in.

Pickle knows how every container and dataclass is made again, in C, and keeps what is shared shared.
It is shown nothing else here: what is no container is left out, and goes back in as it is or as
what it became.
"""

from __future__ import annotations

import dataclasses
import pickle
from collections import deque
from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

from passband.arena._codec import Unpickler

_PROTOCOL: Final = 5
_CONTAINERS: Final = (tuple, list, dict, set, frozenset, deque, Mapping)


class _IsContainer(dict[type, bool]):
    """Whether a type's objects are looked into."""

    def __missing__(self, cls: type) -> bool:
        self[cls] = issubclass(cls, _CONTAINERS) or dataclasses.is_dataclass(cls)
        return self[cls]


_is_container: Final = _IsContainer()


class _Pickler(pickle.Pickler):
    """Pickles containers, and numbers all that is in them."""

    def __init__(self, file: BytesIO) -> None:
        super().__init__(file, _PROTOCOL)
        self._numbers: dict[int, int] = {}
        self.objects: list[Any] = []

    def persistent_id(self, obj: Any) -> int | None:
        """The number of an object that is no container."""
        if _is_container[type(obj)]:
            return None
        number = self._numbers.setdefault(id(obj), len(self.objects))
        if number == len(self.objects):
            self.objects.append(obj)
        return number


class Structure:
    """The containers of a batch, and `objects`, which are all that is in them, each once."""

    def __init__(self, batch: object) -> None:
        file = BytesIO()
        pickler = _Pickler(file)
        pickler.dump(batch)
        self._pickled = file.getvalue()
        self.objects = pickler.objects

    def around(self, objects: list[Any]) -> Any:
        """The containers again, around other objects in the places of theirs."""
        unpickler = Unpickler(BytesIO(self._pickled))
        unpickler.objects = objects
        return unpickler.load()
