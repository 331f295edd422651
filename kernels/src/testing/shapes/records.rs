//! Cases of the shapes that give records.

use super::stream::{columns, saved, stream};
use crate::SimdLevel;
use crate::shape::{Detector, Measure, Record};
use crate::testing::{About, Case, Guarded, Plan, Random, Shape, misaligned, signal};
use std::boxed::Box;
use std::hint::black_box;
use std::vec;
use std::vec::Vec;

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
    Case::of::<K::Input>(
        about,
        Shape::Records,
        Some(make(SimdLevel::SCALAR).kernel_id()),
        run,
        move |plan: &Plan| reference(&plan.input(make_signal)),
        bench,
    )
}

/// A case of a [`Measure`] kernel: one block, one record.
pub fn measure<K: Measure<Input: Random> + 'static>(
    about: About,
    make: impl Fn(SimdLevel) -> K + Copy + Send + Sync + 'static,
    reference: impl Fn(&[K::Input]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let run = move |plan: &Plan| {
        let (cells, range) = misaligned(&plan.input(signal), plan.offset);
        let mut kernel = make(plan.level);
        if plan.reset {
            kernel.measure(&plan.scaled(signal(!plan.seed, plan.len)));
        }
        columns(&kernel.measure(&cells[range]))
    };
    let bench = move |level, len| {
        let (mut kernel, x) = (make(level), signal::<K::Input>(1, len));
        Box::new(move || {
            black_box(kernel.measure(black_box(&x)));
        }) as Box<dyn FnMut()>
    };
    Case::of::<K::Input>(
        about,
        Shape::SingleRecord,
        Some(make(SimdLevel::SCALAR).kernel_id()),
        run,
        move |plan: &Plan| reference(&plan.input(signal)),
        bench,
    )
}

/// A case of a function that gives at most `max_out(len)` records of one array.
pub fn record_function<X: Random, R: Record>(
    about: About,
    find: impl Fn(SimdLevel, &[X], &mut [R]) -> usize + Copy + Send + Sync + 'static,
    max_out: impl Fn(usize) -> usize + Copy + Send + Sync + 'static,
    reference: impl Fn(&[X]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let run = move |plan: &Plan| {
        let (cells, range) = misaligned(&plan.input(signal), plan.offset);
        let room = max_out(plan.len);
        let mut out = Guarded::new(room, plan.offset);
        let n = find(plan.level, &cells[range], out.out());
        // What is within `out` but turned out not to be wanted may have been written to.
        out.written(room)[..n].iter().flat_map(columns).collect()
    };
    let bench = move |level, len| {
        let (x, mut out) = (signal::<X>(1, len), vec![R::default(); max_out(len)]);
        Box::new(move || {
            black_box(find(level, black_box(&x), black_box(&mut out)));
        }) as Box<dyn FnMut()>
    };
    Case::of::<X>(
        about,
        Shape::RecordFunction,
        None,
        run,
        move |plan: &Plan| reference(&plan.input(signal)),
        bench,
    )
}
