//! Snapshots of expansions, which are read before they are accepted: what `cargo expand` shows is a
//! feature. The package `ad-tests` compiles every one of them and runs its derivatives.

use proc_macro2::TokenStream;
use quote::quote;

/// The expansion of `#[differentiate(…)] fn …` or `#[custom_rule(…)] fn …`, formatted.
fn expanded(item: &str) -> String {
    let mut item: syn::ItemFn = syn::parse_str(item).expect("a test gives a function");
    let file = syn::parse2(expansion(item.attrs.remove(0), quote!(#item)));
    prettyplease::unparse(&file.expect("an expansion is valid Rust"))
}

fn expansion(attr: syn::Attribute, item: TokenStream) -> TokenStream {
    let name = attr.path().get_ident().map(ToString::to_string);
    let syn::Meta::List(list) = attr.meta else {
        panic!("a test gives an attribute with arguments")
    };
    match name.as_deref() {
        Some("differentiate") => crate::expand::expand(list.tokens, item),
        Some("custom_rule") => crate::custom::expand(list.tokens, item),
        _ => panic!("a test gives one of our attributes"),
    }
}

/// The expansion of `impl Type { #[differentiate(…)] fn … }`, or with a rule, formatted.
fn expanded_method(item: &str) -> String {
    let mut item: syn::ItemImpl = syn::parse_str(item).expect("a test gives an `impl`");
    let [syn::ImplItem::Fn(method)] = &mut item.items[..] else {
        panic!("a test gives one method");
    };
    let attr = method.attrs.remove(0);
    let (own, methods) = (&item.self_ty, expansion(attr, quote!(#method)));
    let file = syn::parse2(quote!(impl #own { #methods }));
    prettyplease::unparse(&file.expect("an expansion is valid Rust"))
}

/// The expansion of `#[derive(Differentiable)]`, formatted, with the item in front as the compiler
/// leaves it: the attributes of derive macros are gone.
fn derived(item: &str) -> String {
    let tokens: TokenStream = item.parse().expect("a test gives an item");
    let expansion = crate::derive::derive(tokens.clone());
    let mut item: syn::DeriveInput = syn::parse2(tokens).expect("a test gives a type");
    if let syn::Data::Struct(data) = &mut item.data {
        data.fields.iter_mut().for_each(|field| field.attrs.clear());
    }
    let file = syn::parse2(quote!(#item #expansion));
    prettyplease::unparse(&file.expect("an expansion is valid Rust"))
}

/// `snapshot! { name, function }`; `snapshot! { name by how, item }`
macro_rules! snapshot {
    ($name:ident, $($item:tt)*) => {
        snapshot! { $name by expanded, $($item)* }
    };
    ($name:ident by $how:ident, $($item:tt)*) => {
        #[test]
        fn $name() {
            let settings = {
                let mut settings = insta::Settings::clone_current();
                settings.set_prepend_module_to_snapshot(false);
                settings.set_omit_expression(true);
                settings
            };
            let expansion = $how(stringify!($($item)*));
            settings.bind(|| insta::assert_snapshot!(stringify!($name), expansion));
        }
    };
}

snapshot! { straight_line_and_branch,
    #[differentiate(reverse)]
    pub fn soft_clip(x: f64, limit: f64) -> f64 {
        let r = x / limit;
        if r > 1.0 { limit } else { limit * r.sin() }
    }
}

snapshot! { while_loop,
    #[differentiate(reverse)]
    pub fn newton_sqrt(x: f64) -> f64 {
        let mut z = x;
        while (z * z - x).abs() > 1e-13 {
            z = z - (z * z - x) / (2.0 * z);
        }
        z
    }
}

snapshot! { early_exits,
    #[differentiate(reverse)]
    pub fn first_root(x: &[f64], tolerance: f64) -> f64 {
        if x.is_empty() {
            return 0.0;
        }
        let mut sum = 0.0;
        for &v in x {
            if v < tolerance {
                break;
            }
            sum += v.ln();
        }
        sum * sum
    }
}

snapshot! { in_place_and_swap,
    #[differentiate(reverse)]
    pub fn burgers(u: &mut Vec<f64>, work: &mut Vec<f64>, steps: usize, c: f64) {
        let n = u.len();
        for _ in 0..steps {
            work[0] = u[0];
            for i in 1..n {
                work[i] = u[i] - c * u[i] * (u[i] - u[i - 1]);
            }
            std::mem::swap(u, work);
        }
    }
}

snapshot! { views,
    #[differentiate(reverse)]
    pub fn affine(w: &[f64], x: &[f64], out: &mut [f64]) {
        for (i, y) in out.iter_mut().enumerate() {
            let row = &w[i * x.len()..(i + 1) * x.len()];
            let mut sum = 0.0;
            for k in 0..x.len() {
                sum += row[k] * x[k];
            }
            *y = sum.tanh();
        }
    }
}

snapshot! { calls_with_parts_of_a_buffer,
    #[differentiate(reverse)]
    pub fn two_layers(w: &[f64], x: &[f64], hidden: &mut [f64], out: &mut [f64]) {
        let split = hidden.len() * x.len();
        affine(&w[..split], x, hidden);
        affine(&w[split..], hidden, out);
    }
}

snapshot! { recursion,
    #[differentiate(reverse)]
    pub fn haar(data: &mut [f64], angle: f64) {
        let n = data.len();
        if n < 2 {
            return;
        }
        let (a, b) = data.split_at_mut(n / 2);
        haar(a, angle);
        haar(b, angle);
        let (s, c) = angle.sin_cos();
        for k in 0..a.len().min(b.len()) {
            let t = a[k] * c + b[k] * s;
            b[k] = b[k] * c - a[k] * s;
            a[k] = t;
        }
    }
}

snapshot! { linear_in_place,
    #[differentiate(reverse)]
    pub fn lower_times(l: &[f64], x: &[f64], out: &mut [f64]) {
        let n = x.len();
        for i in 0..n {
            let mut at = i * (2 * n - i - 1) / 2;
            for j in i + 1..n {
                out[j] += l[at] * x[i];
                at += 1;
            }
        }
    }
}

snapshot! { match_in_a_loop,
    #[differentiate(reverse)]
    pub fn run_program(code: &[u32], #[constant] literal: &[f64], x: &[f64]) -> f64 {
        let mut acc = 0.0;
        for pc in 0..code.len() {
            acc = match code[pc] {
                0 => literal[pc],
                1 => acc + x[pc],
                2 => acc * x[pc],
                3 if acc > 1.0 => break,
                3 => acc.sin(),
                n => f64::from(n) * acc,
            };
        }
        acc
    }
}

snapshot! { generic_scalar,
    #[differentiate(reverse)]
    pub fn logistic<T: Float>(x: T, steepness: T) -> T {
        T::one() / (T::one() + (-steepness * x).exp())
    }
}

snapshot! { exits_of_nested_loops,
    #[differentiate(reverse)]
    pub fn sum_until(rows: &[[f64; 3]], limit: f64) -> f64 {
        let mut sum = 0.0;
        'rows: for row in rows {
            for v in row {
                if *v < 0.0 {
                    continue 'rows;
                }
                sum += v * v;
                if sum > limit {
                    break 'rows;
                }
            }
            sum *= row[0];
        }
        sum
    }
}

snapshot! { growing_vectors,
    #[differentiate(reverse)]
    pub fn rope(angles: &[f64], kept: usize) -> f64 {
        let mut heights = Vec::with_capacity(angles.len());
        heights.push(0.0);
        for angle in angles {
            let last = heights[heights.len() - 1];
            heights.push(last * last + angle.sin());
        }
        let mut sum = 0.0;
        while heights.len() > kept {
            let top = heights.pop().unwrap();
            sum += top * top;
        }
        sum
    }
}

snapshot! { iterator_chain,
    #[differentiate(reverse)]
    pub fn nearest(x: &[f64], y: &[f64], at: f64) -> f64 {
        let gap = x
            .iter()
            .chain(y)
            .map(|v| (v - at) * (v - at))
            .min_by(|a, b| a.total_cmp(b))
            .unwrap_or(at);
        gap.sqrt()
    }
}

snapshot! { struct_state,
    #[differentiate(reverse)]
    pub fn swing(start: State, h: f64, steps: usize) -> f64 {
        let mut state = start;
        for _ in 0..steps {
            let speed = state.speed - h * state.angle.sin();
            state = State { angle: state.angle + h * speed, speed };
        }
        let State { angle, speed } = state;
        angle * speed
    }
}

snapshot! { enum_parts,
    #[differentiate(reverse)]
    pub fn area(shape: &Shape, scale: Option<f64>) -> f64 {
        let area = match shape {
            Shape::Circle(r) => 3.0 * r * r,
            Shape::Rectangle { width, height } => width * height,
        };
        if let Some(scale) = scale { area * scale } else { area }
    }
}

snapshot! { question_mark,
    #[differentiate(reverse)]
    pub fn ratio(x: &[f64], y: f64) -> Option<f64> {
        let first = x.first()?;
        if y == 0.0 {
            return None;
        }
        Some(first / y)
    }
}

snapshot! { method by expanded_method,
    impl Spring {
        #[differentiate(reverse)]
        pub fn energy(&self, x: f64) -> f64 {
            0.5 * self.stiffness * (x - self.rest).powi(2)
        }
    }
}

snapshot! { joint_method by expanded_method,
    impl Spring {
        #[differentiate(reverse, joint)]
        pub fn wear(&mut self, load: f64) -> f64 {
            self.stiffness *= load;
            self.stiffness * self.rest
        }
    }
}

snapshot! { data_without_derivative,
    #[differentiate(reverse)]
    pub fn stretched(
        #[constant] bonds: &std::collections::BTreeMap<(usize, usize), f64>,
        x: &[f64],
    ) -> f64 {
        let mut energy = 0.0;
        for ((i, j), stiffness) in bonds {
            if let Some(scale) = bonds.get(&(*j, *i)) {
                energy += scale * x[*i];
            }
            energy += stiffness * (x[*i] - x[*j]).powi(2);
        }
        energy
    }
}

snapshot! { function_parameter,
    #[differentiate(reverse)]
    pub fn heun(rate: impl Fn(f64, f64) -> f64, y: f64, h: f64, steps: usize) -> f64 {
        let mut y = y;
        for k in 0..steps {
            let t = h * k as f64;
            let first = rate(t, y);
            let second = rate(t + h, y + h * first);
            y += 0.5 * h * (first + second);
        }
        y
    }
}

snapshot! { closure_handed_on,
    #[differentiate(reverse)]
    pub fn population(growth: f64, capacity: &[f64], start: f64) -> f64 {
        heun(|t, y| growth * y * (1.0 - y / capacity[t as usize]), start, 0.25, 8)
    }
}

snapshot! { forward,
    #[differentiate(forward)]
    pub fn decay(x: &mut [f64], rate: f64, h: f64) -> f64 {
        let mut total = 0.0;
        for v in x.iter_mut() {
            *v *= (-rate * h).exp();
            total += *v;
        }
        if total > 1.0 { total.sqrt() } else { total }
    }
}

snapshot! { forward_calls,
    #[differentiate(forward)]
    pub fn cooled(x: &[f64], rate: f64, n: usize) -> Vec<f64> {
        let mut y = x.to_vec();
        for k in 0..n {
            let total = decay(&mut y[k..], rate, 0.5);
            y[0] += relax(|v| rate * v * v, total, 2);
        }
        y
    }
}

snapshot! { cross_check,
    #[differentiate(reverse, forward, cross_check)]
    pub fn hinge(x: &mut Vec<f64>, w: [f64; 2], #[constant] at: usize) -> f64 {
        x.push(w[0]);
        w[1] * x[at].max(0.0)
    }
}

snapshot! { rule_of_both_modes,
    #[custom_rule(vjp = total_rule, jvp = total_tangent)]
    pub fn total(x: &[f64], gain: f64) -> f64 {
        gain * x.iter().sum::<f64>()
    }
}

snapshot! { rule,
    #[custom_rule(vjp = filter_rule)]
    pub fn filter(#[constant] plan: &Plan, gain: f64, data: &mut [f64]) -> f64 {
        plan.process(gain, data)
    }
}

snapshot! { generic_rule,
    #[custom_rule(vjp = norm_rule::<T>)]
    pub fn norm<T: Float>(x: &[T]) -> T {
        x.iter().fold(T::zero(), |sum, v| sum.hypot(*v))
    }
}

snapshot! { rule_by_partials,
    #[custom_rule(partials(x = n * value / x, n = value * x.ln()))]
    pub fn power(x: f64, n: f64) -> f64 {
        x.powf(n)
    }
}

snapshot! { rule_of_zero,
    #[custom_rule(zero)]
    pub fn ranks(x: &[f64], shift: f64, out: &mut Vec<f64>) -> usize {
        out.clear();
        out.extend(x.iter().map(|v| (v + shift).floor()));
        out.len()
    }
}

snapshot! { rule_of_a_method by expanded_method,
    impl Spring {
        #[custom_rule(vjp = Self::stretch_rule)]
        pub fn stretch(&mut self, load: f64) {
            self.rest += load / self.stiffness;
        }
    }
}

snapshot! { rules_of_calls,
    #[differentiate(reverse, rules(libm::erf = my::erf, .process = my::process))]
    pub fn smoothed(#[constant] plan: &Plan, x: &[f64]) -> f64 {
        let mut data = x.to_vec();
        let gain = libm::erf(x[0]);
        plan.process(gain, &mut data) * gain
    }
}

snapshot! { derive_struct by derived,
    #[derive(Clone, Debug, PartialEq)]
    pub struct Layer<T> {
        pub weights: Vec<T>,
        pub bias: T,
        #[constant]
        pub name: &'static str,
    }
}

snapshot! { derive_enum by derived,
    #[derive(Clone, Debug, PartialEq)]
    pub enum Shape {
        Circle(f64),
        Rectangle { width: f64, height: f64 },
    }
}

snapshot! { arrays,
    #[differentiate(reverse)]
    pub fn misfit(
        w: &Array2<f64>,
        b: &Array1<f64>,
        #[constant] data: &Array2<f64>,
        step: f64,
    ) -> f64 {
        let mut state = -b;
        let mut sum = 0.0;
        for k in 0..data.nrows() {
            let moved = w.dot(&data.row(k)) + b;
            state += &(&moved * step);
            sum += state.dot(&moved) * state[0];
        }
        sum
    }
}
