//! Builds the libraries that the tests load: packages and examples of the workspace, and sources in C and C++.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The folder of this package.
pub fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The library of a client that the project ships.
pub fn client(name: &str) -> PathBuf {
    static BUILT: OnceLock<()> = OnceLock::new();
    // All packages at once, as who runs all tests has built them: one alone is compiled with other features, and all
    // that it uses once more.
    BUILT.get_or_init(|| cargo(&[]));
    artifacts().join(format!("lib{name}.so"))
}

/// The library of `tests/other_layout`, built as the first version of the package `agon-games`.
pub fn other_layout() -> PathBuf {
    let workspace = here().parent().unwrap();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("other_layout");
    std::fs::create_dir_all(&folder).unwrap();
    let manifest = format!(
        r#"
        [package]
        name = "agon-games"
        version = "0.0.1"
        edition = "2024"
        [lib]
        name = "other_layout"
        path = "{here}/tests/other_layout/lib.rs"
        crate-type = ["cdylib"]
        [dependencies]
        agon-abi = {{ path = "{workspace}/abi" }}
        agon-client-api = {{ path = "{here}" }}
        abi_stable = {{ version = "*", default-features = false }}
        [workspace]
        "#,
        here = here().display(),
        workspace = workspace.display()
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    // The same versions of everything else, and none that would have to be fetched.
    std::fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    cargo(&["--offline", "--manifest-path", folder.join("Cargo.toml").to_str().unwrap()]);
    // Beside the shipped clients it would be taken for one of them.
    let built = artifacts().join("libother_layout.so");
    let kept = folder.join("libother_layout.so");
    // One file by two names, as the last run may have left it, would not be moved.
    let _ = std::fs::remove_file(&kept);
    std::fs::rename(&built, &kept).unwrap_or_else(|error| panic!("{}: {error}", built.display()));
    kept
}

fn artifacts() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().parent().unwrap().to_owned()
}

fn cargo(arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO"));
    command.arg("build").args(arguments).current_dir(here().parent().unwrap());
    command.arg("--target-dir").arg(artifacts().parent().unwrap());
    // What cargo tells a test of its package would change how others are built, and all above them.
    let of_package = |name: &str| ["CARGO_PKG_", "CARGO_MANIFEST_"].iter().any(|start| name.starts_with(start));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(of_package)) {
        command.env_remove(name);
    }
    if artifacts().ends_with("release") {
        command.arg("--release");
    }
    succeed(command.output().unwrap());
}

/// A library from sources in C (`.c`) or C++ (`.cc`), with the strictest warnings; `None` without a
/// compiler.
pub fn c(name: &str, sources: &[PathBuf], flags: &[&str]) -> Option<PathBuf> {
    let is_cc = sources[0].extension().is_some_and(|extension| extension == "cc");
    let (compiler, standard) = if is_cc { ("g++", "-std=c++17") } else { ("gcc", "-std=c99") };
    if !agon_skips::has_program(compiler) {
        return None;
    }
    let library = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.so"));
    let mut command = Command::new(compiler);
    command.args([standard, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fPIC", "-shared", "-I"]);
    command.arg(here().join("include")).args(flags).args(sources).arg("-o").arg(&library);
    succeed(command.output().unwrap());
    Some(library)
}

/// A source file of a test, under a name that no other test uses; returns its path.
pub fn source(name: &str, text: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, text).unwrap();
    file
}

/// The first client in C that the project ships.
pub fn first_c() -> Option<PathBuf> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    BUILT.get_or_init(|| c("first-c", &[here().join("../clients/first-c/first-c.c")], &["-O2"])).clone()
}

/// The second.
pub fn second_c() -> Option<PathBuf> {
    c("second-c", &[here().join("../clients/second-c/second-c.c")], &["-O2"])
}

fn succeed(output: Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
