//! Fixed and boxed storage: the same results, and the same snapshots byte for byte.

#![cfg(feature = "testing")]

use num_complex::Complex;
use passband_kernels::SimdLevel;
use passband_kernels::filter::{BoxedFir, BoxedSos, Fir, FirConfig, FixedFir, FixedSos, Section, SosConfig};
use passband_kernels::resample::{
    BoxedFirDecimator, BoxedRationalResampler, FirDecimator, FirDecimatorConfig, FixedFirDecimator,
    FixedRationalResampler, RationalResampler, RationalResamplerConfig,
};
use passband_kernels::sample::Q15;
use passband_kernels::scratch::{BoxedState, State};
use passband_kernels::shape::{Blockwise, VariableLength};
use passband_kernels::state::{Snapshot, StateError};
use passband_kernels::testing::{Rng, signal};

const TAPS: [f32; 5] = [1.0, -2.0, 3.0, 4.0, -5.0];
static FIR: FirConfig<f32, [f32; 5]> = FirConfig::<f32, [f32; 5]>::fixed(TAPS);
static Q15_FIR: FirConfig<Q15, [Q15; 3]> =
    FirConfig::<Q15, [Q15; 3]>::fixed([Q15(-32768), Q15(16384), Q15(8192)]);
type Third = FirDecimatorConfig<f32, [f32; 5]>;
static DECIMATOR: Third = match Third::fixed(TAPS, 3, 1) {
    Ok(config) => config,
    Err(_) => panic!("valid"),
};
type Ratio = RationalResamplerConfig<f32, [f32; 5]>;
static INTERPOLATOR: Ratio = match Ratio::fixed(TAPS, 2, 1, 0) {
    Ok(config) => config,
    Err(_) => panic!("valid"),
};
static RESAMPLER: Ratio = match Ratio::fixed(TAPS, 3, 4, 2) {
    Ok(config) => config,
    Err(_) => panic!("valid"),
};

const SOS: [[f32; 6]; 3] = [
    [0.5, 0.25, 0.125, 1.0, -0.5, 0.25],
    [1.0, -1.0, 0.0, 1.0, -0.9, 0.0],
    [0.25, 0.5, 0.25, 1.0, -1.2, 0.45],
];
static SECTIONS: SosConfig<[Section<f32>; 3]> = match SosConfig::<[Section<f32>; 3]>::fixed(SOS) {
    Ok(config) => config,
    Err(_) => panic!("valid"),
};

fn saved(kernel: &impl Snapshot) -> Vec<u8> {
    let mut blob = vec![0; kernel.save_len()];
    assert_eq!(kernel.save(&mut blob), Ok(blob.len()));
    blob
}

/// Feeds both kernels the same random pieces; outputs and snapshots stay equal.
fn assert_twins<K: Blockwise<Input = X, Output = X>, L, X>(mut fixed: K, mut boxed: L)
where
    L: Blockwise<Input = X, Output = X>,
    X: passband_kernels::testing::Random,
{
    let mut rng = Rng::new(9);
    for _ in 0..60 {
        let len = rng.below(700);
        let x = signal::<X>(rng.bits(), len);
        let (mut a, mut b) = (vec![X::ZERO; x.len()], vec![X::ZERO; x.len()]);
        fixed.steps(&x, &mut a);
        boxed.steps(&x, &mut b);
        assert_eq!(a, b);
        assert_eq!(saved(&fixed), saved(&boxed));
    }
}

#[test]
fn a_static_filter_is_the_twin_of_a_boxed_one() {
    let level = SimdLevel::COMPILED;
    assert_twins(FixedFir::<f32, f32, 5>::fixed(&FIR), BoxedFir::with_level(&TAPS, level).unwrap());
    let taps: Vec<_> = Q15_FIR.taps().collect();
    assert_twins(FixedFir::<Q15, Q15, 3, 64>::fixed(&Q15_FIR), BoxedFir::with_level(&taps, level).unwrap());
    assert_eq!(FIR.taps().collect::<Vec<_>>(), TAPS);
}

#[test]
fn one_static_config_serves_real_and_complex_twins_of_boxed_sections() {
    let sections = SOS.map(|row| Section::<f32>::new(row).unwrap());
    let level = SimdLevel::COMPILED;
    assert_twins(
        FixedSos::<f32, 3>::fixed(&SECTIONS),
        BoxedSos::<f32>::with_level(&sections, level).unwrap(),
    );
    assert_twins(
        FixedSos::<Complex<f32>, 3>::fixed(&SECTIONS),
        BoxedSos::<Complex<f32>>::with_level(&sections, level).unwrap(),
    );
    assert!(SECTIONS.sos().eq(SOS));
}

/// Feeds both kernels the same random pieces, with all room and with less; outputs and snapshots
/// stay equal.
fn assert_rate_twins(
    mut fixed: impl VariableLength<Input = f32, Output = f32> + Snapshot,
    mut boxed: impl VariableLength<Input = f32, Output = f32> + Snapshot,
) {
    let mut rng = Rng::new(9);
    for _ in 0..60 {
        let x = signal::<f32>(rng.bits(), rng.clone().below(700));
        let room = boxed.max_out(x.len()) - rng.below(2).min(boxed.max_out(x.len()));
        let (mut a, mut b) = (vec![0.0; room], vec![0.0; room]);
        assert_eq!(fixed.execute(&x, &mut a), boxed.execute(&x, &mut b));
        assert_eq!((a, saved(&fixed)), (b, saved(&boxed)));
    }
}

#[test]
fn static_changes_of_rate_are_the_twins_of_boxed_ones() {
    let level = SimdLevel::COMPILED;
    assert_rate_twins(
        FixedFirDecimator::<f32, f32, 5>::fixed(&DECIMATOR),
        BoxedFirDecimator::with_level(&TAPS, 3, 1, level).unwrap(),
    );
    assert_rate_twins(
        FixedRationalResampler::<f32, f32, 5, 3>::fixed(&INTERPOLATOR).unwrap(),
        BoxedRationalResampler::with_level(&TAPS, 2, 1, 0, level).unwrap(),
    );
    assert_rate_twins(
        FixedRationalResampler::<f32, f32, 5, 2>::fixed(&RESAMPLER).unwrap(),
        BoxedRationalResampler::with_level(&TAPS, 3, 4, 2, level).unwrap(),
    );
    assert!(FixedRationalResampler::<f32, f32, 5, 1>::fixed(&RESAMPLER).is_err(), "a longer history");
}

#[test]
fn one_config_serves_many_filters_and_only_with_histories_of_its_length() {
    let config = FirConfig::<f32, _>::new(TAPS.to_vec().into_boxed_slice()).unwrap();
    let mut filters = [0; 2].map(|_| Fir::over(&config, BoxedState::new(4)).unwrap());
    let mut y = [0.0; 2];
    filters[0].steps(&[1.0, 1.0], &mut y);
    filters[1].steps(&[10.0, 0.0], &mut y);
    assert_eq!(y, [10.0, -20.0], "each has a history of its own");
    let short = Fir::over(&config, BoxedState::new(3)).map(|_| ());
    assert_eq!(short.unwrap_err().argument, "state");
    let decimator = FirDecimatorConfig::<f32, _>::new(TAPS, 3, 1).unwrap();
    assert!(FirDecimator::over(&decimator, State::<f32, 9>::new(4).unwrap()).is_ok());
    assert!(FirDecimator::over(&decimator, State::<f32, 9>::new(5).unwrap()).is_err());
    let resampler = RationalResamplerConfig::<f32, _>::new(TAPS, 2, 3, 1).unwrap();
    assert!(RationalResampler::over(&resampler, State::<f32, 9>::new(3).unwrap()).is_ok());
    assert!(RationalResampler::over(&resampler, State::<f32, 9>::new(2).unwrap()).is_err());
    assert_eq!(State::<f32, 9>::new(10).unwrap_err().argument, "taps", "more than HISTORY");
}

#[test]
fn taps_that_are_their_own_mirror_image_have_a_group_delay() {
    let of = |taps: &[Complex<f32>]| BoxedFir::<Complex<f32>, _>::new(taps).unwrap().config().group_delay();
    let (a, b) = (Complex::new(1.0, 2.0), Complex::new(3.0, 0.0));
    assert_eq!(of(&[a, b, a]), Some(1.0), "even");
    assert_eq!(of(&[a, -a]), Some(0.5), "odd");
    assert_eq!(of(&[a, b, a.conj()]), Some(1.0), "a low-pass moved to another frequency");
    assert_eq!(of(&[a, b]), None);
    assert_eq!(BoxedFir::<f32, f32>::new(&TAPS).unwrap().config().group_delay(), None);
    let decimator =
        |taps: &[f32]| BoxedFirDecimator::<f32, f32>::new(taps, 2, 0).unwrap().config().group_delay();
    assert_eq!((decimator(&[1.0, 2.0, 1.0]), decimator(&TAPS)), (Some(1.0), None));
    let resampler =
        |taps: &[f32]| BoxedRationalResampler::<f32, f32>::new(taps, 4, 3, 0).unwrap().config().group_delay();
    assert_eq!((resampler(&[1.0, 2.0, 1.0]), resampler(&TAPS)), (Some(0.25), None));
}

#[test]
fn arguments_that_make_no_sense_are_refused_by_name() {
    let error = |taps: &[f32], factor, phase| {
        BoxedFirDecimator::<f32, f32>::new(taps, factor, phase).map(|_| ()).unwrap_err().argument
    };
    assert_eq!(error(&[], 1, 0), "taps");
    assert_eq!((error(&TAPS, 0, 0), error(&TAPS, usize::MAX, 0)), ("factor", "factor"));
    assert_eq!(error(&TAPS, 3, 3), "phase");
    assert_eq!(BoxedFir::<f32, f32>::new(&[]).unwrap_err().argument, "taps");
    let error = |taps: &[f32], up, down, phase| {
        BoxedRationalResampler::<f32, f32>::new(taps, up, down, phase).map(|_| ()).unwrap_err().argument
    };
    assert_eq!((error(&[], 1, 1, 0), error(&TAPS, 2, 3, 3)), ("taps", "phase"));
    assert_eq!((error(&TAPS, 0, 1, 0), error(&TAPS, 1, usize::MAX, 0)), ("up", "down"));
    let error = BoxedRationalResampler::<f32, f32>::interpolator(&TAPS, 0).map(|_| ()).unwrap_err();
    assert_eq!(error.argument, "factor");
}

#[test]
fn one_state_has_the_same_bytes_at_every_level_and_they_never_change() {
    // Written with Python's struct and zlib.
    let header = "50425354010001010100100000004d27d85559fc4434";
    let inputs = "00004040000080400000a0400000d0c0";
    for level in SimdLevel::available() {
        let mut fir = BoxedFir::<f32, f32>::with_level(&TAPS, level).unwrap();
        fir.steps(&[1.0, 2.0, 3.0, 4.0, 5.0, -6.5], &mut [0.0; 6]);
        let hex = saved(&fir).iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
        assert_eq!(hex, [header, inputs, "aa18f8f2"].concat(), "{level}");
    }
}

#[test]
fn a_foreign_snapshot_is_refused_with_its_reason() {
    let of = |taps: &[f32]| BoxedFir::<f32, f32>::new(taps).unwrap();
    let mut fir = of(&TAPS);
    let blob = saved(&fir);
    let reason = |fir: &mut BoxedFir<f32, f32>, blob: &[u8]| fir.load(blob).unwrap_err();
    let same_length = saved(&of(&[1.0, -2.0, 3.0, 4.0, -5.5]));
    assert_eq!(reason(&mut fir, &same_length), StateError::Config);
    assert_eq!(reason(&mut fir, &saved(&of(&[1.0]))), StateError::Config);
    let decimator = saved(&BoxedFirDecimator::<f32, f32>::new(&TAPS, 3, 0).unwrap());
    assert!(matches!(reason(&mut fir, &decimator), StateError::Kernel { .. }));
    assert_eq!(reason(&mut fir, b"not a snapshot at all"), StateError::Header);
    let given = blob.len() - 1;
    assert_eq!(reason(&mut fir, &blob[..given]), StateError::Length { expected: blob.len(), given });
    let mut damaged = blob.clone();
    damaged[30] ^= 4;
    assert_eq!(reason(&mut fir, &damaged), StateError::Checksum);
    let mut short = vec![7; blob.len() - 1];
    assert_eq!(fir.save(&mut short), Err(StateError::TooShort { needed: blob.len(), given }));
    assert!(short.iter().all(|byte| *byte == 7), "nothing written");
}
