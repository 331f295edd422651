"""What else goes on in the consumer's process: other threads, Ctrl-C, and waits for children."""

import threading
from collections.abc import Iterator
from pathlib import Path

import passband.arena as arena
import pytest
from harness import run
from traces import children
from workers import iterate, make_pool

MAKE = """
def make(fn, **options):
    pool = arena.SharedMemorySegmentPool(1 << 16, 3)
    return arena.iterate_in_subprocess(fn, arena=pool, **options)

def failing():
    yield 1
    raise ValueError("mine")

def dying():
    yield 1
    os._exit(7)

def deaf():
    yield 1
    while True:
        try:
            time.sleep(1000)
        except BaseException:
            pass

def reap():
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            time.sleep(0.002)

class Interrupting:
    def __reduce__(self):
        # The thread has it, as this one blocks it.
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)
        print("pickled")
        return partial, (list,)

    def __call__(self):
        pass
"""

REAPERS = {
    "the system": "signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
    "a thread": "threading.Thread(target=reap, daemon=True).start()",
}


@pytest.mark.parametrize("context", ["fork", "spawn"])
@pytest.mark.parametrize("reaper", REAPERS)
def test_an_error_arrives_where_another_takes_the_status(
    reaper: str, context: str, tmp_path: Path
) -> None:
    main = f"""
        import multiprocessing
        {REAPERS[reaper]}
        signalled = []
        os.kill = lambda *arguments: signalled.append(arguments)
        for fn, kind in ((failing, ValueError), (dying, arena.PeerDied)):
            try:
                list(make(fn, mp_context={context!r}))
            except kind as error:
                print(error)
        assert_no_trace()
        # Its number may be that of another process by now.
        assert not signalled
        assert not multiprocessing.active_children()
    """
    said = run(tmp_path, main, MAKE).splitlines()
    assert said[0] == "mine"
    assert said[1].startswith("the worker, process ")
    # The thread may be late.
    assert said[1].endswith(("ended, and its status went to another", "exit status 7"))


def test_a_close_that_ctrl_c_interrupts_leaves_no_worker(tmp_path: Path) -> None:
    main = """
        items = make(deaf)
        next(iter(items))
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            items.close()
        except KeyboardInterrupt:
            print("interrupted")
        assert_no_trace()
        items.close()
    """
    assert run(tmp_path, main, MAKE) == "interrupted\n"


def test_ctrl_c_waits_for_the_start_where_another_thread_has_it(tmp_path: Path) -> None:
    main = """
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
        try:
            make(Interrupting())
        except KeyboardInterrupt:
            print("interrupted")
        assert_no_trace()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    """
    assert run(tmp_path, main, MAKE) == "pickled\ninterrupted\n"


def test_a_handler_of_ctrl_c_stays_and_a_forked_worker_has_it(tmp_path: Path) -> None:
    functions = """
        def handle(number, frame):
            print("handled", flush=True)

        def handled():
            os.kill(os.getpid(), signal.SIGINT)
            yield signal.getsignal(signal.SIGINT) is handle
    """
    main = """
        signal.signal(signal.SIGINT, handle)
        print(list(arena.iterate_in_subprocess(handled, mp_context="fork")))
        print(signal.getsignal(signal.SIGINT) is handle)
    """
    assert run(tmp_path, main, functions) == "handled\n[True]\nTrue\n"


def test_a_close_by_another_thread_is_no_death() -> None:
    def silent() -> Iterator[int]:
        yield 1
        threading.Event().wait()

    for _ in range(5):
        items = iterate(silent, arena=make_pool())
        it = iter(items)
        next(it)
        closer = threading.Timer(0.1, items.close)
        closer.start()
        with pytest.raises(arena.ArenaClosed):
            next(it)
        closer.join()
        with pytest.raises(arena.ArenaClosed):
            next(it)
    assert children() == []
