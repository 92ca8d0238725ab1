//! Enums: `match` with bindings and guards, `if let`, `let … else`, `while let`, `matches!`.

use crate::{assert_dual, check, check_both};
use ad_runtime::{Differentiable, differentiate};
use num_dual::{Dual64, DualNum};

#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Shape {
    Circle(f64),
    Rectangle { width: f64, height: f64 },
    Polygon(Vec<[f64; 2]>),
    Regular { sides: u32, length: f64 },
    Nothing,
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Circle(r) => std::f64::consts::PI * r * r,
        Shape::Rectangle { width, height } => width * height,
        Shape::Regular { sides, length } => {
            let n = *sides as f64;
            n * length * length / (4.0 * (std::f64::consts::PI / n).tan())
        }
        Shape::Polygon(corners) => {
            let mut sum = 0.0;
            for k in 0..corners.len() {
                let next = &corners[(k + 1) % corners.len()];
                sum += corners[k][0] * next[1] - next[0] * corners[k][1];
            }
            0.5 * sum
        }
        Shape::Nothing => 0.0,
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn total(shapes: &[Shape], scale: f64) -> f64 {
    let mut sum = 0.0;
    for (k, shape) in shapes.iter().enumerate() {
        sum += area(shape) * (k + 1) as f64;
        if let Shape::Circle(r) = shape {
            sum += scale * r.sin();
        } else if let Shape::Rectangle { width: w, .. } = shape
            && *w > 1.0
        {
            sum *= w.sqrt();
        }
    }
    sum * scale
}

fn shapes(v: &[f64]) -> Vec<Shape> {
    vec![
        Shape::Circle(v[0]),
        Shape::Rectangle { width: v[1], height: v[2] },
        Shape::Nothing,
        Shape::Rectangle { width: v[3], height: v[4] },
        Shape::Regular { sides: 5, length: v[5] },
        Shape::Polygon(vec![[v[6], v[7]], [v[8], v[9]], [v[10], v[11]]]),
    ]
}

fn parts(shapes: &[Shape]) -> Vec<f64> {
    let mut found = Vec::new();
    for shape in shapes {
        match shape {
            Shape::Circle(r) => found.push(*r),
            Shape::Rectangle { width, height } => found.extend([*width, *height]),
            Shape::Regular { length, .. } => found.push(*length),
            Shape::Polygon(corners) => found.extend(corners.as_flattened()),
            Shape::Nothing => {}
        }
    }
    found
}

fn total_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let pi = std::f64::consts::PI;
    let scale = v[12];
    let mut sum = v[0] * v[0] * pi + scale * v[0].sin();
    sum = (sum + v[1] * v[2] * 2.0) * v[1].sqrt();
    sum += v[3] * v[4] * 4.0;
    sum += v[5] * v[5] * (5.0 / (4.0 * (pi / 5.0).tan())) * 5.0;
    let c = |a: usize, b: usize| v[a] * v[b + 1] - v[b] * v[a + 1];
    sum += (c(6, 8) + c(8, 10) + c(10, 6)) * 3.0;
    sum * scale
}

#[test]
fn variants_with_parts_of_many_kinds() {
    let at = [0.7, 1.4, 0.9, 0.6, 2.1, 0.8, 0.1, 0.2, 1.3, -0.1, 0.9, 1.7, 1.2];
    let (value, (adj, scale)) = total::value_and_gradient(&shapes(&at), at[12]);
    assert!(matches!(adj[4], Shape::Regular { sides: 5, .. }), "integers ride along");
    let mut gradient = parts(&adj);
    gradient.push(scale);
    check("total", |v| total(&shapes(v), v[12]), &at, value, &gradient);
    assert_dual("total", value, total_twin, &at, &gradient);
}

#[test]
#[should_panic(
    expected = "`shape_adj` does not have the shape of `shape`: the variant `Nothing`, not `Circle`"
)]
fn another_variant_is_named() {
    area::adjoint(&Shape::Circle(1.0), &mut Shape::Nothing, 1.0);
}

/// Variants changed through `&mut`, and replaced by others.
#[differentiate(reverse, forward, second_order, cross_check)]
fn grow(shape: &mut Shape, by: f64) {
    match shape {
        Shape::Circle(r) if *r > 2.0 => *r = by,
        Shape::Circle(r) => *r *= by,
        Shape::Rectangle { width, height } => {
            *width += by;
            *height *= *width;
        }
        _ => {}
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn grown(r: f64, width: f64, by: f64) -> f64 {
    let mut a = Shape::Circle(r);
    let mut b = Shape::Rectangle { width, height: r };
    for _ in 0..3 {
        grow(&mut a, by);
        grow(&mut b, by);
    }
    let before = area(&a);
    if before > 1.0 {
        a = Shape::Rectangle { width: before, height: width };
    }
    before + area(&a) * area(&b)
}

fn grown_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let pi = std::f64::consts::PI;
    let (mut radius, mut width, mut height, by) = (v[0], v[1], v[0], v[2]);
    for _ in 0..3 {
        radius = if radius.re() > 2.0 { by } else { radius * by };
        width += by;
        height *= width;
    }
    let circle = radius * radius * pi;
    let after = if circle.re() > 1.0 { circle * v[1] } else { circle };
    circle + after * width * height
}

#[test]
fn variants_changed_and_replaced() {
    for at in [[0.9, 0.4, 1.2], [0.2, 0.4, 1.2], [1.6, 0.3, 1.3]] {
        let (value, (r, width, by)) = grown::value_and_gradient(at[0], at[1], at[2]);
        let f = |v: &[f64]| grown(v[0], v[1], v[2]);
        check_both("grown", f, grown_twin, &at, value, &[r, width, by]);
    }
}

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
enum Step {
    Add(f64),
    Scale(f64),
    Sine,
    Repeat(usize, f64),
}

/// A program in an array of operations, by value.
#[differentiate(reverse, forward, second_order, cross_check)]
fn run(steps: &[Step], x: f64) -> f64 {
    let mut y = x;
    for step in steps {
        y = match *step {
            Step::Add(c) => y + c,
            Step::Scale(c) => y * c,
            Step::Sine => y.sin(),
            Step::Repeat(n, c) => {
                let mut z = y;
                for _ in 0..n {
                    z = z * c + y;
                }
                z
            }
        };
    }
    y
}

fn run_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (y, c) = ((v[0] + v[1]).sin(), v[2]);
    // y c³ + y c² + y c + y
    let repeated = y * c * c * c + y * c * c + y * c + y;
    (repeated * v[3]).sin()
}

#[test]
fn operations_in_an_array() {
    let at = [0.3, 1.4, 0.6, 0.8];
    let steps = |v: &[f64]| {
        [Step::Add(v[1]), Step::Sine, Step::Repeat(3, v[2]), Step::Scale(v[3]), Step::Sine]
    };
    let (value, (adj, x)) = run::value_and_gradient(&steps(&at), at[0]);
    let (Step::Add(a), Step::Repeat(3, c), Step::Scale(s)) = (adj[0], adj[2], adj[3]) else {
        panic!("the adjoints have other variants: {adj:?}");
    };
    check_both("run", |v| run(&steps(v), v[0]), run_twin, &at, value, &[x, a, c, s]);
}

/// `let … else` that leaves a loop or the function.
#[differentiate(reverse, forward, second_order, cross_check)]
fn circles(shapes: &[Shape], limit: f64) -> f64 {
    let mut product = 1.0;
    for shape in shapes {
        let Shape::Circle(r) = shape else { continue };
        if matches!(shape, Shape::Circle(r) if *r > limit) {
            return product * r;
        }
        product *= r.exp();
    }
    product * limit
}

fn circles_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let limit = v[3];
    let mut sum = D::from(0.0);
    for k in 0..3 {
        if v[k].re() > limit.re() {
            return sum.exp() * v[k];
        }
        sum += v[k];
    }
    sum.exp() * limit
}

#[test]
fn let_else_in_a_loop() {
    for limit in [0.5, 2.0] {
        let at = [0.3, 0.7, 1.1, limit];
        let shapes = |v: &[f64]| {
            vec![
                Shape::Circle(v[0]),
                Shape::Nothing,
                Shape::Circle(v[1]),
                Shape::Rectangle { width: v[2], height: v[2] },
                Shape::Circle(v[2]),
            ]
        };
        let (value, (adj, limit_adj)) = circles::value_and_gradient(&shapes(&at), limit);
        let Shape::Rectangle { width, height } = adj[3] else { panic!("another variant: {adj:?}") };
        assert_eq!((width, height), (0.0, 0.0));
        let circle = |k: usize| parts(&adj[k..=k])[0];
        let gradient = [circle(0), circle(2), circle(4), limit_adj];
        let f = |v: &[f64]| circles(&shapes(v), v[3]);
        check_both("circles", f, circles_twin, &at, value, &gradient);
    }
}

/// Alternatives that bind the same name, bindings of the whole, and a tuple of two enums.
#[differentiate(reverse, forward, second_order, cross_check)]
fn meet(a: Step, b: Step, x: f64) -> f64 {
    let one = match a {
        Step::Add(c) | Step::Scale(c) | Step::Repeat(_, c) => c * x,
        other @ Step::Sine => run(&[other], x),
    };
    let both = match (a, b) {
        (Step::Add(p), Step::Add(q)) => p * q,
        (Step::Scale(p), Step::Repeat(n, q)) if n > 1 => p * q * n as f64,
        (Step::Sine, _) => x * x,
        _ => 1.0,
    };
    one * both
}

#[test]
fn alternatives_and_tuples_of_variants() {
    let part = |s: Step| match s {
        Step::Add(c) | Step::Scale(c) | Step::Repeat(_, c) => c,
        Step::Sine => 0.0,
    };
    type Make = fn(f64) -> Step;
    let pairs: [(Make, Make); 4] = [
        (Step::Add, Step::Add),
        (Step::Scale, |c| Step::Repeat(3, c)),
        (|_| Step::Sine, Step::Scale),
        (|c| Step::Repeat(2, c), Step::Scale),
    ];
    type Twin = fn(&[Dual64]) -> Dual64;
    let twins: [Twin; 4] = [
        |v| v[0] * v[2] * v[0] * v[1],
        |v| v[0] * v[2] * v[0] * v[1] * 3.0,
        |v| v[2].sin() * v[2] * v[2],
        |v| v[0] * v[2],
    ];
    for ((a, b), twin) in pairs.into_iter().zip(twins) {
        let at = [0.4, 1.3, 0.7];
        let (value, (a_adj, b_adj, x)) = meet::value_and_gradient(a(at[0]), b(at[1]), at[2]);
        let gradient = [part(a_adj), part(b_adj), x];
        let f = |v: &[f64]| meet(a(v[0]), b(v[1]), v[2]);
        check_both("meet", f, twin, &at, value, &gradient);
    }
}
