//! A teacher's folder of thirty clients, all called `player.so`, five of them broken: it plays unattended, whatever the
//! number of matches at once, and the table explains itself. Then what a course brings: new versions, teams that leave,
//! files taken away.

use crate::builder;
use crate::builder::{Arena, Ran, SmallDisk, has_program, moment};
use crate::held::{assert_no_host, assert_whole, matches, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Teams of the folder; `AGON_COURSE_ROUNDS` plays it more often than the test needs.
const TEAMS: u32 = 30;
/// What is wrong with the broken ones.
const BROKEN: [(&str, u32); 5] = [("crasher", 1), ("cheat", 2), ("spinner", 3), ("decliner", 4), ("essay", 0)];

fn rounds() -> u32 {
    std::env::var("AGON_COURSE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// Compiles a course-like client and hands it in.
fn hand_in(arena: &Arena, name: &str, team: u32, looks: u32, fault: u32) {
    place(arena, &compile(arena, name, team, looks, fault), name);
}

fn compile(arena: &Arena, name: &str, team: u32, looks: u32, fault: u32) -> PathBuf {
    let flags = [format!("-DTEAM={team}"), format!("-DLOOKS={looks}"), format!("-DFAULT={fault}")];
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    arena.c_client_with(name, "server/agon/tests/builder/course.c", &flags).unwrap()
}

/// Moves a file to `teams/NAME/player.so`.
fn place(arena: &Arena, file: &Path, name: &str) {
    let folder = arena.path("teams").join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::rename(file, folder.join("player.so")).unwrap();
}

/// A ladder of everything in `teams/`.
fn ladder(arena: &Arena, rounds: u32, more: &str) {
    let text = format!(
        "[ladder]\nname = \"class\"\ngame = \"amazons\"\nclients = [\"teams/*/player.so\"]\nopenings = {rounds}\nseed = 7\n\
         [options]\nboard = [\"square:6\"]\n[time]\nper_move = \"30ms\"\n[run]\nlogs = \"none\"\n{more}"
    );
    arena.ladder_toml(&text);
}

/// Every team of the class; two of them hand in the same file.
fn class() -> Option<Arena> {
    if !has_program("cc") {
        return None;
    }
    let arena = Arena::new();
    for team in 0..TEAMS - BROKEN.len() as u32 {
        hand_in(&arena, &format!("team-{team:02}"), team.max(1), [1, 4, 16][team as usize % 3], 0);
    }
    fs::copy(arena.path("teams/team-01/player.so"), arena.path("teams/team-00/player.so")).unwrap();
    for (name, fault) in BROKEN {
        hand_in(&arena, name, 99, 1, fault);
    }
    fs::write(arena.path("teams/essay/player.so"), "How we would have played, if we had had the time.\n").unwrap();
    Some(arena)
}

fn clients(arena: &Arena) -> Vec<Value> {
    arena.agon(["clients", "--json"]).json()["clients"].as_array().unwrap().clone()
}

fn client(arena: &Arena, label: &str) -> Value {
    let all = clients(arena);
    all.iter().find(|client| client["client"] == label).unwrap_or_else(|| panic!("no {label} in {all:#?}")).clone()
}

/// What was played: block by block who failed how, in no order.
fn played(arena: &Arena) -> Vec<String> {
    let list = arena.agon(["matches", "--json"]).json();
    let line = |row: &Value| format!("{} {} {} {}", row["id"], row["plies"], row["ending"], row["seats"]);
    let mut lines: Vec<String> = list["matches"].as_array().unwrap().iter().map(line).collect();
    lines.sort();
    lines
}

#[test]
fn a_class_of_thirty_plays_unattended_and_the_table_explains_itself() {
    let Some(arena) = class() else { return };
    ladder(&arena, rounds(), "disable_after = 5\n");
    let began = Instant::now();
    let run = arena.agon(["ladder", "--quiet", "--jobs", "2"]).well();
    let (text, table) = (run.stdout.clone(), arena.agon(["standings", "--json"]).json());
    eprintln!("{} matches in {:.1} s\n{text}", table["matches"], began.elapsed().as_secs_f64());
    assert!((600..800).contains(&(table["matches"].as_u64().unwrap() / u64::from(rounds()))), "the broken ones stop");
    let good =
        table["clients"].as_array().unwrap().iter().filter(|line| line["faults"].as_object().unwrap().is_empty());
    assert_eq!(good.count(), 25, "nobody else is at fault");
    for (name, _) in BROKEN {
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!(" -  {name} ")))
            .unwrap_or_else(|| panic!("{name}\n{text}"));
        let expected = if name == "essay" { "refused: " } else { "benched: by disable_after, from block " };
        assert!(line.contains(expected), "{line}");
    }
    assert!(text.contains("these could be equally strong"), "those set aside separate nobody else\n{text}");
    for (name, kind) in
        [("crasher", "crash"), ("cheat", "illegal-move"), ("spinner", "cpu-time"), ("decliner", "declined")]
    {
        let in_table = format!("{name} (benched)");
        assert!(text.lines().any(|line| line.contains(&in_table) && line.contains(kind)), "{name}\n{text}");
        let line = client(&arena, name);
        assert_eq!(line["status"], "benched");
        assert_eq!(line["last_fault"]["kind"], kind);
        assert!(line["faults"].as_u64().unwrap() >= 5 && line["matches"].as_u64().unwrap() < 58, "{line}");
        assert!(line["why"].as_str().unwrap().contains("5 failures in a row"), "{line}");
        let id = line["last_fault"]["match"].as_str().unwrap();
        assert!(arena.agon(["show", id]).well().stdout.contains(kind));
    }
    assert_eq!(client(&arena, "team-00")["sha256"], client(&arena, "team-01")["sha256"]);
}

#[test]
fn who_is_benched_and_what_is_played_does_not_depend_on_jobs_or_on_stops() {
    let Some(arena) = class() else { return };
    ladder(&arena, 1, "disable_after = 3\n");
    arena.agon(["ladder", "--quiet", "--jobs", "2"]).well();
    let (with_two, benched) = (played(&arena), clients(&arena));
    fs::remove_dir_all(arena.path("agon-out")).unwrap();
    let mut stopped = arena.start(["ladder", "--quiet", "--jobs", "2"]);
    std::thread::sleep(Duration::from_millis(1500));
    stopped.kill().unwrap();
    stopped.wait().unwrap();
    arena.agon(["ladder", "--quiet", "--jobs", "1"]).well();
    let with_one = played(&arena);
    assert!(with_two == with_one, "{} and {} matches", with_two.len(), with_one.len());
    let why = |clients: &[Value]| clients.iter().map(|client| client["why"].to_string()).collect::<Vec<_>>();
    assert_eq!(why(&benched), why(&clients(&arena)));
}

#[test]
fn clients_come_in_versions_and_are_set_aside_by_hand() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    for (team, name) in ["red", "green", "blue"].into_iter().enumerate() {
        hand_in(&arena, name, team as u32, 1, 0);
    }
    ladder(&arena, 1, "");
    let matches = |ran: Ran| ran.json()["matches"].as_u64().unwrap();
    assert_eq!(matches(arena.agon(["ladder", "--quiet", "--json"])), 6);
    // A changed file is the next version; what the old one played stays under its name.
    hand_in(&arena, "red", 7, 4, 0);
    assert_eq!(matches(arena.agon(["ladder", "--quiet", "--json"])), 6, "those of the old one count for nobody");
    let (old, new) = (client(&arena, "red"), client(&arena, "red@2"));
    assert_eq!((&old["status"], &old["matches"]), (&"replaced".into(), &4.into()));
    assert_eq!((&new["status"], &new["matches"], &new["team"]), (&"playing".into(), &4.into(), &"red".into()));
    // Benched: no new blocks until it is let back.
    arena.agon(["clients", "--bench", "red"]).well();
    assert_eq!(client(&arena, "red@2")["status"], "benched");
    assert_eq!(arena.agon(["clients", "--bench", "red"]).status, Some(2), "it is already");
    ladder(&arena, 2, "");
    assert_eq!(matches(arena.agon(["ladder", "--quiet", "--json"])), 8);
    arena.agon(["clients", "--let-back", "red"]).well();
    assert_eq!(matches(arena.agon(["ladder", "--quiet", "--json"])), 12);
    // Withdrawn: no version plays. A file that is gone is told.
    arena.agon(["clients", "--withdraw", "green"]).well();
    fs::remove_file(arena.path("teams/blue/player.so")).unwrap();
    hand_in(&arena, "green", 8, 1, 0);
    hand_in(&arena, "gold", 9, 1, 0);
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
    hand_in(&arena, "a", 1, 1, 0);
    hand_in(&arena, "c", 3, 4, 0);
    for (version, team) in before.iter().enumerate() {
        hand_in(&arena, "b", *team, 1, 0);
        if version == 1 {
            hand_in(&arena, "d", 11, 1, 0);
        }
        arena.agon(["ladder", "--quiet"]).well();
        if version == 1 {
            fs::remove_file(arena.path("teams/d/player.so")).unwrap();
        }
    }
    hand_in(&arena, "b", 2, 16, 0);
    arena.agon(["ladder", "--quiet"]).well();
    let last = if before.is_empty() { "b".to_owned() } else { format!("b@{}", before.len() + 1) };
    let table = arena.agon(["standings", "--for-all", "texts"]).well().stdout;
    let texts = ["a", "b", "c"].map(|team| fs::read_to_string(arena.path(format!("texts/clients/{team}.md"))).unwrap());
    if !before.is_empty() {
        for said in ["b replaced: by b@4", "b@2 replaced: by b@4", "b@3 replaced: by b@4", " for nobody (0."] {
            assert!(table.contains(said), "{said}: {table}");
        }
        let old = arena.agon(["standings", "--for", "b@1"]).well().stdout;
        assert!(
            old.contains("This version is replaced: `by b@4; its results stay`, but its 12 matches count for nobody."),
            "{old}"
        );
        let newest = arena.agon(["standings", "--for", "b"]).well().stdout;
        assert_eq!(newest, texts[1], "a name means the newest version");
        let listed = |name: &str| arena.agon(["matches", "--client", name, "-n", "1"]).well().stdout;
        assert_eq!(listed("b"), listed("b@4"));
        assert!(listed("b@1").contains(" b ") && !listed("b").contains(" b "), "{}", listed("b@1"));
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
        hand_in(&arena, name, looks, looks, 0);
    }
    arena.agon(["ladder", "--quiet"]).well();
    arena.agon(["standings", "--staff", "master", "--for-all", "texts"]).well();
    let csv = arena.agon(["standings", "--csv", "--staff", "master"]).well().stdout;
    let master = csv.lines().find(|line| line.starts_with(",master,")).unwrap_or_else(|| panic!("{csv}"));
    assert!(master.ends_with(",,staff,"), "{csv}");
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
}

/// Everybody who handed something in has one line with the reason in every output.
#[test]
fn nobodys_work_disappears() {
    if !has_program("cc") || !has_program("make") {
        return;
    }
    use std::os::unix::ffi::OsStrExt;
    let arena = Arena::new();
    let client = include_str!("../../../client-api/starters/grundy.c");
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

/// The archive of a class: what each student handed in, by names of any bytes.
fn class_archive(file: &Path, entries: &[(Vec<u8>, Vec<u8>)]) {
    let mut archive = tar::Builder::new(fs::File::create(file).unwrap());
    for (name, content) in entries {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name);
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append(&header, content.as_slice()).unwrap();
    }
    archive.into_inner().unwrap();
}

/// A class of thirty by docs/guides/teaching.md alone: five replace what they handed in, five hand in what cannot be built, two
/// have names that are no UTF-8, three play by GSL. Everybody has one place or reason, one grade and one text.
#[test]
fn everybody_in_a_class_has_one_place_one_grade_and_one_text() {
    if !has_program("cc") || !has_program("make") {
        return;
    }
    let arena = Arena::new();
    arena.adapter();
    let classic =
        |name: &str| fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/classic").join(name)).unwrap();
    let client = |version: u32| {
        let text = include_str!("../../../clients/first-c/first-c.c");
        format!("{text}\nint version_of_this_file = {version};\n").into_bytes()
    };
    let entry = |who: &[u8], number: usize, kind: &str, file: &str, content: &[u8]| {
        let folder = format!("_{number}_assignsubmission_{kind}_/{file}").into_bytes();
        ([who, folder.as_slice()].concat(), content.to_vec())
    };
    let hand_ins = |round: u32| {
        let mut entries = Vec::new();
        for number in 0..20 {
            let who = format!("Student {number:02}").into_bytes();
            let version = if number < 5 { 100 * round } else { 0 } + number as u32;
            entries.push(entry(&who, number, "file", "bot.c", &client(version)));
            entries.push(entry(&who, number, "onlinetext", "onlinetext.html", b"<p>mine</p>"));
        }
        entries.push(entry(b"Ren\xe9", 20, "file", "bot.c", &client(20)));
        entries.push(entry(b"Zo\xeb", 21, "file", "bot.c", &client(21)));
        for (number, name) in [(22, "get"), (23, "copy"), (24, "shrink")] {
            let who = format!("Course {name}").into_bytes();
            let make = format!("bot.so: {name}.c\n\t$(CC) -O1 -shared -fPIC -Wl,-z,lazy -o $@ $<\n");
            entries.push(entry(&who, number, "file", "Makefile", make.as_bytes()));
            for file in [format!("{name}.c").as_str(), "player.h", "course.h"] {
                entries.push(entry(&who, number, "file", file, &classic(file)));
            }
        }
        for (number, file, content) in [
            (25, "bot.c", &b"int broken = ;"[..]),
            (26, "bot.c", b"int no_client;"),
            (27, "bot.rar", b"Rar!"),
            (28, "bot.zip", b"no archive"),
            (29, "report.txt", b"later"),
        ] {
            entries.push(entry(format!("Refused {number}").as_bytes(), number, "file", file, content));
        }
        entries
    };
    arena.ladder_toml(
        "[ladder]\nname = \"class\"\ngame = \"amazons\"\nseed = 7\nopenings = 1\n[options]\nboard = \"square:5\"\n\
         [time]\nper_move = \"1s\"\n[run]\nlogs = \"none\"\n[grades]\nsteps = [\"6: 0.6\", \"4: 0.3\"]\notherwise = \"1\"\n",
    );
    let run = |round: u32| {
        class_archive(&arena.path("class.tar"), &hand_ins(round));
        let built = arena.agon(["build", "class.tar", "--replace", "--time", "300s"]);
        assert!(built.status == Some(4) && built.stdout.contains("25 of 30 built"), "{}", built.stdout);
        arena.agon(["ladder", "--quiet", "--jobs", "2"]).well();
    };
    run(1);
    run(2);
    arena.agon(["standings", "--for-all", "texts"]).well();
    let csv = fs::read_to_string(arena.path("texts/table.csv")).unwrap();
    let lines: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let team = |label: &str| label.split('@').next().unwrap().to_owned();
    let authors: std::collections::BTreeSet<String> = lines.iter().map(|line| team(line[1])).collect();
    assert_eq!((lines.len(), authors.len()), (30, 30), "{csv}");
    assert!(["René", "Zoë", "Course-get", "Refused-28"].iter().all(|name| authors.contains(*name)), "{csv}");
    let placed = lines.iter().filter(|line| !line[0].is_empty());
    assert!(placed.clone().all(|line| line[5] == "48"), "all met all by their newest versions: {csv}");
    assert_eq!(placed.count(), 25, "{csv}");
    let texts: Vec<String> = fs::read_dir(arena.path("texts/clients"))
        .unwrap()
        .map(|text| text.unwrap().file_name().into_string().unwrap().trim_end_matches(".md").to_owned())
        .collect();
    assert_eq!(texts.iter().cloned().collect::<std::collections::BTreeSet<_>>(), authors, "{texts:?}");
    for name in &texts {
        let text = fs::read_to_string(arena.path(format!("texts/clients/{name}.md"))).unwrap();
        assert_eq!(text.matches("Grade: **").count(), 1, "{text}");
        assert_eq!(text.contains("It could not play: "), name.starts_with("Refused"), "{text}");
    }
}

#[test]
fn two_teams_with_one_file_keep_results_of_their_own() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    hand_in(&arena, "red", 1, 1, 0);
    for team in ["green", "gold"] {
        fs::create_dir_all(arena.path("teams").join(team)).unwrap();
        fs::copy(arena.path("teams/red/player.so"), arena.path("teams").join(team).join("player.so")).unwrap();
    }
    ladder(&arena, 1, "");
    arena.agon(["ladder", "--quiet"]).well();
    hand_in(&arena, "gold", 2, 1, 0);
    let table = arena.agon(["ladder", "--quiet", "--json"]).json();
    assert_eq!(table["matches"], 6, "those of the old version of gold count for nobody");
    for (label, status, matches) in [("red", "playing", 6), ("green", "playing", 6), ("gold", "replaced", 4)] {
        let line = client(&arena, label);
        assert_eq!((&line["status"], &line["matches"]), (&status.into(), &matches.into()), "{label}");
    }
    let told = arena.agon(["clients"]).well().stdout;
    assert!(told.ends_with("\nthe same file, byte for byte: gold, green, red\n"), "{told}");
    // Who comes with the old file is somebody new.
    fs::create_dir_all(arena.path("teams/blue")).unwrap();
    fs::copy(arena.path("teams/red/player.so"), arena.path("teams/blue/player.so")).unwrap();
    arena.agon(["ladder", "--quiet"]).well();
    assert_eq!(client(&arena, "blue")["matches"], 6);
    assert_eq!(client(&arena, "gold")["matches"], 4);
}

#[test]
fn a_new_file_joins_a_running_ladder_that_watches() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    hand_in(&arena, "red", 1, 1, 0);
    hand_in(&arena, "blue", 2, 1, 0);
    ladder(&arena, 2_000, "watch = true\n");
    let (blue, gold) = (compile(&arena, "blue", 3, 4, 0), compile(&arena, "gold", 4, 1, 0));
    let running = arena.start(["ladder", "--quiet", "--jobs", "1", "--json"]);
    wait_until("it plays", || matches(&arena) > 0);
    place(&arena, &blue, "blue");
    place(&arena, &gold, "gold");
    let output = builder::finish(running).well();
    assert!(output.stderr.contains("files have changed"), "{}", output.stderr);
    let table: Value = serde_json::from_str(&output.stdout).unwrap();
    let of = |label: &str| client(&arena, label)["matches"].as_u64().unwrap();
    assert_eq!((of("gold"), of("blue@2")), (8_000, 8_000), "{table}");
    assert_eq!(of("red"), of("blue") + 8_000);
    assert!(of("blue") < 4_000, "the old version was replaced before it had played everything");
}

#[test]
fn doctor_says_what_each_line_means() {
    let arena = Arena::new();
    let text = arena.agon(["doctor"]).stdout;
    for line in
        ["rung landlock", "rung seccomp", "cores", "jitter", "process clock", "steal time", "GSL", "C compiler", "disk"]
    {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let report: Value = serde_json::from_str(&arena.agon(["doctor", "--json"]).stdout).unwrap();
    assert_eq!(report["schema"], "agon.doctor/1");
    for finding in report["findings"].as_array().unwrap() {
        assert!(!finding["means"].as_str().unwrap().is_empty(), "{finding}");
    }
}

/// A ladder that waits for new files until its closing time, so many seconds from now.
fn night_ladder(arena: &Arena, closes_in: i64) {
    ladder(
        arena,
        2,
        "disable_after = 5\nwatch = true\n[grades]\nsteps = [\"0: 1\", \"0.5: 2\"]\notherwise = \"none\"\n",
    );
    let text = fs::read_to_string(arena.path("ladder.toml")).unwrap();
    arena.ladder_toml(&text.replace("[options]", &format!("closing = \"{}\"\n[options]", moment(closes_in))));
}

/// The ladder as somebody leaves it in the evening; what it says is added to `said.txt`.
fn leave_alone(arena: &Arena) -> Child {
    let said = fs::File::options().append(true).create(true).open(arena.path("said.txt")).unwrap();
    let told = "printf '%s\\n' \"$AGON_EVENT\" >> told.txt";
    let mut command = arena.command(["ladder", "--quiet", "--jobs", "2", "--notify", told]);
    command.stdout(Stdio::null()).stderr(said).spawn().unwrap()
}

fn has_played(arena: &Arena, label: &str) -> bool {
    let all = arena.agon(["clients", "--json"]);
    all.status == Some(0)
        && all.json()["clients"].as_array().unwrap().iter().any(|one| one["client"] == label && one["matches"] != 0)
}

/// Takes all room that is left on a disk, until the server waits for it, and gives it back.
fn fill_up_once(arena: &Arena) {
    let said = || fs::read_to_string(arena.path("said.txt")).unwrap();
    let file = arena.path("agon-out/filler");
    let mut filler = fs::File::create(&file).unwrap();
    wait_until("the ladder waits for room", || {
        while filler.write_all(&[0; 4096]).is_ok() {}
        said().contains("waiting, and trying again")
    });
    drop(filler);
    fs::remove_file(file).unwrap();
    wait_until("it goes on", || said().contains("going on: "));
}

/// A class hands in all night; the terminal closes, the disk is full, the machine is switched off. In the morning one
/// command has the table, the grades and a text for each author.
#[test]
fn a_whole_night() {
    let Some(arena) = class() else { return };
    let disk = SmallDisk::over_output_of(&arena, 40 << 10);
    night_ladder(&arena, 3600);
    let mut server = leave_alone(&arena);
    wait_until("something is played", || matches(&arena) > 20);
    hand_in(&arena, "team-02", 77, 16, 0);
    hand_in(&arena, "late", 78, 4, 0);
    wait_until("the new version plays", || has_played(&arena, "team-02@2"));
    wait_until("the newcomer plays", || has_played(&arena, "late"));
    kill_process(Pid::from_child(&server), Signal::HUP).unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(130));
    assert_no_host(&arena);
    server = leave_alone(&arena);
    let played = matches(&arena);
    if disk.is_some() {
        fill_up_once(&arena);
    }
    wait_until("it plays on", || matches(&arena) > played);
    // Nothing is asked and nothing is ended: the machine is gone.
    server.kill().unwrap();
    server.wait().unwrap();
    assert_no_host(&arena);
    night_ladder(&arena, 12);
    hand_in(&arena, "team-03", 79, 16, 0);
    server = leave_alone(&arena);
    assert!(server.wait().unwrap().success(), "{}", fs::read_to_string(arena.path("said.txt")).unwrap());
    assert_whole(&arena, 2);
    let told = fs::read_to_string(arena.path("told.txt")).unwrap();
    assert!(told.lines().filter(|line| *line == "benched").count() >= 4 && told.ends_with("ended\n"), "{told}");

    let morning = arena.agon(["standings", "ladder.toml", "--for-all", "morning"]).well();
    assert!(morning.stderr.contains("one a client"), "{}", morning.stderr);
    let playing: Vec<Value> = clients(&arena).into_iter().filter(|client| client["status"] == "playing").collect();
    assert_eq!(playing.len(), 26, "all but the broken ones, and the newcomer");
    for client in &playing {
        let (label, least) = (client["client"].as_str().unwrap(), 2 * 2 * 25);
        assert!(client["matches"].as_u64().unwrap() >= least, "it has met everybody: {client}");
        assert!(morning.stdout.contains(label), "{label}\n{}", morning.stdout);
        let team = label.split('@').next().unwrap();
        let text = fs::read_to_string(arena.path(format!("morning/clients/{team}.md"))).unwrap();
        assert!(text.contains("Grade: **") && text.contains("Place **"), "{text}");
    }
    for (name, _) in BROKEN {
        let text = fs::read_to_string(arena.path(format!("morning/clients/{name}.md"))).unwrap();
        assert!(text.contains("Grade: **"), "{text}");
        assert!(text.contains("It could not play") == (name == "essay"), "{text}");
    }
    let csv = fs::read_to_string(arena.path("morning/table.csv")).unwrap();
    assert!(csv.lines().next().unwrap().ends_with(",grade,status,why") && csv.lines().count() > 31, "{csv}");
    assert!(fs::read_to_string(arena.path("morning/table.md")).unwrap().contains("| late "));
    // Another morning replaces what this wrote, and nothing else.
    arena.agon(["standings", "ladder.toml", "--for-all", "morning"]).well();
    let refused = arena.agon(["standings", "ladder.toml", "--for-all", "teams"]);
    assert!(refused.status == Some(2) && refused.stderr.contains("help: choose another folder"), "{refused:?}");
}
