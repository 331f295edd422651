"""The jobs of the gate. Each returns a line that proves what it did, or raises."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import firmware as firmware_image
import licences as licence_check
import proof
import skeleton_check
import toolchain
import torch_check
from command import ROOT, run, run_all

VENV = ROOT / ".venv"
PYTHON = VENV / "bin/python"
PYTEST = (PYTHON, "-m", "pytest", "--quiet", "--config-file=pybind/pyproject.toml")
# Tests that do not depend on the level, and those that look at who gets the processors.
ARENA, CUDA = "pybind/tests/arena", "pybind/tests/cuda"
ALONE = "pybind/tests/alone"
FIRMWARE = ROOT / "kernels/firmware"
FUZZ = ROOT / "fuzz"
# Every manifest that stands for itself: the workspace and the two crates outside it.
MANIFESTS = [ROOT / "Cargo.toml", FIRMWARE / "Cargo.toml", FUZZ / "Cargo.toml"]
KERNELS_ONLY = ("--package=passband-kernels",)
ARENA_ONLY = ("--package=passband-arena",)
BENCHES_ONLY = ("--package=passband-benches",)
# What can be left out of the arena's protocol, and the model that tells soonest.
PLANTED_IN_MODELS = {
    "NoFence": "bell::no_ring_is_lost",
    "Unpublished": "ring::units_are_handed_over",
    "Uncounted": "pool::the_last_export_releases_the_unit",
    "EarlyRelease": "pool::units_are_handed_over",
}
PLANTED_RACE = ("--test=heap", "--", "--ignored", "planted_race")
MIRI_AVX2 = "+avx2,+bmi1,+bmi2,+cmpxchg16b,+f16c,+fma,+lzcnt,+movbe,+popcnt,+xsave,+fxsr"


class AbsentError(Exception):
    """A tool that a job needs is not on this machine."""

    def __init__(self, what: str, *, excused: bool = False) -> None:
        """Excused tools may be absent even with CI=true: package registries do not carry them."""
        super().__init__(what)
        self.excused = excused


Job = Callable[[], str]
ALL: dict[str, Job] = {}


def job(function: Job) -> Job:
    """Enters a job into the gate, under its function's name."""
    ALL[function.__name__] = function
    return function


@job
def build() -> str:
    """The Python package with its extension module, and all tools, in `.venv`."""
    if not PYTHON.exists():
        run(sys.executable, "-m", "venv", VENV)
    project = tomllib.loads((ROOT / "pybind/pyproject.toml").read_text())
    needs = [
        *project["build-system"]["requires"],
        *project["project"].get("dependencies", []),
        *project["project"]["optional-dependencies"]["dev"],
        *(ROOT / "docs/requirements.txt").read_text().split(),
    ]
    installed = VENV / "installed.json"
    if not installed.exists() or json.loads(installed.read_text()) != needs:
        run(PYTHON, "-m", "pip", "install", "--quiet", *needs)
        installed.write_text(json.dumps(needs))
    venv = {"VIRTUAL_ENV": str(VENV), "PATH": f"{VENV / 'bin'}:{os.environ['PATH']}"}
    run(VENV / "bin/maturin", "develop", "--profile=wheel", cwd=ROOT / "pybind", env=venv)
    level = run(PYTHON, "-c", "import passband; print(passband.simd_level())", cwd=VENV).strip()
    return f"passband imports at level {level}"


@job
def rust() -> str:
    """The Rust tests; the conformance test visits every level by itself."""
    testing = "--features=passband-kernels/testing"
    every = {"PASSBAND_KERNEL": ""}
    # The arena's tests are a job of their own.
    packages = ("--workspace", "--exclude=passband-arena")
    command = ("cargo", "test", "--release", *packages, testing, "--", "--nocapture")
    output = run(*command, env=every)
    levels = proof.levels_ran(output, proof.expected_levels())
    return f"{proof.rust_tests(output)} tests; {levels}"


@job
def arena() -> str:
    """The arena's tests in many processes: kills, crash points, corrupt peers, full memory."""
    test = ("cargo", "test", "--release", *ARENA_ONLY)
    output = run(*test)
    # With crash points in it, the arena is slower: nothing else runs so.
    crashes = run(*test, "--features=crash-points", "--test=suite", "crash::")
    return f"{proof.rust_tests(output)} tests; {proof.arena_deaths(output + crashes)}"


@job
def cuda() -> str:
    """Pinned memory and transfers, with a driver that copies late and fails on demand."""
    pinned = ("--release", *ARENA_ONLY, "--features=cuda")
    run("cargo", "build", *pinned, "--example=test_driver")
    output = run("cargo", "test", *pinned, "--lib", "--test=cuda")
    run("cargo", "test", *pinned, "--doc")
    return (
        f"{proof.rust_tests(output)} tests, {proof.driver_failures(output)} failures of the driver"
    )


@job
def python() -> str:
    """The Python tests, once for each level."""
    levels = proof.expected_levels()
    for level in levels:
        env = {"PASSBAND_SIMD": level}
        used = run(PYTHON, "-c", "import passband; print(passband.simd_level())", env=env, cwd=VENV)
        if used.strip() != level:
            raise proof.ProofError(f"asked for level {level}, got {used.strip()}")
    others = (f"--ignore={folder}" for folder in (ARENA, CUDA, ALONE))
    tests = ("pybind/tests", *others)
    beside: list[tuple[tuple[str | Path, ...], dict[str, str]]] = []
    for level in levels:
        # What the docs show does not depend on the level.
        docs = ["docs"] if level == "baseline" else []
        beside.append(((*PYTEST, *tests, *docs), {"PASSBAND_SIMD": level}))
    counts = []
    for level, output in zip(levels, run_all(beside), strict=True):
        alone = run(*PYTEST, ALONE, env={"PASSBAND_SIMD": level})
        count = proof.python_tests(output) + proof.python_tests(alone)
        counts.append(f"{level} {count} tests")
    return ", ".join(counts)


@job
def arena_python() -> str:
    """The Python tests of the arena, once: they do not depend on the level."""
    output = run(*PYTEST, "--capture=no", ARENA)
    return f"{proof.python_tests(output)} tests, {proof.python_kills(output)} random kills"


@job
def cuda_python() -> str:
    """The Python tests of pinned memory and transfers, on the stand-in for the driver."""
    return f"{proof.python_tests(run(*PYTEST, CUDA))} tests"


@job
def gate() -> str:
    """The self-tests of these jobs: each check must see a planted fault."""
    output = run(*PYTEST, ".ci")
    return f"{proof.python_tests(output)} tests"


@job
def skeleton() -> str:
    """What `make new-kernel` writes, in a copy of the tree."""
    return skeleton_check.prove(ROOT, PYTHON, run)


@job
def torch() -> str:
    """The wheel in Debian's Python, on the memory of its torch's tensors."""
    absent = torch_check.absent()
    if absent:
        debian = " ".join(f"python3-{name}" for name in absent)
        raise AbsentError(f"{', '.join(absent)} of Debian (`apt install {debian}`)")
    return torch_check.prove(ROOT, PYTHON, run)


@job
def fmt() -> str:
    """Rust formatting."""
    for manifest in MANIFESTS:
        run("cargo", "fmt", "--all", "--check", f"--manifest-path={manifest}")
    return f"{len(MANIFESTS)} manifests"


@job
def clippy() -> str:
    """Rust lints, warnings denied, also in the crates outside the workspace."""
    strict = ("--", "-Dwarnings")
    run("cargo", "clippy", "--release", "--workspace", "--all-targets", *strict)
    run("cargo", "clippy", "--release", *KERNELS_ONLY, "--no-default-features", *strict)
    for features in ((), ("--features=cuda",)):
        run("cargo", "clippy", "--release", *ARENA_ONLY, *features, "--all-targets", *strict)
    run("cargo", "clippy", "--release", "--all-targets", *strict, cwd=FUZZ)
    # The host build of the image: the same cases, with the host's report.
    host = f"--target={firmware_image.host()}"
    run("cargo", "clippy", "--release", host, *strict, cwd=FIRMWARE)
    return "workspace, kernels without features, arena without and with CUDA, fuzz, firmware"


@job
def ruff() -> str:
    """Python lints and formatting, here and in the package."""
    run(VENV / "bin/ruff", "check")
    return run(VENV / "bin/ruff", "format", "--check").strip()


@job
def mypy() -> str:
    """Python types, and the stubs beside the module that they describe."""
    config = "pybind/pyproject.toml"
    checked = run(PYTHON, "-m", "mypy", "--config-file", config, "pybind/python", ".ci", "docs")
    unseen = ("--allowlist", ".ci/stubtest.txt", "--ignore-unused-allowlist")
    stubtest = ("mypy.stubtest", "--mypy-config-file", config, *unseen, "passband")
    stubs = run(PYTHON, "-m", *stubtest)
    return "; ".join(text.strip().splitlines()[-1] for text in (checked, stubs))


@job
def licences() -> str:
    """The licences of all Rust dependencies."""
    total = 0
    for manifest in MANIFESTS:
        faults, count = licence_check.refused(manifest)
        if faults:
            raise proof.ProofError("; ".join(faults))
        total += count
    return f"{total} packages"


@job
def docs() -> str:
    """The book with its generated tables, and the Rust reference."""
    for program, page in (("kernel-list", "kernels.md"), ("accuracy", "accuracy.md")):
        printed = subprocess.run(
            ["cargo", "run", "--quiet", "--release", *BENCHES_ONLY, f"--bin={program}"],
            check=True,
            capture_output=True,
            text=True,
        )
        (ROOT / "docs/pages" / page).write_text(printed.stdout)
    run(PYTHON, "docs/tables.py")
    # The theme would advertise its successor.
    quiet = {"NO_MKDOCS_2_WARNING": "1"}
    run(VENV / "bin/mkdocs", "build", "--strict", "--config-file=docs/mkdocs.yml", env=quiet)
    strict = {"RUSTDOCFLAGS": "-Dwarnings"}
    for features in ("--all-features", "--no-default-features"):
        run("cargo", "doc", "--no-deps", *KERNELS_ONLY, features, env=strict)
    run("cargo", "doc", "--no-deps", *ARENA_ONLY, "--features=cuda", env=strict)
    pages = list((ROOT / "target/site").rglob("index.html"))
    if not pages:
        raise proof.ProofError("the book has no pages")
    return f"{len(pages)} pages in target/site"


@job
def no_std() -> str:
    """The kernels for a bare Cortex-M4, with and without an allocator."""
    thumb = _thumb()
    env = {**thumb.env, "CARGO_TARGET_DIR": str(ROOT / "target/bare")}
    for features in ((), ("--features=alloc",)):
        build = thumb.command("build", "--release", *KERNELS_ONLY, *features, std="core,alloc")
        run(*build, env=env)
    return f"{toolchain.TARGET} by {thumb.name}, with and without alloc"


@job
def firmware() -> str:
    """The firmware image: it links without panics, runs, and agrees with the host."""
    if not shutil.which("qemu-system-arm"):
        raise AbsentError("qemu-system-arm")
    return firmware_image.prove(FIRMWARE, _thumb(), run)


@job
def fuzz() -> str:
    """Each fuzz target for SECONDS (20); those with a planted fault must find it."""
    if not shutil.which("cargo-fuzz"):
        raise AbsentError("cargo-fuzz (`cargo install --locked cargo-fuzz`)")
    # The flags of the fuzzer are unstable; this lets a stable compiler take them.
    env = {"RUSTC_BOOTSTRAP": "1"}
    # The kernels have no unsafe code for a sanitizer to watch, and are thrice as fast without.
    quick = ("--sanitizer=none",)
    limit = f"-max_total_time={os.environ.get('SECONDS', '20')}"
    run("cargo", "fuzz", "build", *quick, env=env)
    fuzzing = {
        target: ("cargo", "fuzz", "run", *quick, target, "--", limit)
        for target in run("cargo", "fuzz", "list").split()
    }
    planted = [target for target in fuzzing if target.startswith("planted_")]
    sound = [target for target in fuzzing if target not in planted]
    ran = []
    for target, output in zip(sound, run_all([(fuzzing[t], env) for t in sound]), strict=True):
        ran.append(f"{target} {proof.fuzz_runs(output)} inputs")
    for target in planted:
        output = _output_of_failure(*fuzzing[target], env=env)
        ran.append(f"{target} {proof.fault_found(target, output)}")
    return ", ".join(ran)


@job
def loom() -> str:
    """The arena's protocol in every order with few preemptions; planted faults must be found."""
    env = {"RUSTFLAGS": "--cfg loom", "CARGO_TARGET_DIR": str(ROOT / "target/loom")}
    test = ("cargo", "test", "--release", *ARENA_ONLY, "--lib")
    ran = [proof.models(run(*test, "models::", "--", "--nocapture", env=env))]
    for fault, model in PLANTED_IN_MODELS.items():
        planted = {**env, "PASSBAND_PLANTED": fault}
        output = _output_of_failure(*test, f"models::{model}", "--", "--nocapture", env=planted)
        ran.append(f"{fault} {proof.fault_found(fault, output)}")
    return ", ".join(ran)


@job
def bench() -> str:
    """Each bench once, as a test."""
    output = run("cargo", "bench", "--package=passband-benches", "--", "--test")
    return f"{proof.bench_tests(output)} benches"


@job
def miri() -> str:
    """Unit tests of the kernels, and threads over arenas, under a nightly toolchain's Miri."""
    has = subprocess.run(
        ["cargo", "+nightly", "miri", "--version"], capture_output=True, check=False
    )
    if has.returncode:
        raise AbsentError("Miri (`rustup +nightly component add miri rust-src`)", excused=True)
    test = ("cargo", "+nightly", "miri", "test", *KERNELS_ONLY, "--lib", "--all-features", "--")
    # The mathematics is left out: thousands of evaluations, and no memory to misuse.
    families = ("chain::", "demod::", "detect::", "filter::", "sample::", "simd::", "source::")
    # `sync::loop_filter::` has that name, too; designs by square roots are assembly in libm.
    others = ("sync::", "filter::deemphasis::", "filter::hilbert::")
    command = (*test, *families, *(f"--skip={other}" for other in others))
    # Miri reports AVX2 as absent unless it is compiled in.
    flags = [{"RUSTFLAGS": f"-Ctarget-feature={features}"} for features in ("", MIRI_AVX2)]
    plain, avx2 = map(proof.rust_tests, run_all([(command, env) for env in flags]))
    ran = [f"{plain} tests, {avx2} tests with AVX2"]
    arena = ("cargo", "+nightly", "miri", "test", *ARENA_ONLY)
    # The system's calls take addresses, not pointers.
    env = {"MIRIFLAGS": "-Zmiri-permissive-provenance"}
    output = run(*arena, "--lib", "--test=heap", env=env)
    ran.append(f"arena {proof.rust_tests(output)} tests")
    output = _output_of_failure(*arena, *PLANTED_RACE, env=env)
    return ", ".join([*ran, f"race {proof.fault_found('miri', output)}"])


@job
def tsan() -> str:
    """Threads over arenas under ThreadSanitizer, where nightly can build its own library."""
    if not toolchain.nightly_has_sources():
        raise AbsentError(
            "sources of nightly's std (`rustup +nightly component add rust-src`)", excused=True
        )
    # A library that the sanitizer does not see into would look like races.
    build = ("-Zbuild-std", f"--target={firmware_image.host()}")
    test = ("cargo", "+nightly", "test", *build, *ARENA_ONLY)
    env = {"RUSTFLAGS": "-Zsanitizer=thread", "CARGO_TARGET_DIR": str(ROOT / "target/tsan")}
    output = run(*test, "--test=heap", env=env)
    ran = f"{proof.rust_tests(output)} tests"
    output = _output_of_failure(*test, *PLANTED_RACE, env=env)
    return f"{ran}, race {proof.fault_found('tsan', output)}"


def _output_of_failure(*command: str, env: Mapping[str, str]) -> str:
    try:
        return run(*command, env=env, show=False)
    except subprocess.CalledProcessError as error:
        return str(error.output)


def _thumb() -> toolchain.Toolchain:
    found = toolchain.thumb()
    if found is None:
        raise AbsentError(f"a toolchain for {toolchain.TARGET} ({toolchain.HOW_TO_GET_ONE})")
    return found
