//! The generated gradient of every model agrees with central differences.

use ad_examples::nist::cli::{default_data, load};
use ad_examples::nist::dataset::Dataset;
use ad_examples::nist::model::{MODELS, Model};

/// Steps relative to the parameter; balances truncation against rounding.
const STEP: f64 = 3e-5;

/// Allowed error, relative to the derivative plus the value per parameter.
const TOLERANCE: f64 = 1e-7;

/// The published points of a dataset, where the model matters most.
fn points(dataset: &Dataset) -> [Vec<f64>; 3] {
    let parameters = &dataset.parameters;
    [
        parameters.iter().map(|p| p.start1).collect(),
        parameters.iter().map(|p| p.start2).collect(),
        parameters.iter().map(|p| p.certified).collect(),
    ]
}

/// The fourth-order formula: the second-order one is too coarse in the tails
/// of Eckerle4, which vary fast compared with the size of `b3`.
fn central_difference(model: &Model, b: &[f64], x: &[f64], index: usize) -> f64 {
    let step = STEP * b[index].abs();
    let across = |half: f64| {
        let at = |offset: f64| {
            let mut shifted = b.to_vec();
            shifted[index] += offset;
            (model.value)(&shifted, x)
        };
        at(half) - at(-half)
    };
    (8.0 * across(step) - across(2.0 * step)) / (12.0 * step)
}

#[test]
fn gradients_agree_with_central_differences() {
    for model in &MODELS {
        let dataset = load(&default_data(), model).expect("a good file");
        for b in points(&dataset) {
            for row in &dataset.observations {
                let x = &row.predictors;
                let mut gradient = vec![f64::NAN; b.len()];
                let value = (model.value_and_gradient)(&b, &mut gradient, x);
                for (index, &derivative) in gradient.iter().enumerate() {
                    let difference = central_difference(model, &b, x, index);
                    let scale = derivative.abs() + (value / b[index]).abs();
                    assert!(
                        (derivative - difference).abs() <= TOLERANCE * scale,
                        "{} at b = {b:?}, x = {x:?}: derivative {derivative:e} with respect \
                         to b{}, central difference {difference:e}",
                        model.name,
                        index + 1
                    );
                }
            }
        }
    }
}

#[test]
fn the_value_comes_out_as_from_the_plain_function() {
    for model in &MODELS {
        let dataset = load(&default_data(), model).expect("a good file");
        for b in points(&dataset) {
            for row in &dataset.observations {
                let x = &row.predictors;
                let value = (model.value_and_gradient)(&b, &mut vec![0.0; b.len()], x);
                assert_eq!(value, (model.value)(&b, x), "{} at {b:?}, {x:?}", model.name);
            }
        }
    }
}
