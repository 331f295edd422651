declare! {
    "passband.skeletons" Skeleton: Blockwise {}
    new(*, gain=1.0) = |py, gain: f64 = real| {
        let kernel = passband_kernels::skeletons::Skeleton::new(gain as f32)
            .map_err(|error| refused(error, &[("gain", &shown(gain))]))?;
        let kernel = Kernel::new(py, "Skeleton", Box::new(Map(kernel)))?;
        Ok((kernel.ns_per_sample(0.3), Self {}))
    }
    examples {
        "": "float32" => "float32",
        "gain=0.5": "float32" => "float32",
    }
}
