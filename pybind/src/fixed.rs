//! `passband.fixed`, and `passband.to_q15`.

use crate::declare::{Family, Item, function_item, stub_doc, typed};
use crate::marshal::{Dtype, fixed_point, map, map_two, one_of, two_of};
use passband_kernels::fixed;
use passband_kernels::sample::{FixedPoint, Q7, Q15, Q31};
use pyo3::prelude::*;

pub(crate) const TO_Q15: Item = function_item!(to_q15, examples {
    "": "float64" => "int16",
    "": "float32" => "int16",
});

pub(crate) const FAMILY: Family = Family {
    name: "fixed",
    doc: stub_doc!("fixed"),
    at_top: false,
    items: &[function_item!(add: "function of two", examples {
        "": "int8" => "int8",
        "": "int16" => "int16",
        "": "int32" => "int32",
    })],
};

/// A function of two arrays of codes.
macro_rules! of_two {
    ($name:ident) => {
        #[doc = stub_doc!("fixed.", stringify!($name))]
        #[pyfunction]
        #[pyo3(signature = (a, b, out=None))]
        fn $name<'py>(
            a: &Bound<'py, PyAny>,
            b: &Bound<'py, PyAny>,
            out: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<Bound<'py, PyAny>> {
            let name = stringify!($name);
            let (dtype, [a, b]) = two_of([("a", a), ("b", b)], &fixed_point(a.py())?)?;
            typed!(by dtype, ["q7": Q7, "q15": Q15, "q31": Q31], Q => {
                map_two(name, [("a", &a), ("b", &b)], out, |a: &[Q], b: &[Q], out| fixed::$name(a, b, out))
            })
        }
    };
}

of_two!(add);

fn codes<T: Copy + Into<f64>>(x: &[T], codes: &mut [Q15]) -> usize {
    codes.iter_mut().zip(x).map(|(code, x)| *code = Q15::from_f64((*x).into())).count()
}

#[doc = stub_doc!("to_q15")]
#[pyfunction]
#[pyo3(signature = (x, out=None))]
fn to_q15<'py>(x: &Bound<'py, PyAny>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
    let py = x.py();
    let (dtype, x) = one_of("x", x, &[Dtype::sample::<f64>(py)?, Dtype::sample::<f32>(py)?])?;
    match dtype {
        "float32" => map("to_q15", &x, out, codes::<f32>),
        _ => map("to_q15", &x, out, codes::<f64>),
    }
}
