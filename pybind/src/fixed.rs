//! Fixed point: `passband.to_q15`.

use crate::declare::{Item, function_item, stub_doc};
use crate::marshal::{Dtype, map, one_of};
use passband_kernels::sample::{FixedPoint, Q15};
use pyo3::prelude::*;

pub(crate) const TO_Q15: Item = function_item!(to_q15, examples {
    "": "float64" => "int16",
    "": "float32" => "int16",
});

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
