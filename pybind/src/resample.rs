//! `passband.resample`.

mod any_ratio;
mod cic;
mod ddc;
mod fir;
mod halfband;

use crate::declare::{Family, stub_doc};
use crate::marshal::{Erased, Kernel, Taps, WithTaps};
pub(crate) use any_ratio::stopband;
use pyo3::prelude::*;

pub(crate) const FAMILY: Family = Family {
    name: "resample",
    doc: stub_doc!("resample"),
    at_top: true,
    items: &[
        fir::FirDecimator::ITEM,
        fir::FirInterpolator::ITEM,
        fir::RationalResampler::ITEM,
        any_ratio::ArbitraryResampler::ITEM,
        any_ratio::Farrow::ITEM,
        halfband::HalfbandDecimator::ITEM,
        halfband::HalfbandInterpolator::ITEM,
        cic::CicDecimator::ITEM,
        cic::CicInterpolator::ITEM,
        ddc::Ddc::ITEM,
        ddc::Duc::ITEM,
    ],
};

const INPUTS: &[&str] = &["float32", "float64", "complex64", "complex128"];
const WITH_FIXED_POINT: &[&str] = &["float32", "float64", "complex64", "complex128", "q7", "q15", "q31"];

/// A kernel and its delay in input samples.
type Delayed = (Box<dyn Erased>, Option<f64>);

/// Makes a filter between two rates; `work` is that of an input, in outputs of a filter at one rate.
fn filter<W: WithTaps<Made = Delayed>>(
    name: &'static str,
    given: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    (make, work): (W, f64),
    arguments: &[(&str, &dyn std::fmt::Display)],
) -> PyResult<(Kernel, Taps, Option<f64>)> {
    let py = given.py();
    let taps = Taps::new(given, dtype, W::INPUTS)?;
    let (kernel, delay) = taps.kernel(py, make, arguments)?;
    let kernel = Kernel::new(py, name, kernel)?.of(taps.parts(py)?).typed();
    let ns = work * taps.work_ns(py)?;
    Ok((kernel.ns_per_sample(ns), taps, delay))
}

/// Declares the class of a filter between two rates: its arguments beside taps and dtype, and from
/// these what makes its kernel and the work of an input.
macro_rules! filter_class {
    (
        $Class:ident($($signature:tt)*) = ($($argument:ident: $converter:ident),*) => $make:expr;
        examples { $($examples:tt)* }
    ) => {
        $crate::declare::declare! {
            "passband.resample" $Class: VariableLength { taps: $crate::marshal::Taps, delay: Option<f64> }
            new($($signature)*)
                = |
                    _py,
                    taps: &pyo3::Bound<'_, pyo3::PyAny>
                    $(, $argument: usize = $converter)*,
                    dtype: Option<&pyo3::Bound<'_, pyo3::PyAny>>
                | {
                let arguments: &[(&str, &dyn std::fmt::Display)] = &[$((stringify!($argument), &$argument)),*];
                let (kernel, taps, delay) =
                    super::filter(stringify!($Class), taps, dtype, $make, arguments)?;
                Ok((kernel, Self { taps, delay }))
            }
            examples { $($examples)* }
            #[doc = $crate::declare::stub_doc!(stringify!($Class), ".taps")]
            #[getter]
            fn taps<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                self.taps.copy(py)
            }
            #[doc = $crate::declare::stub_doc!(stringify!($Class), ".group_delay")]
            #[getter]
            fn group_delay(&self) -> Option<f64> {
                self.delay
            }
        }
    };
}

use filter_class;
