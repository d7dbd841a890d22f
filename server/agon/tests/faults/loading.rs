//! Files that are not clients: `agon match` refuses them before anything is recorded, and the message says what to do.

use crate::builder::{Arena, has_program, users};
use std::fs;
use std::path::Path;

const SOUND: &str = "#include <agon/amazons.h>
const char *get_player_name(void) { return \"small\"; }
int initialize(const amazons_setup *setup) { return setup->num_vertices == 0; }
amazons_move play(const amazons_turn *turn) { return turn->previous; }
void finalize(void) {}
AGON_CLIENT(amazons)
";

/// The file that `make` puts at the path is refused in these words, whoever runs the match, and nothing is recorded.
fn is_refused(make: impl Fn(&Arena, &Path), words: &[&str]) {
    if !has_program("cc") {
        return;
    }
    for user in users() {
        let arena = Arena::new().as_user(user);
        arena.rust_client("random");
        make(&arena, &arena.path("clients/bad.so"));
        let before = arena.traces();
        let ran = arena.agon(["match", "bad", "random", "--board", "square:5", "--quiet"]);
        assert_eq!(ran.status, Some(4), "a file that is named was refused: {ran:?}");
        arena.traces().nothing_beyond(&before);
        assert!(words.iter().all(|word| ran.stderr.contains(word)), "{ran:?}");
        let listed = arena.agon(["matches"]);
        assert!(listed.status != Some(0) || !listed.stdout.contains("bad"), "{listed:?}");
    }
}

fn source_is_refused(source: &str, words: &[&str]) {
    is_refused(|arena, _| drop(arena.c_client("bad", source)), words);
}

/// The bytes of a sound client, changed.
fn bytes_are_refused(change: impl Fn(&mut Vec<u8>), words: &[&str]) {
    let make = |arena: &Arena, path: &Path| {
        arena.c_client("bad", SOUND);
        let mut bytes = fs::read(path).unwrap();
        change(&mut bytes);
        fs::write(path, bytes).unwrap();
    };
    is_refused(make, words);
}

#[test]
fn a_missing_function() {
    let source = SOUND.replace("void finalize(void) {}", "");
    source_is_refused(&source, &["does not define finalize", "add void finalize(void)"]);
}

#[test]
fn a_missing_function_has_the_types_of_the_game_where_it_is_known() {
    let arena = Arena::new();
    let file = arena.c_client("bad", &SOUND.replace(" play(", " plays(")).unwrap();
    let file = file.to_str().unwrap();
    let told = arena.agon(["check", file, "-g", "amazons"]).stdout;
    assert!(told.contains("add amazons_move play(const amazons_turn *turn)"), "{told}");
    let told = arena.agon(["check", file]).stdout;
    assert!(told.contains("add GAME_move play(const GAME_turn *turn)"), "{told}");
}

#[test]
fn a_forgotten_macro() {
    source_is_refused(
        &SOUND.replace("AGON_CLIENT(amazons)", ""),
        &["AGON_CLIENT is missing", "add the line AGON_CLIENT("],
    );
}

#[test]
fn another_abi_version() {
    let next = "#include <agon/agon.h>\n#undef AGON_ABI_VERSION\n#define AGON_ABI_VERSION 2u\n";
    source_is_refused(&format!("{next}{SOUND}"), &["version 2", "this is version 1", "rebuild it"]);
}

#[test]
fn another_layout() {
    let header = include_str!("../../../../client-api/include/agon/amazons.h");
    let header = header.replace("#include \"agon.h\"", "#include <agon/agon.h>");
    let other = header.replace("uint32_t columns;", "uint64_t columns;");
    assert_ne!(header, other);
    source_is_refused(
        &format!("{other}\n{SOUND}"),
        &["amazons_setup.columns has 8 bytes in your client and 4 here", "rebuild it"],
    );
}

#[test]
fn a_function_that_nobody_defines() {
    let source = SOUND.replace("void finalize(void) {}", "void nobody(void);\nvoid finalize(void) { nobody(); }");
    source_is_refused(&source, &["needs nobody, which nothing defines", "define it"]);
}

#[test]
fn a_missing_library() {
    let make = |arena: &Arena, _: &Path| {
        let stub = arena.path("clients/libgone.so");
        arena.c_client("libgone", "int gone(void) { return 0; }\n").unwrap();
        let source = SOUND.replace("void finalize(void) {}", "int gone(void);\nvoid finalize(void) { gone(); }");
        let folder = format!("-L{}", arena.path("clients").display());
        arena.c_client_with("bad", &source, &[&folder, "-lgone"]).unwrap();
        fs::remove_file(stub).unwrap();
    };
    is_refused(make, &["needs libgone.so, which is not on this computer", "install"]);
}

#[test]
fn another_machine() {
    const E_MACHINE: usize = 18;
    let other: [u8; 2] = if cfg!(target_arch = "aarch64") { [62, 0] } else { [183, 0] };
    bytes_are_refused(
        |bytes| bytes[E_MACHINE..E_MACHINE + 2].copy_from_slice(&other),
        &["built for", "this computer is"],
    );
}

#[test]
fn a_truncated_file() {
    bytes_are_refused(|bytes| bytes.truncate(bytes.len() / 2), &["truncated", "copy it again"]);
}

#[test]
fn an_empty_file() {
    bytes_are_refused(Vec::clear, &["the file is empty", "-shared -fPIC -I include"]);
}

#[test]
fn a_text_file() {
    bytes_are_refused(|bytes| *bytes = SOUND.into(), &["a text file", "-shared -fPIC -I include"]);
}
