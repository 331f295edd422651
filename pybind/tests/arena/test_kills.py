"""Either side is killed at any time: the other learns of it or goes on, and nothing is left."""

import os
import random
import signal
import time
from pathlib import Path

from harness import started, write
from traces import abandoned, eventually, is_running

KILLS = int(os.environ.get("PASSBAND_KILLS_PYTHON", "6"))

FUNCTIONS = """
class Numbers:
    "Arrays by placement, by copy, and with an envelope that takes the pipe."
    def __iter__(self):
        for number in range(1 << 30):
            if number % 3 == 0:
                out = arena.empty(2000)
                out[:] = number
                yield number, out
            elif number % 3 == 1:
                yield number, np.full(2000, number, np.float32)
            else:
                yield number, "x" * 5000, np.full(1 << 14, number, np.float32)
"""

MAIN = """
    kind, method = sys.argv[1:]
    if kind == "pool":
        channel = arena.SharedMemorySegmentPool(1 << 16, 4)
    else:
        channel = arena.SharedMemoryRingBuffer(1 << 18)
    items = arena.iterate_in_subprocess(Numbers, arena=channel, mp_context=method, buffer_size=2)
    kept, read, died, array = [], 0, False, None
    print(*children(), flush=True)
    while not died:
        try:
            for count, (number, *_, array) in enumerate(items):
                assert number == count and (array == number).all()
                kept = kept[-1:] + [(number, array)]
                assert all((view == value).all() for value, view in kept)
                read += 1
                if count == 40:
                    break
        except arena.PeerDied as error:
            assert "signal 9" in str(error), error
            died = True
    assert all((view == value).all() for value, view in kept)
    del array
    kept.clear()
    assert_no_trace()
    print("told, after", read)
"""


def test_random_kills_of_either_side(tmp_path: Path) -> None:
    seed = int(os.environ.get("PASSBAND_SEED", time.time_ns() % 2**32))
    print(f"\nPASSBAND_SEED={seed}")
    chance = random.Random(seed)
    before = abandoned()
    script = write(tmp_path, FUNCTIONS, MAIN)
    for kill in range(KILLS):
        kind, method = chance.choice(["pool", "ring"]), chance.choice(["fork", "fork", "spawn"])
        with started(script, kind, method) as consumer:
            assert consumer.stdout
            line = consumer.stdout.readline()
            assert line, consumer.communicate()
            worker = int(line)
            time.sleep(chance.random() * 0.2)
            victim, other = (worker, consumer.pid) if kill % 2 else (consumer.pid, worker)
            os.kill(victim, signal.SIGKILL)
            start = time.monotonic()
            assert eventually(lambda pid=other: not is_running(pid))
            took = time.monotonic() - start
            stdout, stderr = consumer.communicate()
        # Below a second in the design; the machine may be busy.
        assert took < 2.0
        assert stderr == ""
        if victim == worker:
            assert consumer.returncode == 0
            assert "told, after" in stdout
    assert eventually(lambda: not abandoned() - before)
    print(f"random kills: {KILLS} done")
