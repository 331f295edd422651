"""What arithmetic of codes refuses."""

from refused import Row

WRONG: list[Row] = [
    ("fixed.shift([1], 0.5)", TypeError, r"bits: expected an integer, given 0\.5 \(float\)"),
    ("fixed.add(np.uint8([1]), [1])", TypeError, "a: expected dtype=q15 .int16 codes., q7 .*uint8"),
    ("fixed.add([0.5], [0.5])", TypeError, "a: expected dtype=q15 .int16 codes., q7 .*float64"),
]
