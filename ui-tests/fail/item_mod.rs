use ad_runtime::differentiate;

#[differentiate(reverse)]
mod models {
    pub fn square(x: f64) -> f64 {
        x * x
    }
}

fn main() {
    models::square(1.0);
}
