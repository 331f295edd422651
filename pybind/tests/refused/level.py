"""What meters refuse."""

from refused import Row

WRONG: list[Row] = [
    ("LevelMeter(full_scale=0)", ValueError, "full_scale: expected a finite number above 0, given"),
    ("LevelMeter(full_scale=NAN)", ValueError, "full_scale: expected .*, given nan"),
    ("LevelMeter(full_scale=1e39)", ValueError, "full_scale: expected .*, given 1e39"),
    ("LevelMeter(full_scale=2, dtype='q15')", ValueError, "full_scale: expected at most 1.0"),
    ("LevelMeter(dtype='int16')", TypeError, "dtype: expected one of .*, given 'int16'.*'q15'"),
    ("PowerAverager(dtype='q15')", TypeError, "dtype: expected one of .*, given 'q15'"),
]
