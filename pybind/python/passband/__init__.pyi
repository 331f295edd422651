from collections.abc import Sequence
from typing import Any, final

from numpy.typing import ArrayLike, NDArray

from passband import convert as convert
from passband import delay as delay
from passband import demod as demod
from passband import detect as detect
from passband import filter as filter
from passband import fixed as fixed
from passband import level as level
from passband import math as math
from passband import resample as resample
from passband import shape as shape
from passband import source as source
from passband import spectrum as spectrum
from passband import sync as sync
from passband import transform as transform
from passband.convert import *
from passband.delay import *
from passband.demod import *
from passband.detect import *
from passband.filter import *
from passband.level import *
from passband.resample import *
from passband.shape import Progress as Progress
from passband.source import *
from passband.spectrum import *
from passband.sync import *
from passband.transform import *

__version__: str

@final
class Chain:
    """Kernels in a row: each takes what the one before it gives.

    * `stages`: 1 to 64 Blockwise or VariableLength kernels of one stream, each object once, the
      input type of each being the output type of the one before it. Those with something to
      `flush` at the end, and those with `channels`, cannot be stages.

    The result is that of the stages called one after the other, bit for bit, in memory that does
    not grow with the input. The stages stay what they are: they can be retuned, reset, saved and
    called between calls of the chain. A call takes all of them, so that a stage called from
    another thread meanwhile raises RuntimeError.

    Raises TypeError for stages that do not fit, ValueError for none, for more than
    64, or for one that comes twice.

    >>> mixer = passband.Mixer(0.25)
    >>> receiver = passband.Chain([mixer, passband.FmDemod(gain=2 / np.pi)])
    >>> receiver.execute(np.ones(3, np.complex64)).round(6)
    array([0., 1., 1.], dtype=float32)
    """

    def __new__(
        cls, stages: Sequence[shape.Blockwise[Any] | shape.VariableLength[Any]]
    ) -> Chain: ...
    def execute(self, x: ArrayLike, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Feeds all of `x`, shape (n,), and gives the outputs of it, `max_out(n)` of them.

        Raises as `passband.shape.Blockwise.steps` does. Allocates the result, unless `out` is
        given, and nothing else of its length.

        >>> passband.Chain([passband.FirDecimator([1.0], 2)]).execute([1.0, 2.0, 3.0])
        array([1., 3.])
        """

    def execute_into(self, x: ArrayLike, out: NDArray[Any]) -> Progress:
        """Feeds inputs until the next output has no room in `out`, of whatever length.

        The inputs that it did not consume have to be offered again. Raises as
        `passband.shape.Blockwise.steps` does.

        >>> chain = passband.Chain([passband.FirDecimator([1.0], 2)])
        >>> chain.execute_into([1.0, 2.0, 3.0], np.empty(1))
        Progress(consumed=2, produced=1)
        """

    @property
    def stages(self) -> tuple[shape.Blockwise[Any] | shape.VariableLength[Any], ...]:
        """The stages, the first of them first.

        >>> passband.Chain([passband.Fir([1.0]), passband.FirDecimator([1.0], 2)]).stages
        (<Fir of 1 tap, float64 to float64>, <FirDecimator of 1 tap, float64 to float64>)
        """

    def reset(self) -> None:
        """Resets all stages.

        Raises RuntimeError while another call of one of them runs, and then resets none.

        >>> chain = passband.Chain([passband.Fir([0.5, 0.5])])
        >>> chain.execute([1.0, 3.0])
        array([0.5, 2. ])
        >>> chain.reset()
        >>> chain.execute([1.0, 3.0])
        array([0.5, 2. ])
        """

    def max_out(self, n: int) -> int:
        """Gives the number of outputs that the next `n` inputs lead to.

        Raises ValueError for a negative `n`, OverflowError for one beyond the address space.

        >>> passband.Chain([passband.FirDecimator([1.0], 2)]).max_out(5)
        3
        """

def simd_level() -> str:
    """Names the SIMD level that kernels run at: 'scalar', 'baseline', 'avx2' or 'avx512'.

    It is the widest of this CPU, or the one that the environment variable PASSBAND_SIMD asked
    for before the import; a level that the CPU lacks makes the import raise ValueError.

    >>> passband.simd_level() in ("scalar", "baseline", "avx2", "avx512")
    True
    """
