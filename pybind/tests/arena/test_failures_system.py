"""Failures 28 to 33: memory, limits, descriptors, sizes and permissions, as Python shows them."""

import errno
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import passband.arena as arena
import pytest
from harness import environment, run, write


def test_failure_28_more_memory_than_there_is_is_an_error_and_not_a_signal(tmp_path: Path) -> None:
    main = """
        import errno, resource
        def refused(make, number, *words):
            try:
                make()
            except arena.ArenaMemoryError as error:
                assert isinstance(error, OSError) and isinstance(error, MemoryError)
                assert error.errno == number, error
                assert all(word in str(error) for word in words), error
                return
            raise AssertionError
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        for named in (False, True):
            make = partial(arena.SharedMemorySegmentPool, total, 4, named=named)
            refused(make, errno.ENOMEM, str(4 * total)[:3], "bytes left", "ask for less")
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, -1))
        refused(lambda: arena.SharedMemoryRingBuffer(1 << 21), errno.EFBIG, "of this process")
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, -1))
        resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
        refused(lambda: arena.SharedMemoryRingBuffer(1 << 30), errno.ENOMEM, "ulimit -v")
        assert_no_trace()
    """
    run(tmp_path, main)


def test_failure_28_a_full_file_system_is_an_error_of_the_constructor(tmp_path: Path) -> None:
    private = ["unshare", "--mount", "--propagation", "private"]
    if not shutil.which("unshare") or subprocess.run([*private, "true"], check=False).returncode:
        pytest.skip("needs the right to make a mount namespace")
    main = """
        import errno
        try:
            arena.SharedMemorySegmentPool(4 << 20, 8, named=True)
            raise AssertionError
        except arena.ArenaMemoryError as error:
            assert error.errno == errno.ENOSPC and "df /dev/shm" in str(error), error
        assert os.listdir("/dev/shm") == []
        with arena.SharedMemorySegmentPool(1 << 20, 4, named=True) as pool:
            writer, reader = pool.open_writer(), pool.open_reader()
            for number in range(12):
                writer.put(np.full(1 << 20, number, np.uint8))
                assert (reader.get() == number).all()
        del pool, writer, reader
        assert_no_trace()
        print("done")
    """
    script = write(tmp_path, "", main)
    mount = "mount -t tmpfs -o size=8m tmpfs /dev/shm"
    shell = ["sh", "-c", f'{mount} && exec "$0" "$1"', sys.executable, script]
    result = subprocess.run(
        [*private, *shell], capture_output=True, text=True, env=environment(), check=False
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "done\n", "")


def test_failure_30_an_arena_has_one_descriptor_for_all_segments(tmp_path: Path) -> None:
    main = """
        import resource
        opened = lambda: len(os.listdir("/proc/self/fd"))
        before = opened()
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        pools = [arena.SharedMemorySegmentPool(4096, 100) for _ in range(20)]
        assert opened() == before + 20
        del pools
        assert opened() == before
        for _ in range(100):
            pool = arena.SharedMemorySegmentPool(4096, 2)
            make = partial(arena.iterate_in_subprocess, mp_context="fork")
            with make(partial(Filled, 1, 10), arena=pool) as items:
                for item in items:
                    pass
        del item, items, pool
        gc.collect()
        assert opened() == before
        assert_no_trace()
    """
    run(tmp_path, main)


@pytest.mark.parametrize("nbytes", [1, 63, 64, 100, 4095, 4096, 4097, 65537])
def test_failure_31_sizes_are_those_asked_for_and_not_those_of_pages(nbytes: int) -> None:
    with arena.SharedMemorySegmentPool(nbytes, 2) as pool:
        assert (pool.segment_size, pool.count) == (nbytes, 2)
        writer, reader = pool.open_writer(), pool.open_reader()
        ticket = writer.put(np.full(nbytes, 7, np.uint8))
        assert ticket.nbytes == nbytes
        array = reader.get()
        assert (len(array), array.nbytes) == (nbytes, nbytes)
        assert array.ctypes.data % 64 == 0
        assert len(array.base) == nbytes
        with pytest.raises(arena.UnitTooLarge, match=rf"exceeds segment_size \({nbytes}\)"):
            writer.put(np.zeros(nbytes + 1, np.uint8))
    with arena.SharedMemoryRingBuffer(nbytes) as ring:
        assert ring.capacity == nbytes
        ring.open_writer().put(np.full(nbytes, 7, np.uint8))
        assert ring.open_reader().get().sum() == 7 * nbytes


def test_failure_33_only_the_owner_may_open_an_arena_and_nobody_resizes_it() -> None:
    before = os.umask(0)
    try:
        with (
            arena.SharedMemorySegmentPool(1 << 12, 2) as anonymous,
            arena.SharedMemorySegmentPool(1 << 12, 2, named=True) as named,
        ):
            fd = anonymous.descriptor()
            try:
                assert stat.S_IMODE(os.fstat(fd).st_mode) == 0o600
                for size in (0, 1 << 30):
                    with pytest.raises(PermissionError) as refused:
                        os.truncate(fd, size)
                    assert refused.value.errno == errno.EPERM
            finally:
                os.close(fd)
            assert stat.S_IMODE(os.stat(f"/dev/shm/{named.name}").st_mode) == 0o600
    finally:
        os.umask(before)


def test_failure_33_a_reader_of_a_read_only_pool_cannot_write(tmp_path: Path) -> None:
    main = """
        import ctypes
        pool = arena.SharedMemorySegmentPool(1 << 12, 2, readonly=True)
        make = partial(arena.iterate_in_subprocess, mp_context="fork")
        with make(partial(Filled, 2, 100), arena=pool) as items:
            for item in items:
                assert not item.flags.writeable
                try:
                    item.flags.writeable = True
                    raise AssertionError
                except ValueError:
                    pass
            print("read", flush=True)
            ctypes.memset(item.ctypes.data, 1, 1)
    """
    script = write(tmp_path, "", main)
    result = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, env=environment(), check=False
    )
    assert result.returncode == -11
    assert result.stdout == "read\n"
