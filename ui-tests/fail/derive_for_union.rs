use ad_runtime::Differentiable;

#[derive(Differentiable)]
union Bits {
    real: f64,
    bits: u64,
}

fn main() {
    let _ = Bits { bits: 0 };
}
