//! The loss of a character model with LSTM layers, as in ADBench.

use crate::data::{Failure, Numbers, sample};
use crate::programs::{Program, Size};
use ad_runtime::{Unspecified, differentiate};
use std::hint::black_box;
use std::path::Path;

#[differentiate(reverse)]
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Mean negative log likelihood of a sequence, each character predicted from those before it.
///
/// A character has `width` entries. A layer has four rows of weights in `main`, then four of
/// biases; `extra` has the weights of the input, then weights and biases of the output. `start` has
/// for each layer what it puts out at first, then its cells.
#[differentiate(reverse)]
pub fn loss(
    main: &[f64],
    extra: &[f64],
    #[constant] start: &[f64],
    #[constant] sequence: &[f64],
    width: usize,
) -> f64 {
    let mut state = start.to_vec();
    let mut x = vec![0.0; width];
    let mut total = 0.0;
    let mut count = 0;
    let targets = &sequence[width..];
    for (input, target) in sequence.chunks_exact(width).zip(targets.chunks_exact(width)) {
        for j in 0..width {
            x[j] = input[j] * extra[j];
        }
        for (layer, state) in main.chunks_exact(8 * width).zip(state.chunks_exact_mut(2 * width)) {
            let (weight, bias) = layer.split_at(4 * width);
            let (hidden, cell) = state.split_at_mut(width);
            for j in 0..width {
                let forget = sigmoid(x[j] * weight[j] + bias[j]);
                let ingate = sigmoid(hidden[j] * weight[width + j] + bias[width + j]);
                let outgate = sigmoid(x[j] * weight[2 * width + j] + bias[2 * width + j]);
                let change = (hidden[j] * weight[3 * width + j] + bias[3 * width + j]).tanh();
                cell[j] = cell[j] * forget + ingate * change;
                hidden[j] = outgate * cell[j].tanh();
                x[j] = hidden[j];
            }
        }
        let mut sum = 2.0;
        for j in 0..width {
            x[j] = x[j] * extra[width + j] + extra[2 * width + j];
            sum += x[j].exp();
        }
        let log_sum = sum.ln();
        for j in 0..width {
            total += target[j] * (x[j] - log_sum);
        }
        count += width;
    }
    -total / count as f64
}

/// The function with its arguments.
pub struct Lstm {
    main: Vec<f64>,
    extra: Vec<f64>,
    start: Vec<f64>,
    sequence: Vec<f64>,
    width: usize,
    main_adj: Vec<f64>,
    extra_adj: Vec<f64>,
}

impl Lstm {
    fn new([main, extra, start, sequence]: [Vec<f64>; 4], width: usize) -> Self {
        let (main_adj, extra_adj) = (vec![0.0; main.len()], vec![0.0; extra.len()]);
        Lstm { main, extra, start, sequence, width, main_adj, extra_adj }
    }
}

impl Program for Lstm {
    const NAME: &str = "LSTM l2 c1024 b14";
    const INPUTS: &[&str] = &["lstm/lstm_l2_c1024.txt"];
    const GRADIENT: &str = "lstm/lstm_l2_c1024.grad.txt";

    fn generated(size: Size) -> Self {
        let (layers, characters, width) = match size {
            Size::Small => (2, 5, 3),
            Size::Full => (2, 1024, 14),
        };
        let mut sequence = vec![0.0; characters * width];
        for (k, character) in sequence.chunks_exact_mut(width).enumerate() {
            character[(5 * k + k * k) % width] = 1.0;
        }
        let (main, extra) = (sample(8 * layers * width, 0.3), sample(3 * width, 0.6));
        Self::new([main, extra, sample(2 * layers * width, 0.9), sequence], width)
    }

    fn read(directory: &Path) -> Result<Self, Failure> {
        let mut numbers = Numbers::open(directory.join(Self::INPUTS[0]))?;
        let layers: usize = numbers.next("the number of layers")?;
        let characters: usize = numbers.next("the number of characters")?;
        let width: usize = numbers.next("the number of entries of a character")?;
        let main = numbers.take(8 * layers * width, "a parameter of a layer")?;
        let extra = numbers.take(3 * width, "a parameter of input or output")?;
        let start = numbers.take(2 * layers * width, "an entry of the state")?;
        let sequence = numbers.take(characters * width, "an entry of a character")?;
        numbers.end()?;
        Ok(Self::new([main, extra, start, sequence], width))
    }

    fn point(&self) -> Vec<f64> {
        [&self.main[..], &self.extra].concat()
    }

    fn value_at(&self, point: &[f64]) -> f64 {
        let (main, extra) = point.split_at(self.main.len());
        loss(main, extra, &self.start, &self.sequence, self.width)
    }

    fn primal(&mut self) {
        let Lstm { main, extra, start, sequence, width, .. } = self;
        black_box(loss(black_box(main), extra, start, sequence, *width));
    }

    fn gradient(&mut self) {
        black_box(loss::value_and_gradient_into(
            black_box(&self.main),
            &mut self.main_adj,
            &self.extra,
            &mut self.extra_adj,
            &self.start,
            &self.sequence,
            self.width,
        ));
    }

    fn forward(&mut self) -> impl Sized {
        let Lstm { main, extra, start, sequence, width, .. } = self;
        loss::vjp(Unspecified, main, extra, start, sequence, *width)
    }

    fn found(&self) -> Vec<f64> {
        [&self.main_adj[..], &self.extra_adj].concat()
    }
}
