//! Filters of one pole, whose recursion is cut into groups that hardly wait for each other.

use crate::sample::{Float, Sample};
use crate::shape::{Blockwise, InPlace, Kernel, steps_over_copy};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

/// A filter of first order, `y[n] = f(x[n], x[n - 1]) + pole y[n - 1]` with `x[-1] = y[-1] = 0`.
#[derive(Clone, Debug)]
pub struct FirstOrder<X: Float, F> {
    feed: F,
    /// Powers of the pole from 1 to [`GROUP`].
    powers: [f64; GROUP],
    state: State<X>,
}

/// What enters the recursion, which is all that such filters differ in.
pub trait Feed {
    /// The algorithm in snapshots.
    const ID: u16;

    /// Hashes the constructor's arguments.
    fn fingerprint(&self, hash: &mut Fingerprint);

    /// From an input and the one before it.
    fn feed<X: Float>(&self, x: X::Double, last: X::Double) -> X::Double;
}

/// The stream is cut into groups. Within a group the recursion runs as if nothing had been before,
/// and what comes from before is added by powers of the pole, so that groups hardly wait for each
/// other.
#[derive(Clone, Copy, Debug)]
struct State<X: Float> {
    /// The last input.
    x: X,
    /// The output at the end of the last group.
    before: X::Double,
    /// Samples into the present group, and its own recursion.
    position: usize,
    within: X::Double,
}

const GROUP: usize = 8;

/// Outputs below this do not continue.
const SILENCE: f64 = 1e-270;

impl<X: Float> State<X> {
    const NEW: Self = Self { x: X::ZERO, before: X::Double::ZERO, position: 0, within: X::Double::ZERO };
}

impl<X: Float, F> FirstOrder<X, F> {
    /// A filter whose pole lies within the unit circle.
    pub(super) const fn with_pole(feed: F, pole: f64) -> Self {
        let (mut powers, mut n) = ([pole; GROUP], 1);
        while n < GROUP {
            powers[n] = powers[n - 1] * pole;
            n += 1;
        }
        Self { feed, powers, state: State::NEW }
    }
}

impl<X: Float, F: Feed> Snapshot for FirstOrder<X, F> {
    fn kernel_id(&self) -> u32 {
        id::of(F::ID, X::CODE, X::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        self.feed.fingerprint(hash);
    }
    fn payload_len(&self) -> usize {
        8 + size_of::<X>() + 2 * size_of::<X::Double>()
    }
    fn write(&self, to: &mut Writer<'_>) {
        let State { x, before, position, within } = self.state;
        to.u64(position as u64);
        to.samples(&[x]);
        to.samples(&[before, within]);
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let position = usize::try_from(from.u64()?).ok().filter(|position| *position < GROUP)?;
        self.state = State { position, x: from.sample()?, before: from.sample()?, within: from.sample()? };
        Some(())
    }
}

impl<X: Float, F: Feed> Kernel for FirstOrder<X, F> {
    fn reset(&mut self) {
        self.state = State::NEW;
    }
}

impl<X: Float, F: Feed> Blockwise for FirstOrder<X, F> {
    type Input = X;
    type Output = X;

    fn steps(&mut self, x: &[X], out: &mut [X]) -> usize {
        steps_over_copy(self, x, out)
    }
}

impl<X: Float, F: Feed> InPlace for FirstOrder<X, F> {
    fn steps_in_place(&mut self, io: &mut [X]) {
        let Self { feed, powers, state } = self;
        let to_grid = (state.position.wrapping_neg() % GROUP).min(io.len());
        let Some((head, io)) = io.split_at_mut_checked(to_grid) else { return };
        state.part_of_group(feed, powers, head);
        let (groups, tail) = io.as_chunks_mut();
        let State { mut x, mut before, .. } = *state;
        for group in groups {
            (x, before) = whole_group(feed, powers, x, before, group);
        }
        (state.x, state.before) = (x, before);
        state.part_of_group(feed, powers, tail);
    }
}

/// Filters a group; its last input and output.
#[inline(always)]
fn whole_group<X: Float, F: Feed>(
    feed: &F,
    powers: &[f64; GROUP],
    last: X,
    before: X::Double,
    io: &mut [X; GROUP],
) -> (X, X::Double) {
    let pole = powers[0];
    let mut within = [X::Double::ZERO; GROUP];
    let (mut x, mut y) = (last.to_double(), X::Double::ZERO);
    for (within, io) in within.iter_mut().zip(&*io) {
        let next = io.to_double();
        y = feed.feed::<X>(next, x) + y * pole;
        (x, *within) = (next, y);
    }
    let last = io[GROUP - 1];
    for ((io, within), power) in io.iter_mut().zip(&mut within).zip(powers) {
        *within = *within + before * *power;
        *io = X::from_double(*within);
    }
    (last, continued(within[GROUP - 1]))
}

impl<X: Float> State<X> {
    /// Filters samples of one group, or none.
    #[inline(always)]
    fn part_of_group<F: Feed>(&mut self, feed: &F, powers: &[f64; GROUP], io: &mut [X]) {
        let pole = powers[0];
        for io in io {
            let x = *io;
            self.within = feed.feed::<X>(x.to_double(), self.x.to_double()) + self.within * pole;
            let y = self.within + self.before * powers[self.position % GROUP];
            (self.x, *io) = (x, X::from_double(y));
            self.position += 1;
            if self.position == GROUP {
                (self.position, self.within, self.before) = (0, X::Double::ZERO, continued(y));
            }
        }
    }
}

/// What an output contributes to those after it.
#[inline(always)]
pub(super) fn continued<D: Sample<Component = f64>>(y: D) -> D {
    let mut y = [y];
    for part in D::components_mut(&mut y) {
        *part = if part.abs() < SILENCE { 0.0 } else { *part };
    }
    y[0]
}

/// A case of `y[n] = b0 x[n] + b1 x[n - 1] + pole y[n - 1]`.
#[cfg(feature = "testing")]
pub(super) fn case<X, F>(
    about: crate::testing::About,
    make: impl Fn() -> FirstOrder<X, F> + Copy + Send + Sync + 'static,
    [b0, b1, pole]: [f64; 3],
) -> crate::testing::Case
where
    X: Float + crate::testing::Random,
    F: Feed + 'static,
{
    use crate::testing::{convolve, in_place};
    let reference = move |x: &[X]| {
        let later = (1..x.len() as i32).map(|n| (b1 + pole * b0) * pole.powi(n - 1));
        let response: std::vec::Vec<f64> = [b0].into_iter().chain(later).collect();
        convolve(&response, x, X::COMPONENTS)
    };
    in_place(about, move |_| make(), reference)
}
