//! Small things that numeric programs write: a result that is thrown away, an `Option` in a condition, the parts of a
//! slice that have a length.

use ad_runtime::{Differentiable, differentiate};
use ad_tests::check::{check, check_both};
use num_dual::DualNum;

/// Compares a function of a slice with central differences and with its twin.
macro_rules! agree {
    ($name:ident, $twin:ident, $at:expr) => {{
        let at = $at;
        let (value, gradient) = $name::value_and_gradient(&at);
        check_both(stringify!($name), |x| $name(x), $twin, &at, value, &gradient);
    }};
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn scaled(a: &mut f64, by: f64) -> f64 {
    *a *= by;
    by
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn scaled_safely(a: &mut [f64], by: f64) -> bool {
    a[0] *= by;
    by > 0.0
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn is_sound(a: &[f64]) -> bool {
    a.iter().all(|v| v.is_finite())
}

#[derive(Differentiable, Clone)]
struct Filter {
    state: f64,
    taps: Vec<f64>,
}

trait Step {
    #[differentiate(reverse, forward, cross_check)]
    fn step(&mut self, input: &mut f64) -> Option<f64>;
}

#[differentiate(reverse, forward, cross_check)]
impl Filter {
    pub fn feed(&mut self, x: f64) -> f64 {
        self.state = self.state * self.taps[1] + x;
        self.state * self.state
    }

    pub fn fed(&mut self, x: f64) -> Filter {
        self.state *= x;
        Filter { state: x, taps: vec![x] }
    }

    pub fn is_high(&self) -> bool {
        self.state > 0.0
    }
}

#[differentiate(reverse, forward, cross_check)]
impl Step for Filter {
    fn step(&mut self, input: &mut f64) -> Option<f64> {
        *input *= self.state;
        Some(self.state)
    }
}

#[differentiate(reverse, forward, cross_check)]
fn results_thrown_away(x: &[f64]) -> f64 {
    let mut c = x[0];
    let mut filter = Filter { state: x[1], taps: x.to_vec() };
    let mut buffer = x.to_vec();
    is_sound(x);
    for _ in 0..2 {
        scaled(&mut c, x[1]);
        scaled_safely(&mut buffer, c);
        filter.feed(c);
        filter.is_high();
        filter.fed(x[0]);
        filter.step(&mut c);
    }
    c * filter.state + buffer[0]
}

fn results_thrown_away_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let (mut c, mut state, mut first) = (x[0], x[1], x[0]);
    for _ in 0..2 {
        c *= x[1];
        first *= c;
        state = (state * x[1] + c) * x[0];
        c *= state;
    }
    c * state + first
}

#[test]
fn a_call_as_a_statement_may_have_a_result() {
    agree!(results_thrown_away, results_thrown_away_twin, [0.7, 1.3]);
}

#[derive(Differentiable, Clone, Copy)]
struct State {
    q: f64,
    r: [f64; 2],
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn positive(a: f64) -> Option<f64> {
    if a > 0.5 { Some(a * a + 0.1) } else { None }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn field_as_default(x: &[f64]) -> f64 {
    let mut s = State { q: x[0], r: [x[1], 0.5] };
    let mut p = [4.0 * x[0], 0.2];
    while p[0] > 1.0 {
        p[0] = positive(p[0] - x[1]).unwrap_or(s.r[0]) * 0.3;
        s.r[0] *= x[0];
    }
    if p[1] < 1.0 {
        p[1] = positive(x[0] - x[1]).unwrap_or(s.q);
    }
    loop {
        p[1] += positive(x[0]).unwrap_or(s.r[0]);
        if p[1] > 1.0 {
            break;
        }
        s.r[0] += p[1];
    }
    p[0] * p[1]
}

fn field_as_default_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let positive = |a: D| if a.re() > 0.5 { Some(a * a + 0.1) } else { None };
    let (mut r, mut p) = (x[1], [x[0] * 4.0, D::from(0.2)]);
    while p[0].re() > 1.0 {
        p[0] = positive(p[0] - x[1]).unwrap_or(r) * 0.3;
        r *= x[0];
    }
    p[1] = positive(x[0] - x[1]).unwrap_or(x[0]);
    loop {
        p[1] += positive(x[0]).unwrap_or(r);
        if p[1].re() > 1.0 {
            break;
        }
        r += p[1];
    }
    p[0] * p[1]
}

#[test]
fn the_default_of_an_option_may_be_a_field_in_a_loop() {
    agree!(field_as_default, field_as_default_twin, [0.4, 0.3]);
    agree!(field_as_default, field_as_default_twin, [0.9, 0.3]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn typed_literals(x: &[f64]) -> f64 {
    let mut acc = -1.2;
    let mut add = |t: f64| {
        acc = (acc * t).sin() + t;
        acc * t
    };
    let power = |n: i32, base: f64| base.powi(n.pow(2));
    add(0.3) * x[0] + add(x[1]) + power(2, x[0])
}

fn typed_literals_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let first = f64::sin(-1.2 * 0.3) + 0.3;
    let second = (x[1] * first).sin() + x[1];
    x[0] * (first * 0.3) + second * x[1] + x[0].powi(4)
}

#[test]
fn a_closure_says_what_a_literal_is() {
    agree!(typed_literals, typed_literals_twin, [0.8, 0.6]);
}

/// Types whose names could be those of type parameters.
mod one_letter {
    use super::*;

    #[derive(Differentiable, Clone, Copy)]
    pub struct S {
        pub q: f64,
        pub r: f64,
    }

    #[derive(Differentiable, Clone)]
    pub struct F(pub f64);

    #[differentiate(reverse, forward, cross_check)]
    impl S {
        pub fn kept(self, b: f64) -> S {
            if b > 10.0 { self } else { S { q: b * self.q, ..self } }
        }

        fn weighed(&self, by: F) -> f64 {
            self.q * by.0
        }
    }

    impl F {
        #[differentiate(reverse, forward, cross_check)]
        pub fn scaled(self, by: f64) -> F {
            F(self.0 * by)
        }

        #[differentiate(reverse, forward, cross_check)]
        pub fn between(&self, other: &F) -> f64 {
            self.0 * other.0
        }
    }

    #[differentiate(reverse, forward, cross_check)]
    pub fn both(x: &[f64]) -> f64 {
        let s = S { q: x[0], r: x[1] }.kept(x[1]);
        let f = F(x[0]).scaled(x[1]);
        let product = f.between(&F(x[1]));
        product * s.r + s.weighed(f)
    }
}

#[test]
fn a_type_may_have_the_name_of_a_type_parameter() {
    fn twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
        let f = x[0] * x[1];
        f * x[1] * x[1] + x[1] * x[0] * f
    }
    use one_letter::both;
    agree!(both, twin, [0.8, 0.6]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn asked_in_conditions(x: &[f64]) -> f64 {
    let (mut last, mut n, mut y) = (Some(x[0]), 0, x[1]);
    while n < 3 && last.is_some() {
        y *= last.unwrap() + 1.0;
        n += 1;
        last = if n < 2 { Some(y) } else { None };
    }
    loop {
        if n > 4 && last.is_some_and(|v| v > 0.0) || n > 100 {
            break;
        }
        n += 1;
        last = Some(y * x[0]);
    }
    y + last.unwrap()
}

fn asked_in_conditions_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let y = x[1] * (x[0] + 1.0);
    let y = y * (y + 1.0);
    y + y * x[0]
}

#[test]
fn conditions_may_ask_whether_there_is_something() {
    agree!(asked_in_conditions, asked_in_conditions_twin, [0.8, 0.6]);
}

#[derive(Differentiable, Clone)]
struct Segment {
    ends: [f64; 2],
    weights: Vec<f64>,
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn collected_structs(x: &[f64]) -> f64 {
    let segments: Vec<Segment> = x
        .windows(2)
        .map(|w| Segment { ends: [w[0], w[1]], weights: vec![w[0] * w[1]; 2] })
        .collect();
    let pairs = (0..2).map(|k| (segments[k].clone(), x[k])).collect::<Vec<_>>();
    let mut y = 0.0;
    for (segment, scale) in &pairs {
        y += segment.weights[1] * segment.ends[0].sin() * scale;
    }
    y
}

fn collected_structs_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    (0..2).fold(D::from(0.0), |y, k| y + x[k] * x[k + 1] * x[k].sin() * x[k])
}

#[test]
fn structs_without_a_default_are_collected() {
    agree!(collected_structs, collected_structs_twin, [0.8, 0.6, -0.3]);
}

#[differentiate(reverse, forward, cross_check)]
fn horner(x: &[f64], t: f64) -> f64 {
    match x.split_first() {
        Some((head, tail)) => head + t * horner(tail, t),
        None => 0.0,
    }
}

#[differentiate(reverse, forward, cross_check)]
fn ends_of_slices(x: &[f64]) -> f64 {
    let Some((head, rest)) = x.split_first() else { return 0.0 };
    let (last, front) = rest.split_last().unwrap();
    let mut work = front.to_vec();
    if let Some((first, others)) = work.split_first_mut() {
        *first *= *head;
        others[0] += *first;
    }
    let Some((end, others)) = work.split_last_mut() else { return 0.0 };
    others[0] *= *end * last;
    *end = others[0].sin();
    if let Some(first) = work.first_mut() {
        *first *= 2.0;
    }
    work[0] * work[1] + horner(x, work[0])
}

fn ends_of_slices_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let a = x[1] * x[0];
    let b = x[2] + a;
    let a = a * b * x[3];
    let (a, b) = (a * 2.0, a.sin());
    a * b + x.iter().rev().fold(D::from(0.0), |sum, c| sum * a + *c)
}

#[test]
fn slices_are_taken_apart_at_their_ends() {
    agree!(ends_of_slices, ends_of_slices_twin, [0.8, 0.6, -0.3, 1.2]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn options_of_options(x: &[f64]) -> Option<f64> {
    let a = positive(x[0]).and_then(|v| positive(v * x[1])).or(Some(x[1]));
    let b = positive(x[1]).or_else(|| positive(x[0])).filter(|v| *v < 1.0);
    let big = (x[0] > 0.5).then(|| x[0] * x[0] + 0.1);
    let c = big.zip(positive(x[1])).map(|(v, w)| v * w);
    let first = x.first().and_then(|v| positive(*v)).or_else(|| Some(x[1].sin()));
    let scale = if let Some(v) = c { v } else { x[0] };
    Some(a? * b.unwrap_or(x[0] * x[1]) + scale * first?)
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn checked(x: &[f64]) -> Result<f64, String> {
    let root = positive(x[0]).ok_or("too small")?;
    let other = positive(x[1]).ok_or_else(|| "too small".to_owned())?;
    Ok(root * other + x[0])
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn options(x: &[f64]) -> f64 {
    let y = options_of_options(x).unwrap_or(x[0]);
    match checked(x) {
        Ok(v) => y * v,
        Err(_) => y + x[1],
    }
}

fn options_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let positive = |a: D| if a.re() > 0.5 { Some(a * a + 0.1) } else { None };
    let (p, q) = (positive(x[0]), positive(x[1]));
    let a = p.and_then(|v| positive(v * x[1])).or(Some(x[1]));
    let b = q.or(p).filter(|v| v.re() < 1.0);
    let first = p.unwrap_or(x[1].sin());
    let scale = p.zip(q).map_or(x[0], |(v, w)| v * w);
    let y = a.unwrap() * b.unwrap_or(x[0] * x[1]) + scale * first;
    p.zip(q).map_or(y + x[1], |(v, w)| y * (v * w + x[0]))
}

#[test]
fn options_are_made_of_options() {
    for at in [[0.8, 0.9], [0.3, 0.9], [0.8, 0.3], [0.2, 0.3], [0.9, 1.4]] {
        agree!(options, options_twin, at);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn or_code(a: f64) -> Result<f64, usize> {
    if a > 0.5 { Ok(a * a) } else { Err(2) }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn errors_as_integers(x: &[f64]) -> f64 {
    let power = match or_code(x[0]) {
        Ok(v) => v,
        Err(code) => x[0].powi(code as i32),
    };
    let chosen = match &or_code(x[1]) {
        Ok(v) => *v,
        Err(at) if *at > 2 => 1.0,
        Err(at) => x[*at] * x[1],
    };
    power * chosen + x[0]
}

fn errors_as_integers_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let chosen = if x[1].re() > 0.5 { x[1] * x[1] } else { x[2] * x[1] };
    x[0] * x[0] * chosen + x[0]
}

#[test]
fn integers_in_an_error_may_be_used_as_integers() {
    for at in [[0.8, 0.9, 1.1], [0.3, 0.2, 1.1]] {
        agree!(errors_as_integers, errors_as_integers_twin, at);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn guarded(x: &[f64], n: usize, #[constant] scale: Option<f64>) -> f64 {
    match n {
        0 if scale.is_some_and(|scale| scale > x[0]) => x[0] * x[1],
        0 if scale.is_none() => x[1].sin(),
        _ => x[0] * x[0],
    }
}

#[test]
fn guards_may_ask_what_an_option_holds() {
    let at = [0.7, 1.3];
    for (n, scale) in [(0, Some(1.0)), (0, None), (0, Some(0.5)), (1, Some(1.0))] {
        let (value, gradient) = guarded::value_and_gradient(&at, n, scale);
        check("guarded", |x| guarded(x, n, scale), &at, value, &gradient);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn ends_assigned(x: &[f64]) -> f64 {
    let mut work = x.to_vec();
    *work.last_mut().unwrap() *= work[0];
    *work.first_mut().unwrap() = work[1] * work[2];
    *work.last_mut().unwrap() += work[0] * work[0];
    work[0] * work[2]
}

fn ends_assigned_twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
    let last = x[2] * x[0];
    let first = x[1] * last;
    first * (last + first * first)
}

#[test]
fn an_end_may_be_assigned_from_the_same_slice() {
    agree!(ends_assigned, ends_assigned_twin, [0.8, 0.6, -0.3]);
}
