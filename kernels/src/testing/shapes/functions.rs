//! Cases of functions without state.

use crate::SimdLevel;
use crate::sample::Sample;
use crate::testing::{
    About, Case, Guarded, Plan, Random, Shape, misaligned, second_signal, signal, third_signal, values,
};
use std::boxed::Box;
use std::hint::black_box;
use std::vec;
use std::vec::Vec;

/// A case of a function over one array; a plan's cuts make calls of their own.
pub fn function<X: Random, Y: Sample>(
    about: About,
    apply: impl Fn(SimdLevel, &[X], &mut [Y]) -> usize + Copy + Send + Sync + 'static,
    reference: impl Fn(&[X]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    // The second array is there and nobody reads it.
    let apply = move |level, x: &[X], _: &[u8], out: &mut [Y]| apply(level, x, out);
    function_of_two(about, apply, move |x, _| reference(x))
}

/// A case of a function over one array whose outputs depend on all samples before; a plan's cuts mean
/// nothing to it.
pub fn running_function<X: Random, Y: Sample>(
    about: About,
    apply: impl Fn(SimdLevel, &[X], &mut [Y]) -> usize + Copy + Send + Sync + 'static,
    reference: impl Fn(&[X]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let case = function(about, apply, reference);
    let in_one = move |plan: &Plan| (case.run)(&Plan { pieces: vec![], ..plan.clone() });
    Case { run: Box::new(in_one), ..case }
}

/// A case of a function over two arrays, sample by sample.
pub fn function_of_two<A: Random, B: Random, Y: Sample>(
    about: About,
    apply: impl Fn(SimdLevel, &[A], &[B], &mut [Y]) -> usize + Copy + Send + Sync + 'static,
    reference: impl Fn(&[A], &[B]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    // Likewise the third.
    let apply = move |level, a: &[A], b: &[B], _: &[u8], out: &mut [Y]| apply(level, a, b, out);
    function_of_three(about, apply, move |a, b, _| reference(a, b))
}

/// A case of a function over three arrays, sample by sample.
pub fn function_of_three<A: Random, B: Random, C: Random, Y: Sample>(
    about: About,
    apply: impl Fn(SimdLevel, &[A], &[B], &[C], &mut [Y]) -> usize + Copy + Send + Sync + 'static,
    reference: impl Fn(&[A], &[B], &[C]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let run = move |plan: &Plan| {
        let (mut result, mut done) = (vec![], 0);
        let (a, range) = misaligned(&plan.input(signal::<A>), plan.offset);
        let a = &a[range];
        let (b, range) = misaligned(&plan.input(second_signal::<B>), plan.offset);
        let b = &b[range];
        let (c, range) = misaligned(&plan.input(third_signal::<C>), plan.offset);
        let c = &c[range];
        for piece in plan.calls() {
            let n = piece.take;
            let mut out = Guarded::new(n, plan.offset);
            // Past the cut there are more samples, of which `out` takes none.
            let made = apply(plan.level, &a[done..], &b[done..], &c[done..], out.out());
            assert_eq!(made, n, "not the shortest length");
            result.extend(values(out.written(n)));
            done += n;
        }
        result
    };
    let bench = move |level, len| {
        let (a, b, c) = (signal::<A>(1, len), second_signal::<B>(1, len), third_signal::<C>(1, len));
        let mut out = vec![Y::ZERO; len];
        Box::new(move || {
            black_box(apply(level, black_box(&a), black_box(&b), black_box(&c), black_box(&mut out)));
        }) as Box<dyn FnMut()>
    };
    Case {
        lanes: A::MAX_LANES.max(Y::MAX_LANES),
        ..Case::of::<A>(
            about,
            Shape::Function,
            None,
            run,
            move |plan: &Plan| {
                reference(&plan.input(signal), &plan.input(second_signal), &plan.input(third_signal))
            },
            bench,
        )
    }
}

/// A case of a function over one array that fills two.
pub fn function_to_two<X: Random, Y: Sample>(
    about: About,
    apply: impl Fn(SimdLevel, &[X], &mut [Y], &mut [Y]) -> usize + Copy + Send + Sync + 'static,
    reference: impl Fn(&[X]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let run = move |plan: &Plan| {
        let (mut result, mut done) = (vec![], 0);
        let (x, range) = misaligned(&plan.input(signal::<X>), plan.offset);
        for piece in plan.calls() {
            let n = piece.take;
            // One of the two has more room, which must stay unwritten.
            let (mut one, mut two) = (Guarded::new(n, plan.offset), Guarded::new(n + 1, plan.offset));
            let made = apply(plan.level, &x[range.clone()][done..], one.out(), two.out());
            assert_eq!(made, n, "not the shortest length");
            let pairs = one.written(n).iter().zip(two.written(n));
            result.extend(pairs.flat_map(|(one, two)| values(&[*one, *two])));
            done += n;
        }
        result
    };
    let bench = move |level, len| {
        let (x, [mut one, mut two]) = (signal::<X>(1, len), [(); 2].map(|()| vec![Y::ZERO; len]));
        Box::new(move || {
            black_box(apply(level, black_box(&x), black_box(&mut one), black_box(&mut two)));
        }) as Box<dyn FnMut()>
    };
    let reference = move |plan: &Plan| reference(&plan.input(signal));
    Case::of::<X>(about, Shape::Function, None, run, reference, bench)
}

/// What a function gives that gives a number.
pub trait Value {
    /// The number in exact parts.
    fn parts(self) -> Vec<f64>;
}

impl<T: Sample> Value for T {
    fn parts(self) -> Vec<f64> {
        values(&[self])
    }
}

impl Value for i64 {
    fn parts(self) -> Vec<f64> {
        vec![(self >> 32) as f64, f64::from(self as u32)]
    }
}

/// A case of a function that gives a number of an array; a plan's cuts mean nothing to it.
pub fn value<X: Random, T: Value>(
    about: About,
    apply: impl Fn(SimdLevel, &[X]) -> T + Copy + Send + Sync + 'static,
    reference: impl Fn(&[X]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    // The second array is there and nobody reads it.
    let apply = move |level, x: &[X], _: &[u8]| apply(level, x);
    value_of_two(about, apply, move |x, _| reference(x))
}

/// A case of a function that gives a number of two arrays; a plan's cuts mean nothing to it.
pub fn value_of_two<A: Random, B: Random, T: Value>(
    about: About,
    apply: impl Fn(SimdLevel, &[A], &[B]) -> T + Copy + Send + Sync + 'static,
    reference: impl Fn(&[A], &[B]) -> Vec<f64> + Send + Sync + 'static,
) -> Case {
    let run = move |plan: &Plan| {
        let (a, range) = misaligned(&plan.input(signal::<A>), plan.offset);
        let a = &a[range];
        let (b, range) = misaligned(&plan.input(second_signal::<B>), plan.offset);
        apply(plan.level, a, &b[range]).parts()
    };
    let bench = move |level, len| {
        let (a, b) = (signal::<A>(1, len), second_signal::<B>(1, len));
        Box::new(move || {
            black_box(apply(level, black_box(&a), black_box(&b)));
        }) as Box<dyn FnMut()>
    };
    Case::of::<A>(
        about,
        Shape::ValueFunction,
        None,
        run,
        move |plan: &Plan| reference(&plan.input(signal), &plan.input(second_signal)),
        bench,
    )
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
    Case::of::<Y>(about, Shape::Function, None, run, move |plan: &Plan| reference(plan.len), bench)
}
