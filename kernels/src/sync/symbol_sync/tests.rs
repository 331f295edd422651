use super::*;
use crate::testing::Rng;
use std::vec;
use std::vec::Vec;

const SPS: f64 = 5.3;

fn run<X: Symbol>(sync: &mut SymbolSync<X>, x: &[X]) -> Vec<X> {
    let mut out = vec![X::ZERO; sync.max_out(x.len())];
    let progress = sync.execute(x, &mut out);
    assert_eq!(progress.consumed, x.len());
    out.truncate(progress.produced);
    out
}

/// Random bits through their matched filter, the first symbol at `start` samples; and the bits.
fn telegraph(samples_per_symbol: f64, start: f64, len: usize) -> (Vec<f32>, Vec<f64>) {
    let mut rng = Rng::new(21);
    let bits: Vec<_> = (0..len).map(|_| rng.unit().signum()).collect();
    let sample = |n: usize| {
        let time = (n as f64 - start) / samples_per_symbol;
        let (k, t) = (time.floor(), time - time.floor());
        let bit = |k: f64| if k < 0.0 { 0.0 } else { bits[k as usize] };
        (bit(k) * (1.0 - t) + bit(k + 1.0) * t) as f32
    };
    ((0..len).map(sample).collect(), bits)
}

#[test]
fn bits_are_read_at_their_centres_whatever_phase_rate_and_level() {
    for (start, rate, level) in [(1.0, 1.0, 1.0), (3.3, 1.004, 1e-12), (4.9, 0.99, 1e12)] {
        let (x, bits) = telegraph(SPS * rate, start, 30_000);
        let x: Vec<_> = x.iter().map(|x| x * level).collect();
        let mut sync = SymbolSync::new(SPS, 0.01, 0.7).unwrap();
        let symbols = run(&mut sync, &x);
        assert!((sync.period() / (SPS * rate) - 1.0).abs() < 3e-4);
        // From the pattern of signs, which symbol the last one is.
        let settled = &symbols[1000..];
        let agree =
            |shift: usize| settled.iter().zip(&bits[shift..]).all(|(y, bit)| f64::from(*y) * bit > 0.0);
        assert_eq!((990..1010).filter(|shift| agree(*shift)).count(), 1);
        // Between bits that differ a cubic rounds the peak off, to 0.86 at the worst.
        assert!(settled.iter().all(|y| y.abs() > 0.84 * level));
    }
}

#[test]
fn subnormal_powers_move_the_clock_no_further_than_others() {
    fn check<X: Symbol>(rng: &mut Rng, sample: impl Fn(&mut Rng) -> X) {
        let mut sync = SymbolSync::<X>::new(2.0, 0.5, 1e6).unwrap();
        let (mut blob, x) = ([0; 256], [(); 12].map(|()| sample(rng)));
        for x in x {
            run(&mut sync, &[x]);
            let len = sync.save(&mut blob).unwrap();
            assert_eq!(sync.load(&blob[..len]), Ok(()), "a state that it cannot be in");
        }
    }
    let mut rng = Rng::new(11);
    let tiny = |rng: &mut Rng| (rng.unit() * 6e-23) as f32;
    for _ in 0..if cfg!(miri) { 5 } else { 5000 } {
        check(&mut rng, tiny);
        check(&mut rng, |rng| Complex::new(tiny(rng), tiny(rng)));
    }
}

#[test]
fn the_detector_has_the_gain_that_is_stated() {
    // With next to no bandwidth the offset stays and its errors add up.
    let (n, offset, bandwidth) = (if cfg!(miri) { 300 } else { 400_000 }, 0.02, 1e-8);
    let mut sync = SymbolSync::new(4.0, bandwidth, 0.5).unwrap();
    let symbols = run(&mut sync, &telegraph(4.0, 4.0 * offset, n).0).len();
    // Of damping 1/2 the integral gain is 4 bandwidth squared.
    let mean = (sync.period() / 4.0 - 1.0) / (4.0 * bandwidth * bandwidth) / symbols as f64;
    assert!(cfg!(miri) || (mean / offset - 0.9).abs() < 0.02, "{mean}");
}

#[test]
fn silence_and_what_is_no_number_let_the_clock_coast() {
    let (x, _) = telegraph(SPS * 1.003, 2.0, 20_000);
    let mut locked = SymbolSync::new(SPS, 0.01, 0.7).unwrap();
    run(&mut locked, &x);
    for bad in [0.0, f32::NAN, f32::INFINITY, f32::MAX] {
        let mut sync = locked.clone();
        run(&mut sync, &[bad; 10]);
        let period = sync.period();
        let symbols = run(&mut sync, &[bad; 1000]);
        assert_eq!(sync.period(), period);
        assert!((symbols.len() as f64 - 1000.0 / period).abs() < 1.0);
        assert!(run(&mut sync, &x)[1..].iter().all(|y| y.is_finite()));
    }
}

#[test]
fn counts_are_exact_over_a_long_silence() {
    let mut sync = SymbolSync::new(2.75, 0.01, 0.7).unwrap();
    let zeros = [Complex::ZERO; 1100];
    let n = if cfg!(miri) { 3 } else { 10_000 };
    let mut count = 0;
    for _ in 0..n {
        count += run(&mut sync, &zeros).len();
    }
    assert_eq!(count, n * 400);
}

/// After how many samples each symbol is due, with one error for all.
fn due(mut clock: Clock, error: f32) -> impl Iterator<Item = usize> {
    let mut passed = 0;
    core::iter::from_fn(move || {
        loop {
            passed += clock.pass(usize::MAX);
            let at_symbol = clock.at_symbol();
            if at_symbol {
                clock.correct(error);
            }
            clock.advance();
            if at_symbol {
                return Some(passed);
            }
        }
    })
}

#[test]
fn bounds_hold_for_the_shortest_periods_and_are_near_them() {
    for (sps, bandwidth) in [(2.0, 0.5), (5.3, 0.01), (40.0, 0.1), (1e6, 1e-3)] {
        let mut clock = Clock::new(sps, bandwidth, 0.7).unwrap();
        for _ in 0..if cfg!(miri) { 100 } else { 20_000 } {
            for error in [0.5, -0.5] {
                let symbols = |n: f64| (n * sps) as usize;
                for n in [0, 1, 2, 7, symbols(1.0), symbols(50.5)] {
                    let count = due(clock.clone(), error).take_while(|due| *due <= n).count();
                    assert!(count <= clock.max_out(n), "{sps}, {n}");
                    let many = n / symbols(1.0);
                    assert!(due(clock.clone(), error).nth(many).is_some_and(|due| due >= clock.max_in(many)));
                }
            }
            clock.pass(usize::MAX);
            if clock.at_symbol() {
                clock.correct(-0.5);
            }
            clock.advance();
        }
        // By now every period is the shortest.
        let n = (1000.0 * sps) as usize;
        let count = due(clock.clone(), -0.5).take_while(|due| *due <= n).count();
        assert!(cfg!(miri) || clock.max_out(n) - count <= 1);
        let most = due(clock.clone(), -0.5).nth(1000).unwrap();
        assert!(cfg!(miri) || (most - clock.max_in(1000)) as f64 <= 1.0 + 2e-3 * sps);
    }
}

#[test]
fn arguments_that_make_no_sense_are_named() {
    let refused = |sps, bandwidth, damping| {
        SymbolSync::<f32>::new(sps, bandwidth, damping).map(|_| ()).unwrap_err().argument
    };
    for sps in [1.9, -5.0, 1e10, f64::NAN] {
        assert_eq!(refused(sps, 0.01, 1.0), "samples_per_symbol");
    }
    assert_eq!(refused(2.0, 0.0, 1.0), "loop_bandwidth");
    assert_eq!(refused(2.0, 0.1, 0.0), "damping");
}
