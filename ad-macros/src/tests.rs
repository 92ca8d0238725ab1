//! Snapshots of expansions. `tests/` compiles and runs every one of them.

use quote::quote;

/// The expansion of `#[differentiate(…)] fn …`, formatted.
fn expanded(item: &str) -> String {
    let item: syn::ItemFn = syn::parse_str(item).expect("a test gives a function");
    let mut bare = item.clone();
    let attr = bare.attrs.remove(0);
    let attr = match attr.meta {
        syn::Meta::List(list) => list.tokens,
        _ => panic!("a test gives an attribute with arguments"),
    };
    let file = syn::parse2(crate::expand::expand(attr, quote!(#bare))).expect("valid Rust");
    prettyplease::unparse(&file)
}

#[test]
fn show() {
    if let Ok(path) = std::env::var("AD_SHOW") {
        let file = syn::parse_file(&std::fs::read_to_string(path).unwrap()).unwrap();
        for item in file.items {
            println!("{}", expanded(&quote!(#item).to_string()));
        }
    }
}
