//! What conformance, fuzzing and benches need to know of [`Pid`](super::Pid).

use super::{Pid, PidConfig};
use crate::sample::Float;
use crate::testing::{About, Case, Random, float_bounds, in_place};
use std::format;
use std::vec;
use std::vec::Vec;

pub(crate) fn cases() -> Vec<Case> {
    let free = PidConfig { kp: 0.7, ki: 0.15, kd: 1.9, ..PidConfig::NEW };
    let filtered = PidConfig { derivative_time: 3.0, ..free };
    let limited = PidConfig { low: -0.75, high: 1.5, ki: 0.3, ..filtered };
    vec![
        case::<f32>("free", free, 5.0, 149.0),
        case::<f32>("filtered", filtered, 2.5, 149.0),
        case::<f32>("limited", limited, 1.2, 150.0),
        case::<f64>("free", free, 80.0, 120.0),
        case::<f64>("limited", limited, 20.0, 127.0),
    ]
}

fn case<X: Float<Double = f64> + Random>(name: &str, config: PidConfig, error: f64, snr_db: f64) -> Case {
    let (max_error, snr_db) = float_bounds::<X>(error, snr_db);
    let about = About {
        family: "filter",
        kernel: "Pid",
        summary: "PID controller with a filtered derivative and limits",
        variant: format!("{}, {name}", X::NAME),
        max_error,
        snr_db,
        flops: 12.0,
        bytes: 2.0 * size_of::<X>() as f64,
        benched: name == "limited",
    };
    let make = move |_| Pid::<X>::new(config).expect("a controller");
    in_place(about, make, move |x: &[X]| reference(config, x))
}

/// The controller with its terms apart: the derivative from the response of its filter, and the sum as
/// one of those errors that it takes.
fn reference<X: Float<Double = f64>>(config: PidConfig, x: &[X]) -> Vec<f64> {
    let PidConfig { kp, ki, kd, derivative_time, low, high } = config;
    let errors: Vec<f64> = x.iter().map(|x| x.to_double()).collect();
    let keep = derivative_time / (derivative_time + 1.0);
    let mut taken = vec![];
    let mut outputs = vec![];
    for (n, error) in errors.iter().enumerate() {
        let difference = |k: usize| errors[k] - if k > 0 { errors[k - 1] } else { 0.0 };
        let slopes = (0..=n).map(|k| keep.powi((n - k) as i32) * difference(k));
        let derivative = kd / (derivative_time + 1.0) * slopes.sum::<f64>();
        let integral = ki * (taken.iter().sum::<f64>() + error);
        let wanted = kp * error + integral + derivative;
        let winds = (wanted > high && ki * error > 0.0) || (wanted < low && ki * error < 0.0);
        if !winds {
            taken.push(*error);
        }
        outputs.push(wanted.clamp(low, high));
    }
    outputs
}
