//! `passband.sync`.

use crate::declare::{Family, declare, stub_doc};
use crate::marshal::{Erased, Kernel, TwoOut, positive, refused, shown};
use crate::shape::TwoOutput;
use passband_kernels::sync;
use pyo3::prelude::*;
use std::f64::consts::FRAC_1_SQRT_2;

pub(crate) const FAMILY: Family =
    Family { name: "sync", doc: stub_doc!("sync"), at_top: true, items: &[Pll::ITEM] };

declare! {
    "passband.sync" Pll: TwoOutput { fs: f64 }
    new(loop_bandwidth, *, damping=FRAC_1_SQRT_2, freq=0.0, fs=1.0)
        as "(loop_bandwidth, *, damping=0.7071067811865476, freq=0.0, fs=1.0)"
        = |py, loop_bandwidth: f64 = real, damping: f64 = real, freq: f64 = real, fs: f64 = real| {
        let fs = positive("fs", fs)?;
        let pll = sync::Pll::new(freq / fs, loop_bandwidth / fs, damping).map_err(|error| {
            let arguments = [("freq", freq), ("loop_bandwidth", loop_bandwidth), ("damping", damping)];
            let given = arguments.map(|(name, value)| (name, shown(value)));
            let given: Vec<(&str, &dyn std::fmt::Display)> =
                given.iter().map(|(name, text)| (*name, text as _)).collect();
            refused(error, &given)
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
