//! Takes the documentation of the Python module from its stubs, so that it is written once.
//!
//! Each docstring becomes a file in `OUT_DIR`, named `filter` for a module, `Fir` for a class,
//! `Fir.steps` for a method and `math.magnitude` for a function; those at the top of the package
//! have no module. `stub_doc!` includes it.

use std::{env, fs, io, path::Path};

const STUBS: &str = "python/passband";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={STUBS}");
    let to = env::var("OUT_DIR").map_err(io::Error::other)?;
    for entry in fs::read_dir(STUBS)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "pyi") {
            println!("cargo::rerun-if-changed={}", path.display());
            let module = path.file_stem().unwrap_or_default().to_string_lossy();
            for (owner, text) in docstrings(&fs::read_to_string(&path)?, &module) {
                fs::write(Path::new(&to).join(owner), text)?;
            }
        }
    }
    Ok(())
}

fn docstrings(stub: &str, module: &str) -> Vec<(String, String)> {
    let name = |rest: &str| rest.split(['(', ':']).next().unwrap_or(rest).to_owned();
    let (mut class, mut owner, mut found) = (String::new(), module.to_owned(), Vec::new());
    let mut lines = stub.lines();
    while let Some(line) = lines.next() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if let Some(rest) = line.strip_prefix("class ") {
            class = name(rest);
            owner.clone_from(&class);
        } else if let Some(rest) = line.strip_prefix("def ") {
            owner = if module == "__init__" { name(rest) } else { format!("{module}.{}", name(rest)) };
        } else if let Some(rest) = line.strip_prefix("    def ") {
            owner = format!("{class}.{}", name(rest));
        } else if let Some(first) = text.strip_prefix("\"\"\"") {
            let mut doc = vec![first];
            while !doc.last().is_some_and(|last| last.ends_with("\"\"\"")) {
                let Some(next) = lines.next() else { break };
                doc.push(next.get(indent..).unwrap_or(""));
            }
            let doc = doc.join("\n");
            found.push((owner.clone(), doc.trim_end_matches("\"\"\"").trim_end().to_owned()));
        }
    }
    found
}
