//! Trait objects whose data are active: the attribute stands on the trait.

use crate::{assert_dual, check};
use ad_runtime::{Differentiable, differentiate};
use num_dual::DualNum;

#[differentiate(reverse, forward, cross_check)]
trait Material {
    fn stress(&self, strain: f64) -> f64;

    /// Work by the trapezoidal rule.
    fn work(&self, strain: f64) -> f64 {
        0.5 * strain * (self.stress(0.0) + self.stress(strain))
    }

    fn load(&self, strains: &[f64], out: &mut [f64]) {
        for (o, s) in out.iter_mut().zip(strains) {
            *o += self.stress(*s);
        }
    }

    fn harden(&mut self, by: f64);

    fn name(&self) -> &str {
        "material"
    }

    fn order(&self) -> usize {
        1
    }

    fn copy(&self) -> Box<dyn Material>;

    fn boxed(self) -> Box<dyn Material>
    where
        Self: Sized + 'static,
    {
        Box::new(self)
    }
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Elastic {
    modulus: f64,
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Series {
    coefficients: Vec<f64>,
    offset: f64,
}

#[differentiate(reverse, forward, cross_check)]
impl Material for Elastic {
    fn stress(&self, strain: f64) -> f64 {
        self.modulus * strain
    }

    fn harden(&mut self, by: f64) {
        self.modulus *= by;
    }

    fn copy(&self) -> Box<dyn Material> {
        self.clone().boxed()
    }
}

#[differentiate(reverse, forward, cross_check)]
impl Material for Series {
    fn stress(&self, strain: f64) -> f64 {
        let mut power = strain;
        let mut sum = self.offset;
        for c in &self.coefficients {
            sum += c * power;
            power *= strain;
        }
        sum
    }

    fn work(&self, strain: f64) -> f64 {
        self.stress(strain) * strain * strain
    }

    fn harden(&mut self, by: f64) {
        self.offset += by * self.offset;
    }

    fn order(&self) -> usize {
        self.coefficients.len()
    }

    fn copy(&self) -> Box<dyn Material> {
        self.clone().boxed()
    }
}

/// What is changed through `&mut` has to be cloned.
impl Clone for Box<dyn Material> {
    fn clone(&self) -> Self {
        (**self).copy()
    }
}

fn materials(v: &[f64]) -> Vec<Box<dyn Material>> {
    vec![
        Elastic { modulus: v[0] }.boxed(),
        Series { coefficients: v[1..3].to_vec(), offset: v[3] }.boxed(),
        Elastic { modulus: v[4] }.boxed(),
    ]
}

/// The real parts of an adjoint.
fn parts(adjoint: &dyn Material) -> Vec<f64> {
    let any: &dyn std::any::Any = adjoint;
    if let Some(Elastic { modulus }) = any.downcast_ref() {
        return vec![*modulus];
    }
    let series: &Series = any.downcast_ref().expect("one of two types");
    [&series.coefficients[..], &[series.offset]].concat()
}

fn all_parts(adjoints: &[Box<dyn Material>]) -> Vec<f64> {
    adjoints.iter().flat_map(|adjoint| parts(&**adjoint)).collect()
}

#[differentiate(reverse, forward, cross_check)]
fn total(materials: &[Box<dyn Material>], strain: f64) -> f64 {
    let sum: f64 = materials.iter().map(|m| m.stress(strain) * m.order() as f64).sum();
    let mut work = 0.0;
    for (k, m) in materials.iter().enumerate() {
        if m.name() == "material" {
            work += m.work(strain + k as f64);
        }
    }
    sum * work
}

fn total_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let elastic = |m: D, s: D| m * s;
    let series = |s: D| v[3] + v[1] * s + v[2] * s * s;
    let x = v[5];
    let sum = elastic(v[0], x) + series(x) * 2.0 + elastic(v[4], x);
    let at = x + 1.0;
    let last = x + 2.0;
    let work = x * elastic(v[0], x) * 0.5 + series(at) * at * at + last * elastic(v[4], last) * 0.5;
    sum * work
}

#[test]
fn methods_and_default_methods_of_objects() {
    let at = [0.7, 1.2, -0.4, 0.3, 1.5, 0.8];
    let (value, (adjoints, strain_adj)) = total::value_and_gradient(&materials(&at), at[5]);
    let gradient = [&all_parts(&adjoints)[..], &[strain_adj]].concat();
    check("total", |v| total(&materials(v), v[5]), &at, value, &gradient);
    assert_dual("total", value, total_twin, &at, &gradient);
}

/// Slices in and out, a `&mut` receiver, a box that is moved about.
#[differentiate(reverse, forward, cross_check)]
fn loaded(materials: &mut Vec<Box<dyn Material>>, strains: &[f64], by: f64) -> f64 {
    let mut out = vec![0.0; strains.len()];
    materials.swap(0, 1);
    for m in materials.iter_mut() {
        m.load(strains, &mut out);
        m.harden(by);
        m.load(&out.clone(), &mut out);
    }
    out.iter().map(|o| o * o).sum()
}

fn loaded_twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
    let (strains, by) = ([v[5], v[6]], v[7]);
    let mut out = [D::from(0.0); 2];
    let (mut first, mut offset, mut last) = (v[0], v[3], v[4]);
    let series = |offset: D, s: D| offset + v[1] * s + v[2] * s * s;
    for k in 0..2 {
        out[k] += series(offset, strains[k]);
    }
    offset += by * offset;
    for o in &mut out {
        *o += series(offset, *o);
    }
    for modulus in [&mut first, &mut last] {
        for k in 0..2 {
            out[k] += *modulus * strains[k];
        }
        *modulus *= by;
        for o in &mut out {
            *o += *modulus * *o;
        }
    }
    out[0] * out[0] + out[1] * out[1]
}

#[test]
fn objects_that_change_and_buffers() {
    let at = [0.7, 1.2, -0.4, 0.3, 0.5, 0.8, -0.6, 1.1];
    let f = |v: &[f64]| loaded(&mut materials(v), &v[5..7], v[7]);
    let (value, (adjoints, strains_adj, by_adj)) =
        loaded::value_and_gradient(&mut materials(&at), &at[5..7], at[7]);
    let gradient = [&all_parts(&adjoints)[..], &strains_adj, &[by_adj]].concat();
    check("loaded", f, &at, value, &gradient);
    assert_dual("loaded", value, loaded_twin, &at, &gradient);
}

/// One function for objects and for types.
#[differentiate(reverse, forward, cross_check)]
fn by_type<M: Material>(m: &M, strain: f64) -> f64 {
    m.work(strain) * m.stress(2.0 * strain)
}

#[differentiate(reverse, forward, cross_check)]
fn by_box(m: &Box<dyn Material>, strain: f64) -> f64 {
    by_type(m, strain) + m.stress(strain)
}

#[test]
fn a_box_is_a_type_that_has_the_trait() {
    let at = [0.7, 1.2, -0.4, 0.3, 0.5, 0.8];
    for k in 0..3 {
        let (value, (adjoint, strain_adj)) = by_box::value_and_gradient(&materials(&at)[k], at[5]);
        let f = |v: &[f64]| by_box(&materials(v)[k], v[5]);
        let mut gradient = vec![0.0; 6];
        let from = [0, 1, 4][k];
        let found = parts(&*adjoint);
        gradient[from..from + found.len()].copy_from_slice(&found);
        gradient[5] = strain_adj;
        check("by_box", f, &at, value, &gradient);
    }
    let (value, (adjoint, strain_adj)) =
        by_type::value_and_gradient(&Elastic { modulus: 0.7 }, 0.8);
    // (½ m s²) (2 m s) = m² s³
    assert!((value - 0.49 * 0.512).abs() < 1e-15, "two products in double precision");
    assert!((adjoint.modulus - 2.0 * 0.7 * 0.512).abs() < 1e-15);
    assert!((strain_adj - 3.0 * 0.49 * 0.64).abs() < 1e-15);
}

#[test]
#[should_panic(
    expected = "`m_adj` does not have the shape of `m`: behind the trait object is another type"
)]
fn an_adjoint_of_another_type_is_refused() {
    let materials = materials(&[0.7, 1.2, -0.4, 0.3, 0.5]);
    let mut adjoint: Box<dyn Material> = Elastic { modulus: 0.0 }.boxed();
    by_box::adjoint(&materials[1], &mut adjoint, 0.8, 1.0);
}
