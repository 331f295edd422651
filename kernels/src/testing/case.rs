//! One kernel over one set of sample types, as the checks see it.

use super::{Arithmetic, Deviation, Plan};
use crate::SimdLevel;
use crate::sample::Sample;
use std::boxed::Box;
use std::fmt;
use std::vec::Vec;

/// The shape of a kernel's calls; [`crate::shape`] tells what each promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// [`Blockwise`](crate::shape::Blockwise)
    Blockwise,
    /// [`InPlace`](crate::shape::InPlace)
    InPlace,
    /// [`Generator`](crate::shape::Generator)
    Generator,
    /// [`VariableLength`](crate::shape::VariableLength)
    VariableLength,
    /// [`TwoInput`](crate::shape::TwoInput)
    TwoInput,
    /// [`TwoOutput`](crate::shape::TwoOutput)
    TwoOutput,
    /// [`Batch`](crate::shape::Batch)
    Batch,
    /// [`MultiChannel`](crate::shape::MultiChannel)
    Channels,
    /// [`Buffered`](crate::shape::Buffered)
    Buffered,
    /// [`Sink`](crate::shape::Sink)
    Sink,
    /// [`Measure`](crate::shape::Measure)
    SingleRecord,
    /// [`Detector`](crate::shape::Detector)
    Records,
    /// A function without state that gives records.
    RecordFunction,
    /// A function without state.
    Function,
    /// A function without state that gives a number.
    ValueFunction,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Blockwise => "blockwise",
            Self::InPlace => "blockwise, in place",
            Self::Generator => "generator",
            Self::VariableLength => "variable-length",
            Self::TwoInput => "two inputs",
            Self::TwoOutput => "multi-output",
            Self::Batch => "batch",
            Self::Channels => "channels",
            Self::Buffered => "variable-length, with flush",
            Self::Sink => "sink",
            Self::SingleRecord => "single record",
            Self::Records => "records",
            Self::RecordFunction => "function giving records",
            Self::Function => "pure function",
            Self::ValueFunction => "function giving a number",
        })
    }
}

/// What a case says of its kernel.
#[derive(Clone, Debug)]
pub struct About {
    /// The module, as in `filter`.
    pub family: &'static str,
    /// The kernel, as in `Fir`.
    pub kernel: &'static str,
    /// What the kernel does, for the kernel list.
    pub summary: &'static str,
    /// Sample types and sizes, as in `complex64, 64 taps float32`.
    pub variant: std::string::String,
    /// The largest difference from the reference, at most twice what is measured; 0 for exact.
    pub max_error: f64,
    /// The least signal to error in decibels; infinite for exact.
    pub snr_db: f64,
    /// Arithmetic operations per input (per output of a generator).
    pub flops: f64,
    /// Bytes read and written per input.
    pub bytes: f64,
    /// Whether benches run it.
    pub benched: bool,
}

impl About {
    /// The two halves of the variant: sample types, and sizes where there are any.
    #[must_use]
    pub fn samples_and_size(&self) -> (&str, &str) {
        self.variant.split_once(", ").unwrap_or((&self.variant, ""))
    }
}

pub(super) type Run = dyn Fn(&Plan) -> Vec<f64> + Send + Sync;
pub(super) type Reference = dyn Fn(&Plan) -> Vec<f64> + Send + Sync;
pub(super) type Bench = dyn Fn(SimdLevel, usize) -> Box<dyn FnMut()> + Send + Sync;

/// One kernel over one set of sample types.
pub struct Case {
    /// What it is.
    pub about: About,
    /// How it is called.
    pub shape: Shape,
    /// The id in snapshots; `None` without state.
    pub id: Option<u32>,
    /// Samples in the widest vector, for choosing lengths.
    pub lanes: usize,
    /// What does its arithmetic, for benches.
    pub arithmetic: Arithmetic,
    pub(super) run: Box<Run>,
    pub(super) reference: Box<Reference>,
    pub(super) bench: Box<Bench>,
}

impl Case {
    /// A case over samples of type `X`.
    pub(super) fn of<X: Sample>(
        about: About,
        shape: Shape,
        id: Option<u32>,
        run: impl Fn(&Plan) -> Vec<f64> + Send + Sync + 'static,
        reference: impl Fn(&Plan) -> Vec<f64> + Send + Sync + 'static,
        bench: impl Fn(SimdLevel, usize) -> Box<dyn FnMut()> + Send + Sync + 'static,
    ) -> Self {
        Self {
            about,
            shape,
            id,
            lanes: X::MAX_LANES,
            arithmetic: Arithmetic::of::<X>(),
            run: Box::new(run),
            reference: Box::new(reference),
            bench: Box::new(bench),
        }
    }

    /// Runs a plan; the components of all outputs.
    ///
    /// # Panics
    /// When the kernel breaks a law on the way: a write outside of what it reports, a lost input,
    /// a count that is not the promised one, a damaged snapshot taken.
    #[must_use]
    pub fn run(&self, plan: &Plan) -> Vec<f64> {
        (self.run)(plan)
    }

    /// The result for a plan's signal by an independent computation in `f64` or integers.
    #[must_use]
    pub fn reference(&self, plan: &Plan) -> Vec<f64> {
        (self.reference)(plan)
    }

    /// How far the result of the whole stream is from the reference.
    #[must_use]
    pub fn deviation(&self, plan: &Plan) -> Deviation {
        Deviation::between(&self.run(plan), &self.reference(plan))
    }

    /// A call over `len` inputs, ready to be timed.
    #[must_use]
    pub fn bench(&self, level: SimdLevel, len: usize) -> Box<dyn FnMut()> {
        (self.bench)(level, len)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}: {}", self.about.family, self.about.kernel, self.about.variant)
    }
}
