//! The board's side: entry, instruction counter, semihosting, and the panic handler that cannot link.

#![allow(unsafe_code)] // The panic handler calls what nothing defines.

use crate::{cases, report::Report};
use cortex_m::peripheral::{SYST, syst::SystClkSource};
use cortex_m_semihosting::{debug, hio};

unsafe extern "C" {
    /// Defined nowhere: an image that can panic does not link.
    fn passband_panic_is_reachable() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: never called, since an image that refers to it does not link.
    unsafe { passband_panic_is_reachable() }
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let done = run().is_some();
    debug::exit(if done { debug::EXIT_SUCCESS } else { debug::EXIT_FAILURE });
    loop {
        cortex_m::asm::wfi();
    }
}

fn run() -> Option<()> {
    let mut timer = cortex_m::Peripherals::take()?.SYST;
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(RELOAD);
    timer.clear_current();
    timer.enable_counter();
    let mut lap = || {
        let ticks = RELOAD - SYST::get_current();
        timer.clear_current();
        // A tick is a cycle of the board's 25 MHz clock, 40 ns; QEMU lets 64 ns pass per instruction.
        ticks * 5 / 8
    };
    if cfg!(feature = "control") {
        core::hint::black_box([0u8; 4][core::hint::black_box(0)]);
        return Some(());
    }
    cases::run(&mut Report { out: &mut hio::hstdout().ok()?, lap: &mut lap }).ok()
}

/// `SysTick` counts down from here: 24 bits, ten million instructions.
const RELOAD: u32 = 0xff_ffff;
