"""Arrays that share memory share it again, and bring no more of it than they cover."""

import numpy as np
from trips import POOL, Trip, everywhere, sizes


@everywhere
def test_read_only_arrays_stay_so(trip: Trip) -> None:
    base = np.arange(6000.0)
    frozen = base[:3000]
    frozen.flags.writeable = False
    few = np.arange(3)
    few.flags.writeable = False
    there = trip([base, frozen, few, np.frombuffer(b"x" * 5000, "u1")])
    assert [array.flags.writeable for array in there] == [True, False, False, False]
    there[0][0] = 9
    assert there[1][0] == 9


@everywhere
def test_one_array_twice_is_one_array(trip: Trip) -> None:
    array = np.arange(6000.0)
    few = np.arange(3)
    there = trip({"a": array, "list": [array, few, {"few": few}]})
    assert there["a"] is there["list"][0]
    assert there["list"][1] is there["list"][2]["few"]


@everywhere
def test_views_of_one_base_are_views_of_one_base_again(trip: Trip) -> None:
    base = np.arange(6000.0)
    given = [
        base[5:3000],
        base[::-2],
        base.reshape(60, 100).T,
        base,
        base[10:13],
        base.view("u8")[100],
        base.view("u4")[1:],
        memoryview(base)[4000:],
    ]
    assert sizes(given) == [base.nbytes]
    there = trip(given)
    there[3][...] = np.arange(7, 6007.0)
    base[...] = np.arange(7, 6007.0)
    for one, other in zip(there, given, strict=True):
        if not isinstance(other, np.uint64):
            assert np.array_equal(one, other)


@everywhere
def test_views_that_overlap_without_their_base(trip: Trip) -> None:
    base = np.arange(1_000_000.0)
    given = [base[5000:8000], base[7000:9000], base[100:200]]
    assert sizes(given) == [4000 * 8]
    there = trip(given)
    there[1][500] = -1
    assert there[0][2500] == -1
    assert np.array_equal(there[2], given[2])


@everywhere
def test_few_bytes_alias_as_well(trip: Trip) -> None:
    few = np.arange(10)
    there = trip([few[:5], few, few[::2]])
    there[1][4] = 99
    assert there[0][4] == there[2][2] == 99


def test_a_small_view_does_not_bring_its_base() -> None:
    base = np.zeros((1000, 1000))
    assert sizes([base[3], base[500, ::2]]) == [8000]
    assert sizes(base[500:501, :600]) == [4800]
    columns = [base[:, 0], base[:, 7], base[:, 500:503]]
    assert sorted(sizes(columns)) == [8000, 8000, 24000]
    assert sizes(list(base.T)) == [base.nbytes]


def test_columns_that_touch_each_other_stay_together() -> None:
    base = np.arange(60_000.0).reshape(600, 100)
    there = POOL([base[:, 0:5], base[:, 4:9], base[:, 50]])
    there[0][:, 4] = -1
    assert (there[1][:, 0] == -1).all()
    assert np.array_equal(there[2], base[:, 50])


def test_columns_and_rows_are_told_apart_by_all_of_their_steps() -> None:
    base = np.arange(1_000_000.0).reshape(2000, 500)
    every_8th = [base[:, column] for column in range(0, 500, 8)]
    assert sizes(every_8th) == [16_000] * 63
    halves = [base[::2, 3], base[1::2, 3], base[:, 5], base[:1000, 7], base[1000:, 7]]
    assert sorted(sizes(halves)) == [8000] * 4 + [16_000]
    base = base[:100]
    given = [base[::2, 3], base[::3, 3], base[1::6, 3], base[:, 4]]
    there = POOL(given)
    there[0][3] = -1
    assert [there[n].tolist().count(-1) for n in range(4)] == [1, 1, 0, 0]


def test_blocks_that_reach_into_the_next_row_are_not_missed() -> None:
    base = np.arange(60_000.0).reshape(600, 100)
    over = np.lib.stride_tricks.as_strided(base[:, 98:], (599, 4), base.strides)
    there = POOL([base[:, 1], over, base[:, 50], base[:, 3]])
    there[1][0, 3] = -1
    assert there[0][1] == -1
    assert np.array_equal(there[2], base[:, 50])
    assert sorted(sizes([base[:, 1], over, base[:, 50]]))[0] == 4800


@everywhere
def test_what_was_aligned_stays_aligned(trip: Trip) -> None:
    octets = np.zeros(9000, "u1")
    start = -octets.__array_interface__["data"][0] % 64
    given = [octets[start + 1 : start + 5000], octets[start + 8 : start + 8008].view("f8")]
    there = trip(given)
    assert there[1].flags.aligned
    there[0][7] = 1
    assert there[1][0] != 0


def test_units_are_sent_on_from_one_arena_to_the_next() -> None:
    first = POOL([np.arange(100_000.0), b"x" * 5000])
    given = [first[0][::100], first[0][5:], first[1]]
    assert sizes([given[0], given[2]]) == [8000, 5000]
    there = POOL(given)
    assert np.array_equal(there[0], np.arange(0, 100_000.0, 100))
    there[1][95] = -1
    assert there[0][1] == -1
    assert there[2] == b"x" * 5000
