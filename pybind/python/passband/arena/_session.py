"""The process behind an iterable, with the arena and the pipe that lead to it."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any

from passband.arena import _worker
from passband.arena._errors import PeerDied
from passband.arena._failure import revive
from passband.arena._pipe import Receiver

# Seconds that a worker has to leave when it is asked to, when its own code is interrupted, and
# when the consumer was interrupted as well.
_ASKED = 0.5
_INTERRUPTED = 5.0
_HURRIED = 0.4


_UNREADY = (
    " before it was ready; its standard error may say why. A script that starts workers needs "
    'its own work under `if __name__ == "__main__":`, as each worker imports the script'
)


class Session:
    """A worker process and what it has in common with this one: all of it ends together."""

    def __init__(self, context: BaseContext, arena: Any, job: _worker.Job, *, daemon: bool) -> None:
        self.arena = arena
        self.pipe, far_end = context.Pipe(duplex=False)
        self.receive = Receiver(self.pipe)
        # A forked process has a copy of this end.
        inherited = self.pipe if context.get_start_method() == "fork" else None
        self._process: BaseProcess = context.Process(  # type: ignore[attr-defined]
            target=_worker.main, args=(arena, job, far_end, inherited), daemon=daemon
        )
        self._patience = _INTERRUPTED
        try:
            self._process.start()
        except BaseException as error:
            self._give_back()
            _blame_argument(job, error)
            raise
        finally:
            far_end.close()

    def wait_until_ready(self, timeout: float | None) -> None:
        """Waits for the worker to have made its iterable; raises what kept it from that."""
        start = time.monotonic()
        report = None
        while report is None:
            left = None if timeout is None else max(start + timeout - time.monotonic(), 0)
            ready = wait([self.pipe, self._process.sentinel], left)
            if not ready:
                raise TimeoutError(
                    f"timeout: the worker was not ready within {timeout} s, which includes its "
                    "imports"
                )
            try:
                report = self.receive() if self.pipe in ready else None
            except EOFError:
                raise self.death(_UNREADY) from None
            # What it said before it ended is read first.
            if report is None and self._process.sentinel in ready:
                raise self.death(_UNREADY)
        if report != _worker.READY:
            raise revive(report)

    def death(self, hint: str = "") -> PeerDied:
        """The error for a worker that has ended, or is about to."""
        self._process.join(_ASKED)
        pid, exitcode = self._process.pid, self._process.exitcode
        if exitcode is None:
            how = "stopped sending and did not end"
        elif exitcode < 0:
            how = f"was killed by signal {-exitcode} ({signal.strsignal(-exitcode)})"
        else:
            how = f"ended with exit status {exitcode}"
        error = PeerDied(f"the worker, process {pid}, {how}{hint}")
        error.exitcode = exitcode
        return error

    def hurry(self) -> None:
        """Lets the worker have little time to leave."""
        self._patience = _HURRIED

    def end(self) -> None:
        """Ends the worker, then the arena. What was received stays good."""
        # Whatever the worker waits for in the arena or the pipe is over.
        self.arena.shutdown_arena()
        self.pipe.close()
        process = self._process
        try:
            process.join(_ASKED)
            if process.exitcode is None:
                process.terminate()
                process.join(self._patience)
            if process.exitcode is None:
                process.kill()
                process.join()
            process.close()
        finally:
            self._give_back()

    def _give_back(self) -> None:
        self.pipe.close()
        self.arena.close()
        self.arena.unlink()


def _blame_argument(job: _worker.Job, error: BaseException) -> None:
    """Raises TypeError with the argument's name where that is what could not be pickled."""
    for name, given in (("fn", job.fn), ("initializer", job.initializers)):
        try:
            ForkingPickler.dumps(given)
        except Exception as refused:
            if type(refused) is type(error):
                expected = (
                    "what pickle can send to the worker: functions of a module, or `partial` of "
                    'them, not lambdas or functions in functions (mp_context="fork" sends nothing)'
                )
                raise TypeError(f"{name}: expected {expected}, given {given!r}") from error


@contextmanager
def interrupts_later() -> Iterator[None]:
    """Holds Ctrl-C back, also in a process that is started meanwhile.

    It would end that in the middle of an import, with a traceback.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
