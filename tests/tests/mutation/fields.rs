//! Vectors that are fields: their types are not written where they grow and shrink.

use ad_runtime::{Differentiable, differentiate};
use ad_tests::check::{check, sample};

#[derive(Differentiable, Clone, Debug)]
struct Machine {
    stack: Vec<f64>,
    history: Vec<[f64; 2]>,
    scratch: Vec<f64>,
    steps: usize,
}

#[differentiate(reverse, forward, cross_check)]
impl Machine {
    fn run(&mut self, x: f64) -> Option<f64> {
        self.scratch.clear();
        self.scratch.extend(self.stack.iter().map(|v| v * x));
        let a = self.stack.pop()?;
        let b = self.stack.pop().unwrap_or(1.0);
        self.stack.push(a * b + x);
        self.history.push([a, b]);
        if self.history.len() > 2 {
            let first = self.history.remove(0);
            self.stack.push(first[0] * first[1]);
            self.stack.reverse();
        }
        self.stack.insert(0, x * x);
        self.stack.sort_by(|a, b| a.total_cmp(b));
        while let Some(v) = self.scratch.pop() {
            self.stack[0] += v;
        }
        Some(self.stack[0] * a)
    }
}

#[differentiate(reverse, forward, cross_check)]
fn run(v: &[f64]) -> f64 {
    let stack = v[..2].to_vec();
    let mut machine = Machine { stack, history: Vec::new(), scratch: vec![], steps: 0 };
    let mut total = 0.0;
    for x in v {
        if let Some(y) = machine.run(*x) {
            total += y;
        }
        machine.steps += 1;
    }
    machine.stack.truncate(2);
    let stack = &mut machine.stack;
    stack.push(total);
    for x in stack {
        *x *= 2.0;
    }
    total * machine.stack.iter().product::<f64>() + machine.stack[2] * machine.steps as f64
}

#[test]
fn vectors_in_a_struct_grow_and_shrink() {
    for shift in [0.3, 1.1, 2.9] {
        let at = sample(5, shift);
        let (value, adj) = run::value_and_gradient(&at);
        check("run", run, &at, value, &adj);
    }
}
