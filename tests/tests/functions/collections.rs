//! Data without positions around active code: maps, sets, texts, locks; and when they are let go.

use crate::{assert_dual, check};
use ad_runtime::differentiate;
use num_dual::DualNum;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Mutex;

/// Pairs of a map, by reference and destructured; references to numbers in arithmetic.
#[differentiate(reverse, forward, second_order, cross_check)]
fn named(#[constant] terms: &BTreeMap<String, (usize, f64)>, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (name, (k, weight)) in terms {
        if name.starts_with('q') {
            sum += x[*k] * x[*k] * weight;
        } else {
            sum += weight * x[*k];
        }
    }
    sum
}

fn named_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    x[0] * 1.5 + x[2] * x[2] * -0.5 + x[0] * x[0] * 2.0
}

#[test]
fn pairs_of_a_map() {
    let terms: BTreeMap<String, (usize, f64)> =
        [("a", (0, 1.5)), ("qa", (2, -0.5)), ("qb", (0, 2.0))]
            .map(|(name, term)| (name.to_owned(), term))
            .into();
    let at = [0.7, -1.1, 0.4];
    let (value, gradient) = named::value_and_gradient(&terms, &at);
    check("named", |x| named(&terms, x), &at, value, &gradient);
    assert_dual("named", value, named_twin, &at, &gradient);
}

/// Keys, values and entries in chains; a map that is not there.
#[differentiate(reverse, forward, second_order, cross_check)]
fn chained(#[constant] weights: &HashMap<usize, f64>, x: &[f64]) -> f64 {
    let linear: f64 = weights.iter().map(|(k, w)| x[*k] * w).sum();
    let powers: f64 = weights.keys().map(|k| x[*k].powi(3)).sum();
    let scale = weights.values().fold(x[0], |s, w| s * w.abs());
    let first = match weights.get(&1) {
        Some(w) => x[1] * w,
        None => x[0],
    };
    let missing = if let Some(w) = weights.get(&9) { x[2] * w } else { x[2] };
    linear + powers * scale + first * missing * weights.get(&7).unwrap_or(&2.5)
}

fn chained_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let powers = x[1] * x[1] * x[1] + x[2] * x[2] * x[2];
    let linear = x[1] * 0.5 - x[2] * 1.5;
    linear + powers * (x[0] * 0.75) + x[1] * 0.5 * x[2] * 2.5
}

#[test]
fn maps_in_chains_and_lookups() {
    let weights = HashMap::from([(1, 0.5), (2, -1.5)]);
    let at = [0.7, -1.1, 0.4];
    let (value, gradient) = chained::value_and_gradient(&weights, &at);
    check("chained", |x| chained(&weights, x), &at, value, &gradient);
    assert_dual("chained", value, chained_twin, &at, &gradient);
}

/// Words and characters of a text.
#[differentiate(reverse, forward, second_order, cross_check)]
fn spelled(text: &str, x: &[f64]) -> f64 {
    let mut y = x[0];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let mut part = 1.0;
        for (k, c) in word.chars().enumerate() {
            match c {
                '+' => part += x[k],
                '*' => part *= x[word.len() - 1],
                _ => continue,
            }
        }
        y *= part;
        if y > 1e3 {
            break;
        }
    }
    y + text.bytes().map(|b| x[usize::from(b) % 3]).product::<f64>()
}

fn spelled_twin<D: DualNum<Primitive = f64> + Copy>(text: &str, x: &[D]) -> D {
    let one = D::from(1.0);
    let mut y = x[0];
    for word in ["+*", "*", "x+"] {
        let mut part = one;
        for (k, c) in word.bytes().enumerate() {
            if c == b'+' {
                part += x[k];
            } else if c == b'*' {
                part *= x[word.len() - 1];
            }
        }
        y *= part;
    }
    let mut product = one;
    for b in text.as_bytes() {
        product *= x[usize::from(*b) % 3];
    }
    y + product
}

#[test]
fn texts() {
    let text = "+* *  x+";
    let at = [0.7, -1.1, 0.4];
    let (value, gradient) = spelled::value_and_gradient(text, &at);
    check("spelled", |x| spelled(text, x), &at, value, &gradient);
    assert_dual("spelled", value, |x| spelled_twin(text, x), &at, &gradient);
    // No word, no letter.
    assert_eq!(spelled::value_and_gradient("", &at), (1.7, vec![1.0, 0.0, 0.0]));
}

/// Sets and queues, backwards; indices by value.
#[differentiate(reverse, forward, second_order, cross_check)]
fn queued(
    #[constant] active: &BTreeSet<usize>,
    #[constant] queue: &VecDeque<f64>,
    x: &[f64],
) -> f64 {
    let mut y = 1.0;
    for &k in active.iter().rev() {
        y = y * x[k] + x[0];
    }
    for (k, q) in queue.iter().enumerate().skip(1) {
        y += x[k] * q * y;
    }
    y
}

fn queued_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let mut y = D::from(1.0);
    for k in [2, 0] {
        y = y * x[k] + x[0];
    }
    for (k, q) in [(1, -0.5), (2, 0.8)] {
        y += x[k] * q * y;
    }
    y
}

#[test]
fn sets_and_queues() {
    let (active, queue) = (BTreeSet::from([0, 2]), VecDeque::from([0.3, -0.5, 0.8]));
    let at = [0.7, -1.1, 0.4];
    let (value, gradient) = queued::value_and_gradient(&active, &queue, &at);
    check("queued", |x| queued(&active, &queue, x), &at, value, &gradient);
    assert_dual("queued", value, queued_twin, &at, &gradient);
}

/// Words that the function makes and gives away.
#[differentiate(reverse, forward, second_order, cross_check)]
fn counted(x: f64, n: usize) -> f64 {
    let words: Vec<String> = (0..n).map(|k| "a".repeat(k)).collect();
    let lengths: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut y = x;
    for word in lengths {
        y *= 1.0 + word.len() as f64 * x;
    }
    for word in words {
        y += word.len() as f64 * y * x;
    }
    y
}

fn counted_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let x = v[0];
    let mut y = x;
    for k in 0..4 {
        y *= x * f64::from(k) + 1.0;
    }
    for k in 0..4 {
        y += y * x * f64::from(k);
    }
    y
}

#[test]
fn words_by_value() {
    let (value, gradient) = counted::value_and_gradient(0.3, 4);
    check("counted", |v| counted(v[0], 4), &[0.3], value, &[gradient]);
    assert_dual("counted", value, counted_twin, &[0.3], &[gradient]);
}

/// Locks end with the block or the expression that takes them.
#[differentiate(reverse, forward, second_order, cross_check)]
fn locked(#[constant] gain: &Mutex<f64>, #[constant] seen: &RefCell<Vec<f64>>, x: f64) -> f64 {
    {
        let mut held = gain.lock().unwrap();
        *held += 1.0;
    }
    let doubled = {
        let held = gain.lock().unwrap();
        *held * 2.0
    };
    let mut y = {
        let held = gain.lock().unwrap();
        x * x * *held
    };
    *gain.lock().unwrap() -= 1.0;
    for _ in 0..2 {
        let last = seen.borrow()[0];
        seen.borrow_mut().push(last);
        y *= last + seen.borrow().len() as f64 * x;
    }
    seen.borrow_mut().truncate(1);
    y * doubled
}

#[test]
fn locks_end_where_they_end_in_the_function() {
    let (gain, seen) = (Mutex::new(0.5), RefCell::new(vec![0.25]));
    let (value, gradient) = locked::value_and_gradient(&gain, &seen, 0.8);
    check("locked", |v| locked(&gain, &seen, v[0]), &[0.8], value, &[gradient]);
    // 3 · 1.5 x² (¼ + 2 x) (¼ + 3 x)
    let twin = |v: &[num_dual::Dual64]| {
        let x = v[0];
        x * x * 4.5 * (x * 2.0 + 0.25) * (x * 3.0 + 0.25)
    };
    assert_dual("locked", value, twin, &[0.8], &[gradient]);
}

/// What is dropped at the end of a block says so there.
struct Note<'a>(&'a RefCell<Vec<&'static str>>, &'static str);

impl Drop for Note<'_> {
    fn drop(&mut self) {
        self.0.borrow_mut().push(self.1);
    }
}

#[differentiate(reverse, forward)]
fn noted(#[constant] notes: &RefCell<Vec<&'static str>>, x: f64) -> f64 {
    let _whole = Note(notes, "whole");
    {
        let _inner = Note(notes, "inner");
        notes.borrow_mut().push("work");
    }
    notes.borrow_mut().push("rest");
    x * x
}

#[test]
fn drops_happen_where_they_happen_in_the_function() {
    let [plain, reverse, forward] = [const { RefCell::new(Vec::new()) }; 3];
    noted(&plain, 3.0);
    assert_eq!(noted::gradient(&reverse, 3.0), 6.0);
    assert_eq!(noted::tangent(&forward, 3.0, 0.5), (9.0, 3.0));
    assert_eq!(plain, reverse);
    assert_eq!(plain, forward);
    assert_eq!(plain.into_inner(), ["work", "inner", "rest", "whole"]);
}
