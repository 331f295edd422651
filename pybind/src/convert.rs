//! `passband.convert`.

use crate::declare::{Family, declare, stub_doc};
use crate::marshal::{Erased, Kernel, Map};
use crate::shape::Blockwise;
use num_complex::Complex;
use passband_kernels::convert::{self, IntToFloat};
use pyo3::prelude::*;

pub(crate) const FAMILY: Family = Family {
    name: "convert",
    doc: stub_doc!("convert"),
    at_top: true,
    items: &[U8ToF32::ITEM, I8ToF32::ITEM, I16ToF32::ITEM, F32ToI16::ITEM],
};

const NS_PER_SAMPLE: f64 = 0.2;

macro_rules! from_codes {
    ($($Class:ident: $code:ty, $dtype:literal;)*) => {$(
        declare! {
            "passband.convert" $Class: Blockwise {}
            new(*, iq=false) = |py, iq: bool = flag| {
                let kernel: Box<dyn Erased> = if iq {
                    Box::new(Map(IntToFloat::<Complex<$code>>::new()))
                } else {
                    Box::new(Map(IntToFloat::<$code>::new()))
                };
                let kernel = Kernel::new(py, stringify!($Class), kernel)?;
                Ok((kernel.ns_per_sample(NS_PER_SAMPLE), Self {}))
            }
            examples {
                "": $dtype => "float32",
                "iq=True": $dtype => "complex64",
            }
        }
    )*};
}

from_codes! {
    U8ToF32: u8, "uint8";
    I8ToF32: i8, "int8";
    I16ToF32: i16, "int16";
}

declare! {
    "passband.convert" F32ToI16: Blockwise {}
    new() = |py| {
        let kernel = Kernel::new(py, "F32ToI16", Box::new(Map(convert::F32ToI16::new())))?;
        Ok((kernel.ns_per_sample(NS_PER_SAMPLE), Self {}))
    }
    examples {
        "": "float32" => "int16",
    }
    #[doc = stub_doc!("F32ToI16.clip_count")]
    #[getter]
    fn clip_count(this: &Bound<'_, Self>) -> PyResult<u64> {
        let kernel = Blockwise::cell(this.as_super());
        kernel.with(|kernel: &mut convert::F32ToI16| kernel.clip_count())
    }
}
