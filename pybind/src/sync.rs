//! `passband.sync`.

use crate::declare::{Family, declare, stub_doc, typed};
use crate::marshal::{Erased, Kernel, Rate, TwoOut, positive, refused, shown};
use crate::shape::TwoOutput;
use num_complex::Complex;
use passband_kernels::shape::ConfigError;
use passband_kernels::sync;
use pyo3::prelude::*;
use std::f64::consts::FRAC_1_SQRT_2;

pub(crate) const FAMILY: Family =
    Family { name: "sync", doc: stub_doc!("sync"), at_top: true, items: &[Pll::ITEM, SymbolSync::ITEM] };

fn refused_of<const N: usize>(error: ConfigError, arguments: [(&str, f64); N]) -> PyErr {
    let value = arguments.iter().find(|(name, _)| *name == error.argument).map_or(f64::NAN, |found| found.1);
    refused(error, &[(error.argument, &shown(value))])
}

declare! {
    "passband.sync" Pll: TwoOutput { fs: f64 }
    new(loop_bandwidth, *, damping=FRAC_1_SQRT_2, freq=0.0, fs=1.0)
        as "(loop_bandwidth, *, damping=0.7071067811865476, freq=0.0, fs=1.0)"
        = |py, loop_bandwidth: f64 = real, damping: f64 = real, freq: f64 = real, fs: f64 = real| {
        let fs = positive("fs", fs)?;
        let pll = sync::Pll::new(freq / fs, loop_bandwidth / fs, damping).map_err(|error| {
            refused_of(error, [("freq", freq), ("loop_bandwidth", loop_bandwidth), ("damping", damping)])
        })?;
        Ok((Kernel::new(py, "Pll", TwoOut(pll).boxed())?.ns_per_sample(20.0), Self { fs }))
    }
    examples {
        "0.01": "complex64" => "complex64, float32",
        "20e3, damping=1.0, freq=100e3, fs=2e6": "complex64" => "complex64, float32",
    }
    #[doc = stub_doc!("Pll.freq")]
    #[getter]
    fn freq(this: &Bound<'_, Self>) -> PyResult<f64> {
        let kernel = TwoOutput::cell(this.as_super());
        kernel.with(|pll: &mut sync::Pll| pll.freq() * this.get().fs)
    }
}

declare! {
    "passband.sync" SymbolSync: VariableLength {}
    new(samples_per_symbol, loop_bandwidth, *, damping=FRAC_1_SQRT_2, dtype=None)
        as "(samples_per_symbol, loop_bandwidth, *, damping=0.7071067811865476, dtype='float32')"
        = |py, samples_per_symbol: f64 = real, loop_bandwidth: f64 = real, damping: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        let kernel = typed!(dtype, "float32", ["complex64": Complex<f32>, "float32": f32], X =>
            sync::SymbolSync::<X>::new(samples_per_symbol, loop_bandwidth, damping).map(|sync| Rate(sync).boxed()));
        let kernel = kernel.map_err(|error| {
            let samples = ("samples_per_symbol", samples_per_symbol);
            refused_of(error, [samples, ("loop_bandwidth", loop_bandwidth), ("damping", damping)])
        })?;
        Ok((Kernel::new(py, "SymbolSync", kernel)?.typed().ns_per_sample(5.0), Self {}))
    }
    examples {
        "4.0, 0.01": "float32" => "float32",
        "2.5, 0.02, damping=1.0, dtype='complex64'": "complex64" => "complex64",
    }
}
