//! Linear algebra: products, factorisations and solves in place, iterations.

use crate::{check, combine, sample, weights};
use ad_runtime::differentiate;
use ad_tests::check::assert_dual;
use num_dual::DualNum;

#[differentiate(reverse, forward, second_order, cross_check)]
fn matrix_product(a: &[f64], b: &[f64], c: &mut [f64], n: usize) {
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] += sum;
        }
    }
}

#[test]
fn a_matrix_product() {
    let at = sample(12, 0.3);
    let (mut a_adj, mut b_adj) = (vec![0.0; 4], vec![0.0; 4]);
    let (mut c, mut c_adj) = (at[8..].to_vec(), weights(4));
    matrix_product::adjoint(&at[..4], &mut a_adj, &at[4..8], &mut b_adj, &mut c, &mut c_adj, 2);
    let f = |v: &[f64]| {
        let mut c = v[8..].to_vec();
        matrix_product(&v[..4], &v[4..8], &mut c, 2);
        combine(&c)
    };
    check("product", f, &at, combine(&c), &[a_adj, b_adj, c_adj].concat());
}

/// Thomas algorithm; the result is in `d`.
#[differentiate(reverse, forward, second_order, cross_check)]
fn tridiagonal_solve(lower: &[f64], diagonal: &mut [f64], upper: &[f64], d: &mut [f64]) {
    let n = d.len();
    for i in 1..n {
        let m = lower[i - 1] / diagonal[i - 1];
        diagonal[i] -= m * upper[i - 1];
        d[i] -= m * d[i - 1];
    }
    d[n - 1] /= diagonal[n - 1];
    for i in (0..n - 1).rev() {
        d[i] = (d[i] - upper[i] * d[i + 1]) / diagonal[i];
    }
}

#[test]
fn a_tridiagonal_system() {
    let at = [0.4, -0.3, 0.2, 2.0, 2.5, 1.8, 2.2, 0.5, 0.1, -0.6, 1.0, -1.0, 0.5, 0.3];
    let (mut lower_adj, mut upper_adj) = ([0.0; 3], [0.0; 3]);
    let (mut diagonal, mut diagonal_adj) = (at[3..7].to_vec(), vec![0.0; 4]);
    let (mut d, mut d_adj) = (at[10..].to_vec(), weights(4));
    tridiagonal_solve::adjoint(
        &at[..3],
        &mut lower_adj,
        &mut diagonal,
        &mut diagonal_adj,
        &at[7..10],
        &mut upper_adj,
        &mut d,
        &mut d_adj,
    );
    let f = |v: &[f64]| {
        let (mut diagonal, mut d) = (v[3..7].to_vec(), v[10..].to_vec());
        tridiagonal_solve(&v[..3], &mut diagonal, &v[7..10], &mut d);
        combine(&d)
    };
    let gradient = [&lower_adj[..], &diagonal_adj, &upper_adj, &d_adj].concat();
    check("tridiagonal", f, &at, combine(&d), &gradient);
}

/// Cholesky factorisation of the lower triangle in place; returns the log-determinant.
#[differentiate(reverse, forward, second_order, cross_check)]
fn cholesky(a: &mut [f64], n: usize) -> f64 {
    let mut log_determinant = 0.0;
    for j in 0..n {
        for k in 0..j {
            let factor = a[j * n + k];
            for i in j..n {
                a[i * n + j] -= a[i * n + k] * factor;
            }
        }
        let pivot = a[j * n + j].sqrt();
        for i in j..n {
            a[i * n + j] /= pivot;
        }
        log_determinant += 2.0 * pivot.ln();
    }
    log_determinant
}

#[test]
fn a_cholesky_factorisation() {
    let at = [4.0, 0.0, 0.0, 1.0, 3.0, 0.0, 0.5, -0.4, 2.0];
    let w = [1.0, 0.0, 0.0, -2.0, 3.0, 0.0, 0.5, 1.5, -1.0];
    let (mut a, mut a_adj) = (at, w);
    let value = cholesky::adjoint(&mut a, &mut a_adj, 3, 1.0);
    let f = |v: &[f64]| {
        let mut a = v.to_vec();
        let value = cholesky(&mut a, 3);
        value + a.iter().zip(&w).map(|(a, w)| a * w).sum::<f64>()
    };
    let shown = value + a.iter().zip(&w).map(|(a, w)| a * w).sum::<f64>();
    check("cholesky", f, &at, shown, &a_adj);
}

/// Gaussian elimination with row pivoting; `b` becomes the solution.
#[differentiate(reverse, forward, second_order, cross_check)]
fn lu_solve(a: &mut [f64], b: &mut [f64], n: usize) -> f64 {
    let mut determinant = 1.0;
    for k in 0..n {
        let mut p = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[p * n + k].abs() {
                p = i;
            }
        }
        if p != k {
            for j in 0..n {
                a.swap(k * n + j, p * n + j);
            }
            b.swap(k, p);
            determinant = -determinant;
        }
        determinant *= a[k * n + k];
        for i in k + 1..n {
            let m = a[i * n + k] / a[k * n + k];
            for j in k..n {
                a[i * n + j] -= m * a[k * n + j];
            }
            b[i] -= m * b[k];
        }
    }
    for i in (0..n).rev() {
        let mut sum = b[i];
        for j in i + 1..n {
            sum -= a[i * n + j] * b[j];
        }
        b[i] = sum / a[i * n + i];
    }
    determinant
}

#[test]
fn an_elimination_with_pivots() {
    let at = [0.2, 1.5, -0.7, 2.0, 0.3, 0.6, -0.9, 0.8, 1.7, 1.0, -0.5, 0.4];
    let (mut a, mut a_adj) = (at[..9].to_vec(), vec![0.0; 9]);
    let (mut b, mut b_adj) = (at[9..].to_vec(), weights(3));
    let value = lu_solve::adjoint(&mut a, &mut a_adj, &mut b, &mut b_adj, 3, 1.0);
    let f = |v: &[f64]| {
        let (mut a, mut b) = (v[..9].to_vec(), v[9..].to_vec());
        lu_solve(&mut a, &mut b, 3) + combine(&b)
    };
    check("elimination", f, &at, value + combine(&b), &[a_adj, b_adj].concat());
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn gauss_seidel(a: &[[f64; 3]; 3], b: &[f64; 3], sweeps: usize) -> [f64; 3] {
    let mut x = [0.0; 3];
    for _ in 0..sweeps {
        for i in 0..3 {
            let mut r = b[i];
            for j in 0..3 {
                if j != i {
                    r -= a[i][j] * x[j];
                }
            }
            x[i] = r / a[i][i];
        }
    }
    x
}

#[test]
fn gauss_seidel_sweeps() {
    let at = [3.0, 0.5, -0.4, 0.2, 2.5, 0.7, -0.3, 0.6, 4.0, 1.0, -2.0, 0.5];
    let split = |v: &[f64]| {
        ([[v[0], v[1], v[2]], [v[3], v[4], v[5]], [v[6], v[7], v[8]]], [v[9], v[10], v[11]])
    };
    let (a, b) = split(&at);
    let (mut a_adj, mut b_adj) = ([[0.0; 3]; 3], [0.0; 3]);
    let x = gauss_seidel::adjoint(&a, &mut a_adj, &b, &mut b_adj, 4, [1.0, -2.0, 3.0]);
    let f = |v: &[f64]| {
        let (a, b) = split(v);
        combine(&gauss_seidel(&a, &b, 4))
    };
    check("gauss-seidel", f, &at, combine(&x), &[a_adj.concat(), b_adj.to_vec()].concat());
}

/// Rayleigh quotient after some steps of the power method.
#[differentiate(reverse, forward, second_order, cross_check)]
fn power_iteration(a: &[f64], start: &[f64], steps: usize) -> f64 {
    let n = start.len();
    let mut x = start.to_vec();
    let mut y = vec![0.0; n];
    let mut quotient = 0.0;
    for _ in 0..steps {
        let mut norm = 0.0;
        for i in 0..n {
            y[i] = 0.0;
            for j in 0..n {
                y[i] += a[i * n + j] * x[j];
            }
            norm += y[i] * y[i];
        }
        let norm = norm.sqrt();
        quotient = 0.0;
        for i in 0..n {
            quotient += x[i] * y[i];
            x[i] = y[i] / norm;
        }
    }
    quotient
}

#[test]
fn a_power_iteration() {
    fn twin<D: DualNum<Primitive = f64> + Copy>(v: &[D]) -> D {
        let (a, start) = v.split_at(4);
        let mut x = [start[0], start[1]];
        let mut quotient = D::from(0.0);
        for _ in 0..3 {
            let y = [a[0] * x[0] + a[1] * x[1], a[2] * x[0] + a[3] * x[1]];
            let norm = (y[0] * y[0] + y[1] * y[1]).sqrt();
            quotient = x[0] * y[0] + x[1] * y[1];
            x = y.map(|y| y / norm);
        }
        quotient
    }
    let at = [2.0, 0.3, 0.4, 1.5, 0.6, 0.8];
    let (value, (a, start)) = power_iteration::value_and_gradient(&at[..4], &at[4..], 3);
    let gradient = [a, start].concat();
    check("power", |v| power_iteration(&v[..4], &v[4..], 3), &at, value, &gradient);
    assert_dual("power", value, twin, &at, &gradient);
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn conjugate_gradient(a: &[f64], b: &[f64], steps: usize) -> f64 {
    let n = b.len();
    let mut x = vec![0.0; n];
    let mut r = b.to_vec();
    let mut p = r.clone();
    let mut rr = 0.0;
    for v in &r {
        rr += v * v;
    }
    for _ in 0..steps {
        let mut ap = vec![0.0; n];
        let mut pap = 0.0;
        for i in 0..n {
            for j in 0..n {
                ap[i] += a[i * n + j] * p[j];
            }
            pap += p[i] * ap[i];
        }
        let alpha = rr / pap;
        let mut next = 0.0;
        for i in 0..n {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
            next += r[i] * r[i];
        }
        let beta = next / rr;
        rr = next;
        for i in 0..n {
            p[i] = r[i] + beta * p[i];
        }
    }
    let mut s = 0.0;
    for i in 0..n {
        s += x[i] * b[i];
    }
    s
}

#[test]
fn conjugate_gradients() {
    let at = [3.0, 0.5, 0.2, 0.5, 2.0, -0.3, 0.2, -0.3, 4.0, 1.0, -0.5, 0.8];
    let (value, (a, b)) = conjugate_gradient::value_and_gradient(&at[..9], &at[9..], 2);
    let f = |v: &[f64]| conjugate_gradient(&v[..9], &v[9..], 2);
    check("conjugate", f, &at, value, &[a, b].concat());
}

/// Modified Gram-Schmidt on three columns; the diagonal is returned.
#[differentiate(reverse, forward, second_order, cross_check)]
fn orthogonalise(q: &mut [[f64; 3]; 3]) -> (f64, f64, f64) {
    let mut r = [0.0; 3];
    for j in 0..3 {
        for k in 0..j {
            let mut s = 0.0;
            for i in 0..3 {
                s += q[k][i] * q[j][i];
            }
            for i in 0..3 {
                q[j][i] -= s * q[k][i];
            }
        }
        let [a, b, c] = q[j];
        r[j] = (a * a + b * b + c * c).sqrt();
        for v in q[j].iter_mut() {
            *v /= r[j];
        }
    }
    (r[0], r[1], r[2])
}

#[test]
fn a_gram_schmidt_process() {
    let at = [1.0, 0.3, -0.2, 0.4, 1.2, 0.5, -0.3, 0.6, 0.9];
    let split = |v: &[f64]| [[v[0], v[1], v[2]], [v[3], v[4], v[5]], [v[6], v[7], v[8]]];
    let w = weights(9);
    let (mut q, mut q_adj) = (split(&at), split(&w));
    let (a, b, c) = orthogonalise::adjoint(&mut q, &mut q_adj, (1.0, 10.0, -3.0));
    let f = |v: &[f64]| {
        let mut q = split(v);
        let (a, b, c) = orthogonalise(&mut q);
        a + 10.0 * b - 3.0 * c + combine(&q.concat())
    };
    check("gram-schmidt", f, &at, a + 10.0 * b - 3.0 * c + combine(&q.concat()), &q_adj.concat());
}
