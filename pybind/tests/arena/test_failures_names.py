"""Failures 20 to 27: names, trackers, leaks, closing, and leaving."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import passband.arena as arena
import pytest
from harness import environment, run, write
from traces import abandoned, mappings, names


def sweep() -> str:
    """What `python -m passband.arena sweep` prints."""
    command = [sys.executable, "-m", "passband.arena", "sweep"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stderr == ""
    return result.stdout


def test_failure_20_a_process_that_leaves_takes_no_name_with_it(tmp_path: Path) -> None:
    main = """
        pool = arena.SharedMemorySegmentPool.attach(sys.stdin.read())
        pool.open_writer().put(np.arange(5000))
        print("sent", flush=True)
    """
    script = write(tmp_path, "", main)
    with arena.SharedMemorySegmentPool(1 << 16, 2, named=True) as pool:
        assert pool.name is not None
        reader = pool.open_reader()
        # A process that no tracker knows, and one that has a tracker of its own.
        for interpreter in ([sys.executable], [sys.executable, "-X", "dev"]):
            result = subprocess.run(
                [*interpreter, script],
                input=pool.name,
                capture_output=True,
                text=True,
                env=environment(),
                check=False,
            )
            if interpreter == [sys.executable]:
                assert (result.returncode, result.stdout, result.stderr) == (0, "sent\n", "")
                assert (reader.get() == np.arange(5000)).all()
        assert pool.name in names()
        arena.SharedMemorySegmentPool.attach(pool.name)
    assert pool.name is None


def test_failure_20_no_tracker_knows_of_an_arena(tmp_path: Path) -> None:
    main = """
        from multiprocessing import resource_tracker
        seen = []
        resource_tracker.register = lambda *what: seen.append(what)
        for named in (False, True):
            pool = arena.SharedMemorySegmentPool(1 << 16, 2, named=named)
            with arena.iterate_in_subprocess(partial(Filled, 2), arena=pool) as items:
                list(items)
        assert seen == [], seen
    """
    run(tmp_path, main)


@pytest.mark.parametrize("named", [False, True])
def test_failure_21_a_killed_owner_leaves_no_name_that_a_sweep_does_not_find(
    named: bool, tmp_path: Path
) -> None:
    before = abandoned()
    main = f"""
        pool = arena.SharedMemorySegmentPool(1 << 16, 2, named={named})
        print(pool.name, flush=True)
        time.sleep(1000)
    """
    script = write(tmp_path, "", main)
    command = [sys.executable, script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment()) as owner:
        assert owner.stdout
        name = owner.stdout.readline().strip()
        assert mappings(owner.pid)
        # While it lives, it keeps its name.
        assert name not in sweep()
        owner.kill()
    if named:
        attached = arena.SharedMemorySegmentPool.attach(name)
        assert name not in sweep()
        attached.close()
        assert name not in names() or name not in sweep()
        del attached
        assert name in sweep()
    else:
        assert name == "None"
    assert name not in names()
    assert not abandoned() - before


def test_failure_22_names_are_fresh_and_nothing_that_exists_is_adopted() -> None:
    made = [arena.SharedMemorySegmentPool(1 << 12, 1, named=True) for _ in range(5)]
    found = [pool.name for pool in made]
    assert len(set(found)) == 5
    assert all(re.fullmatch("passband-[0-9a-f]{32}", str(name)) for name in found)
    for pool in made:
        pool.close()
        pool.unlink()
    # The next arena has another name; a stale one leads nowhere.
    with arena.SharedMemorySegmentPool(1 << 12, 1, named=True) as pool:
        assert pool.name not in found
        for name in found:
            with pytest.raises(FileNotFoundError, match="no arena of this name"):
                arena.SharedMemorySegmentPool.attach(str(name))
    for odd in ("", "passband-", "passband-../../etc/passwd", "/passband-x", "other"):
        with pytest.raises(FileNotFoundError, match="no arena of this name"):
            arena.SharedMemorySegmentPool.attach(odd)


def test_failure_23_views_stay_readable_after_close_and_the_last_one_unmaps(tmp_path: Path) -> None:
    main = """
        for order in ("close", "unlink"), ("unlink", "close"), ("close", "close"), ("unlink",), ():
            pool = arena.SharedMemorySegmentPool(1 << 16, 2)
            writer, reader = pool.open_writer(), pool.open_reader()
            writer.put(np.full(5000, 7, np.uint8))
            view = reader.get()[5:]
            for step in order:
                getattr(pool, step)()
            assert (view == 7).all()
            view[:] = 8
            del pool, writer, reader
            assert descriptors() == [], order
            assert mappings() and (view == 8).all(), order
            del view
            assert_no_trace()
    """
    run(tmp_path, main)


def test_failure_24_closing_is_idempotent_and_nothing_is_reopened(tmp_path: Path) -> None:
    functions = """
def close_all(pool):
    for _ in range(2):
        pool.close()
        pool.unlink()

def refused(call):
    try:
        call()
    except arena.ArenaClosed:
        return
    raise AssertionError(call)
"""
    main = """
        import multiprocessing
        for make, *sizes in ((arena.SharedMemorySegmentPool, 1 << 16, 2),
                             (arena.SharedMemoryRingBuffer, 1 << 16)):
            pool = make(*sizes)
            writer, reader = pool.open_writer(), pool.open_reader()
            writer.put(np.arange(2000))
            # A child that inherited it closes it for itself.
            child = multiprocessing.get_context("fork").Process(target=pool.close)
            child.start()
            child.join()
            assert child.exitcode == 0 and not pool.closed
            assert (reader.get() == np.arange(2000)).all()
            close_all(pool)
            for use in (lambda: writer.put(1), reader.get, pool.open_reader, pool.open_writer,
                        lambda: pool.published, pool.descriptor, reader.request_pass):
                refused(use)
            assert pool.closed and "closed" in repr(pool)
            pool.shutdown_arena()
            pool = make(*sizes)
            pool.unlink()
            writer, reader = pool.open_writer(), pool.open_reader()
            writer.put(np.arange(2000))
            assert reader.get().sum() == 1999000
            refused(pool.descriptor)
            close_all(pool)
        del pool, writer, reader
        assert_no_trace()
    """
    run(tmp_path, main, functions)


def test_failure_25_an_interpreter_that_exits_with_live_views_is_silent(tmp_path: Path) -> None:
    main = """
        pool = arena.SharedMemorySegmentPool(1 << 16, 2)
        writer, reader = pool.open_writer(), pool.open_reader()
        placed = writer.empty(2000)
        writer.put({"x": placed, "y": bytes(5000)})
        KEEP = [reader.get(), placed, memoryview(placed)]
        KEEP.append(KEEP)
        sys.modules["kept"] = KEEP
        pool = arena.SharedMemorySegmentPool(1 << 16, 4)
        items = arena.iterate_in_subprocess(Endless, arena=pool)
        MORE = [item for _, item in zip(range(3), items)]
    """
    run(tmp_path, main)


def test_failure_26_an_iterable_that_is_dropped_half_way_ends_soon(tmp_path: Path) -> None:
    main = """
        def make():
            pool = arena.SharedMemorySegmentPool(1 << 16, 2)
            return arena.iterate_in_subprocess(Endless, arena=pool, mp_context="fork")

        start = time.monotonic()
        for _ in range(3):
            next(iter(make()))
            assert_no_trace()
            held = next(iter(make()))
            assert children() == []
            del held
            try:
                for item in make():
                    raise ValueError
            except ValueError:
                pass
            del item
            assert_no_trace()
        # A worker that waits for room leaves at once: 9 of them, in less time than one is given.
        assert time.monotonic() - start < 4.5
    """
    run(tmp_path, main)


def test_failure_27_a_constructor_that_fails_leaves_nothing(tmp_path: Path) -> None:
    main = """
        import resource
        pool, ring = arena.SharedMemorySegmentPool, arena.SharedMemoryRingBuffer
        wrong = [
            (TypeError, lambda **o: pool(segment_size=1.5, count=1, **o)),
            (TypeError, lambda **o: pool("1", 1, **o)),
            (ValueError, lambda **o: pool(0, 1, **o)),
            (ValueError, lambda **o: pool(-1, 1, **o)),
            (ValueError, lambda **o: pool(1, 0, **o)),
            (ValueError, lambda **o: ring(0, **o)),
            (ValueError, lambda **o: pool(1, 1, acquire_timeout=-1, **o)),
            (ValueError, lambda **o: pool(1, 1, acquire_timeout=float("nan"), **o)),
            (arena.ArenaMemoryError, lambda **o: pool(2**63 - 1, 1, **o)),
            (arena.ArenaMemoryError, lambda **o: pool(2**40, 2**30, **o)),
            (arena.ArenaMemoryError, lambda **o: ring(2**62, **o)),
        ]
        before = len(os.listdir("/proc/self/fd"))
        for named in (False, True):
            for kind, make in wrong:
                try:
                    make(named=named)
                except kind as error:
                    assert str(error)
                else:
                    raise AssertionError(kind)
            limits = resource.getrlimit(resource.RLIMIT_NOFILE)
            # The listing itself had one open.
            resource.setrlimit(resource.RLIMIT_NOFILE, (before - 1, limits[1]))
            try:
                pool(1 << 12, 1, named=named)
                raise AssertionError
            except OSError as error:
                assert error.errno == 24, error
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        assert len(os.listdir("/proc/self/fd")) == before
        assert_no_trace()
    """
    run(tmp_path, main)


def test_the_command_line_tells_what_it_can_do() -> None:
    command = [sys.executable, "-m", "passband.arena"]
    result = subprocess.run([*command, "--help"], capture_output=True, text=True, check=True)
    assert "sweep" in result.stdout
    assert "killed" in result.stdout
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "sweep" in result.stderr
