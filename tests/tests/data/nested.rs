//! Data inside of data: structs of structs and enums, tuples, boxes.

use crate::check_both;
use ad_runtime::{Differentiable, differentiate};
use num_dual::DualNum;

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Curve {
    Line { from: Point, to: Point },
    Arc(Point, f64),
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Drawing {
    curves: Vec<Curve>,
    scale: (f64, f64),
    origin: Option<Point>,
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn distance(a: &Point, b: &Point) -> f64 {
    (a.x - b.x).hypot(a.y - b.y)
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn length(drawing: &Drawing) -> f64 {
    let mut sum = 0.0;
    for curve in drawing.curves.iter() {
        sum += match curve {
            Curve::Line { from, to } => distance(from, to) * drawing.scale.0,
            Curve::Arc(centre, r) => centre.x * r * r + drawing.scale.1 * r,
        };
    }
    match &drawing.origin {
        Some(Point { x, y }) => sum + x * y,
        None => sum,
    }
}

fn length_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let line = ((v[0] - v[2]).powi(2) + (v[1] - v[3]).powi(2)).sqrt();
    line * v[7] + v[4] * v[6].powi(2) + v[8] * v[6] + v[9] * v[10]
}

fn drawing(v: &[f64]) -> Drawing {
    let point = |k: usize| Point { x: v[k], y: v[k + 1] };
    Drawing {
        curves: vec![Curve::Line { from: point(0), to: point(2) }, Curve::Arc(point(4), v[6])],
        scale: (v[7], v[8]),
        origin: Some(point(9)),
    }
}

fn numbers(d: &Drawing) -> Vec<f64> {
    let mut found = Vec::new();
    for curve in &d.curves {
        match curve {
            Curve::Line { from, to } => found.extend([from.x, from.y, to.x, to.y]),
            Curve::Arc(centre, r) => found.extend([centre.x, centre.y, *r]),
        }
    }
    found.extend([d.scale.0, d.scale.1]);
    found.extend(d.origin.iter().flat_map(|p| [p.x, p.y]));
    found
}

#[test]
fn structs_in_enums_in_structs() {
    let at = [0.1, 0.9, 1.4, -0.3, 0.7, 0.2, 1.1, 2.0, 0.6, 0.8, -1.3];
    let (value, adj) = length::value_and_gradient(&drawing(&at));
    check_both("length", |v| length(&drawing(v)), length_twin, &at, value, &numbers(&adj));
}

/// Parts of parts are written, and parts are handed on by reference.
#[differentiate(reverse, forward, second_order, cross_check)]
fn drift(points: &mut [Point], wind: &Point) -> f64 {
    let mut travelled = 0.0;
    for p in points.iter_mut() {
        let before = *p;
        p.x += wind.x * p.y;
        p.y -= wind.y * p.x;
        travelled += distance(&before, p);
    }
    travelled
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn drifted(start: &[Point], wind: Point) -> f64 {
    let mut points = start.to_vec();
    let there = drift(&mut points, &wind);
    let back = drift(&mut points, &Point { x: -wind.y, y: wind.x });
    there * back + points[0].x * points[points.len() - 1].y
}

fn drifted_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let mut p = [[v[0], v[1]], [v[2], v[3]]];
    let mut product = D::from(1.0);
    for wind in [[v[4], v[5]], [-v[5], v[4]]] {
        let mut way = D::from(0.0);
        for [x, y] in &mut p {
            let right = wind[0] * *y;
            *x += right;
            let down = wind[1] * *x;
            *y -= down;
            way += (right * right + down * down).sqrt();
        }
        product *= way;
    }
    product + p[0][0] * p[1][1]
}

#[test]
fn parts_of_parts_are_written() {
    let at = [0.4, 1.2, -0.8, 0.5, 0.3, 0.7];
    let points = |v: &[f64]| [Point { x: v[0], y: v[1] }, Point { x: v[2], y: v[3] }];
    let wind = |v: &[f64]| Point { x: v[4], y: v[5] };
    let (value, (start, w)) = drifted::value_and_gradient(&points(&at), wind(&at));
    let gradient = [start[0].x, start[0].y, start[1].x, start[1].y, w.x, w.y];
    let f = |v: &[f64]| drifted(&points(v), wind(v));
    check_both("drifted", f, drifted_twin, &at, value, &gradient);
}

/// A tuple of arrays and structs as the result, with a seed of its type.
#[differentiate(reverse, forward, second_order, cross_check)]
fn split(p: Point, k: f64) -> (Point, [f64; 2], f64) {
    let q = Point { x: p.x * k, y: p.y.sin() };
    (q, [p.x * p.y, k], q.x * q.y)
}

fn split_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (x, y, k) = (v[0], v[1], v[2]);
    x * k - y.sin() * 2.0 + x * y * 3.0 - k * 4.0 + x * k * y.sin() * 5.0
}

#[test]
fn a_tuple_of_everything_as_the_result() {
    let at = [0.7, 1.1, 1.9];
    let seed = (Point { x: 1.0, y: -2.0 }, [3.0, -4.0], 5.0);
    let combine =
        |(q, r, z): (Point, [f64; 2], f64)| q.x - 2.0 * q.y + 3.0 * r[0] - 4.0 * r[1] + 5.0 * z;
    let ((q, r, z), p, k) = split::adjoint(Point { x: at[0], y: at[1] }, at[2], seed);
    let f = |v: &[f64]| combine(split(Point { x: v[0], y: v[1] }, v[2]));
    check_both("split", f, split_twin, &at, combine((q, r, z)), &[p.x, p.y, k]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn boxed(x: f64, y: f64) -> f64 {
    let b = Box::new(x * y);
    let c = Box::new(Point { x: *b, y });
    c.x * c.y + *b
}

fn boxed_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    v[0] * v[1] * (v[1] + 1.0)
}

#[test]
fn values_in_boxes() {
    let at = [0.6, 1.4];
    let (value, (x, y)) = boxed::value_and_gradient(at[0], at[1]);
    check_both("boxed", |v| boxed(v[0], v[1]), boxed_twin, &at, value, &[x, y]);
}
