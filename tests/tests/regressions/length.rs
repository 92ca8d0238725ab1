//! What goes wrong only in long functions.

use super::check;
use ad_runtime::differentiate;

/// A product, whose factors go through a chain in which every value is used twice: there are 2^40
/// paths through it, and an analysis that follows each of them never ends.
#[differentiate(reverse, forward, second_order, cross_check)]
fn long_chain(x: &[f64; 3]) -> f64 {
    let mut product = 1.0;
    for v in x {
        let a0 = *v;
        let a1 = 0.5 * (a0 + a0);
        let a2 = 0.5 * (a1 + a1);
        let a3 = 0.5 * (a2 + a2);
        let a4 = 0.5 * (a3 + a3);
        let a5 = 0.5 * (a4 + a4);
        let a6 = 0.5 * (a5 + a5);
        let a7 = 0.5 * (a6 + a6);
        let a8 = 0.5 * (a7 + a7);
        let a9 = 0.5 * (a8 + a8);
        let a10 = 0.5 * (a9 + a9);
        let a11 = 0.5 * (a10 + a10);
        let a12 = 0.5 * (a11 + a11);
        let a13 = 0.5 * (a12 + a12);
        let a14 = 0.5 * (a13 + a13);
        let a15 = 0.5 * (a14 + a14);
        let a16 = 0.5 * (a15 + a15);
        let a17 = 0.5 * (a16 + a16);
        let a18 = 0.5 * (a17 + a17);
        let a19 = 0.5 * (a18 + a18);
        let a20 = 0.5 * (a19 + a19);
        let a21 = 0.5 * (a20 + a20);
        let a22 = 0.5 * (a21 + a21);
        let a23 = 0.5 * (a22 + a22);
        let a24 = 0.5 * (a23 + a23);
        let a25 = 0.5 * (a24 + a24);
        let a26 = 0.5 * (a25 + a25);
        let a27 = 0.5 * (a26 + a26);
        let a28 = 0.5 * (a27 + a27);
        let a29 = 0.5 * (a28 + a28);
        let a30 = 0.5 * (a29 + a29);
        let a31 = 0.5 * (a30 + a30);
        let a32 = 0.5 * (a31 + a31);
        let a33 = 0.5 * (a32 + a32);
        let a34 = 0.5 * (a33 + a33);
        let a35 = 0.5 * (a34 + a34);
        let a36 = 0.5 * (a35 + a35);
        let a37 = 0.5 * (a36 + a36);
        let a38 = 0.5 * (a37 + a37);
        let a39 = 0.5 * (a38 + a38);
        let a40 = 0.5 * (a39 + a39);
        product *= a40;
    }
    product
}

#[test]
fn long_chains_of_shared_operands_expand() {
    let at = [0.5, -2.0, 3.0];
    let (value, x_adj) = long_chain::value_and_gradient(&at);
    check("long chain", |v| long_chain(v.first_chunk().expect("three")), &at, value, &x_adj);
    // Halving a double is exact.
    assert_eq!((value, x_adj), (-3.0, [-6.0, 1.5, -1.0]));
}
