//! How classes and functions are declared: a kernel, a shape, names, examples.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The documentation of a name, from the stubs.
macro_rules! stub_doc {
    ($($name:expr),*) => { include_str!(concat!(env!("OUT_DIR"), "/", $($name),*)) };
}

/// A class or function of the module.
pub(crate) struct Item {
    pub(crate) name: &'static str,
    /// The name of its shape: that of its base class, or for functions as in `function_item!`.
    pub(crate) shape: &'static str,
    pub(crate) examples: &'static [Example],
    pub(crate) add: fn(&Bound<'_, PyModule>) -> PyResult<()>,
}

impl Item {
    /// A class of named tuples, which calls give.
    pub(crate) const fn named_tuple(
        name: &'static str,
        add: fn(&Bound<'_, PyModule>) -> PyResult<()>,
    ) -> Self {
        Self { name, shape: "named tuple", examples: &[], add }
    }
}

/// Arguments that show a class or function at work, with the types that they lead to.
pub(crate) struct Example {
    /// What stands in the parentheses of the call, of a function after its samples.
    pub(crate) arguments: &'static str,
    pub(crate) input: &'static str,
    pub(crate) output: &'static str,
}

/// The items of a submodule.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    /// Whether its items are also at the top of the package.
    pub(crate) at_top: bool,
    pub(crate) items: &'static [Item],
}

/// Declares a class: its submodule, name and shape, its own fields, its constructor, examples of
/// arguments (`"arguments": "input type" => "output type"`), and methods beyond those of the shape.
///
/// The constructor gives the kernel and the fields. `argument: type = real` converts by
/// [`real::argument`](crate::marshal::real), whose errors name the argument. Defaults stand in the signature as tokens, so
/// that Python shows them; where a default is not a literal of its type, `as` gives the text.
macro_rules! declare {
    (
        $module:literal $Class:ident: $Shape:ident { $($field:ident: $field_type:ty),* }
        new($($signature:tt)*) $(as $text:literal)?
            = |$py:ident $(, $argument:ident: $argument_type:ty $(= $converter:ident)?)*| $body:block
        examples { $($arguments:literal: $input:literal => $output:literal,)* }
        $($methods:tt)*
    ) => {
        #[doc = $crate::declare::stub_doc!(stringify!($Class))]
        #[pyo3::pyclass(frozen, extends = $crate::shape::$Shape, module = $module)]
        pub(crate) struct $Class {
            $($field: $field_type,)*
        }

        #[pyo3::pymethods]
        impl $Class {
            #[new]
            #[allow(clippy::too_many_arguments, reason = "as many as in Python")]
            #[pyo3(signature = ($($signature)*) $(, text_signature = $text)?)]
            fn new(
                $py: pyo3::Python<'_>,
                $(
                    $(#[pyo3(from_py_with = $crate::marshal::$converter::$argument)])?
                    $argument: $argument_type,
                )*
            ) -> pyo3::PyResult<pyo3::PyClassInitializer<Self>> {
                let made: pyo3::PyResult<($crate::marshal::Kernel, Self)> = $body;
                let (kernel, own) = made?;
                Ok($crate::shape::$Shape::base(kernel).add_subclass(own))
            }

            $($methods)*
        }

        impl $Class {
            pub(crate) const ITEM: $crate::declare::Item = $crate::declare::Item {
                name: stringify!($Class),
                shape: stringify!($Shape),
                examples: &[$($crate::declare::Example {
                    arguments: $arguments,
                    input: $input,
                    output: $output,
                }),*],
                add: |module| pyo3::types::PyModuleMethods::add_class::<Self>(module),
            };
        }
    };
}

/// An [`Item`] for a function; its shape is `function` where nothing else is said.
macro_rules! function_item {
    ($name:ident, examples { $($examples:tt)* }) => {
        $crate::declare::function_item!($name: "function", examples { $($examples)* })
    };
    ($name:ident: $shape:literal, examples { $($arguments:literal: $input:literal => $output:literal,)* }) => {
        $crate::declare::Item {
            name: stringify!($name),
            shape: $shape,
            examples: &[$($crate::declare::Example {
                arguments: $arguments,
                input: $input,
                output: $output,
            }),*],
            add: |module| {
                let function = pyo3::wrap_pyfunction!($name, module)?;
                pyo3::types::PyModuleMethods::add_function(module, function)
            },
        }
    };
}

/// `$make` with the sample type that the argument `dtype` names, or after `by` a text, as `$X`.
macro_rules! typed {
    (by $chosen:ident, [$name:literal: $type:ty], $X:ident => $make:expr) => {{
        type $X = $type;
        $make
    }};
    (by $chosen:ident, [$name:literal: $type:ty, $($rest:tt)+], $X:ident => $make:expr) => {
        if $chosen == $name {
            type $X = $type;
            $make
        } else {
            $crate::declare::typed!(by $chosen, [$($rest)+], $X => $make)
        }
    };
    ($dtype:expr, $default:literal, [$($name:literal: $type:ty),+], $X:ident => $make:expr) => {{
        let named = $dtype.map(|dtype| $crate::marshal::chosen(dtype, &[$($name),+])).transpose()?;
        let name = named.unwrap_or($default);
        $crate::declare::typed!(by name, [$($name: $type),+], $X => $make)
    }};
}

pub(crate) use {declare, function_item, stub_doc, typed};

/// Adds the items of `top` and the families, as submodules that Python can import, to the
/// extension module.
pub(crate) fn add(native: &Bound<'_, PyModule>, top: &[Item], families: &[Family]) -> PyResult<()> {
    let py = native.py();
    top.iter().try_for_each(|item| (item.add)(native))?;
    let loaded = py.import("sys")?.getattr("modules")?;
    for family in families {
        let path = format!("passband.{}", family.name);
        let module = PyModule::new(py, &path)?;
        module.setattr("__doc__", family.doc)?;
        for item in family.items {
            (item.add)(&module)?;
            if family.at_top {
                (item.add)(native)?;
            }
        }
        // What `*` takes is what is there, as the stubs have it.
        module.delattr("__all__")?;
        native.add(family.name, &module)?;
        loaded.set_item(path, module)?;
    }
    Ok(())
}

/// What the tests of the surface walk: each example of each class and function.
pub(crate) fn surface<'py>(
    py: Python<'py>,
    top: &[Item],
    families: &[Family],
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let of = |module: String, items: &[Item]| {
        let examples = items.iter().flat_map(|item| item.examples.iter().map(move |example| (item, example)));
        examples
            .map(|(item, example)| {
                let row = PyDict::new(py);
                row.set_item("module", &module)?;
                row.set_item("name", item.name)?;
                row.set_item("shape", item.shape)?;
                row.set_item("arguments", example.arguments)?;
                row.set_item("input", example.input)?;
                row.set_item("output", example.output)?;
                Ok(row)
            })
            .collect::<PyResult<Vec<_>>>()
    };
    let mut rows = of("passband".to_owned(), top)?;
    for family in families {
        rows.extend(of(format!("passband.{}", family.name), family.items)?);
    }
    Ok(rows)
}
