//! Filters of moving sums.

use crate::declare::{declare, stub_doc, typed};
use crate::marshal::{Erased, Kernel, Rate, refused};
use passband_kernels::resample;
use passband_kernels::sample::{Q15, Q31};
use pyo3::prelude::*;

/// A kernel with its delay.
macro_rules! cic {
    ($dtype:ident, $Class:ident($($argument:ident),*)) => {{
        let made = typed!($dtype, "q15", ["q15": Q15, "q31": Q31], Q => {
            resample::$Class::<Q>::new($($argument),*).map(|kernel| {
                let delay = kernel.group_delay();
                (Rate(kernel).boxed(), delay)
            })
        });
        made.map_err(|error| refused(error, &[$((stringify!($argument), &$argument)),*]))?
    }};
}

declare! {
    "passband.resample" CicDecimator: VariableLength { group_delay: f64 }
    new(factor, order, *, delay=1, phase=0, dtype=None) as "(factor, order, *, delay=1, phase=0, dtype='q15')"
        = |py, factor: usize = ratio, order: usize = whole, delay: usize = whole, phase: usize = whole,
           dtype: Option<&Bound<'_, PyAny>>| {
        let (kernel, group_delay) = cic!(dtype, CicDecimator(factor, order, delay, phase));
        let kernel = Kernel::new(py, "CicDecimator", kernel)?;
        Ok((kernel.typed().ns_per_sample(0.5 * order as f64), Self { group_delay }))
    }
    examples {
        "3, 2": "int16" => "int16",
        "7, 3, delay=2, phase=3": "int16" => "int16",
        "2, 4, dtype='q31'": "int32" => "int32",
    }
    #[doc = stub_doc!("CicDecimator.group_delay")]
    #[getter]
    fn group_delay(&self) -> f64 {
        self.group_delay
    }
}

declare! {
    "passband.resample" CicInterpolator: VariableLength { group_delay: f64 }
    new(factor, order, *, delay=1, dtype=None) as "(factor, order, *, delay=1, dtype='q15')"
        = |py, factor: usize = ratio, order: usize = whole, delay: usize = whole,
           dtype: Option<&Bound<'_, PyAny>>| {
        let (kernel, group_delay) = cic!(dtype, CicInterpolator(factor, order, delay));
        let kernel = Kernel::new(py, "CicInterpolator", kernel)?;
        let ns = (5.0 + order as f64) * factor as f64;
        Ok((kernel.typed().ns_per_sample(ns), Self { group_delay }))
    }
    examples {
        "3, 2": "int16" => "int16",
        "2, 3, delay=2": "int16" => "int16",
        "4, 4, dtype='q31'": "int32" => "int32",
    }
    #[doc = stub_doc!("CicInterpolator.group_delay")]
    #[getter]
    fn group_delay(&self) -> f64 {
        self.group_delay
    }
}
