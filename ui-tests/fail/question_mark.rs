use ad_runtime::differentiate;

#[differentiate(reverse)]
fn scaled(x: f64, out: &mut f64, text: &str) -> Result<(), std::num::ParseIntError> {
    let n: i32 = text.parse()?;
    *out = f64::from(n) * x;
    Ok(())
}

fn main() {}
