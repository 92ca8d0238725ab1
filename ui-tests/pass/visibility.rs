#![deny(warnings)]
#![allow(dead_code)]

use ad_runtime::differentiate;

mod models {
    use ad_runtime::differentiate;

    #[differentiate(reverse, forward)]
    pub(crate) fn square(x: f64) -> f64 {
        x * x
    }

    pub mod deeper {
        use ad_runtime::differentiate;

        #[differentiate(reverse, forward)]
        pub(in crate::models) fn cube(x: f64) -> f64 {
            x * super::square(x)
        }

        #[differentiate(reverse, forward)]
        pub(super) fn fourth(x: f64) -> f64 {
            crate::models::square(self::squared(x))
        }

        #[differentiate(reverse, forward)]
        pub(self) fn squared(x: f64) -> f64 {
            x * x
        }
    }

    #[differentiate(reverse, forward)]
    pub(crate) fn both(x: f64) -> f64 {
        deeper::cube(x) + deeper::fourth(x)
    }
}

use models::square;

#[differentiate(reverse, forward)]
fn imported(x: f64) -> f64 {
    square(x) * models::both(x)
}

mod renamed {
    use super::models::square as quadratic;
    use ad_runtime::differentiate;

    #[differentiate(reverse, forward)]
    pub fn twice(x: f64) -> f64 {
        quadratic(quadratic(x))
    }
}

mod all {
    use super::renamed::*;
    use ad_runtime::differentiate;

    #[differentiate(reverse, forward)]
    pub fn glob(x: f64) -> f64 {
        twice(x)
    }
}

mod reexported {
    pub(crate) use super::models::square;
}

fn main() {
    assert_eq!(square::gradient(3.0), 6.0);
    assert_eq!(reexported::square::gradient(3.0), 6.0);
    // x^3 + x^4
    assert_eq!(models::both::gradient(2.0), 44.0);
    // x^5 + x^6
    assert_eq!(imported::gradient(1.0), 11.0);
    assert_eq!(all::glob::gradient(2.0), 32.0);
}
