"""Failures 2 to 9: bytes that somebody still sees are neither overwritten nor unmapped."""

from pathlib import Path

from harness import run

PAIR = """
import ctypes

def pair(count=2, acquire_timeout=0.0, **options):
    pool = arena.SharedMemorySegmentPool(1 << 16, count, acquire_timeout=acquire_timeout, **options)
    return pool, pool.open_writer(), pool.open_reader()

ITEM = {"a": np.full(1200, 0xAAAAAAAA, np.uint32), "m": b"\\xaa" * 5000}
OTHER = {"a": np.full(1200, 0x11111111, np.uint32), "m": b"\\x11" * 5000}

def push(writer, reader, n):
    "Sends up to n more units, each dropped at once; how many went through."
    for sent in range(n):
        try:
            writer.put(OTHER)
        except arena.ArenaFull:
            return sent
        reader.get()
    return n
"""


def test_failure_02_a_view_owns_its_unit_when_everything_native_is_gone(tmp_path: Path) -> None:
    main = """
        pool, writer, reader = pair()
        unit = writer.begin_unit()
        offset, nbytes = unit.write(b"\\xaa" * 3000)
        ticket = unit.commit()
        view = reader.read_binary(offset, nbytes)
        reader.end_unit(ticket)
        assert push(writer, reader, 12) == 1
        del unit, ticket, writer, reader
        pool.close()
        pool.unlink()
        del pool
        gc.collect()
        assert view.tobytes() == b"\\xaa" * 3000 and len(mappings()) == 2, mappings()
        del view
        assert_no_trace()
    """
    run(tmp_path, main, PAIR)


def test_failure_03_the_first_consumer_of_a_chain_may_let_go(tmp_path: Path) -> None:
    main = """
        pool, writer, reader = pair()
        writer.put(ITEM)
        export = reader.get()["m"].obj
        view = memoryview(export)
        array = np.asarray(view[:])
        view.release()
        del view, export
        assert push(writer, reader, 5) == 1
        assert (array == 0xAA).all()
        del array
        assert push(writer, reader, 5) == 5
    """
    run(tmp_path, main, PAIR)


def test_failure_04_a_consumer_that_gives_its_buffer_back_keeps_the_owner_of_the_bytes(
    tmp_path: Path,
) -> None:
    main = """
        pool, writer, reader = pair()
        writer.put(ITEM)
        view = reader.get()["m"]
        owner = view.obj
        # As torch.frombuffer does: the address of a buffer that is given back at once.
        buffer = (ctypes.c_ssize_t * 16)()
        get = ctypes.pythonapi.PyObject_GetBuffer
        assert get(ctypes.py_object(owner), ctypes.byref(buffer), 0) == 0
        address, nbytes = buffer[0], buffer[2]
        ctypes.pythonapi.PyBuffer_Release(ctypes.byref(buffer))
        view.release()
        assert push(writer, reader, 5) == 1
        pool.close()
        pool.unlink()
        assert ctypes.string_at(address, nbytes) == b"\\xaa" * 5000
        del owner, writer, reader, pool, view
        assert_no_trace()
    """
    run(tmp_path, main, PAIR)


def test_failure_05_a_bare_address_is_no_hold_and_the_base_beside_it_is(tmp_path: Path) -> None:
    main = """
        class Bare:
            pass

        pool, writer, reader = pair()
        for keeps, expected in ((True, 1), (False, 5)):
            writer.put(ITEM)
            array = reader.get()["a"]
            bare = Bare()
            bare.__array_interface__ = dict(array.__array_interface__)
            other = np.asarray(bare)
            owner = array.base if keeps else None
            del array
            assert push(writer, reader, 5) == expected
            assert (other == 0xAAAAAAAA).all() or not keeps
            del other, owner
    """
    run(tmp_path, main, PAIR)


def test_failure_06_what_escapes_from_a_failed_restore_holds_its_unit(tmp_path: Path) -> None:
    functions = (
        PAIR
        + """
escaped = []

class Failing:
    def __init__(self, array):
        self.array = array
    def __setstate__(self, state):
        if mode == "stash":
            escaped.append(state["array"])
        raise ZeroDivisionError("on purpose")
"""
    )
    main = """
        for mode in ("stash", "traceback"):
            pool, writer, reader = pair()
            writer.put(Failing(np.full(5000, 7, np.uint8)))
            try:
                reader.get()
            except ZeroDivisionError as error:
                kept = error
            assert push(writer, reader, 5) == 1, mode
            if escaped:
                assert (escaped[0] == 7).all()
            del kept
            escaped.clear()
            assert push(writer, reader, 5) == 5, mode
    """
    run(tmp_path, main, functions)


def test_failure_07_a_cycle_holds_its_unit_until_it_is_collected(tmp_path: Path) -> None:
    main = """
        gc.disable()
        pool, writer, reader = pair()
        writer.put(ITEM)
        cycle = {"view": reader.get()}
        cycle["me"] = cycle
        del cycle
        assert push(writer, reader, 5) == 1
        (unit, age, exports), *rest = reader.held()
        assert (unit, exports, rest) == (0, 2, []) and age >= 0
        try:
            writer.put(OTHER)
        except arena.ArenaFull as error:
            assert "the reader holds unit 0" in str(error), error
        gc.collect()
        assert reader.held() == []
        assert push(writer, reader, 5) == 5
    """
    run(tmp_path, main, PAIR)


def test_failure_08_release_is_good_in_collections_signals_and_threads(tmp_path: Path) -> None:
    main = """
        pool, writer, reader = pair(count=4, acquire_timeout=30.0)
        dropped = []
        signal.signal(signal.SIGALRM, lambda *_: dropped.clear())
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        gc.set_threshold(1)
        stop = threading.Event()

        def collect():
            while not stop.is_set():
                gc.collect()
                dropped.clear()

        thread = threading.Thread(target=collect)
        thread.start()
        for number in range(400):
            writer.put(np.full(5000, number % 251, np.uint8))
            item = reader.get()
            assert (item == number % 251).all()
            cycle = [item[::2], memoryview(item)]
            cycle.append(cycle)
            dropped.append(item)
            del item, cycle
        stop.set()
        thread.join()
        signal.setitimer(signal.ITIMER_REAL, 0)
        dropped.clear()
        gc.collect()
        assert reader.held() == []
        assert push(writer, reader, 9) == 9
    """
    run(tmp_path, main, PAIR)


def test_failure_09_a_forked_child_that_drops_a_view_changes_nothing(tmp_path: Path) -> None:
    main = """
        pool, writer, reader = pair()
        writer.put(ITEM)
        item = reader.get()
        child = os.fork()
        if child == 0:
            for use in (lambda: writer.put(OTHER), reader.get, reader.held):
                try:
                    use()
                except arena.EndpointError as error:
                    assert "forked" in str(error), error
            del item, writer, reader
            gc.collect()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert push(writer, reader, 5) == 1
        assert (item["a"] == 0xAAAAAAAA).all() and bytes(item["m"]) == b"\\xaa" * 5000
        del item
        assert push(writer, reader, 5) == 5
    """
    run(tmp_path, main, PAIR)
