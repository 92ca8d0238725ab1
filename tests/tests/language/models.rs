//! Models from statistics, finance and learning.

use crate::{check, sample};
use ad_runtime::differentiate;
use ad_tests::check::assert_dual;
use num_dual::DualNum;

/// Normal distribution function by the polynomial of Abramowitz and Stegun 26.2.17.
#[differentiate(reverse, forward, second_order, cross_check)]
fn normal_cdf(x: f64) -> f64 {
    const B: [f64; 5] = [0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
    let t = 1.0 / (1.0 + 0.2316419 * x.abs());
    let mut poly = 0.0;
    for b in B.iter().rev() {
        poly = (poly + b) * t;
    }
    let tail = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt() * poly;
    if x >= 0.0 { 1.0 - tail } else { tail }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn black_scholes(spot: f64, strike: f64, rate: f64, volatility: f64, time: f64, call: bool) -> f64 {
    let spread = volatility * time.sqrt();
    let d1 = ((spot / strike).ln() + (rate + 0.5 * volatility * volatility) * time) / spread;
    let d2 = d1 - spread;
    let discounted = strike * (-rate * time).exp();
    if call {
        spot * normal_cdf(d1) - discounted * normal_cdf(d2)
    } else {
        discounted * normal_cdf(-d2) - spot * normal_cdf(-d1)
    }
}

#[test]
fn option_prices() {
    let at = [1.1, 1.0, 0.05, 0.3, 0.8];
    for call in [true, false] {
        let (value, (spot, strike, rate, volatility, time)) =
            black_scholes::value_and_gradient(at[0], at[1], at[2], at[3], at[4], call);
        let f = |v: &[f64]| black_scholes(v[0], v[1], v[2], v[3], v[4], call);
        check("price", f, &at, value, &[spot, strike, rate, volatility, time]);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// One cell of a recurrent network; four gates of `n` weights for input and state each.
#[differentiate(reverse, forward, second_order, cross_check)]
fn lstm_cell(w: &[f64], x: &[f64], hidden: &mut [f64], cell: &mut [f64]) {
    let n = x.len();
    let (forget, rest) = w.split_at(2 * n);
    let (input, rest) = rest.split_at(2 * n);
    let (output, change) = rest.split_at(2 * n);
    for i in 0..n {
        let f = sigmoid(forget[i] * x[i] + forget[n + i]);
        let g = sigmoid(input[i] * hidden[i] + input[n + i]);
        let o = sigmoid(output[i] * x[i] + output[n + i]);
        let c = (change[i] * hidden[i] + change[n + i]).tanh();
        cell[i] = cell[i] * f + g * c;
        hidden[i] = o * cell[i].tanh();
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn lstm_loss(w: &[f64], sequence: &[f64], n: usize) -> f64 {
    let mut hidden = vec![0.0; n];
    let mut cell = vec![0.0; n];
    let mut loss = 0.0;
    let steps = sequence.len() / n;
    for t in 0..steps - 1 {
        lstm_cell(w, &sequence[t * n..(t + 1) * n], &mut hidden, &mut cell);
        let target = &sequence[(t + 1) * n..(t + 2) * n];
        for i in 0..n {
            let miss = hidden[i] - target[i];
            loss += miss * miss;
        }
    }
    loss / steps as f64
}

#[test]
fn a_recurrent_network() {
    let at = sample(16 + 8, 0.4);
    let (value, (w, sequence)) = lstm_loss::value_and_gradient(&at[..16], &at[16..], 2);
    let f = |v: &[f64]| lstm_loss(&v[..16], &v[16..], 2);
    check("lstm", f, &at, value, &[w, sequence].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn log_sum_exp(x: &[f64]) -> f64 {
    let mut top = f64::NEG_INFINITY;
    for &v in x {
        if v > top {
            top = v;
        }
    }
    let mut sum = 0.0;
    for v in x {
        sum += (v - top).exp();
    }
    top + sum.ln()
}

#[test]
fn a_stable_sum_of_exponentials() {
    fn twin<D: DualNum<Primitive = f64> + Copy>(x: &[D]) -> D {
        x.iter().map(|v| v.exp()).sum::<D>().ln()
    }
    let at = sample(5, 0.8);
    let (value, gradient) = log_sum_exp::value_and_gradient(&at);
    check("log-sum-exp", log_sum_exp, &at, value, &gradient);
    assert_dual("log-sum-exp", value, twin, &at, &gradient);
}

/// Negative log-likelihood of a mixture of `k` normal distributions.
#[differentiate(reverse, forward, second_order, cross_check)]
fn mixture(alpha: &[f64], mean: &[f64], log_width: &[f64], #[constant] data: &[f64]) -> f64 {
    let k = alpha.len();
    let mut terms = vec![0.0; k];
    let mut total = 0.0;
    for &x in data {
        for j in 0..k {
            let z = (x - mean[j]) * log_width[j].exp();
            terms[j] = alpha[j] + log_width[j] - 0.5 * z * z;
        }
        total -= log_sum_exp(&terms);
    }
    total + data.len() as f64 * log_sum_exp(alpha)
}

#[test]
fn a_mixture_of_normal_distributions() {
    let at = sample(9, 0.2);
    let data = [0.3, -0.8, 1.2, 0.1];
    let (value, (alpha, mean, width)) =
        mixture::value_and_gradient(&at[..3], &at[3..6], &at[6..], &data);
    let f = |v: &[f64]| mixture(&v[..3], &v[3..6], &v[6..], &data);
    check("mixture", f, &at, value, &[alpha, mean, width].concat());
}

/// Scaled forward algorithm of a hidden Markov model.
#[differentiate(reverse, forward, second_order, cross_check)]
fn hidden_markov(start: &[f64], transition: &[f64], emission: &[f64], observed: &[usize]) -> f64 {
    let n = start.len();
    let symbols = emission.len() / n;
    let mut alpha = start.to_vec();
    let mut log_likelihood = 0.0;
    for (t, &symbol) in observed.iter().enumerate() {
        if t > 0 {
            let old = alpha.clone();
            for j in 0..n {
                alpha[j] = 0.0;
                for i in 0..n {
                    alpha[j] += old[i] * transition[i * n + j];
                }
            }
        }
        let mut scale = 0.0;
        for j in 0..n {
            alpha[j] *= emission[j * symbols + symbol];
            scale += alpha[j];
        }
        for a in alpha.iter_mut() {
            *a /= scale;
        }
        log_likelihood += scale.ln();
    }
    log_likelihood
}

#[test]
fn a_hidden_markov_model() {
    let at = [0.6, 0.4, 0.7, 0.3, 0.4, 0.6, 0.5, 0.4, 0.1, 0.1, 0.3, 0.6];
    let observed = [0, 2, 1, 2];
    let (value, (start, transition, emission)) =
        hidden_markov::value_and_gradient(&at[..2], &at[2..6], &at[6..], &observed);
    let f = |v: &[f64]| hidden_markov(&v[..2], &v[2..6], &v[6..], &observed);
    check("markov", f, &at, value, &[start, transition, emission].concat());
}

/// Kalman filter of a random walk.
#[differentiate(reverse, forward, second_order, cross_check)]
fn kalman(y: &[f64], process: f64, noise: f64) -> f64 {
    let (mut mean, mut variance) = (0.0, 10.0);
    let mut score = 0.0;
    for &observed in y {
        variance += process * process;
        let innovation = observed - mean;
        let total = variance + noise * noise;
        score -= 0.5 * (total.ln() + innovation * innovation / total);
        let gain = variance / total;
        mean += gain * innovation;
        variance *= 1.0 - gain;
    }
    score
}

#[test]
fn a_kalman_filter() {
    let at = [0.3, 0.8, 0.5, 1.1, 0.4, 0.7];
    let (value, (y, process, noise)) = kalman::value_and_gradient(&at[..4], at[4], at[5]);
    let f = |v: &[f64]| kalman(&v[..4], v[4], v[5]);
    check("kalman", f, &at, value, &[y, vec![process, noise]].concat());
}

/// Reprojection of a point: Rodrigues' rotation, projection and radial distortion.
#[differentiate(reverse, forward, second_order, cross_check)]
fn reproject(
    rotation: &[f64; 3],
    offset: &[f64; 3],
    focal: f64,
    radial: [f64; 2],
    point: &[f64; 3],
) -> [f64; 2] {
    let mut square = 0.0;
    for r in rotation {
        square += r * r;
    }
    let mut p = [0.0; 3];
    if square > 0.0 {
        let angle = square.sqrt();
        let axis = [rotation[0] / angle, rotation[1] / angle, rotation[2] / angle];
        let (s, c) = angle.sin_cos();
        let cross = [
            axis[1] * point[2] - axis[2] * point[1],
            axis[2] * point[0] - axis[0] * point[2],
            axis[0] * point[1] - axis[1] * point[0],
        ];
        let along = (axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2]) * (1.0 - c);
        for i in 0..3 {
            p[i] = point[i] * c + cross[i] * s + axis[i] * along;
        }
    } else {
        p = *point;
    }
    for (i, o) in offset.iter().enumerate() {
        p[i] += o;
    }
    let (x, y) = (p[0] / p[2], p[1] / p[2]);
    let r2 = x * x + y * y;
    let distortion = 1.0 + r2 * (radial[0] + r2 * radial[1]);
    [focal * distortion * x, focal * distortion * y]
}

#[test]
fn a_camera() {
    let at = [0.3, -0.2, 0.5, 0.1, 0.2, 3.0, 1.4, 0.05, -0.02, 0.4, -0.7, 0.9];
    let triple = |v: &[f64], k: usize| [v[k], v[k + 1], v[k + 2]];
    let (mut r, mut o, mut p) = ([0.0; 3], [0.0; 3], [0.0; 3]);
    let (value, focal_adj, radial_adj) = reproject::adjoint(
        &triple(&at, 0),
        &mut r,
        &triple(&at, 3),
        &mut o,
        at[6],
        [at[7], at[8]],
        &triple(&at, 9),
        &mut p,
        [1.0, -2.0],
    );
    let f = |v: &[f64]| {
        let y = reproject(&triple(v, 0), &triple(v, 3), v[6], [v[7], v[8]], &triple(v, 9));
        crate::combine(&y)
    };
    let gradient = [&r[..], &o, &[focal_adj], &radial_adj, &p].concat();
    check("camera", f, &at, crate::combine(&value), &gradient);
}
