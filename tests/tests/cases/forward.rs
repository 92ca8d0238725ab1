//! The companions behind the flat signature of [`ad_tests::cases::call`]: value and tangent.

use ad_tests::cases::given::*;
use ad_tests::cases::programs::*;

/// Value at a point, and the tangent along a direction.
pub type ValueAndTangent = fn(&[f64], &[f64]) -> (f64, f64);

/// Value and tangent of the program behind a row key, if forward mode covers it.
///
/// Where the point stands for an argument, the direction stands for its tangent, built in the same way.
pub fn forward(key: &str) -> Option<ValueAndTangent> {
    Some(match key {
        "1" => |v, d| {
            let (mut out, mut out_tan) = ([0.0; 2], [0.0; 2]);
            let (w, w_tan) = (array(&v[3..]), array(&d[3..]));
            pair_terms::tangent(&v[..3], &d[..3], &w, &w_tan, &mut out, &mut out_tan);
            (out[0] + 0.01 * out[1], out_tan[0] + 0.01 * out_tan[1])
        },
        "3" => |v, d| two_circles::tangent(v[0], d[0], v[1], d[1], v[2], d[2], v[3], d[3]),
        "4a" => |v, d| cube_of::tangent(&v[0], &d[0]),
        "4b" => |v, d| logistic::tangent(v[0], d[0], v[1], d[1]),
        "5" => |v, d| {
            let (well, well_tan) = (LogWell { stiffness: v[1] }, LogWell { stiffness: d[1] });
            well.work_tangent(&well_tan, 1.0, 0.0, v[0], d[0])
        },
        "7" => |v, d| generated_cubic::tangent(v[0], d[0]),
        "8" => |v, d| {
            let (reg, reg_tan) = (&mut [0.0; 8], &mut [0.0; 8]);
            run_program::tangent(&CODE, &LEFT, &RIGHT, &[2.5], v, d, reg, reg_tan)
        },
        "9" => chained_quartic::tangent,
        "11" => |v, d| {
            let (tile, tile_tan) =
                Tile::<2, 2>::product_tangent(&v[..6], &d[..6], &v[6..], &d[6..], 3);
            let (mut value, mut tangent) = (0.0, 0.0);
            for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                value += tile.acc[i][j].powi(2) * tile_weight(i, j);
                tangent += 2.0 * tile.acc[i][j] * tile_tan.acc[i][j] * tile_weight(i, j);
            }
            (value, tangent)
        },
        "13" => {
            |v, d| residual_energy::tangent(&mixture(), v[0], d[0], v[1], d[1], &v[2..], &d[2..])
        }
        "14" => |v, d| total_potential::tangent(&potentials(v), &potentials(d), v[2], d[2]),
        "16" => |v, d| quote_out::tangent(v[0], d[0], &pool(), &pool()),
        "17" => |v, d| {
            let (value, tangent) =
                saddle::tangent(v[0] as f32, d[0] as f32, v[1] as f32, d[1] as f32);
            (value.into(), tangent.into())
        },
        "19" => |v, d| {
            let (value, tangent) = pair_distances::tangent(&points(v), &points(d));
            (weighed(&value), weighed(&tangent))
        },
        "21a" | "21d" => |v, d| concentration_in(Map::LogNormal, v, d),
        "21b" => |v, d| concentration_in(Map::Additive, v, d),
        "21c" => |v, d| concentration_in(Map::Logit, v, d),
        "22" => |v, d| bearing_height::tangent(v[0], d[0], v[1], d[1]),
        "24a" | "24b" | "24c" | "24d" => |v, d| pressure_law::tangent(v[0], d[0], v[1], d[1]),
        "25a" | "25b" => |v, d| sph_j0::tangent(v[0], d[0]),
        "27" => |v, d| poisson_ll::tangent(v, d, &[2, 0, 5]),
        "29a" | "29b" => |v, d| {
            let (p, p_tan) = (array(v), array(d));
            box_distance::tangent(&p, &p_tan, &array(&v[3..]), &array(&d[3..]))
        },
        "30" => |v, d| ramp_with_continue::tangent(v[0], d[0]),
        "32" => |v, d| assign_in_condition::tangent(v[0], d[0], v[1], d[1]),
        "34" => |v, d| scale_and_sum::tangent(&mut v.to_vec(), &mut d.to_vec()),
        "35" => |v, d| fill_then_scale::tangent(v[0], d[0]),
        "37" => |v, d| wiped::tangent(v[0], d[0], v[1], d[1]),
        "39" => |v, d| reuse_parameter::tangent(v[0], d[0], v[1], d[1]),
        "40" => |v, d| dead_angle::tangent(v[0], d[0], v[1], d[1]),
        "42a" | "42b" => |v, d| {
            let n = v.len() - 1;
            poly_shortcut::tangent(&v[..n], &d[..n], v[n], d[n])
        },
        "44" => |v, d| power_rec::tangent(v[0], d[0], 6),
        "47a" => |v, d| arm_then_overwrite::tangent(v[0], d[0], false),
        "47b" => |v, d| arm_then_overwrite::tangent(v[0], d[0], true),
        // The limit only decides where to stop: the result does not move with it.
        "48" => |v, d| sum_until_large::tangent(v, d, 10.0, 1.0),
        "50" => |v, d| upper_triangle::tangent(v, d, 3),
        "51" => conditional_write::tangent,
        "53" => |v, d| decay_until::tangent(0.0, 0.0, v[0], d[0], 0.1, 0.0),
        "54" => |v, d| {
            let (mut out, mut out_tan) = (Vec::new(), Vec::new());
            squares_into::tangent(v, d, &mut out, &mut out_tan);
            (weighed(&out), weighed(&out_tan))
        },
        "56" => |v, d| counted::tangent(v[0], d[0]),
        "57" => |v, d| kummer::tangent(v[0], d[0], v[1], d[1], v[2], d[2]),
        "59" => |v, d| {
            let mut scratch = Workspace { buffer: vec![0.0; v.len()] };
            let mut scratch_tan = Workspace { buffer: vec![0.0; v.len()] };
            scratch.sum_of_squares_tangent(&mut scratch_tan, v, d)
        },
        "60" => |v, d| {
            let (mut du, mut du_tan) = ([0.0; 2], [0.0; 2]);
            let (cache, cache_tan) = (&mut [0.0], &mut [0.0]);
            let (u, u_tan) = (&v[..2], &d[..2]);
            staged_rhs::tangent(&mut du, &mut du_tan, u, u_tan, v[2], d[2], cache, cache_tan);
            (weighed(&du), weighed(&du_tan))
        },
        "62" => |v, d| capped_inverse::tangent(v[0], d[0]),
        "64" | "64b" => product_with_exit::tangent,
        "65a" | "65b" => |v, d| square_with_shortcut::tangent(v[0], d[0]),
        "68" => |v, d| diffuse::tangent(&v[..5], &d[..5], v[5], d[5], 7),
        "70" => |v, d| nested_cosines::tangent(&v[..1], &d[..1], &v[1..], &d[1..]),
        // The factors are no variables of the row.
        "71" => |v, d| scaled_totals::tangent(v, d, &[1.0, 2.0, 3.0, 4.0], &[0.0; 4]),
        "73" => |v, d| across_the_loop::tangent(v[0], d[0], &v[1..], &d[1..]),
        "75a" | "75b" => |v, d| best_response::tangent(&RESPONSES, v[0], d[0]),
        "77" => {
            |v, d| linkage::tangent(&BRANCH, &BODY, &PARENT, &v[..5], &d[..5], &v[5..], &d[5..])
        }
        "78" => |v, d| crossed::tangent(v[0], d[0], v[1], d[1]),
        "80" => |v, d| do_while_power::tangent(v[0], d[0], 3),
        "82a" | "82b" => squared_norm_the_long_way::tangent,
        "83a" | "83b" | "83c" => |v, d| guarded_root::tangent(v[0], d[0]),
        "85a" | "85b" => |v, d| heading::tangent(v[0], d[0], v[1], d[1]),
        // The stimulus is no variable of the row.
        "86" => |v, d| stevens::tangent(&[0.0, 1.0, 2.0, 4.0], &[0.0; 4], v[0], d[0]),
        "88a" | "88b" => |v, d| xlogy::tangent(v[0], d[0], v[1], d[1]),
        "90a" | "90b" | "90c" => |v, d| distance::tangent(v[0], d[0], v[1], d[1]),
        "91" => |v, d| null_spread::tangent(v[0], d[0]),
        "92a" | "92b" => rectified::tangent,
        "94" => |v, d| filtered_score::tangent(v, d, &observations(), &[0.0; 20]),
        "96" => |v, d| sparse_updates::tangent(v[0], d[0], 1024, 5000),
        "98" => |v, d| {
            // What the routine finds in the struct has no influence.
            let (mut constants, mut constants_tan) = (Constants::default(), Constants::default());
            let (nu, nu_tan, wall, wall_tan) = (&v[..3], &d[..3], &v[3..], &d[3..]);
            source_term::tangent(&mut constants, &mut constants_tan, nu, nu_tan, wall, wall_tan)
        },
        "100" => |v, d| twin_start::tangent(v, d, 3),
        "102" => |v, d| {
            let (value, tangent) = spread::tangent(v, d);
            (value.expect("the row has a value"), tangent.expect("so it has a tangent"))
        },
        "104a" | "104b" | "104c" => |v, d| blended::tangent(v[0], d[0], v[1], d[1], v[2], d[2]),
        "106a" => largest_present::tangent,
        "106b" => |v, d| {
            let (x, x_tan) = ([v[0], f64::NAN, v[1], v[2]], [d[0], 1e3, d[1], d[2]]);
            largest_present::tangent(&x, &x_tan)
        },
        "107a" => |v, d| lorentz::tangent(v[0], d[0]),
        "107b" => |v, d| root_chain::tangent(v[0], d[0], v[1], d[1]),
        _ => return None,
    })
}

/// The first entries as an array.
fn array<const N: usize>(v: &[f64]) -> [f64; N] {
    std::array::from_fn(|k| v[k])
}

/// `dose` and `t` are no variables of the rows.
fn concentration_in(how: Map, v: &[f64], d: &[f64]) -> (f64, f64) {
    concentration::tangent(&array(v), &array(d), v[3], d[3], how, 100.0, 0.0, 3.0, 0.0)
}
