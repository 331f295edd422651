//! A delay of whole samples, whose window can be looked at.

use crate::sample::Sample;
use crate::scratch::remember;
use crate::shape::{Blockwise, Kernel, Windowed};
use crate::state::{Fingerprint, Reader, Snapshot, Writer, id};
use core::marker::PhantomData;

/// A delay line, `y[n] = x[n - length]` with `x[n < 0] = 0`.
///
/// For samples of every type. [`window`](Windowed::window) gives the last `length` inputs, oldest
/// first, in storage that never moves. `S` stores them, `[X; N]` or `Box<[X]>`; [`FixedDelayLine`]
/// and [`BoxedDelayLine`] name these forms.
///
/// * **Accuracy**: samples pass as they are, NaN and its bits included.
/// * **Delay**: `length` samples; 0 is none.
/// * **Cost**: each input is copied twice; a call shorter than the window also moves the window, so
///   that long delays are cheap in blocks and dear sample by sample. No allocation.
///
/// ```
/// use passband_kernels::delay::FixedDelayLine;
/// use passband_kernels::shape::{Blockwise, Windowed};
///
/// let mut line = FixedDelayLine::<f32, 2>::fixed();
/// let mut y = [0.0; 3];
/// assert_eq!(line.steps(&[1.0, 2.0, 3.0], &mut y), 3);
/// assert_eq!(y, [0.0, 0.0, 1.0]);
/// assert_eq!(line.window(), [2.0, 3.0]);
/// ```
#[derive(Clone, Debug)]
pub struct DelayLine<X, S> {
    window: S,
    sample: PhantomData<X>,
}

/// A [`DelayLine`] of `N` samples, for firmware.
pub type FixedDelayLine<X, const N: usize> = DelayLine<X, [X; N]>;

/// A [`DelayLine`] of any number of samples, for hosts.
#[cfg(feature = "alloc")]
pub type BoxedDelayLine<X> = DelayLine<X, alloc::boxed::Box<[X]>>;

impl<X: Sample, const N: usize> FixedDelayLine<X, N> {
    /// A delay of `N` samples.
    #[must_use]
    pub const fn fixed() -> Self {
        Self { window: [X::ZERO; N], sample: PhantomData }
    }
}

#[cfg(feature = "alloc")]
impl<X: Sample> BoxedDelayLine<X> {
    /// A delay of `length` samples.
    #[must_use]
    pub fn new(length: usize) -> Self {
        Self { window: alloc::vec![X::ZERO; length].into_boxed_slice(), sample: PhantomData }
    }
}

impl<X: Sample, S: AsRef<[X]> + AsMut<[X]>> Snapshot for DelayLine<X, S> {
    fn kernel_id(&self) -> u32 {
        id::of(id::DELAY_LINE, X::CODE, X::CODE)
    }
    fn fingerprint(&self, hash: &mut Fingerprint) {
        hash.u64(self.window().len() as u64);
    }
    fn payload_len(&self) -> usize {
        size_of_val(self.window())
    }
    fn write(&self, to: &mut Writer<'_>) {
        to.samples(self.window());
    }
    fn read(&mut self, from: &mut Reader<'_>) -> Option<()> {
        from.samples(self.window.as_mut())
    }
}

impl<X: Sample, S: AsRef<[X]> + AsMut<[X]>> Kernel for DelayLine<X, S> {
    fn reset(&mut self) {
        self.window.as_mut().fill(X::ZERO);
    }
}

impl<X: Sample, S: AsRef<[X]> + AsMut<[X]>> Blockwise for DelayLine<X, S> {
    type Input = X;
    type Output = X;

    fn steps(&mut self, x: &[X], out: &mut [X]) -> usize {
        let n = x.len().min(out.len());
        let x = x.get(..n).unwrap_or(x);
        let (out, window) = (out.get_mut(..n).unwrap_or_default(), self.window.as_mut());
        if let Some((old, new)) = out.split_at_mut_checked(window.len().min(n)) {
            old.iter_mut().zip(&*window).for_each(|(y, x)| *y = *x);
            new.iter_mut().zip(x).for_each(|(y, x)| *y = *x);
        }
        remember(window, x);
        n
    }
}

impl<X: Sample, S: AsRef<[X]> + AsMut<[X]>> Windowed for DelayLine<X, S> {
    type Sample = X;

    fn window(&self) -> &[X] {
        self.window.as_ref()
    }
}

#[cfg(feature = "testing")]
pub(crate) fn cases() -> std::vec::Vec<crate::testing::Case> {
    use crate::sample::Q15;
    use num_complex::Complex;
    std::vec![
        case::<f32>(0),
        case::<f32>(1),
        case::<f32>(64),
        case::<f64>(7),
        case::<Complex<f32>>(1000),
        case::<Complex<f64>>(3),
        case::<Q15>(33),
        case::<Complex<u8>>(20),
    ]
}

#[cfg(feature = "testing")]
fn case<X: crate::testing::Random>(length: usize) -> crate::testing::Case {
    use crate::testing::{About, blockwise, values};
    let about = About {
        family: "delay",
        kernel: "DelayLine",
        summary: "delay of whole samples, with a view of its window",
        variant: std::format!("{}, length {length}", X::NAME),
        max_error: 0.0,
        snr_db: f64::INFINITY,
        flops: 0.0,
        bytes: 2.0 * size_of::<X>() as f64,
        benched: length >= 64,
    };
    let reference = move |x: &[X]| {
        let zeros = std::vec![X::ZERO; length];
        values(&[&zeros, x].concat()[..x.len()])
    };
    blockwise(about, move |_| BoxedDelayLine::<X>::new(length), reference)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    #[test]
    fn the_window_holds_the_last_inputs_and_stays_where_it_is() {
        let x: vec::Vec<u8> = (1..200).collect();
        let mut line = BoxedDelayLine::new(7);
        let address = line.window().as_ptr();
        let mut done = 0;
        for n in [1, 2, 0, 3, 7, 8, 1, 50] {
            assert_eq!(line.steps(&x[done..], &mut vec![0; n]), n);
            done += n;
            let zeros = [0; 7];
            assert_eq!(line.window(), &[&zeros, &x[..done]].concat()[done..]);
            assert_eq!(line.window().as_ptr(), address);
        }
    }

    #[test]
    fn the_bits_of_nan_pass() {
        let odd = f32::from_bits(0x7fc0_1234);
        let mut line = FixedDelayLine::<f32, 3>::fixed();
        let mut y = [0.0; 5];
        line.steps(&[odd, 1.0, 2.0, 3.0, 4.0], &mut y);
        assert_eq!(y[3].to_bits(), odd.to_bits());
    }
}
