//! `passband.fixed`.

use crate::declare::{Family, function_item, stub_doc, typed};
use crate::marshal::{fixed_point, map, map_several, one_of, power, two_of, value_of_two};
use passband_kernels::fixed;
use passband_kernels::sample::{Q7, Q15, Q31};
use pyo3::prelude::*;

/// The item of a function of two arrays of codes that gives codes.
macro_rules! of_two_item {
    ($name:ident) => {
        function_item!($name: "function of two", examples {
            "": "int8" => "int8",
            "": "int16" => "int16",
            "": "int32" => "int32",
        })
    };
}

pub(crate) const FAMILY: Family = Family {
    name: "fixed",
    doc: stub_doc!("fixed"),
    at_top: false,
    items: &[
        of_two_item!(add),
        of_two_item!(sub),
        of_two_item!(mul),
        function_item!(shift, examples {
            "bits=1": "int8" => "int8",
            "bits=-3": "int16" => "int16",
            "bits=2": "int32" => "int32",
        }),
        function_item!(dot: "value function of two", examples {
            "": "int8" => "int64",
            "": "int16" => "int64",
            "": "int32" => "int64",
        }),
    ],
};

/// A function of two arrays of codes that gives codes.
macro_rules! of_two {
    ($($name:ident)*) => {$(
        #[doc = stub_doc!("fixed.", stringify!($name))]
        #[pyfunction]
        #[pyo3(signature = (a, b, out=None))]
        fn $name<'py>(
            a: &Bound<'py, PyAny>,
            b: &Bound<'py, PyAny>,
            out: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<Bound<'py, PyAny>> {
            let (py, name) = (a.py(), stringify!($name));
            let (dtype, [a, b]) = two_of([("a", a), ("b", b)], &fixed_point(py)?)?;
            typed!(by dtype, ["q7": Q7, "q15": Q15, "q31": Q31], Q => {
                let inputs = [("a", &a), ("b", &b)];
                map_several(py, name, a.len(), inputs, out, |[a, b]: [&[Q]; 2], y| fixed::$name(a, b, y))
            })
        }
    )*};
}

of_two!(add sub mul);

#[doc = stub_doc!("fixed.shift")]
#[pyfunction]
#[pyo3(signature = (x, bits, out=None))]
fn shift<'py>(
    x: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = power::bits)] bits: i32,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (dtype, x) = one_of("x", x, &fixed_point(x.py())?)?;
    typed!(by dtype, ["q7": Q7, "q15": Q15, "q31": Q31], Q => {
        map("shift", &x, out, |x: &[Q], out| fixed::shift(x, bits, out))
    })
}

#[doc = stub_doc!("fixed.dot")]
#[pyfunction]
fn dot(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<i64> {
    let (dtype, [a, b]) = two_of([("a", a), ("b", b)], &fixed_point(a.py())?)?;
    typed!(by dtype, ["q7": Q7, "q15": Q15, "q31": Q31], Q => {
        value_of_two("dot", [("a", &a), ("b", &b)], |a: &[Q], b: &[Q]| fixed::dot(a, b))
    })
}
