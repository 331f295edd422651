"""The shapes of kernels: how each class is called, whatever it computes.

A class has one of these as its base, and its methods from there. Results are arrays of NumPy's
that nothing else refers to; `out=` places them instead in an array of the caller's, which has to
be of exactly the right type, C-contiguous, writeable, aligned and long enough. A result that
fills `out` is `out` itself, a shorter one a plain view of its first elements. An array passed as
`x` has to be of the class's input type and is read in place where it can be; lists and numbers are
converted. A call that is refused has changed nothing.

Calls of much work release the interpreter lock, and so do constructors that compute tables, and
saving or loading a state of a megabyte or more. `x` and `out` must not be written meanwhile, nor
resized with `refcheck=False`, and two mappings of one segment of memory are not seen to overlap.
One object runs one call at a time.
"""

from types import GenericAlias
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import disjoint_base

_Out = TypeVar("_Out", bound=np.generic)
_Other = TypeVar("_Other", bound=np.generic)
_Record = TypeVar("_Record", bound=tuple[Any, ...])

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

        Arguments that a stream may change are state. They may differ, and continue as they were
        saved; `reset` goes back to those of the own constructor:

        * `freq` and `phase` of LocalOscillator, Mixer, Chirp, Ddc and Duc, `freq` of Pll, `phase`
          of Nco. Frequencies are saved in cycles per sample: `fs` of LocalOscillator, Mixer, Ddc
          and Duc is only the unit of the own `freq` and may differ, too.
        * `ratio` and `phase` of Farrow. The phases of other resamplers have to be the same.
        * `delay` of FractionalDelay, within its `max_delay`.
        * `state` of Pn, the register.

        Raises ValueError for bytes that are damaged, too short, of another class or of other
        arguments beyond these, RuntimeError while another call runs; the state is then as it was.

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

class Windowed(Blockwise[_Out]):
    """One output per input, and a window of samples to look at.

    Calls never release the interpreter lock, so that the window stays still while Python looks.
    """

    def window_view(self) -> NDArray[_Out]:
        """Gives a read-only array over the window itself, oldest sample first; nothing is copied.

        It keeps the object alive, and shows what later calls make of the window; `copy()` keeps
        what it shows now. Raises RuntimeError while another call runs. Where another class is given
        it as `x` in a call that releases the interpreter lock, the object must not be called
        meanwhile.

        >>> line = passband.DelayLine(3)
        >>> window = line.window_view()
        >>> line.steps(np.float32([1, 2, 3, 4]))
        array([0., 0., 0., 1.], dtype=float32)
        >>> window
        array([2., 3., 4.], dtype=float32)
        """

class MultiChannel(Blockwise[_Out]):
    """One output per input: of one stream, or of `channels=` streams that advance together.

    Without `channels` it is called like any `Blockwise`. With it arrays have two dimensions, and
    each channel gives the same bits as an object of its own.
    """

    def steps(
        self, x: ArrayLike, out: NDArray[_Out] | None = None, axis: int = -1
    ) -> NDArray[_Out]:
        """Gives the outputs of a block of samples, in the shape and layout of `x`.

        `x` has shape (n,) without `channels`, and with it (channels, n), or (n, channels) where
        `axis`, that of time, is 0. `out` may be longer along the axis of time. Raises ValueError
        for another number of channels or another axis, else as `Blockwise.steps` does. Allocates
        the result, unless `out` is given.

        >>> lowpass = [[0.5, 0.5, 0.0, 1.0, 0.0, 0.0]]
        >>> stereo = passband.Sos(lowpass, channels=2)
        >>> stereo.steps([[2.0, 4.0, 6.0], [1.0, 1.0, 1.0]])
        array([[1. , 3. , 5. ],
               [0.5, 1. , 1. ]])
        >>> stereo.steps([[8.0, 1.0]], axis=0)
        array([[7., 1.]])
        """

    def step(self, x: complex) -> Any:
        """Gives the output of one sample as a NumPy scalar, the same bits as `steps` of one.

        Raises ValueError for an object with `channels`, else as `steps` does; allocates the
        scalar.

        >>> passband.Sos([[0.5, 0.5, 0.0, 1.0, 0.0, 0.0]]).step(3.0)
        np.float64(1.5)
        """

class TwoInput(Kernel, Generic[_Out]):
    """One output per pair of inputs."""

    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def steps(self, x: ArrayLike, d: ArrayLike, out: NDArray[_Out] | None = None) -> NDArray[_Out]:
        """Gives the outputs of two blocks of samples, `x` and `d`, both of shape (n,).

        Raises ValueError for unequal lengths and for an `out` that overlaps either, else as
        `Blockwise.steps` does. Allocates the result, unless `out` is given.

        >>> adaptive = passband.Nlms(1, 1.0, dtype="float64")
        >>> adaptive.steps([1.0, 1.0], [2.0, 2.0]).round(3)
        array([2., 0.])
        """

    def step(self, x: complex, d: complex) -> Any:
        """Gives the output of one pair as a NumPy scalar, the same bits as `steps` of one.

        Raises as `steps` does; allocates the scalar.

        >>> passband.Nlms(1, 1.0, dtype="float64").step(1.0, 2.0)
        np.float64(2.0)
        """

class TwoOutput(Kernel, Generic[_Out, _Other]):
    """Two outputs per input."""

    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def steps(
        self, x: ArrayLike, out: tuple[NDArray[_Out], NDArray[_Other]] | None = None
    ) -> tuple[NDArray[_Out], NDArray[_Other]]:
        """Gives the two outputs of a block of samples, `x` of shape (n,), each of shape (n,).

        `out` is a tuple of two arrays. Raises TypeError for anything else, ValueError where they
        overlap each other or `x`, else as `Blockwise.steps` does. Allocates the results, unless
        `out` is given.

        >>> signal, error = passband.Pll(0.01).steps(np.ones(3, np.complex64))
        >>> signal.dtype, error
        (dtype('complex64'), array([0., 0., 0.], dtype=float32))
        """

    def step(self, x: complex) -> tuple[Any, Any]:
        """Gives the two outputs of one sample as NumPy scalars, the same bits as `steps` of one.

        Raises as `steps` does; allocates the scalars.

        >>> passband.Pll(0.01).step(1.0)[1]
        np.float32(0.0)
        """

class Batch(Kernel, Generic[_Out]):
    """Frames of a fixed length in, frames of a fixed length out, each by itself."""

    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def batch(self, frames: ArrayLike, out: NDArray[_Out] | None = None) -> NDArray[_Out]:
        """Gives the results of frames, `frames` of shape (m, n), one in each row.

        `out` may have more rows. Raises ValueError for frames of another length, else as
        `Blockwise.steps` does. Allocates the result, unless `out` is given.

        >>> passband.Fft(4).batch(np.ones((2, 4), np.complex64)).real
        array([[4., 0., 0., 0.],
               [4., 0., 0., 0.]], dtype=float32)
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

        Raises ValueError for a negative `n`, OverflowError where it or the outputs are beyond the
        address space.

        >>> passband.FirDecimator([1.0], 3).max_out(10)
        4
        """

class Buffered(VariableLength[_Out]):
    """Outputs that come later than their inputs; `flush` gives the last ones."""

    def flush(self, out: NDArray[_Out] | None = None) -> NDArray[_Out]:
        """Ends the stream: gives what is still held back, then resets.

        `out` needs room for `max_flush()` samples. Raises as `Blockwise.steps` does.

        >>> fast = passband.FftFir([0.5, 0.5])
        >>> early = fast.execute([1.0, 3.0])
        >>> np.concatenate([early, fast.flush()])
        array([0.5, 2. ])
        """

    def max_flush(self) -> int:
        """Gives the number of samples that `flush` would give now.

        >>> passband.FftFir([0.5, 0.5]).max_flush()
        0
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

class Sink(Kernel, Generic[_Out]):
    """Inputs that end in the state, from which a value can be had at any time."""

    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def push(self, x: ArrayLike) -> None:
        """Feeds all of `x`, shape (n,). Raises as `Blockwise.steps` does; allocates nothing.

        >>> power = passband.PowerAverager()
        >>> power.push(np.complex64([3, 4j]))
        >>> power.value()
        np.float64(12.5)
        """

    def value(self) -> Any:
        """Gives the value of the stream so far as a NumPy scalar; changes nothing.

        Raises RuntimeError while another call runs.

        >>> passband.PowerAverager().value()
        np.float64(0.0)
        """

class Measure(Kernel, Generic[_Record]):
    """One record of a block of samples, each block by itself."""

    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def measure(self, x: ArrayLike) -> _Record:
        """Measures a block, `x` of shape (n,), and gives a named tuple of Python's numbers.

        Raises as `Blockwise.steps` does; allocates the tuple.

        >>> passband.LevelMeter(dtype="float64").measure([1.0, -1.0]).peak
        1.0
        """
