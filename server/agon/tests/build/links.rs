//! Links that a build leaves behind: agon takes no file through one that leads out of the submission, and takes what one
//! within it leads to.

use super::has_tools;
use crate::builder::{Arena, Ran, users};
use std::fs;
use std::os::unix::fs::PermissionsExt;

const SCRIPT: &str = "#!/bin/sh\necho submitted\n";
const SECRET: &str = "#!/bin/sh\necho of the operator\n";

/// Builds a file with a Makefile that runs these lines.
fn build(arena: &Arena, name: &str, file: &str, lines: &str) -> Ran {
    fs::create_dir(arena.path(name)).unwrap();
    arena.file(&format!("{name}/{file}"), SCRIPT);
    let lines: String = lines.lines().map(|line| format!("\t{}\n", line.trim())).collect();
    arena.file(&format!("{name}/Makefile"), format!("all:\n{lines}"));
    arena.agon(["build", name, "--out", "built"])
}

#[test]
fn a_link_out_of_the_submission_is_not_followed() {
    if !has_tools() {
        return;
    }
    for user in users().into_iter().rev() {
        let arena = Arena::new();
        let library = fs::read(arena.rust_client("grundy")).unwrap();
        fs::create_dir(arena.path("private")).unwrap();
        for (name, content) in [("private/solution.py", SECRET.as_bytes()), ("private/bot.so", &library)] {
            let file = arena.file(name, content);
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
            std::os::unix::fs::chown(file, user, user).unwrap();
        }
        let arena = arena.as_user(user);
        let private = arena.path("private").display().to_string();
        for (name, file, lines, why) in [
            (
                "file",
                "eve.py",
                format!("rm eve.py\nln -s {private}/solution.py eve.py"),
                "its client, eve.py: it is reached by a link",
            ),
            ("folder", "bot.c", format!("mkdir target\nln -s {private} target/release"), "target/release is a link"),
        ] {
            let ran = build(&arena, name, file, &lines);
            let placed = fs::read_dir(arena.path("built")).into_iter().flatten().map(|entry| entry.unwrap().path());
            let placed: Vec<Vec<u8>> = placed.filter_map(|file| fs::read(file).ok()).collect();
            let secrets = [SECRET.as_bytes(), &library];
            assert!(!placed.iter().any(|bytes| secrets.contains(&bytes.as_slice())), "{name}: {ran:?}");
            assert!(
                ran.status == Some(4) && ran.stdout.contains(&format!("refused  {name}: {why}")),
                "{name}: {ran:?}"
            );
        }
    }
}

#[test]
fn a_link_within_the_submission_leads_to_its_client() {
    if !has_tools() {
        return;
    }
    for user in users().into_iter().rev() {
        let arena = Arena::new().as_user(user);
        for (name, lines) in [
            ("relative", "mkdir real\nmv eve.py real/main.py\nln -s real/main.py eve.py"),
            ("absolute", "mkdir real\nmv eve.py real/main.py\nln -s $(CURDIR)/real/main.py eve.py"),
        ] {
            let ran = build(&arena, name, "eve.py", lines);
            assert!(ran.stdout.contains(&format!("built    built/{name}.py (program)")), "{ran:?}");
            assert_eq!(fs::read_to_string(arena.path("built").join(format!("{name}.py"))).unwrap(), SCRIPT);
        }
        let client = include_str!("../../../../client-api/starters/grundy.c");
        fs::create_dir(arena.path("release")).unwrap();
        arena.file("release/bot.c", client);
        let lines = "mkdir target made\n\tln -s ../made target/release\n\t$(CC) -shared -fPIC -o made/bot.so bot.c";
        arena.file("release/Makefile", format!("all:\n\t{lines}\n"));
        let ran = arena.agon(["build", "release", "--out", "built"]);
        assert!(ran.stdout.contains("built    built/release.so (make): a client of grundy"), "{ran:?}");
    }
}
