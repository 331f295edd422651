//! Removing the mean of a stream.

use crate::sample::{Float, Sample};
use crate::shape::{Blockwise, ConfigError, InPlace, Kernel, steps_over_copy};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};

/// A DC blocker, `y[n] = x[n] - x[n - 1] + pole y[n - 1]` with `x[-1] = y[-1] = 0`.
///
/// A zero at DC and a pole near it: a high-pass of first order whose gain is `2 / (1 + pole)` at half
/// the sample rate and 3 dB less near `(1 - pole) / (2 pi)` cycles per sample. A step at its input
/// decays by 1/e in `1 / (1 - pole)` samples.
///
/// * **Accuracy**: computed in double precision. `f32` is within 0.51 ulp of the exact output plus
///   2e-16 times the largest output so far `/ (1 - pole)`, `f64` within 1.2e-16 plus that. Outputs
///   below 1e-270 are taken as zero in the recursion, so that its decay never becomes subnormal and
///   slow. The same bits at every level and on every target.
/// * **NaN and infinity** stay in the recursion: all later outputs are NaN, until `reset`.
/// * **Delay**: none for frequencies well above the pole's; phase is not linear near it.
/// * **Cost**: seven operations per sample; eight samples wait for the last eight, instead of each
///   for the last. A Cortex-M4, whose double precision is software, takes some 550 instructions. No
///   allocation.
///
/// J. O. Smith, *Introduction to Digital Filters with Audio Applications*, section B.3.
///
/// ```
/// use passband_kernels::filter::DcBlocker;
/// use passband_kernels::shape::Blockwise;
///
/// let mut blocker = DcBlocker::<f32>::new(0.5)?;
/// let mut y = [0.0; 4];
/// assert_eq!(blocker.steps(&[8.0; 4], &mut y), 4);
/// assert_eq!(y, [8.0, 4.0, 2.0, 1.0]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DcBlocker<X: Float> {
    /// Powers of the pole from 1 to [`GROUP`].
    powers: [f64; GROUP],
    state: State<X>,
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

impl<X: Float> DcBlocker<X> {
    /// A blocker; `pole` is 0.9 to 0.9999 in most uses.
    ///
    /// # Errors
    /// [`ConfigError`] unless `0 < pole < 1`.
    pub const fn new(pole: f64) -> Result<Self, ConfigError> {
        if !(pole > 0.0 && pole < 1.0) {
            return Err(ConfigError { argument: "pole", expected: "a number above 0 and below 1" });
        }
        let (mut powers, mut n) = ([pole; GROUP], 1);
        while n < GROUP {
            powers[n] = powers[n - 1] * pole;
            n += 1;
        }
        Ok(Self { powers, state: State::NEW })
    }
}

impl<X: Float> Snapshot for DcBlocker<X> {
    fn kernel_id(&self) -> u32 {
        id::of(id::DC_BLOCKER, X::CODE, X::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.sample(self.powers[0]);
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

impl<X: Float> Kernel for DcBlocker<X> {
    fn reset(&mut self) {
        self.state = State::NEW;
    }
}

impl<X: Float> Blockwise for DcBlocker<X> {
    type Input = X;
    type Output = X;

    fn steps(&mut self, x: &[X], out: &mut [X]) -> usize {
        steps_over_copy(self, x, out)
    }
}

impl<X: Float> InPlace for DcBlocker<X> {
    fn steps_in_place(&mut self, io: &mut [X]) {
        let Self { powers, state } = self;
        let to_grid = (state.position.wrapping_neg() % GROUP).min(io.len());
        let Some((head, io)) = io.split_at_mut_checked(to_grid) else { return };
        state.part_of_group(powers, head);
        let (groups, tail) = io.as_chunks_mut();
        let State { mut x, mut before, .. } = *state;
        for group in groups {
            (x, before) = whole_group(powers, x, before, group);
        }
        (state.x, state.before) = (x, before);
        state.part_of_group(powers, tail);
    }
}

/// Filters a group; its last input and output.
#[inline(always)]
fn whole_group<X: Float>(
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
        y = (next - x) + y * pole;
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
    fn part_of_group(&mut self, powers: &[f64; GROUP], io: &mut [X]) {
        let pole = powers[0];
        for io in io {
            let x = *io;
            self.within = (x.to_double() - self.x.to_double()) + self.within * pole;
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
fn continued<D: Sample<Component = f64>>(y: D) -> D {
    let mut y = [y];
    for part in D::components_mut(&mut y) {
        *part = if part.abs() < SILENCE { 0.0 } else { *part };
    }
    y[0]
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use num_complex::Complex;
    std::vec![
        case::<f32>(0.5, 1e-7, 150.0),
        case::<f32>(0.995, 1e-7, 150.0),
        case::<f64>(0.995, 2e-15, 300.0),
        case::<Complex<f32>>(0.995, 1e-7, 150.0),
        case::<Complex<f64>>(0.9, 6e-16, 311.0),
    ]
}

#[cfg(feature = "testing")]
fn case<X: Float + crate::testing::Random>(pole: f64, max_error: f64, snr_db: f64) -> crate::testing::Case {
    use crate::testing::{About, convolve, in_place};
    let about = About {
        family: "filter",
        kernel: "DcBlocker",
        summary: "first-order high-pass that removes the mean",
        variant: std::format!("{}, pole {pole}", X::NAME),
        max_error,
        snr_db,
        flops: 7.0 * X::COMPONENTS as f64,
        bytes: 2.0 * size_of::<X>() as f64,
        benched: pole > 0.99,
    };
    let make = move |_| DcBlocker::<X>::new(pole).expect("a pole");
    // The impulse response 1, pole - 1, pole (pole - 1), ..
    let reference = move |x: &[X]| {
        let later = (1..x.len() as i32).map(|n| (pole - 1.0) * pole.powi(n - 1));
        let response: std::vec::Vec<f64> = [1.0].into_iter().chain(later).collect();
        convolve(&response, x, X::COMPONENTS)
    };
    in_place(about, make, reference)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_complex::Complex;
    use std::vec;

    #[test]
    fn a_constant_decays_to_exact_silence_and_never_becomes_subnormal() {
        let (pole, n) = if cfg!(miri) { (0.5, 1200) } else { (0.9f64, 8000) };
        let mut blocker = DcBlocker::<f64>::new(pole).unwrap();
        let mut x = vec![1.0; n];
        blocker.steps_in_place(&mut x);
        assert_eq!(x[0], 1.0);
        assert!((x[100] / pole.powi(100) - 1.0).abs() < 1e-13);
        assert!(x.iter().all(|y| *y == 0.0 || y.is_normal()));
        assert_eq!(x[n - 1], 0.0);
    }

    #[test]
    fn nan_and_infinity_stay_until_reset_and_in_their_component() {
        for bad in [f32::NAN, f32::INFINITY] {
            for at in 0..20 {
                let mut blocker = DcBlocker::new(0.9).unwrap();
                let mut x = [Complex::new(1.0f32, 1.0); 40];
                x[at].im = bad;
                blocker.steps_in_place(&mut x);
                assert!(x.iter().all(|y| y.re.is_finite()));
                assert!(x[..at].iter().all(|y| y.im.is_finite()));
                assert!(x[at + 1..].iter().all(|y| y.im.is_nan()), "{bad} at {at}");
                blocker.reset();
                assert_eq!(blocker.step(Complex::ONE), Complex::ONE);
            }
        }
    }

    #[test]
    fn poles_on_or_beyond_the_unit_circle_are_refused() {
        for pole in [0.0, 1.0, -0.5, 1.5, f64::NAN] {
            assert_eq!(DcBlocker::<f32>::new(pole).map(|_| ()).unwrap_err().argument, "pole");
        }
    }
}
