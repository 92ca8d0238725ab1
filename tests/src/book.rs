//! The Rust blocks of the README and the book, as documentation tests.

macro_rules! chapters {
    ($($name:ident: $path:literal;)*) => {
        $(
            #[doc = include_str!(concat!("../../", $path))]
            mod $name {}
        )*
    };
}

chapters! {
    readme: "README.md";
    introduction: "book/src/introduction.md";
    getting_started: "book/src/getting-started.md";
    generated: "book/src/generated.md";
    language: "book/src/language.md";
    refused: "book/src/refused.md";
    conventions: "book/src/conventions.md";
    expansion: "book/src/expansion.md";
    fitting: "book/src/fitting.md";
    how_it_works: "book/src/how-it-works.md";
}
