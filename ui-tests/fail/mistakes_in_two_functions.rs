use ad_runtime::differentiate;

#[differentiate(reverse)]
fn upper(x: f64) -> f64 {
    x.next_up()
}

#[differentiate(reverse)]
fn lower(x: f64) -> f64 {
    x.next_down()
}

fn main() {}
