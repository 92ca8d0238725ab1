use ad_runtime::differentiate;

#[differentiate(reverse)]
fn through(x: f64) -> f64 {
    let mut cell = [0.0];
    #[constant]
    let written = {
        cell[0] = x;
        1.0
    };
    written * cell[0]
}

fn main() {}
