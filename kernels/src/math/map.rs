//! Functions over slices, sample by sample, compiled for a level.

use crate::simd::{Body, Lanes, Lanes16};

/// A function of one sample, or of a tuple of samples, free of branches so that a loop over it
/// vectorises.
///
/// `apply` is `#[inline(always)]` and plain arithmetic: nothing fuses, and every level gives the
/// same bits.
pub(crate) trait Function<X> {
    type Output;
    fn apply(&self, x: X) -> Self::Output;

    /// Whether `x` is one of the few samples for which [`apply`](Self::apply) does not hold.
    #[inline(always)]
    fn is_rare(_: X) -> bool {
        false
    }

    /// The function of a rare sample, which may branch.
    fn slowly(&self, x: X) -> Self::Output {
        self.apply(x)
    }
}

/// The slices that a function takes its samples from: one, or pairs of them side by side.
pub(crate) trait Inputs: Copy {
    type Sample;
    /// How many samples every slice has.
    fn len(&self) -> usize;
    fn samples(self) -> impl Iterator<Item = Self::Sample>;
    /// The samples from one on.
    fn from(self, start: usize) -> Self;
}

impl<X: Copy> Inputs for &[X] {
    type Sample = X;

    #[inline(always)]
    fn len(&self) -> usize {
        <[X]>::len(self)
    }
    #[inline(always)]
    fn samples(self) -> impl Iterator<Item = X> {
        self.iter().copied()
    }
    #[inline(always)]
    fn from(self, start: usize) -> Self {
        self.get(start..).unwrap_or_default()
    }
}

impl<A: Inputs, B: Inputs> Inputs for (A, B) {
    type Sample = (A::Sample, B::Sample);

    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len().min(self.1.len())
    }
    #[inline(always)]
    fn samples(self) -> impl Iterator<Item = (A::Sample, B::Sample)> {
        self.0.samples().zip(self.1.samples())
    }
    #[inline(always)]
    fn from(self, start: usize) -> Self {
        (self.0.from(start), self.1.from(start))
    }
}

/// `out[n] = function(x[n])` over the shortest length, which it returns.
pub(crate) struct Map<'a, F, X, Y> {
    pub(crate) function: F,
    pub(crate) x: X,
    pub(crate) out: &'a mut [Y],
}

impl<F: Function<X::Sample, Output = Y>, X: Inputs<Sample: Copy>, Y> Body<f32> for Map<'_, F, X, Y> {
    type Output = usize;

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) -> usize {
        let Self { function, x, out } = self;
        let head = to_next_line(out);
        if let Some((before, rest)) = out.split_at_mut_checked(head) {
            apply_to_each(&function, x, before);
            apply_to_each(&function, x.from(head), rest);
        }
        if any_rare::<F, X>(x) {
            for (y, x) in out.iter_mut().zip(x.samples()).filter(|(_, x)| F::is_rare(*x)) {
                *y = function.slowly(x);
            }
        }
        x.len().min(out.len())
    }
}

#[inline(always)]
fn apply_to_each<F: Function<X::Sample>, X: Inputs>(function: &F, x: X, out: &mut [F::Output]) {
    for (y, x) in out.iter_mut().zip(x.samples()) {
        *y = function.apply(x);
    }
}

/// Samples of a long slice before the first that begins a cache line.
///
/// Stores across two lines are slow, the more so beside loads from the same place of a page, where
/// long arrays tend to begin: products of complex samples take twice as long.
#[inline(always)]
fn to_next_line<Y>(out: &[Y]) -> usize {
    const LONG: usize = 16384;
    if size_of_val(out) < LONG { 0 } else { out.as_ptr().align_offset(64).min(out.len()) }
}

/// `[one[n], two[n]] = function(x[n])` over the shortest length, which it returns.
pub(crate) struct MapToTwo<'a, F, X, Y> {
    pub(crate) function: F,
    pub(crate) x: X,
    pub(crate) out: [&'a mut [Y]; 2],
}

impl<F: Function<X::Sample, Output = [Y; 2]>, X: Inputs<Sample: Copy>, Y> Body<f32>
    for MapToTwo<'_, F, X, Y>
{
    type Output = usize;

    #[inline(always)]
    fn run<S: Lanes<f32> + Lanes16>(self, _: S) -> usize {
        let Self { function, x, out: [one, two] } = self;
        let n = x.len().min(one.len()).min(two.len());
        for ((one, two), x) in one.iter_mut().zip(two.iter_mut()).zip(x.samples()) {
            [*one, *two] = function.apply(x);
        }
        if any_rare::<F, X>(x) {
            let outs = one.iter_mut().zip(two).zip(x.samples());
            for ((one, two), x) in outs.filter(|(_, x)| F::is_rare(*x)) {
                [*one, *two] = function.slowly(x);
            }
        }
        n
    }
}

#[inline(always)]
fn any_rare<F: Function<X::Sample>, X: Inputs>(x: X) -> bool {
    let mut any = false;
    for x in x.samples() {
        any |= F::is_rare(x);
    }
    any
}

/// Declares `name(x, .., out)` and `name_with(level, x, .., out)`, which map a [`Function`] over
/// slices of the types that a trait of their own lists.
///
/// Before its arguments, in brackets, a function of several slices names them; it is one of their
/// samples as `(a, (b, c))`. Arguments are numbers of the type of the samples' components. Each type
/// has its own instance, compiled here and not where it is called.
macro_rules! pointwise {
    (
        $(#[$doc:meta])*
        $name:ident, $with:ident $arguments:tt of $Of:ident: $types:tt $function:expr
    ) => {
        pointwise!($(#[$doc])* $name, $with [x] $arguments of $Of: $types $function);
    };
    (
        $(#[$doc:meta])*
        $name:ident, $with:ident $slices:tt $arguments:tt of $Of:ident: [$($X:ty => $Y:ty),+]
        $function:expr
    ) => {
        pointwise!($(#[$doc])* functions $name, $with $slices $arguments of $Of);
        $(pointwise!(instance of $Of: $X => $Y, $slices $arguments $function);)+
    };
    (
        $(#[$doc:meta])*
        functions $name:ident, $with:ident [$($x:ident),+] ($($argument:ident),*) of $Of:ident
    ) => {
        #[doc = concat!("A sample type that [`", stringify!($name), "`] takes.")]
        pub trait $Of: $crate::sample::Sample {
            /// What it gives.
            type Output: $crate::sample::Sample;
            #[doc(hidden)]
            fn map(
                level: $crate::SimdLevel,
                $($x: &[Self],)+
                $($argument: Self::Component,)*
                out: &mut [Self::Output],
            ) -> usize;
        }

        $(#[$doc])*
        pub fn $name<X: $Of>(
            $($x: &[X],)+
            $($argument: X::Component,)*
            out: &mut [X::Output],
        ) -> usize {
            $with($crate::SimdLevel::best(), $($x,)+ $($argument,)* out)
        }

        #[doc = concat!("[`", stringify!($name), "`] at a level.")]
        pub fn $with<X: $Of>(
            level: $crate::SimdLevel,
            $($x: &[X],)+
            $($argument: X::Component,)*
            out: &mut [X::Output],
        ) -> usize {
            X::map(level, $($x,)+ $($argument,)* out)
        }
    };
    (instance of $Of:ident: $X:ty => $Y:ty, [$($x:ident),+] ($($argument:ident),*) $function:expr) => {
        impl $Of for $X {
            type Output = $Y;

            fn map(
                level: $crate::SimdLevel,
                $($x: &[Self],)+
                $($argument: <$X as $crate::sample::Sample>::Component,)*
                out: &mut [$Y],
            ) -> usize {
                let x = pointwise!(together $($x),+);
                level.run::<f32, _>($crate::math::map::Map { function: $function, x, out })
            }
        }
    };
    (together $x:ident) => { $x };
    (together $x:ident, $($more:ident),+) => { ($x, pointwise!(together $($more),+)) };
}
pub(crate) use pointwise;

/// What a case says of a function of `X` that gives `Y`.
#[cfg(feature = "testing")]
pub(crate) fn about<X: crate::sample::Sample, Y>(
    kernel: &'static str,
    summary: &'static str,
    flops: f64,
    (max_error, snr_db): (f64, f64),
) -> crate::testing::About {
    crate::testing::About {
        family: "math",
        kernel,
        summary,
        variant: std::string::ToString::to_string(X::NAME),
        max_error,
        snr_db,
        flops,
        bytes: (size_of::<X>() + size_of::<Y>()) as f64,
        benched: true,
    }
}

/// What a case says of a function of so many arrays of `X` that gives one more.
#[cfg(feature = "testing")]
pub(crate) fn about_several<X: crate::sample::Sample>(
    kernel: &'static str,
    summary: &'static str,
    arrays: usize,
    flops: f64,
    bounds: (f64, f64),
) -> crate::testing::About {
    let bytes = ((arrays + 1) * size_of::<X>()) as f64;
    crate::testing::About { bytes, ..about::<X, X>(kernel, summary, flops, bounds) }
}

/// A case of a function of `X`, whose reference takes the parts of each sample.
#[cfg(feature = "testing")]
pub(crate) fn case<X: crate::testing::Random, Y: crate::sample::Sample>(
    kernel: &'static str,
    summary: &'static str,
    flops: f64,
    bounds: (f64, f64),
    apply: fn(crate::SimdLevel, &[X], &mut [Y]) -> usize,
    exact: fn([f64; 2]) -> f64,
) -> crate::testing::Case {
    let reference = move |x: &[X]| x.iter().map(|x| exact(x.parts())).collect();
    crate::testing::function(about::<X, Y>(kernel, summary, flops, bounds), apply, reference)
}
