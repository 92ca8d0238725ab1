//! The loss of bundle adjustment, as in ADBench.

use crate::data::{Failure, Numbers, sample};
use crate::programs::{Program, Size};
use ad_runtime::{Differentiable, Unspecified, differentiate};
use std::hint::black_box;
use std::path::Path;

/// A camera: where it stands and how it maps.
#[derive(Differentiable, Clone, Copy, Debug)]
pub struct Camera {
    /// Axis of its rotation, as long as the angle.
    pub rotation: [f64; 3],
    /// Where it is.
    pub centre: [f64; 3],
    /// Focal length.
    pub focal: f64,
    /// Where the axis meets the image.
    pub origin: [f64; 2],
    /// Radial distortion.
    pub radial: [f64; 2],
}

/// A point of space that was seen in an image.
#[derive(Clone, Copy, Debug)]
pub struct Observation {
    /// Number of the camera.
    pub camera: usize,
    /// Number of the point.
    pub point: usize,
    /// Where it was seen.
    pub feature: [f64; 2],
}

#[differentiate(reverse)]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[differentiate(reverse)]
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Rodrigues' formula.
#[differentiate(reverse)]
fn rotate(axis: [f64; 3], x: [f64; 3]) -> [f64; 3] {
    let square = dot(axis, axis);
    if square == 0.0 {
        let moved = cross(axis, x);
        return [x[0] + moved[0], x[1] + moved[1], x[2] + moved[2]];
    }
    let angle = square.sqrt();
    let (sin, cos) = angle.sin_cos();
    let unit = [axis[0] / angle, axis[1] / angle, axis[2] / angle];
    let moved = cross(unit, x);
    let along = dot(unit, x) * (1.0 - cos);
    [
        x[0] * cos + moved[0] * sin + unit[0] * along,
        x[1] * cos + moved[1] * sin + unit[1] * along,
        x[2] * cos + moved[2] * sin + unit[2] * along,
    ]
}

/// Where a camera sees a point.
#[differentiate(reverse)]
fn project(camera: &Camera, point: &[f64; 3]) -> [f64; 2] {
    let centre = camera.centre;
    let relative = [point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]];
    let seen = rotate(camera.rotation, relative);
    let (u, v) = (seen[0] / seen[2], seen[1] / seen[2]);
    let rho = u * u + v * v;
    let scale = camera.focal * (1.0 + camera.radial[0] * rho + camera.radial[1] * rho * rho);
    [camera.origin[0] + scale * u, camera.origin[1] + scale * v]
}

/// Half the sum of the squares of all residuals; a weight has the residual 1 − w².
#[differentiate(reverse)]
pub fn loss(
    cameras: &[Camera],
    points: &[[f64; 3]],
    weights: &[f64],
    #[constant] observations: &[Observation],
) -> f64 {
    let mut sum = 0.0;
    for (seen, w) in observations.iter().zip(weights) {
        let [u, v] = project(&cameras[seen.camera], &points[seen.point]);
        let du = w * (u - seen.feature[0]);
        let dv = w * (v - seen.feature[1]);
        let dw = 1.0 - w * w;
        sum += du * du + dv * dv + dw * dw;
    }
    0.5 * sum
}

/// The function with its arguments.
pub struct BundleAdjustment {
    cameras: Vec<Camera>,
    points: Vec<[f64; 3]>,
    weights: Vec<f64>,
    observations: Vec<Observation>,
    cameras_adj: Vec<Camera>,
    points_adj: Vec<[f64; 3]>,
    weights_adj: Vec<f64>,
}

impl Camera {
    const LEN: usize = 11;

    fn from_array([r0, r1, r2, c0, c1, c2, focal, o0, o1, k0, k1]: [f64; Self::LEN]) -> Self {
        let (rotation, centre) = ([r0, r1, r2], [c0, c1, c2]);
        Camera { rotation, centre, focal, origin: [o0, o1], radial: [k0, k1] }
    }

    fn entries(&self) -> impl Iterator<Item = f64> {
        let Camera { rotation, centre, focal, origin, radial } = *self;
        rotation.into_iter().chain(centre).chain([focal]).chain(origin).chain(radial)
    }
}

impl BundleAdjustment {
    /// Observation `i` is of point `i` by camera `i`, both counted round.
    fn new(
        cameras: Vec<Camera>,
        points: Vec<[f64; 3]>,
        weights: Vec<f64>,
        feature: impl Fn(usize) -> [f64; 2],
    ) -> Self {
        let observations = (0..weights.len())
            .map(|i| {
                let (camera, point) = (i % cameras.len(), i % points.len());
                Observation { camera, point, feature: feature(i) }
            })
            .collect();
        let cameras_adj = cameras.zeros_like();
        let (points_adj, weights_adj) = (vec![[0.0; 3]; points.len()], vec![0.0; weights.len()]);
        BundleAdjustment {
            cameras,
            points,
            weights,
            observations,
            cameras_adj,
            points_adj,
            weights_adj,
        }
    }

    fn flat(cameras: &[Camera], points: &[[f64; 3]], weights: &[f64]) -> Vec<f64> {
        let cameras = cameras.iter().flat_map(Camera::entries);
        cameras.chain(points.iter().flatten().copied()).chain(weights.iter().copied()).collect()
    }
}

impl Program for BundleAdjustment {
    const NAME: &str = "BA loss, 31843 observations";
    const INPUTS: &[&str] = &["ba/ba1.txt"];
    const GRADIENT: &str = "ba/ba1.loss_grad.txt";

    fn generated(size: Size) -> Self {
        let (cameras, points, observations) = match size {
            Size::Small => (2, 5, 9),
            Size::Full => (49, 7776, 31843),
        };
        let s = sample(6 * cameras.max(points), 0.8);
        let cameras = s
            .chunks_exact(6)
            .take(cameras)
            .map(|s| Camera {
                rotation: [0.3 * s[0], 0.3 * s[1], 0.3 * s[2]],
                centre: [s[3], s[4], s[5]],
                focal: 2.0 + s[0],
                origin: [0.1 * s[1], 0.1 * s[2]],
                radial: [0.1 * s[3], 0.01 * s[4]],
            })
            .collect();
        // In front of every camera.
        let points = s.chunks_exact(3).take(points).map(|s| [s[0], s[1], 5.0 + s[2]]).collect();
        let weights = sample(observations, 0.5).iter().map(|s| 0.6 + 0.3 * s).collect();
        Self::new(cameras, points, weights, |i| [s[i % s.len()], s[(i + 1) % s.len()]])
    }

    /// The file has one camera, point, weight and observation, which stand for all.
    fn read(directory: &Path) -> Result<Self, Failure> {
        let mut numbers = Numbers::open(directory.join(Self::INPUTS[0]))?;
        let cameras: usize = numbers.next("the number of cameras")?;
        let points: usize = numbers.next("the number of points")?;
        let observations: usize = numbers.next("the number of observations")?;
        let camera = Camera::from_array(numbers.array("an entry of the camera")?);
        let point = numbers.array("a coordinate of the point")?;
        let weight = numbers.next("the weight")?;
        let feature = numbers.array("a coordinate of the observation")?;
        numbers.end()?;
        let weights = vec![weight; observations];
        Ok(Self::new(vec![camera; cameras], vec![point; points], weights, |_| feature))
    }

    fn point(&self) -> Vec<f64> {
        Self::flat(&self.cameras, &self.points, &self.weights)
    }

    fn value_at(&self, point: &[f64]) -> f64 {
        let (cameras, rest) = point.split_at(Camera::LEN * self.cameras.len());
        let (points, weights) = rest.split_at(3 * self.points.len());
        let (cameras, _) = cameras.as_chunks();
        let cameras: Vec<_> = cameras.iter().map(|entries| Camera::from_array(*entries)).collect();
        loss(&cameras, points.as_chunks().0, weights, &self.observations)
    }

    fn primal(&mut self) {
        let BundleAdjustment { cameras, points, weights, observations, .. } = self;
        black_box(loss(black_box(cameras), points, weights, observations));
    }

    fn gradient(&mut self) {
        black_box(loss::value_and_gradient_into(
            black_box(&self.cameras),
            &mut self.cameras_adj,
            &self.points,
            &mut self.points_adj,
            &self.weights,
            &mut self.weights_adj,
            &self.observations,
        ));
    }

    fn forward(&mut self) -> impl Sized {
        let BundleAdjustment { cameras, points, weights, observations, .. } = self;
        loss::vjp(Unspecified, cameras, points, weights, observations)
    }

    fn found(&self) -> Vec<f64> {
        Self::flat(&self.cameras_adj, &self.points_adj, &self.weights_adj)
    }
}
