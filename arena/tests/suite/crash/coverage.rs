//! That the scenarios miss no store.

use super::makers::make;
use super::play;
use super::scenarios::SCENARIOS;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

pub(crate) const TESTS: &[(&str, fn())] = &cases![every_store_is_reached];

/// Every line of the crate that stores to shared memory is where some victim dies.
fn every_store_is_reached() {
    let mut reached: Vec<String> = SCENARIOS.iter().flat_map(|scenario| play(scenario, None)).collect();
    reached.extend(make(None, "anonymous"));
    let reached: BTreeSet<&str> = reached.iter().filter_map(|point| point.split(" at ").nth(1)).collect();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut stores = BTreeSet::new();
    collect(&source, "arena/src", &mut stores);
    assert!(stores.len() > 25, "{stores:?}");
    assert_eq!(reached, stores.iter().map(String::as_str).collect(), "stores reached, and stores there are");
    println!("crash points lie at {} lines, and each was reached", reached.len());
}

fn collect(folder: &Path, name: &str, stores: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let name = format!("{name}/{}", entry.file_name().display());
        if entry.path().is_dir() {
            collect(&entry.path(), &name, stores);
        } else if !ELSEWHERE.iter().any(|other| name.starts_with(other)) {
            let text = fs::read_to_string(entry.path()).unwrap();
            // The tests of a file stand at its end.
            let code = text.split("#[cfg(all(test").next().unwrap_or_default();
            let lines = code.lines().enumerate().filter(|(_, line)| is_store(line));
            stores.extend(lines.map(|(index, _)| format!("{name}:{}", index + 1)));
        }
    }
}

/// What says what a store is, and what only models of the protocol and fuzz targets are made of.
const ELSEWHERE: [&str; 5] = [
    "arena/src/sync",
    "arena/src/crash.rs",
    "arena/src/segment/data.rs",
    "arena/src/models",
    "arena/src/fuzzing.rs",
];

fn is_store(line: &str) -> bool {
    let calls =
        [".store(", "word.replace(", "_bell.0.ring()", "_bell.0.wait(", ".data.write(", "crash_point();"];
    // Words of this process alone say their ordering; a descriptor is stored word by word, elsewhere.
    let others = ["Ordering::", "descriptor.store(", "use "];
    calls.iter().any(|call| line.contains(call)) && !others.iter().any(|other| line.contains(other))
}
