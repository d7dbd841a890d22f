//! A teacher's folder of thirty clients, all called `player.so`, five of them broken: it plays unattended, whatever the
//! number of matches at once, and the table explains itself. Then what a course brings: new versions, teams that leave,
//! files taken away.

mod by_browser;
mod leaving;
mod versions;
mod whole_night;

use crate::builder;
use crate::builder::{Arena, has_program};
use crate::held::{matches, wait_until};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Teams of the folder; `AGON_COURSE_ROUNDS` plays it more often than the test needs.
const TEAMS: u32 = 30;
/// What is wrong with the broken ones.
const BROKEN: [(&str, u32); 5] = [("crasher", 1), ("cheat", 2), ("spinner", 3), ("decliner", 4), ("essay", 0)];

fn rounds() -> u32 {
    std::env::var("AGON_COURSE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// Compiles a course-like client and hands it in.
fn submit(arena: &Arena, name: &str, team: u32, looks: u32, fault: u32) {
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
        submit(&arena, &format!("team-{team:02}"), team.max(1), [1, 4, 16][team as usize % 3], 0);
    }
    fs::copy(arena.path("teams/team-01/player.so"), arena.path("teams/team-00/player.so")).unwrap();
    for (name, fault) in BROKEN {
        submit(&arena, name, 99, 1, fault);
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
    ladder(&arena, rounds(), "bench_after = 5\n");
    let began = Instant::now();
    let run = arena.agon(["ladder", "--quiet", "--jobs", "2"]).well();
    let (text, table) = (run.stdout.clone(), arena.agon(["standings", "--json"]).json());
    eprintln!("{} matches in {:.1} s\n{text}", table["matches"], began.elapsed().as_secs_f64());
    assert_eq!(
        table["matches"].as_u64().unwrap() / u64::from(rounds()),
        600,
        "those of the broken ones count for nobody"
    );
    let all = clients(&arena).iter().map(|client| client["matches"].as_u64().unwrap()).sum::<u64>() / 2;
    assert!(all < 800 * u64::from(rounds()), "the broken ones stop: {all}");
    let good =
        table["clients"].as_array().unwrap().iter().filter(|line| line["faults"].as_object().unwrap().is_empty());
    assert_eq!(good.count(), 25, "nobody else is at fault");
    for (name, _) in BROKEN {
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!(" -  {name} ")))
            .unwrap_or_else(|| panic!("{name}\n{text}"));
        let expected = if name == "essay" { "refused: " } else { "benched: by bench_after, from block " };
        assert!(line.contains(expected), "{line}");
    }
    assert!(
        text.contains("differences are not significant (95 %): "),
        "suspended clients separate nobody else\n{text}"
    );
    for (name, kind) in
        [("crasher", "crash"), ("cheat", "illegal-move"), ("spinner", "cpu-time"), ("decliner", "declined")]
    {
        let is_told =
            |line: &str| line.starts_with(&format!(" -  {name} benched: ")) && line.contains(" count for nobody; ");
        assert_eq!(text.lines().filter(|line| line.contains(name)).count(), 1, "it has no place: {text}");
        assert!(text.lines().any(is_told), "{name}\n{text}");
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
    ladder(&arena, 1, "bench_after = 3\n");
    arena.agon(["ladder", "--quiet", "--jobs", "2"]).well();
    let (with_two, benched) = (played(&arena), clients(&arena));
    fs::remove_dir_all(arena.path("agon-out")).unwrap();
    let mut stopped = arena.start(["ladder", "--quiet", "--jobs", "2"]);
    let all = with_two.len() as u64;
    wait_until("a quarter is played", || matches(&arena) > all / 4);
    stopped.kill().unwrap();
    stopped.wait().unwrap();
    assert!(matches(&arena) < all, "it was stopped before its end");
    arena.agon(["ladder", "--quiet", "--jobs", "1"]).well();
    let with_one = played(&arena);
    assert!(with_two == with_one, "{} and {} matches", with_two.len(), with_one.len());
    let why = |clients: &[Value]| clients.iter().map(|client| client["why"].to_string()).collect::<Vec<_>>();
    assert_eq!(why(&benched), why(&clients(&arena)));
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
    let submissions = |round: u32| {
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
        class_archive(&arena.path("class.tar"), &submissions(round));
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
    submit(&arena, "red", 1, 1, 0);
    for team in ["green", "gold"] {
        fs::create_dir_all(arena.path("teams").join(team)).unwrap();
        fs::copy(arena.path("teams/red/player.so"), arena.path("teams").join(team).join("player.so")).unwrap();
    }
    ladder(&arena, 1, "");
    arena.agon(["ladder", "--quiet"]).well();
    submit(&arena, "gold", 2, 1, 0);
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
    submit(&arena, "red", 1, 1, 0);
    submit(&arena, "blue", 2, 1, 0);
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
    for line in [
        "layer landlock",
        "layer seccomp",
        "cores",
        "jitter",
        "process clock",
        "steal time",
        "GSL",
        "C compiler",
        "disk",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let report: Value = serde_json::from_str(&arena.agon(["doctor", "--json"]).stdout).unwrap();
    assert_eq!(report["schema"], "agon.doctor/1");
    for finding in report["findings"].as_array().unwrap() {
        assert!(!finding["means"].as_str().unwrap().is_empty(), "{finding}");
    }
}
