use ad_runtime::differentiate;

#[differentiate(reverse)]
fn mistaken(x: f64, n: u32) -> f64 {
    if n == 0 {
        x.next_up()
    } else {
        x * mistaken(x, n - 1)
    }
}

fn main() {
    let _: f64 = mistaken::gradient(1.0, 2);
}
