//! Kernel ids: the algorithm in the upper half, sample types in the lower. Never reused.

use crate::sample;
use core::fmt;

/// The id of an algorithm over an input and a coefficient (or output) type.
#[must_use]
pub const fn of(algorithm: u16, input: u8, other: u8) -> u32 {
    (algorithm as u32) << 16 | (input as u32) << 8 | other as u32
}

/// A kernel id for people: the kernel and its sample types, as in `Fir (complex64, float32)`.
#[must_use]
pub fn name(id: u32) -> impl fmt::Display {
    let [high, low, input, other] = id.to_be_bytes();
    fmt::from_fn(move |f| {
        let Some(kernel) = kernel(u16::from_be_bytes([high, low])) else {
            return write!(f, "an unknown kernel, {id:#010x}");
        };
        match [input, other].map(sample::name) {
            [Some(input), Some(other)] => write!(f, "{kernel} ({input}, {other})"),
            [Some(one), None] | [None, Some(one)] => write!(f, "{kernel} ({one})"),
            [None, None] => f.write_str(kernel),
        }
    })
}

macro_rules! algorithms {
    ($($(#[$doc:meta])* $constant:ident = $number:literal, $kernel:literal;)*) => {
        $($(#[$doc])* pub const $constant: u16 = $number;)*

        fn kernel(algorithm: u16) -> Option<&'static str> {
            match algorithm {
                $($constant => Some($kernel),)*
                _ => None,
            }
        }
    };
}

algorithms! {
    /// [`crate::filter::Fir`]
    FIR = 1, "Fir";
    /// [`crate::resample::FirDecimator`]
    FIR_DECIMATOR = 2, "FirDecimator";
    /// [`crate::source::LocalOscillator`]
    LOCAL_OSCILLATOR = 3, "LocalOscillator";
    /// [`crate::source::Mixer`]
    MIXER = 4, "Mixer";
    /// [`crate::demod::FmDemod`]
    FM_DEMOD = 5, "FmDemod";
    /// [`crate::detect::BurstDetector`]
    BURST_DETECTOR = 6, "BurstDetector";
    /// [`crate::convert::IntToFloat`]
    INT_TO_FLOAT = 7, "IntToFloat";
    /// [`crate::convert::FloatToInt`]
    FLOAT_TO_INT = 8, "FloatToInt";
    /// [`crate::filter::Sos`]
    SOS = 9, "Sos";
    /// [`crate::source::Nco`]
    NCO = 10, "Nco";
    /// [`crate::sync::Pll`]
    PLL = 11, "Pll";
    /// [`crate::filter::Nlms`]
    NLMS = 12, "Nlms";
    /// [`crate::filter::MovingAverage`]
    MOVING_AVERAGE = 13, "MovingAverage";
    /// [`crate::filter::DcBlocker`]
    DC_BLOCKER = 14, "DcBlocker";
    /// [`crate::delay::DelayLine`]
    DELAY_LINE = 15, "DelayLine";
    /// [`crate::level::PowerAverager`]
    POWER_AVERAGER = 16, "PowerAverager";
    /// [`crate::level::LevelMeter`]
    LEVEL_METER = 17, "LevelMeter";
    /// [`crate::detect::PulseSlicer`]
    PULSE_SLICER = 18, "PulseSlicer";
    /// [`crate::sync::SymbolSync`]
    SYMBOL_SYNC = 19, "SymbolSync";
    /// [`crate::transform::Fft`]
    FFT = 20, "Fft";
    /// [`crate::filter::FftFir`]
    FFT_FIR = 21, "FftFir";
    /// [`crate::convert::Adc`]
    ADC = 22, "Adc";
    /// [`crate::resample::RationalResampler`] by a whole factor
    FIR_INTERPOLATOR = 23, "FirInterpolator";
    /// [`crate::resample::RationalResampler`]
    RATIONAL_RESAMPLER = 24, "RationalResampler";
    /// [`crate::resample::ArbitraryResampler`]
    ARBITRARY_RESAMPLER = 25, "ArbitraryResampler";
    /// [`crate::resample::CicDecimator`]
    CIC_DECIMATOR = 26, "CicDecimator";
    /// [`crate::resample::CicInterpolator`]
    CIC_INTERPOLATOR = 27, "CicInterpolator";
    /// [`crate::resample::HalfbandDecimator`]
    HALFBAND_DECIMATOR = 28, "HalfbandDecimator";
    /// [`crate::resample::HalfbandInterpolator`]
    HALFBAND_INTERPOLATOR = 29, "HalfbandInterpolator";
    /// [`crate::source::Pn`]
    PN = 30, "Pn";
    /// [`crate::source::Gold`]
    GOLD = 31, "Gold";
    /// [`crate::source::Chirp`]
    CHIRP = 32, "Chirp";
    /// [`crate::source::Impulse`]
    IMPULSE = 33, "Impulse";
    /// [`crate::source::Step`]
    STEP = 34, "Step";
    /// [`crate::source::Noise`]
    NOISE = 35, "Noise";
    /// [`crate::demod::Unwrap`]
    UNWRAP = 36, "Unwrap";
    /// [`crate::filter::OnePole`]
    ONE_POLE = 37, "OnePole";
    /// [`crate::filter::Deemphasis`]
    DEEMPHASIS = 38, "Deemphasis";
    /// [`crate::filter::Allpass`]
    ALLPASS = 39, "Allpass";
    /// [`crate::filter::MovingMedian`]
    MOVING_MEDIAN = 40, "MovingMedian";
    /// [`crate::filter::Hilbert`]
    HILBERT = 41, "Hilbert";
    /// [`crate::filter::Lms`]
    LMS = 42, "Lms";
    /// [`crate::filter::Pid`]
    PID = 43, "Pid";
    /// [`crate::resample::Farrow`]
    FARROW = 44, "Farrow";
    /// [`crate::delay::FractionalDelay`]
    FRACTIONAL_DELAY = 45, "FractionalDelay";
    /// [`crate::resample::Ddc`]
    DDC = 46, "Ddc";
    /// [`crate::resample::Duc`]
    DUC = 47, "Duc";
    /// [`crate::Chain`]
    CHAIN = 48, "Chain";
}
