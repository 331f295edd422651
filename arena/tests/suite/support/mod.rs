//! What the tests have in common.

pub(crate) mod aftermath;
pub(crate) mod content;
pub(crate) mod namespace;
pub(crate) mod process;
pub(crate) mod subject;
pub(crate) mod system;

use libtest_mimic::Trial;

/// The functions of a module with their names.
macro_rules! cases {
    ($($name:ident),* $(,)?) => { [$((stringify!($name), $name as _)),*] };
}

/// Tests by the name of their module and their own.
pub(crate) fn trials(module: &str, tests: &'static [(&str, fn())]) -> Vec<Trial> {
    let trial = |&(name, test): &(&str, fn())| {
        Trial::test(format!("{module}::{name}"), move || {
            test();
            Ok(())
        })
    };
    tests.iter().map(trial).collect()
}
