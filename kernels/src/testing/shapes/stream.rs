//! Feeding a stream to a kernel as a plan says, with the checks that hold for every shape.

use crate::SimdLevel;
use crate::shape::{Kernel, Progress, Record};
use crate::state::{HEADER, crc32};
use crate::testing::{Damage, Plan, Random, Rng, misaligned};
use std::vec;
use std::vec::Vec;

/// Feeds a plan's stream to `call`; the kernel afterwards and everything that it gave.
pub(super) fn stream<K: Kernel, X: Random>(
    plan: &Plan,
    make: impl Fn(SimdLevel) -> K,
    mut call: impl FnMut(&mut K, &[X], Option<usize>, usize, usize) -> (Progress, Vec<f64>),
    make_signal: impl Fn(u64, usize) -> Vec<X>,
) -> (K, Vec<f64>) {
    let mut kernel = make(plan.level);
    if plan.reset {
        let other = plan.scaled(make_signal(!plan.seed, plan.len));
        kernel = feed(plan, &make, kernel, &other, &mut call).0;
        kernel.reset();
        assert_eq!(saved(&kernel), saved(&make(plan.level)), "reset: not the state of a new object");
    }
    if let Some(damage) = &plan.damage {
        offer(&mut kernel, damage);
    }
    let (cells, range) = misaligned(&plan.input(make_signal), plan.offset);
    feed(plan, &make, kernel, &cells[range], &mut call)
}

fn feed<K: Kernel, X: Random>(
    plan: &Plan,
    make: impl Fn(SimdLevel) -> K,
    mut kernel: K,
    x: &[X],
    call: &mut impl FnMut(&mut K, &[X], Option<usize>, usize, usize) -> (Progress, Vec<f64>),
) -> (K, Vec<f64>) {
    let (mut result, mut done) = (vec![], 0);
    for (turn, piece) in plan.calls().enumerate() {
        if let Some(level) = piece.resume {
            kernel = resumed(&kernel, make(level));
        }
        let end = done + piece.take;
        loop {
            let (progress, outputs) = call(&mut kernel, &x[done..end], piece.room, plan.offset, turn);
            result.extend(outputs);
            done += progress.consumed;
            if done == end {
                break;
            }
            assert!(progress != Progress::default(), "no progress with {} inputs left", end - done);
        }
    }
    (kernel, result)
}

pub(super) fn saved<K: Kernel>(kernel: &K) -> Vec<u8> {
    let mut blob = vec![0; kernel.save_len()];
    assert_eq!(kernel.save(&mut blob), Ok(blob.len()), "save: not save_len");
    blob
}

/// Carries the state over into `fresh`, which must first refuse damaged snapshots unchanged.
fn resumed<K: Kernel>(kernel: &K, mut fresh: K) -> K {
    let (blob, before) = (saved(kernel), saved(&fresh));
    let mut rng = Rng::new(blob.len() as u64);
    let mut damaged = blob.clone();
    damaged[rng.below(blob.len())] ^= 1 << rng.below(8);
    assert!(fresh.load(&damaged).is_err(), "load: took a damaged snapshot");
    assert!(fresh.load(&blob[..rng.below(blob.len())]).is_err(), "load: took a short snapshot");
    // Another version, kernel, length or config, under a checksum that fits.
    let mut foreign = blob.clone();
    foreign[rng.below(HEADER)] ^= 1 << rng.below(8);
    seal(&mut foreign);
    assert!(fresh.load(&foreign).is_err(), "load: took a snapshot with another header");
    assert_eq!(saved(&fresh), before, "load: a refused snapshot changed the state");
    assert_eq!(fresh.load(&blob), Ok(()), "load: refused its own snapshot");
    assert_eq!(saved(&fresh), blob, "load: not the state that was saved");
    fresh
}

/// Loads a changed snapshot, which must be taken as it is or change nothing.
fn offer<K: Kernel>(kernel: &mut K, damage: &Damage) {
    let before = saved(kernel);
    let mut blob = before.clone();
    for (position, bits) in &damage.edits {
        let position = position % blob.len();
        blob[position] ^= bits;
    }
    if damage.sealed {
        seal(&mut blob);
    }
    match kernel.load(&blob) {
        Ok(()) => assert_eq!(saved(kernel), blob, "load: not the state that was given"),
        Err(_) => assert_eq!(saved(kernel), before, "load: a refused snapshot changed the state"),
    }
}

/// Makes the checksum that of the bytes before it.
fn seal(blob: &mut [u8]) {
    if let Some((body, sum)) = blob.split_last_chunk_mut() {
        *sum = crc32(body).to_le_bytes();
    }
}

/// The columns of a record as numbers.
pub(super) fn columns<R: Record>(record: &R) -> Vec<f64> {
    let bytes = bytemuck::bytes_of(record);
    let column = |field: &crate::shape::Field| {
        let bytes = &bytes[field.offset..];
        match field.format {
            "i8" => i64::from_le_bytes(*bytes.first_chunk().expect("eight bytes")) as f64,
            "f8" => f64::from_le_bytes(*bytes.first_chunk().expect("eight bytes")),
            "f4" => f32::from_le_bytes(*bytes.first_chunk().expect("four bytes")).into(),
            other => panic!("no column format {other}"),
        }
    };
    R::FIELDS.iter().map(column).collect()
}
