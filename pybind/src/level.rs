//! `passband.level`.

use crate::declare::{Family, Item, declare, stub_doc, typed};
use crate::marshal::{Erased, Gauge, Kernel, NamedTuple, Pushed, chosen, refused, shown, value_error};
use num_complex::Complex;
use passband_kernels::level;
use passband_kernels::sample::{FixedPoint, Q15};
use passband_kernels::shape::ConfigError;
use pyo3::prelude::*;

pub(crate) const FAMILY: Family = Family {
    name: "level",
    doc: stub_doc!("level"),
    at_top: true,
    items: &[PowerAverager::ITEM, LevelMeter::ITEM, Item::named_tuple("Level", |module| LEVEL.add(module))],
};

static LEVEL: NamedTuple =
    NamedTuple::of_record::<level::Level>("passband.level", "Level", stub_doc!("Level"));

const NS_PER_SAMPLE: f64 = 0.5;

declare! {
    "passband.level" PowerAverager: Sink {}
    new(*, dtype=None) as "(*, dtype='complex64')" = |py, dtype: Option<&Bound<'_, PyAny>>| {
        let kernel = typed!(dtype, "complex64", [
            "float32": f32, "float64": f64, "complex128": Complex<f64>, "complex64": Complex<f32>
        ], X => Pushed(level::PowerAverager::<X>::new()).boxed());
        let kernel = Kernel::new(py, "PowerAverager", kernel)?;
        Ok((kernel.typed().ns_per_sample(NS_PER_SAMPLE), Self {}))
    }
    examples {
        "": "complex64" => "float64",
        "dtype='float32'": "float32" => "float64",
        "dtype='float64'": "float64" => "float64",
        "dtype='complex128'": "complex128" => "float64",
    }
}

type Made = Result<Box<dyn Erased>, ConfigError>;

/// A meter of floating point or of codes, whose full scale is a part of 32768.
fn meter(dtype: &str, full_scale: f64) -> Made {
    fn boxed<X: level::Metered + 'static>(full_scale: X::Component) -> Made {
        level::LevelMeter::<X>::new(full_scale).map(|meter| Gauge(meter, &LEVEL).boxed())
    }
    match dtype {
        "float64" => boxed::<f64>(full_scale),
        "complex64" => boxed::<Complex<f32>>(full_scale as f32),
        "complex128" => boxed::<Complex<f64>>(full_scale),
        "q15" => boxed::<Q15>(Q15::from_f64(full_scale)),
        _ => boxed::<f32>(full_scale as f32),
    }
}

declare! {
    "passband.level" LevelMeter: Measure {}
    new(*, full_scale=1.0, dtype=None) as "(*, full_scale=1.0, dtype='float32')"
        = |py, full_scale: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        let inputs = ["float32", "float64", "complex64", "complex128", "q15"];
        let dtype = dtype.map(|dtype| chosen(dtype, &inputs)).transpose()?.unwrap_or("float32");
        if dtype == "q15" && full_scale > 1.0 {
            return Err(value_error("full_scale", "at most 1.0 with dtype='q15'", shown(full_scale)));
        }
        let kernel = meter(dtype, full_scale);
        let kernel = kernel.map_err(|error| refused(error, &[("full_scale", &shown(full_scale))]))?;
        let kernel = Kernel::new(py, "LevelMeter", kernel)?;
        Ok((kernel.typed().ns_per_sample(NS_PER_SAMPLE), Self {}))
    }
    examples {
        "": "float32" => "float64",
        "full_scale=0.5, dtype='float64'": "float64" => "float64",
        "dtype='complex64'": "complex64" => "float64",
        "full_scale=2.0, dtype='complex128'": "complex128" => "float64",
        "dtype='q15'": "int16" => "float64",
    }
}
