//! `passband.convert`.

use crate::declare::{Family, declare, function_item, stub_doc, typed};
use crate::marshal::{Dtype, Erased, Kernel, Map, map, one_of, refused, shown};
use crate::shape::Blockwise;
use num_complex::Complex;
use passband_kernels::convert::{self, Code, FloatToInt, IntToFloat, from_fixed, to_fixed};
use passband_kernels::sample::{Q7, Q15, Q31};
use pyo3::prelude::*;

macro_rules! to_codes_item {
    ($name:ident: $codes:literal) => {
        function_item!($name, examples {
            "": "float64" => $codes,
            "": "float32" => $codes,
        })
    };
}

macro_rules! from_codes_item {
    ($name:ident: $codes:literal) => {
        function_item!($name, examples {
            "": $codes => "float32",
            "dtype='float64'": $codes => "float64",
        })
    };
}

pub(crate) const FAMILY: Family = Family {
    name: "convert",
    doc: stub_doc!("convert"),
    at_top: true,
    items: &[
        U8ToF32::ITEM,
        I8ToF32::ITEM,
        I16ToF32::ITEM,
        I32ToF32::ITEM,
        F32ToU8::ITEM,
        F32ToI8::ITEM,
        F32ToI16::ITEM,
        F32ToI32::ITEM,
        Adc::ITEM,
        to_codes_item!(to_q7: "int8"),
        to_codes_item!(to_q15: "int16"),
        to_codes_item!(to_q31: "int32"),
        from_codes_item!(from_q7: "int8"),
        from_codes_item!(from_q15: "int16"),
        from_codes_item!(from_q31: "int32"),
    ],
};

const NS_PER_SAMPLE: f64 = 0.2;
/// With dither or a division.
const SLOW_NS_PER_SAMPLE: f64 = 2.0;

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
    I32ToF32: i32, "int32";
}

fn float_to_int<Y: Code>(dither: Option<u64>) -> Box<dyn Erased> {
    let kernel = FloatToInt::<Y>::new();
    Box::new(Map(match dither {
        None => kernel,
        Some(seed) => kernel.dithered(seed),
    }))
}

macro_rules! to_codes {
    ($($Class:ident: $code:ty, $dtype:literal;)*) => {$(
        declare! {
            "passband.convert" $Class: Blockwise { iq: bool }
            new(*, iq=false, dither=None) = |py, iq: bool = flag, dither: Option<u64> = seed| {
                let make = if iq { float_to_int::<Complex<$code>> } else { float_to_int::<$code> };
                let kernel = Kernel::new(py, stringify!($Class), make(dither))?;
                let ns = if dither.is_some() { SLOW_NS_PER_SAMPLE } else { NS_PER_SAMPLE };
                Ok((kernel.ns_per_sample(ns), Self { iq }))
            }
            examples {
                "": "float32" => $dtype,
                "iq=True": "complex64" => $dtype,
                "dither=1": "float32" => $dtype,
                "iq=True, dither=2": "complex64" => $dtype,
            }
            #[doc = stub_doc!(stringify!($Class), ".clip_count")]
            #[getter]
            fn clip_count(this: &Bound<'_, Self>) -> PyResult<u64> {
                let kernel = Blockwise::cell(this.as_super());
                if this.get().iq {
                    kernel.with(|kernel: &mut FloatToInt<Complex<$code>>| kernel.clip_count())
                } else {
                    kernel.with(|kernel: &mut FloatToInt<$code>| kernel.clip_count())
                }
            }
        }
    )*};
}

to_codes! {
    F32ToU8: u8, "uint8";
    F32ToI8: i8, "int8";
    F32ToI16: i16, "int16";
    F32ToI32: i32, "int32";
}

declare! {
    "passband.convert" Adc: Blockwise {}
    new(bits, *, full_scale=1.0, dtype=None) as "(bits, *, full_scale=1.0, dtype='float32')"
        = |py, bits: usize = whole, full_scale: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        let depth = u32::try_from(bits).unwrap_or(u32::MAX);
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
        ], X => convert::Adc::<X>::new(depth, full_scale).map(|kernel| Map(kernel).boxed()));
        let kernel = kernel.map_err(|error| {
            refused(error, &[("bits", &bits), ("full_scale", &shown(full_scale))])
        })?;
        let kernel = Kernel::new(py, "Adc", kernel)?.of(format!("{bits} bits"));
        Ok((kernel.typed().ns_per_sample(SLOW_NS_PER_SAMPLE), Self {}))
    }
    examples {
        "8": "float32" => "float32",
        "12, full_scale=0.7, dtype='float64'": "float64" => "float64",
        "3, dtype='complex64'": "complex64" => "complex64",
        "16, full_scale=5.0, dtype='complex128'": "complex128" => "complex128",
    }
    #[doc = stub_doc!("Adc.clip_count")]
    #[getter]
    fn clip_count(this: &Bound<'_, Self>) -> PyResult<u64> {
        let kernel = Blockwise::cell(this.as_super());
        let name = kernel.spec.input.name;
        typed!(by name, [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
        ], X => kernel.with(|adc: &mut convert::Adc<X>| adc.clip_count()))
    }
}

macro_rules! to_fractions {
    ($($name:ident: $q:ty;)*) => {$(
        #[doc = stub_doc!("convert.", stringify!($name))]
        #[pyfunction]
        #[pyo3(signature = (x, out=None))]
        fn $name<'py>(x: &Bound<'py, PyAny>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
            let py = x.py();
            let (dtype, x) = one_of("x", x, &[Dtype::sample::<f64>(py)?, Dtype::sample::<f32>(py)?])?;
            typed!(by dtype, ["float32": f32, "float64": f64], F => {
                map(stringify!($name), &x, out, |x: &[F], codes: &mut [$q]| to_fixed(x, codes))
            })
        }
    )*};
}

to_fractions! {
    to_q7: Q7;
    to_q15: Q15;
    to_q31: Q31;
}

macro_rules! from_fractions {
    ($($name:ident: $q:ty;)*) => {$(
        #[doc = stub_doc!("convert.", stringify!($name))]
        #[pyfunction]
        #[pyo3(
            signature = (x, *, dtype=None, out=None),
            text_signature = "(x, *, dtype='float32', out=None)"
        )]
        fn $name<'py>(
            x: &Bound<'py, PyAny>,
            dtype: Option<&Bound<'py, PyAny>>,
            out: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<Bound<'py, PyAny>> {
            let (_, x) = one_of("x", x, &[Dtype::sample::<$q>(x.py())?])?;
            typed!(dtype, "float32", ["float64": f64, "float32": f32], F => {
                map(stringify!($name), &x, out, |x: &[$q], numbers: &mut [F]| from_fixed(x, numbers))
            })
        }
    )*};
}

from_fractions! {
    from_q7: Q7;
    from_q15: Q15;
    from_q31: Q31;
}
