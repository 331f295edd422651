//! `passband.source`.

mod hertz;

use crate::declare::{Family, declare, stub_doc, typed};
use crate::marshal::{Erased, Kernel, Map, MapInPlace, Source, positive, real, refused, shown, value_error};
use hertz::InHertz;
use passband_kernels::source;
use pyo3::prelude::*;

pub(crate) const FAMILY: Family = Family {
    name: "source",
    doc: stub_doc!("source"),
    at_top: true,
    items: &[LocalOscillator::ITEM, Mixer::ITEM, Nco::ITEM],
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

declare! {
    "passband.source" Nco: Blockwise {}
    new(*, fs=1.0, phase=0.0, dtype=None) as "(*, fs=1.0, phase=0.0, dtype='float32')"
        = |py, fs: f64 = real, phase: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        let fs = positive("fs", fs)?;
        if fs.recip().is_infinite() {
            return Err(value_error("fs", "a number whose reciprocal is finite", shown(fs)));
        }
        let kernel = typed!(dtype, "float32", ["float64": f64, "float32": f32], X => if fs == 1.0 {
            source::Nco::<X>::new(phase).map(|kernel| Map(kernel).boxed())
        } else {
            source::Nco::new(phase).map(|kernel| Map(InHertz::<X>::new(kernel, fs)).boxed())
        });
        let kernel = kernel.map_err(|error| refused(error, &[("phase", &shown(phase))]))?;
        Ok((Kernel::new(py, "Nco", kernel)?.typed().ns_per_sample(2.0), Self {}))
    }
    examples {
        "": "float32" => "complex64",
        "phase=0.25, dtype='float64'": "float64" => "complex64",
        "fs=8.0, phase=-0.5": "float32" => "complex64",
        "fs=8.0, dtype='float64'": "float64" => "complex64",
    }
}
