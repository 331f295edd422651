"""The command line ``passband`` (also ``python -m passband``)."""

from __future__ import annotations

import argparse
import math
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from typing import NoReturn

from passband.arena import PeerDied
from passband.io import FORMATS, Recording, RecordingError, digits, printable
from passband.isolate import Cost
from passband.outputs import STOP_SIGNALS, burst_rows, writing
from passband.plan import DEMODULATORS, MAX_FACTOR, Level, ReceiveError, Setup, decibels
from passband.receive import Summary, receive

OFF_BELOW_ON_DB = 3.0
SHOWN_BURSTS = 20

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_OPTIONAL = ("matplotlib", "scipy", "soundfile", "tqdm")

_DESCRIPTION = f"""\
Receive a recording: shift its spectrum, decimate, demodulate, detect bursts.

The file is read in blocks, in constant memory whatever its size. The bursts are
printed; --audio, --records and --plot write files, which appear when all is
done, and not at all when something fails.

thresholds: --detect ON[:OFF]
  A burst begins with the first decimated sample whose power |x|^2 reaches ON,
  and ends when the power has stayed below OFF for longer than --hang.
  Levels are in dB over the noise floor, which is the median power of the first
  100 ms (of four million samples at most), or absolute with the suffix dBFS:
  0 dBFS is |x|^2 = 1. Unless given, OFF is {OFF_BELOW_ON_DB:g} dB below ON. IQ noise alone
  reaches 12 dB over its median about twenty times in a million samples and
  15 dB hardly ever; real noise reaches 15 dB a hundred and fifty times and
  20 dB hardly ever. So 15 to 20 are good values for ON.

demodulators: --demod, for --audio
  fm    the frequency; full scale is a deviation of half the decimated rate
  am    the magnitude, carrier included; full scale is 1
  none  the decimated samples themselves; IQ makes a WAV of two channels
"""

_EXAMPLES = """\
examples:
  passband receive capture.cu8 --rate 250k --detect 20 --hang 1ms \\
      --records bursts.csv --plot bursts.png
  passband receive band.cs16 --rate 2M --shift -300k --decimate 8 --audio fm.wav
      (the station at +300 kHz: the shift brings it to 0)
  passband receive band.sigmf-meta --decimate 16 --demod none --audio narrow.wav
  passband receive geophone.wav --detect -20dBFS:-26dBFS --hang 500ms \\
      --records events.json
"""


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Exit with status 2."""
        self.exit(2, f"{self.prog}: {printable(message)}\n")


def frequency(text: str) -> float:
    """Read ``2M``, ``150k``, ``433.92MHz`` or ``48000`` as hertz."""
    return _quantity(
        text,
        {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9},
        "(?:Hz)?",
        "a frequency such as 48000, 150k or 2M",
    )


def duration(text: str) -> float:
    """Read ``1ms``, ``20us`` or ``0.5`` as seconds."""
    return _quantity(
        text, {"": 1.0, "m": 1e-3, "u": 1e-6}, "s?", "a time such as 1ms, 20us or 0.5s"
    )


def _quantity(text: str, prefixes: dict[str, float], unit: str, expected: str) -> float:
    match = re.fullmatch(rf"({_NUMBER})([{''.join(prefixes)}]?){unit}", text)
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r}: expected {expected}")
    return float(match[1]) * prefixes[match[2]]


def factor(text: str) -> int:
    """Read a whole number."""
    if not re.fullmatch(r"\d{1,9}", text):
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected a whole number from 1 to {MAX_FACTOR:,}"
        )
    return int(text)


def levels(text: str) -> tuple[Level, Level]:
    """Read ``ON`` or ``ON:OFF``, in dB over the noise floor or with the suffix dBFS absolute."""
    match = re.fullmatch(rf"({_NUMBER})(dB|dBFS)?(?::({_NUMBER})(dB|dBFS)?)?", text)
    if not match:
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected ON or ON:OFF such as 20, 20:14 or -20dBFS:-26dBFS"
        )
    on = Level(float(match[1]), match[2] == "dBFS")
    off = (
        Level(float(match[3]), match[4] == "dBFS")
        if match[3]
        else Level(on.db - OFF_BELOW_ON_DB, on.absolute)
    )
    if max(abs(on.db), abs(off.db)) > 200:
        raise argparse.ArgumentTypeError(f"{text!r}: expected levels of at most 200 dB")
    if off.absolute == on.absolute and off.db > on.db:
        raise argparse.ArgumentTypeError(f"{text!r}: OFF must not be above ON")
    return on, off


def parser() -> argparse.ArgumentParser:
    """Build the grammar of the command line."""
    top = Parser(prog="passband", description="Signal processing on recordings.")
    top.add_argument("--version", action="version", version=f"passband {version('passband')}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    receive = commands.add_parser(
        "receive",
        help="shift, decimate, demodulate, detect bursts",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    receive.add_argument("file", metavar="FILE", help="the recording")
    add = receive.add_argument_group("input").add_argument
    add(
        "--format",
        choices=FORMATS,
        help="format of FILE (default: its ending); a WAV is IQ when it has two channels",
    )
    add(
        "--rate",
        type=frequency,
        metavar="R",
        help="sample rate, e.g. 2M; required for cu8, cs8, cs16 and cf32; that of a WAV or SigMF "
        "file is in it, and R takes its place",
    )
    add = receive.add_argument_group("signal path").add_argument
    add(
        "--shift",
        type=frequency,
        metavar="F",
        default=0.0,
        help="move the spectrum up by F, e.g. 150k or -1.2M: 150k receives what lies at -150 kHz",
    )
    add(
        "--decimate",
        type=factor,
        metavar="N",
        default=1,
        help="divide the rate by N, behind a low-pass (default 1)",
    )
    add(
        "--demod",
        choices=DEMODULATORS,
        help="demodulator of --audio (default: fm for IQ, none for real samples)",
    )
    add(
        "--detect",
        type=levels,
        metavar="ON[:OFF]",
        help="detect bursts, e.g. 20, 20:14, -20dBFS or -20dBFS:-26dBFS",
    )
    add(
        "--hang",
        type=duration,
        metavar="T",
        default=0.0,
        help="bridge gaps of up to T in a burst, e.g. 1ms; seconds without a unit (default 0)",
    )
    add = receive.add_argument_group("output").add_argument
    add("--audio", metavar="WAV", help="write the demodulated signal, 16 bits")
    add(
        "--audio-rate",
        type=frequency,
        metavar="R",
        help="audio rate, any from 1/1024 of the decimated one on (default: 48k)",
    )
    add(
        "--records",
        metavar="FILE",
        help="write the bursts, as .csv or .json: times in samples and seconds, powers",
    )
    add(
        "--plot",
        metavar="FILE",
        help="draw spectrogram, bursts and power over time, as .png, .svg or .pdf",
    )
    add = receive.add_argument_group("processes").add_argument
    add(
        "--isolate",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="read, shift, decimate and demodulate in a worker process; detect and write in this "
        "one, from the memory that the worker's kernels wrote; the results are the same",
    )
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status.

    It is 0, or 2 with one line on stderr for what the user can mend.
    """
    stopped: list[int] = []

    def stop(number: int, _: object) -> NoReturn:
        stopped.append(number)
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        sys.exit(128 + number)

    if argv is None:
        argv = sys.argv[1:]
        # so that a terminated run cleans up behind itself as one that is interrupted does
        for kind in STOP_SIGNALS:
            if signal.getsignal(kind) in (signal.SIG_DFL, signal.default_int_handler):
                signal.signal(kind, stop)
    arguments = parser().parse_args(_join_negative(argv))
    setup = Setup(
        shift=arguments.shift,
        decimate=arguments.decimate,
        demod=arguments.demod,
        audio_rate=arguments.audio_rate,
        detect=arguments.detect,
        hang=arguments.hang,
    )
    outputs = [arguments.audio, arguments.records, arguments.plot]
    summary = None
    try:
        with ExitStack() as stack:
            summary = receive(
                arguments.file,
                setup,
                format=arguments.format,
                rate=arguments.rate,
                audio=arguments.audio,
                records=arguments.records,
                plot=arguments.plot,
                isolate=arguments.isolate,
                note=_say,
                progress=lambda recording: stack.enter_context(progress_bar(recording)),
            )
        _print([*report(summary), *(f"wrote {name}" for name in outputs if name)])
    except (RecordingError, ReceiveError, PeerDied, OSError) as error:
        _say(str(error))
        return 2
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _OPTIONAL:
            raise
        _say(f"needs {package}, which is not installed: pip install 'passband[cli]'")
        return 2
    except KeyboardInterrupt:
        _say("interrupted" if summary else "interrupted; nothing was written")
        return 128 + signal.SIGINT
    except Exception:
        # a module that a signal meets while it is imported may raise another error for it
        if not stopped:
            raise
        return 128 + stopped[0]
    return 0


@contextmanager
def progress_bar(recording: Recording) -> Iterator[Callable[[int], object]]:
    """Show a bar on stderr while a recording is received, where that is a terminal."""
    from tqdm import tqdm

    with tqdm(total=recording.length, unit="S", unit_scale=True, disable=None, leave=False) as bar:
        yield bar.update


def report(summary: Summary) -> list[str]:
    """Say what a run found, in lines."""
    recording, detection = summary.recording, summary.detection
    kind = "IQ" if recording.iq else "real"
    lines = [
        f"{recording.path}: {recording.format}, {kind}, {recording.length:,} samples "
        f"at {digits(recording.rate)} Hz, {recording.seconds:.6g} s"
    ]
    if summary.cost:
        lines.append(cost_line(summary.cost))
    if math.isnan(detection.on):
        return lines
    powers = {"noise floor": detection.floor, "on": detection.on, "off": detection.off}
    levels = ", ".join(
        f"{name} {decibels(power):.1f} dBFS"
        for name, power in powers.items()
        if not math.isnan(power)
    )
    count = summary.burst_count
    lines.append(f"{levels}: {count:,} burst{'' if count == 1 else 's'}")
    if count:
        lines.append("     start s       stop s    length ms   peak dBFS   mean dBFS")
    for row in burst_rows(summary.bursts[:SHOWN_BURSTS], recording.rate):
        length = 1e3 * (row["stop_s"] - row["start_s"])
        peak_mean = f"{row['peak_dbfs']:12.1f}{row['mean_dbfs']:12.1f}"
        lines.append(f"{row['start_s']:12.6f} {row['stop_s']:12.6f} {length:12.3f}{peak_mean}")
    if count > SHOWN_BURSTS:
        lines.append(f"... and {count - SHOWN_BURSTS:,} more")
    return lines


def cost_line(cost: Cost) -> str:
    """Say what a worker process took."""
    return (
        f"worker: {cost.moved:,} bytes moved through shared memory, {cost.copied:,} copied; "
        f"CPU {cost.worker_seconds:.2f} s in it, {cost.own_seconds:.2f} s in this process"
    )


def _say(message: str) -> None:
    print(f"passband: {printable(message)}", file=sys.stderr)


def _print(lines: Sequence[str]) -> None:
    """Print on stdout; a reader that has gone away is no error, a full disk is."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    text = "\n".join(map(printable, lines))
    try:
        with writing("standard output"):
            print(text.encode(encoding, "backslashreplace").decode(encoding), flush=True)
    except OSError as error:
        # what is still in the buffer would fail again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error.__cause__, BrokenPipeError):
            raise


def _join_negative(argv: Sequence[str]) -> list[str]:
    """Write ``--shift -150k`` as ``--shift=-150k``: argparse would take the value for an option."""
    joined: list[str] = []
    for word in argv:
        if re.match(r"-\.?\d", word) and joined and re.fullmatch(r"--[a-z-]+", joined[-1]):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined
