//! Cases of the shapes that give one output per input.

use super::stream::stream;
use crate::SimdLevel;
use crate::sample::Sample;
use crate::shape::{Blockwise, InPlace, MultiChannel, Progress, TwoInput, TwoOutput};
use crate::testing::{
    About, Case, Guarded, Piece, Plan, Random, Shape, misaligned, second_signal, signal, values,
};
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
    Case::of::<K::Input>(
        about,
        Shape::Blockwise,
        Some(make(SimdLevel::SCALAR).kernel_id()),
        run,
        move |plan: &Plan| reference(&plan.input(signal)),
        bench,
    )
}

/// A case of a [`TwoInput`] kernel.
pub fn two_input<K: TwoInput<Input: Random, Second: Random> + 'static>(
    about: About,
    make: impl Fn(SimdLevel) -> K + Copy + Send + Sync + 'static,
    reference: impl Fn(&[K::Input], &[K::Second]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let run = move |plan: &Plan| {
        let (cells, range) = misaligned(&plan.input(second_signal::<K::Second>), plan.offset);
        let (second, mut done) = (&cells[range], 0);
        let call = |kernel: &mut K, x: &[K::Input], room: Option<usize>, offset, turn| {
            let room = room.unwrap_or(x.len());
            let mut out = Guarded::new(room, offset);
            // A stream that was fed before a reset took the whole of the second input, too.
            let d = &second[done % plan.len.max(1)..][..x.len()];
            let n = match (x, d, out.out(), turn % 2) {
                ([x], [d], [out], 1) => {
                    *out = kernel.step(*x, *d);
                    1
                }
                (x, d, out, _) => kernel.steps(x, d, out),
            };
            assert_eq!(n, x.len().min(room), "steps: not the shortest length");
            done += n;
            (Progress { consumed: n, produced: n }, values(out.written(n)))
        };
        stream(plan, make, call, signal).1
    };
    let bench = move |level, len| {
        let (mut kernel, x, d) =
            (make(level), signal::<K::Input>(1, len), second_signal::<K::Second>(1, len));
        let mut out = vec![K::Output::ZERO; len];
        Box::new(move || {
            black_box(kernel.steps(black_box(&x), black_box(&d), black_box(&mut out)));
        }) as Box<dyn FnMut()>
    };
    Case::of::<K::Input>(
        about,
        Shape::TwoInput,
        Some(make(SimdLevel::SCALAR).kernel_id()),
        run,
        move |plan: &Plan| reference(&plan.input(signal), &plan.input(second_signal)),
        bench,
    )
}

/// A case of a [`TwoOutput`] kernel; results and references give both outputs sample by sample.
pub fn two_output<K: TwoOutput<Input: Random> + 'static>(
    about: About,
    make: impl Fn(SimdLevel) -> K + Copy + Send + Sync + 'static,
    make_signal: impl Fn(u64, usize) -> Vec<K::Input> + Copy + Send + Sync + 'static,
    reference: impl Fn(&[K::Input]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let run = move |plan: &Plan| {
        let call = |kernel: &mut K, x: &[K::Input], room: Option<usize>, offset, turn: usize| {
            let room = room.unwrap_or(x.len());
            // One of the two has more room, which must stay unwritten.
            let (mut first, mut second) =
                (Guarded::new(room + turn % 3, offset), Guarded::new(room + turn % 2, offset));
            let n = match (x, first.out(), second.out(), turn % 2) {
                ([x], [first, ..], [second, ..], 1) => {
                    (*first, *second) = kernel.step(*x);
                    1
                }
                (x, first, second, _) => kernel.steps(x, (first, second)),
            };
            let expected = x.len().min(room + (turn % 3).min(turn % 2));
            assert_eq!(n, expected, "steps: not the shortest length");
            let pairs = first.written(n).iter().zip(second.written(n));
            let result = pairs.flat_map(|(a, b)| values(&[*a]).into_iter().chain(values(&[*b])));
            (Progress { consumed: n, produced: n }, result.collect())
        };
        stream(plan, make, call, make_signal).1
    };
    let bench = move |level, len| {
        let (mut kernel, x) = (make(level), make_signal(1, len));
        let (mut first, mut second) = (vec![K::First::ZERO; len], vec![K::Second::ZERO; len]);
        Box::new(move || {
            black_box(kernel.steps(black_box(&x), (black_box(&mut first), black_box(&mut second))));
        }) as Box<dyn FnMut()>
    };
    Case::of::<K::Input>(
        about,
        Shape::TwoOutput,
        Some(make(SimdLevel::SCALAR).kernel_id()),
        run,
        move |plan: &Plan| reference(&plan.input(make_signal)),
        bench,
    )
}

/// A case of a [`MultiChannel`] kernel, called interleaved and planar in turn; `reference` is that
/// of one channel.
pub fn channels<K: MultiChannel<Input: Random> + 'static>(
    about: About,
    make: impl Fn(SimdLevel) -> K + Copy + Send + Sync + 'static,
    reference: impl Fn(&[K::Input]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let count = make(SimdLevel::SCALAR).channels();
    let run = move |plan: &Plan| {
        let call = |kernel: &mut K, x: &[K::Input], room: Option<usize>, offset, turn: usize| {
            let sets = x.len() / count;
            let room = room.map_or(sets, |room| room / count);
            let mut out = Guarded::new(room * count, offset);
            let n = sets.min(room);
            let (taken, result) = if turn.is_multiple_of(2) {
                let taken = kernel.steps_interleaved(x, out.out());
                (taken, values(out.written(n * count)))
            } else {
                // Of planar outputs, only as many as there are inputs can be told apart.
                let (planar, mut out) = (transposed(x, count), Guarded::new(n * count, offset));
                let taken = kernel.steps_planar(&planar, out.out());
                (taken, values(&transposed(out.written(n * count), n)))
            };
            assert_eq!(taken, n, "steps: not the shorter length");
            (Progress { consumed: n * count, produced: n * count }, result)
        };
        // The plan counts samples of one channel, the stream those of all.
        let piece = |piece: &Piece| Piece {
            take: piece.take * count,
            room: piece.room.map(|room| room * count),
            resume: piece.resume,
        };
        let pieces = plan.pieces.iter().map(piece).collect();
        stream(&Plan { len: plan.len * count, pieces, ..plan.clone() }, make, call, signal).1
    };
    let bench = move |level, len: usize| {
        let (mut kernel, x) = (make(level), signal::<K::Input>(1, len / count * count));
        let mut out = vec![K::Output::ZERO; x.len()];
        Box::new(move || {
            black_box(kernel.steps_interleaved(black_box(&x), black_box(&mut out)));
        }) as Box<dyn FnMut()>
    };
    let reference = move |plan: &Plan| {
        let len = plan.len;
        let x = transposed(&plan.scaled(signal::<K::Input>(plan.seed, len * count)), count);
        let all: Vec<_> = x.chunks(len.max(1)).flat_map(&reference).collect();
        let components = all.len() / (len * count).max(1);
        let sample = |i: usize| (0..components).map(move |part| i * components + part);
        let order = (0..len).flat_map(|n| (0..count).map(move |c| c * len + n));
        order.flat_map(sample).map(|i| all[i]).collect()
    };
    Case::of::<K::Input>(
        about,
        Shape::Channels,
        Some(make(SimdLevel::SCALAR).kernel_id()),
        run,
        reference,
        bench,
    )
}

/// The columns of a matrix with rows of `width` elements, one after the other.
fn transposed<T: Copy>(x: &[T], width: usize) -> Vec<T> {
    (0..width).flat_map(|column| x.iter().skip(column).step_by(width).copied()).collect()
}
