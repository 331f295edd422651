fn skeleton(report: &mut Report) -> Result {
    use passband_kernels::skeletons::Skeleton;
    let kernel = Skeleton::with_level(core::hint::black_box(0.5), super::SCALAR);
    report.blockwise("skeletons.Skeleton float32", &mut crate::shapes::made(kernel)?, &crate::inputs::real())
}
