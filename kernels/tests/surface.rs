//! Whether every kernel's file is in the catalog, which nothing else would notice.

use std::fs;
use std::path::Path;

#[test]
fn every_kernel_file_has_its_line_in_the_catalog() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let catalog = fs::read_to_string(sources.join("catalog.rs")).expect("the catalog");
    let mut kernels = 0;
    let mut missing = vec![];
    for family in families(&sources) {
        let files = fs::read_dir(sources.join(&family)).expect("the folder of a family");
        for file in files {
            let path = file.expect("a folder to list").path();
            let Ok(source) = fs::read_to_string(&path) else { continue };
            // A kernel is what users can construct or call; helpers of a family are private.
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let family_file =
                fs::read_to_string(sources.join(&family).with_extension("rs")).expect("a family");
            if family_file.contains(&format!("pub use {name}::")) {
                kernels += 1;
                let line = format!("crate::{family}::{name}::cases,");
                if !catalog.contains(&line)
                    || !source.contains("fn cases()") && !source.contains("use cases::cases")
                {
                    missing.push(format!("{line} in catalog.rs, with `cases` in {family}/{name}.rs"));
                }
            }
        }
    }
    assert!(kernels >= 9, "found only {kernels} kernels");
    assert!(missing.is_empty(), "missing: {}", missing.join("; "));
}

/// The modules that are a file and a folder of one name, save those that hold no kernels.
fn families(sources: &Path) -> Vec<String> {
    let files = fs::read_dir(sources).expect("the sources");
    let folders = files.map(|file| file.expect("a folder to list").path()).filter(|path| path.is_dir());
    let names = folders.filter(|path| path.with_extension("rs").exists());
    names.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned()).collect()
}
