//! `passband.transform`.

use crate::declare::{Family, declare, stub_doc, typed};
use crate::marshal::{Erased, Frames, Kernel, counted, made_in_room, refused};
use num_complex::Complex;
use passband_kernels::transform::{BoxedFft, LONGEST};
use pyo3::prelude::*;

pub(crate) const FAMILY: Family =
    Family { name: "transform", doc: stub_doc!("transform"), at_top: true, items: &[Fft::ITEM] };

declare! {
    "passband.transform" Fft: Batch {}
    new(n, *, inverse=false, dtype=None) as "(n, *, inverse=False, dtype='complex64')"
        = |py, n: usize = whole, inverse: bool = flag, dtype: Option<&Bound<'_, PyAny>>| {
        // The factors and the scratch; what is longer is refused.
        let least = usize::from(n <= LONGEST);
        let kernel = typed!(dtype, "complex64", ["complex128": f64, "complex64": f32], X => {
            made_in_room::<[Complex<f64>; 2], _>(py, least, n, |n| {
                BoxedFft::<X>::new(n, inverse).map(|fft| Frames(fft).boxed())
            })?
        });
        let kernel = kernel.map_err(|error| refused(error, &[("n", &n)]))?;
        let parts = format!("{}{}", counted(n, "sample"), if inverse { ", inverse" } else { "" });
        let ns = 1.0 + 0.5 * (n.max(1) as f64).log2();
        Ok((Kernel::new(py, "Fft", kernel)?.of(parts).typed().ns_per_sample(ns), Self {}))
    }
    examples {
        "8": "complex64" => "complex64",
        "1, dtype='complex128'": "complex128" => "complex128",
        "64, inverse=True": "complex64" => "complex64",
        "16, inverse=True, dtype='complex128'": "complex128" => "complex128",
    }
}
