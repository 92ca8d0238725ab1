//! The table of models: which function, and which companion, fits which file.
//!
//! A [`Model`] only works on a dataset that passes [`Model::check`]; after
//! that, its functions may be called with any parameter vector of the declared
//! length and the predictors of any observation.

use super::dataset::Dataset;
use super::error::DatasetError;
use super::models::{
    bennett5, chwirut, cubic_ratio, dan_wood, eckerle4, enso, gauss, kirby2, lanczos, mgh09, mgh10,
    mgh17, misra1a, misra1b, misra1c, misra1d, nelson, rat42, rat43, roszman1,
};

/// Every model, in the order in which NIST lists the datasets: by difficulty.
pub static MODELS: [Model; 27] = [
    Model::new("Misra1a", 2, misra1a, misra1a::value_and_gradient_into),
    Model::new("Chwirut2", 3, chwirut, chwirut::value_and_gradient_into),
    Model::new("Chwirut1", 3, chwirut, chwirut::value_and_gradient_into),
    Model::new("Lanczos3", 6, lanczos, lanczos::value_and_gradient_into),
    Model::new("Gauss1", 8, gauss, gauss::value_and_gradient_into),
    Model::new("Gauss2", 8, gauss, gauss::value_and_gradient_into),
    Model::new("DanWood", 2, dan_wood, dan_wood::value_and_gradient_into),
    Model::new("Misra1b", 2, misra1b, misra1b::value_and_gradient_into),
    Model::new("Kirby2", 5, kirby2, kirby2::value_and_gradient_into),
    Model::new("Hahn1", 7, cubic_ratio, cubic_ratio::value_and_gradient_into),
    Model {
        predictors: 2,
        response: Response::Logarithm,
        ..Model::new("Nelson", 3, nelson, nelson::value_and_gradient_into)
    },
    Model::new("MGH17", 5, mgh17, mgh17::value_and_gradient_into),
    Model::new("Lanczos1", 6, lanczos, lanczos::value_and_gradient_into),
    Model::new("Lanczos2", 6, lanczos, lanczos::value_and_gradient_into),
    Model::new("Gauss3", 8, gauss, gauss::value_and_gradient_into),
    Model::new("Misra1c", 2, misra1c, misra1c::value_and_gradient_into),
    Model::new("Misra1d", 2, misra1d, misra1d::value_and_gradient_into),
    Model::new("Roszman1", 4, roszman1, roszman1::value_and_gradient_into),
    Model::new("ENSO", 9, enso, enso::value_and_gradient_into),
    Model::new("MGH09", 4, mgh09, mgh09::value_and_gradient_into),
    Model::new("Thurber", 7, cubic_ratio, cubic_ratio::value_and_gradient_into),
    Model::new("BoxBOD", 2, misra1a, misra1a::value_and_gradient_into),
    Model::new("Rat42", 3, rat42, rat42::value_and_gradient_into),
    Model::new("MGH10", 3, mgh10, mgh10::value_and_gradient_into),
    Model::new("Eckerle4", 3, eckerle4, eckerle4::value_and_gradient_into),
    Model::new("Rat43", 4, rat43, rat43::value_and_gradient_into),
    Model::new("Bennett5", 3, bennett5, bennett5::value_and_gradient_into),
];

/// What a model predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// The response as published.
    Plain,
    /// Its natural logarithm.
    Logarithm,
}

/// Predicts a response from parameters and predictors, in this order.
pub type Value = fn(&[f64], &[f64]) -> f64;

/// Takes parameters, room for their derivatives, and predictors; overwrites
/// the derivatives and returns the prediction.
pub type ValueAndGradient = fn(&[f64], &mut [f64], &[f64]) -> f64;

/// A model: its plain function and its differentiated one.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// The dataset it belongs to; also the stem of the file name.
    pub name: &'static str,
    /// Number of parameters it reads.
    pub parameters: usize,
    /// Number of predictors it reads.
    pub predictors: usize,
    /// What it predicts.
    pub response: Response,
    /// The model itself.
    pub value: Value,
    /// The model with its gradient.
    pub value_and_gradient: ValueAndGradient,
}

impl Model {
    /// A model of the plain response with one predictor, as most are.
    const fn new(
        name: &'static str,
        parameters: usize,
        value: Value,
        value_and_gradient: ValueAndGradient,
    ) -> Self {
        Self {
            name,
            parameters,
            predictors: 1,
            response: Response::Plain,
            value,
            value_and_gradient,
        }
    }

    /// The model of the dataset called `name`, whatever the case of letters.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        MODELS.iter().find(|model| model.name.eq_ignore_ascii_case(name))
    }

    /// The observed response in the form in which the model predicts it.
    #[must_use]
    pub fn response(&self, observed: f64) -> f64 {
        match self.response {
            Response::Plain => observed,
            Response::Logarithm => observed.ln(),
        }
    }

    /// Checks that `dataset` is the one this model belongs to.
    ///
    /// # Errors
    ///
    /// At the first line that disagrees.
    pub fn check(&self, dataset: &Dataset) -> Result<(), DatasetError> {
        let name = &dataset.name;
        if name.value != self.name {
            let expected = format!("the dataset {}", self.name);
            return Err(dataset.error(name.line, expected, name.value.clone()));
        }
        for (count, needed, what) in [
            (&dataset.parameter_count, self.parameters, "parameters"),
            (&dataset.predictor_count, self.predictors, "predictors"),
        ] {
            if count.value != needed {
                let expected = format!("as many {what} as the model has, {needed}");
                return Err(dataset.error(count.line, expected, count.value.to_string()));
            }
        }
        for row in &dataset.observations {
            if !self.response(row.response).is_finite() {
                let expected = "a response that has a logarithm".to_owned();
                return Err(dataset.error(row.line, expected, row.response.to_string()));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nist::cli::{default_data, load};

    fn with(name: &str) -> (&'static Model, Dataset) {
        let model = Model::find(name).expect("a model of this name");
        let dataset = load(&default_data(), model).expect("a good file");
        (model, dataset)
    }

    fn message(result: Result<(), DatasetError>) -> String {
        result.expect_err("a disagreement").to_string()
    }

    #[test]
    fn names_are_found_in_any_case() {
        assert_eq!(Model::find("boxbod").map(|m| m.name), Some("BoxBOD"));
        assert!(Model::find("BoxBOD2").is_none());
    }

    #[test]
    fn another_dataset_is_rejected() {
        let (_, dataset) = with("Misra1a");
        let model = Model::find("Misra1b").expect("a model of this name");
        let message = message(model.check(&dataset));
        let end = "Misra1a.dat:2: expected the dataset Misra1b, found Misra1a";
        assert!(message.ends_with(end), "{message}");
    }

    #[test]
    fn counts_must_fit_the_model() {
        let (model, mut dataset) = with("Misra1a");
        dataset.parameter_count.value = 3;
        let parameters = message(model.check(&dataset));
        let end = "Misra1a.dat:32: expected as many parameters as the model has, 2, found 3";
        assert!(parameters.ends_with(end), "{parameters}");

        let (model, mut dataset) = with("Nelson");
        dataset.predictor_count.value = 1;
        let predictors = message(model.check(&dataset));
        let end = "Nelson.dat:26: expected as many predictors as the model has, 2, found 1";
        assert!(predictors.ends_with(end), "{predictors}");
    }

    #[test]
    fn a_response_without_logarithm_is_rejected() {
        let (model, mut dataset) = with("Nelson");
        dataset.observations[4].response = -1.0;
        let message = message(model.check(&dataset));
        let end = "Nelson.dat:65: expected a response that has a logarithm, found -1";
        assert!(message.ends_with(end), "{message}");
    }
}
