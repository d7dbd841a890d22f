//! The closing time: from then on everybody plays by the last version of before, whatever happens to the files.

use crate::browser::Running;
use crate::builder;
use crate::builder::{Arena, moment};
use crate::held::{assert_whole, count, games, matches, wait_until};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::Write;
use std::process::Command;
use std::time::{Duration, SystemTime};

const HOUR: i64 = 3600;

/// Teams red and blue with a file each, and a ladder of all teams.
fn class(rounds: u32, closing: &str) -> Arena {
    let arena = Arena::new();
    submit(&arena, "red", "random", 0);
    submit(&arena, "blue", "greedy", 0);
    ladder(&arena, rounds, closing);
    arena
}

fn ladder(arena: &Arena, rounds: u32, closing: &str) {
    arena.ladder_toml(&format!(
        "[ladder]\nname = \"class\"\ngame = \"amazons\"\nclients = [\"teams/*/player.so\"]\nseed = 4\nopenings = {rounds}\n\
         {closing}\n[options]\nboard = \"square:5\"\n[time]\nper_move = \"5s\"\n[run]\nlogs = \"none\"\n"
    ));
}

/// Puts a client into the folder of a team; its file changed last so many seconds from now. `random+` is another file
/// that plays as `random` does.
fn submit(arena: &Arena, team: &str, client: &str, from_now: i64) {
    let name = client.trim_end_matches('+');
    let from = arena.path(format!("clients/{name}.so"));
    if !from.exists() {
        arena.rust_client(name);
    }
    let to = arena.path("teams").join(team);
    fs::create_dir_all(&to).unwrap();
    // A new file each time: what was there may be a link to what was built.
    let _ = fs::remove_file(to.join("player.so"));
    let more: &[u8] = if client.ends_with('+') { b"\n" } else { b"" };
    fs::write(to.join("player.so"), [&fs::read(from).unwrap(), more].concat()).unwrap();
    touch(arena, team, from_now);
}

fn touch(arena: &Arena, team: &str, from_now: i64) {
    let moved = Duration::from_secs(from_now.unsigned_abs());
    let now = SystemTime::now();
    let changed = if from_now < 0 { now - moved } else { now + moved };
    let file = fs::File::options().append(true).open(arena.path("teams").join(team).join("player.so")).unwrap();
    file.set_modified(changed).unwrap();
}

/// Who plays, with the number of its matches.
fn playing(arena: &Arena) -> Vec<(String, u64)> {
    let clients = arena.agon(["clients", "--json"]).json();
    let clients = clients["clients"].as_array().unwrap().iter().filter(|client| client["status"] == "playing");
    let line = |client: &serde_json::Value| {
        (client["client"].as_str().unwrap().to_owned(), client["matches"].as_u64().unwrap())
    };
    let mut all: Vec<_> = clients.map(line).collect();
    all.sort();
    all
}

fn list(clients: &[(&str, u64)]) -> Vec<(String, u64)> {
    clients.iter().map(|(name, matches)| ((*name).to_owned(), *matches)).collect()
}

/// An archive of a class, with the file of each author, and how many seconds from now it was submitted.
fn archive(arena: &Arena, submissions: &[(&str, &str, i64)]) {
    let mut archive = zip::ZipWriter::new(fs::File::create(arena.path("class.zip")).unwrap());
    for (number, (author, client, from_now)) in submissions.iter().enumerate() {
        let at = jiff::Timestamp::now().as_second() + from_now;
        let at = jiff::Timestamp::from_second(at).unwrap().to_zoned(jiff::tz::TimeZone::system()).datetime();
        let [month, day, hour, minute, second] =
            [at.month(), at.day(), at.hour(), at.minute(), at.second()].map(|part| part as u8);
        let at = zip::DateTime::from_date_and_time(at.year() as u16, month, day, hour, minute, second).unwrap();
        let options = zip::write::SimpleFileOptions::default().last_modified_time(at);
        archive.start_file(format!("{author}_{number}_assignsubmission_file_/bot.so"), options).unwrap();
        archive.write_all(&fs::read(arena.path(format!("players/{client}.so"))).unwrap()).unwrap();
    }
    archive.finish().unwrap();
}

/// Teachers build when the closing time is past: the time of the submission counts, and not that of the build.
#[test]
fn a_submission_has_the_time_that_its_archive_has() {
    let arena = Arena::new();
    fs::create_dir(arena.path("players")).unwrap();
    for name in ["random", "greedy"] {
        arena.rust_client(name);
        fs::rename(arena.path(format!("clients/{name}.so")), arena.path(format!("players/{name}.so"))).unwrap();
    }
    archive(&arena, &[("Ann", "random", -2 * HOUR), ("Bo", "greedy", -2 * HOUR), ("Cy", "greedy", -HOUR / 2)]);
    arena.agon(["build", "class.zip"]).well();
    let text = "[ladder]\nname = \"class\"\ngame = \"amazons\"\nseed = 4\nopenings = 1\n";
    let rest = "[options]\nboard = \"square:5\"\n[time]\nper_move = \"5s\"\n[run]\nlogs = \"none\"\n";
    arena.ladder_toml(&format!("{text}closing = {}\n{rest}", moment(-HOUR)));
    let ran = arena.agon(["ladder"]).well();
    assert!(ran.stderr.contains("warning: Cy: its file was not there at the closing time, 20"), "{ran:?}");
    assert_eq!(playing(&arena), list(&[("Ann", 2), ("Bo", 2)]));
    // No file is of the future, and one without a time has that of its archive.
    archive(&arena, &[("Ann", "random", 5 * HOUR)]);
    arena.agon(["build", "class.zip", "--replace"]).well();
    assert!(fs::metadata(arena.path("clients/Ann.so")).unwrap().modified().unwrap() <= SystemTime::now());
    // An author's own archive is not believed.
    archive(&arena, &[("Dee", "random", -5 * HOUR)]);
    fs::rename(arena.path("class.zip"), arena.path("Dee_9_assignsubmission_file_x.zip")).unwrap();
    arena.agon(["build", "Dee_9_assignsubmission_file_x.zip"]).well();
    let age = fs::metadata(arena.path("clients/Dee.so")).unwrap().modified().unwrap().elapsed().unwrap();
    assert!(age < Duration::from_secs(HOUR as u64), "{age:?}");
    // Nor is one that names a single author, or folders, or both.
    for (number, entries) in
        [&["Fay_1_2_bot.so"][..], &["mine/bot.so", "more/bot.so"], &["Gil_3_4_bot.so", "more/bot.so"]]
            .iter()
            .enumerate()
    {
        let (name, out) = (format!("own{number}.zip"), format!("own{number}"));
        let mut archive = zip::ZipWriter::new(fs::File::create(arena.path(&name)).unwrap());
        for entry in *entries {
            let old = zip::DateTime::from_date_and_time(2020, 1, 1, 0, 0, 0).unwrap();
            archive.start_file(*entry, zip::write::SimpleFileOptions::default().last_modified_time(old)).unwrap();
            archive.write_all(&fs::read(arena.path("players/random.so")).unwrap()).unwrap();
        }
        archive.finish().unwrap();
        arena.agon(["build", &name, "--out", &out]).well();
        let placed = fs::read_dir(arena.path(&out)).unwrap().map(|entry| entry.unwrap());
        let clients: Vec<_> =
            placed.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "so")).collect();
        assert_eq!(clients.len(), entries.len(), "{entries:?}");
        for client in clients {
            let age = client.metadata().unwrap().modified().unwrap().elapsed().unwrap();
            assert!(age < Duration::from_secs(HOUR as u64), "{entries:?}: {age:?}");
        }
    }
}

#[test]
fn what_the_server_saw_before_the_closing_time_plays_on() {
    let arena = class(1, "closing = \"2999-01-01 00:00\"");
    arena.agon(["ladder", "--quiet"]).well();
    submit(&arena, "red", "random+", 0);
    let before = arena.agon(["ladder"]).well();
    assert!(!before.stderr.contains("closing"), "{}", before.stderr);
    assert_eq!(playing(&arena), list(&[("blue", 4), ("red@2", 2)]));
    // It is reached; then red hands in again, blue takes its file away, and green comes.
    ladder(&arena, 2, &format!("closing = {}", moment(-HOUR)));
    submit(&arena, "red", "random", 0);
    fs::remove_dir_all(arena.path("teams/blue")).unwrap();
    submit(&arena, "green", "greedy", 0);
    let plan = arena.agon(["ladder", "--dry-run"]).well();
    assert!(plan.stdout.contains("1 line-up x"), "{}", plan.stdout);
    let after = arena.agon(["ladder"]).well();
    for said in [
        "warning: red: its file has changed since the closing time, 20",
        "warning: blue: its file is missing; it plays on by the one from before the closing time, 20",
        "warning: green: its file was not there at the closing time, 20",
    ] {
        assert!(after.stderr.contains(said), "{}", after.stderr);
    }
    assert_eq!(playing(&arena), list(&[("blue", 6), ("red@2", 4)]));
    assert_whole(&arena, 2);
    told_everywhere(&arena);
    // Nobody can put the clock back.
    touch(&arena, "red", -2 * HOUR);
    touch(&arena, "green", -2 * HOUR);
    let kept = games(&arena);
    arena.agon(["ladder", "--quiet"]).well();
    assert_eq!(games(&arena), kept);
    told_everywhere(&arena);
    // Another closing time is another decision.
    ladder(&arena, 2, "closing = \"2999-01-01 00:00\"");
    arena.agon(["ladder", "--quiet"]).well();
    let names: Vec<String> = playing(&arena).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["green", "red"], "random is red's first version");
}

/// Green, whose only file came after the closing time, has a line with the reason in every output, a grade and a text.
fn told_everywhere(arena: &Arena) {
    let text = fs::read_to_string(arena.path("ladder.toml")).unwrap();
    arena.ladder_toml(&(text.clone() + "[grades]\nsteps = [\"6: 0.1\"]\notherwise = \"1\"\n"));
    let why = "its file was not there at the closing time, 20";
    let table = arena.agon(["standings", "--for-all", "texts"]).well().stdout;
    assert!(table.contains(&format!(" -  green late: {why}")), "{table}");
    let csv = arena.agon(["standings", "--csv"]).well().stdout;
    let line = csv.lines().find(|line| line.starts_with(",green,")).unwrap_or_else(|| panic!("{csv}"));
    assert!(line.contains(",green,1,late,") && line.contains(why), "{csv}");
    let json = arena.agon(["standings", "--json"]).json();
    let green = &json["refused"][0];
    assert_eq!((&green["client"], &green["status"], &green["grade"]), (&"green".into(), &"late".into(), &"1".into()));
    for text in [
        arena.agon(["standings", "--for", "green"]).well().stdout,
        fs::read_to_string(arena.path("texts/clients/green.md")).unwrap(),
    ] {
        assert!(text.contains(&format!("It came too late: {why}")) && text.contains("Grade: **1**"), "{text}");
    }
    let markdown = fs::read_to_string(arena.path("texts/table.md")).unwrap();
    assert!(markdown.contains(&format!("- green was late: {why}")), "{markdown}");
    arena.agon(["report", "--submissions", "--out", "page"]).well();
    for page in ["index.html", "submissions.html"] {
        let page = fs::read_to_string(arena.path("page").join(page)).unwrap();
        assert!(page.contains("green") && page.contains(why), "{page}");
    }
    let listed = arena.agon(["clients"]).well().stdout;
    assert!(listed.contains(&format!("green late: {why}")), "{listed}");
    arena.ladder_toml(&text);
}

#[test]
fn the_last_file_of_before_counts_even_if_nobody_ran_the_ladder_then() {
    let arena = class(1, "");
    arena.agon(["ladder", "--quiet"]).well();
    ladder(&arena, 1, &format!("closing = \"{}\"", moment(-HOUR)));
    submit(&arena, "red", "random+", -2 * HOUR);
    submit(&arena, "green", "random", -2 * HOUR);
    let ran = arena.agon(["ladder"]).well();
    let note = "is past: files that came later do not play";
    assert!(ran.stderr.contains(note) && !ran.stderr.contains("since the closing time"), "{}", ran.stderr);
    assert_eq!(playing(&arena), list(&[("blue", 6), ("green", 4), ("red@2", 4)]));
    let fresh = class(1, &format!("closing = \"{}\"", moment(-HOUR)));
    touch(&fresh, "red", -2 * HOUR);
    let refused = fresh.agon(["ladder"]);
    assert_eq!(refused.status, Some(6), "{}", refused.stderr);
    assert!(refused.stderr.contains("blue: its file was not there at the closing time"), "{}", refused.stderr);
    assert!(refused.stderr.contains("help: the closing time is past, and files that came later"), "{}", refused.stderr);
}

#[test]
fn a_running_ladder_freezes_its_files_at_the_closing_time() {
    let arena = class(100_000, "");
    ladder(&arena, 100_000, &format!("closing = \"{}\"", moment(8)));
    let text = fs::read_to_string(arena.path("ladder.toml")).unwrap();
    arena.ladder_toml(&text.replace("[run]", "[run]\nwatch = true"));
    let mut server = arena.start(["ladder"]);
    wait_until("it plays", || matches(&arena) > 0);
    wait_until("its files are frozen", || count(&arena, "SELECT count(*) FROM ladder WHERE frozen > 0") == 1);
    submit(&arena, "red", "random+", 0);
    let played = matches(&arena);
    // A server that still looked for files would see it within a second or two.
    std::thread::sleep(Duration::from_secs(3));
    wait_until("it plays on", || matches(&arena) > played);
    server.kill().unwrap();
    let said = builder::finish(server).stderr;
    assert!(said.contains("the closing time is reached: the clients are looked at for the last time"), "{said}");
    assert_eq!(count(&arena, "SELECT count(*) FROM entrant"), 2);
}

#[test]
fn a_ladder_that_watches_waits_for_files_until_the_closing_time() {
    let watching = |seconds: i64| {
        let arena = class(2, &format!("closing = \"{}\"", moment(seconds)));
        let text = fs::read_to_string(arena.path("ladder.toml")).unwrap();
        arena.ladder_toml(&text.replace("[run]", "[run]\nwatch = true"));
        arena
    };
    let arena = watching(HOUR);
    let mut server = arena.start(["ladder"]);
    wait_until("everything is played", || matches(&arena) == 4);
    submit(&arena, "green", "random+", 0);
    wait_until("the newcomer has played everybody", || matches(&arena) == 12);
    assert!(server.try_wait().unwrap().is_none(), "it waits for more");
    kill_process(Pid::from_child(&server), Signal::INT).unwrap();
    let ended = builder::finish(server).well();
    assert!(ended.stderr.contains("new files are waited for until the closing time, 20"), "{}", ended.stderr);
    // The time comes: files are looked at for the last time, and the ladder ends by itself.
    let arena = watching(5);
    arena.agon(["ladder"]).well();
    assert_eq!(count(&arena, "SELECT count(*) FROM ladder WHERE frozen > 0"), 1);
}

#[test]
fn what_is_no_moment_is_refused() {
    let arena = class(1, "closing = \"friday\"");
    let ran = arena.agon(["ladder"]);
    assert_eq!(ran.status, Some(3));
    let told = ["ladder.toml:7:11:", "\"friday\" has no time of day", "write one such as \"2026-12-01 18:00\""];
    assert!(told.iter().all(|told| ran.stderr.contains(told)), "{}", ran.stderr);
}

#[test]
fn an_author_reads_that_a_later_file_came_too_late() {
    let arena = class(2, "");
    arena.agon(["ladder", "--quiet"]).well();
    ladder(&arena, 2, &format!("closing = \"{}\"", moment(-HOUR)));
    touch(&arena, "blue", -2 * HOUR);
    submit(&arena, "red", "random+", 0);
    let late = "A later file came after the closing time, ";
    let text = |team: &str| arena.agon(["standings", "--for", team]).well().stdout;
    for _ in 0..2 {
        assert!(text("red").contains(late) && text("red").contains("the earlier one plays on"), "{}", text("red"));
        assert!(!text("blue").contains(late), "{}", text("blue"));
        let told = arena.agon(["ladder"]).well().stderr;
        assert!(told.contains("red: its file has changed since the closing time"), "{told}");
    }
    arena.agon(["standings", "--for-all", "texts"]).well();
    assert!(fs::read_to_string(arena.path("texts/clients/red.md")).unwrap().contains(late));
    // A newcomer takes no part either.
    submit(&arena, "late", "random+", 0);
    assert!(!arena.agon(["standings"]).well().stderr.contains("note: the files differ"), "nobody may play by it");
}

/// Everybody who knows the seed can compute hidden deals: nobody but the operator sees it before the end.
#[test]
fn the_seed_is_shown_only_after_the_end() {
    let arena = class(1, &format!("closing = {}", moment(HOUR)));
    let text = fs::read_to_string(arena.path("ladder.toml")).unwrap().replace("seed = 4", "seed = 9060504");
    let shown = |is_shown: bool| {
        let table = arena.agon(["standings"]).well().stdout;
        assert_eq!(table.contains("seed 9060504"), is_shown, "{table}");
        let json = arena.agon(["standings", "--json"]).json();
        assert_eq!(json["seed"].as_str(), is_shown.then_some("9060504"), "{json}");
        let _ = fs::remove_dir_all(arena.path("agon-report"));
        arena.agon(["report", "--replays", "all"]).well();
        let found = Command::new("grep").args(["-rl", "9060504"]).arg(arena.path("agon-report")).output().unwrap();
        assert_eq!(found.status.success(), is_shown, "{found:?}");
        let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0"]));
        for page in ["index.html", "standings.json"] {
            let page = server.get(&format!("/ladder/1/{page}"));
            assert_eq!(page.contains("9060504"), is_shown, "{page}");
        }
    };
    arena.ladder_toml(&text);
    arena.agon(["ladder"]).well();
    shown(false);
    // Without a closing time nothing is waited for.
    arena.ladder_toml(&text.replace("closing =", "# closing ="));
    arena.agon(["ladder"]).well();
    shown(true);
    arena.agon(["record", "export", "jsonl", "--out", "all.jsonl"]).well();
    arena.agon(["record", "import", "all.jsonl", "--record", "moved"]).well();
    let moved = arena.agon(["standings", "--record", "moved"]).well().stdout;
    assert!(moved.contains("seed 9060504"), "{moved}");
    // With more to play it is under way again.
    arena.ladder_toml(&text.replace("openings = 1", "openings = 2"));
    arena.agon(["ladder"]).well();
    shown(false);
}
