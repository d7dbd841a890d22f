//! `agon header`: what it writes is all that a client needs to be compiled.

use crate::builder::{Arena, has_program};
use std::fs;
use std::process::Command;

#[test]
fn a_client_compiles_by_the_headers_that_are_written() {
    let arena = Arena::new();
    let ran = arena.agon(["header", "amazons", "--out", "own"]).well();
    let names = "written to own: agon/agon.h, agon/amazons.h, agon/amazons_kit.h\n";
    assert!(ran.stdout.starts_with(names), "{}", ran.stdout);
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    for name in ["agon.h", "amazons.h", "amazons_kit.h"] {
        let own = fs::read(format!("{root}/client-api/include/agon/{name}")).unwrap();
        assert_eq!(fs::read(arena.path(format!("own/agon/{name}"))).unwrap(), own, "{name}");
    }
    let grundy = arena.agon(["header", "grundy", "--out", "other"]).well();
    assert!(grundy.stdout.starts_with("written to other: agon/agon.h, agon/grundy.h\n"), "{}", grundy.stdout);
    if !has_program("cc") {
        return;
    }
    for client in ["first-c", "second-c"] {
        let mut command = Command::new("cc");
        command.args(["-std=c99", "-fPIC", "-shared", "-I"]).arg(arena.path("own")).arg("-o");
        command.arg(arena.path(format!("clients/{client}.so"))).arg(format!("{root}/clients/{client}/{client}.c"));
        assert!(command.status().unwrap().success(), "{client}");
    }
    let shown = arena.agon(["match", "first-c", "second-c", "-b", "mini-4", "--json"]).json();
    assert_eq!(shown["matches"], 2, "{shown}");
}
