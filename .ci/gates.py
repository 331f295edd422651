"""Runs the jobs of the gate, times them, and requires of each a proof that it ran.

usage: gates.py [JOB ...]     (all jobs without one)
"""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

import jobs
import proof
from command import ROOT

# How many failed tests of a job are named below the table.
MOST = 20


class Row(NamedTuple):
    """What became of a job."""

    name: str
    status: str
    text: str
    seconds: float
    failed: list[str]


def main(names: Sequence[str]) -> int:
    """Runs the named jobs, or all; the exit status says whether the gate is open."""
    unknown = [name for name in names if name not in jobs.ALL]
    if unknown:
        print(f"no such job: {', '.join(unknown)}; there are: {', '.join(jobs.ALL)}")
        return 2
    os.chdir(ROOT)
    rows = [_run(name) for name in names or jobs.ALL]
    bad = [row for row in rows if row.status == "FAILED"]
    seconds = sum(row.seconds for row in rows)
    total = Row("total", "FAILED" if bad else "ok", f"{len(rows)} jobs", seconds, [])
    print("\n" + "-" * 100)
    for row in (*rows, total):
        print(f"{row.name:<10} {row.status:<8} {row.seconds:7.1f} s   {row.text}")
    for row in bad:
        more = len(row.failed) - MOST
        rest = [f"and {more} more"] if more > 0 else []
        print(f"\nfailed in {row.name}:", *(row.failed[:MOST] or [row.text]), *rest, sep="\n    ")
    return 1 if bad else 0


def _run(name: str) -> Row:
    print(f"\n==== {name}", flush=True)
    start = time.monotonic()
    failed: list[str] = []
    try:
        status, text = "ok", jobs.ALL[name]()
    except jobs.AbsentError as absent:
        must = os.environ.get("CI") == "true" and not absent.excused
        status, text = ("FAILED" if must else "SKIPPED"), f"absent: {absent}"
        print(f"**** {name} {status}: {text}", flush=True)
    except subprocess.CalledProcessError as error:
        output = error.output or ""
        print(*output.splitlines()[-40:], sep="\n", flush=True)
        status, text = "FAILED", f"exit status {error.returncode} of {' '.join(error.cmd)}"
        failed = proof.failed_tests(output) or output.splitlines()[-10:]
    except proof.ProofError as unproved:
        status, text = "FAILED", str(unproved)
    return Row(name, status, text, time.monotonic() - start, failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
