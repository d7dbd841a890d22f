//! Clients that were compiled for version 1 of the contract play on, today and on every later agon.

use crate::builder::Arena;
use std::path::Path;

#[test]
fn clients_of_version_1_play_on() {
    if !cfg!(target_arch = "x86_64") {
        agon_skips::skip_here("the compiled clients of version 1 are for x86-64");
        return;
    }
    let arena = Arena::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../client-api/tests/fixtures/v1");
    for file in ["first_in_c.so", "first_in_rust.so"] {
        arena.add(&folder.join(file));
    }
    let added = arena.agon(["add", "clients/first-in-c.so", "clients/first-in-rust.so", "--out", "seen"]).well();
    for name in ["first in C", "first in Rust"] {
        assert!(added.stdout.contains(&format!("(amazons, calls itself \"{name}\")")), "{}", added.stdout);
    }
    arena.ladder_toml("[ladder]\ngame = \"amazons\"\n[options]\nboard = [\"square:6\", \"lagoon\"]\nvacated = [\"free\", \"blocked\"]\n");
    arena.agon(["ladder", "-q"]).well();
    let played = arena.all_shown();
    assert_eq!(played.len(), 8);
    for shown in &played {
        assert_eq!(shown.ending(), "over");
        assert!(shown.seats.iter().all(|seat| seat.fault.is_none() && seat.notices.is_empty()), "{:?}", shown.seats);
        assert!(shown.turns() > 2);
    }
    let log = arena.agon(["show", "last", "--jsonl"]).well().stdout;
    assert_eq!((log.matches("nodes\\t1").count() > 2, log.contains("cpu\\t0")), (true, false), "{log}");
    let declined = arena.file(
        "declined.toml",
        "[ladder]\ngame = \"amazons\"\nclients = [\"clients/first-in-c.so\"]\n[[client]]\nfile = \"clients/first-in-rust.so\"\noptions = { style = \"last\" }\n",
    );
    arena.agon(["ladder".as_ref(), declined.as_os_str(), "-q".as_ref()]).well();
    let fault = arena.shown("last").seat_of("first-in-rust").fault.clone().unwrap();
    assert_eq!((fault.kind.as_str(), fault.message.as_str()), ("declined", "last"));
}
