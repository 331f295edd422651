"""Every function of the driver fails in everything that calls it, and then everything is mended."""

from pathlib import Path

import pytest
from operations import OPERATIONS
from stand_in import run

# A process for each operation, in which each function fails once at several of its calls, before it
# has done anything or after, and works again in between.
MAIN = """
    from operations import OPERATIONS

    operation = OPERATIONS[NAME]

    def live():
        books = report()
        return {name: books[name] for name in ("registered", "device", "queued")}

    def calls():
        return {name: n for name, n in report().items() if name.startswith("cu")}

    # What the operation calls where all goes well, the driver being there already.
    operation()
    gc.collect()
    assert eventually(lambda: not cuda.retry_cleanup()), cuda.pending()
    once = calls()
    operation()
    gc.collect()
    assert eventually(lambda: not cuda.retry_cleanup()), cuda.pending()
    used = {name: n - once[name] for name, n in calls().items() if n > once[name]}

    # What these make nobody would ever know of, if they said that they had failed.
    MAKING = ("cuMemAlloc_v2", "cuMemHostAlloc", "cuStreamCreate", "cuEventCreate")
    IDLE = dict(registered=0, device=0, queued=0)
    seen = 0
    for name, count in used.items():
        for how in ("fail",) if name in MAKING else ("fail", "after"):
            for skipped in sorted({0, count - 1}):
                control(f"{how}={name},999,{skipped},1")
                told = []
                try:
                    operation()
                except RuntimeError as error:
                    told.append(str(error))
                    del error
                gc.collect()
                told += [one.why for one in cuda.pending() if "answered" in one.why]
                control("fail=")
                for text in told:
                    assert name in text and "999" in text, (name, how, skipped, text)
                seen += len(told)
                for again in (True, False):
                    assert eventually(lambda: not cuda.retry_cleanup()), (name, how, cuda.pending())
                    assert live() == IDLE, (name, how, skipped, live())
                    if again:
                        operation()
                        gc.collect()
    print(seen, "failures told;", len(used), "functions;", live())
"""


@pytest.mark.parametrize("operation", OPERATIONS)
def test_one_failure_of_each_function(operation: str, tmp_path: Path) -> None:
    output = run(tmp_path, MAIN.replace("NAME", repr(operation)), driver="delay=1", deadline=300.0)
    assert int(output.split()[0]) > 0, output
