//! Small programs distilled from public reports, with the values and derivatives they should have.
//!
//! - [`programs`]: the functions, one per report, with natural signatures;
//! - [`ROWS`]: evaluation points, values and derivatives, computed with 60 digits and without Rust;
//! - [`given`]: what the programs take besides the entries of a point;
//! - [`call`]: the same programs behind one flat signature, for finite differences.

mod expected;
pub mod given;
pub mod programs;

pub use expected::ROWS;

/// What kind of point a row is.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Differentiable; central differences agree with `grad`.
    Smooth,
    /// Only defined or finite to the right of the point; one-sided derivative.
    RightSided,
    /// The first `n` entries are data, not variables.
    Only(usize),
    /// An exact-equality branch is taken: `grad` is the limit (what differences show), the slice is the derivative of
    /// the statements that ran, which is ours.
    Path(&'static [f64]),
    /// Not differentiable: `grad` is the recommended choice, which is ours; the slice is the permitted range.
    Choice(&'static [(f64, f64)]),
}

/// A point at which a program was evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Number of the case and a letter for the point.
    pub key: &'static str,
    /// The point, in the order of [`call`].
    pub at: &'static [f64],
    /// Value at the point.
    pub value: f64,
    /// Derivatives by each entry of the point.
    pub grad: &'static [f64],
    /// Selected second derivatives `(i, j, value)`.
    pub second: &'static [(usize, usize, f64)],
    /// How derivatives are to be compared.
    pub kind: Kind,
    /// Step of central differences, if the usual one does not do.
    pub step: Option<f64>,
    /// Tolerance of central differences.
    pub tol: f64,
}

/// Flat form of the program behind a row key.
pub fn call(key: &str) -> fn(&[f64]) -> f64 {
    use given::*;
    use programs::*;
    match key {
        "1" => |v| {
            let mut out = [0.0; 2];
            pair_terms(&v[..3], &[v[3], v[4], v[5]], &mut out);
            out[0] + 0.01 * out[1]
        },
        "3" => |v| two_circles(v[0], v[1], v[2], v[3]),
        "4a" => |v| cube_of(&v[0]),
        "4b" => |v| logistic(v[0], v[1]),
        "5" => |v| LogWell { stiffness: v[1] }.work(1.0, v[0]),
        "7" => |v| generated_cubic(v[0]),
        "8" => |v| run_program(&CODE, &LEFT, &RIGHT, &[2.5], v, &mut [0.0; 8]),
        "9" => |v| chained_quartic(v),
        "11" => |v| {
            let t = Tile::<2, 2>::product(&v[..6], &v[6..], 3);
            let mut s = 0.0;
            for i in 0..2 {
                for j in 0..2 {
                    s += t.acc[i][j].powi(2) * tile_weight(i, j);
                }
            }
            s
        },
        "13" => |v| residual_energy(&mixture(), v[0], v[1], &v[2..]),
        "14" => |v| total_potential(&potentials(v), v[2]),
        "16" => |v| quote_out(v[0], &pool()),
        "17" => |v| f64::from(saddle(v[0] as f32, v[1] as f32)),
        "19" => |v| weighed(&pair_distances(&points(v))),
        "21a" | "21d" => |v| concentration(&[v[0], v[1], v[2]], v[3], Map::LogNormal, 100.0, 3.0),
        "21b" => |v| concentration(&[v[0], v[1], v[2]], v[3], Map::Additive, 100.0, 3.0),
        "21c" => |v| concentration(&[v[0], v[1], v[2]], v[3], Map::Logit, 100.0, 3.0),
        "22" => |v| bearing_height(v[0], v[1]),
        "24a" | "24b" | "24c" | "24d" => |v| pressure_law(v[0], v[1]),
        "25a" | "25b" => |v| sph_j0(v[0]),
        "27" => |v| poisson_ll(v, &[2, 0, 5]),
        "29a" | "29b" => |v| box_distance(&[v[0], v[1], v[2]], &[v[3], v[4], v[5]]),
        "30" => |v| ramp_with_continue(v[0]),
        "32" => |v| assign_in_condition(v[0], v[1]),
        "34" => |v| scale_and_sum(&mut v.to_vec()),
        "35" => |v| fill_then_scale(v[0]),
        "37" => |v| wiped(v[0], v[1]),
        "39" => |v| reuse_parameter(v[0], v[1]),
        "40" => |v| dead_angle(v[0], v[1]),
        "42a" | "42b" => |v| {
            let (x, c) = v.split_last().unwrap();
            poly_shortcut(c, *x)
        },
        "44" => |v| power_rec(v[0], 6),
        "47a" => |v| arm_then_overwrite(v[0], false),
        "47b" => |v| arm_then_overwrite(v[0], true),
        "48" => |v| sum_until_large(v, 10.0),
        "50" => |v| upper_triangle(v, 3),
        "51" => |v| conditional_write(v),
        "53" => |v| decay_until(0.0, v[0], 0.1),
        "54" => |v| {
            let mut out = Vec::new();
            squares_into(v, &mut out);
            weighed(&out)
        },
        "56" => |v| counted(v[0]),
        "57" => |v| kummer(v[0], v[1], v[2]),
        "59" => |v| Workspace { buffer: vec![0.0; v.len()] }.sum_of_squares(v),
        "60" => |v| {
            let mut du = [0.0; 2];
            staged_rhs(&mut du, &v[..2], v[2], &mut [0.0]);
            du[0] + 2.0 * du[1]
        },
        "62" => |v| capped_inverse(v[0]),
        "64" | "64b" => |v| product_with_exit(v),
        "65a" | "65b" => |v| square_with_shortcut(v[0]),
        "66" => |v| through_two_handles(v),
        "68" => |v| diffuse(&v[..5], v[5], 7),
        "70" => |v| nested_cosines(&v[..1], &v[1..]),
        "71" => |v| scaled_totals(v, &[1.0, 2.0, 3.0, 4.0]),
        "73" => |v| across_the_loop(v[0], &v[1..]),
        "75a" | "75b" => |v| best_response(&RESPONSES, v[0]),
        "77" => |v| linkage(&BRANCH, &BODY, &PARENT, &v[..5], &v[5..]),
        "78" => |v| crossed(v[0], v[1]),
        "80" => |v| do_while_power(v[0], 3),
        "82a" | "82b" => |v| squared_norm_the_long_way(v),
        "83a" | "83b" | "83c" => |v| guarded_root(v[0]),
        "85a" | "85b" => |v| heading(v[0], v[1]),
        "86" => |v| stevens(&[0.0, 1.0, 2.0, 4.0], v[0]),
        "88a" | "88b" => |v| xlogy(v[0], v[1]),
        "90a" | "90b" | "90c" => |v| distance(v[0], v[1]),
        "91" => |v| null_spread(v[0]),
        "92a" | "92b" => |v| rectified(v),
        "94" => |v| filtered_score(v, &observations()),
        "96" => |v| sparse_updates(v[0], 1024, 5000),
        "98" => |v| source_term(&mut Constants::default(), &v[..3], &v[3..]),
        "100" => |v| twin_start(v, 3),
        "102" => |v| spread(v).unwrap_or(f64::NAN),
        "104a" | "104b" | "104c" => |v| blended(v[0], v[1], v[2]),
        "106a" => largest_present,
        "106b" => |v| largest_present(&[v[0], f64::NAN, v[1], v[2]]),
        "107a" => |v| lorentz(v[0]),
        "107b" => |v| root_chain(v[0], v[1]),
        other => panic!("no program for row {other}"),
    }
}
