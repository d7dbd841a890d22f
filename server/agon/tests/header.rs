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

#[test]
fn the_client_of_the_readme_plays_if_everything_is_typed_as_it_stands() {
    if !has_program("cc") {
        return;
    }
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    let section = readme.split("\n## ").find(|section| section.starts_with("A client\n")).unwrap();
    let (_, rest) = section.split_once("```c\n").unwrap();
    let (source, text) = rest.split_once("```\n").unwrap();
    let arena = Arena::new();
    arena.rust_client("random");
    arena.file("mybot.c", source);
    let typed: Vec<String> = text.split('`').skip(1).step_by(2).map(|line| line.replace('\n', " ")).collect();
    let (mut built, mut ran) = (0, 0);
    for line in &typed {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "cc" => {
                let status = Command::new("cc").args(&words[1..]).current_dir(arena.path(".")).status().unwrap();
                assert!(status.success(), "{line}");
                built += 1;
            }
            "agon" => {
                arena.agon(&words[1..]).well();
                ran += 1;
            }
            _ => {}
        }
    }
    assert_eq!((built, ran), (1, 4), "{typed:?}");
    assert!(arena.path("clients/mybot.so").is_file());
}
