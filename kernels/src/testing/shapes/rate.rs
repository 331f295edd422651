//! Cases of the shapes whose outputs come at another rate than the inputs.

use super::stream::{saved, stream};
use crate::SimdLevel;
use crate::sample::Sample;
use crate::shape::{Buffered, Kernel, Progress, VariableLength};
use crate::testing::{About, Case, Guarded, Plan, Random, Shape, signal, values};
use std::boxed::Box;
use std::hint::black_box;
use std::vec;
use std::vec::Vec;

/// A case of a [`VariableLength`] kernel whose `max_out` is an equality.
pub fn variable_length<K: VariableLength<Input: Random> + Kernel + 'static>(
    about: About,
    make: impl Fn(SimdLevel) -> K + Copy + Send + Sync + 'static,
    reference: impl Fn(&[K::Input]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let call = |kernel: &mut K, x: &[K::Input], room, offset, _| execute(kernel, x, room, offset, true);
    let run = move |plan: &Plan| stream(plan, make, call, signal).1;
    case(about, make, run, signal, reference)
}

/// A case of a [`VariableLength`] kernel that decides by the samples when an output is due, so that
/// `max_out` is a bound; `make_signal` gives a stream with something in it.
pub fn data_dependent<K: VariableLength<Input: Random> + Kernel + 'static>(
    about: About,
    make: impl Fn(SimdLevel) -> K + Copy + Send + Sync + 'static,
    make_signal: impl Fn(u64, usize) -> Vec<K::Input> + Copy + Send + Sync + 'static,
    reference: impl Fn(&[K::Input]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let call = |kernel: &mut K, x: &[K::Input], room, offset, _| execute(kernel, x, room, offset, false);
    let run = move |plan: &Plan| stream(plan, make, call, make_signal).1;
    case(about, make, run, make_signal, reference)
}

/// A case of a [`Buffered`] kernel, flushed at the end.
pub fn buffered<K: Buffered<Input: Random> + 'static>(
    about: About,
    make: impl Fn(SimdLevel) -> K + Copy + Send + Sync + 'static,
    reference: impl Fn(&[K::Input]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let run = move |plan: &Plan| {
        let call = |kernel: &mut K, x: &[K::Input], room, offset, _| execute(kernel, x, room, offset, true);
        let (mut kernel, mut result) = stream(plan, make, call, signal);
        // First with too little room, then with enough.
        for short in [true, false] {
            let bound = kernel.max_flush();
            let room = if short { bound / 2 } else { bound };
            let mut out = Guarded::new(room, plan.offset);
            let progress = kernel.flush(out.out());
            assert_eq!(progress, Progress { consumed: 0, produced: room }, "flush: max_flush is {bound}");
            result.extend(values(out.written(room)));
        }
        assert_eq!(saved(&kernel), saved(&make(plan.level)), "flush: not the state after reset");
        result
    };
    Case { shape: Shape::Buffered, ..case(about, make, run, signal, reference) }
}

/// One call, with its promises checked.
fn execute<K: VariableLength>(
    kernel: &mut K,
    x: &[K::Input],
    room: Option<usize>,
    offset: usize,
    exact: bool,
) -> (Progress, Vec<f64>) {
    let promised = kernel.max_out(x.len());
    let sure = room.map_or(0, |room| kernel.max_in(room)).min(x.len());
    let room = room.unwrap_or(promised);
    let mut out = Guarded::new(room, offset);
    let progress = kernel.execute(x, out.out());
    let result = values(out.written(progress.produced));
    if room >= promised {
        assert_eq!(progress.consumed, x.len(), "execute: with room for max_out({})", x.len());
        assert_eq!(kernel.max_out(0), 0, "execute: owes outputs with room for max_out({})", x.len());
    } else if exact {
        assert_eq!(progress.produced, room, "execute: room left although max_out is {promised}");
    } else {
        let stopped = progress.consumed < x.len();
        assert!(!stopped || progress.produced == room, "execute: stopped with room left");
    }
    assert!(progress.produced <= promised, "execute: {} outputs, max_out {promised}", progress.produced);
    assert!(!exact || progress.produced == promised.min(room), "execute: not max_out {promised}");
    assert!(progress.consumed >= sure, "execute: consumed {} of max_in {sure}", progress.consumed);
    (progress, result)
}

fn case<K: VariableLength<Input: Random> + Kernel + 'static>(
    about: About,
    make: impl Fn(SimdLevel) -> K + Copy + Send + Sync + 'static,
    run: impl Fn(&Plan) -> Vec<f64> + Send + Sync + 'static,
    make_signal: impl Fn(u64, usize) -> Vec<K::Input> + Copy + Send + Sync + 'static,
    reference: impl Fn(&[K::Input]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let bench = move |level, len| {
        let (mut kernel, x) = (make(level), make_signal(1, len));
        let mut out = vec![K::Output::ZERO; kernel.max_out(len) + 1];
        Box::new(move || {
            let _ = black_box(kernel.execute(black_box(&x), black_box(&mut out)));
        }) as Box<dyn FnMut()>
    };
    Case::of::<K::Input>(
        about,
        Shape::VariableLength,
        Some(make(SimdLevel::SCALAR).kernel_id()),
        run,
        move |plan: &Plan| reference(&plan.input(make_signal)),
        bench,
    )
}
