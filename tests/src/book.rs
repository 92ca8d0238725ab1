//! The Rust blocks of the README and the book, as documentation tests; and what else they quote.

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
    forward: "book/src/forward.md";
    second_order: "book/src/second-order.md";
    language: "book/src/language.md";
    complex: "book/src/complex.md";
    arrays: "book/src/arrays.md";
    rules: "book/src/rules.md";
    refused: "book/src/refused.md";
    conventions: "book/src/conventions.md";
    expansion: "book/src/expansion.md";
    fitting: "book/src/fitting.md";
    how_it_works: "book/src/how-it-works.md";
}

/// Every message in the tables of the chapter on refusals is one that a compile-fail test shows.
///
/// ```
/// use std::{fs, path::Path};
///
/// let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
/// let mut shown = Vec::new();
/// for entry in fs::read_dir(root.join("ui-tests/fail")).unwrap() {
///     let path = entry.unwrap().path();
///     if path.extension().is_some_and(|ext| ext == "stderr") {
///         let text = fs::read_to_string(path).unwrap();
///         shown.extend(text.lines().map(|line| line.trim().to_owned()));
///     }
/// }
///
/// let chapter = fs::read_to_string(root.join("book/src/refused.md")).unwrap();
/// let mut checked = 0;
/// for row in chapter.lines().filter(|line| line.starts_with("| ") && line.contains("``")) {
///     let cells: Vec<&str> = row.split(" | ").collect();
///     let &[_, message, help] = &cells[..] else { panic!("three cells: {row}") };
///     for (kind, cell) in [("error", message), ("help", help)] {
///         let quoted = cell.trim_end_matches(" |").trim_matches('`').trim();
///         let line = format!("{kind}: {}", quoted.replace("\\|", "|"));
///         assert!(shown.contains(&line), "no compile-fail test shows `{line}`");
///         checked += 1;
///     }
/// }
/// assert!(checked > 80, "{checked} messages");
/// ```
mod messages {}

/// Every message of a compile-fail test that comes with a way out has a row in that chapter; what stands between
/// backticks may differ.
///
/// ```
/// use std::{collections::BTreeSet, fs, path::Path};
///
/// /// Every second part is code.
/// fn without_code(text: &str) -> String {
///     text.trim().split('`').step_by(2).collect::<Vec<_>>().join("`…`")
/// }
///
/// let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
/// let chapter = fs::read_to_string(root.join("book/src/refused.md")).unwrap();
/// let mut rows = BTreeSet::new();
/// for row in chapter.lines().filter(|line| line.starts_with("| ") && line.contains("``")) {
///     let cells: Vec<&str> = row.split(" | ").collect();
///     let quoted = |cell: &str| without_code(cell.trim_end_matches(" |").trim_matches('`'));
///     rows.insert((quoted(cells[1]), quoted(cells[2])));
/// }
///
/// let mut missing = BTreeSet::new();
/// for entry in fs::read_dir(root.join("ui-tests/fail")).unwrap() {
///     let path = entry.unwrap().path();
///     if path.extension().is_some_and(|ext| ext == "stderr") {
///         let text = fs::read_to_string(path).unwrap();
///         let lines: Vec<&str> = text.lines().collect();
///         for lines in lines.windows(3) {
///             let error = lines[0].strip_prefix("error: ");
///             if let (Some(error), Some(help)) = (error, lines[2].trim().strip_prefix("help: ")) {
///                 let row = (without_code(error), without_code(help));
///                 if !rows.contains(&row) {
///                     missing.insert(row);
///                 }
///             }
///         }
///     }
/// }
/// assert!(missing.is_empty(), "without a row: {missing:#?}");
/// ```
mod rows {}

/// Every excerpt in the chapters on expansions and on forward mode stands in a snapshot, apart from indentation.
///
/// ```
/// use std::{fs, path::Path};
///
/// fn lines(text: &str) -> Vec<&str> {
///     text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
/// }
///
/// let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
/// let snapshots = fs::read_dir(root.join("ad-macros/src/snapshots")).unwrap();
/// let snapshots: Vec<String> =
///     snapshots.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
///
/// let chapter = |name| fs::read_to_string(root.join("book/src").join(name)).unwrap();
/// let chapter = chapter("expansion.md") + &chapter("forward.md");
/// let mut checked = 0;
/// for block in chapter.split("```rust,ignore\n").skip(1) {
///     let excerpt = lines(block.split("```").next().unwrap());
///     let stands_in = |text: &String| lines(text).windows(excerpt.len()).any(|w| w == excerpt);
///     assert!(snapshots.iter().any(stands_in), "in no snapshot:\n{}", excerpt.join("\n"));
///     checked += 1;
/// }
/// assert!(checked > 11, "{checked} excerpts");
/// ```
mod excerpts {}
