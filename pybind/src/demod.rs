//! `passband.demod`.

use crate::declare::{Family, declare, stub_doc};
use crate::marshal::{Kernel, Map, refused, shown};
use passband_kernels::demod;

pub(crate) const FAMILY: Family =
    Family { name: "demod", doc: stub_doc!("demod"), at_top: true, items: &[FmDemod::ITEM] };

declare! {
    "passband.demod" FmDemod: Blockwise {}
    new(*, gain=1.0) = |py, gain: f64 = real| {
        let kernel = demod::FmDemod::new(gain as f32)
            .map_err(|error| refused(error, &[("gain", &shown(gain))]))?;
        Ok((Kernel::new(py, "FmDemod", Box::new(Map(kernel)))?, Self {}))
    }
    examples {
        "": "complex64" => "float32",
        "gain=0.5": "complex64" => "float32",
    }
}
