"""The shapes of kernels: how each class is called, whatever it computes.

A class has one of these as its base, and its methods from there. Results are arrays of NumPy's
that nothing else refers to; `out=` places them instead in an array of the caller's, which has to
be of exactly the right type, C-contiguous, writeable, aligned and long enough. A result that
fills `out` is `out` itself, a shorter one a plain view of its first elements. An array passed as
`x` has to be of the class's input type and is read in place where it can be; lists and numbers are
converted. A call that is refused has changed nothing.

Calls of much work release the interpreter lock. `x` and `out` must not be written meanwhile, nor
resized with `refcheck=False`, and two mappings of one segment of memory are not seen to overlap.
One object runs one call at a time.
"""

from types import GenericAlias
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import disjoint_base

_Out = TypeVar("_Out", bound=np.generic)

class Progress(NamedTuple):
    """How far a call that may stop early has come: inputs `consumed`, outputs `produced`."""

    consumed: int
    produced: int

@disjoint_base
class Kernel:
    """What every class has: a state that can be put back, saved and loaded.

    Feeding a stream in one call or in many gives the same bits.
    """

    def reset(self) -> None:
        """Puts the state back to that of a new object; the constructor's arguments stay.

        Raises RuntimeError while another call runs.

        >>> mean = passband.Fir([0.5, 0.5])
        >>> mean.steps([1.0, 3.0])
        array([0.5, 2. ])
        >>> mean.reset()
        >>> mean.steps([1.0, 3.0])
        array([0.5, 2. ])
        """

    def get_state(self) -> bytes:
        """Saves the state as bytes, the same on every machine and at every SIMD level.

        Raises RuntimeError while another call runs.

        >>> mean = passband.Fir([0.5, 0.5])
        >>> mean.step(2.0)
        np.float64(1.0)
        >>> state = mean.get_state()
        >>> mean.step(4.0)
        np.float64(3.0)
        >>> mean.set_state(state)
        >>> mean.step(4.0)
        np.float64(3.0)
        """

    def set_state(self, state: bytes) -> None:
        """Continues from a state that `get_state` saved, of an object with the same arguments.

        Raises ValueError for bytes that are damaged, too short, of another class or of other
        arguments, RuntimeError while another call runs; the state is then as it was.

        >>> passband.Fir([0.5, 0.5]).set_state(b"PBST")
        Traceback (most recent call last):
        ...
        ValueError: state: expected a snapshot of format 1, given other bytes
        """

class Blockwise(Kernel, Generic[_Out]):
    """One output per input."""

    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def steps(self, x: ArrayLike, out: NDArray[_Out] | None = None) -> NDArray[_Out]:
        """Gives the outputs of a block of samples, `x` of shape (n,), as many as there are inputs.

        Raises TypeError for another type than the class takes or an `out` that cannot be written
        as it is, ValueError for a wrong number of dimensions, an `out` that is too short, or one
        that overlaps `x`, RuntimeError while another call runs. `out=x` runs in place where the
        class says so. Allocates the result, unless `out` is given.

        >>> mean = passband.Fir([0.5, 0.5], dtype="float32")
        >>> y = np.empty(4, np.float32)
        >>> mean.steps(np.float32([1, 3, 5, 7]), out=y) is y
        True
        >>> y
        array([0.5, 2. , 4. , 6. ], dtype=float32)
        """

    def step(self, x: complex) -> Any:
        """Gives the output of one sample as a NumPy scalar, the same bits as `steps` of one.

        Raises as `steps` does; allocates the scalar.

        >>> passband.Fir([0.5, 0.5]).step(3.0)
        np.float64(1.5)
        """

class Generator(Kernel, Generic[_Out]):
    """Outputs from nothing but state."""

    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def steps(self, count: int, out: NDArray[_Out] | None = None) -> NDArray[_Out]:
        """Gives the next `count` samples, shape (count,).

        Raises ValueError for a negative count, OverflowError for one beyond the address space,
        else as `Blockwise.steps` does. Allocates the result, unless `out` is given.

        >>> passband.LocalOscillator(0.25).steps(4).imag.astype(int)
        array([ 0,  1,  0, -1])
        """

class VariableLength(Kernel, Generic[_Out]):
    """Outputs at another rate than inputs."""

    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def execute(self, x: ArrayLike, out: NDArray[_Out] | None = None) -> NDArray[_Out]:
        """Feeds all of `x`, shape (n,), and gives the outputs of it, `max_out(n)` of them.

        Raises as `Blockwise.steps` does. Allocates the result, unless `out` is given.

        >>> half = passband.FirDecimator([0.5, 0.5], 2)
        >>> half.execute([1.0, 3.0, 5.0])
        array([0.5, 4. ])
        >>> half.execute([7.0, 9.0])
        array([8.])
        """

    def execute_into(self, x: ArrayLike, out: NDArray[_Out]) -> Progress:
        """Feeds inputs until the next output has no room in `out`, of whatever length.

        The inputs that it did not consume have to be offered again. Raises as
        `Blockwise.steps` does. Allocates nothing but the two counts.

        >>> half = passband.FirDecimator([0.5, 0.5], 2)
        >>> y = np.empty(1)
        >>> half.execute_into(np.array([1.0, 3.0, 5.0]), y)
        Progress(consumed=2, produced=1)
        """

    def max_out(self, n: int) -> int:
        """Gives the number of outputs that the next `n` inputs lead to.

        Raises ValueError for a negative `n`, OverflowError for one beyond the address space.

        >>> passband.FirDecimator([1.0], 3).max_out(10)
        4
        """

class Detector(Kernel, Generic[_Out]):
    """Records out of a stream of samples; their indices count samples since its start."""

    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def detect(self, x: ArrayLike, out: NDArray[_Out] | None = None) -> NDArray[_Out]:
        """Feeds all of `x`, shape (n,), and gives the records of what has ended in it.

        `out` needs room for `max_out(n)` records. Without it the array is allocated for as many
        and trimmed to what was found; the spare memory is released. Raises as
        `Blockwise.steps` does.

        >>> bursts = passband.BurstDetector(1.0, 0.5, dtype="float32")
        >>> bursts.detect(np.float32([0, 2, 2, 0, 0]))["stop"]
        array([3])
        """

    def detect_into(self, x: ArrayLike, out: NDArray[_Out]) -> Progress:
        """Feeds inputs until the next record has no room in `out`, of whatever length.

        The inputs that it did not consume have to be offered again. Raises as
        `Blockwise.steps` does. Allocates nothing but the two counts.

        >>> bursts = passband.BurstDetector(1.0, 0.5, dtype="float32")
        >>> found = bursts.flush()[:0]
        >>> bursts.detect_into(np.float32([0, 0]), found)
        Progress(consumed=2, produced=0)
        """

    def flush(self, out: NDArray[_Out] | None = None) -> NDArray[_Out]:
        """Ends the stream: gives the records that are still open, then resets.

        `out` needs room for `max_flush()` records. Raises as `Blockwise.steps` does.

        >>> bursts = passband.BurstDetector(1.0, 0.5, dtype="float32")
        >>> bursts.detect(np.float32([0, 2])).size
        0
        >>> bursts.flush()["start"]
        array([1])
        """

    def max_out(self, n: int) -> int:
        """Gives the most records that the next `n` inputs can lead to.

        Raises ValueError for a negative `n`, OverflowError for one beyond the address space.

        >>> passband.BurstDetector(1.0, 0.5).max_out(0)
        0
        """

    def max_flush(self) -> int:
        """Gives the number of records that `flush` would give now.

        >>> passband.BurstDetector(1.0, 0.5).max_flush()
        0
        """
