//! `passband.source`.

mod hertz;

use crate::declare::{Family, declare, stub_doc, typed};
use crate::marshal::{
    Erased, Kernel, Map, MapInPlace, Source, long, positive, real, refused, shown, value_error, word,
};
use crate::shape::Generator;
use hertz::InHertz;
use num_complex::Complex;
use passband_kernels::source::{self, Distribution};
use pyo3::prelude::*;

pub(crate) const FAMILY: Family = Family {
    name: "source",
    doc: stub_doc!("source"),
    at_top: true,
    items: &[
        LocalOscillator::ITEM,
        Mixer::ITEM,
        Nco::ITEM,
        Pn::ITEM,
        Gold::ITEM,
        Chirp::ITEM,
        Impulse::ITEM,
        Step::ITEM,
        Noise::ITEM,
    ],
};

/// `freq` in units of `fs`.
pub(crate) fn ratio(freq: f64, fs: f64) -> PyResult<f64> {
    scaled("freq / fs", freq, freq / fs, fs)
}

/// What a number is in a unit of `fs`, unless that is why it is not finite.
pub(crate) fn scaled(name: &str, number: f64, scaled: f64, fs: f64) -> PyResult<f64> {
    if number.is_finite() && !scaled.is_finite() {
        return Err(value_error(name, "a finite number", format!("{number:?} at fs={fs:?}")));
    }
    Ok(scaled)
}

/// A class around an oscillator: constructor arguments and the property `freq`, in units of `fs`.
macro_rules! oscillator {
    ($Class:ident: $Shape:ident, $Wrapper:ident, $input:literal) => {
        declare! {
            "passband.source" $Class: $Shape { fs: f64 }
            new(freq, *, fs=1.0, phase=0.0)
                = |py, freq: f64 = real, fs: f64 = real, phase: f64 = real| {
                let fs = positive("fs", fs)?;
                let kernel = source::$Class::new(ratio(freq, fs)?, phase).map_err(|error| {
                    refused(error, &[("freq", &shown(freq)), ("phase", &shown(phase))])
                })?;
                let kernel = Kernel::new(py, stringify!($Class), Box::new($Wrapper(kernel)))?;
                Ok((kernel.ns_per_sample(0.3), Self { fs }))
            }
            examples {
                "0.125": $input => "complex64",
                "-150e3, fs=2e6, phase=0.25": $input => "complex64",
            }
            #[doc = stub_doc!(stringify!($Class), ".freq")]
            #[getter]
            fn freq(this: &Bound<'_, Self>) -> PyResult<f64> {
                let kernel = crate::shape::$Shape::cell(this.as_super());
                kernel.with(|kernel: &mut source::$Class| kernel.freq() * this.get().fs)
            }

            #[setter]
            fn set_freq(this: &Bound<'_, Self>, #[pyo3(from_py_with = real::freq)] freq: f64) -> PyResult<()> {
                let kernel = crate::shape::$Shape::cell(this.as_super());
                let ratio = ratio(freq, this.get().fs)?;
                kernel
                    .with(|kernel: &mut source::$Class| kernel.set_freq(ratio))?
                    .map_err(|error| refused(error, &[("freq", &shown(freq))]))
            }
        }
    };
}

oscillator!(LocalOscillator: Generator, Source, "count");
oscillator!(Mixer: Blockwise, MapInPlace, "complex64");

declare! {
    "passband.source" Nco: Blockwise {}
    new(*, fs=1.0, phase=0.0, dtype=None) as "(*, fs=1.0, phase=0.0, dtype='float32')"
        = |py, fs: f64 = real, phase: f64 = real, dtype: Option<&Bound<'_, PyAny>>| {
        let fs = positive("fs", fs)?;
        if fs.recip().is_infinite() {
            return Err(value_error("fs", "a number whose reciprocal is finite", shown(fs)));
        }
        let kernel = typed!(dtype, "float32", ["float64": f64, "float32": f32], X => if fs == 1.0 {
            source::Nco::<X>::new(phase).map(|kernel| Map(kernel).boxed())
        } else {
            source::Nco::new(phase).map(|kernel| Map(InHertz::<X>::new(kernel, fs)).boxed())
        });
        let kernel = kernel.map_err(|error| refused(error, &[("phase", &shown(phase))]))?;
        Ok((Kernel::new(py, "Nco", kernel)?.typed().ns_per_sample(2.0), Self {}))
    }
    examples {
        "": "float32" => "complex64",
        "phase=0.25, dtype='float64'": "float64" => "complex64",
        "fs=8.0, phase=-0.5": "float32" => "complex64",
        "fs=8.0, dtype='float64'": "float64" => "complex64",
    }
}

declare! {
    "passband.source" Pn: Generator {}
    new(length, *, polynomial=None, state=None, dtype=None)
        as "(length, *, polynomial=None, state=None, dtype='uint8')"
        = |
            py,
            length: usize = whole,
            polynomial: Option<u128> = modulo_two,
            state: Option<u64> = register,
            dtype: Option<&Bound<'_, PyAny>>
        | {
        let refused = |error| {
            let state = state.unwrap_or_default();
            refused(error, &[("length", &length), ("state", &state)])
        };
        let degree = u32::try_from(length).unwrap_or(u32::MAX);
        let primitive = source::primitive_polynomial(degree).map_err(refused)?;
        let polynomial = polynomial.unwrap_or(primitive);
        if polynomial ^ primitive >= 1 << degree || polynomial & 1 == 0 {
            let expected = format!("degree {length}, with the term 1");
            return Err(value_error("polynomial", &expected, format!("{polynomial:#b}")));
        }
        let kernel = typed!(dtype, "uint8", ["float32": f32, "int8": i8, "uint8": u8], C => {
            source::Pn::<C>::new(polynomial, state).map(|kernel| Source(kernel).boxed())
        });
        let kernel = Kernel::new(py, "Pn", kernel.map_err(refused)?)?.of(format!("length {length}"));
        Ok((kernel.ns_per_sample(0.5), Self {}))
    }
    examples {
        "10": "count" => "uint8",
        "7, polynomial=0b10001001, state=0b1000000, dtype='int8'": "count" => "int8",
        "64, dtype='float32'": "count" => "float32",
    }
    #[doc = stub_doc!("Pn.advance")]
    fn advance(this: &Bound<'_, Self>, #[pyo3(from_py_with = long::count)] count: u64) -> PyResult<()> {
        let kernel = Generator::cell(this.as_super());
        let name = kernel.spec.output.name;
        typed!(by name, ["float32": f32, "int8": i8, "uint8": u8], C => {
            kernel.with(|pn: &mut source::Pn<C>| pn.advance(count))
        })
    }
}

declare! {
    "passband.source" Gold: Generator {}
    new(length, shift, *, dtype=None) as "(length, shift, *, dtype='uint8')"
        = |py, length: usize = whole, shift: u64 = long, dtype: Option<&Bound<'_, PyAny>>| {
        let degree = u32::try_from(length).unwrap_or(u32::MAX);
        let kernel = typed!(dtype, "uint8", ["float32": f32, "int8": i8, "uint8": u8], C => {
            source::Gold::<C>::new(degree, shift).map(|kernel| Source(kernel).boxed())
        });
        let kernel = kernel.map_err(|error| refused(error, &[("length", &length), ("shift", &shift)]))?;
        let kernel = Kernel::new(py, "Gold", kernel)?.of(format!("length {length}, shift {shift}"));
        Ok((kernel.ns_per_sample(0.5), Self {}))
    }
    examples {
        "10, 5": "count" => "uint8",
        "5, 30, dtype='int8'": "count" => "int8",
        "18, 1000, dtype='float32'": "count" => "float32",
    }
    #[doc = stub_doc!("Gold.advance")]
    fn advance(this: &Bound<'_, Self>, #[pyo3(from_py_with = long::count)] count: u64) -> PyResult<()> {
        let kernel = Generator::cell(this.as_super());
        let name = kernel.spec.output.name;
        typed!(by name, ["float32": f32, "int8": i8, "uint8": u8], C => {
            kernel.with(|gold: &mut source::Gold<C>| gold.advance(count))
        })
    }
}

declare! {
    "passband.source" Chirp: Generator { fs: f64 }
    new(freq, rate, *, fs=1.0, phase=0.0)
        = |py, freq: f64 = real, rate: f64 = real, fs: f64 = real, phase: f64 = real| {
        let fs = positive("fs", fs)?;
        let per_sample = scaled("rate / fs / fs", rate, rate / fs / fs, fs)?;
        let kernel = source::Chirp::new(ratio(freq, fs)?, per_sample, phase).map_err(|error| {
            refused(error, &[("freq", &shown(freq)), ("rate", &shown(rate)), ("phase", &shown(phase))])
        })?;
        Ok((Kernel::new(py, "Chirp", Box::new(Source(kernel)))?.ns_per_sample(1.0), Self { fs }))
    }
    examples {
        "0.125, 1e-4": "count" => "complex64",
        "-150e3, 3e8, fs=2e6, phase=0.25": "count" => "complex64",
    }
    #[doc = stub_doc!("Chirp.freq")]
    #[getter]
    fn freq(this: &Bound<'_, Self>) -> PyResult<f64> {
        let kernel = Generator::cell(this.as_super());
        kernel.with(|kernel: &mut source::Chirp| kernel.freq() * this.get().fs)
    }
}

declare! {
    "passband.source" Impulse: Generator {}
    new(delay=0, *, period=None, dtype=None) as "(delay=0, *, period=None, dtype='float32')"
        = |py, delay: u64 = long, period: Option<u64> = endless, dtype: Option<&Bound<'_, PyAny>>| {
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
        ], Y => source::Impulse::<Y>::new(delay, period).map(|kernel| Source(kernel).boxed()));
        let kernel = kernel.map_err(|error| refused(error, &[("period", &period.unwrap_or_default())]))?;
        Ok((Kernel::new(py, "Impulse", kernel)?.ns_per_sample(0.3), Self {}))
    }
    examples {
        "": "count" => "float32",
        "delay=3, period=7, dtype='float64'": "count" => "float64",
        "delay=40, dtype='complex64'": "count" => "complex64",
        "delay=0, period=1, dtype='complex128'": "count" => "complex128",
    }
}

declare! {
    "passband.source" Step: Generator {}
    new(delay=0, *, dtype=None) as "(delay=0, *, dtype='float32')"
        = |py, delay: u64 = long, dtype: Option<&Bound<'_, PyAny>>| {
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
        ], Y => Source(source::Step::<Y>::new(delay)).boxed());
        Ok((Kernel::new(py, "Step", kernel)?.ns_per_sample(0.3), Self {}))
    }
    examples {
        "": "count" => "float32",
        "delay=3, dtype='float64'": "count" => "float64",
        "delay=40, dtype='complex64'": "count" => "complex64",
        "delay=1, dtype='complex128'": "count" => "complex128",
    }
}

declare! {
    "passband.source" Noise: Generator {}
    new(seed, *, distribution=None, dtype=None)
        as "(seed, *, distribution='gaussian', dtype='float32')"
        = |
            py,
            seed: u64 = long,
            distribution: Option<&Bound<'_, PyAny>>,
            dtype: Option<&Bound<'_, PyAny>>
        | {
        let named = distribution.map(|given| word("distribution", ["gaussian", "uniform"], given)).transpose()?;
        let (distribution, ns) = match named {
            Some("uniform") => (Distribution::Uniform, 1.0),
            _ => (Distribution::Gaussian, 3.0),
        };
        let kernel = typed!(dtype, "float32", [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
        ], Y => Source(source::Noise::<Y>::new(seed, distribution)).boxed());
        Ok((Kernel::new(py, "Noise", kernel)?.ns_per_sample(ns), Self {}))
    }
    examples {
        "1": "count" => "float32",
        "2**64 - 1, dtype='complex64'": "count" => "complex64",
        "3, distribution='uniform', dtype='float64'": "count" => "float64",
        "4, dtype='complex128'": "count" => "complex128",
    }
    #[doc = stub_doc!("Noise.advance")]
    fn advance(this: &Bound<'_, Self>, #[pyo3(from_py_with = long::count)] count: u64) -> PyResult<()> {
        let kernel = Generator::cell(this.as_super());
        let name = kernel.spec.output.name;
        typed!(by name, [
            "float64": f64, "complex64": Complex<f32>, "complex128": Complex<f64>, "float32": f32
        ], Y => kernel.with(|noise: &mut source::Noise<Y>| noise.advance(count)))
    }
}
