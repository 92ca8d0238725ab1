use ad_runtime::differentiate;

macro_rules! power {
    ($name:ident, $x:ident, $body:expr) => {
        #[differentiate(reverse)]
        fn $name($x: f64) -> f64 {
            $body
        }
    };
}

power!(next, x, x.next_up());

fn main() {}
