//! The companions behind the flat signature of [`ad_tests::cases::call`]: value and gradient.

use ad_tests::cases::given::*;
use ad_tests::cases::programs::*;
use std::any::Any;

/// Value and gradient at a point.
pub type ValueAndGradient = fn(&[f64]) -> (f64, Vec<f64>);

/// Value and gradient of the program behind a row key, if reverse mode covers it.
pub fn reverse(key: &str) -> Option<ValueAndGradient> {
    Some(match key {
        "1" => |v| {
            let (mut x_adj, mut w_adj) = ([0.0; 3], [0.0; 3]);
            let (mut out, mut out_adj) = ([0.0; 2], [1.0, 0.01]);
            let w = [v[3], v[4], v[5]];
            pair_terms::adjoint(&v[..3], &mut x_adj, &w, &mut w_adj, &mut out, &mut out_adj);
            (out[0] + 0.01 * out[1], [x_adj, w_adj].concat())
        },
        "3" => |v| {
            let (value, x, y, a, b) = two_circles::adjoint(v[0], v[1], v[2], v[3], 1.0);
            (value, vec![x, y, a, b])
        },
        "4a" => |v| one(cube_of::value_and_gradient(&v[0])),
        "4b" => |v| two(logistic::adjoint(v[0], v[1], 1.0)),
        "5" => |v| {
            let well = LogWell { stiffness: v[1] };
            let mut well_adj = LogWell { stiffness: 0.0 };
            let (value, _from, to) = well.work_adjoint(&mut well_adj, 1.0, v[0], 1.0);
            (value, vec![to, well_adj.stiffness])
        },
        "7" => |v| one(generated_cubic::adjoint(v[0], 1.0)),
        "8" => |v| {
            let (mut reg, mut reg_adj) = ([0.0; 8], [0.0; 8]);
            let mut x = vec![0.0; v.len()];
            let (reg, reg_adj) = (&mut reg, &mut reg_adj);
            let value =
                run_program::adjoint(&CODE, &LEFT, &RIGHT, &[2.5], v, &mut x, reg, reg_adj, 1.0);
            (value, x)
        },
        "9" => chained_quartic::value_and_gradient,
        "11" => |v| {
            let (mut a_adj, mut b_adj) = (vec![0.0; 6], vec![0.0; 6]);
            // The row weighs the squares of the products.
            let acc = Tile::<2, 2>::product(&v[..6], &v[6..], 3).acc;
            let slope = |i: usize, j: usize| 2.0 * acc[i][j] * tile_weight(i, j);
            let seed: [[f64; 2]; 2] = std::array::from_fn(|i| std::array::from_fn(|j| slope(i, j)));
            let seed = Tile { acc: seed };
            Tile::product_adjoint(&v[..6], &mut a_adj, &v[6..], &mut b_adj, 3, seed);
            let weighed = |(i, j): (usize, usize)| acc[i][j].powi(2) * tile_weight(i, j);
            let value = [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().map(weighed).sum();
            (value, [a_adj, b_adj].concat())
        },
        "13" => |v| {
            let (value, (t_adj, v_adj, n_adj)) =
                residual_energy::value_and_gradient(&mixture(), v[0], v[1], &v[2..]);
            (value, [vec![t_adj, v_adj], n_adj].concat())
        },
        "14" => |v| {
            let (value, (parts_adj, r_adj)) =
                total_potential::value_and_gradient(&potentials(v), v[2]);
            let [spring, gravity]: [Box<dyn Any>; 2] =
                parts_adj.into_iter().map(|part| part as _).collect::<Vec<_>>().try_into().unwrap();
            let spring = spring.downcast::<Spring>().expect("a spring comes first");
            let gravity = gravity.downcast::<Gravity>().expect("gravity comes second");
            (value, vec![spring.0, gravity.0, r_adj])
        },
        "16" => |v| {
            let pool = pool();
            let (value, (amount, pool_adj)) = quote_out::value_and_gradient(v[0], &pool);
            // Integers ride along in the adjoint, unchanged.
            assert_eq!(pool_adj.quote, pool.quote);
            (value, vec![amount])
        },
        "17" => |v| {
            let (value, x, y) = saddle::adjoint(v[0] as f32, v[1] as f32, 1.0);
            (value.into(), vec![x.into(), y.into()])
        },
        "19" => |v| {
            let mut p_adj = [[0.0; 2]; 5];
            let weights: [f64; 10] = std::array::from_fn(|k| (k + 1) as f64);
            let d = pair_distances::adjoint(&points(v), &mut p_adj, weights);
            (weighed(&d), p_adj.concat())
        },
        "21a" | "21d" => |v| concentration_in(Map::LogNormal, v),
        "21b" => |v| concentration_in(Map::Additive, v),
        "21c" => |v| concentration_in(Map::Logit, v),
        "22" => |v| two(bearing_height::adjoint(v[0], v[1], 1.0)),
        "24a" | "24b" | "24c" | "24d" => |v| two(pressure_law::adjoint(v[0], v[1], 1.0)),
        "25a" | "25b" => |v| one(sph_j0::adjoint(v[0], 1.0)),
        "27" => |v| poisson_ll::value_and_gradient(v, &[2, 0, 5]),
        "29a" | "29b" => |v| {
            let (mut p_adj, mut half_adj) = ([0.0; 3], [0.0; 3]);
            let (p, half) = ([v[0], v[1], v[2]], [v[3], v[4], v[5]]);
            let value = box_distance::adjoint(&p, &mut p_adj, &half, &mut half_adj, 1.0);
            (value, [p_adj, half_adj].concat())
        },
        "30" => |v| one(ramp_with_continue::adjoint(v[0], 1.0)),
        "32" => |v| two(assign_in_condition::adjoint(v[0], v[1], 1.0)),
        "34" => |v| scale_and_sum::value_and_gradient(&mut v.to_vec()),
        "35" => |v| one(fill_then_scale::adjoint(v[0], 1.0)),
        "37" => |v| two(wiped::adjoint(v[0], v[1], 1.0)),
        "39" => |v| two(reuse_parameter::adjoint(v[0], v[1], 1.0)),
        "40" => |v| two(dead_angle::adjoint(v[0], v[1], 1.0)),
        "42a" | "42b" => |v| {
            let (x, c) = v.split_last().expect("the row ends with x");
            let (value, (mut gradient, x_adj)) = poly_shortcut::value_and_gradient(c, *x);
            gradient.push(x_adj);
            (value, gradient)
        },
        "44" => |v| one(power_rec::adjoint(v[0], 6, 1.0)),
        "47a" => |v| one(arm_then_overwrite::adjoint(v[0], false, 1.0)),
        "47b" => |v| one(arm_then_overwrite::adjoint(v[0], true, 1.0)),
        "48" => |v| {
            let mut v_adj = vec![0.0; v.len()];
            // The limit only decides where to stop: its own derivative is zero and not part of the row.
            let (value, limit_adj) = sum_until_large::adjoint(v, &mut v_adj, 10.0, 1.0);
            assert_eq!(limit_adj, 0.0);
            (value, v_adj)
        },
        "50" => |v| upper_triangle::value_and_gradient(v, 3),
        "51" => conditional_write::value_and_gradient,
        "53" => |v| {
            let (value, (_start, rate, _span)) = decay_until::value_and_gradient(0.0, v[0], 0.1);
            (value, vec![rate])
        },
        "54" => |v| {
            let mut out = Vec::new();
            squares_into(v, &mut out);
            let weights: Vec<f64> = (1..=v.len()).map(|k| k as f64).collect();
            let value = weighed(&out);
            // The adjoint has the length of what the function leaves, then of what it found.
            let (mut out, mut out_adj, mut x_adj) = (Vec::new(), weights, vec![0.0; v.len()]);
            squares_into::adjoint(v, &mut x_adj, &mut out, &mut out_adj);
            assert!(out_adj.is_empty(), "nothing came in");
            (value, x_adj)
        },
        "56" => |v| one(counted::adjoint(v[0], 1.0)),
        "57" => |v| three(kummer::adjoint(v[0], v[1], v[2], 1.0)),
        "59" => |v| {
            let mut scratch = Workspace { buffer: vec![0.0; v.len()] };
            let (value, (_scratch, x_adj)) = scratch.sum_of_squares_value_and_gradient(v);
            (value, x_adj)
        },
        "60" => |v| {
            let (mut du, mut du_adj) = ([0.0; 2], [1.0, 2.0]);
            let (mut cache, mut cache_adj) = ([0.0], [0.0]);
            let mut u_adj = [0.0; 2];
            let k_adj = staged_rhs::adjoint(
                &mut du,
                &mut du_adj,
                &v[..2],
                &mut u_adj,
                v[2],
                &mut cache,
                &mut cache_adj,
            );
            (du[0] + 2.0 * du[1], vec![u_adj[0], u_adj[1], k_adj])
        },
        "62" => |v| one(capped_inverse::adjoint(v[0], 1.0)),
        "64" | "64b" => product_with_exit::value_and_gradient,
        "65a" | "65b" => |v| one(square_with_shortcut::adjoint(v[0], 1.0)),
        "68" => |v| {
            let (value, (mut gradient, k_adj)) = diffuse::value_and_gradient(&v[..5], v[5], 7);
            gradient.push(k_adj);
            (value, gradient)
        },
        "70" => |v| {
            let (value, (start, p)) = nested_cosines::value_and_gradient(&v[..1], &v[1..]);
            (value, [start, p].concat())
        },
        "71" => |v| {
            // The factors are no variables of the row.
            let (value, (a_adj, _k)) = scaled_totals::value_and_gradient(v, &[1.0, 2.0, 3.0, 4.0]);
            (value, a_adj)
        },
        "73" => |v| {
            let (value, (x, s)) = across_the_loop::value_and_gradient(v[0], &v[1..]);
            (value, [vec![x], s].concat())
        },
        "75a" | "75b" => |v| one(best_response::adjoint(&RESPONSES, v[0], 1.0)),
        "77" => |v| {
            let (value, (arm_adj, q_adj)) =
                linkage::value_and_gradient(&BRANCH, &BODY, &PARENT, &v[..5], &v[5..]);
            (value, [arm_adj, q_adj].concat())
        },
        "78" => |v| two(crossed::adjoint(v[0], v[1], 1.0)),
        "80" => |v| one(do_while_power::adjoint(v[0], 3, 1.0)),
        "82a" | "82b" => squared_norm_the_long_way::value_and_gradient,
        "83a" | "83b" | "83c" => |v| one(guarded_root::adjoint(v[0], 1.0)),
        "85a" | "85b" => |v| two(heading::adjoint(v[0], v[1], 1.0)),
        "86" => |v| {
            // The stimulus is no variable of the row.
            let (value, (_stimulus, a_adj)) =
                stevens::value_and_gradient(&[0.0, 1.0, 2.0, 4.0], v[0]);
            (value, vec![a_adj])
        },
        "88a" | "88b" => |v| two(xlogy::adjoint(v[0], v[1], 1.0)),
        "90a" | "90b" | "90c" => |v| two(distance::adjoint(v[0], v[1], 1.0)),
        "91" => |v| one(null_spread::adjoint(v[0], 1.0)),
        "92a" | "92b" => rectified::value_and_gradient,
        "94" => |v| {
            let (value, (theta_adj, _y)) = filtered_score::value_and_gradient(v, &observations());
            (value, theta_adj)
        },
        "96" => |v| one(sparse_updates::adjoint(v[0], 1024, 5000, 1.0)),
        "98" => |v| {
            let (mut constants, mut constants_adj) = (Constants::default(), Constants::default());
            let (mut nu_adj, mut wall_adj) = ([0.0; 3], [0.0; 3]);
            let value = source_term::adjoint(
                &mut constants,
                &mut constants_adj,
                &v[..3],
                &mut nu_adj,
                &v[3..],
                &mut wall_adj,
                1.0,
            );
            (value, [nu_adj, wall_adj].concat())
        },
        "100" => |v| twin_start::value_and_gradient(v, 3),
        "102" => |v| {
            let value = spread(v).expect("the row has a value");
            let mut x_adj = vec![0.0; v.len()];
            assert_eq!(spread::adjoint(v, &mut x_adj, Some(1.0)), Some(value));
            (value, x_adj)
        },
        "104a" | "104b" | "104c" => |v| three(blended::adjoint(v[0], v[1], v[2], 1.0)),
        "106a" => largest_present::value_and_gradient,
        "106b" => |v| {
            let x = [v[0], f64::NAN, v[1], v[2]];
            let (value, gradient) = largest_present::value_and_gradient(&x);
            assert_eq!(gradient[1], 0.0);
            (value, vec![gradient[0], gradient[2], gradient[3]])
        },
        "107a" => |v| one(lorentz::adjoint(v[0], 1.0)),
        "107b" => |v| two(root_chain::adjoint(v[0], v[1], 1.0)),
        _ => return None,
    })
}

fn one((value, x_adj): (f64, f64)) -> (f64, Vec<f64>) {
    (value, vec![x_adj])
}

fn two((value, x_adj, y_adj): (f64, f64, f64)) -> (f64, Vec<f64>) {
    (value, vec![x_adj, y_adj])
}

fn three((value, x_adj, y_adj, z_adj): (f64, f64, f64, f64)) -> (f64, Vec<f64>) {
    (value, vec![x_adj, y_adj, z_adj])
}

/// `dose` and `t` are no variables of the rows.
fn concentration_in(how: Map, v: &[f64]) -> (f64, Vec<f64>) {
    let mut theta_adj = [0.0; 3];
    let (value, eta_adj, _dose, _t) =
        concentration::adjoint(&[v[0], v[1], v[2]], &mut theta_adj, v[3], how, 100.0, 3.0, 1.0);
    (value, vec![theta_adj[0], theta_adj[1], theta_adj[2], eta_adj])
}
