//! A window of numbers in two heaps, whose tops are the numbers in the middle.
//!
//! Places `0..lower` of the nodes hold a heap of the lower half, largest on top, and those from `lower`
//! on one of the upper half, smallest on top; of an odd number the lower half has one more. A place
//! holds a number and names its node, and a node knows its place.

/// A place in the heaps, and where a number of the window is.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The number at the place of this index, as an integer of the same order.
    key: i64,
    /// The node of that number.
    occupant: u32,
    /// The place of the node of this index.
    place: u32,
}

impl Node {
    pub(super) const ZERO: Self = Self { key: 0, occupant: 0, place: 0 };
}

/// What stands for every NaN, above all numbers.
pub(super) const NAN: i64 = i64::MAX;

/// An integer with the order of numbers, -0 below 0.
#[inline(always)]
pub(super) fn key_of(x: f64) -> i64 {
    if x.is_nan() { NAN } else { ordered(x.to_bits().cast_signed()) }
}

/// The number of a key.
#[inline(always)]
pub(super) fn from_key(key: i64) -> f64 {
    f64::from_bits(ordered(key).cast_unsigned())
}

/// Turns the order of negative numbers, whose bits count magnitudes, and back.
#[inline(always)]
const fn ordered(bits: i64) -> i64 {
    bits ^ ((bits >> 63) & i64::MAX)
}

/// One half of the window.
#[derive(Clone, Copy)]
struct Heap {
    start: usize,
    end: usize,
    /// All ones where the largest is on top: the complement has the reverse order.
    turn: i64,
}

#[inline(always)]
fn halves(nodes: &[Node]) -> [Heap; 2] {
    let (lower, end) = (nodes.len().div_ceil(2), nodes.len());
    [Heap { start: 0, end: lower, turn: -1 }, Heap { start: lower, end, turn: 0 }]
}

/// Fills a window with zeros.
pub(super) const fn start(nodes: &mut [Node]) {
    let mut i = 0;
    while i < nodes.len() {
        nodes[i] = Node { key: 0, occupant: i as u32, place: i as u32 };
        i += 1;
    }
}

/// The keys in the middle, the lower and the upper one; of an odd number both are the same.
#[inline(always)]
pub(super) fn middle(nodes: &[Node]) -> [i64; 2] {
    let [lower, upper] = halves(nodes);
    let low = key_at(nodes, lower.start).unwrap_or_default();
    let high = if nodes.len().is_multiple_of(2) { key_at(nodes, upper.start) } else { None };
    [low, high.unwrap_or(low)]
}

/// The key of a node.
pub(super) fn key(nodes: &[Node], index: usize) -> Option<i64> {
    key_at(nodes, nodes.get(index)?.place as usize)
}

/// Gives a node another key and mends the heaps; the key that was there.
#[inline(always)]
pub(super) fn replace(nodes: &mut [Node], index: usize, key: i64) -> Option<i64> {
    let place = nodes.get(index)?.place as usize;
    let old = core::mem::replace(&mut nodes.get_mut(place)?.key, key);
    let [lower, upper] = halves(nodes);
    let heap = if place < lower.end { lower } else { upper };
    if !heap.rise(nodes, place)? {
        heap.sink(nodes, place)?;
    }
    // At most one number is in the wrong half, and then on top of it.
    if let (Some(low), Some(high)) = (key_at(nodes, lower.start), key_at(nodes, upper.start))
        && low > high
    {
        exchange(nodes, lower.start, upper.start)?;
        lower.sink(nodes, lower.start)?;
        upper.sink(nodes, upper.start)?;
    }
    Some(old)
}

impl Heap {
    /// Exchanges a node with those above it that belong below; whether there were any.
    #[inline(always)]
    fn rise(self, nodes: &mut [Node], mut place: usize) -> Option<bool> {
        let first = place;
        while place > self.start {
            let above = self.start + (place - self.start - 1) / 2;
            if self.rank(nodes, above)? <= self.rank(nodes, place)? {
                break;
            }
            exchange(nodes, above, place)?;
            place = above;
        }
        Some(place < first)
    }

    /// Exchanges a node with those below it that belong above.
    #[inline(always)]
    fn sink(self, nodes: &mut [Node], mut place: usize) -> Option<()> {
        loop {
            let mut below = 2 * place - self.start + 1;
            if below >= self.end {
                return Some(());
            }
            // Which of the two is not to be foreseen: no branch.
            let other = (below + 1).min(self.end - 1);
            below += usize::from(self.rank(nodes, other)? < self.rank(nodes, below)?);
            if self.rank(nodes, place)? <= self.rank(nodes, below)? {
                return Some(());
            }
            exchange(nodes, place, below)?;
            place = below;
        }
    }

    /// What is less nearer to the top.
    #[inline(always)]
    fn rank(self, nodes: &[Node], place: usize) -> Option<i64> {
        Some(key_at(nodes, place)? ^ self.turn)
    }
}

#[inline(always)]
fn key_at(nodes: &[Node], place: usize) -> Option<i64> {
    Some(nodes.get(place)?.key)
}

/// Exchanges what is at two places.
#[inline(always)]
fn exchange(nodes: &mut [Node], a: usize, b: usize) -> Option<()> {
    let (at_a, at_b) = (*nodes.get(a)?, *nodes.get(b)?);
    let put = |nodes: &mut [Node], place: usize, from: Node| {
        let to = nodes.get_mut(place)?;
        (to.key, to.occupant) = (from.key, from.occupant);
        nodes.get_mut(from.occupant as usize)?.place = place as u32;
        Some(())
    };
    put(nodes, a, at_b)?;
    put(nodes, b, at_a)
}
