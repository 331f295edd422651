//! One way per shape to make a [`Case`] of a kernel and to run plans over it.

#![expect(clippy::missing_panics_doc, reason = "panics belong to `Case::run`, which documents them")]

use super::case::{About, Case, Shape};
use super::{Arithmetic, Damage, Guarded, Plan, Random, Rng, misaligned, signal, values};
use crate::SimdLevel;
use crate::sample::Sample;
use crate::shape::{Blockwise, Detector, Generator, InPlace, Kernel, Progress, Record, VariableLength};
use std::boxed::Box;
use std::hint::black_box;
use std::vec;
use std::vec::Vec;

/// A case of a [`Blockwise`] kernel; `make` builds it for a level.
pub fn blockwise<K: Blockwise<Input: Random> + 'static>(
    about: About,
    make: impl Fn(SimdLevel) -> K + Copy + Send + Sync + 'static,
    reference: impl Fn(&[K::Input]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let call = |kernel: &mut K, x: &[K::Input], out: &mut [K::Output], turn: usize| {
        if let ([x], [out], 1) = (x, &mut *out, turn % 2) {
            *out = kernel.step(*x);
            return 1;
        }
        kernel.steps(x, out)
    };
    Case { shape: Shape::Blockwise, ..steps(about, make, call, reference) }
}

/// A case of an [`InPlace`] kernel, which is run both ways in turn.
pub fn in_place<K: InPlace<Input: Random, Output = <K as Blockwise>::Input> + 'static>(
    about: About,
    make: impl Fn(SimdLevel) -> K + Copy + Send + Sync + 'static,
    reference: impl Fn(&[K::Input]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let call = |kernel: &mut K, x: &[K::Input], out: &mut [K::Input], turn: usize| {
        if turn.is_multiple_of(2) {
            return kernel.steps(x, out);
        }
        let n = x.len().min(out.len());
        out[..n].copy_from_slice(&x[..n]);
        kernel.steps_in_place(&mut out[..n]);
        n
    };
    Case { shape: Shape::InPlace, ..steps(about, make, call, reference) }
}

fn steps<K: Blockwise<Input: Random> + 'static>(
    about: About,
    make: impl Fn(SimdLevel) -> K + Copy + Send + Sync + 'static,
    call: impl Fn(&mut K, &[K::Input], &mut [K::Output], usize) -> usize + Send + Sync + 'static,
    reference: impl Fn(&[K::Input]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let run = move |plan: &Plan| {
        let call = |kernel: &mut K, x: &[K::Input], room: Option<usize>, offset, turn| {
            let room = room.unwrap_or(x.len());
            let mut out = Guarded::new(room, offset);
            let n = call(kernel, x, out.out(), turn);
            assert_eq!(n, x.len().min(room), "steps: not the shorter length");
            (Progress { consumed: n, produced: n }, values(out.written(n)))
        };
        stream(plan, make, call, signal).1
    };
    let bench = move |level, len| {
        let (mut kernel, x) = (make(level), signal::<K::Input>(1, len));
        let mut out = vec![K::Output::ZERO; len];
        Box::new(move || {
            black_box(kernel.steps(black_box(&x), black_box(&mut out)));
        }) as Box<dyn FnMut()>
    };
    Case {
        about,
        shape: Shape::Blockwise,
        id: Some(make(SimdLevel::SCALAR).kernel_id()),
        lanes: K::Input::MAX_LANES,
        arithmetic: Arithmetic::of::<K::Input>(),
        run: Box::new(run),
        reference: Box::new(move |seed, len| reference(&signal(seed, len))),
        bench: Box::new(bench),
    }
}

/// A case of a [`VariableLength`] kernel whose `max_out` is an equality.
pub fn variable_length<K: VariableLength<Input: Random> + Kernel + 'static>(
    about: About,
    make: impl Fn(SimdLevel) -> K + Copy + Send + Sync + 'static,
    reference: impl Fn(&[K::Input]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let run = move |plan: &Plan| {
        let call = |kernel: &mut K, x: &[K::Input], room: Option<usize>, offset, _| {
            let promised = kernel.max_out(x.len());
            let sure = room.map(|room| kernel.max_in(room));
            let room = room.unwrap_or(promised);
            let mut out = Guarded::new(room, offset);
            let progress = kernel.execute(x, out.out());
            let result = values(out.written(progress.produced));
            if room >= promised {
                let all = Progress { consumed: x.len(), produced: promised };
                assert_eq!(progress, all, "execute: with room for max_out({})", x.len());
            } else {
                assert_eq!(progress.produced, room, "execute: room left although max_out is {promised}");
            }
            let sure = sure.unwrap_or(0).min(x.len());
            assert!(progress.consumed >= sure, "execute: consumed {} of max_in {sure}", progress.consumed);
            (progress, result)
        };
        stream(plan, make, call, signal).1
    };
    let bench = move |level, len| {
        let (mut kernel, x) = (make(level), signal::<K::Input>(1, len));
        let mut out = vec![K::Output::ZERO; kernel.max_out(len) + 1];
        Box::new(move || {
            let _ = black_box(kernel.execute(black_box(&x), black_box(&mut out)));
        }) as Box<dyn FnMut()>
    };
    Case {
        about,
        shape: Shape::VariableLength,
        id: Some(make(SimdLevel::SCALAR).kernel_id()),
        lanes: K::Input::MAX_LANES,
        arithmetic: Arithmetic::of::<K::Input>(),
        run: Box::new(run),
        reference: Box::new(move |seed, len| reference(&signal(seed, len))),
        bench: Box::new(bench),
    }
}

/// A case of a [`Detector`], flushed at the end; `make_signal` gives a stream with something in it.
pub fn detector<K: Detector<Input: Random> + 'static>(
    about: About,
    make: impl Fn(SimdLevel) -> K + Copy + Send + Sync + 'static,
    make_signal: impl Fn(u64, usize) -> Vec<K::Input> + Copy + Send + Sync + 'static,
    reference: impl Fn(&[K::Input]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let run = move |plan: &Plan| {
        let call = |kernel: &mut K, x: &[K::Input], room: Option<usize>, offset, _| {
            let bound = kernel.max_out(x.len());
            let room = room.unwrap_or(bound);
            let mut out = Guarded::new(room, offset);
            let progress = kernel.detect(x, out.out());
            let result = out.written(progress.produced).iter().flat_map(columns).collect();
            assert!(progress.produced <= bound, "detect: {} records, max_out {bound}", progress.produced);
            let stopped = progress.consumed < x.len();
            assert!(!stopped || progress.produced == room, "detect: stopped with room left");
            (progress, result)
        };
        let (mut kernel, mut result) = stream(plan, make, call, make_signal);
        let bound = kernel.max_flush();
        let mut out = Guarded::new(bound, plan.offset);
        let progress = kernel.flush(out.out());
        assert_eq!(progress.produced, bound, "flush: not max_flush");
        result.extend(out.written(bound).iter().flat_map(columns));
        assert_eq!(saved(&kernel), saved(&make(plan.level)), "flush: not the state after reset");
        result
    };
    let bench = move |level, len| {
        let (mut kernel, x) = (make(level), make_signal(1, len));
        let mut out = vec![K::Record::default(); kernel.max_out(len) + 1];
        Box::new(move || {
            let _ = black_box(kernel.detect(black_box(&x), black_box(&mut out)));
        }) as Box<dyn FnMut()>
    };
    Case {
        about,
        shape: Shape::Records,
        id: Some(make(SimdLevel::SCALAR).kernel_id()),
        lanes: K::Input::MAX_LANES,
        arithmetic: Arithmetic::of::<K::Input>(),
        run: Box::new(run),
        reference: Box::new(move |seed, len| reference(&make_signal(seed, len))),
        bench: Box::new(bench),
    }
}

/// A case of a [`Generator`].
pub fn generator<K: Generator + 'static>(
    about: About,
    make: impl Fn(SimdLevel) -> K + Copy + Send + Sync + 'static,
    reference: impl Fn(usize) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let run = move |plan: &Plan| {
        // The count is the length of an input that nobody reads.
        let call = |kernel: &mut K, x: &[u8], room: Option<usize>, offset, turn| {
            let n = room.unwrap_or(x.len()).min(x.len());
            let mut out = Guarded::new(n, offset);
            match out.out() {
                [out] if turn % 2 == 1 => *out = kernel.step(),
                out => kernel.generate(out),
            }
            (Progress { consumed: n, produced: n }, values(out.written(n)))
        };
        stream(plan, make, call, signal).1
    };
    let bench = move |level, len| {
        let mut kernel = make(level);
        let mut out = vec![K::Output::ZERO; len];
        Box::new(move || kernel.generate(black_box(&mut out))) as Box<dyn FnMut()>
    };
    Case {
        about,
        shape: Shape::Generator,
        id: Some(make(SimdLevel::SCALAR).kernel_id()),
        lanes: K::Output::MAX_LANES,
        arithmetic: Arithmetic::of::<K::Output>(),
        run: Box::new(run),
        reference: Box::new(move |_, len| reference(len)),
        bench: Box::new(bench),
    }
}

/// A case of a function over one array; a plan's cuts make calls of their own.
pub fn function<X: Random, Y: Sample>(
    about: About,
    apply: impl Fn(SimdLevel, &[X], &mut [Y]) -> usize + Copy + Send + Sync + 'static,
    reference: impl Fn(&[X]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let run = move |plan: &Plan| {
        let (mut result, mut done) = (vec![], 0);
        let (cells, range) = misaligned(&signal::<X>(plan.seed, plan.len), plan.offset);
        for piece in plan.calls() {
            let x = &cells[range.clone()][done..done + piece.take];
            let mut out = Guarded::new(x.len(), plan.offset);
            let n = apply(plan.level, x, out.out());
            assert_eq!(n, x.len(), "not the shorter length");
            result.extend(values(out.written(n)));
            done += n;
        }
        result
    };
    let bench = move |level, len| {
        let (x, mut out) = (signal::<X>(1, len), vec![Y::ZERO; len]);
        Box::new(move || {
            black_box(apply(level, black_box(&x), black_box(&mut out)));
        }) as Box<dyn FnMut()>
    };
    Case {
        about,
        shape: Shape::Function,
        id: None,
        lanes: X::MAX_LANES.max(Y::MAX_LANES),
        arithmetic: Arithmetic::of::<X>(),
        run: Box::new(run),
        reference: Box::new(move |seed, len| reference(&signal(seed, len))),
        bench: Box::new(bench),
    }
}

/// A case of a function of a length, which has no stream to cut.
pub fn window<Y: Sample>(
    about: About,
    fill: impl Fn(&mut [Y]) + Copy + Send + Sync + 'static,
    reference: impl Fn(usize) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let run = move |plan: &Plan| {
        let mut out = Guarded::new(plan.len, plan.offset);
        fill(out.out());
        values(out.written(plan.len))
    };
    let bench = move |_, len| {
        let mut out = vec![Y::ZERO; len];
        Box::new(move || fill(black_box(&mut out))) as Box<dyn FnMut()>
    };
    Case {
        about,
        shape: Shape::Function,
        id: None,
        lanes: Y::MAX_LANES,
        arithmetic: Arithmetic::of::<Y>(),
        run: Box::new(run),
        reference: Box::new(move |_, len| reference(len)),
        bench: Box::new(bench),
    }
}

/// Feeds a plan's stream to `call`; the kernel afterwards and everything that it gave.
fn stream<K: Kernel, X: Sample>(
    plan: &Plan,
    make: impl Fn(SimdLevel) -> K,
    mut call: impl FnMut(&mut K, &[X], Option<usize>, usize, usize) -> (Progress, Vec<f64>),
    make_signal: impl Fn(u64, usize) -> Vec<X>,
) -> (K, Vec<f64>) {
    let mut kernel = make(plan.level);
    if plan.reset {
        let other = make_signal(!plan.seed, plan.len);
        kernel = feed(plan, &make, kernel, &other, &mut call).0;
        kernel.reset();
        assert_eq!(saved(&kernel), saved(&make(plan.level)), "reset: not the state of a new object");
    }
    if let Some(damage) = &plan.damage {
        offer(&mut kernel, damage);
    }
    let (cells, range) = misaligned(&make_signal(plan.seed, plan.len), plan.offset);
    feed(plan, &make, kernel, &cells[range], &mut call)
}

fn feed<K: Kernel, X: Sample>(
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

fn saved<K: Kernel>(kernel: &K) -> Vec<u8> {
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
    if let Some((body, sum)) = blob.split_last_chunk_mut::<4>()
        && damage.sealed
    {
        *sum = crate::state::crc32(body).to_le_bytes();
    }
    match kernel.load(&blob) {
        Ok(()) => assert_eq!(saved(kernel), blob, "load: not the state that was given"),
        Err(_) => assert_eq!(saved(kernel), before, "load: a refused snapshot changed the state"),
    }
}

/// The columns of a record as numbers.
fn columns<R: Record>(record: &R) -> Vec<f64> {
    let bytes = bytemuck::bytes_of(record);
    let column = |field: &crate::shape::Field| {
        let bytes = &bytes[field.offset..];
        match field.format {
            "i8" => i64::from_le_bytes(*bytes.first_chunk().expect("eight bytes")) as f64,
            "f4" => f32::from_le_bytes(*bytes.first_chunk().expect("four bytes")).into(),
            other => panic!("no column format {other}"),
        }
    };
    R::FIELDS.iter().map(column).collect()
}
