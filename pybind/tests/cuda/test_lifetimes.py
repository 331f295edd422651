"""No byte is used again, unpinned or unmapped while a copy may read it: entry 35, case by case."""

from pathlib import Path

from stand_in import run


def test_a_mapping_stays_until_it_is_unpinned(tmp_path: Path) -> None:
    main = """
        pool = arena.SharedMemorySegmentPool(1 << 16, 3, pin_memory=True)
        writer, reader = pool.open_writer(), pool.open_reader()
        writer.put(np.arange(5000))
        x = reader.get()
        control("fail=cuMemHostUnregister,1,0,2")
        pool.close()
        pool.unlink()
        assert x[4999] == 4999
        del x, writer, reader
        assert eventually(lambda: pool.pending)
        (left,) = pool.pending
        assert left.state == "unregistering" and left.nbytes >= 3 << 16
        assert "cuMemHostUnregister" in left.why and "1" in left.why
        assert len(mappings()) > 0
        while pool.retry_cleanup():
            assert len(mappings()) > 0
        assert pool.pending == []
        assert mappings() == []
        assert report()["registered"] == 0
    """
    run(tmp_path, main)


def test_another_arena_tries_again_by_itself(tmp_path: Path) -> None:
    main = """
        control("fail=cuMemHostUnregister,1,0,1")
        pinned = cuda.register_buffer(np.zeros(5000))
        del pinned
        assert eventually(lambda: cuda.pending())
        with arena.SharedMemoryRingBuffer(1 << 16, pin_memory=True) as ring:
            writer, reader = ring.open_writer(), ring.open_reader()

            def is_done():
                writer.put(np.arange(5000))
                return reader.get() is not None and not cuda.pending()

            assert eventually(is_done)
        assert report()["registered"] == 0
    """
    run(tmp_path, main)


def test_a_segment_is_not_used_again_while_a_copy_reads_it(tmp_path: Path) -> None:
    main = """
        pool = arena.SharedMemorySegmentPool(1 << 16, 2, pin_memory=True, acquire_timeout=0.0)
        writer, reader = pool.open_writer(), pool.open_reader()
        control("hold=1")
        there = []
        for number in range(2):
            writer.put(np.full(5000, number))
            target = cuda.DeviceArray(5000, "int64")
            # Nobody waits for the copy, and nobody keeps the array.
            cuda.copy_h2d(reader.get(), out=target)
            there.append(target)
        gc.collect()
        for _ in range(3):
            try:
                writer.put(np.full(5000, -1))
                raise AssertionError("a copy reads both units")
            except arena.ArenaFull:
                pass
        assert {one.state for one in cuda.pending()} == {"draining"}
        control("hold=0")
        assert eventually(lambda: not cuda.retry_cleanup())
        for number in range(2):
            writer.put(np.full(5000, -1))
            reader.get()
            assert (cuda.transfer_tensor_d2h(there[number]) == number).all()
        pool.close()
        pool.unlink()
        del writer, reader
        assert eventually(lambda: not cuda.retry_cleanup()), cuda.pending()
        assert mappings() == []
    """
    run(tmp_path, main)


def test_a_block_of_a_ring_is_not_used_again_while_a_copy_reads_it(tmp_path: Path) -> None:
    main = """
        ring = arena.SharedMemoryRingBuffer(1 << 17, pin_memory=True)
        writer, reader = ring.open_writer(), ring.open_reader()
        control("hold=1")
        there = []
        for number in range(10):
            writer.put(np.full(5000, number))
            target = cuda.DeviceArray(5000, "int64")
            cuda.copy_h2d(reader.get(), out=target)
            there.append(target)
        control("hold=0")
        for number, target in enumerate(there):
            assert (cuda.transfer_tensor_d2h(target) == number).all()
        # From here on blocks are used again.
        assert eventually(lambda: not cuda.retry_cleanup()), cuda.pending()
        made = report()["pinned"]
        for number in range(20):
            writer.put(np.full(5000, number))
            assert (reader.get() == number).all()
        assert report()["pinned"] == made
    """
    run(tmp_path, main)


def test_sources_and_destinations_are_kept_until_the_copy_is_complete(tmp_path: Path) -> None:
    main = """
        import weakref
        class Marked(np.ndarray):
            pass
        control("hold=1")
        x = np.arange(5000).view(Marked)
        gone = weakref.ref(x)
        transfer = cuda.copy_h2d(x)
        del x
        try:
            transfer.wait(timeout=0.05)
            raise AssertionError("it cannot be complete")
        except TimeoutError as error:
            assert "0.05" in str(error)
        assert not transfer.done
        del transfer
        gc.collect()
        assert report()["device"] == 1
        (left,) = cuda.retry_cleanup()
        assert left.state == "draining", left
        control("hold=0")
        assert eventually(lambda: not cuda.retry_cleanup())
        assert eventually(lambda: gone() is None)
        assert_all_given_back()
    """
    run(tmp_path, main)


def test_a_failure_half_way_waits_for_the_copies_before_it(tmp_path: Path) -> None:
    main = """
        control("delay=100")
        for name in ("cuMemcpyHtoDAsync_v2", "cuMemAlloc_v2", "cuEventRecord"):
            control(f"fail={name},2,2,1")
            batch = [np.full(5000, number) for number in range(5)]
            try:
                cuda.transfer_tensor_h2d(batch)
                raise AssertionError(name)
            except RuntimeError as error:
                assert name in str(error) and "CUDA_ERROR_OUT_OF_MEMORY" in str(error), error
            # Those that were begun are through.
            assert report()["queued"] == 0, name
            control("fail=")
            del batch
            assert eventually(lambda: not cuda.retry_cleanup())
            assert_all_given_back()
    """
    run(tmp_path, main)


def test_where_waiting_fails_everything_is_kept(tmp_path: Path) -> None:
    main = """
        there = cuda.transfer_tensor_h2d(np.arange(5000))
        control("hold=1")
        control("fail=cuEventQuery,700,0,*")
        control("fail=cuEventSynchronize,700,0,*")
        control("fail=cuStreamSynchronize,700,0,*")
        for move in (partial(cuda.transfer_tensor_h2d, [np.arange(5000)] * 2),
                     partial(cuda.transfer_tensor_d2h, there)):
            try:
                move()
                raise AssertionError
            except RuntimeError as error:
                assert "700" in str(error) and "CUDA_ERROR_ILLEGAL_ADDRESS" in str(error), error
        del there, move
        gc.collect()
        assert report()["device"] == 2
        assert len(cuda.retry_cleanup()) >= 2
        assert report()["device"] == 2
        control("fail=")
        control("hold=0")
        assert eventually(lambda: not cuda.retry_cleanup())
        assert_all_given_back()
    """
    run(tmp_path, main)


def test_an_end_that_cannot_be_pinned_is_not_taken(tmp_path: Path) -> None:
    main = """
        pool = arena.SharedMemorySegmentPool(1 << 16, 3, pin_memory=True)
        control("fail=cuMemHostRegister_v2,2,0,1")
        try:
            pool.open_reader()
            raise AssertionError
        except RuntimeError as error:
            assert "cuMemHostRegister_v2" in str(error) and "2" in str(error), error
        writer, reader = pool.open_writer(), pool.open_reader()
        writer.put("after all")
        assert reader.get() == "after all"
        pool.close()
        pool.unlink()
        del writer, reader
        assert eventually(lambda: not cuda.retry_cleanup()), cuda.pending()
        assert mappings() == []
        assert report()["registered"] == 0
    """
    run(tmp_path, main)


def test_the_exact_range_is_unpinned(tmp_path: Path) -> None:
    # The stand-in has a fault in its books for every other.
    main = """
        for shape in (1, 100, 4096, 5000, 1 << 20):
            pinned = cuda.register_buffer(np.zeros(shape + 16, np.uint8)[7:-9])
            assert report()["registered"] == 1
            del pinned
            assert eventually(lambda: not cuda.retry_cleanup()), cuda.pending()
            assert report()["registered"] == 0
    """
    run(tmp_path, main)


def test_an_interrupt_leaves_copies_to_the_library(tmp_path: Path) -> None:
    main = """
        import signal
        control("hold=1")
        threading.Timer(0.2, partial(os.kill, os.getpid(), signal.SIGINT)).start()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            cuda.transfer_tensor_h2d([np.arange(5000), np.arange(6000)])
            raise AssertionError
        except KeyboardInterrupt:
            pass
        gc.collect()
        assert {one.state for one in cuda.retry_cleanup()} == {"draining"}
        control("hold=0")
        assert eventually(lambda: not cuda.retry_cleanup())
        assert_all_given_back()
    """
    run(tmp_path, main)


def test_the_end_of_the_process_is_silent(tmp_path: Path) -> None:
    for before in (
        "control('hold=1'); transfer = cuda.copy_h2d(np.arange(5000))",
        "control('hold=1'); cuda.copy_h2d(np.arange(5000))",
        "control('fail=cuMemHostUnregister,1,0,*'); cuda.register_buffer(np.zeros(5000))",
        "kept = cuda.register_buffer(np.zeros(5000))",
        "there = cuda.copy_h2d(np.arange(5000)).wait()",
        "control('delay=300'); [cuda.copy_h2d(np.arange(5000)) for _ in range(20)]",
    ):
        run(tmp_path, before)
    main = """
        pool = arena.SharedMemorySegmentPool(1 << 16, 3, pin_memory=True)
        writer, reader = pool.open_writer(), pool.open_reader()
        writer.put(np.arange(5000))
        arena.kept = reader.get()
    """
    run(tmp_path, main)
