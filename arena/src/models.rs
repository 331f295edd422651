//! Models of the protocol, which loom runs in every order that the memory model allows.
//!
//! All is real but the facade in [`crate::sync`]: loom sees the words, the bells, the counts of leases and
//! the bytes of the segments. It reports who sleeps for ever, and bytes that are read while they are
//! written. With one of [`crate::sync::model`]'s faults planted the models must fail.

mod bell;
mod ends;
mod pool;
mod ring;

use crate::error::Result;
use crate::options::Options;
use crate::reader::Reader;
use crate::segment::{Attachment, Mapping};
use crate::writer::Writer;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs a model in every order with at most 3 preemptions, or `LOOM_MAX_PREEMPTIONS`, and says in how
/// many.
fn explore<F: Fn() + Send + Sync + 'static>(model: F) {
    explore_with_fewer(0, model);
}

/// The same with fewer preemptions, for a model of so many steps that it would take too long.
fn explore_with_fewer<F: Fn() + Send + Sync + 'static>(fewer: usize, model: F) {
    let executions = Arc::<AtomicUsize>::default();
    let count = executions.clone();
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(builder.preemption_bound.unwrap_or(3).saturating_sub(fewer));
    builder.check(move || {
        count.fetch_add(1, Ordering::Relaxed);
        model();
    });
    let name = std::any::type_name::<F>().trim_end_matches("::{{closure}}");
    println!("model {name}: {} executions", executions.load(Ordering::Relaxed));
}

/// A pool of `count` segments of 128 bytes, or a ring of 256.
fn arena(count: usize) -> (Arc<Mapping>, Arc<Attachment>) {
    let options = Options { acquire_timeout: None, ..Options::default() };
    let size = if count == 0 { 256 } else { 128 };
    let mapping = Mapping::on_heap(size, count, options).unwrap();
    (mapping.clone(), Attachment::new(mapping, None))
}

fn both_ends(attachment: &Arc<Attachment>) -> (Writer, Reader) {
    (Writer::open(attachment.clone()).unwrap(), Reader::open(attachment.clone()).unwrap())
}

/// Waits for room, and sends a unit of 128 bytes that are all its number.
fn send(writer: &mut Writer, unit: u8) -> Result<()> {
    writer.begin(128)?;
    writer.write([unit; 128].as_slice())?;
    writer.commit(&[unit]).map(drop)
}
