//! New versions of clients, staff, and teams that leave: places, points and grades.

use super::{client, ladder, submit};
use crate::builder::{Arena, Ran, has_program};
use serde_json::Value;
use std::fs;

#[test]
fn clients_come_in_versions_and_are_suspended_by_hand() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    for (team, name) in ["red", "green", "blue"].into_iter().enumerate() {
        submit(&arena, name, team as u32, 1, 0);
    }
    ladder(&arena, 1, "");
    let matches = |ran: Ran| ran.json()["matches"].as_u64().unwrap();
    assert_eq!(matches(arena.agon(["ladder", "--quiet", "--json"])), 6);
    // A changed file is the next version; what the old one played stays under its name.
    submit(&arena, "red", 7, 4, 0);
    assert_eq!(matches(arena.agon(["ladder", "--quiet", "--json"])), 6, "those of the old one count for nobody");
    let (old, new) = (client(&arena, "red"), client(&arena, "red@2"));
    assert_eq!((&old["status"], &old["matches"]), (&"replaced".into(), &4.into()));
    assert_eq!((&new["status"], &new["matches"], &new["team"]), (&"playing".into(), &4.into(), &"red".into()));
    // Benched: no new blocks until it is let back.
    arena.agon(["clients", "--bench", "red"]).well();
    assert_eq!(client(&arena, "red@2")["status"], "benched");
    assert_eq!(arena.agon(["clients", "--bench", "red"]).status, Some(2), "it is already");
    let markdown = arena.agon(["standings", "--markdown"]).well().stdout;
    assert!(markdown.contains("\n- `red@2` is benched: "), "{markdown}");
    ladder(&arena, 2, "");
    assert_eq!(matches(arena.agon(["ladder", "--quiet", "--json"])), 4, "those of the benched one count for nobody");
    arena.agon(["clients", "--let-back", "red"]).well();
    assert_eq!(matches(arena.agon(["ladder", "--quiet", "--json"])), 12);
    // Withdrawn: no version plays. A file that is gone is told.
    arena.agon(["clients", "--withdraw", "green"]).well();
    fs::remove_file(arena.path("teams/blue/player.so")).unwrap();
    submit(&arena, "green", 8, 1, 0);
    submit(&arena, "gold", 9, 1, 0);
    arena.agon(["ladder", "--quiet"]).well();
    assert_eq!(client(&arena, "green@2")["status"], "withdrawn");
    assert_eq!(client(&arena, "blue")["status"], "file gone");
    assert_eq!(client(&arena, "gold")["matches"], 4, "with red alone");
    assert_eq!(arena.agon(["clients", "--let-back", "gold"]).status, Some(2));
    assert!(arena.agon(["clients", "--bench", "gelb"]).stderr.contains("there are: blue, gold, green, red"));
}

/// The table, grades and texts of a class whose team b handed in other files before.
fn graded(before: &[u32]) -> Vec<String> {
    let arena = Arena::new();
    let grades = "[grades]\nsteps = [\"6: 0.55\", \"4: 0.45\"]\notherwise = \"1\"\n";
    ladder(&arena, 3, grades);
    submit(&arena, "a", 1, 1, 0);
    submit(&arena, "c", 3, 4, 0);
    for (version, team) in before.iter().enumerate() {
        submit(&arena, "b", *team, 1, 0);
        if version == 1 {
            submit(&arena, "d", 11, 1, 0);
        }
        arena.agon(["ladder", "--quiet"]).well();
        if version == 1 {
            fs::remove_file(arena.path("teams/d/player.so")).unwrap();
        }
    }
    submit(&arena, "b", 2, 16, 0);
    arena.agon(["ladder", "--quiet"]).well();
    let last = if before.is_empty() { "b".to_owned() } else { format!("b@{}", before.len() + 1) };
    let table = arena.agon(["standings", "--for-all", "texts"]).well().stdout;
    let texts = ["a", "b", "c"].map(|team| fs::read_to_string(arena.path(format!("texts/clients/{team}.md"))).unwrap());
    if !before.is_empty() {
        for said in
            ["b@1 replaced: by b@4", "b@2 replaced: by b@4", "b@3 replaced: by b@4", " points) count for nobody\n"]
        {
            assert!(table.contains(said), "{said}: {table}");
        }
        let old = arena.agon(["standings", "--for", "b@1"]).well().stdout;
        assert!(
            old.contains("This version is replaced: `by b@4; its 12 matches (0.")
                && old.contains(" points) count for nobody`."),
            "{old}"
        );
        let newest = arena.agon(["standings", "--for", "b"]).well().stdout;
        assert_eq!(newest, texts[1], "a name means the newest version");
        let aside = arena.agon(["standings", "--json"]).json()["set_aside"].clone();
        let told = |label: &str| aside.as_array().unwrap().iter().find(|one| one["client"] == label).cloned();
        let first = told("b@1").unwrap_or_else(|| panic!("{aside}"));
        assert_eq!((&first["team"], &first["status"], first.get("grade")), (&"b".into(), &"replaced".into(), None));
        assert_eq!(told("d").unwrap()["grade"], "1", "{aside}");
        let listed = |name: &str| arena.agon(["matches", "--client", name, "--limit", "1"]).well().stdout;
        assert_eq!(listed("b"), listed("b@4"));
        assert!(listed("b@1").contains(" b ") && !listed("b").contains(" b "), "{}", listed("b@1"));
        let clients = arena.agon(["clients"]).well().stdout;
        let shown = ["b@1 ", "b@2 ", "b@4 "].map(|name| clients.lines().any(|line| line.starts_with(name)));
        assert!(shown == [true; 3] && clients.contains("\nb@1 replaced: by b@4"), "{clients}");
    }
    let files = fs::read_dir(arena.path("texts/clients")).unwrap().count();
    assert_eq!(files, if before.is_empty() { 3 } else { 4 }, "one of each team, of d too");
    let csv = fs::read_to_string(arena.path("texts/table.csv")).unwrap();
    let newest = |command: &[&str]| {
        let told = arena.agon([&["standings"], command].concat()).well().stdout;
        let notes = told.lines().filter(|line| line.contains("are left out; agon standings shows them apart"));
        assert_eq!(notes.count(), usize::from(!before.is_empty() && !command.contains(&"--json")), "{told}");
        let kept = told.lines().filter(|line| !line.contains("are left out;"));
        // Columns are as wide as the longest name.
        kept.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect::<String>()
    };
    let tables = [
        newest(&["--crosstable"]),
        newest(&["--crosstable", "--json"]),
        newest(&["--ratings"]),
        newest(&["--ratings", "--json"]),
        newest(&["--ratings", "--like", "bayeselo"]),
    ];
    arena.agon(["report", "--out", "site"]).well();
    let history: Value = serde_json::from_str(&fs::read_to_string(arena.path("site/history.json")).unwrap()).unwrap();
    let last_of = |line: &Value| format!("{} {}", line["client"], line["points"].as_array().unwrap().last().unwrap());
    let mut ends: Vec<String> = history["clients"].as_array().unwrap().iter().map(last_of).collect();
    ends.sort();
    let published = fs::read_to_string(arena.path("site/ratings.json")).unwrap();
    let own = |text: String| text.replace(&format!("`{last}`"), "b").replace(&last, "b");
    let without_d = csv.lines().filter(|line| !line.contains(",d,")).map(|line| format!("{line}\n")).collect();
    let json = arena.agon(["standings", "--json"]).json();
    let lines: Vec<&Value> = json["clients"].as_array().unwrap().iter().collect();
    assert_eq!(lines.len(), 3, "{json}");
    let points = format!("{:?}", lines.iter().map(|line| &line["points"]).collect::<Vec<_>>());
    let ends = format!("{:?} {}", history["matches"].as_array().unwrap().last(), ends.join(", "));
    [without_d, texts.concat(), points, ends, published].into_iter().chain(tables).map(own).collect()
}

/// The same final files give the same table, whatever was handed in before.
#[test]
fn only_the_newest_versions_have_places_points_and_grades() {
    if !has_program("cc") {
        return;
    }
    assert_eq!(graded(&[7, 8, 9]), graded(&[]));
}

/// Clients that others are measured by have results, and neither places nor grades.
#[test]
fn staff_has_no_place() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    ladder(&arena, 1, "[grades]\nsteps = [\"6: 0.55\"]\notherwise = \"1\"\n");
    for (name, looks) in [("a", 1), ("b", 4), ("master", 64)] {
        submit(&arena, name, looks, looks, 0);
    }
    arena.agon(["ladder", "--quiet"]).well();
    arena.agon(["standings", "--staff", "master", "--for-all", "texts"]).well();
    let csv = arena.agon(["standings", "--csv", "--staff", "master"]).well().stdout;
    let master = csv.lines().find(|line| line.starts_with(",master,")).unwrap_or_else(|| panic!("{csv}"));
    assert!(master.ends_with(",,master,,staff,"), "{csv}");
    let places: Vec<&str> = csv.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert!(places.contains(&"1") && !places.contains(&"3"), "{csv}");
    assert!(!arena.path("texts/clients/master.md").exists());
    let json = arena.agon(["standings", "--json", "--staff", "master"]).json();
    let place = |name: &str| {
        let all = json["clients"].as_array().unwrap();
        all.iter().find(|line| line["client"] == name).unwrap()["place"].clone()
    };
    assert!(place("master").is_null() && place("a").is_u64(), "{json}");
    let table = arena.agon(["standings", "--staff", "master"]).well().stdout;
    assert!(table.lines().any(|line| line.starts_with('-') && line.contains("master (staff)")), "{table}");
    assert_eq!(arena.agon(["standings", "--staff", "nobody"]).status, Some(2));
    let feedback = arena.agon(["standings", "--for", "master", "--staff", "master"]).well().stdout;
    assert!(
        feedback.contains("Others are measured by this client") && !feedback.contains("no match yet"),
        "{feedback}"
    );
    // The pages say the same.
    arena.agon(["report", "--staff", "master", "--out", "site"]).well();
    let page = fs::read_to_string(arena.path("site/index.html")).unwrap();
    assert!(page.contains("master (staff)"), "{page}");
    let published: Value =
        serde_json::from_str(&fs::read_to_string(arena.path("site/standings.json")).unwrap()).unwrap();
    let places: Vec<(&Value, &Value)> =
        published["clients"].as_array().unwrap().iter().map(|line| (&line["client"], &line["place"])).collect();
    assert!(places.contains(&(&"master".into(), &Value::Null)), "{published}");
    assert!(places.iter().all(|(_, place)| **place != 3), "{published}");
}

/// Everybody who handed something in has one line with the reason in every output.
#[test]
fn nobodys_work_disappears() {
    if !has_program("cc") || !has_program("make") {
        return;
    }
    use std::os::unix::ffi::OsStrExt;
    let arena = Arena::new();
    let client = include_str!("../../../../client-api/starters/grundy.c");
    for (name, text) in [("Ada", client), ("Bob", "int broken = ;\n"), ("Carl", client)] {
        fs::create_dir_all(arena.path("in").join(name)).unwrap();
        fs::write(arena.path("in").join(name).join("bot.c"), text).unwrap();
    }
    fs::create_dir(arena.path("in/Dora")).unwrap();
    let built = arena.agon(["build", "in"]);
    assert!(built.stdout.contains("2 of 4 built"), "{built:?}");
    let own = |name: &[u8]| arena.path("clients").join(std::ffi::OsStr::from_bytes(name));
    fs::rename(arena.path("clients/Carl.so"), own(b"Ren\xe9.so")).unwrap();
    fs::create_dir(own(b"x.so")).unwrap();
    fs::create_dir(own(b"Zo\xeb.so")).unwrap();
    arena.ladder_toml(
        "[ladder]\nname = \"all\"\ngame = \"grundy\"\nopenings = 2\nseed = 7\n[options]\nheaps = [8]\n[grades]\n\
         steps = [\"6: 0.5\"]\notherwise = \"1\"\n",
    );
    arena.agon(["ladder", "--quiet"]).well();
    let table = arena.agon(["standings", "--for-all", "texts"]).well().stdout;
    let (csv, json) =
        (arena.agon(["standings", "--csv"]).well().stdout, arena.agon(["standings", "--json"]).json().to_string());
    arena.agon(["report", "--out", "page"]).well();
    let page = fs::read_to_string(arena.path("page/index.html")).unwrap();
    let markdown = fs::read_to_string(arena.path("texts/table.md")).unwrap();
    let document = arena.agon(["standings", "--json"]).json();
    for one in document["refused"].as_array().unwrap() {
        assert_eq!((&one["status"], &one["grade"], &one["team"]), (&"refused".into(), &"1".into(), &one["client"]));
    }
    assert!(document["clients"].as_array().unwrap().iter().all(|one| one["status"] == "playing"), "{document}");
    for (name, why) in [
        ("Ada", ""),
        ("René", ""),
        ("Bob", "ended with 1"),
        ("Dora", "nothing was submitted"),
        ("x", "it is a folder, not a file"),
        ("Zoë", "it is a folder, not a file"),
    ] {
        for (kind, output) in [("table", &table), ("csv", &csv), ("json", &json), ("page", &page), ("md", &markdown)] {
            assert!(output.contains(name) && output.contains(why), "{kind} {name}: {output}");
        }
        assert_eq!(csv.lines().filter(|line| line.split(',').nth(1) == Some(name)).count(), 1, "{name}: {csv}");
        for (kind, output) in [("table", &table), ("md", &markdown)].into_iter().filter(|_| !why.is_empty()) {
            let graded = |line: &str| line.contains(&format!(" {name} ")) && line.contains("; grade 1");
            assert!(output.lines().any(graded), "{kind} {name}: {output}");
        }
        let text = fs::read_to_string(arena.path(format!("texts/clients/{name}.md"))).unwrap();
        assert!(text.contains(why) && text.contains("Grade: **"), "{text}");
    }
    // Whoever hands in something that builds has no note any more, and what was built is never both.
    fs::write(arena.path("in/Bob/bot.c"), client).unwrap();
    fs::write(arena.path("in/Ada/bot.c"), "int broken = ;\n").unwrap();
    arena.agon(["build", "in", "--replace"]);
    let names = ["Bob.so", "Bob.refused", "Ada.so", "Ada.refused"].map(|name| own(name.as_bytes()).exists());
    assert_eq!(names, [true, false, false, true]);
    let table = arena.agon(["ladder", "--quiet"]).well().stdout;
    assert!(table.contains(" -  Ada@2 refused: ") && table.contains(" Bob@2 "), "{table}");
}

/// Faults in matches with replaced opponents bench nobody: a client plays the new ones first.
#[test]
fn who_is_benched_is_judged_again_by_the_present_matches() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    ladder(&arena, 40, "bench_after = 3\n");
    for (team, name) in ["a", "b"].into_iter().enumerate() {
        submit(&arena, name, team as u32 + 1, 1, 0);
    }
    submit(&arena, "crasher", 9, 1, 1);
    arena.agon(["ladder", "--quiet"]).well();
    assert_eq!(client(&arena, "crasher")["status"], "benched");
    let same = arena.agon(["ladder", "--quiet"]).well();
    assert!(!same.stderr.contains("let back"), "{same:?}");
    assert_eq!(client(&arena, "crasher")["status"], "benched");
    let before = client(&arena, "crasher")["matches"].as_u64().unwrap();
    for (team, name) in ["a", "b"].into_iter().enumerate() {
        submit(&arena, name, team as u32 + 5, 1, 0);
    }
    let changed = arena.agon(["ladder", "--quiet"]).well();
    let line = "crasher is let back: its matches with the present clients have no 3 failures in a row";
    assert!(changed.stderr.contains(line), "{changed:?}");
    let crasher = client(&arena, "crasher");
    assert_eq!(crasher["status"], "benched", "it fails against the new ones as well");
    assert!(crasher["matches"].as_u64().unwrap() >= before + 3, "{crasher}");
    // By hand it stays so.
    arena.agon(["clients", "--let-back", "crasher"]).well();
    arena.agon(["clients", "--bench", "crasher"]).well();
    submit(&arena, "a", 7, 1, 0);
    assert!(!arena.agon(["ladder", "--quiet"]).well().stderr.contains("let back"));
}
