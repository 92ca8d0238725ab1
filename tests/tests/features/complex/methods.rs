//! Methods and associated functions, one by one.

use super::{c, check_at, parts};
use ad_runtime::differentiate;
use ad_tests::check::{assert_exact, check};
use num_complex::{Complex, Complex32, Complex64};

/// Away from branch cuts and poles: in all quadrants, on an axis, farther out.
const POINTS: [Complex64; 7] = [
    Complex64::new(0.7, 0.4),
    Complex64::new(-0.6, 0.9),
    Complex64::new(-1.3, -0.5),
    Complex64::new(0.3, -1.1),
    Complex64::new(0.8, 0.0),
    Complex64::new(0.4, 0.3),
    Complex64::new(2.5, 1.5),
];

/// Seeds are weights: the loss is `Re(conj(seed) · f(z))`.
const SEED: Complex64 = Complex64::new(0.6, -1.7);

fn weigh(value: Complex64) -> f64 {
    (SEED.conj() * value).re
}

macro_rules! complex_methods {
    ($($name:ident: $(($z:ident) $slope:expr)?;)*) => {$(
        mod $name {
            use super::*;

            #[differentiate(reverse)]
            fn method(z: Complex64) -> Complex64 {
                z.$name()
            }

            #[test]
            fn agrees_with_differences_and_its_formula() {
                for z in POINTS {
                    let (value, z_adj) = method::adjoint(z, SEED);
                    check_at(stringify!($name), &[z], |z| weigh(method(z[0])), (weigh(value), vec![z_adj]));
                    $(
                        let $z = z;
                        let slope: Complex64 = $slope;
                        let expected = SEED * slope.conj();
                        assert_exact(stringify!($name), &parts(&[z_adj]), &parts(&[expected]));
                    )?
                }
            }

            #[test]
            fn a_zero_seed_gives_zero() {
                for z in [c(0.0, 0.0), c(1.0, 0.0), c(-1.0, 0.0), c(0.0, 1.0), c(0.0, -1.0)] {
                    assert_eq!(method::adjoint(z, c(0.0, 0.0)).1, c(0.0, 0.0), "at {z}");
                }
            }
        }
    )*};
}

complex_methods! {
    exp: (z) z.exp();
    exp2: (z) z.exp2() * 2.0_f64.ln();
    ln: (z) 1.0 / z;
    log2: (z) 1.0 / (z * 2.0_f64.ln());
    log10: (z) 1.0 / (z * 10.0_f64.ln());
    sqrt: (z) 0.5 / z.sqrt();
    cbrt: (z) z.cbrt() / (3.0 * z);
    inv: (z) -1.0 / (z * z);
    sin: (z) z.cos();
    cos: (z) -z.sin();
    tan: (z) 1.0 + z.tan() * z.tan();
    sinh: (z) z.cosh();
    cosh: (z) z.sinh();
    tanh: (z) 1.0 - z.tanh() * z.tanh();
    asin: (z) 1.0 / (1.0 - z * z).sqrt();
    acos: (z) -1.0 / (1.0 - z * z).sqrt();
    atan: (z) 1.0 / (1.0 + z * z);
    asinh: (z) 1.0 / (1.0 + z * z).sqrt();
    atanh: (z) 1.0 / (1.0 - z * z);
    conj: ;
}

#[differentiate(reverse)]
fn acosh(z: Complex64) -> Complex64 {
    z.acosh()
}

#[test]
fn acosh_off_its_cut() {
    for z in POINTS.into_iter().filter(|z| z.im != 0.0) {
        let (value, z_adj) = acosh::adjoint(z, SEED);
        check_at("acosh", &[z], |z| weigh(acosh(z[0])), (weigh(value), vec![z_adj]));
    }
    assert_eq!(acosh::adjoint(c(1.0, 0.0), c(0.0, 0.0)).1, c(0.0, 0.0));
}

#[differentiate(reverse)]
fn norm(z: Complex64) -> f64 {
    z.norm()
}

#[differentiate(reverse)]
fn norm_sqr(z: Complex64) -> f64 {
    z.norm_sqr()
}

#[differentiate(reverse)]
fn arg(z: Complex64) -> f64 {
    z.arg()
}

#[differentiate(reverse)]
fn polar(z: Complex64) -> f64 {
    let (r, theta) = z.to_polar();
    r * theta
}

#[test]
fn real_valued_methods() {
    for z in POINTS {
        let with = |f: fn(Complex64) -> f64, found: (f64, Complex64)| {
            check_at("real", &[z], |z| f(z[0]), (found.0, vec![found.1]));
        };
        with(norm, norm::value_and_gradient(z));
        with(norm_sqr, norm_sqr::value_and_gradient(z));
        with(arg, arg::value_and_gradient(z));
        with(polar, polar::value_and_gradient(z));
    }
}

#[test]
fn modulus_and_argument_at_zero_and_far_out() {
    assert_eq!(norm::gradient(c(0.0, 0.0)), c(0.0, 0.0));
    assert_eq!(norm_sqr::gradient(c(0.0, 0.0)), c(0.0, 0.0));
    assert_eq!(arg::gradient(c(0.0, 0.0)), c(0.0, 0.0));
    assert_eq!(polar::gradient(c(0.0, 0.0)), c(0.0, 0.0));
    // z / |z| and i z / |z|², whose squares overflow or vanish.
    for scale in [1e200, 1e-200, 1e300, 1e-300] {
        let z = c(3.0 * scale, 4.0 * scale);
        assert_exact("norm", &parts(&[norm::gradient(z)]), &[0.6, 0.8]);
        let around = arg::gradient(z) * scale;
        assert_exact("arg", &parts(&[around]), &[-0.16, 0.12]);
    }
}

#[differentiate(reverse)]
fn quotient(a: Complex64, b: Complex64) -> Complex64 {
    a / b
}

#[differentiate(reverse)]
fn logarithm(z: Complex64) -> Complex64 {
    z.ln()
}

#[differentiate(reverse)]
fn root(z: Complex64) -> Complex64 {
    z.sqrt()
}

#[test]
fn inverses_do_not_overflow() {
    for scale in [1e200, 1e-200] {
        let z = c(3.0 * scale, 4.0 * scale);
        // 1 / (3 + 4i) = (3 - 4i) / 25, conjugated.
        let (_, z_adj) = logarithm::adjoint(z, c(1.0, 0.0));
        assert_exact("ln", &parts(&[z_adj * scale]), &[0.12, 0.16]);
        // √(3 + 4i) = 2 + i, so the slope is (2 - i) / 10.
        let (_, z_adj) = root::adjoint(z, c(1.0, 0.0));
        assert_exact("sqrt", &parts(&[z_adj * scale.sqrt()]), &[0.2, 0.1]);
    }
    let (_, a_adj, b_adj) = quotient::adjoint(c(0.0, 0.0), c(3e200, 4e200), c(1.0, 0.0));
    assert_exact("quotient", &parts(&[a_adj * 1e200]), &[0.12, 0.16]);
    assert_eq!(b_adj, c(0.0, 0.0));
    // A root at 0 has an infinite slope, as that of a real number.
    assert_eq!(root::adjoint(c(0.0, 0.0), c(1.0, 0.0)).1.re, f64::INFINITY);
}

#[differentiate(reverse)]
fn real_power(z: Complex64, p: f64) -> Complex64 {
    z.powf(p)
}

#[differentiate(reverse)]
fn complex_power(z: Complex64, w: Complex64) -> Complex64 {
    z.powc(w)
}

#[differentiate(reverse)]
fn integer_power(z: Complex64, n: i32) -> Complex64 {
    z.powi(n)
}

#[differentiate(reverse)]
fn counted_power(z: Complex64, n: u32) -> Complex64 {
    z.powu(n)
}

#[test]
fn powers() {
    for z in POINTS {
        for p in [0.5, 2.0, -1.3] {
            let (value, z_adj, p_adj) = real_power::adjoint(z, p, SEED);
            let f = |x: &[f64]| weigh(real_power(c(x[0], x[1]), x[2]));
            check("powf", f, &[z.re, z.im, p], weigh(value), &[z_adj.re, z_adj.im, p_adj]);
        }
        let w = c(0.8, -0.3);
        let (value, z_adj, w_adj) = complex_power::adjoint(z, w, SEED);
        let f = |x: &[Complex64]| weigh(complex_power(x[0], x[1]));
        check_at("powc", &[z, w], f, (weigh(value), vec![z_adj, w_adj]));
        for n in [-2, 1, 2, 5] {
            let (value, z_adj) = integer_power::adjoint(z, n, SEED);
            check_at("powi", &[z], |z| weigh(integer_power(z[0], n)), (weigh(value), vec![z_adj]));
        }
        for n in [1, 2, 5] {
            let (value, z_adj) = counted_power::adjoint(z, n, SEED);
            check_at("powu", &[z], |z| weigh(counted_power(z[0], n)), (weigh(value), vec![z_adj]));
        }
    }
}

#[test]
fn powers_of_zero() {
    let zero = c(0.0, 0.0);
    assert_eq!(integer_power::adjoint(zero, 0, SEED).1, zero);
    assert_eq!(integer_power::adjoint(zero, 1, SEED).1, SEED);
    assert_eq!(integer_power::adjoint(zero, 2, SEED).1, zero);
    assert_eq!(counted_power::adjoint(zero, 0, SEED).1, zero);
    assert_eq!(counted_power::adjoint(zero, 1, SEED).1, SEED);
    assert_eq!(real_power::adjoint(zero, 2.0, SEED), (zero, zero, 0.0));
    assert_eq!(real_power::adjoint(zero, 1.0, SEED).1, SEED);
    assert_eq!(real_power::adjoint(zero, 0.0, SEED).1, zero);
    assert_eq!(real_power::adjoint(zero, 0.5, c(1.0, 0.0)).1.re, f64::INFINITY);
    assert_eq!(real_power::adjoint(zero, 0.5, zero).1, zero);
    assert_eq!(integer_power::adjoint(c(1.5, -2.0), 0, SEED).1, zero);
}

#[differentiate(reverse)]
fn scaled(z: Complex64, t: f64) -> Complex64 {
    z.scale(t) + z.unscale(1.0 + t * t)
}

#[differentiate(reverse)]
fn bases(z: Complex64, b: f64) -> Complex64 {
    z.log(b) + z.expf(b)
}

#[test]
fn methods_with_a_real_argument() {
    for z in POINTS {
        let (value, z_adj, t_adj) = scaled::adjoint(z, 0.7, SEED);
        let f = |x: &[f64]| weigh(scaled(c(x[0], x[1]), x[2]));
        check("scale", f, &[z.re, z.im, 0.7], weigh(value), &[z_adj.re, z_adj.im, t_adj]);
        let (value, z_adj, b_adj) = bases::adjoint(z, 2.3, SEED);
        let f = |x: &[f64]| weigh(bases(c(x[0], x[1]), x[2]));
        check("log, expf", f, &[z.re, z.im, 2.3], weigh(value), &[z_adj.re, z_adj.im, b_adj]);
    }
}

#[differentiate(reverse)]
fn made(x: f64, y: f64) -> Complex64 {
    let parts = Complex::new(x, y) * Complex64::new(y, 1.0);
    let literal = Complex { re: x * y, im: x };
    Complex64::from_polar(x, y)
        + Complex64::cis(x) * parts
        + Complex64::from(y) / literal
        + Complex64::i() * y
}

#[test]
fn numbers_made_of_real_ones() {
    for (x, y) in [(0.7, 0.4), (-1.2, 2.1), (0.3, -0.6)] {
        let (value, x_adj, y_adj) = made::adjoint(x, y, SEED);
        check("made", |v| weigh(made(v[0], v[1])), &[x, y], weigh(value), &[x_adj, y_adj]);
    }
}

#[differentiate(reverse)]
fn taken_apart(z: Complex64) -> f64 {
    let Complex { re, im } = z;
    z.re * z.im.sin() + re * im * im
}

#[test]
fn parts_of_numbers() {
    for z in POINTS {
        let (value, z_adj) = taken_apart::value_and_gradient(z);
        check_at("taken_apart", &[z], |z| taken_apart(z[0]), (value, vec![z_adj]));
    }
}

#[differentiate(reverse)]
fn single(z: Complex32, gain: f32) -> f32 {
    let w = (z * gain).exp() / (z + 1.0) - 2.0 * z.conj();
    w.norm_sqr()
}

/// The same in double precision.
fn double(z: Complex64, gain: f64) -> f64 {
    ((z * gain).exp() / (z + 1.0) - 2.0 * z.conj()).norm_sqr()
}

#[test]
fn single_precision() {
    let (z_adj, gain_adj) = single::gradient(Complex32::new(0.7, -0.4), 1.2);
    let h = 1e-5;
    let d = |f: &dyn Fn(f64) -> f64| (f(h) - f(-h)) / (2.0 * h);
    let z = c(f64::from(0.7_f32), f64::from(-0.4_f32));
    let gain = f64::from(1.2_f32);
    let expected = [
        d(&|h| double(z + h, gain)),
        d(&|h| double(z + c(0.0, h), gain)),
        d(&|h| double(z, gain + h)),
    ];
    // Some ten operations in single precision: a few units of 10⁻⁷ of values near ten.
    for (got, want) in [z_adj.re, z_adj.im, gain_adj].into_iter().zip(expected) {
        assert!((f64::from(got) - want).abs() <= 1e-5 * want.abs().max(1.0), "{got} and {want}");
    }
}
