"""Recordings read block by block: values, formats, and what is refused."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray
from passband.io import RecordingError, Samples, open_recording

Opening = tuple[Path, dict[str, Any]]

IQ_CODES: dict[str, tuple[NDArray[Any], Callable[[NDArray[Any]], NDArray[Any]]]] = {
    "cu8": (np.arange(256, dtype="u1"), lambda codes: (codes.astype(float) - 127.5) / 128),
    "cs8": (np.arange(-128, 128).astype("i1"), lambda codes: codes.astype(float) / 128),
    "cs16": (
        np.linspace(-32768, 32767, 256).astype("<i2"),
        lambda codes: codes.astype(float) / 32768,
    ),
    "cf32": (np.linspace(-1.5, 1.5, 256).astype("<f4"), lambda codes: codes.astype(float)),
}


def read(path: Path, size: int = 1 << 18, **options: Any) -> Samples:
    """All samples of a recording, read in blocks of ``size``."""
    return np.concatenate(list(open_recording(path, **options).blocks(size)))


def write_sigmf(folder: Path, codes: NDArray[Any], meta: dict[str, Any] | str) -> Path:
    """A SigMF pair; returns the path of its metadata."""
    codes.tofile(folder / "r.sigmf-data")
    path = folder / "r.sigmf-meta"
    path.write_text(meta if isinstance(meta, str) else json.dumps(meta))
    return path


@pytest.mark.parametrize("format", IQ_CODES)
def test_raw_codes_become_iq_of_full_scale_one(tmp_path: Path, format: str) -> None:
    codes, value = IQ_CODES[format]
    path = tmp_path / f"r.{format}"
    codes.tofile(path)
    recording = open_recording(path, rate=2e6)
    assert (recording.format, recording.rate, recording.iq, recording.length) == (
        format,
        2e6,
        True,
        128,
    )
    samples = read(path, rate=2e6)
    assert samples.dtype == np.complex64
    np.testing.assert_array_equal(samples.view(np.float32), value(codes).astype(np.float32))


@pytest.mark.parametrize("size", [1, 3, 127, 128, 129])
@pytest.mark.parametrize("format", IQ_CODES)
def test_blocks_have_the_asked_size_and_the_same_samples(
    tmp_path: Path, format: str, size: int
) -> None:
    path = tmp_path / f"r.{format}"
    IQ_CODES[format][0].tofile(path)
    blocks = list(open_recording(path, rate=1.0).blocks(size))
    assert [len(block) for block in blocks[:-1]] == [size] * (len(blocks) - 1)
    np.testing.assert_array_equal(np.concatenate(blocks), read(path, rate=1.0))


def test_blocks_do_not_share_memory(tmp_path: Path) -> None:
    for format, (codes, _) in IQ_CODES.items():
        path = tmp_path / f"r.{format}"
        codes.tofile(path)
        first, second = list(open_recording(path, rate=1.0).blocks(64))
        assert not np.shares_memory(first, second)


@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("subtype", ["PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT"])
def test_wav_of_one_channel_is_real_and_of_two_is_iq(
    tmp_path: Path, subtype: str, channels: int
) -> None:
    path = tmp_path / "r.wav"
    values = np.linspace(-1, 0.99, 100 * channels).reshape(100, channels)
    soundfile.write(path, values, 48000, subtype=subtype)
    recording = open_recording(path)
    assert (recording.rate, recording.iq, recording.length) == (48000, channels == 2, 100)
    samples = read(path, size=33)
    assert samples.dtype == (np.complex64 if channels == 2 else np.float32)
    step = {"PCM_U8": 2**-7, "PCM_16": 2**-15, "PCM_24": 2**-23, "PCM_32": 2**-31, "FLOAT": 0}[
        subtype
    ]
    expected = values.astype(np.float32).ravel()
    np.testing.assert_allclose(samples.view(np.float32), expected, rtol=0, atol=step + 2**-24)


SIGMF_TYPES = {
    "cu8": ("u1", 128, 127.5),
    "ru8": ("u1", 128, 128),
    "ci8": ("i1", 128, 0),
    "ri8": ("i1", 128, 0),
    "ci16_le": ("<i2", 32768, 0),
    "ri16_le": ("<i2", 32768, 0),
    "ci16_be": (">i2", 32768, 0),
    "cf32_le": ("<f4", 1, 0),
    "rf32_le": ("<f4", 1, 0),
    "cf32_be": (">f4", 1, 0),
}


@pytest.mark.parametrize("datatype", SIGMF_TYPES)
@pytest.mark.parametrize("named", [".sigmf-meta", ".sigmf-data"])
def test_sigmf_says_type_rate_and_center(tmp_path: Path, datatype: str, named: str) -> None:
    component, scale, zero = SIGMF_TYPES[datatype]
    codes = np.arange(1, 101).astype(component)
    meta = {
        "global": {"core:datatype": datatype, "core:sample_rate": 250000, "core:version": "1.0.0"},
        "captures": [{"core:sample_start": 0, "core:frequency": 868.3e6}],
        "annotations": [],
    }
    path = write_sigmf(tmp_path, codes, meta).with_suffix(named)
    recording = open_recording(path)
    assert (recording.rate, recording.center, recording.iq) == (250000, 868.3e6, datatype[0] == "c")
    expected = ((np.arange(1, 101) - zero) / scale).astype(np.float32)
    np.testing.assert_array_equal(read(path, size=7).view(np.float32), expected)


def test_a_center_beyond_all_floats_is_none(tmp_path: Path) -> None:
    meta = about() | {"captures": [{"core:frequency": 10**400}]}
    assert open_recording(write_sigmf(tmp_path, np.zeros(5, "u1"), meta)).center is None


def test_a_wav_without_block_align_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.wav"
    soundfile.write(path, np.zeros(100), 8000)
    content = bytearray(path.read_bytes())
    content[32:34] = bytes(2)
    path.write_bytes(content)
    try:
        assert len(read(path)) == 100
    except RecordingError as refusal:
        assert str(path) in str(refusal)


def test_a_wav_in_blocks_of_a_codec_is_read(tmp_path: Path) -> None:
    path = tmp_path / "r.wav"
    soundfile.write(path, np.zeros(1201), 8000, subtype="G721_32")
    assert len(read(path)) >= 1201


@pytest.mark.parametrize("name", [b"r\xff.wav", b"r.raw", b"r"])
def test_the_name_of_a_wav_does_not_matter(tmp_path: Path, name: bytes) -> None:
    path = tmp_path / os.fsdecode(name)
    soundfile.write(os.fsencode(path), np.zeros(100), 8000, format="WAV", subtype="PCM_16")
    assert len(read(path, format="wav")) == 100


def test_a_given_rate_replaces_the_one_in_the_file(tmp_path: Path) -> None:
    meta = write_sigmf(
        tmp_path, np.zeros(4, "u1"), {"global": {"core:datatype": "cu8", "core:sample_rate": 1e6}}
    )
    soundfile.write(tmp_path / "r.wav", np.zeros(4), 8000)
    assert open_recording(meta, rate=2e6).rate == 2e6
    assert open_recording(tmp_path / "r.wav", rate=2e6).rate == 2e6


def test_a_format_that_is_named_goes_before_the_ending(tmp_path: Path) -> None:
    path = tmp_path / "r.cs16"
    np.zeros(6, "u1").tofile(path)
    assert open_recording(path, format="cu8", rate=1.0).length == 3


def raw(name: str, size: int, **options: Any) -> Callable[[Path], Opening]:
    """A file of zeros and the options to open it with."""

    def make(folder: Path) -> Opening:
        (folder / name).write_bytes(bytes(size))
        return folder / name, options

    return make


def wav(cut: int = 0, channels: int = 2, **options: Any) -> Callable[[Path], Opening]:
    """A WAV file that lacks its last bytes."""

    def make(folder: Path) -> Opening:
        soundfile.write(folder / "r.wav", np.zeros((100, channels)), 8000, **options)
        content = (folder / "r.wav").read_bytes()
        (folder / "r.wav").write_bytes(content[: len(content) - cut])
        return folder / "r.wav", {}

    return make


def sigmf(meta: dict[str, Any] | str, **options: Any) -> Callable[[Path], Opening]:
    """A SigMF pair of 5 bytes of data with this metadata."""
    return lambda folder: (write_sigmf(folder, np.zeros(5, "u1"), meta), options)


def half_sigmf(folder: Path) -> Opening:
    """Metadata without data."""
    path = write_sigmf(
        folder, np.zeros(4, "u1"), {"global": {"core:datatype": "cu8", "core:sample_rate": 1}}
    )
    path.with_suffix(".sigmf-data").unlink()
    return path, {}


def about(**fields: Any) -> dict[str, Any]:
    """Metadata of real u8 samples with some fields replaced."""
    return {
        "global": {"core:datatype": "ru8", "core:sample_rate": 1}
        | {f"core:{k}": v for k, v in fields.items()}
    }


REFUSED: dict[str, tuple[Callable[[Path], Opening], str]] = {
    "missing": (lambda folder: (folder / "r.cu8", {"rate": 1.0}), "no such file"),
    "folder": (lambda folder: (folder, {"format": "cu8", "rate": 1.0}), "not a regular file"),
    "empty raw": (raw("r.cu8", 0, rate=1.0), "empty"),
    "empty WAV": (raw("r.wav", 0), "empty"),
    "half a cu8 sample": (raw("r.cu8", 7, rate=1.0), "7 bytes.* 2"),
    "half a cs16 sample": (raw("r.cs16", 6, rate=1.0), "6 bytes.* 4"),
    "three quarters of a cf32 sample": (raw("r.cf32", 14, rate=1.0), "14 bytes.* 8"),
    "unknown ending": (raw("r.bin", 8, rate=1.0), "unknown format.*cu8"),
    "no ending": (raw("r", 8, rate=1.0), "unknown format.*cu8"),
    "unknown format": (raw("r.cu8", 8, format="cs12", rate=1.0), "cs12.*cu8"),
    "no rate": (raw("r.cu8", 8), "sample rate"),
    "rate 0": (raw("r.cu8", 8, rate=0.0), "impossible sample rate 0"),
    "negative rate": (raw("r.cu8", 8, rate=-2e6), "impossible sample rate"),
    "infinite rate": (raw("r.cu8", 8, rate=float("inf")), "impossible sample rate"),
    "absurd rate": (raw("r.cu8", 8, rate=1e30), "impossible sample rate"),
    "rate that is no number": (raw("r.cu8", 8, rate=float("nan")), "impossible sample rate"),
    "no WAV": (raw("r.wav", 100), "not a WAV file"),
    "FLAC named WAV": (wav(format="FLAC"), "FLAC"),
    "half a WAV sample": (wav(cut=3), "397 bytes.* 4"),
    "WAV without samples": (wav(cut=400), "no samples"),
    "WAV of three channels": (wav(channels=3), "3 channels"),
    "lone SigMF metadata": (half_sigmf, "r.sigmf-data: no such file"),
    "SigMF under another name": (raw("r.cu8", 8, format="sigmf"), "sigmf-meta"),
    "SigMF that is no JSON": (sigmf("{"), "not JSON"),
    "SigMF that is a list": (sigmf("[]"), "global"),
    "SigMF without global": (sigmf({}), "global"),
    "SigMF without datatype": (sigmf({"global": {}}), "core:datatype"),
    "SigMF of a type that is not read": (sigmf(about(datatype="cf64_le")), "cf64_le"),
    "SigMF without a rate": (sigmf({"global": {"core:datatype": "ru8"}}), "sample rate"),
    "SigMF with a rate in words": (sigmf(about(sample_rate="fast")), "core:sample_rate"),
    "SigMF with an impossible rate": (sigmf(about(sample_rate=-1)), "impossible sample rate"),
    "SigMF of two channels": (sigmf(about(num_channels=2)), "2 channels"),
    "SigMF with trailing bytes": (sigmf(about(trailing_bytes=1)), "trailers"),
    "SigMF with a rate beyond all floats": (
        sigmf(about(sample_rate=10**400)),
        "impossible sample rate",
    ),
    "SigMF that is nested without end": (sigmf("[" * 100_000), "not JSON"),
    "half a SigMF sample": (sigmf(about(datatype="cu8")), "5 bytes.* 2"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_line_that_names_the_file(tmp_path: Path, case: str) -> None:
    make, expected = REFUSED[case]
    path, options = make(tmp_path)
    with pytest.raises(RecordingError, match=expected) as refusal:
        open_recording(path, **options)
    assert str(path.with_suffix("")) in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["r.cu8", "r.wav"])
def test_a_file_that_shrinks_while_it_is_read_is_an_error(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name == "r.wav":
        soundfile.write(path, np.zeros((100, 2)), 8000)
    else:
        path.write_bytes(bytes(200))
    recording = open_recording(path, rate=1.0)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(RecordingError, match="changed while it was read"):
        list(recording.blocks(10))
