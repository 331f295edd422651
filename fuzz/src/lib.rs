//! What the fuzz targets do with their bytes, as functions that tests can call.

mod header;
mod traffic;

pub use header::{Header, Rules, check_header};
pub use traffic::{Peer, Traffic, check_traffic};

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use passband_kernels::SimdLevel;
use passband_kernels::testing::{Case, Damage, Deviation, Piece, Plan, same_bits};

/// A kernel, a level, a stream and its cuts, as bytes choose them.
#[derive(Arbitrary, Debug)]
pub struct Cuts {
    case: u16,
    level: u8,
    seed: u8,
    len: u16,
    offset: u8,
    reset: bool,
    pieces: Vec<Cut>,
}

#[derive(Arbitrary, Debug)]
struct Cut {
    take: u8,
    room: Option<u8>,
    /// Save, and continue in another object at this level.
    resume: Option<u8>,
}

/// Errors grow beyond the bounds of the catalog, which are for the seeds of its own test: of all 256
/// seeds here the worst reaches 8.4 times its bound, that of a wide loop, which amplifies roundings.
const SLACK: f64 = 16.0;

const LONGEST: u16 = 1024;

/// Runs a case of `cases` as `cuts` say, and compares it with the uncut run and the reference.
///
/// # Panics
/// When they differ, or when the kernel breaks a law on the way.
pub fn check(cases: &[Case], cuts: &Cuts) {
    let case = &cases[usize::from(cuts.case) % cases.len()];
    let levels: Vec<_> = SimdLevel::available().collect();
    let level = |byte: u8| levels[usize::from(byte) % levels.len()];
    let whole = Plan::whole(level(cuts.level), cuts.seed.into(), usize::from(cuts.len % LONGEST));

    let mut left = whole.len;
    let pieces = cuts.pieces.iter().map(|cut| {
        let take = left.min(cut.take.into());
        left -= take;
        // Without room there is no progress.
        let room = cut.room.map(|room| usize::from(room).max(1));
        Piece { take, room, resume: cut.resume.map(level) }
    });
    let plan = Plan {
        pieces: pieces.collect(),
        offset: (cuts.offset % 64).into(),
        reset: cuts.reset,
        ..whole.clone()
    };

    let result = case.run(&plan);
    if plan.pieces.iter().all(|piece| piece.resume.is_none_or(|level| level == plan.level)) {
        let differs = same_bits(&result, &case.run(&whole));
        assert_eq!(differs, None, "{case}: not the bits of the uncut run, {plan:?}");
    }
    let error = Deviation::between(&result, &case.reference(&plan)).max_error;
    let bound = SLACK * case.about.max_error;
    assert!(error <= bound, "{case}: {error:e} from the reference, bound {bound:e}, {plan:?}");
}

/// A kernel and a snapshot of it with some bytes changed.
#[derive(Arbitrary, Debug)]
pub struct Snapshot {
    case: u16,
    level: u8,
    len: u16,
    sealed: bool,
    /// Positions and bits to turn; few, so that the rest of the snapshot stays credible.
    edits: [(u16, u8); 3],
    count: u8,
}

/// Loads a changed snapshot into a case of `cases`, and runs on from wherever that has led.
///
/// # Panics
/// When a refused snapshot changed the state, one that was taken is not the state afterwards, or
/// the kernel breaks a law from there.
pub fn check_snapshot(cases: &[Case], snapshot: &Snapshot) {
    let case = &cases[usize::from(snapshot.case) % cases.len()];
    let levels: Vec<_> = SimdLevel::available().collect();
    let level = levels[usize::from(snapshot.level) % levels.len()];
    let count = 1 + usize::from(snapshot.count) % snapshot.edits.len();
    let edits = snapshot.edits.iter().take(count).map(|(position, bits)| (usize::from(*position), *bits));
    let damage = Some(Damage { edits: edits.collect(), sealed: snapshot.sealed });
    let plan = Plan { damage, ..Plan::whole(level, 1, usize::from(snapshot.len % LONGEST)) };
    let _ = case.run(&plan.cut(plan.len / 2));
}
