"""Each check of the gate sees a planted fault."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import command
import firmware
import gates
import jobs
import licences
import proof
import pytest
import toolchain
import torch_check

AVX2 = "flags\t: sse2 avx2 fma bmi1 bmi2 abm popcnt\n"
AVX512 = AVX2.strip() + " avx512f avx512bw avx512cd avx512dq avx512vl\n"


@pytest.mark.parametrize(
    ("cpuinfo", "levels"),
    [
        ("flags\t: sse2\n", ["scalar", "baseline"]),
        (AVX2.replace(" fma", ""), ["scalar", "baseline"]),
        (AVX2, ["scalar", "baseline", "avx2"]),
        (AVX512, ["scalar", "baseline", "avx2", "avx512"]),
    ],
)
def test_levels_come_from_the_processor(cpuinfo: str, levels: list[str]) -> None:
    assert proof.expected_levels(cpuinfo) == levels


def test_a_missed_level_fails() -> None:
    output = "level scalar: 7 cases\nlevel baseline: 7 cases\n"
    assert proof.levels_ran(output, ["scalar", "baseline"]) == "scalar 7 cases, baseline 7 cases"
    with pytest.raises(proof.ProofError, match="avx2"):
        proof.levels_ran(output, ["scalar", "baseline", "avx2"])
    with pytest.raises(proof.ProofError, match="scalar"):
        proof.levels_ran(output.replace("scalar: 7", "scalar: 0"), ["scalar", "baseline"])


@pytest.mark.parametrize(
    ("count", "output"),
    [
        (proof.rust_tests, "test result: ok. 3 passed; 0 failed; 1 ignored\n"),
        (proof.python_tests, "3 passed, 2 skipped in 0.1s\n"),
        (proof.python_kills, "PASSBAND_SEED=7\nrandom kills: 3 done\n"),
        (proof.every_python_test, "3 passed in 0.1s\n"),
        (proof.fuzz_runs, "Done 3 runs in 20 second(s)\n"),
        (proof.bench_tests, "Testing a\nSuccess\n" * 3),
        (proof.driver_failures, "test failures::fail=cuInit,719,0,1 ... ok\n" * 3),
    ],
)
def test_a_job_that_ran_nothing_fails(count: Callable[[str], int], output: str) -> None:
    assert count(output) == 3
    with pytest.raises(proof.ProofError):
        count(output.replace("3", "0") if "3" in output else "")


@pytest.mark.parametrize("left", ["1 skipped", "10 deselected", "2 xfailed"])
def test_a_job_that_must_run_every_test_fails_where_one_is_left_out(left: str) -> None:
    with pytest.raises(proof.ProofError, match=left):
        proof.every_python_test(f"3 passed, {left} in 0.1s\n")


def test_arena_tests_that_kill_nobody_fail() -> None:
    output = (
        "crash points of pool_writer: 2 killed\ncrash points of ring_writer: 3 killed\n"
        "random kills: 4 writers_of_a_pool\ncorrupt peers: 5 for the reader of a ring\n"
    )
    assert proof.arena_deaths(output) == "5 crash points, 4 random kills, 5 corrupt peers"
    for line in output.splitlines()[1:]:
        with pytest.raises(proof.ProofError):
            proof.arena_deaths(output.replace(line, "").replace("pool_writer: 2", "pool_writer: 0"))


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("planted_catalog", "planted.Sum: ForgetsAtThree: not the bits of the uncut run"),
        ("NoFence", "thread 'models' panicked\ndeadlock; threads = [(Id(0), Blocked)]"),
        ("miri", "error: Undefined Behavior: Data race detected between (1) write and (2) read"),
        ("tsan", "WARNING: ThreadSanitizer: data race (pid=1)"),
    ],
)
def test_a_planted_fault_that_is_missed_fails(target: str, found: str) -> None:
    assert proof.fault_found(target, found)
    for output in ("Done 9 runs in 20 second(s)", found.replace("a", "e")):
        with pytest.raises(proof.ProofError):
            proof.fault_found(target, output)


MODELS = "model a::b: 12 executions\nmodel c: 3 executions\ntest result: ok. 2 passed; 0 failed\n"


def test_models_that_had_no_choice_of_order_fail() -> None:
    assert proof.models(MODELS) == "2 models in 15 executions"
    with pytest.raises(proof.ProofError, match="a::b"):
        proof.models(MODELS.replace("12", "1"))
    with pytest.raises(proof.ProofError, match="said nothing"):
        proof.models(MODELS.replace("model c", ""))


def test_a_skeleton_that_no_check_has_seen_fails() -> None:
    output = "first.Kind: float32: error 9.61e-8 of 1.20e-7\n"
    proof.named("conformance", ["first.Kind: float32: error"], output)
    with pytest.raises(proof.ProofError, match="second"):
        proof.named("conformance", ["first.Kind: float32: error", "second.Kind"], output)


def test_packages_that_are_not_of_debian_fail() -> None:
    files = {name: f"{torch_check.DEBIAN}{name}/__init__.py" for name in ("torch", "numpy")}
    used = {"versions": {"python": "3.11.2", "numpy": "1.24.2"}, "files": files}
    assert torch_check.versions(json.dumps(used)) == "python 3.11.2, numpy 1.24.2"
    files["numpy"] = "venv/lib/python3.11/site-packages/numpy/__init__.py"
    with pytest.raises(proof.ProofError, match="venv/lib"):
        torch_check.versions(json.dumps(used))


REPORT = "case Fir q15\n3ff0000000000000\n0\ncost 100 10\n"


def test_the_image_agrees_with_the_host() -> None:
    image = firmware.parse(REPORT)
    assert image["Fir q15"] == firmware.Case(["3ff0000000000000", "0"], 16, 256)
    firmware.compare(image, firmware.parse(REPORT))


@pytest.mark.parametrize(
    ("planted", "fault"),
    [
        ("", "the image ran"),
        (REPORT.replace("Fir", "Nco"), "the image ran"),
        (REPORT.replace("3ff", "4ff"), "word 0"),
        (REPORT.replace("0\ncost", "cost"), "words"),
        (REPORT.replace("100", "0"), "no instructions"),
    ],
)
def test_an_image_that_differs_fails(planted: str, fault: str) -> None:
    with pytest.raises(proof.ProofError, match=fault):
        firmware.compare(firmware.parse(planted), firmware.parse(REPORT))


@pytest.mark.parametrize(
    ("expression", "accepted"),
    [
        ("MIT", True),
        ("MIT/Apache-2.0", True),
        ("GPL-3.0-only OR MIT", True),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", True),
        ("GPL-3.0-only", False),
        ("MIT AND GPL-3.0-only", False),
        ("", False),
    ],
)
def test_licences(expression: str, accepted: bool) -> None:
    assert licences.accepts(expression) is accepted


def test_an_absent_tool_fails_only_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> str:
        raise jobs.AbsentError("a tool")

    def excused() -> str:
        raise jobs.AbsentError("a tool", excused=True)

    monkeypatch.setattr(jobs, "ALL", {"absent": absent, "excused": excused})
    monkeypatch.setenv("CI", "false")
    assert gates.main([]) == 0
    monkeypatch.setenv("CI", "true")
    assert gates.main(["absent"]) == 1
    assert gates.main(["excused"]) == 0


def test_absent_packages_of_debian_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch_check, "PACKAGES", ("json", "unheard_of"))
    assert torch_check.absent() == ["unheard_of"]
    with pytest.raises(jobs.AbsentError, match="apt install python3-unheard_of"):
        jobs.torch()
    monkeypatch.setattr(torch_check, "INTERPRETER", Path("/nowhere/python3"))
    assert torch_check.absent() == ["json", "unheard_of"]


def test_a_failing_command_closes_the_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "ALL", {"red": lambda: command.run("false")})
    assert gates.main([]) == 1
    assert gates.main(["unheard-of"]) == 2


PYTEST = """
def test_red() -> None:
>       assert False, "FAILED test_of_a_message"
=========================== short test summary info ============================
FAILED tests/test_a.py::test_red[a b] - AssertionError: FAILED test_of_a_message
ERROR tests/test_b.py - ModuleNotFoundError: No module named 'numpy'
SKIPPED [1] tests/test_c.py:40: does not depend on the SIMD level
1 failed, 7 passed, 1 error in 0.50s
"""
CARGO = """
test filter::green ... ok
test filter::red ... level scalar: 7 cases
FAILED

failures:

---- filter::red stdout ----
    indented output
failures:

failures:
    filter::red
    src/lib.rs - filter (line 12)

test result: FAILED. 1 passed; 2 failed; 0 ignored
"""


@pytest.mark.parametrize(
    ("output", "names"),
    [
        (
            PYTEST,
            [
                "tests/test_a.py::test_red[a b] - AssertionError: FAILED test_of_a_message",
                "tests/test_b.py - ModuleNotFoundError: No module named 'numpy'",
            ],
        ),
        (CARGO, ["filter::red", "src/lib.rs - filter (line 12)"]),
        ("error: could not compile\n", []),
    ],
)
def test_failed_tests_have_names(output: str, names: list[str]) -> None:
    assert proof.failed_tests(output) == names


@pytest.mark.parametrize(
    ("output", "last"),
    [
        (CARGO, "failed in red:\n    filter::red\n    src/lib.rs - filter (line 12)\n"),
        ("much\n" * 20 + "error: could not compile\n", "    much\n    error: could not compile\n"),
        (
            "".join(f"FAILED test_{i}\n" for i in range(22)),
            "    test_19\n    and 2 more\n",
        ),
        ("", "failed in red:\n    exit status 7 of LEVEL=low sh -c "),
    ],
)
def test_the_last_lines_say_what_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], output: str, last: str
) -> None:
    def red() -> str:
        script = 'printf %s "$0"; exit 7'
        return command.run("sh", "-c", script, output, env={"LEVEL": "low"})

    monkeypatch.setattr(jobs, "ALL", {"red": red, "green": lambda: "fine"})
    assert gates.main([]) == 1
    table = capsys.readouterr().out.rpartition("-" * 100)[2]
    assert "red        FAILED" in table
    assert "exit status 7 of LEVEL=low sh -c" in table
    assert last in table.partition("total")[2]


def test_of_several_commands_one_that_fails_is_named_and_all_are_shown(
    capfd: pytest.CaptureFixture[str],
) -> None:
    script = ("sh", "-c", 'echo "level $LEVEL"; exit "$STATUS"')
    environments = [{"LEVEL": level, "STATUS": "0"} for level in ("low", "high")]
    assert command.run_all([(script, env) for env in environments]) == [
        "level low\n",
        "level high\n",
    ]
    environments[0]["STATUS"] = "3"
    capfd.readouterr()
    with pytest.raises(subprocess.CalledProcessError) as failed:
        command.run_all([(script, env) for env in environments])
    assert (failed.value.returncode, failed.value.output) == (3, "level low\n")
    assert failed.value.cmd[0] == "LEVEL=low"
    assert {"level low", "level high"} <= set(capfd.readouterr().out.splitlines())


def test_an_unproved_job_says_what_it_lacks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(jobs, "ALL", {"hollow": lambda: str(proof.python_tests(""))})
    assert gates.main([]) == 1
    assert capsys.readouterr().out.endswith("failed in hollow:\n    not one Python test ran\n")


def test_ci_takes_the_toolchain_of_debian(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "_rustup", lambda: toolchain.Toolchain("rustup", "cargo"))
    monkeypatch.setattr(
        toolchain, "_debian", lambda: toolchain.Toolchain("Debian", "/usr/bin/cargo")
    )
    monkeypatch.setenv("CI", "true")
    assert toolchain.thumb() == toolchain.Toolchain("Debian", "/usr/bin/cargo")
    monkeypatch.setenv("CI", "false")
    assert toolchain.thumb() == toolchain.Toolchain("rustup", "cargo")


def test_the_tree_is_where_the_jobs_look() -> None:
    assert all(Path(manifest).exists() for manifest in jobs.MANIFESTS)
