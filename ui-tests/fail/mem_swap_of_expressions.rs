use ad_runtime::differentiate;

#[differentiate(reverse)]
fn swapped(x: &mut [f64]) {
    let (first, rest) = x.split_at_mut(1);
    std::mem::swap(&mut first[0], rest.last_mut().unwrap());
}

fn main() {}
