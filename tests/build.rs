//! Takes the expansions out of ad-macros' snapshots, so that `tests/expansions.rs` compiles them.

use std::{env, fs, path::Path};

fn main() {
    let snapshots = Path::new("../ad-macros/src/snapshots");
    println!("cargo::rerun-if-changed={}", snapshots.display());
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for build scripts");
    let entries = fs::read_dir(snapshots).expect("the snapshots lie beside this package");
    for entry in entries {
        let path = entry.expect("a readable directory").path();
        let text = fs::read_to_string(&path).expect("a readable snapshot");
        // insta's header stands between two lines of dashes.
        let expansion = text.splitn(3, "---\n").nth(2).expect("a snapshot has a header");
        let name = path.file_stem().expect("a snapshot has a name");
        fs::write(Path::new(&out).join(name).with_extension("rs"), expansion)
            .expect("OUT_DIR is writable");
    }
}
