//! Cases of generators, sinks and batches.

use super::stream::stream;
use crate::SimdLevel;
use crate::sample::Sample;
use crate::shape::{Batch, Generator, Progress, Sink};
use crate::testing::{About, Case, Guarded, Plan, Random, Shape, misaligned, signal, values};
use std::boxed::Box;
use std::hint::black_box;
use std::vec;
use std::vec::Vec;

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
    Case::of::<K::Output>(
        about,
        Shape::Generator,
        Some(make(SimdLevel::SCALAR).kernel_id()),
        run,
        move |plan: &Plan| reference(plan.len),
        bench,
    )
}

/// A case of a [`Sink`]: the value at the end of the stream.
pub fn sink<K: Sink<Input: Random> + 'static>(
    about: About,
    make: impl Fn(SimdLevel) -> K + Copy + Send + Sync + 'static,
    reference: impl Fn(&[K::Input]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let run = move |plan: &Plan| {
        let call = |kernel: &mut K, x: &[K::Input], _, _, _| {
            kernel.push(x);
            (Progress { consumed: x.len(), produced: 0 }, vec![])
        };
        values(&[stream(plan, make, call, signal).0.value()])
    };
    let bench = move |level, len| {
        let (mut kernel, x) = (make(level), signal::<K::Input>(1, len));
        Box::new(move || {
            kernel.push(black_box(&x));
            black_box(kernel.value());
        }) as Box<dyn FnMut()>
    };
    Case::of::<K::Input>(
        about,
        Shape::Sink,
        Some(make(SimdLevel::SCALAR).kernel_id()),
        run,
        move |plan: &Plan| reference(&plan.input(signal)),
        bench,
    )
}

/// A case of a [`Batch`] kernel; the stream is cut at the frames, and its rest left out.
/// `reference` is that of one frame.
pub fn batch<K: Batch<Input: Random> + 'static>(
    about: About,
    make: impl Fn(SimdLevel) -> K + Copy + Send + Sync + 'static,
    reference: impl Fn(&[K::Input]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let scalar = make(SimdLevel::SCALAR);
    let (frame_in, frame_out) = (scalar.frame_in(), scalar.frame_out());
    let run = move |plan: &Plan| {
        let mut kernel = make(plan.level);
        let (cells, range) = misaligned(&plan.input(signal::<K::Input>), plan.offset);
        let x = &cells[range];
        let (mut result, mut fed, mut done) = (vec![], 0, 0);
        for piece in plan.calls() {
            fed += piece.take;
            let frames = fed.min(x.len()) / frame_in - done;
            let mut out = Guarded::new(frames * frame_out, plan.offset);
            let taken = kernel.batch(&x[done * frame_in..][..frames * frame_in], out.out());
            assert_eq!(taken, frames, "batch: not the frames that both hold");
            result.extend(values(out.written(frames * frame_out)));
            done += frames;
        }
        result
    };
    let bench = move |level, len: usize| {
        let frames = (len / frame_in).max(1);
        let (mut kernel, x) = (make(level), signal::<K::Input>(1, frames * frame_in));
        let mut out = vec![K::Output::ZERO; frames * frame_out];
        Box::new(move || {
            black_box(kernel.batch(black_box(&x), black_box(&mut out)));
        }) as Box<dyn FnMut()>
    };
    let reference = move |plan: &Plan| {
        let x = plan.input(signal::<K::Input>);
        x.chunks_exact(frame_in).flat_map(&reference).collect()
    };
    Case::of::<K::Input>(about, Shape::Batch, Some(scalar.kernel_id()), run, reference, bench)
}
