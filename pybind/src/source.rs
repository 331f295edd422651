//! `passband.source`.

use crate::declare::{Family, declare, stub_doc};
use crate::marshal::{Kernel, MapInPlace, Source, positive, real, refused, shown, value_error};
use passband_kernels::source;
use pyo3::prelude::*;

pub(crate) const FAMILY: Family = Family {
    name: "source",
    doc: stub_doc!("source"),
    at_top: true,
    items: &[LocalOscillator::ITEM, Mixer::ITEM],
};

/// `freq` in units of `fs`.
fn ratio(freq: f64, fs: f64) -> PyResult<f64> {
    let ratio = freq / fs;
    if freq.is_finite() && !ratio.is_finite() {
        return Err(value_error("freq / fs", "a finite number", format!("{freq:?} / {fs:?}")));
    }
    Ok(ratio)
}

/// A class around an oscillator: constructor arguments and the property `freq`, in units of `fs`.
macro_rules! oscillator {
    ($Class:ident: $Shape:ident, $Wrapper:ident, $input:literal) => {
        declare! {
            "passband.source" $Class: $Shape { fs: f64 }
            new(freq, *, fs=1.0, phase=0.0)
                = |py, freq: f64 = real, fs: f64 = real, phase: f64 = real| {
                let fs = positive("fs", fs)?;
                let kernel = source::$Class::new(ratio(freq, fs)?, phase).map_err(|error| {
                    refused(error, &[("freq", &shown(freq)), ("phase", &shown(phase))])
                })?;
                let kernel = Kernel::new(py, stringify!($Class), Box::new($Wrapper(kernel)))?;
                Ok((kernel.ns_per_sample(0.3), Self { fs }))
            }
            examples {
                "0.125": $input => "complex64",
                "-150e3, fs=2e6, phase=0.25": $input => "complex64",
            }
            #[doc = stub_doc!(stringify!($Class), ".freq")]
            #[getter]
            fn freq(this: &Bound<'_, Self>) -> PyResult<f64> {
                let kernel = crate::shape::$Shape::cell(this.as_super());
                kernel.with(|kernel: &mut source::$Class| kernel.freq() * this.get().fs)
            }

            #[setter]
            fn set_freq(this: &Bound<'_, Self>, #[pyo3(from_py_with = real::freq)] freq: f64) -> PyResult<()> {
                let kernel = crate::shape::$Shape::cell(this.as_super());
                let ratio = ratio(freq, this.get().fs)?;
                kernel
                    .with(|kernel: &mut source::$Class| kernel.set_freq(ratio))?
                    .map_err(|error| refused(error, &[("freq", &shown(freq))]))
            }
        }
    };
}

oscillator!(LocalOscillator: Generator, Source, "count");
oscillator!(Mixer: Blockwise, MapInPlace, "complex64");
