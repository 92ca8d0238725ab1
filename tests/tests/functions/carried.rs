//! Code without derivatives, carried as it is: tables, text, random numbers, timers.

use crate::check;
use ad_runtime::differentiate;
use std::collections::HashMap;

/// A linear congruential generator: its state goes on in the forward sweep alone.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as f64 / (1_u64 << 31) as f64
    }
}

#[differentiate(reverse)]
fn noisy(x: f64, n: usize, #[constant] random: &mut Random) -> f64 {
    let mut sum = 0.0;
    for _ in 0..n {
        let noise = random.next();
        sum += (x * noise).sin() * noise;
    }
    sum
}

#[test]
fn random_numbers_are_drawn_once() {
    let (value, x) = noisy::value_and_gradient(0.7, 5, &mut Random(3));
    check("noisy", |v| noisy(v[0], 5, &mut Random(3)), &[0.7], value, &[x]);
    let (mut ours, mut theirs) = (Random(3), Random(3));
    noisy::gradient(0.7, 5, &mut ours);
    noisy(0.7, 5, &mut theirs);
    assert_eq!(ours.0, theirs.0, "the generator is where the function leaves it");
}

/// Look-ups, counts that are assigned through what a call gives, output, and a timer.
#[differentiate(reverse)]
fn looked_up(
    x: &[f64],
    #[constant] names: &[&str],
    #[constant] weights: &HashMap<String, f64>,
) -> f64 {
    let start = std::time::Instant::now();
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut sum = 0.0;
    for (v, name) in x.iter().zip(names) {
        let weight = weights.get(*name).copied().unwrap_or(1.0);
        *seen.entry(*name).or_insert(0) += 1;
        let count = seen[name];
        sum += v * v * weight * count as f64;
        if sum > 1e6 {
            eprintln!("{name}: {sum} after {:?}", start.elapsed());
        }
    }
    sum
}

#[test]
fn tables_and_counts() {
    let weights = HashMap::from([("a".to_owned(), 2.0)]);
    let x = [1.0, 2.0, 3.0];
    let (value, adjoint) = looked_up::value_and_gradient(&x, &["a", "b", "a"], &weights);
    // 2 · 1², 1 · 2², and 2 · 3² counted twice.
    assert_eq!((value, adjoint), (42.0, vec![4.0, 4.0, 24.0]));
}

/// Numbers out of a text, by a chain that gives no derivative.
#[differentiate(reverse)]
fn scripted(x: f64, script: &str) -> f64 {
    let factors: Vec<f64> = script.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    let label = factors.iter().map(|f| format!("{f:.1}")).collect::<Vec<_>>().join("-");
    let mut y = x;
    for factor in &factors {
        y = y * factor + x;
    }
    y / label.len() as f64
}

#[test]
fn numbers_out_of_a_text() {
    let (value, x) = scripted::value_and_gradient(1.5, "2, 3,none,0.5");
    check("scripted", |v| scripted(v[0], "2, 3,none,0.5"), &[1.5], value, &[x]);
}
