"""Runs the jobs of the gate, times them, and requires of each a proof that it ran.

usage: gates.py [JOB ...]     (all jobs without one)
"""

import os
import subprocess
import sys
import time
from collections.abc import Sequence

import jobs
from proof import ProofError


def main(names: Sequence[str]) -> int:
    """Runs the named jobs, or all; the exit status says whether the gate is open."""
    unknown = [name for name in names if name not in jobs.ALL]
    if unknown:
        print(f"no such job: {', '.join(unknown)}; there are: {', '.join(jobs.ALL)}")
        return 2
    os.chdir(jobs.ROOT)
    rows = [(name, *_run(name)) for name in names or jobs.ALL]
    print("\n" + "-" * 100)
    for name, status, proof, seconds in rows:
        print(f"{name:<10} {status:<8} {seconds:7.1f} s   {proof}")
    total = sum(seconds for *_, seconds in rows)
    bad = [name for name, status, *_ in rows if status == "FAILED"]
    print(f"{'total':<10} {'FAILED' if bad else 'ok':<8} {total:7.1f} s   {len(rows)} jobs")
    return 1 if bad else 0


def _run(name: str) -> tuple[str, str, float]:
    print(f"\n==== {name}", flush=True)
    start = time.monotonic()
    try:
        status, proof = "ok", jobs.ALL[name]()
    except jobs.AbsentError as absent:
        must = os.environ.get("CI") == "true" and not absent.excused
        status, proof = ("FAILED" if must else "SKIPPED"), f"absent: {absent}"
        print(f"**** {name} {status}: {proof}", flush=True)
    except subprocess.CalledProcessError as error:
        print(*(error.output or "").splitlines()[-40:], sep="\n", flush=True)
        status, proof = "FAILED", f"exit status {error.returncode} of {' '.join(error.cmd)}"
    except ProofError as unproved:
        status, proof = "FAILED", str(unproved)
    return status, proof, time.monotonic() - start


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
