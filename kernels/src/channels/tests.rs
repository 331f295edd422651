//! What conformance does not ask: one channel's bits, and foreign snapshots.

use super::*;
use crate::SimdLevel;
use crate::filter::{BoxedFir, BoxedSos, Section};
use crate::state::StateError;
use crate::testing::signal;
use std::vec;
use std::vec::Vec;

/// Longer than a scratch, and no multiple of one.
const LEN: usize = 2500;

/// Checks that each channel gives the bits of `kernel` alone, interleaved and planar.
fn assert_alone<K: Blockwise<Input = f32, Output = f32> + Clone>(kernel: &K, count: usize) {
    let planar = signal::<f32>(3, count * LEN);
    let interleaved: Vec<_> = (0..count * LEN).map(|i| planar[i % count * LEN + i / count]).collect();
    let alone: Vec<_> = planar
        .chunks(LEN)
        .flat_map(|x| {
            let mut y = vec![f32::NAN; LEN];
            kernel.clone().steps(x, &mut y);
            y
        })
        .collect();
    let new = || BoxedChannels::new(kernel.clone(), count).unwrap();
    let mut y = vec![f32::NAN; count * LEN];
    assert_eq!(new().steps_planar(&planar, &mut y), LEN);
    assert_eq!(y, alone);
    assert_eq!(new().steps_interleaved(&interleaved, &mut y), LEN);
    assert!((0..count * LEN).all(|i| y[i] == alone[i % count * LEN + i / count]));
}

#[test]
fn a_channel_gives_the_bits_of_its_kernel_alone() {
    let sections = [[0.5, 0.25, 0.125, 1.0, -0.5, 0.25], [1.0, -1.0, 0.0, 1.0, -0.9, 0.0]]
        .map(|row| Section::<f32>::new(row).unwrap());
    for level in SimdLevel::available() {
        for count in [1, 2, 3, 8] {
            assert_alone(&BoxedSos::<f32>::with_level(&sections, level).unwrap(), count);
            assert_alone(&BoxedFir::<f32, f32>::with_level(&signal(5, 20), level).unwrap(), count);
        }
    }
}

#[test]
fn a_sample_that_is_missing_waits_for_all_channels() {
    let fir = BoxedFir::<f32, f32>::new(&[1.0]).unwrap();
    let mut two = FixedChannels::<_, 2>::fixed(fir);
    let mut y = [f32::NAN; 5];
    assert_eq!(two.steps_interleaved(&[1.0], &mut y), 0);
    assert_eq!(two.steps_planar(&[1.0], &mut y), 0);
    assert_eq!(two.steps_interleaved(&[1.0, 2.0, 3.0], &mut y), 1);
    assert_eq!(&y[..2], [1.0, 2.0]);
    // Channels start where half of each slice ends; the shorter half counts.
    assert_eq!(two.steps_planar(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &mut y), 2);
    assert_eq!(&y[..4], [1.0, 2.0, 4.0, 5.0]);
    assert!(y[4].is_nan());
}

fn saved(kernel: &impl Snapshot) -> Vec<u8> {
    let mut blob = vec![0; kernel.save_len()];
    assert_eq!(kernel.save(&mut blob), Ok(blob.len()));
    blob
}

#[test]
fn a_snapshot_belongs_to_one_number_of_channels() {
    let fir = BoxedFir::<f32, f32>::new(&[1.0, 2.0]).unwrap();
    let new = |count| BoxedChannels::new(fir.clone(), count).unwrap();
    let blob = saved(&new(3));
    assert_eq!(new(3).load(&blob), Ok(()));
    assert_eq!(new(2).load(&blob), Err(StateError::Config));
    // One channel is not its kernel.
    let blob = saved(&fir);
    assert_eq!(new(1).load(&blob), Err(StateError::Config));
    assert_eq!(BoxedChannels::new(fir, 0).unwrap_err().argument, "channels");
}
