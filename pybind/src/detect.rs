//! `passband.detect`.

use crate::declare::{Family, declare, function_item, stub_doc, typed};
use crate::marshal::{Detect, Dtype, Erased, Kernel, chosen, find, limits, one_of, real, refused, shown};
use num_complex::Complex;
use passband_kernels::detect::{self, PeakConditions};
use passband_kernels::shape::ConfigError;
use pyo3::prelude::*;

pub(crate) const FAMILY: Family = Family {
    name: "detect",
    doc: stub_doc!("detect"),
    at_top: true,
    items: &[BurstDetector::ITEM, PulseSlicer::ITEM, FIND_PEAKS],
};

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

declare! {
    "passband.detect" PulseSlicer: Detector {}
    new(on, off, *, min_length=1, dtype=None) as "(on, off, *, min_length=1, dtype='float32')"
        = |py, on: f64 = real, off: f64 = real, min_length: usize = whole, dtype: Option<&Bound<'_, PyAny>>| {
        let length = min_length as u64;
        let kernel = typed!(dtype, "float32", ["float64": f64, "float32": f32], X =>
            detect::PulseSlicer::new(on as X, off as X, length).map(|slicer| Detect(slicer).boxed()));
        let arguments: [(&str, &dyn std::fmt::Display); 3] =
            [("on", &shown(on)), ("off", &shown(off)), ("min_length", &min_length)];
        let kernel = kernel.map_err(|error| refused(error, &arguments))?;
        Ok((Kernel::new(py, "PulseSlicer", kernel)?.typed(), Self {}))
    }
    examples {
        "0.5, 0.25": "float32" => "pulse",
        "0.5, -0.25, min_length=2, dtype='float64'": "float64" => "pulse",
    }
}

const FIND_PEAKS: crate::declare::Item = function_item!(find_peaks: "record function", examples {
    "": "float64" => "peak",
    "": "float32" => "peak",
    "height=(-0.5, 2), distance=3, wlen=9": "float64" => "peak",
    "threshold=0.1, prominence=(None, 3.0), width=0.5, rel_height=0.75": "float64" => "peak",
});

type Argument<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

#[doc = stub_doc!("detect.find_peaks")]
#[pyfunction]
#[pyo3(signature = (
    x, *, height=None, threshold=None, distance=None, prominence=None, width=None, wlen=None, rel_height=0.5,
    out=None
))]
#[expect(clippy::too_many_arguments, reason = "SciPy's conditions, each of them")]
fn find_peaks<'py>(
    x: &Bound<'py, PyAny>,
    height: Argument<'_, 'py>,
    threshold: Argument<'_, 'py>,
    distance: Argument<'_, 'py>,
    prominence: Argument<'_, 'py>,
    width: Argument<'_, 'py>,
    wlen: Argument<'_, 'py>,
    #[pyo3(from_py_with = real::rel_height)] rel_height: f64,
    out: Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    type Set = fn(PeakConditions, f64, f64) -> PeakConditions;
    let py = x.py();
    let mut conditions = PeakConditions::new();
    let pairs: [(&str, Argument<'_, 'py>, Set); 4] = [
        ("height", height, PeakConditions::height),
        ("threshold", threshold, PeakConditions::threshold),
        ("prominence", prominence, PeakConditions::prominence),
        ("width", width, PeakConditions::width),
    ];
    for (name, value, set) in pairs {
        if let Some(value) = value {
            let (min, max) = limits(name, value)?;
            conditions = set(conditions, min, max);
        }
    }
    let refuse = |given: f64| move |error: ConfigError| refused(error, &[(error.argument, &shown(given))]);
    if let Some(samples) = distance.map(real::distance).transpose()? {
        let whole = if samples < 1.0 { 0 } else { samples.ceil() as u64 };
        conditions = conditions.distance(whole).map_err(refuse(samples))?;
    }
    if let Some(samples) = wlen.map(real::wlen).transpose()? {
        conditions = conditions.wlen(samples.ceil() as usize).map_err(refuse(samples))?;
    }
    conditions = conditions.rel_height(rel_height).map_err(refuse(rel_height))?;
    let (dtype, x) = one_of("x", x, &[Dtype::sample::<f64>(py)?, Dtype::sample::<f32>(py)?])?;
    let (name, most) = ("find_peaks", detect::max_peaks(x.len()));
    match dtype {
        "float32" => find(name, &x, out, most, |x: &[f32], out| detect::find_peaks(x, &conditions, out)),
        _ => find(name, &x, out, most, |x: &[f64], out| detect::find_peaks(x, &conditions, out)),
    }
}
