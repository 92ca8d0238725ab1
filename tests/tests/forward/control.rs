//! Control flow: the tangent is that of the statements that run.

use crate::check;
use ad_runtime::differentiate;
use ad_tests::check::assert_exact;

#[differentiate(forward)]
fn early(x: f64, y: f64, n: usize) -> (f64, f64) {
    if n == 0 {
        return (x, y);
    }
    let mut z = x * y;
    for k in 0..n {
        if k == 2 {
            return (z, x.sin());
        }
        z *= x;
    }
    let w = match n {
        1 => z + y,
        _ => return (y * y, z),
    };
    (w, z)
}

#[test]
fn early_returns() {
    for n in 0..5 {
        let at = [0.7, 1.3];
        let (value, tangent) = early::tangent(at[0], 0.5, at[1], -2.0, n);
        let flat = |t: (f64, f64)| vec![t.0, t.1];
        let f = |v: &[f64]| flat(early(v[0], v[1], n));
        check("early", f, &at, &[0.5, -2.0], (flat(value), flat(tangent)));
    }
}

#[differentiate(forward)]
fn loops(x: &[f64], times: usize, out: &mut Vec<f64>) -> f64 {
    let mut s = 1.0;
    let mut last = 0.0;
    for k in 0..times {
        let x = x[k % x.len()];
        last = x * s;
        s += last;
    }
    let mut n = times;
    while n > 1 {
        n -= 2;
        s = s * s / 4.0;
    }
    let found = loop {
        if s > 1.0 {
            break s * last;
        }
        s *= 1.5;
        out.push(s);
    };
    out.push(last);
    found + s
}

#[test]
fn loops_that_run_any_number_of_times() {
    let (at, direction) = ([0.3, -0.4, 0.6], [1.0, 0.5, -2.0]);
    for times in 0..6 {
        let (mut out, mut out_tan) = (vec![2.0], vec![0.25]);
        let (value, tangent) = loops::tangent(&at, &direction, times, &mut out, &mut out_tan);
        assert_eq!(out.len(), out_tan.len());
        let f = |v: &[f64]| {
            let mut out = vec![v[3]];
            let value = loops(&v[..3], times, &mut out);
            [out, vec![value]].concat()
        };
        let found = ([out, vec![value]].concat(), [out_tan, vec![tangent]].concat());
        check("loops", f, &[0.3, -0.4, 0.6, 2.0], &[1.0, 0.5, -2.0, 0.25], found);
    }
}

#[differentiate(forward)]
fn labelled(x: &[f64], rows: usize) -> [f64; 2] {
    let mut s = 0.0;
    let mut p = 1.0;
    'rows: for r in 0..rows {
        for (k, v) in x.iter().enumerate() {
            if k > r {
                continue 'rows;
            }
            if s > 3.0 {
                break 'rows;
            }
            p *= v;
            s += p * v;
        }
    }
    [s, p]
}

#[test]
fn labels() {
    let (at, direction) = ([1.1, 0.9, 1.2, 0.7], [1.0, -1.0, 0.5, 2.0]);
    for rows in 1..6 {
        let (value, tangent) = labelled::tangent(&at, &direction, rows);
        let found = (value.to_vec(), tangent.to_vec());
        check("labelled", |v| labelled(v, rows).to_vec(), &at, &direction, found);
    }
}

#[differentiate(forward)]
fn shadowed(x: f64) -> f64 {
    let x = x * x;
    let x = {
        let x = x + 1.0;
        let y = x;
        x * y
    };
    let y = if x > 1.0 {
        let x = x.ln();
        3.0 * x
    } else {
        let x = -x;
        x
    };
    let x = (x, y);
    let (y, x) = x;
    x - 2.0 * y
}

#[test]
fn shadowing() {
    // 3 ln (x² + 1)² - 2 (x² + 1)²
    let (x, u) = (0.5_f64, 1.25_f64);
    let want = 12.0 * x / u - 8.0 * x * u;
    assert_exact("shadowed", &[shadowed::tangent(x, 1.0).1], &[want]);
}

#[differentiate(forward)]
fn late(x: f64, flag: bool) -> [f64; 2] {
    let a;
    let b: f64;
    if flag {
        a = x.exp();
        b = 1.0;
    } else {
        b = x * x;
        a = 2.0;
    }
    let mut c = 0.0;
    if !flag {
        c = b;
    }
    [a * b, c]
}

#[test]
fn late_initialisation_and_constants_in_a_branch() {
    assert_eq!(late::tangent(0.0, 2.0, true), ([1.0, 0.0], [2.0, 0.0]));
    assert_eq!(late::tangent(3.0, 2.0, false), ([18.0, 9.0], [24.0, 12.0]));
}

/// A variable that is active in one branch only has a tangent that goes back to 0.
#[differentiate(forward)]
fn forgotten(x: &[f64]) -> Vec<f64> {
    let mut out = Vec::new();
    let mut carried = 0.0;
    for (k, v) in x.iter().enumerate() {
        if k % 2 == 0 {
            carried = v * v;
        } else if k == 3 {
            carried = 7.0;
        }
        out.push(carried);
        if k == 4 {
            carried = 0.0;
        }
    }
    out.push(carried);
    out
}

#[test]
fn a_constant_ends_a_tangent() {
    let (value, tangent) = forgotten::tangent(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[1.0; 6]);
    assert_eq!(value, [1.0, 1.0, 9.0, 7.0, 25.0, 0.0, 0.0]);
    assert_eq!(tangent, [2.0, 2.0, 6.0, 0.0, 10.0, 0.0, 0.0]);
}

#[differentiate(forward)]
fn sequences(x: f64, n: u32) -> f64 {
    if n == 0 {
        return x;
    }
    let half = sequences(x.sin() + x, n / 2);
    half * sequences(half, n - 1)
}

#[differentiate(forward, recursive)]
fn even(x: f64, n: u32) -> (f64, f64) {
    if n == 0 { (x, 1.0) } else { odd(x, n - 1) }
}

#[differentiate(forward, recursive)]
fn odd(x: f64, n: u32) -> (f64, f64) {
    let (a, b) = even(x, n.saturating_sub(1));
    (a * b, a + x)
}

#[test]
fn recursion() {
    for n in 0..4 {
        let (value, tangent) = sequences::tangent(0.3, 0.7, n);
        check("once", |v| vec![sequences(v[0], n)], &[0.3], &[0.7], (vec![value], vec![tangent]));
        let flat = |t: (f64, f64)| vec![t.0, t.1];
        let (value, tangent) = even::tangent(0.3, 0.7, n);
        let found = (flat(value), flat(tangent));
        check("mutual", |v| flat(even(v[0], n)), &[0.3], &[0.7], found);
    }
}

#[differentiate(forward)]
fn sines(x: f64, flag: bool) -> f64 {
    let s = if flag { x.sin() } else { x.cos() };
    let c = x.cos();
    let mut sum = s * c;
    for _ in 0..2 {
        let c = sum.cosh();
        let s = sum.sinh();
        sum = s / c;
    }
    sum + x.sin() + x.cos()
}

#[test]
fn sines_and_cosines_in_any_block() {
    for flag in [true, false] {
        let (value, tangent) = sines::tangent(0.4, 1.5, flag);
        let found = (vec![value], vec![tangent]);
        check("sines", |v| vec![sines(v[0], flag)], &[0.4], &[1.5], found);
    }
}

#[differentiate(forward)]
fn conditions(x: f64, y: f64) -> f64 {
    let larger = x.max(y);
    let inside = (0.0..=1.0).contains(&x) && larger > 0.5;
    let k = (x * 10.0) as usize;
    let weights = [1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0, 34.0];
    let z = if inside { weights[k] * x } else { y };
    z * larger
}

#[test]
fn conditions_and_positions_of_active_values() {
    assert_exact("inside", &[conditions::tangent(0.75, 1.0, 0.5, 4.0).1], &[68.0 * 0.75]);
    assert_exact("outside", &[conditions::tangent(2.0, 1.0, 0.5, 4.0).1], &[0.5 + 8.0]);
}
