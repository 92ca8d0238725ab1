use ad_runtime::differentiate;

#[differentiate(reverse)]
enum Potential {
    Spring(f64),
}

fn main() {}
