//! Least-squares fits of a model to a dataset.
//!
//! Assumes that the dataset passed [`Model::check`]. A fit always ends: it
//! returns the best point found, and says whether the solver was content.

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt, TerminationReason};
use nalgebra::storage::Owned;
use nalgebra::{DMatrix, DVector, Dyn};

use super::dataset::{Dataset, Start};
use super::model::Model;

/// Bounds of the first step to try, relative to the scaled parameters.
///
/// From a far starting point a long first step can end where the model is
/// constant, with no way back (BoxBOD with the solver's default of 100), and
/// another bound can end in another bad place (MGH10 with some between 0.5
/// and 5). Which is which shows only in the end, by the sum of squares.
const STEP_BOUNDS: [f64; 3] = [1.0, 0.1, 100.0];

/// A later step bound must lower the sum of squares by this part to win.
///
/// The terms of Lanczos and MGH17 can trade places without changing the sum,
/// so rounding must not choose between results that are otherwise equal.
const IMPROVEMENT: f64 = 1e-3;

/// Evaluations allowed per parameter. The valleys of MGH17 and Bennett5 take
/// hundreds; the solver's default of 100 is meant for kinder problems.
const PATIENCE: usize = 1000;

/// Gauss-Newton steps after the solver; more than any dataset needs to come
/// down to rounding level.
const POLISHING_STEPS: usize = 50;

/// Those steps must not raise the norm of the residuals by more than this
/// factor: they refine a minimum and never leave it for another.
const SAME_MINIMUM: f64 = 1.01;

/// The result of one fit.
#[derive(Debug)]
pub struct Fit {
    /// The fitted parameters.
    pub parameters: Vec<f64>,
    /// The sum of the squared residuals there.
    pub residual_sum_of_squares: f64,
    /// How many points the solver tried, over all step bounds.
    pub evaluations: usize,
    /// Why the solver stopped.
    pub termination: TerminationReason,
}

/// Fits `model` to `dataset` from the published starting point `start`; the
/// best result of all step bounds counts.
#[must_use]
pub fn fit(model: &Model, dataset: &Dataset, start: Start) -> Fit {
    let [first, others @ ..] = STEP_BOUNDS;
    let mut best = fit_within(model, dataset, start, first);
    for bound in others {
        let next = fit_within(model, dataset, start, bound);
        let evaluations = best.evaluations + next.evaluations;
        let least = best.residual_sum_of_squares;
        if next.residual_sum_of_squares < least * (1.0 - IMPROVEMENT) || least.is_nan() {
            best = next;
        }
        best.evaluations = evaluations;
    }
    best
}

fn fit_within(model: &Model, dataset: &Dataset, start: Start, step_bound: f64) -> Fit {
    let (mut problem, report) = LevenbergMarquardt::new()
        .with_ftol(f64::EPSILON)
        .with_xtol(f64::EPSILON)
        .with_gtol(f64::EPSILON)
        .with_stepbound(step_bound)
        .with_patience(PATIENCE)
        .minimize(Problem::new(model, dataset, start));
    problem.polish();
    Fit {
        residual_sum_of_squares: problem.residual_vector().norm_squared(),
        parameters: problem.parameters.as_slice().to_vec(),
        evaluations: report.number_of_evaluations,
        termination: report.termination,
    }
}

/// One model and dataset as the solver sees them.
struct Problem<'a> {
    model: &'a Model,
    dataset: &'a Dataset,
    parameters: DVector<f64>,
}

impl<'a> Problem<'a> {
    fn new(model: &'a Model, dataset: &'a Dataset, start: Start) -> Self {
        let parameters: Vec<f64> = dataset.parameters.iter().map(|p| p.start(start)).collect();
        Self { model, dataset, parameters: parameters.into() }
    }

    /// Prediction minus observation, one entry per observation.
    fn residual_vector(&self) -> DVector<f64> {
        let parameters = self.parameters.as_slice();
        let rows = self.dataset.observations.iter();
        let residuals: Vec<f64> = rows
            .map(|row| {
                (self.model.value)(parameters, &row.predictors) - self.model.response(row.response)
            })
            .collect();
        residuals.into()
    }

    /// The gradient of each prediction, one row per observation.
    fn jacobian_matrix(&self) -> DMatrix<f64> {
        let parameters = self.parameters.as_slice();
        let rows = &self.dataset.observations;
        let mut gradients = vec![0.0; rows.len() * parameters.len()];
        for (gradient, row) in gradients.chunks_exact_mut(parameters.len()).zip(rows) {
            (self.model.value_and_gradient)(parameters, gradient, &row.predictors);
        }
        DMatrix::from_row_slice(rows.len(), parameters.len(), &gradients)
    }

    /// Takes Gauss-Newton steps from the solver's result and keeps the point
    /// where the residuals are closest to orthogonal to the Jacobian's columns.
    ///
    /// The solver stops when the sum of squares no longer falls. At a minimum
    /// the sum is flat, so its rounding hides parameter changes up to the root
    /// of the machine precision. The gradient is not flat there, and exact
    /// derivatives make it good for the digits that remain.
    fn polish(&mut self) {
        let mut linear = Linearization::of(self);
        let ceiling = linear.residuals.norm() * SAME_MINIMUM;
        let mut best = (linear.cosine(), self.parameters.clone());
        for _ in 0..POLISHING_STEPS {
            let Some(step) = linear.gauss_newton_step() else {
                break;
            };
            self.parameters -= step;
            linear = Linearization::of(self);
            // Both comparisons are false where the model is not finite.
            if linear.residuals.norm() <= ceiling && linear.cosine() < best.0 {
                best = (linear.cosine(), self.parameters.clone());
            }
        }
        self.parameters = best.1;
    }
}

impl LeastSquaresProblem<f64, Dyn, Dyn> for Problem<'_> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, parameters: &DVector<f64>) {
        self.parameters.copy_from(parameters);
    }

    fn params(&self) -> DVector<f64> {
        self.parameters.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        Some(self.residual_vector())
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        Some(self.jacobian_matrix())
    }
}

/// Residuals and Jacobian at one point.
struct Linearization {
    residuals: DVector<f64>,
    jacobian: DMatrix<f64>,
}

impl Linearization {
    fn of(problem: &Problem<'_>) -> Self {
        Self { residuals: problem.residual_vector(), jacobian: problem.jacobian_matrix() }
    }

    /// The largest cosine between the residuals and a column of the Jacobian;
    /// zero at an exact minimum, NaN where the model is not finite.
    fn cosine(&self) -> f64 {
        let cosines = self.jacobian.column_iter().map(|column| {
            (column.dot(&self.residuals) / (column.norm() * self.residuals.norm())).abs()
        });
        cosines.fold(0.0, |largest, cosine| {
            // `f64::max` would drop a NaN.
            if cosine > largest || cosine.is_nan() { cosine } else { largest }
        })
    }

    /// The step to the minimum of the linearized problem, unless the Jacobian
    /// is singular.
    fn gauss_newton_step(&self) -> Option<DVector<f64>> {
        let factors = self.jacobian.clone().qr();
        let mut projected = self.residuals.clone();
        factors.q_tr_mul(&mut projected);
        let top = projected.rows(0, self.jacobian.ncols());
        factors.r().solve_upper_triangular(&top)
    }
}
