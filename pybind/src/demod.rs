//! `passband.demod`.

use crate::declare::{Family, declare, stub_doc, typed};
use crate::marshal::{Erased, Kernel, Map, refused, shown};
use passband_kernels::demod;
use pyo3::prelude::*;
use std::f64::consts::TAU;

pub(crate) const FAMILY: Family =
    Family { name: "demod", doc: stub_doc!("demod"), at_top: true, items: &[FmDemod::ITEM, Unwrap::ITEM] };

declare! {
    "passband.demod" FmDemod: Blockwise {}
    new(*, gain=1.0) = |py, gain: f64 = real| {
        let kernel = demod::FmDemod::new(gain as f32)
            .map_err(|error| refused(error, &[("gain", &shown(gain))]))?;
        Ok((Kernel::new(py, "FmDemod", Box::new(Map(kernel)))?, Self {}))
    }
    examples {
        "": "complex64" => "float32",
        "gain=0.5": "complex64" => "float32",
    }
}

declare! {
    "passband.demod" Unwrap: Blockwise {}
    new(*, period=TAU, dtype=None) as "(*, period=6.283185307179586, dtype='float32')"
        = |py, period: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        let kernel = typed!(dtype, "float32", ["float64": f64, "float32": f32], X => {
            demod::Unwrap::<X>::new(period).map(|kernel| Map(kernel).boxed())
        });
        let kernel = kernel.map_err(|error| refused(error, &[("period", &shown(period))]))?;
        let kernel = Kernel::new(py, "Unwrap", kernel)?;
        Ok((kernel.typed().ns_per_sample(2.0), Self {}))
    }
    examples {
        "": "float32" => "float32",
        "period=1.5, dtype='float64'": "float64" => "float64",
    }
}
