"""Failures 10 to 12 and 14 to 19: passes, back-pressure, tickets, deaths, and who may do what."""

from pathlib import Path

import pytest
from harness import run

ITERATE = """
def iterate(fn, count=3, **options):
    pool = arena.SharedMemorySegmentPool(1 << 16, count, **options)
    return arena.iterate_in_subprocess(fn, arena=pool, mp_context="fork")

def raises(kind, call, *words):
    try:
        call()
    except kind as error:
        assert all(word in str(error) for word in words), error
        return error
    raise AssertionError(f"{kind.__name__} was expected")
"""


def test_failure_10_a_view_survives_the_boundary_of_a_pass(tmp_path: Path) -> None:
    main = """
        import warnings
        warnings.simplefilter("ignore")
        for count in (10, 40):
            items = iterate(partial(Filled, 7), count, acquire_timeout=0.2)
            kept = [next(iter(items))]
            kept.append(next(iter(items)))
            passed = 0
            try:
                while True:
                    for item in items:
                        del item
                        passed += 1
                        if passed % 5 == 0:
                            break
            except arena.ArenaFull as error:
                assert "unit 0 " in str(error), error
            # Units that were sent for a pass that had ended count, too.
            assert passed < count
            assert all((view == 0).all() for view in kept)
            kept.clear()
            assert sum(1 for item in items) == 7
    """
    run(tmp_path, main, ITERATE)


def test_failure_11_one_old_view_lets_count_minus_1_units_pass_and_is_named(tmp_path: Path) -> None:
    main = """
        import warnings
        warnings.simplefilter("ignore")
        for count in (2, 3, 5):
            items = iter(iterate(Endless, count, acquire_timeout=0.1))
            first = next(items)
            passed = 0
            try:
                for item in items:
                    del item
                    passed += 1
            except arena.ArenaFull as error:
                assert "unit 0 for 0." in str(error), error
            assert passed == count - 1
            assert (first == 0).all()
            kept = first.copy()
            del first
            assert next(items)[0] == count
            assert (kept == 0).all()
    """
    run(tmp_path, main, ITERATE)


def test_failure_12_a_consumer_that_collects_everything_is_told(tmp_path: Path) -> None:
    main = """
        import warnings
        items = iter(iterate(partial(Filled, 5), 2, acquire_timeout=60.0))
        start, collected = time.monotonic(), []
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                for item in items:
                    collected.append(item)
            except arena.HeldUnitsWarning as warning:
                assert "units held: 2" in str(warning), warning
        assert len(collected) == 2 and time.monotonic() - start < 10
        del item
        collected.clear()
        assert [int(item[0]) for item in items] == [2, 3, 4]
    """
    run(tmp_path, main, ITERATE)


def test_failure_14_a_wrong_ticket_is_an_error_and_changes_nothing(tmp_path: Path) -> None:
    main = """
        pools = [arena.SharedMemorySegmentPool(1 << 12, 3) for _ in range(2)]
        (writer, reader), (other_writer, _) = [(p.open_writer(), p.open_reader()) for p in pools]
        tickets = []
        for letter in (b"a", b"b"):
            unit = writer.begin_unit()
            place = unit.write(letter * 100)
            tickets.append(unit.commit())
        unit = other_writer.begin_unit()
        unit.write(b"c" * 100)
        foreign = unit.commit()
        assert bytes(reader.read_binary(*place)) == b"a" * 100
        for wrong in (tickets[1], foreign):
            raises(arena.TicketError, lambda: reader.end_unit(wrong), "unit 0", "unit")
        reader.end_unit(tickets[0])
        raises(arena.TicketError, lambda: reader.end_unit(tickets[0]))
        assert bytes(reader.read_binary(*place)) == b"b" * 100
        reader.end_unit(tickets[1])
        assert reader.delivered == 2 and reader.held() == []
    """
    run(tmp_path, main, ITERATE)


def test_failure_15_a_writer_that_dies_in_a_unit_shows_nothing_of_it(tmp_path: Path) -> None:
    functions = (
        ITERATE
        + """
def half(pool):
    writer = pool.open_writer()
    writer.put(np.full(3000, 1, np.uint8))
    unit = writer.begin_unit()
    unit.write(b"half of it")
    os.kill(os.getpid(), signal.SIGKILL)
"""
    )
    main = """
        import multiprocessing
        pool = arena.SharedMemorySegmentPool(1 << 16, 2)
        reader = pool.open_reader()
        child = multiprocessing.get_context("fork").Process(target=half, args=(pool,))
        child.start()
        assert (reader.get() == 1).all()
        start = time.monotonic()
        raises(arena.PeerDied, reader.get, "writer", str(child.pid))
        assert time.monotonic() - start < 1.0
        child.join()
        # Another writer takes the place, and finds all segments free.
        writer = pool.open_writer()
        for number in range(5):
            writer.put(np.full(3000, number, np.uint8))
            assert (reader.get() == number).all()
    """
    run(tmp_path, main, functions)


def test_failure_16_a_reader_that_dies_is_noticed_and_one_that_sleeps_is_waited_for(
    tmp_path: Path,
) -> None:
    functions = (
        ITERATE
        + """
def read(pool, told):
    reader = pool.open_reader()
    held = [reader.get(), reader.get()]
    os.write(told, b"held")
    time.sleep(1000)
"""
    )
    main = """
        import multiprocessing
        pool = arena.SharedMemorySegmentPool(1 << 16, 2, acquire_timeout=None)
        writer = pool.open_writer()
        hear, tell = os.pipe()
        child = multiprocessing.get_context("fork").Process(target=read, args=(pool, tell))
        child.start()
        for number in range(2):
            writer.put(np.full(3000, number, np.uint8))
        assert os.read(hear, 4) == b"held"
        put = lambda: writer.put(b"x" * 5000)
        blocked = threading.Thread(target=raises, args=(arena.PeerDied, put, "reader"))
        blocked.start()
        os.kill(child.pid, signal.SIGSTOP)
        blocked.join(0.5)
        assert blocked.is_alive()
        os.kill(child.pid, signal.SIGKILL)
        start = time.monotonic()
        blocked.join(10)
        assert time.monotonic() - start < 1.0
        child.join()
        reader = pool.open_reader()
        writer.put(np.full(3000, 9, np.uint8))
        assert (reader.get() == 9).all()
    """
    run(tmp_path, main, functions)


def test_failure_17_a_killed_process_keeps_no_release_waiting(tmp_path: Path) -> None:
    main = """
        for _ in range(5):
            items = iter(iterate(Endless))
            held = [next(items), next(items)]
            (worker,) = children()
            # Wherever it is, in a wait or in the middle of a unit.
            os.kill(worker, signal.SIGKILL)
            start = time.monotonic()
            del held
            assert time.monotonic() - start < 1.0
            raises(arena.PeerDied, lambda: [item for item in items][:0], "signal 9")
        assert_no_trace()
    """
    run(tmp_path, main, ITERATE)


def test_failure_18_what_is_no_finished_arena_cannot_be_attached(tmp_path: Path) -> None:
    main = """
        path = "/dev/shm/passband-" + "0123456789abcdef" * 2
        attach = lambda: arena.SharedMemorySegmentPool.attach(path[9:])
        raises(OSError, attach, "no arena of this name")
        for content in (b"", b"x" * 100, bytes(1 << 20), b"passband" + bytes(1 << 20)):
            with open(path, "wb") as file:
                file.write(content)
            try:
                raises(arena.EndpointError, attach)
            finally:
                os.unlink(path)
        assert_no_trace()
        with arena.SharedMemorySegmentPool(1 << 12, 2, named=True) as pool:
            attach = lambda: arena.SharedMemoryRingBuffer.attach(pool.name)
            raises(arena.EndpointError, attach, "a SharedMemorySegmentPool: attach it as one")
            for cls in (arena.SharedMemorySegmentPool, arena.Arena):
                attached = cls.attach(pool.name)
                assert type(attached) is arena.SharedMemorySegmentPool
                assert attached.id == pool.id
    """
    run(tmp_path, main, ITERATE)


def test_failure_18_a_child_in_another_pid_namespace_has_no_part(tmp_path: Path) -> None:
    main = """
        import ctypes
        NEW_PIDS = 0x20000000
        pool = arena.SharedMemorySegmentPool(1 << 16, 2)
        if ctypes.CDLL(None).unshare(NEW_PIDS):
            print("not permitted")
            sys.exit()
        child = os.fork()
        if not child:
            assert os.getpid() == 1
            raises(arena.EndpointError, pool.open_writer, "another pid namespace")
            raises(arena.EndpointError, pool.open_reader, "another pid namespace")
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        # This process itself is where it was.
        writer, reader = pool.open_writer(), pool.open_reader()
        writer.put(np.ones(3))
        assert reader.get().sum() == 3
    """
    if run(tmp_path, main, ITERATE) == "not permitted\n":
        pytest.skip("needs the right to make a pid namespace")


def test_failure_19_a_wrong_use_of_an_endpoint_is_refused_at_once(tmp_path: Path) -> None:
    functions = (
        ITERATE
        + """
def swapped(pool):
    raises(arena.EndpointError, pool.open_writer, "writer")
    raises(arena.EndpointError, pool.open_reader, "reader")
"""
    )
    main = """
        import multiprocessing
        pool = arena.SharedMemorySegmentPool(1 << 16, 2)
        writer, reader = pool.open_writer(), pool.open_reader()
        me = f"process {os.getpid()} is the"
        raises(arena.EndpointError, pool.open_writer, me, "one writer only")
        raises(arena.EndpointError, pool.open_reader, me, "one reader only")
        child = multiprocessing.get_context("fork").Process(target=swapped, args=(pool,))
        child.start()
        child.join()
        assert child.exitcode == 0
        writer.put(np.ones(3))
        assert reader.get().sum() == 3
        raises(arena.EndpointError, lambda: arena.iterate_in_subprocess(list, arena=pool), "reader")
        assert not pool.closed
        del writer
        raises(arena.ArenaClosed, pool.open_writer)

        pool = arena.SharedMemorySegmentPool(1 << 16, 2)
        make = partial(arena.iterate_in_subprocess, mp_context="fork")
        again = partial(make, partial(Filled, 3), arena=pool)
        items = again()
        raises(arena.EndpointError, again, me)
        raises(arena.EndpointError, pool.open_writer, "writer")
        assert [int(item[0]) for item in items] == [0, 1, 2]
        items.close()
        raises(arena.ArenaClosed, again)
    """
    run(tmp_path, main, functions)
