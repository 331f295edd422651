//! Single ones.

use crate::sample::{Float, Sample};
use crate::shape::{ConfigError, Generator, Kernel};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;

/// A unit impulse, `y[n] = 1` at `n = delay` and 0 elsewhere; with a period, at `delay + k period` too.
///
/// * **Accuracy**: exact. The same bits at every level and on every target.
/// * **Cost**: that of writing zeros; no allocation.
///
/// ```
/// use passband_kernels::shape::Generator;
/// use passband_kernels::source::Impulse;
///
/// let mut impulse = Impulse::<f32>::new(1, Some(3))?;
/// let mut y = [f32::NAN; 6];
/// impulse.generate(&mut y);
/// assert_eq!(y, [0.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
/// # Ok::<(), passband_kernels::shape::ConfigError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Impulse<Y> {
    delay: u64,
    period: Option<u64>,
    /// Samples until the next impulse.
    wait: Option<u64>,
    output: PhantomData<Y>,
}

impl<Y: Float> Impulse<Y> {
    /// An impulse after `delay` samples, and again after each `period`.
    ///
    /// # Errors
    /// [`ConfigError`] for a period of 0.
    pub const fn new(delay: u64, period: Option<u64>) -> Result<Self, ConfigError> {
        if let Some(0) = period {
            return Err(ConfigError { argument: "period", expected: "at least 1" });
        }
        Ok(Self { delay, period, wait: Some(delay), output: PhantomData })
    }
}

/// A sample of value 1.
pub(super) fn one<Y: Float>() -> Y {
    let mut one = [Y::Double::ZERO];
    Sample::components_mut(&mut one).iter_mut().take(1).for_each(|part| *part = 1.0);
    Y::from_double(one[0])
}

impl<Y: Float> Snapshot for Impulse<Y> {
    fn kernel_id(&self) -> u32 {
        id::of(id::IMPULSE, 0, Y::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.delay);
        // No period is 0.
        hash.u64(self.period.unwrap_or(0));
    }
    fn payload_len(&self) -> usize {
        2 * size_of::<u64>()
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.u64(self.wait.is_some().into());
        to.u64(self.wait.unwrap_or(0));
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let (waits, wait) = (from.u64()?, from.u64()?);
        let longest = self.delay.max(self.period.map_or(0, |period| period - 1));
        self.wait = match (waits, self.period) {
            (0, None) if wait == 0 => None,
            (1, _) if wait <= longest => Some(wait),
            _ => return None,
        };
        Some(())
    }
}

impl<Y: Float> Kernel for Impulse<Y> {
    fn reset(&mut self) {
        self.wait = Some(self.delay);
    }
}

impl<Y: Float> Generator for Impulse<Y> {
    type Output = Y;

    fn generate(&mut self, mut out: &mut [Y]) {
        out.fill(Y::ZERO);
        while let Some(wait) = self.wait {
            let left = out.len() as u64;
            let place = usize::try_from(wait).ok().and_then(|wait| out.split_at_mut_checked(wait));
            let Some((_, [y, rest @ ..])) = place else {
                self.wait = Some(wait - left);
                return;
            };
            *y = one();
            out = rest;
            self.wait = self.period.map(|period| period - 1);
        }
    }
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use num_complex::Complex;
    std::vec![
        case::<f32>(100, None),
        case::<f64>(0, Some(1)),
        case::<Complex<f32>>(3, Some(7)),
        case::<Complex<f64>>(20, Some(64)),
    ]
}

#[cfg(feature = "testing")]
fn case<Y: Float>(delay: u64, period: Option<u64>) -> crate::testing::Case {
    use crate::testing::{About, generator};
    let about = About {
        family: "source",
        kernel: "Impulse",
        summary: "unit impulses",
        variant: std::format!("{}, {}", Y::NAME, period.map_or("one".into(), |n| std::format!("period {n}"))),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: 1.0,
        bytes: size_of::<Y>() as f64,
        benched: delay == 100,
    };
    let make = move |_| Impulse::<Y>::new(delay, period).expect("a period");
    let reference = move |n: usize| {
        let hit =
            |n: u64| n >= delay && period.map_or(n == delay, |period| (n - delay).is_multiple_of(period));
        let parts = |n| [f64::from(u8::from(hit(n))), 0.0];
        (0..n as u64).flat_map(|n| parts(n)[..Y::COMPONENTS].to_vec()).collect()
    };
    generator(about, make, reference)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_waits_are_counted_down() {
        let mut late = Impulse::<f32>::new(u64::MAX, None).unwrap();
        let mut y = [1.0; 10];
        late.generate(&mut y);
        assert_eq!((y, late.wait), ([0.0; 10], Some(u64::MAX - 10)));
        let mut once = Impulse::<f32>::new(9, None).unwrap();
        once.generate(&mut y);
        assert_eq!((y[8], y[9], once.wait), (0.0, 1.0, None));
        assert_eq!(once.step(), 0.0);
    }

    #[test]
    fn a_period_of_nothing_is_refused() {
        assert_eq!(Impulse::<f32>::new(0, Some(0)).map(|_| ()).unwrap_err().argument, "period");
    }
}
