use ad_runtime::differentiate;

trait Field {
    fn at(&self, x: f64) -> f64;
}

#[differentiate(reverse)]
fn apply(f: &dyn Field, x: f64) -> f64 {
    f.at(x)
}

fn main() {}
