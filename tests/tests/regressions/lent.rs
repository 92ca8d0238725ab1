//! Scalars that are lent to calls as `&mut`, in front of ways out.
//!
//! What is read of such a variable is computed again in the reverse sweep, from the memory as it was: so it
//! has to wait until the call is reversed, also where an exit stands in front of both.

use crate::check;
use ad_runtime::differentiate;

#[differentiate(reverse, forward, second_order, cross_check)]
fn scale(a: &mut f64, b: f64) {
    *a *= b;
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn count(n: &mut usize, x: f64) -> f64 {
    *n += 1;
    x * x
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn behind_return(a: f64, b: f64) -> f64 {
    let mut c = b;
    if c > 100.0 {
        return a;
    }
    let y = a * c;
    scale(&mut c, a);
    y
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn in_front_of_return(a: f64, b: f64) -> f64 {
    let mut c = b;
    scale(&mut c, a);
    if c > 100.0 {
        return c;
    }
    let y = a * c;
    c = a;
    y + c
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn behind_break(a: f64, b: f64) -> f64 {
    let (mut s, mut c) = (1.0, b);
    for _ in 0..3 {
        if c > 200.0 {
            break;
        }
        s *= c;
        scale(&mut c, a);
    }
    s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn behind_continue(a: f64, b: f64) -> f64 {
    let (mut s, mut c) = (1.0, b);
    for k in 0..4 {
        if c < -1.0 || k == 2 {
            continue;
        }
        let t = c * c;
        scale(&mut c, a);
        s += t * c;
    }
    s * c
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn out_of_loop_with_a_value(a: f64, b: f64) -> f64 {
    let mut c = b;
    let mut s = 0.0;
    let last = loop {
        if c > 2.0 {
            break c * s;
        }
        s += c * a;
        scale(&mut c, a);
    };
    last + s
}

#[differentiate(reverse, forward, second_order, cross_check)]
fn behind_match(a: f64, b: f64, k: u8) -> f64 {
    let mut c = b;
    let d = match (c > 100.0, k) {
        (true, _) => return c,
        (false, 0) => c * a,
        (false, _) => c - a,
    };
    let y = d * c;
    scale(&mut c, d);
    if c > 50.0 {
        return y;
    }
    let z = y * c;
    scale(&mut c, z);
    z
}

/// The branch that leaves needs what was read, too.
#[differentiate(reverse, forward, second_order, cross_check)]
fn of_the_exit(a: f64, b: f64, leave: bool) -> f64 {
    let mut c = b;
    let y = a * c;
    if leave {
        return c.sin() * y;
    }
    scale(&mut c, a);
    let mut d = c * c;
    if c > 50.0 {
        return d * c;
    }
    d *= a;
    scale(&mut d, c);
    y + d * c
}

#[differentiate(reverse, forward, cross_check)]
fn applied(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[differentiate(reverse, forward, cross_check)]
fn captured(a: f64, b: f64, leave: bool) -> f64 {
    let mut c = b;
    let y = a * c;
    if leave {
        return c.sin();
    }
    c += applied(|u| u * c, 1.5);
    let d = match c > 40.0 {
        true => return y * c,
        false => c * y,
    };
    c *= applied(|u| u + c * d, a);
    y * d * c
}

/// The length of an adjoint is that of its primal, whatever a call makes of the number.
#[differentiate(reverse, forward, second_order, cross_check)]
fn lengths(a: f64, b: f64) -> f64 {
    let mut n = 2;
    let mut v = vec![a; n];
    let y = count(&mut n, b);
    if n > 5 {
        return y;
    }
    let mut w = vec![y; n];
    let z = count(&mut n, a);
    w[n - 2] *= v[n - 3];
    v[0] += w[1] * z;
    v.iter().sum::<f64>() * w.iter().product::<f64>()
}

type Function = fn(f64, f64) -> f64;
type Companion = fn(f64, f64) -> (f64, (f64, f64));

#[test]
fn what_was_read_waits_for_the_call() {
    let programs: [(&str, Function, Companion); 11] = [
        ("behind_return", behind_return, behind_return::value_and_gradient),
        ("in_front_of_return", in_front_of_return, in_front_of_return::value_and_gradient),
        ("behind_break", behind_break, behind_break::value_and_gradient),
        ("behind_continue", behind_continue, behind_continue::value_and_gradient),
        ("out_of_loop", out_of_loop_with_a_value, out_of_loop_with_a_value::value_and_gradient),
        (
            "behind_match",
            |a, b| behind_match(a, b, 0),
            |a, b| behind_match::value_and_gradient(a, b, 0),
        ),
        (
            "of_the_exit",
            |a, b| of_the_exit(a, b, false),
            |a, b| of_the_exit::value_and_gradient(a, b, false),
        ),
        (
            "of_the_exit",
            |a, b| of_the_exit(a, b, true),
            |a, b| of_the_exit::value_and_gradient(a, b, true),
        ),
        (
            "captured",
            |a, b| captured(a, b, false),
            |a, b| captured::value_and_gradient(a, b, false),
        ),
        ("captured", |a, b| captured(a, b, true), |a, b| captured::value_and_gradient(a, b, true)),
        ("lengths", lengths, lengths::value_and_gradient),
    ];
    for at in [[1.35, 0.7], [1.6, 1.1]] {
        for (name, function, companion) in programs {
            let (value, (a, b)) = companion(at[0], at[1]);
            check(name, |v| function(v[0], v[1]), &at, value, &[a, b]);
        }
    }
    // y = a b
    assert_eq!(behind_return::gradient(0.5, 3.0), (3.0, 0.5));
}
