//! Code without derivatives, carried as it is: tables, text, random numbers, timers.

use crate::check_both;
use ad_runtime::differentiate;
use num_dual::DualNum;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// A linear congruential generator: its state goes on in the forward sweep alone.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as f64 / (1_u64 << 31) as f64
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn noisy(x: f64, n: usize, #[constant] random: &mut Random) -> f64 {
    let mut sum = 0.0;
    for _ in 0..n {
        let noise = random.next();
        sum += (x * noise).sin() * noise;
    }
    sum
}

fn noisy_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut random = Random(3);
    let mut sum = D::from(0.0);
    for _ in 0..5 {
        let noise = random.next();
        sum += (v[0] * noise).sin() * noise;
    }
    sum
}

#[test]
fn random_numbers_are_drawn_once() {
    let (value, x) = noisy::value_and_gradient(0.7, 5, &mut Random(3));
    let f = |v: &[f64]| noisy(v[0], 5, &mut Random(3));
    check_both("noisy", f, noisy_twin, &[0.7], value, &[x]);
    let (mut ours, mut theirs) = (Random(3), Random(3));
    noisy::gradient(0.7, 5, &mut ours);
    noisy(0.7, 5, &mut theirs);
    assert_eq!(ours.0, theirs.0, "the generator is where the function leaves it");
}

/// Look-ups, counts that are assigned through what a call gives, output, and a timer.
#[differentiate(reverse, forward, second_order, cross_check)]
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
    assert_eq!((value, &adjoint[..]), (42.0, &[4.0, 4.0, 24.0][..]));
    fn twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
        v[0] * v[0] * 2.0 + v[1] * v[1] + v[2] * v[2] * 4.0
    }
    let f = |v: &[f64]| looked_up(v, &["a", "b", "a"], &weights);
    check_both("looked_up", f, twin, &x, value, &adjoint);
}

/// Numbers out of a text, by a chain that gives no derivative.
#[differentiate(reverse, forward, second_order, cross_check)]
fn scripted(x: f64, script: &str) -> f64 {
    let factors: Vec<f64> = script.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    let label = factors.iter().map(|f| format!("{f:.1}")).collect::<Vec<_>>().join("-");
    let mut y = x;
    for factor in &factors {
        y = y * factor + x;
    }
    y / label.len() as f64
}

/// The label is "2.0-3.0-0.5".
fn scripted_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut y = v[0];
    for factor in [2.0, 3.0, 0.5] {
        y = y * factor + v[0];
    }
    y / 11.0
}

#[test]
fn numbers_out_of_a_text() {
    let (value, x) = scripted::value_and_gradient(1.5, "2, 3,none,0.5");
    let f = |v: &[f64]| scripted(v[0], "2, 3,none,0.5");
    check_both("scripted", f, scripted_twin, &[1.5], value, &[x]);
}

/// A mask that is drawn as a whole, by a chain with a generator behind it.
#[differentiate(reverse, forward, second_order, cross_check)]
fn dropout(x: &[f64], rate: f64, #[constant] random: &mut Random) -> f64 {
    let kept: Vec<bool> = (0..x.len()).map(|_| random.next() > 0.4).collect();
    let mut sum = 0.0;
    for (v, &keep) in x.iter().zip(&kept) {
        if keep {
            sum += v.exp() / (1.0 - rate);
        }
    }
    sum * kept.iter().filter(|keep| **keep).count() as f64
}

fn dropout_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (mut random, mut sum, mut count) = (Random(5), D::from(0.0), 0.0);
    for x in &v[..6] {
        if random.next() > 0.4 {
            sum += x.exp();
            count += 1.0;
        }
    }
    sum * count / (-v[6] + 1.0)
}

#[test]
fn a_mask_is_drawn_once() {
    let at = [0.3, -0.4, 1.1, 0.7, 0.2, -0.9, 0.25];
    let (value, (x, rate)) = dropout::value_and_gradient(&at[..6], at[6], &mut Random(5));
    let f = |v: &[f64]| dropout(&v[..6], v[6], &mut Random(5));
    check_both("dropout", f, dropout_twin, &at, value, &[x, vec![rate]].concat());
}

/// Samples of a distribution, by parameters: the draws are data, what is made of them is not.
#[differentiate(reverse, forward, second_order, cross_check)]
fn expected_payoff(mean: f64, spread: f64, n: usize, #[constant] random: &mut Random) -> f64 {
    let mut sum = 0.0;
    for _ in 0..n {
        let (u, v) = (random.next(), random.next());
        let normal = (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos();
        let price = (mean + spread * normal).exp();
        sum += if price > 1.0 { price - 1.0 } else { 0.0 };
    }
    sum / n as f64
}

fn expected_payoff_twin<D: DualNum<Primitive = f64> + Copy>(at: &[D]) -> D {
    let (mut random, mut sum) = (Random(9), D::from(0.0));
    for _ in 0..40 {
        let radius = (-2.0 * (1.0 - random.next()).ln()).sqrt();
        let normal = radius * (std::f64::consts::TAU * random.next()).cos();
        let logarithm = at[0] + at[1] * normal;
        if logarithm.re() > 0.0 {
            sum += logarithm.exp_m1();
        }
    }
    sum / 40.0
}

#[test]
fn samples_with_parameters() {
    let at = [0.1, 0.3];
    let (value, (mean, spread)) =
        expected_payoff::value_and_gradient(at[0], at[1], 40, &mut Random(9));
    let f = |v: &[f64]| expected_payoff(v[0], v[1], 40, &mut Random(9));
    check_both("payoff", f, expected_payoff_twin, &at, value, &[mean, spread]);
}

mod log {
    /// Stands for the macro of the crate `log`.
    macro_rules! info {
        ($($shown:tt)*) => { drop(format!($($shown)*)) };
    }
    pub(super) use info;
}

/// Active values are shown on the way, in every manner.
#[differentiate(reverse, forward, second_order, cross_check)]
fn watched(x: f64, y: f64) -> f64 {
    println!("{x} and {y:.3}");
    let product = dbg!(x * y.sin());
    let mut sum = product;
    for k in 0..3 {
        sum += dbg!(sum * x) / (k + 1) as f64;
        log::info!("trip {k}: {sum}");
        eprintln!("{:>width$}", sum, width = 8 + k);
        assert!(sum.is_finite(), "{sum} after {k}");
    }
    debug_assert_ne!(sum, 0.0);
    sum * product
}

fn watched_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let product = v[0] * v[1].sin();
    let grown = product * (v[0] + 1.0) * (v[0] / 2.0 + 1.0) * (v[0] / 3.0 + 1.0);
    grown * product
}

#[test]
fn active_values_are_printed() {
    let at = [0.7, 1.9];
    let (value, (x, y)) = watched::value_and_gradient(at[0], at[1]);
    check_both("watched", |v| watched(v[0], v[1]), watched_twin, &at, value, &[x, y]);
}

/// Operations by name, in the order of a sorted table.
#[differentiate(reverse, forward, second_order, cross_check)]
fn scheduled(x: f64, factor: f64, #[constant] plan: &BTreeMap<u32, String>) -> f64 {
    let mut y = x;
    let steps: Vec<(u32, String)> = plan.iter().map(|(k, name)| (*k, name.clone())).collect();
    for (step, name) in &steps {
        match name.as_str() {
            "scale" => y *= factor,
            "sine" => y = y.sin(),
            "shift" | "move" => y += factor * *step as f64,
            other => y = y.powi(other.len() as i32),
        }
    }
    y
}

/// In the order 1, 2, 4, 7, 9.
fn scheduled_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (x, factor) = (v[0], v[1]);
    let y = (x + factor) * factor;
    y.sin() * y.sin() + factor * 9.0
}

#[test]
fn operations_by_name() {
    let plan = [(9, "move"), (2, "scale"), (7, "xx"), (1, "shift"), (4, "sine")];
    let plan: BTreeMap<u32, String> = plan.map(|(step, name)| (step, name.to_owned())).into();
    let at = [0.4, 0.9];
    let (value, (x, factor)) = scheduled::value_and_gradient(at[0], at[1], &plan);
    let f = |v: &[f64]| scheduled(v[0], v[1], &plan);
    check_both("scheduled", f, scheduled_twin, &at, value, &[x, factor]);
}

/// Text that is written to, and counts of what it holds.
#[differentiate(reverse, forward, second_order, cross_check)]
fn spelled(weights: &[f64; 3], text: &str, #[constant] report: &mut String) -> f64 {
    let mut counts = [0_usize; 3];
    for letter in text.chars().filter(|c| c.is_alphabetic()) {
        let class = match letter.to_ascii_lowercase() {
            'a' | 'e' | 'i' | 'o' | 'u' => 0,
            'y' => 1,
            _ => 2,
        };
        counts[class] += 1;
    }
    writeln!(report, "{text}: {counts:?}").unwrap();
    let longest = text.split_whitespace().map(str::len).max().unwrap_or(0);
    let mut energy = 0.0;
    for (w, &n) in weights.iter().zip(&counts) {
        energy += w.powi(longest as i32) * n as f64;
    }
    energy
}

/// Two vowels, one `y`, five others, and words of up to five letters.
fn spelled_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    v[0].powi(5) * 2.0 + v[1].powi(5) + v[2].powi(5) * 5.0
}

#[test]
fn text_is_counted_and_written() {
    let (at, mut report) = ([0.7, -1.2, 0.9], String::new());
    let (value, adj) = spelled::value_and_gradient(&at, "Any words", &mut report);
    assert_eq!(report, "Any words: [2, 1, 5]\n", "it is written once");
    let f = |v: &[f64]| spelled(&[v[0], v[1], v[2]], "Any words", &mut String::new());
    check_both("spelled", f, spelled_twin, &at, value, &adj);
}

/// A table that fills itself, and whose entries are data.
#[differentiate(reverse, forward, second_order, cross_check)]
fn bernstein(x: f64, controls: &[f64]) -> f64 {
    let mut known: HashMap<(usize, usize), u64> = HashMap::new();
    let n = controls.len() - 1;
    for row in 0..=n {
        for k in 0..=row {
            let above = |k: usize| known.get(&(row - 1, k)).copied().unwrap_or(0);
            let entry = if k == 0 { 1 } else { above(k - 1) + above(k) };
            known.insert((row, k), entry);
        }
    }
    let mut sum = 0.0;
    for (k, c) in controls.iter().enumerate() {
        let binomial = known.get(&(n, k)).copied().unwrap_or(0) as f64;
        sum += binomial * x.powi(k as i32) * (1.0 - x).powi((n - k) as i32) * c;
    }
    sum
}

/// By repeated interpolation.
fn bernstein_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut c = v[1..].to_vec();
    for n in (1..c.len()).rev() {
        for k in 0..n {
            c[k] = c[k] + v[0] * (c[k + 1] - c[k]);
        }
    }
    c[0]
}

#[test]
fn a_table_that_fills_itself() {
    let at = [0.3, 1.0, -0.5, 2.0, 0.7, 1.4];
    let (value, (x, controls)) = bernstein::value_and_gradient(at[0], &at[1..]);
    let f = |v: &[f64]| bernstein(v[0], &v[1..]);
    check_both("bernstein", f, bernstein_twin, &at, value, &[vec![x], controls].concat());
}

/// A budget of time that is never used up, and a count of what was done.
#[differentiate(reverse, forward, second_order, cross_check)]
fn within_an_hour(x: f64, #[constant] trips: &mut u32) -> f64 {
    let (start, hour) = (std::time::Instant::now(), std::time::Duration::from_secs(3600));
    let mut z = x;
    while start.elapsed() < hour {
        *trips += 1;
        if *trips > 3 {
            break;
        }
        z = 0.5 * (z + x / z);
    }
    z
}

fn within_an_hour_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut z = v[0];
    for _ in 0..3 {
        z = (z * z + v[0]) / (z * 2.0);
    }
    z
}

#[test]
fn loops_that_watch_the_time() {
    let mut trips = 0;
    let (value, x) = within_an_hour::value_and_gradient(2.5, &mut trips);
    assert_eq!(trips, 4, "they are counted once");
    let f = |v: &[f64]| within_an_hour(v[0], &mut 0);
    check_both("an hour", f, within_an_hour_twin, &[2.5], value, &[x]);
}

/// Structures, trait objects and closures of others, none of which is differentiated.
#[differentiate(reverse, forward, second_order, cross_check)]
fn ruled(x: &[f64], #[constant] rules: &[Box<dyn Fn(usize) -> Option<f64>>]) -> f64 {
    let mut order: Vec<(usize, f64)> = Vec::new();
    for k in 0..x.len() {
        let weight = rules.iter().filter_map(|rule| rule(k)).next().unwrap_or(0.5);
        order.push((k, weight));
    }
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut y = 1.0;
    for &(k, weight) in &order {
        y = y * x[k] + weight;
    }
    y
}

/// Weights 0.5, 3, 2 and 1: the order is 1, 2, 3, 0.
fn ruled_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    (((x[1] + 3.0) * x[2] + 2.0) * x[3] + 1.0) * x[0] + 0.5
}

#[test]
fn rules_that_are_closures() {
    let rules: Vec<Box<dyn Fn(usize) -> Option<f64>>> = vec![
        Box::new(|k| (k == 3).then_some(1.0)),
        Box::new(|k| if k == 0 { None } else { Some(4.0 - k as f64) }),
    ];
    let at = [0.4, 0.9, -0.6, 1.3];
    let (value, adj) = ruled::value_and_gradient(&at, &rules);
    check_both("ruled", |v| ruled(v, &rules), ruled_twin, &at, value, &adj);
}
