//! Records that may be read and not be written: somebody else's folder, a backup that is put away.

use crate::builder::{Arena, NOBODY};
use crate::held::{matches, pairs, table, wait_until};
use rusqlite::Connection;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

/// A played ladder, of which an ordinary user may now read everything; root, who may write anywhere, becomes one.
fn locked(arena: Arena) -> Arena {
    let user = rustix::process::geteuid().is_root().then_some(NOBODY);
    for path in ["agon-out/record.sqlite", "agon-out"] {
        fs::set_permissions(arena.path(path), Permissions::from_mode(0o555)).unwrap();
    }
    arena.as_user(user)
}

fn unlock(arena: &Arena) {
    fs::set_permissions(arena.path("agon-out"), Permissions::from_mode(0o755)).unwrap();
}

const READERS: [&[&str]; 5] =
    [&["standings"], &["standings", "--ratings"], &["matches"], &["show", "last"], &["record", "export", "jsonl"]];

#[test]
fn somebody_elses_folder_is_read_as_it_is() {
    let arena = pairs(2);
    arena.agon(["ladder", "--quiet"]).well();
    let before = READERS.map(|words| arena.agon(words).well().stdout);
    let arena = locked(arena);
    let after = READERS.map(|words| arena.agon(words).well().stdout);
    assert_eq!(before, after);
    arena.agon(["record", "backup", "copy.sqlite"]).well();
    let refused = arena.agon(["clients", "--withdraw", "moves"]);
    assert!(
        refused.status == Some(1) && refused.stderr.contains("help: make the folder writable"),
        "{}",
        refused.stderr
    );
    unlock(&arena);
}

#[test]
fn a_backup_of_mode_444_is_read() {
    let arena = pairs(2);
    arena.agon(["ladder", "--quiet"]).well();
    let shown = table(&arena);
    // Signs that mean something in a URI.
    let name = "copy of 100%?#1.sqlite";
    arena.agon(["record", "backup", name]).well();
    fs::set_permissions(arena.path(name), Permissions::from_mode(0o444)).unwrap();
    let user = rustix::process::geteuid().is_root().then_some(NOBODY);
    let arena = arena.as_user(user);
    assert_eq!(arena.agon(["standings", "--record", name]).well().stdout, shown);
}

#[test]
fn a_running_ladder_is_read_by_somebody_else() {
    if !rustix::process::geteuid().is_root() {
        agon_skips::skip_here("a second user needs root");
        return;
    }
    let arena = pairs(1000);
    let mut server = arena.start(["ladder", "--quiet"]);
    wait_until("something is played", || matches(&arena) > 0);
    let arena = arena.as_user(Some(NOBODY));
    let refused = arena.agon(["standings"]);
    assert!(refused.stderr.contains("help: make the file and its folder readable"), "{}", refused.stderr);
    for ending in ["", "-wal", "-shm"] {
        let file = arena.path(format!("agon-out/record.sqlite{ending}"));
        fs::set_permissions(file, Permissions::from_mode(0o644)).unwrap();
    }
    arena.agon(["standings"]).well();
    arena.agon(["show", "last"]).well();
    server.kill().unwrap();
    server.wait().unwrap();
    arena.agon(["standings"]).well();
    fs::remove_file(arena.path("agon-out/record.sqlite-shm")).unwrap();
    let refused = arena.agon(["standings"]);
    assert!(refused.status == Some(1) && refused.stderr.contains("help: run this as the owner"), "{}", refused.stderr);
}

#[test]
fn a_record_of_another_version_says_what_to_do() {
    let arena = pairs(1);
    arena.agon(["ladder", "--quiet"]).well();
    let db = Connection::open(arena.path("agon-out/record.sqlite")).unwrap();
    db.pragma_update(None, "user_version", 7).unwrap();
    db.close().unwrap();
    let arena = locked(arena);
    let refused = arena.agon(["standings"]);
    assert!(refused.status == Some(1), "{}", refused.stderr);
    assert!(refused.stderr.contains("help: export it with the agon that wrote it"), "{}", refused.stderr);
    unlock(&arena);
}

#[test]
fn a_record_that_may_not_be_read_says_what_to_do() {
    let arena = pairs(1);
    arena.agon(["ladder", "--quiet"]).well();
    let arena = locked(arena);
    fs::set_permissions(arena.path("agon-out/record.sqlite"), Permissions::from_mode(0o000)).unwrap();
    let refused = arena.agon(["standings"]);
    assert!(refused.status == Some(1) && refused.stderr.contains("help: make the file and"), "{}", refused.stderr);
    unlock(&arena);
}
