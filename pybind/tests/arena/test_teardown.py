"""However an iterable ends: no worker, mapping, descriptor, name, or word on stderr is left."""

import os
import signal
import time
from pathlib import Path

import pytest
from harness import run, started, write
from traces import abandoned, children, descriptors, eventually, is_running, mappings

MAKE = """
def make(fn=Endless, **options):
    pool = arena.SharedMemorySegmentPool(1 << 16, 3)
    return arena.iterate_in_subprocess(fn, arena=pool, **{"mp_context": "fork", **options})
"""

# Each leaves an iterable in its own way, in a function or beside it.
ENDS = {
    "exhausted": """
        for item in make(partial(Filled, 10)):
            pass
        del item
    """,
    "left by break": """
        for item in make():
            break
        del item
    """,
    "left by an exception": """
        try:
            for item in make():
                raise ValueError(item[0])
        except ValueError:
            pass
        del item
    """,
    "never iterated": """
        items = make()
        del items
    """,
    "closed": """
        items = make()
        it = iter(items)
        item = next(it)
        items.close()
        items.close()
        del item
        assert_no_trace()
    """,
    "left by with": """
        with make() as items:
            item = next(iter(items))
        del item
        assert_no_trace()
    """,
    "in a cycle": """
        gc.disable()
        items = make()
        item = next(iter(items))
        cycle = [items]
        cycle.append(cycle)
        del items, cycle, item
        assert mappings() and len(children()) == 1
        gc.collect()
    """,
    "collected at any time": """
        gc.set_threshold(1)
        for _ in range(5):
            items = make()
            it = iter(items)
            held = [next(it), next(it)]
            cycle = [items, held, it]
            cycle.append(cycle)
            del items, it, held, cycle
            [[] for _ in range(100)]
        gc.collect()
    """,
    "an error in the worker": """
        def failing():
            yield from Filled(2)
            raise ValueError("here")
        items = make(failing)
        try:
            list(items)
        except ValueError as error:
            kept = error
        assert_no_trace()
        del items
    """,
    "a worker that is killed": """
        items = make()
        it = iter(items)
        next(it)
        os.kill(children()[0], signal.SIGKILL)
        try:
            while True:
                next(it)
        except arena.PeerDied:
            pass
        assert_no_trace()
        del items, it
    """,
    "a worker asleep in its own code": """
        def asleep():
            yield 1
            time.sleep(1000)
        with make(asleep) as items:
            next(iter(items))
    """,
    "a worker that looks away": """
        def deaf():
            yield 1
            while True:
                try:
                    time.sleep(1000)
                except BaseException:
                    pass
        items = make(deaf)
        next(iter(items))
        items._session.hurry()
        items.close()
    """,
    "a worker that fills the pipe": """
        class Texts:
            def __iter__(self):
                return iter(["x" * 10_000_000] * 100)
        items = make(Texts)
        next(iter(items))
        time.sleep(0.05)
        items.close()
    """,
    "a start that fails": """
        def fail():
            raise ValueError("no")
        try:
            make(fail)
        except ValueError:
            pass
    """,
    "a start that cannot be pickled": """
        try:
            make(lambda: 1, mp_context="spawn")
        except Exception as error:
            assert "pickle" in str(error), error
        else:
            raise AssertionError
    """,
    "in a thread": """
        def work():
            for item in make():
                break
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    """,
    "in a forked child that has a copy": """
        items = make()
        it = iter(items)
        next(it)
        child = os.fork()
        if child == 0:
            items.close()
            del items, it
            gc.collect()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert next(it)[0] == 1
        items.close()
        del items, it
    """,
}


@pytest.mark.parametrize("end", ENDS)
def test_nothing_is_left(end: str, tmp_path: Path) -> None:
    run(tmp_path, ENDS[end] + "\n        assert_no_trace()\n        print('clean')", MAKE)


EXITS = {
    "with an iterable": (0, "items = make(); it = iter(items); next(it)"),
    "in a loop": (3, "\nfor item in make():\n    sys.exit(3)"),
    "with views": (0, "held = [item for _, item in zip(range(2), make())]"),
    "with views in a cycle": (
        0,
        "items = make(); it = iter(items); held = [items, it, next(it)]; held.append(held)",
    ),
    "with a view in a module": (0, "sys.kept = next(iter(make(partial(Filled, 1))))"),
    "with a closed iterable": (0, "items = make(); held = next(iter(items)); items.close()"),
    "with an arena": (
        0,
        "pool = arena.SharedMemorySegmentPool(1 << 12, 2); writer = pool.open_writer()",
    ),
}


@pytest.mark.parametrize("context", ["fork", "spawn"])
@pytest.mark.parametrize("exit_", EXITS)
def test_the_interpreter_exits_in_silence(exit_: str, context: str, tmp_path: Path) -> None:
    status, main = EXITS[exit_]
    make = MAKE.replace('"mp_context": "fork"', f'"mp_context": "{context}"')
    output = run(tmp_path, "print(os.getpid(), flush=True)\n" + main.lstrip(), make, status=status)
    assert not is_running(int(output))


INTERRUPTED = """
class Slow:
    def __iter__(self):
        while True:
            {worker}
            yield np.zeros(3000)
"""

CONSUMER = """
    items = make(Slow)
    print(os.getpid(), *children(), flush=True)
    for item in items:
        {consumer}
"""

PLACES = {
    "both wait": ("pass", "time.sleep(1000)"),
    "the consumer waits": ("time.sleep(1000)", "pass"),
    "neither waits": ("sum(range(1000))", "sum(range(1000))"),
}


@pytest.mark.parametrize("whom", ["consumer", "worker", "both"])
@pytest.mark.parametrize("place", PLACES)
def test_ctrl_c_ends_both_and_the_worker_is_silent(place: str, whom: str, tmp_path: Path) -> None:
    if (place, whom) == ("both wait", "worker"):
        place = "the consumer waits"
    worker, consumer = PLACES[place]
    functions = MAKE + INTERRUPTED.format(worker=worker)
    script = write(tmp_path, functions, CONSUMER.format(consumer=consumer))
    with started(script) as process:
        assert process.stdout
        pids = [int(pid) for pid in process.stdout.readline().split()]
        assert len(pids) == 2
        time.sleep(0.2)
        if whom == "both":
            os.killpg(process.pid, signal.SIGINT)
        else:
            os.kill(pids[whom == "worker"], signal.SIGINT)
        start = time.monotonic()
        assert eventually(lambda: not any(map(is_running, pids)))
        took = time.monotonic() - start
        _, stderr = process.communicate()
    # A limit of the design, and not a measurement: it takes far less on an idle machine.
    assert took < 2.0
    assert "_worker.py" not in stderr, stderr
    last = stderr.splitlines()[-1]
    if whom == "worker":
        assert "PeerDied: the worker" in last
        assert "ended with exit status 130" in last
    else:
        assert last == "KeyboardInterrupt"


def test_ctrl_c_during_the_start_ends_both_without_a_word_of_the_worker(tmp_path: Path) -> None:
    main = """
        print(os.getpid(), flush=True)
        arena.iterate_in_subprocess(list, initializer=partial(time.sleep, 1000))
    """
    for delay in (0.02, 0.1, 0.3):
        with started(write(tmp_path, "", main)) as process:
            assert process.stdout
            process.stdout.readline()
            time.sleep(delay)
            os.killpg(process.pid, signal.SIGINT)
            _, stderr = process.communicate(timeout=30)
        assert "_worker.py" not in stderr, stderr
        assert stderr.splitlines()[-1] == "KeyboardInterrupt"


@pytest.mark.parametrize("context", ["fork", "spawn"])
@pytest.mark.parametrize("place", ["pass", "time.sleep(0.05)"])
def test_a_worker_does_not_outlive_a_consumer_that_is_killed(
    place: str, context: str, tmp_path: Path
) -> None:
    before = abandoned()
    make = MAKE.replace('"mp_context": "fork"', f'"mp_context": "{context}"')
    functions = make + INTERRUPTED.format(worker=place)
    script = write(tmp_path, functions, CONSUMER.format(consumer="time.sleep(1000)"))
    with started(script) as process:
        assert process.stdout
        consumer, worker = map(int, process.stdout.readline().split())
        assert mappings(consumer)
        assert descriptors(consumer)
        assert mappings(worker)
        os.kill(consumer, signal.SIGKILL)
        start = time.monotonic()
        assert eventually(lambda: not is_running(worker))
        assert time.monotonic() - start < 1.0
        _, stderr = process.communicate()
    assert stderr == ""
    assert eventually(lambda: not abandoned() - before)
    assert children() == []
