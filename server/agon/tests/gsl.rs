//! Clients of the original course with GSL and without: linked with it or not, installed or not, they play the same
//! games. Nothing in agon itself is linked with it.

use crate::builder::{Arena, Shown, has_library};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

const LINKED: [&str; 3] = ["-Wl,--no-as-needed", "-lgsl", "-lgslcblas"];
/// Those whose moves follow from the board alone, and which call GSL, or free what it would.
const CLIENTS: [&str; 5] = ["get", "copy", "shrink", "functions", "resize"];
const BOARDS: [&str; 4] = ["square:10", "donut:12", "clover:10", "eight:12"];

/// Makes a computer without GSL of this one, as far as the loader sees: files of its names that are no libraries come
/// first.
fn without_gsl(arena: &Arena) {
    let folder = arena.path("no-gsl");
    fs::create_dir(&folder).unwrap();
    for version in [25, 27, 28] {
        fs::write(folder.join(format!("libgsl.so.{version}")), "Not installed here.\n").unwrap();
    }
    arena.wrap("bin/agon-host", &format!("exec env LD_LIBRARY_PATH={}", folder.display()));
}

fn play(arena: &Arena, lineup: &[[String; 2]], more: &str) -> Vec<Shown> {
    arena.ladder_toml(&format!(
        "[ladder]\ngame = \"amazons\"\nseed = 1\nlineup = {lineup:?}\n[options]\nboard = {BOARDS:?}\n{more}"
    ));
    arena.agon(["ladder", "-q", "--fresh"]).well();
    let played = arena.all_shown();
    for shown in &played {
        assert_eq!(shown.ending(), "over");
        assert!(shown.seats.iter().all(|seat| seat.fault.is_none() && seat.notices.is_empty()), "{:?}", shown.seats);
    }
    played
}

/// The moves of each match under its board and its clients, linked or not; more than one list if they differ.
fn games(played: &[Shown]) -> BTreeMap<String, BTreeSet<String>> {
    let mut games = BTreeMap::<_, BTreeSet<_>>::new();
    for shown in played {
        let names: Vec<_> = shown.seats.iter().map(|seat| seat.client.trim_end_matches("-linked")).collect();
        let moves = shown.json["moves"].as_array().unwrap().iter().map(|mv| mv["text"].as_str().unwrap());
        let key = format!("{} {names:?}", shown.json["match"]["setting"]);
        games.entry(key).or_default().insert(moves.collect::<Vec<_>>().join(" "));
    }
    games
}

/// What a client printed in the first seat, match by match.
fn printed(arena: &Arena) -> Vec<String> {
    let list = arena.agon(["matches", "--json"]).json();
    let ids = list["matches"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap());
    let texts = |id: &str| {
        let lines = arena.agon(["show", id, "--jsonl"]).well().stdout;
        let lines = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let of_first = lines.filter(|line| line["stream"] == "stdout" && line["seat"] == 0);
        of_first.map(|line| line["text"].as_str().unwrap().to_owned()).collect()
    };
    ids.map(texts).collect()
}

/// Each client and the next, in their order.
fn ring() -> impl Iterator<Item = [&'static str; 2]> {
    (0..CLIENTS.len()).map(|at| [CLIENTS[at], CLIENTS[(at + 1) % CLIENTS.len()]])
}

#[test]
fn linked_with_gsl_or_not_installed_or_not_a_client_plays_the_same() {
    let Some(arena) = Arena::of_the_course(&CLIENTS) else { return };
    let plain: Vec<_> = ring().map(|pair| pair.map(str::to_owned)).collect();
    let installed = games(&play(&arena, &plain, ""));
    assert_eq!(installed.len(), 2 * CLIENTS.len() * BOARDS.len());
    without_gsl(&arena);
    assert_eq!(installed, games(&play(&arena, &plain, "[run]\nsandbox = \"off\"\n")));
}

#[test]
fn a_client_linked_with_the_real_gsl_plays_the_games_of_the_same_one_unlinked() {
    if !has_library("gsl") {
        return;
    }
    let Some(arena) = Arena::of_the_course(&CLIENTS) else { return };
    for client in CLIENTS {
        let name = format!("{client}-linked");
        arena.classic_client(&name, client, &LINKED);
        let needed = needed(&arena.path(format!("clients/{name}.so")));
        assert!(needed.iter().any(|name| name.starts_with("libgsl.so.")), "{needed:?}");
    }
    let mixed = |[one, other]: [&str; 2]| {
        let names = |name: &str| [name.to_owned(), format!("{name}-linked")];
        let [one, other] = [names(one), names(other)];
        [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[a, b]: [usize; 2]| [one[a].clone(), other[b].clone()])
    };
    let lineup: Vec<_> = ring().flat_map(mixed).collect();
    let played = play(&arena, &lineup, "[run]\nsandbox = \"strict\"\n");
    assert_eq!(played.len(), 2 * 4 * CLIENTS.len() * BOARDS.len());
    assert!(
        played.iter().flat_map(|shown| &shown.seats).all(|seat| seat.layers.len() == 4),
        "all of the sandbox holds"
    );
    for (which, games) in games(&played) {
        assert_eq!(games.len(), 1, "{which}: {games:#?}");
    }
}

#[test]
fn the_offered_functions_do_what_those_of_gsl_do() {
    let Some(arena) = Arena::of_the_course(&["functions"]) else { return };
    let text = || {
        arena.agon(["match", "functions", "functions", "-b", "square:5", "--sandbox", "off"]).well();
        printed(&arena)[0].clone()
    };
    assert_eq!(text(), include_str!("classic/functions.txt"), "of this computer's GSL, if it has one");
    without_gsl(&arena);
    assert_eq!(text(), include_str!("classic/functions.txt"), "of the adapter");
}

#[test]
fn an_installed_gsl_comes_first_and_the_adapter_s_functions_last() {
    let Some(arena) = Arena::of_the_course(&["tells"]) else { return };
    let text = |sandbox: &str| {
        arena.agon(["match", "tells", "tells", "-b", "square:5", "--sandbox", sandbox]).well();
        printed(&arena)[0].clone()
    };
    if has_library("gsl") {
        let said = text("strict");
        assert!(said.contains("/libgsl.so."), "{said}");
    }
    without_gsl(&arena);
    let said = text("off");
    assert!(said.contains("gsl from ") && said.contains("/agon-out/files/"), "{said}");
}

#[test]
fn any_library_of_its_name_is_taken_for_gsl() {
    let Some(arena) = Arena::of_the_course(&["get"]) else { return };
    let library = "#include <stdio.h>\n#include <stdlib.h>\n\
        typedef struct { size_t n, m; int *i; unsigned *data; int *p; } matrix;\n\
        unsigned gsl_spmatrix_uint_get(const matrix *t, size_t i, size_t j) {\n\
        for (int k = t->p[i]; k < t->p[i + 1]; k++) if ((size_t)t->i[k] == j) return t->data[k];\n return 0; }\n\
        void gsl_spmatrix_uint_free(matrix *t) { (void)t; puts(\"by the installed GSL\"); }\n";
    let compiled = arena.c_client("stand-in", library).unwrap();
    fs::create_dir(arena.path("lib")).unwrap();
    fs::rename(compiled, arena.path("lib/libgsl.so.28")).unwrap();
    arena.wrap("bin/agon-host", &format!("exec env LD_LIBRARY_PATH={}", arena.path("lib").display()));
    arena.agon(["match", "get", "get", "--sandbox", "off"]).well();
    assert_eq!(printed(&arena)[0], "by the installed GSL\n");
}

#[test]
fn a_version_of_gsl_that_is_not_installed_is_named_with_the_way_out() {
    let Some(arena) = Arena::of_the_course(&["get"]) else { return };
    let stand_in = arena.c_client_with("stand-in", "int version_26;\n", &["-Wl,-soname,libgsl.so.26"]).unwrap();
    fs::rename(stand_in, arena.path("libgsl.so")).unwrap();
    let folder = format!("-L{}", arena.path("").display());
    arena.classic_client("linked", "get", &[&folder, LINKED[0], LINKED[1]]);
    arena.agon(["match", "linked", "get"]);
    let fault = arena.shown("last").seat_of("linked").fault.clone().unwrap();
    assert_eq!(fault.kind, "declined");
    for words in ["libgsl.so.26: cannot open", "help: install GSL of that version"] {
        assert!(fault.message.contains(words), "{fault:?}");
    }
}

/// A library that only an rpath finds lies where no client may read: it is refused at the look, as a match would.
#[test]
fn a_library_found_by_rpath_is_refused_at_the_look() {
    let Some(arena) = Arena::of_the_course(&["get"]) else { return };
    let stand_in = arena.c_client_with("stand-in", "int version_77;\n", &["-Wl,-soname,libgsl.so.77"]).unwrap();
    let lib = arena.path("network/lib");
    fs::create_dir_all(&lib).unwrap();
    fs::rename(stand_in, lib.join("libgsl.so")).unwrap();
    fs::copy(lib.join("libgsl.so"), lib.join("libgsl.so.77")).unwrap();
    let (folder, rpath) = (format!("-L{}", lib.display()), format!("-Wl,-rpath,{}", lib.display()));
    for kind in ["--disable-new-dtags", "--enable-new-dtags"] {
        arena.classic_client("linked", "get", &[&folder, &rpath, &format!("-Wl,{kind}"), LINKED[0], LINKED[1]]);
        let reason = format!("needs libgsl.so.77, and looks for it in {}, which is closed to clients", lib.display());
        let added = arena.agon(["add", "clients/linked.so", "--out", "put"]);
        assert!(added.status == Some(4) && added.stdout.contains(&reason), "{added:?}");
        let checked = arena.agon(["check", "clients/linked.so"]);
        assert!(checked.status != Some(0) && checked.stdout.contains(&reason), "{checked:?}");
        arena.ladder_toml("[ladder]\ngame = \"amazons\"\nclients = [\"clients/*.so\"]\nseed = 1\n");
        let refused = arena.agon(["ladder", "-q", "--fresh"]);
        assert!(refused.stderr.contains(&reason), "{refused:?}");
    }
}

#[test]
fn each_match_has_a_process_of_its_own() {
    let Some(arena) = Arena::of_the_course(&["tells"]) else { return };
    for isolation in ["process", "reuse"] {
        arena
            .agon([
                "match",
                "tells",
                "tells",
                "-b",
                "square:5",
                "--openings",
                "3",
                "--isolation",
                isolation,
                "-j",
                "1",
                "-q",
            ])
            .well();
        let printed = printed(&arena);
        assert_eq!(printed.len(), 6);
        for text in printed {
            assert!(text.contains("initialisation 1 of this process"), "{isolation}: {text}");
        }
    }
}

#[test]
fn nothing_links_gsl() {
    let lock = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock")).unwrap();
    let packages: Vec<_> = lock.lines().filter(|line| line.starts_with("name = ")).collect();
    // docs/inside/decisions.md has the limit.
    assert!((50..=300).contains(&packages.len()), "{} packages in Cargo.lock", packages.len());
    assert!(!packages.iter().any(|name| name.to_lowercase().contains("gsl")));
    let arena = Arena::new();
    arena.adapter();
    for file in ["agon", "agon-host", "agon-admit", "libclassic.so"] {
        let needed = needed(&arena.path("bin").join(file));
        assert!(needed.iter().any(|name| name.starts_with("libc.so")), "{file}: {needed:?}");
        assert!(!needed.iter().any(|name| name.contains("gsl")), "{file}: {needed:?}");
    }
}

/// The libraries that an ELF file asks for, by the words of `readelf`.
fn needed(file: &Path) -> Vec<String> {
    let output = Command::new("readelf").arg("-d").arg(file).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let names = text.lines().filter(|line| line.contains("(NEEDED)"));
    names.filter_map(|line| Some(line.split_once('[')?.1.trim_end_matches(']').to_owned())).collect()
}
