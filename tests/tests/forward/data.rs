//! Memory: buffers, vectors that grow and shrink, sorts, structs, enums and options, taken apart and put together.

use crate::check;
use ad_runtime::{Differentiable, differentiate};
use ad_tests::check::{assert_exact, sample};

#[differentiate(forward)]
fn rearranged(x: &mut [f64], y: &mut Vec<f64>) {
    x.swap(0, 2);
    std::mem::swap(&mut x[1], &mut y[0]);
    let kept = std::mem::replace(&mut x[0], 3.0);
    y.push(kept * x[1]);
    let last = y.pop().unwrap();
    y.insert(1, last);
    let gone = y.remove(0);
    x[0] = gone * std::mem::take(&mut x[2]);
    x.reverse();
    y.extend_from_slice(x);
    y.truncate(4);
    y.rotate_left(1);
}

#[test]
fn swaps_and_lengths() {
    let (at, direction) = (sample(6, 0.3), sample(6, 1.4));
    let f = |v: &[f64]| {
        let (mut x, mut y) = (v[..3].to_vec(), v[3..].to_vec());
        rearranged(&mut x, &mut y);
        [x, y].concat()
    };
    let (mut x, mut y) = (at[..3].to_vec(), at[3..].to_vec());
    let (mut x_tan, mut y_tan) = (direction[..3].to_vec(), direction[3..].to_vec());
    rearranged::tangent(&mut x, &mut x_tan, &mut y, &mut y_tan);
    let found = ([x, y].concat(), [x_tan, y_tan].concat());
    check("rearranged", f, &at, &direction, found);
}

#[differentiate(forward)]
fn ordered(x: &[f64], by: &[f64]) -> Vec<f64> {
    let mut sorted = x.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let mut pairs: Vec<(f64, f64)> = x.iter().zip(by).map(|(x, b)| (*b, x * b)).collect();
    pairs.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
    pairs.iter().zip(&sorted).map(|((_, p), s)| p - 2.0 * s).collect()
}

#[test]
fn tangents_are_sorted_as_their_values_are() {
    // Sorted: 3, 2, 1; by the second list: 2 · 1, 1 · 5, 3 · 7.
    let (value, tangent) =
        ordered::tangent(&[1.0, 2.0, 3.0], &[10.0, 20.0, 30.0], &[5.0, 1.0, 7.0], &[0.0, 1.0, 0.0]);
    assert_eq!(value, [2.0 - 6.0, 5.0 - 4.0, 21.0 - 2.0]);
    assert_eq!(tangent, [20.0 + 2.0 - 60.0, 50.0 - 40.0, 210.0 - 20.0]);
}

#[differentiate(forward)]
fn pieces(x: &[f64], out: &mut [f64]) {
    let (low, high) = x.split_at(2);
    {
        let (a, b) = out.split_at_mut(1);
        a[0] = low[0] * high[0];
        b.copy_from_slice(high);
    }
    let middle = &mut out[1..3];
    for m in middle.iter_mut() {
        *m *= low[1];
    }
    out[1..].fill(low[0] + 1.0);
    out[2] += x[3];
    for pair in out.chunks_mut(2) {
        pair[0] *= pair[pair.len() - 1];
    }
    if let [first, .., last] = out {
        *last -= *first;
    }
}

#[test]
fn parts_of_buffers() {
    let (at, direction) = (sample(7, 0.3), sample(7, 1.4));
    let f = |v: &[f64]| {
        let mut out = v[4..].to_vec();
        pieces(&v[..4], &mut out);
        out
    };
    let (mut out, mut out_tan) = (at[4..].to_vec(), direction[4..].to_vec());
    // The function wants three elements: as many as `high` has, and one.
    pieces::tangent(&at[..4], &direction[..4], &mut out, &mut out_tan);
    check("pieces", f, &at, &direction, (out, out_tan));
}

#[differentiate(forward)]
fn chains(x: &[f64], y: &[f64]) -> (Vec<f64>, f64) {
    let list = x
        .iter()
        .zip(y)
        .filter(|(a, b)| *a > *b)
        .flat_map(|(a, b)| [a * b, a - b])
        .scan(1.0, |carried, v| {
            *carried *= v;
            Some(*carried)
        })
        .collect::<Vec<_>>();
    let folded = y.windows(2).rev().map(|w| w[0] / w[1]).fold(0.0, |s, v| s * v + v);
    (list, folded)
}

#[test]
fn iterators() {
    let at = [0.5, 1.2, 0.9, 0.4, 1.5, 0.8];
    let direction = [1.0, -1.0, 0.5, 0.3, 0.2, -0.7];
    let flat = |(list, folded): (Vec<f64>, f64)| [list, vec![folded]].concat();
    let (value, tangent) = chains::tangent(&at[..3], &direction[..3], &at[3..], &direction[3..]);
    let f = |v: &[f64]| flat(chains(&v[..3], &v[3..]));
    check("chains", f, &at, &direction, (flat(value), flat(tangent)));
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Body {
    position: [f64; 2],
    mass: f64,
    id: usize,
    trail: Vec<f64>,
}

fn body(v: &[f64]) -> Body {
    Body { position: [v[0], v[1]], mass: v[2], id: 7, trail: vec![v[3]] }
}

fn flat(body: &Body) -> Vec<f64> {
    let Body { position: [x, y], mass, trail, .. } = body;
    [vec![*x, *y, *mass], trail.clone()].concat()
}

#[differentiate(forward)]
fn moved(body: Body, by: &[f64; 2]) -> Body {
    let Body { position: [x, y], mass, id, trail } = body;
    let mut trail: Vec<f64> = trail;
    trail.push(x * mass);
    Body { position: [x + by[0], y * by[1]], mass, id: id + 1, trail }
}

#[differentiate(forward)]
fn pushed(body: &mut Body, by: f64) -> usize {
    body.position[0] += by / body.mass;
    body.mass = 2.0;
    let last = body.trail.len() - 1;
    body.trail[last] *= by;
    let spare = Body { mass: body.position[0], ..body.clone() };
    body.trail.push(spare.mass * spare.trail[0]);
    body.id
}

#[test]
fn structs() {
    let (at, direction) = (sample(6, 0.3), sample(6, 1.4));
    let by = |v: &[f64]| [v[4], v[5]];
    let (value, tangent) = moved::tangent(body(&at), body(&direction), &by(&at), &by(&direction));
    assert_eq!((value.id, tangent.id), (8, 8));
    let f = |v: &[f64]| flat(&moved(body(v), &by(v)));
    check("moved", f, &at, &direction, (flat(&value), flat(&tangent)));

    let (mut value, mut tangent) = (body(&at), body(&direction));
    let id: usize = pushed::tangent(&mut value, &mut tangent, at[4], direction[4]);
    assert_eq!(id, 7);
    let f = |v: &[f64]| {
        let mut value = body(v);
        pushed(&mut value, v[4]);
        flat(&value)
    };
    check("pushed", f, &at[..5], &direction[..5], (flat(&value), flat(&tangent)));
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Shape {
    Point,
    Circle(f64),
    Box { sides: [f64; 2], name: String },
}

#[differentiate(forward)]
fn grown(shape: Shape, by: f64) -> Shape {
    match shape {
        Shape::Point => Shape::Circle(by),
        Shape::Circle(r) if r > 1.0 => Shape::Box { sides: [r, r * by], name: "grown".into() },
        Shape::Circle(r) => Shape::Circle(r * by),
        Shape::Box { sides: [a, b], name } => {
            if by > 3.0 {
                return Shape::Point;
            }
            Shape::Box { sides: [b * by, a], name }
        }
    }
}

#[differentiate(forward)]
fn stretched(shape: &mut Shape, by: f64) {
    match shape {
        Shape::Circle(r) => *r *= by,
        Shape::Box { sides, .. } => {
            for side in sides.iter_mut() {
                *side += by * by;
            }
        }
        Shape::Point => *shape = Shape::Circle(3.0 * by),
    }
}

#[test]
fn enums() {
    let named = |sides| Shape::Box { sides, name: "grown".into() };
    let (value, tangent) = grown::tangent(Shape::Point, Shape::Point, 2.0, 0.5);
    assert_eq!((value, tangent), (Shape::Circle(2.0), Shape::Circle(0.5)));
    let (value, tangent) = grown::tangent(Shape::Circle(3.0), Shape::Circle(1.0), 2.0, 0.5);
    assert_eq!((value, tangent), (named([3.0, 6.0]), named([1.0, 3.5])));
    let (value, tangent) = grown::tangent(named([3.0, 5.0]), named([1.0, 2.0]), 2.0, 0.5);
    assert_eq!((value, tangent), (named([10.0, 3.0]), named([6.5, 1.0])));
    let (value, tangent) = grown::tangent(named([3.0, 5.0]), named([1.0, 2.0]), 4.0, 0.5);
    assert_eq!((value, tangent), (Shape::Point, Shape::Point));

    let run = |mut value: Shape, mut tangent: Shape| {
        stretched::tangent(&mut value, &mut tangent, 2.0, 0.5);
        (value, tangent)
    };
    let circles = |r, r_tan| (Shape::Circle(r), Shape::Circle(r_tan));
    assert_eq!(run(Shape::Circle(3.0), Shape::Circle(1.0)), circles(6.0, 3.5));
    assert_eq!(run(Shape::Point, Shape::Point), circles(6.0, 1.5));
    let (value, tangent) = run(named([3.0, 5.0]), named([1.0, 2.0]));
    assert_eq!((value, tangent), (named([7.0, 9.0]), named([3.0, 4.0])));
}

#[test]
#[should_panic(expected = "`shape_tan` does not have the shape of `shape`: the variant `Point`, \
                           not `Circle`")]
fn another_variant_is_named() {
    grown::tangent(Shape::Circle(1.0), Shape::Point, 2.0, 0.5);
}

#[differentiate(forward)]
fn optional(x: Option<f64>, list: &[Option<f64>], scale: f64) -> Option<(f64, f64)> {
    let first = x.map(|x| x * scale);
    let mut total = 0.0;
    for v in list {
        if let Some(v) = v {
            total += v;
        }
    }
    let last = match list[list.len() - 1] {
        Some(v) => v,
        None => scale,
    };
    let first = first.filter(|v| *v > 0.0)?;
    if let Some(v) = &list[0] {
        return Some((first * v, total));
    }
    Some((last, total - first))
}

#[test]
fn options() {
    let run = |x, list: &[Option<f64>]| {
        let list_tan: Vec<Option<f64>> = list.iter().map(|v| v.map(|_| 0.5)).collect();
        optional::tangent(x, x.map(|_| 1.0), list, &list_tan, 2.0, 0.1)
    };
    // first = x · scale, whose tangent is scale + 0.1 x
    let (value, tangent) = run(Some(3.0), &[Some(4.0), None, Some(5.0)]);
    assert_eq!(value, Some((24.0, 9.0)));
    let (a, b) = tangent.unwrap();
    assert_exact("first of the list", &[a, b], &[2.3 * 4.0 + 6.0 * 0.5, 1.0]);
    let (value, tangent) = run(Some(3.0), &[None]);
    assert_eq!(value, Some((2.0, -6.0)));
    let (a, b) = tangent.unwrap();
    assert_exact("nothing in the list", &[a, b], &[0.1, -2.3]);
    assert_eq!(run(Some(-3.0), &[None]), (None, None));
    assert_eq!(run(None, &[None]), (None, None));
}

/// The active value lies in a part, the rest is data.
#[differentiate(forward)]
fn parts_of_tuples(x: f64, y: f64) -> (f64, usize, [f64; 2]) {
    let mut t = (x * y, 3, [1.0, y]);
    t.0 += t.2[1];
    let (a, n, [b, c]) = t;
    t.2 = [c, b];
    t.1 += n;
    (a * t.2[0], t.1, t.2)
}

#[test]
fn tuples() {
    let (value, tangent) = parts_of_tuples::tangent(2.0, 0.5, 3.0, 1.0);
    assert_eq!(value, (27.0, 6, [3.0, 1.0]));
    // (x y + y) y
    assert_eq!(tangent, (4.5 * 3.0 + 9.0, 6, [1.0, 0.0]));
}

/// Two types of `Option`, so that what stands for nothing has to be written with its type.
#[differentiate(forward)]
fn taken(scale: Option<Box<[f64; 2]>>, slot: &mut Option<f64>) -> Box<f64> {
    let mut s = 2.0;
    if let Some(scale) = &scale {
        s *= scale[0] + scale[1];
    }
    if let Some(v) = slot {
        *v *= s;
    }
    let before = slot.take();
    if s < 0.0 {
        *slot = Some(s * s);
    }
    Box::new(s + before.unwrap_or(0.0))
}

#[test]
fn what_is_taken_out_leaves_nothing() {
    let run = |a: f64| {
        let (mut slot, mut slot_tan) = (Some(5.0), Some(0.5));
        let (scale, scale_tan) = (Some(Box::new([a, 1.0])), Some(Box::new([1.0, 0.0])));
        let (value, tangent) = taken::tangent(scale, scale_tan, &mut slot, &mut slot_tan);
        ((*value, slot), (*tangent, slot_tan))
    };
    // s = 2 (a + 1), and s + 5 s
    assert_eq!(run(2.0), ((36.0, None), (12.0 + 6.0 * 0.5, None)));
    assert_eq!(run(-2.0), ((-12.0, Some(4.0)), (12.0 - 2.0 * 0.5, Some(-8.0))));
}

#[derive(Clone, Debug, PartialEq)]
enum Failure {
    Negative(f64),
}

#[differentiate(forward)]
fn root(x: f64) -> Result<f64, Failure> {
    if x < 0.0 { Err(Failure::Negative(x * x)) } else { Ok(x.sqrt()) }
}

#[differentiate(forward)]
fn roots(x: &[f64]) -> Result<Vec<f64>, Failure> {
    let mut out = Vec::new();
    for v in x {
        out.push(root(*v)? * x[0]);
    }
    Ok(out)
}

/// An error carries no derivative: it stands in both.
#[test]
fn errors_ride_along() {
    let found = roots::tangent(&[4.0, 9.0], &[1.0, 0.0]);
    assert_eq!(found, (Ok(vec![8.0, 12.0]), Ok(vec![3.0, 3.0])));
    let failure = || Err(Failure::Negative(9.0));
    assert_eq!(
        root::tangent(-3.0, 2.0),
        (Err(Failure::Negative(9.0)), Err(Failure::Negative(9.0)))
    );
    assert_eq!(roots::tangent(&[4.0, -3.0], &[1.0, 2.0]), (failure(), failure()));
}
