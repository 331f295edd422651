//! `passband.detect`.

use crate::declare::{Family, declare, stub_doc};
use crate::marshal::{Detect, Erased, Kernel, chosen, refused, shown};
use num_complex::Complex;
use passband_kernels::detect;
use pyo3::prelude::*;

pub(crate) const FAMILY: Family =
    Family { name: "detect", doc: stub_doc!("detect"), at_top: true, items: &[BurstDetector::ITEM] };

declare! {
    "passband.detect" BurstDetector: Detector {}
    new(on, off, *, hang=0, min_length=1, dtype=None)
        as "(on, off, *, hang=0, min_length=1, dtype='complex64')"
        = |py, on: f64 = real, off: f64 = real, hang: usize = whole, min_length: usize = whole, dtype: Option<&Bound<'_, PyAny>>| {
        fn boxed<X: detect::Power + 'static>(detector: detect::BurstDetector<X>) -> Box<dyn Erased> {
            Box::new(Detect(detector))
        }
        let (hang, min_length) = (hang as u64, min_length as u64);
        let dtype = dtype.map(|dtype| chosen(dtype, &["float32", "complex64"])).transpose()?;
        let (low, high) = (off as f32, on as f32);
        let kernel = match dtype {
            Some("float32") => detect::BurstDetector::<f32>::new(high, low, hang, min_length).map(boxed),
            _ => detect::BurstDetector::<Complex<f32>>::new(high, low, hang, min_length).map(boxed),
        };
        let arguments: [(&str, &dyn std::fmt::Display); 3] =
            [("on", &shown(on)), ("off", &shown(off)), ("min_length", &min_length)];
        let kernel = kernel.map_err(|error| refused(error, &arguments))?;
        Ok((Kernel::new(py, "BurstDetector", kernel)?.typed(), Self {}))
    }
    examples {
        "0.5, 0.25": "complex64" => "burst",
        "0.5, 0.25, hang=2, min_length=2, dtype='float32'": "float32" => "burst",
    }
}
