"""What a job must show before it counts as having run."""

import re
from pathlib import Path

# What each level needs, in the words of /proc/cpuinfo. The list is our own and not the kernels'
# detection, which is what it checks.
_LEVELS = {
    "scalar": "",
    "baseline": "",
    "avx2": "avx2 fma bmi1 bmi2 abm popcnt",
    "avx512": "avx2 fma bmi1 bmi2 abm popcnt avx512f avx512bw avx512cd avx512dq avx512vl",
}

# What is said of a planted fault that is found: by fuzz targets, models, and tools that see races.
_PLANTED = {
    "planted_arena_header": "refused a right header: ",
    "planted_arena_traffic": " came as other bytes",
    "planted_catalog": "planted.Sum: ForgetsAtThree: ",
    "planted_snapshot": "load: a refused snapshot changed the state",
    "NoFence": "deadlock; threads",
    "Unpublished": "Causality violation: Concurrent read and write",
    "Uncounted": "Causality violation: Concurrent read and write",
    "EarlyRelease": "Causality violation: Concurrent read and write",
    "miri": "Undefined Behavior: Data race detected",
    "tsan": "WARNING: ThreadSanitizer: data race",
}


class ProofError(Exception):
    """A job ended well but did not do what it is there for."""


def expected_levels(cpuinfo: str | None = None) -> list[str]:
    """The SIMD levels that this processor has, lowest first."""
    text = Path("/proc/cpuinfo").read_text() if cpuinfo is None else cpuinfo
    found = re.search(r"^flags\s*:(.*)$", text, re.MULTILINE)
    flags = set(found[1].split()) if found else set()
    return [level for level, needs in _LEVELS.items() if flags.issuperset(needs.split())]


def levels_ran(output: str, expected: list[str]) -> str:
    """Reads lines such as `level avx2: 123 cases`, and requires each expected level."""
    counts = dict.fromkeys(expected, 0)
    for level, cases in re.findall(r"\blevel (\w+): (\d+) cases", output):
        counts[level] = counts.get(level, 0) + int(cases)
    missed = [level for level, cases in counts.items() if cases == 0]
    if missed:
        raise ProofError(f"no case ran at level {', '.join(missed)}")
    return ", ".join(f"{level} {cases} cases" for level, cases in counts.items())


def named(what: str, names: list[str], output: str) -> None:
    """Requires that an output has each of some words."""
    missed = [name for name in names if name not in output]
    if missed:
        raise ProofError(f"{what} did not say: {'; '.join(missed)}")


def rust_tests(output: str) -> int:
    """The number of tests that cargo ran and that passed."""
    return _positive(
        "Rust test", re.findall(r"^test result: \w+\. (\d+) passed", output, re.MULTILINE)
    )


def arena_deaths(output: str) -> str:
    """How often a process of the arena's tests was killed, or wrote over its control area."""
    what = {
        "crash points": r"^crash points of .*: (\d+) killed$",
        "random kills": r"^random kills: (\d+) ",
        "corrupt peers": r"^corrupt peers: (\d+) ",
    }
    counts = {
        name: _positive(name, re.findall(pattern, output, re.MULTILINE))
        for name, pattern in what.items()
    }
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def python_kills(output: str) -> int:
    """How often a process of the arena's Python tests was killed at random."""
    return _positive("random kill", re.findall(r"\brandom kills: (\d+) done", output))


def driver_failures(output: str) -> int:
    """In how many ways calls of the CUDA driver were made to fail, each with all that follows."""
    passed = re.findall(r"^test failures::\S+ +\.\.\. ok$", output, re.MULTILINE)
    return _positive("failure of the driver", ["1"] * len(passed))


def python_tests(output: str) -> int:
    """The number of tests that pytest ran and that passed."""
    return _positive("Python test", re.findall(r"\b(\d+) passed\b", output))


def every_python_test(output: str) -> int:
    """The number of tests that pytest ran, of which it must have left out none."""
    left = re.findall(r"\b[1-9]\d* (?:skipped|deselected|xfailed)\b", output)
    if left:
        raise ProofError(f"{', '.join(left)} of the Python tests")
    return python_tests(output)


def failed_tests(output: str) -> list[str]:
    """The names of the tests that pytest or cargo call failed, in their order."""
    of_pytest = re.findall(r"^(?:FAILED|ERROR) (\S.*)$", output, re.MULTILINE)
    # Lines such as `test a ... FAILED` may have the output of the test inside.
    lists = re.findall(r"^failures:\n((?:    .+\n)+)", output, re.MULTILINE)
    return of_pytest + [name.strip() for names in lists for name in names.splitlines()]


def fuzz_runs(output: str) -> int:
    """The number of inputs that a fuzz target was given."""
    return _positive("fuzz input", re.findall(r"^Done (\d+) runs", output, re.MULTILINE))


def fault_found(target: str, output: str) -> str:
    """Requires that a target stopped at the fault that was planted for it."""
    if _PLANTED[target] not in output:
        raise ProofError(f"{target} did not find its fault")
    return "found its fault"


def models(output: str) -> str:
    """Reads lines such as `model ring: 123 executions`; each must have had a choice of order."""
    counts = dict(re.findall(r"\bmodel (\S+): (\d+) executions", output))
    idle = [model for model, executions in counts.items() if int(executions) < 2]
    if idle or len(counts) != rust_tests(output):
        raise ProofError(f"models without a choice: {', '.join(idle) or 'all that said nothing'}")
    return f"{len(counts)} models in {sum(map(int, counts.values()))} executions"


def bench_tests(output: str) -> int:
    """The number of benches that ran once as tests."""
    return _positive(
        "bench", ["1"] * len(re.findall(r"^Testing .*\nSuccess", output, re.MULTILINE))
    )


def _positive(what: str, counts: list[str]) -> int:
    total = sum(map(int, counts))
    if total == 0:
        raise ProofError(f"not one {what} ran")
    return total
