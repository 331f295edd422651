//! The passband kernels on a Cortex-M4, proved free of panics at link time.
//!
//! For the board, this is an image that prints the bits of its results and what they cost. For a
//! host, it is a program that prints the bits that the board must reproduce.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod cases;
mod inputs;
mod report;
mod shapes;

#[cfg(target_os = "none")]
mod board;

#[cfg(not(target_os = "none"))]
fn main() -> std::io::Result<()> {
    let mut out = String::new();
    cases::run(&mut report::Report { out: &mut out, lap: &mut || 0 }).map_err(std::io::Error::other)?;
    std::io::Write::write_all(&mut std::io::stdout(), out.as_bytes())
}
