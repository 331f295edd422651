"""The process behind an iterable, with the arena and the pipe that lead to it."""

from __future__ import annotations

import signal
import time
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any

from passband.arena import _worker
from passband.arena._errors import ArenaClosed, PeerDied, given
from passband.arena._failure import revive
from passband.arena._pipe import Receiver

# Seconds that a worker has to leave when it is asked to, when its own code is interrupted, and
# when the consumer was interrupted as well.
_ASKED = 0.5
_INTERRUPTED = 5.0
_HURRIED = 0.4
# Seconds that one wait for a start takes at most; the system counts no more than 24 days.
_HOUR = 3600.0
# The exit status that `multiprocessing` has for processes of a fork server that has died.
_UNKNOWN = 255

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
        process: BaseProcess = context.Process(  # type: ignore[attr-defined]
            target=_worker.main, args=(arena, job, far_end, inherited), daemon=daemon
        )
        self._process: BaseProcess | None = process
        self._patience = _INTERRUPTED
        try:
            process.start()
        except BaseException as error:
            self._give_back()
            _blame_argument(job, error)
            raise
        finally:
            far_end.close()
        self._sentinel = process.sentinel

    def wait_until_ready(self, timeout: float) -> None:
        """Waits for the worker to have made its iterable; raises what kept it from that."""
        end = time.monotonic() + timeout
        report = None
        while report is None:
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError(
                    f"timeout: the worker was not ready within {timeout:g} s, which includes its "
                    "imports"
                )
            ready = wait([self.pipe, self._sentinel], min(left, _HOUR))
            try:
                report = self.receive() if self.pipe in ready else None
            except EOFError:
                raise self.death(_UNREADY) from None
            # What it said before it ended is read first.
            if report is None and self._sentinel in ready:
                raise self.death(_UNREADY)
        if report != _worker.READY:
            raise revive(report)

    def death(self, hint: str = "") -> PeerDied | ArenaClosed:
        """The error for a worker that has ended, or is about to; or that is ended here."""
        process = self._process
        if process is not None and not self.arena.closed:
            process.join(_ASKED)
        # Another thread may have done so meanwhile.
        if process is None or self._process is None or self.arena.closed:
            return ArenaClosed("the iterable or its arena was closed in this process")
        exitcode = process.exitcode
        if exitcode is None:
            ended = _has_ended(process)
            how = "ended, and its status went to another" if ended else "sent no more, and lives"
        elif exitcode < 0:
            how = f"was killed by signal {-exitcode} ({signal.strsignal(-exitcode)})"
        else:
            how = f"ended with exit status {exitcode}"
        error = PeerDied(f"the worker, process {process.pid}, {how}{hint}")
        error.exitcode = exitcode
        return error

    def hurry(self) -> None:
        """Lets the worker have little time to leave."""
        self._patience = _HURRIED

    def end(self) -> None:
        """Ends the worker, then the arena. What was received stays good."""
        # Its descriptors go with it: another thread may wait for one of them.
        process, self._process = self._process, None
        try:
            # Whatever the worker waits for in the arena or the pipe is over.
            self.arena.shutdown_arena()
            self.pipe.close()
            if process is not None:
                process.join(_ASKED)
                if not _has_ended(process):
                    process.terminate()
                    process.join(self._patience)
        finally:
            # Also where Ctrl-C has come meanwhile.
            try:
                if process is not None:
                    _bury(process)
            finally:
                self._give_back()

    def _give_back(self) -> None:
        self.pipe.close()
        self.arena.close()
        self.arena.unlink()


def _has_ended(process: BaseProcess) -> bool:
    """Whether a process has ended, also where somebody else who waits for any has its status."""
    return process.exitcode is not None or bool(wait([process.sentinel], 0))


def _bury(process: BaseProcess) -> None:
    """Kills a process that has not ended, and has `multiprocessing` forget it."""
    if not _has_ended(process):
        process.kill()
    process.join()
    if process.exitcode is None:
        # Its status went to another. It would pass for running, and be signalled at exit, when
        # its number may be that of another process.
        process._popen.returncode = _UNKNOWN  # type: ignore[attr-defined]
        process.join()


def _blame_argument(job: _worker.Job, error: BaseException) -> None:
    """Raises TypeError with the argument's name where that is what could not be pickled."""
    for name, argument in (("fn", job.fn), ("initializer", job.initializers)):
        try:
            ForkingPickler.dumps(argument)
        except Exception as refused:
            if type(refused) is type(error):
                expected = (
                    "what pickle can send to the worker: functions of a module, or `partial` of "
                    'them, not lambdas or functions in functions (mp_context="fork" sends nothing)'
                )
                raise TypeError(f"{name}: expected {expected}, given {given(argument)}") from error
