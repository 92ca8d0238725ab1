//! Time stepping: Runge-Kutta, leapfrog, implicit steps, stencils.

use crate::{check, combine, sample, weights};
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn predator_prey(u: [f64; 2], p: &[f64; 4]) -> [f64; 2] {
    let [x, y] = u;
    [p[0] * x - p[1] * x * y, p[2] * x * y - p[3] * y]
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn runge_kutta(start: [f64; 2], p: &[f64; 4], h: f64, steps: usize) -> [f64; 2] {
    let mut u = start;
    for _ in 0..steps {
        let k1 = predator_prey(u, p);
        let k2 = predator_prey([u[0] + 0.5 * h * k1[0], u[1] + 0.5 * h * k1[1]], p);
        let k3 = predator_prey([u[0] + 0.5 * h * k2[0], u[1] + 0.5 * h * k2[1]], p);
        let k4 = predator_prey([u[0] + h * k3[0], u[1] + h * k3[1]], p);
        for i in 0..2 {
            u[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    u
}

#[test]
fn runge_kutta_steps() {
    let at = [1.0, 0.5, 1.1, 0.4, 0.3, 0.6, 0.1];
    let split = |v: &[f64]| ([v[0], v[1]], [v[2], v[3], v[4], v[5]], v[6]);
    let (start, p, h) = split(&at);
    let mut p_adj = [0.0; 4];
    let (u, start_adj, h_adj) = runge_kutta::adjoint(start, &p, &mut p_adj, h, 6, [1.0, -2.0]);
    let f = |v: &[f64]| {
        let (start, p, h) = split(v);
        combine(&runge_kutta(start, &p, h, 6))
    };
    check("runge-kutta", f, &at, combine(&u), &[&start_adj[..], &p_adj, &[h_adj]].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn forces(q: &[f64], f: &mut [f64], k: f64) {
    let n = q.len();
    f.fill(0.0);
    for i in 1..n {
        let stretch = q[i] - q[i - 1] - 1.0;
        let pull = k * stretch + 0.3 * stretch.powi(3);
        f[i] -= pull;
        f[i - 1] += pull;
    }
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn leapfrog(q: &mut [f64], v: &mut [f64], k: f64, h: f64, steps: usize) -> f64 {
    let n = q.len();
    let mut f = vec![0.0; n];
    forces(q, &mut f, k);
    for _ in 0..steps {
        for i in 0..n {
            v[i] += 0.5 * h * f[i];
            q[i] += h * v[i];
        }
        forces(q, &mut f, k);
        for i in 0..n {
            v[i] += 0.5 * h * f[i];
        }
    }
    let mut kinetic = 0.0;
    for x in v.iter() {
        kinetic += 0.5 * x * x;
    }
    kinetic
}

#[test]
fn a_leapfrog_integrator() {
    let at = [0.0, 1.2, 1.9, 0.1, -0.2, 0.4, 1.3, 0.15];
    let (mut q, mut v) = (at[..3].to_vec(), at[3..6].to_vec());
    let (mut q_adj, mut v_adj) = (weights(3), vec![0.0; 3]);
    let (value, k_adj, h_adj) =
        leapfrog::adjoint(&mut q, &mut q_adj, &mut v, &mut v_adj, at[6], at[7], 5, 1.0);
    let f = |x: &[f64]| {
        let (mut q, mut v) = (x[..3].to_vec(), x[3..6].to_vec());
        leapfrog(&mut q, &mut v, x[6], x[7], 5) + combine(&q)
    };
    check("leapfrog", f, &at, value + combine(&q), &[q_adj, v_adj, vec![k_adj, h_adj]].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn burgers(u: &mut Vec<f64>, work: &mut Vec<f64>, c: f64, steps: usize) {
    let n = u.len();
    for _ in 0..steps {
        work[0] = u[0];
        for i in 1..n {
            work[i] = u[i] - c * u[i] * (u[i] - u[i - 1]);
        }
        std::mem::swap(u, work);
    }
}

#[test]
fn two_buffers_that_trade_places() {
    let at = [sample(10, 0.2), vec![0.3]].concat();
    for steps in [0, 1, 2, 5] {
        let (mut u, mut work) = (at[..5].to_vec(), at[5..10].to_vec());
        let (mut u_adj, mut work_adj) = (weights(5), vec![1.0; 5]);
        let c_adj = burgers::adjoint(&mut u, &mut u_adj, &mut work, &mut work_adj, at[10], steps);
        let f = |v: &[f64]| {
            let (mut u, mut work) = (v[..5].to_vec(), v[5..10].to_vec());
            burgers(&mut u, &mut work, v[10], steps);
            combine(&u) + work.iter().sum::<f64>()
        };
        let value = combine(&u) + work.iter().sum::<f64>();
        check("burgers", f, &at, value, &[u_adj, work_adj, vec![c_adj]].concat());
    }
}

/// An implicit Euler step, solved by Newton's method in each step.
#[differentiate(reverse, forward, second_order, cross_check)]
fn implicit_decay(y0: f64, k: f64, h: f64, steps: usize) -> f64 {
    let mut y = y0;
    for _ in 0..steps {
        let old = y;
        for _ in 0..20 {
            let residual = y - old + h * k * y * y * y;
            let slope = 1.0 + 3.0 * h * k * y * y;
            let change = residual / slope;
            y -= change;
            if change.abs() < 1e-15 {
                break;
            }
        }
    }
    y
}

#[test]
fn implicit_steps() {
    let at = [1.4, 0.8, 0.2];
    let (value, y_adj, k_adj, h_adj) = implicit_decay::adjoint(at[0], at[1], at[2], 4, 1.0);
    let f = |v: &[f64]| implicit_decay(v[0], v[1], v[2], 4);
    check("implicit", f, &at, value, &[y_adj, k_adj, h_adj]);
}

/// Steps whose length follows from an error estimate; the last one is cut.
#[differentiate(reverse, forward, second_order, cross_check)]
fn adaptive_steps(y0: f64, rate: f64, end: f64) -> f64 {
    let (mut t, mut y) = (0.0, y0);
    let mut h = 0.1;
    while t < end {
        if t + h > end {
            h = end - t;
        }
        let slope = -rate * y + t.sin();
        let middle = y + 0.5 * h * slope;
        let better = y + h * (-rate * middle + (t + 0.5 * h).sin());
        let error = (better - y - h * slope).abs();
        if error > 0.05 {
            h *= 0.5;
            continue;
        }
        t += h;
        y = better;
        if error < 0.01 {
            h *= 1.3;
        }
    }
    y
}

#[test]
fn steps_of_varying_length() {
    let at = [2.0, 1.5, 1.45];
    let (value, y_adj, rate_adj, end_adj) = adaptive_steps::adjoint(at[0], at[1], at[2], 1.0);
    let f = |v: &[f64]| adaptive_steps(v[0], v[1], v[2]);
    check("adaptive", f, &at, value, &[y_adj, rate_adj, end_adj]);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn wave(u: &[f64], speed: &[f64], steps: usize) -> f64 {
    let n = u.len();
    let (mut old, mut now) = (u.to_vec(), u.to_vec());
    let mut trace = 0.0;
    for t in 0..steps {
        for i in 0..n {
            let left = now[if i == 0 { n - 1 } else { i - 1 }];
            let right = now[(i + 1) % n];
            // `old` is overwritten with the new state, then the names are exchanged
            old[i] = 2.0 * now[i] - old[i] + speed[i] * speed[i] * (left - 2.0 * now[i] + right);
        }
        std::mem::swap(&mut old, &mut now);
        trace += now[0] * now[1] * (t + 1) as f64;
    }
    trace
}

#[test]
fn a_wave_on_a_ring() {
    let at = [sample(4, 0.3), vec![0.5, 0.7, 0.4, 0.6]].concat();
    let (value, (u, speed)) = wave::value_and_gradient(&at[..4], &at[4..], 5);
    let f = |v: &[f64]| wave(&v[..4], &v[4..], 5);
    check("wave", f, &at, value, &[u, speed].concat());
}

/// Reaction and diffusion of two species on a square grid.
#[differentiate(reverse, forward, second_order, cross_check)]
fn brusselator(u: &[f64], du: &mut [f64], n: usize, p: &[f64; 3]) {
    let cells = n * n;
    let (du0, du1) = du.split_at_mut(cells);
    for i in 0..n {
        for j in 0..n {
            let at = i * n + j;
            let up = (i + n - 1) % n * n + j;
            let down = (i + 1) % n * n + j;
            let left = i * n + (j + n - 1) % n;
            let right = i * n + (j + 1) % n;
            let (x, y) = (u[at], u[cells + at]);
            let reaction = x * x * y;
            let spread = u[up] + u[down] + u[left] + u[right] - 4.0 * x;
            du0[at] = p[0] + reaction - (p[1] + 1.0) * x + p[2] * spread;
            let spread =
                u[cells + up] + u[cells + down] + u[cells + left] + u[cells + right] - 4.0 * y;
            du1[at] = p[1] * x - reaction + p[2] * spread;
        }
    }
}

#[test]
fn reaction_and_diffusion() {
    let at = [sample(18, 0.3), vec![1.1, 2.9, 0.2]].concat();
    let p = |v: &[f64]| [v[18], v[19], v[20]];
    let (mut u_adj, mut p_adj) = (vec![0.0; 18], [0.0; 3]);
    let (mut du, mut du_adj) = (vec![0.0; 18], weights(18));
    brusselator::adjoint(&at[..18], &mut u_adj, &mut du, &mut du_adj, 3, &p(&at), &mut p_adj);
    let f = |v: &[f64]| {
        let mut du = vec![0.0; 18];
        brusselator(&v[..18], &mut du, 3, &p(v));
        combine(&du)
    };
    check("brusselator", f, &at, combine(&du), &[u_adj, p_adj.to_vec()].concat());
}
