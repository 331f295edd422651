//! Every call of the driver fails, at every time: nothing is reused or unmapped under a transfer, and
//! nothing is left when the driver can be asked again.

use crate::Case;
use crate::driver::{Place, bytes_at, control, report};
use crate::support::{NBYTES, assert_clean, eventually, foreign, options, pattern, send, take, upload};
use passband_arena::pin::{self, Cuda, DeviceBuffer, HostRange, Pending, State, Stream, Transfer};
use passband_arena::{Error, Result, SharedMemoryRingBuffer};
use std::time::Duration;

/// What the life below calls, from the first to the last.
const CALLS: [&str; 21] = [
    "cuInit",
    "cuDeviceGetCount",
    "cuDeviceGet",
    "cuDevicePrimaryCtxRetain",
    "cuCtxPushCurrent_v2",
    "cuCtxPopCurrent_v2",
    "cuMemHostRegister_v2",
    "cuMemHostAlloc",
    "cuMemAlloc_v2",
    "cuStreamCreate",
    "cuEventCreate",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuEventRecord",
    "cuEventQuery",
    "cuStreamSynchronize",
    "cuMemHostUnregister",
    "cuMemFreeHost",
    "cuMemFree_v2",
    "cuStreamDestroy_v2",
    "cuEventDestroy_v2",
];
/// Those that may have had their effect when they fail. One that makes something cannot: it would have no name.
const DONE_ALL_THE_SAME: [&str; 12] = [
    "cuCtxPushCurrent_v2",
    "cuCtxPopCurrent_v2",
    "cuMemHostRegister_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuEventRecord",
    "cuStreamSynchronize",
    "cuMemHostUnregister",
    "cuMemFreeHost",
    "cuMemFree_v2",
    "cuStreamDestroy_v2",
    "cuEventDestroy_v2",
];
/// Those that are called often enough to fail later, too.
const FREQUENT: [&str; 9] = [
    "cuCtxPushCurrent_v2",
    "cuCtxPopCurrent_v2",
    "cuMemAlloc_v2",
    "cuEventCreate",
    "cuMemcpyHtoDAsync_v2",
    "cuEventRecord",
    "cuEventQuery",
    "cuMemFree_v2",
    "cuEventDestroy_v2",
];

/// Commands: after how many good calls, and how often a call fails, before or after its effect.
pub(crate) fn cases() -> Vec<Case> {
    let mut rows = Vec::new();
    for times in ["0,1", "0,2", "0,*"] {
        rows.extend(CALLS.map(|call| format!("fail={call},719,{times}")));
        rows.extend(DONE_ALL_THE_SAME.map(|call| format!("after={call},719,{times}")));
        // Without an event, only the stream tells of the end of a copy.
        for begin in ["cuMemcpyHtoDAsync_v2", "cuEventRecord"] {
            rows.push(format!("fail={begin},719,0,1;fail=cuStreamQuery,719,{times}"));
            rows.push(format!("after={begin},719,1,1;fail=cuStreamQuery,600,{times}"));
        }
    }
    for times in ["1,1", "3,2"] {
        rows.extend(FREQUENT.map(|call| format!("fail={call},719,{times}")));
    }
    let case = |row: String| Case::new(format!("failures::{row}"), Place::Driver, move || fails(&row));
    rows.into_iter().map(case).collect()
}

/// Lives while calls fail, and looks at what is left.
fn fails(row: &str) {
    control("delay=5");
    control(row);
    let mut copies = Copies::default();
    let lived = live(&mut copies);
    if let Err(error) = &lived {
        check(row, error);
    }
    // With everything dropped, transfers still go on.
    if row.contains('*') {
        // Long enough for whatever is done too early to be done.
        std::thread::sleep(Duration::from_millis(30));
        pin::retry_cleanup();
        assert_eq!(report().faults, [""; 0]);
        assert!(report().count("failed") > 0, "no call failed");
        control("fail=");
    }
    let is_draining = |pending: &Pending| pending.state == State::Draining;
    eventually("transfers end", || !pin::retry_cleanup().iter().any(is_draining));
    copies.check();
    drop(copies);
    assert_clean();
    let failed = report().count("failed");
    assert!(failed > 0, "no call failed: {:?}", report());
}

/// An error has to name the call and its answer.
fn check(row: &str, error: &Error) {
    let Error::Driver(refused) = error else { panic!("{row}: {error}") };
    assert!(row.contains(&format!("={},", refused.call)), "{error}");
    let text = error.to_string();
    assert!(text.contains(&format!("{} answered 719, CUDA_ERROR_LAUNCH_FAILED", refused.call)), "{text}");
}

/// Where copies go, and what is to be there.
#[derive(Default)]
struct Copies(Vec<(DeviceBuffer, u8)>);

impl Copies {
    /// Begins to copy a pattern to the device.
    fn begin(&mut self, stream: &Stream, from: HostRange, unit: u8) -> Result<Transfer> {
        let buffer = stream.device().allocate(NBYTES)?;
        self.0.push((buffer.clone(), unit));
        stream.copy_to_device(from, buffer.range(0, NBYTES)?)
    }

    /// Each copy was made of the right bytes, or was never begun.
    fn check(&self) {
        for (buffer, unit) in &self.0 {
            let bytes = bytes_at(buffer.address(), NBYTES);
            assert!(
                bytes == pattern(*unit) || bytes == vec![0; NBYTES],
                "unit {unit} came as {:?}",
                &bytes[..8]
            );
        }
    }
}

/// Makes use of everything once, up to the first failure; all that was made is dropped in any case.
fn live(copies: &mut Copies) -> Result<()> {
    let cuda = Cuda::get()?;
    let (zero, one) = (cuda.device(0)?, cuda.device(1)?);
    let streams = [zero.stream()?, one.stream()?];
    let (registered, _) = foreign(pattern(100));
    let registered = one.register(registered)?;
    let mut kept = vec![copies.begin(&streams[1], registered.range(0, NBYTES)?, 100)?];
    drop(registered);

    // Units of a pool, whose writer goes on.
    let pool = passband_arena::SharedMemorySegmentPool::new(NBYTES + 4096, 3, options())?;
    let (mut writer, mut reader) = (pool.open_writer()?, pool.open_reader()?);
    for unit in 0..12 {
        match send(&mut writer, unit) {
            Ok(()) => {}
            Err(Error::Full(_)) => {
                std::thread::sleep(Duration::from_millis(2));
                continue;
            }
            Err(error) => return Err(error),
        }
        let transfer = copies.begin(&streams[usize::from(unit % 2)], take(&mut reader).into(), unit)?;
        // Some are waited for, and some are dropped at once.
        if unit % 4 == 0 {
            kept.push(transfer);
        }
    }
    pool.close();
    drop((pool, writer, reader));

    // What a ring's reader gets.
    let ring = SharedMemoryRingBuffer::new(2 * NBYTES, options())?;
    let (mut writer, mut reader) = (ring.open_writer()?, ring.open_reader()?);
    for unit in 20..24 {
        writer.begin(NBYTES)?;
        writer.write(pattern(unit).as_slice())?;
        writer.commit(b"")?;
        let delivery = reader.next(None)?.expect("a unit");
        let block = reader.read_pinned(reader.extents()[0]);
        reader.end_unit(delivery.ticket)?;
        drop(copies.begin(&streams[0], block?.range(0, NBYTES)?, unit)?);
    }
    drop((ring, writer, reader));

    // And back.
    let blocks = zero.pinned_blocks(0);
    let (mut up, buffer) = upload(&streams[0], foreign(pattern(50)).0)?;
    let back = blocks.allocate(NBYTES)?;
    let mut down = streams[0].copy_to_host(buffer.range(0, NBYTES)?, back.range(0, NBYTES)?)?;
    streams[1].synchronize()?;
    up.wait(None)?;
    down.wait(None)?;
    assert_eq!(back.to_vec(), pattern(50));
    for transfer in &mut kept {
        transfer.wait(None)?;
    }
    Ok(())
}
