//! Numbers all over the range of `f32`, and errors in units of the last place.

/// Every 4099th number, both zeros, and what lies at the ends of the range.
pub(crate) fn numbers() -> impl Iterator<Item = f32> {
    let step = if cfg!(miri) { 40_000_003 } else { 4099 };
    let ends = [0.0, f32::from_bits(1), f32::MIN_POSITIVE, f32::MAX, f32::INFINITY, f32::NAN];
    let near = [1.0f32, core::f32::consts::FRAC_PI_2, core::f32::consts::PI, 8192.0];
    let near = near.into_iter().flat_map(|x| [x.next_down(), x, x.next_up()]);
    let signed = ends.into_iter().chain(near).flat_map(|x| [x, -x]);
    signed.chain((0..=u32::MAX).step_by(step).map(f32::from_bits))
}

/// The error of `y` in units of the last place of the exact result; infinite where one is not
/// finite and the other is not the same.
pub(crate) fn ulps(y: f32, exact: f64) -> f64 {
    let nearest = exact as f32;
    if y.to_bits() == nearest.to_bits() || y.is_nan() && nearest.is_nan() {
        return 0.0;
    }
    if !y.is_finite() && !nearest.is_finite() {
        return f64::INFINITY;
    }
    let size = nearest.abs().min(f32::MAX.next_down());
    (f64::from(y) - exact).abs() / f64::from(size.next_up() - size)
}

/// The largest error of a function over all [`numbers`], and where it is.
pub(crate) fn worst(apply: impl Fn(&[f32], &mut [f32]) -> usize, exact: impl Fn(f64) -> f64) -> (f64, f32) {
    let x: std::vec::Vec<f32> = numbers().collect();
    let mut y = std::vec![0.0; x.len()];
    assert_eq!(apply(&x, &mut y), x.len());
    let errors = x.iter().zip(&y).map(|(x, y)| (ulps(*y, exact((*x).into())), *x));
    let worst = errors.fold((0.0, 0.0), |worst, error| if error.0 > worst.0 { error } else { worst });
    std::println!("{:.3} ulp at {:e}", worst.0, worst.1);
    worst
}
