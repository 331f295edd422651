//! `passband.math`.

use crate::declare::{Family, function_item, stub_doc, typed};
use crate::marshal::{
    complex, floating, map, map_several, map_to_two, one_of, real, real_numbers, sample, shown, three_of,
    two_of, value_error, value_of, value_of_two, whole,
};
use num_complex::Complex;
use passband_kernels::math;
use pyo3::prelude::*;
use std::f64::consts::TAU;

/// An [`Item`](crate::declare::Item) for a function of samples of any floating-point type that gives
/// real ones.
macro_rules! of_any_item {
    ($name:ident, $arguments:literal) => {
        function_item!($name, examples {
            $arguments: "float32" => "float32",
            $arguments: "float64" => "float64",
            $arguments: "complex64" => "float32",
            $arguments: "complex128" => "float64",
        })
    };
}

/// An item for a function of real samples.
macro_rules! of_real_item {
    ($name:ident, $arguments:literal) => {
        function_item!($name, examples {
            $arguments: "float32" => "float32",
            $arguments: "float64" => "float64",
        })
    };
}

/// An item for a function of arrays of samples of any floating-point type that gives the same type.
macro_rules! alike_item {
    ($name:ident: $shape:literal) => {
        function_item!($name: $shape, examples {
            "": "float32" => "float32",
            "": "float64" => "float64",
            "": "complex64" => "complex64",
            "": "complex128" => "complex128",
        })
    };
}

/// An item for a function that gives a number of all samples, of complex ones of another type.
macro_rules! of_all_item {
    ($name:ident, $arguments:literal: $single:literal, $double:literal) => {
        function_item!($name: "value function", examples {
            $arguments: "float32" => "float32",
            $arguments: "float64" => "float64",
            $arguments: "complex64" => $single,
            $arguments: "complex128" => $double,
        })
    };
}

/// An item for a function that gives a number of all real samples.
macro_rules! extreme_item {
    ($name:ident, $single:literal, $double:literal) => {
        function_item!($name: "value function", examples {
            "": "float32" => $single,
            "": "float64" => $double,
        })
    };
}

pub(crate) const FAMILY: Family = Family {
    name: "math",
    doc: stub_doc!("math"),
    at_top: false,
    items: &[
        alike_item!(add: "function of two"),
        alike_item!(sub: "function of two"),
        alike_item!(mul: "function of two"),
        alike_item!(mac: "function of three"),
        of_any_item!(magnitude, ""),
        of_any_item!(magnitude_squared, ""),
        function_item!(phase, examples {
            "": "complex64" => "float32",
            "": "complex128" => "float64",
        }),
        function_item!(conj, examples {
            "": "complex64" => "complex64",
            "": "complex128" => "complex128",
        }),
        function_item!(scale, examples {
            "gain=0.7": "float32" => "float32",
            "gain=0.7": "float64" => "float64",
            "gain=0.7": "complex64" => "complex64",
            "gain=0.7": "complex128" => "complex128",
        }),
        of_real_item!(clamp, "low=-0.5, high=0.75"),
        of_real_item!(sqrt, ""),
        of_real_item!(exp, ""),
        of_real_item!(log, ""),
        of_real_item!(power_to_db, "floor=-40.0"),
        of_any_item!(amplitude_to_db, "floor=-40.0"),
        of_real_item!(sin, ""),
        of_real_item!(cos, ""),
        function_item!(sincos: "function to two", examples {
            "": "float32" => "float32, float32",
            "": "float64" => "float64, float64",
        }),
        function_item!(unwrap, examples {
            "": "float32" => "float32",
            "": "float64" => "float64",
            "period=1.5": "float64" => "float64",
        }),
        alike_item!(dot: "value function of two"),
        alike_item!(vdot: "value function of two"),
        of_all_item!(mean, "": "complex64", "complex128"),
        of_all_item!(variance, "ddof=1": "float32", "float64"),
        of_all_item!(std_dev, "": "float32", "float64"),
        of_all_item!(rms, "": "float32", "float64"),
        extreme_item!(min, "float32", "float64"),
        extreme_item!(max, "float32", "float64"),
        extreme_item!(argmin, "int64", "int64"),
        extreme_item!(argmax, "int64", "int64"),
    ],
};

/// A function of samples of the types that `$types` gives and that `$typed` lists for [`typed!`].
macro_rules! mapped {
    ($types:ident, $typed:tt: $($name:ident)*) => {$(
        #[doc = stub_doc!("math.", stringify!($name))]
        #[pyfunction]
        #[pyo3(signature = (x, out=None))]
        fn $name<'py>(x: &Bound<'py, PyAny>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
            let (dtype, x) = one_of("x", x, &$types(x.py())?)?;
            typed!(by dtype, $typed, X => map(stringify!($name), &x, out, |x: &[X], y| math::$name(x, y)))
        }
    )*};
}

mapped!(
    floating,
    ["float32": f32, "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>]:
    magnitude magnitude_squared
);
mapped!(complex, ["complex64": Complex<f32>, "complex128": Complex<f64>]: phase conj);
mapped!(real_numbers, ["float32": f32, "float64": f64]: sqrt exp log sin cos);

/// A function of several arrays of samples of one type, which `$of` reads.
macro_rules! combined {
    ($($name:ident($first:ident $(, $x:ident)+) = $of:ident;)*) => {$(
        #[doc = stub_doc!("math.", stringify!($name))]
        #[pyfunction]
        #[pyo3(signature = ($first, $($x,)+ out=None))]
        fn $name<'py>(
            $first: &Bound<'py, PyAny>,
            $($x: &Bound<'py, PyAny>,)+
            out: Option<&Bound<'py, PyAny>>,
        ) -> PyResult<Bound<'py, PyAny>> {
            let (py, name) = ($first.py(), stringify!($name));
            let given = [(stringify!($first), $first) $(, (stringify!($x), $x))+];
            let (dtype, [$first $(, $x)+]) = $of(given, &floating(py)?)?;
            let (n, inputs) = ($first.len(), [(stringify!($first), &$first) $(, (stringify!($x), &$x))+]);
            typed!(
                by dtype,
                ["float32": f32, "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>],
                X => map_several(py, name, n, inputs, out, |[$first $(, $x)+]: [&[X]; _], y| {
                    math::$name($first $(, $x)+, y)
                })
            )
        }
    )*};
}

combined! {
    add(a, b) = two_of;
    sub(a, b) = two_of;
    mul(a, b) = two_of;
    mac(acc, a, b) = three_of;
}

/// A dot product.
macro_rules! dots {
    ($($name:ident)*) => {$(
        #[doc = stub_doc!("math.", stringify!($name))]
        #[pyfunction]
        fn $name<'py>(a: &Bound<'py, PyAny>, b: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
            let (py, name) = (a.py(), stringify!($name));
            let (dtype, [a, b]) = two_of([("a", a), ("b", b)], &floating(py)?)?;
            typed!(
                by dtype,
                ["float32": f32, "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>],
                X => {
                    let of = |a: &[X], b: &[X]| math::$name(a, b);
                    sample(py, value_of_two(name, [("a", &a), ("b", &b)], of)?)
                }
            )
        }
    )*};
}

dots!(dot vdot);

#[doc = stub_doc!("math.unwrap")]
#[pyfunction]
#[pyo3(
    signature = (x, period=TAU, out=None),
    text_signature = "(x, period=6.283185307179586, out=None)"
)]
fn unwrap<'py>(
    x: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = real::period)] period: f64,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if !(period > 0.0 && period.is_finite()) {
        return Err(value_error("period", "a finite number above 0", shown(period)));
    }
    let (dtype, x) = one_of("x", x, &real_numbers(x.py())?)?;
    typed!(by dtype, ["float32": f32, "float64": f64], X => {
        map("unwrap", &x, out, |x: &[X], y| math::unwrap(x, period, y))
    })
}

#[doc = stub_doc!("math.scale")]
#[pyfunction]
#[pyo3(signature = (x, gain, out=None))]
fn scale<'py>(
    x: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = real::gain)] gain: f64,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (dtype, x) = one_of("x", x, &floating(x.py())?)?;
    match dtype {
        "float32" => map("scale", &x, out, |x: &[f32], y| math::scale(x, gain as f32, y)),
        "float64" => map("scale", &x, out, |x: &[f64], y| math::scale(x, gain, y)),
        "complex64" => map("scale", &x, out, |x: &[Complex<f32>], y| math::scale(x, gain as f32, y)),
        _ => map("scale", &x, out, |x: &[Complex<f64>], y| math::scale(x, gain, y)),
    }
}

#[doc = stub_doc!("math.clamp")]
#[pyfunction]
#[pyo3(signature = (x, low, high, out=None))]
fn clamp<'py>(
    x: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = real::low)] low: f64,
    #[pyo3(from_py_with = real::high)] high: f64,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if low.is_nan() {
        return Err(value_error("low", "a number", "nan"));
    }
    if high < low || high.is_nan() {
        return Err(value_error("high", &format!("at least low, {}", shown(low)), shown(high)));
    }
    let (dtype, x) = one_of("x", x, &real_numbers(x.py())?)?;
    match dtype {
        "float32" => map("clamp", &x, out, |x: &[f32], y| math::clamp(x, low as f32, high as f32, y)),
        _ => map("clamp", &x, out, |x: &[f64], y| math::clamp(x, low, high, y)),
    }
}

/// The argument `floor`, None being none.
fn floor_of(floor: Option<&Bound<'_, PyAny>>) -> PyResult<f64> {
    let floor = floor.map_or(Ok(f64::NEG_INFINITY), real::floor)?;
    if floor.is_nan() { Err(value_error("floor", "a number", "nan")) } else { Ok(floor) }
}

#[doc = stub_doc!("math.power_to_db")]
#[pyfunction]
#[pyo3(signature = (x, floor=None, out=None))]
fn power_to_db<'py>(
    x: &Bound<'py, PyAny>,
    floor: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (floor, name) = (floor_of(floor)?, "power_to_db");
    let (dtype, x) = one_of("x", x, &real_numbers(x.py())?)?;
    match dtype {
        "float32" => map(name, &x, out, |x: &[f32], y| math::power_to_db(x, floor as f32, y)),
        _ => map(name, &x, out, |x: &[f64], y| math::power_to_db(x, floor, y)),
    }
}

#[doc = stub_doc!("math.amplitude_to_db")]
#[pyfunction]
#[pyo3(signature = (x, floor=None, out=None))]
fn amplitude_to_db<'py>(
    x: &Bound<'py, PyAny>,
    floor: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (floor, name) = (floor_of(floor)?, "amplitude_to_db");
    let single = floor as f32;
    let (dtype, x) = one_of("x", x, &floating(x.py())?)?;
    match dtype {
        "float32" => map(name, &x, out, |x: &[f32], y| math::amplitude_to_db(x, single, y)),
        "float64" => map(name, &x, out, |x: &[f64], y| math::amplitude_to_db(x, floor, y)),
        "complex64" => map(name, &x, out, |x: &[Complex<f32>], y| math::amplitude_to_db(x, single, y)),
        _ => map(name, &x, out, |x: &[Complex<f64>], y| math::amplitude_to_db(x, floor, y)),
    }
}

#[doc = stub_doc!("math.sincos")]
#[pyfunction]
#[pyo3(signature = (x, out=None))]
fn sincos<'py>(
    x: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let (dtype, x) = one_of("x", x, &real_numbers(x.py())?)?;
    typed!(by dtype, ["float32": f32, "float64": f64], X => {
        map_to_two("sincos", &x, out, |x: &[X], sin, cos| math::sincos(x, sin, cos))
    })
}

/// An average of samples of any floating-point type.
macro_rules! averages {
    ($($name:ident = $function:ident($($ddof:ident)?);)*) => {$(
        #[doc = stub_doc!("math.", stringify!($name))]
        #[pyfunction]
        #[pyo3(signature = (x, $($ddof=0)?))]
        fn $name<'py>(
            x: &Bound<'py, PyAny>,
            $(#[pyo3(from_py_with = whole::$ddof)] $ddof: usize,)?
        ) -> PyResult<Bound<'py, PyAny>> {
            let (py, (dtype, x)) = (x.py(), one_of("x", x, &floating(x.py())?)?);
            typed!(
                by dtype,
                ["float32": f32, "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>],
                X => sample(py, value_of(stringify!($name), &x, |x: &[X]| math::$function(x, $($ddof)?))?)
            )
        }
    )*};
}

averages! {
    mean = mean();
    variance = variance(ddof);
    std_dev = std_dev(ddof);
    rms = rms();
}

/// What there is of samples, if there are any.
fn of_some<T>(found: Option<T>) -> PyResult<T> {
    found.ok_or_else(|| value_error("x", "at least one sample", 0))
}

/// An extreme of real samples, and where it is.
macro_rules! extremes {
    ($($value:ident $position:ident)*) => {$(
        #[doc = stub_doc!("math.", stringify!($value))]
        #[pyfunction]
        fn $value<'py>(x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
            let (py, (dtype, x)) = (x.py(), one_of("x", x, &real_numbers(x.py())?)?);
            typed!(by dtype, ["float32": f32, "float64": f64], X => {
                sample(py, of_some(value_of(stringify!($value), &x, |x: &[X]| math::$value(x))?)?)
            })
        }

        #[doc = stub_doc!("math.", stringify!($position))]
        #[pyfunction]
        fn $position(x: &Bound<'_, PyAny>) -> PyResult<usize> {
            let (dtype, x) = one_of("x", x, &real_numbers(x.py())?)?;
            typed!(by dtype, ["float32": f32, "float64": f64], X => {
                of_some(value_of(stringify!($position), &x, |x: &[X]| math::$position(x))?)
            })
        }
    )*};
}

extremes!(min argmin max argmax);
