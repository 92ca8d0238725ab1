//! `match` over integers, booleans, tuples and ranges, with guards and bindings, as statement and as value.

use crate::check;
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn kernel(r: f64, h: f64) -> f64 {
    let q = r / h;
    let zone = (2.0 * q) as usize;
    match zone {
        0 => 1.0 - 6.0 * q * q + 6.0 * q.powi(3),
        1 => 2.0 * (1.0 - q).powi(3),
        _ => 0.01 * q,
    }
}

#[test]
fn match_on_a_zone() {
    for r in [0.2, 0.7, 1.7] {
        let (value, r_adj, h_adj) = kernel::adjoint(r, 1.1, 1.0);
        check("kernel", |v| kernel(v[0], v[1]), &[r, 1.1], value, &[r_adj, h_adj]);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn tax(income: f64, bracket: i32) -> f64 {
    match bracket {
        i32::MIN..=0 => 0.1 * income,
        1..=3 => {
            let rate = 0.1 * f64::from(bracket);
            rate * income + income.ln()
        }
        n if n % 2 == 0 => income.sqrt() * f64::from(n),
        n @ (5 | 7) => income * income / f64::from(n),
        _ => income,
    }
}

#[test]
fn ranges_guards_and_bindings() {
    for bracket in [-2, 0, 1, 3, 4, 5, 6, 7, 9] {
        let (value, income_adj) = tax::adjoint(2.3, bracket, 1.0);
        check("tax", |v| tax(v[0], bracket), &[2.3], value, &[income_adj]);
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn stencil_weight(u: &[f64], i: usize) -> f64 {
    let n = u.len();
    let (left, right) = match (i == 0, i + 1 == n) {
        (true, true) => (u[0], u[0]),
        (true, false) => (2.0 * u[0] - u[1], u[1]),
        (false, true) => (u[i - 1], u[i] * u[i]),
        (false, false) => (u[i - 1], u[i + 1]),
    };
    left * right - u[i]
}

#[test]
fn match_on_a_tuple_of_booleans() {
    let u = [0.4, -0.8, 1.3];
    for i in 0..3 {
        let (value, gradient) = stencil_weight::value_and_gradient(&u, i);
        check("stencil", |v| stencil_weight(v, i), &u, value, &gradient);
    }
    let (value, gradient) = stencil_weight::value_and_gradient(&u[..1], 0);
    check("single", |v| stencil_weight(v, 0), &u[..1], value, &gradient);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn stack_machine(code: &[u8], x: f64, y: f64) -> f64 {
    let mut stack = [0.0; 8];
    let mut top = 0;
    for &op in code {
        match op {
            b'x' => {
                stack[top] = x;
                top += 1;
            }
            b'y' => {
                stack[top] = y;
                top += 1;
            }
            b'+' | b'*' => {
                top -= 1;
                let b = stack[top];
                if op == b'+' {
                    stack[top - 1] += b;
                } else {
                    stack[top - 1] *= b;
                }
            }
            b's' => stack[top - 1] = stack[top - 1].sin(),
            b'd' => {
                stack[top] = stack[top - 1];
                top += 1;
            }
            _ => panic!("unknown operation {op}"),
        }
    }
    stack[0]
}

#[test]
fn an_interpreter() {
    let at = [0.7, -1.2];
    for code in ["xy*sx+", "xd*d*y+", "xyxy+*+s"] {
        let (value, x_adj, y_adj) = stack_machine::adjoint(code.as_bytes(), at[0], at[1], 1.0);
        let f = |v: &[f64]| stack_machine(code.as_bytes(), v[0], v[1]);
        check(code, f, &at, value, &[x_adj, y_adj]);
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Activation {
    Tanh,
    Softplus,
    Square,
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn activate(x: &mut [f64], #[constant] kinds: &[Activation]) {
    for i in 0..x.len() {
        let kind = kinds[i % kinds.len()];
        x[i] = match kind {
            Activation::Tanh => x[i].tanh(),
            Activation::Softplus => x[i].exp().ln_1p(),
            Activation::Square if i > 3 => x[i] * x[i] * x[i],
            Activation::Square => x[i] * x[i],
        };
        if kind == Activation::Tanh {
            x[i] *= 2.0;
        }
    }
}

#[test]
fn match_on_an_enum() {
    let kinds = [Activation::Tanh, Activation::Softplus, Activation::Square];
    let at = crate::sample(6, 0.3);
    let (mut x, mut x_adj) = (at.clone(), crate::weights(6));
    activate::adjoint(&mut x, &mut x_adj, &kinds);
    let f = |v: &[f64]| {
        let mut x = v.to_vec();
        activate(&mut x, &kinds);
        crate::combine(&x)
    };
    check("activate", f, &at, crate::combine(&x), &x_adj);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn piecewise(x: f64) -> f64 {
    let mut y = x;
    match (x < -1.0, x < 1.0) {
        (true, _) => y = x * x,
        (_, true) => {
            if x > 0.5 {
                return x.exp();
            }
            y += x * x * x;
        }
        _ => {}
    }
    y * y
}

#[test]
fn match_as_a_statement_with_a_return() {
    for x in [-1.5, 0.2, 0.8, 1.7] {
        let (value, x_adj) = piecewise::adjoint(x, 1.0);
        check("piecewise", |v| piecewise(v[0]), &[x], value, &[x_adj]);
    }
}
