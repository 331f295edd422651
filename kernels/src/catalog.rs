//! The table of kernels that drives conformance, stream splits, fuzzing, benches and the docs.

use crate::testing::Case;
use std::vec::Vec;

/// The cases of each kernel.
#[rustfmt::skip] // One line per kernel.
const KERNELS: &[fn() -> Vec<Case>] = &[
    crate::channels::cases,
    crate::convert::adc::cases,
    crate::convert::fixed_point::cases,
    crate::convert::float_to_int::cases,
    crate::convert::int_to_float::cases,
    crate::delay::delay_line::cases,
    crate::delay::fractional_delay::cases,
    crate::demod::fm_demod::cases,
    crate::detect::burst_detector::cases,
    crate::detect::find_peaks::cases,
    crate::detect::pulse_slicer::cases,
    crate::filter::allpass::cases,
    crate::filter::dc_blocker::cases,
    crate::filter::deemphasis::cases,
    crate::filter::fft_fir::cases,
    crate::filter::fir::cases,
    crate::filter::hilbert::cases,
    crate::filter::lms::cases,
    crate::filter::moving_average::cases,
    crate::filter::moving_median::cases,
    crate::filter::nlms::cases,
    crate::filter::one_pole::cases,
    crate::filter::pid::cases,
    crate::filter::sos::cases,
    crate::fixed::add::cases,
    crate::fixed::dot::cases,
    crate::fixed::mul::cases,
    crate::fixed::shift::cases,
    crate::level::level_meter::cases,
    crate::level::power_averager::cases,
    crate::math::clamp::cases,
    crate::math::conj::cases,
    crate::math::decibel::cases,
    crate::math::exp::cases,
    crate::math::extremes::cases,
    crate::math::log::cases,
    crate::math::magnitude::cases,
    crate::math::moments::cases,
    crate::math::phase::cases,
    crate::math::scale::cases,
    crate::math::sqrt::cases,
    crate::math::trig::cases,
    crate::resample::arbitrary_resampler::cases,
    crate::resample::cic::cases,
    crate::resample::ddc::cases,
    crate::resample::duc::cases,
    crate::resample::farrow::cases,
    crate::resample::fir_decimator::cases,
    crate::resample::halfband::cases,
    crate::resample::rational_resampler::cases,
    crate::source::chirp::cases,
    crate::source::gold::cases,
    crate::source::impulse::cases,
    crate::source::local_oscillator::cases,
    crate::source::mixer::cases,
    crate::source::nco::cases,
    crate::source::noise::cases,
    crate::source::pn::cases,
    crate::source::step::cases,
    crate::spectrum::cosine::cases,
    crate::spectrum::kaiser::cases,
    crate::sync::pll::cases,
    crate::sync::symbol_sync::cases,
    crate::transform::fft::cases,
];

/// Every case of every kernel.
#[must_use]
pub fn all() -> Vec<Case> {
    KERNELS.iter().flat_map(|cases| cases()).collect()
}
