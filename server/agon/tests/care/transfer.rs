//! From one record into another and back: the same games, the same table, nothing of the machine, and wrong files
//! refused whole.

use crate::builder::{Arena, Ran};
use crate::held::{assert_whole, games, matches, pairs, sixes, table};
use crate::talker::{self, talk};
use std::fs;

/// A notice of a turn that no match has.
const LATE: &str = "\"notices\":[{\"kind\":\"denied-file\",\"phase\":\"play\",\"ply\":4294967295,\"message\":\"\"}]";

/// The export of an arena's newest ladder.
fn exported(arena: &Arena, words: &[&str]) -> String {
    arena.agon([&["record", "export"], words].concat()).well().stdout
}

fn import(arena: &Arena, text: &str) -> Ran {
    arena.file("in.jsonl", text);
    arena.agon(["record", "import", "in.jsonl"])
}

#[test]
fn a_ladder_moves_to_another_folder() {
    for (arena, seats) in [(pairs(3), 2), (sixes(2), 6)] {
        arena.agon(["ladder", "--quiet"]).well();
        let text = exported(&arena, &["jsonl"]);
        let other = Arena::new();
        let taken = import(&other, &text).well();
        assert!(taken.stdout.contains(&format!(": {} matches imported\n", matches(&arena))), "{}", taken.stdout);
        assert_eq!(games(&other), games(&arena));
        assert_eq!(table(&other), table(&arena));
        assert_eq!(exported(&other, &["jsonl"]), text, "nothing is lost or changed on the way");
        assert_whole(&other, seats);
        let again = import(&other, &text).well();
        let had = format!("0 matches imported, {} it had already", matches(&arena));
        assert!(again.stdout.contains(&had), "{}", again.stdout);
        assert_eq!(exported(&other, &["jsonl"]), text);
    }
}

#[test]
fn results_of_two_machines_come_together() {
    let (here, there, whole) = (pairs(1), pairs(3), pairs(3));
    for arena in [&here, &there, &whole] {
        arena.agon(["ladder", "--quiet"]).well();
    }
    let taken = import(&here, &exported(&there, &["jsonl"])).well();
    assert!(taken.stdout.contains("12 matches imported, 6 it had already"), "{}", taken.stdout);
    assert_eq!(games(&here), games(&whole));
    assert_eq!(table(&here), table(&whole));
    here.ladder_toml(&crate::held::pairs_toml(3));
    let on = here.agon(["ladder"]).well();
    assert!(on.stderr.contains("18 matches, 18 of them already played"), "the ladder goes on with them: {}", on.stderr);
}

#[test]
fn an_export_tells_nothing_of_the_machine() {
    let Some(arena) = talk() else { return };
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let folder = arena.path("").to_string_lossy().trim_end_matches('/').to_owned();
    for format in ["jsonl", "csv", "json", "text"] {
        for anonymise in [false, true] {
            let mut command = arena.command(["record", "export", format]);
            command.env("USER", "annika-smith").args(anonymise.then_some("--anonymise"));
            let text = Ran::from(command.output().unwrap()).well().stdout;
            for told in [&folder, "/etc/passwd", "/srv/ann", "annika-smith", "agon-arena-"] {
                assert!(!text.contains(told), "{told} is in the export as {format}");
            }
            let hosts = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == host);
            assert!(host.len() < 3 || !hosts(&text), "{host} is in the export as {format}");
            let said = ["annika", talker::NAME, "northtower", "random", "greedy"].into_iter();
            let told: Vec<&str> = said.filter(|word| text.contains(word)).collect();
            assert_eq!(told.is_empty(), anonymise, "{format} tells {told:?}");
        }
    }
}

#[test]
fn an_anonymous_ladder_has_the_same_results() {
    let Some(arena) = talk() else { return };
    let other = Arena::new();
    import(&other, &exported(&arena, &["jsonl", "--anonymise"])).well();
    let ranks = |arena: &Arena| games(arena).into_iter().map(|(id, game)| (id, game.ranks)).collect::<Vec<_>>();
    assert_eq!(ranks(&other), ranks(&arena));
    assert!(table(&other).contains("client-1") && !table(&other).contains("random"), "{}", table(&other));
}

#[test]
fn wrong_lines_are_refused_with_their_place_and_nothing_is_kept() {
    let arena = pairs(1);
    arena.agon(["ladder", "--quiet"]).well();
    let text = exported(&arena, &["jsonl"]);
    let lines: Vec<&str> = text.lines().collect();
    let (clients, last) = (3, lines.len() - 1);
    let with = |number: usize, from: &str, to: &str| {
        let changed = lines[number].replacen(from, to, 1);
        assert_ne!(changed, lines[number], "{from} is not in line {number}");
        let line = |(index, line): (usize, &&str)| if index == number { changed.clone() } else { (*line).to_owned() };
        lines.iter().enumerate().map(line).collect::<Vec<_>>().join("\n") + "\n"
    };
    let without = |number: usize| [&lines[..number], &lines[number + 1..]].concat().join("\n") + "\n";
    let place = |number: usize| format!("in.jsonl:{}:", number + 1);
    let cases = [
        ("".to_owned(), place(0), "does not begin with the line of a ladder"),
        ("\u{0}\u{1}\n".to_owned(), place(0), "expected value"),
        (with(0, "agon.export/3", "agon.export/9"), place(0), "its schema is \"agon.export/9\""),
        (with(0, "\"ladder\":\"pairs\"", "\"ladder\":\"../pairs\""), place(0), "without a slash"),
        (with(0, "\"seats\":2", "\"seats\":3"), place(0), "a setting cannot be played"),
        (with(1, "\"t\":\"client\"", "\"t\":\"clown\""), place(1), "no kind of line \"clown\""),
        (without(clients), String::new(), "no line tells of client"),
        (with(clients, "\"sha256\":\"", "\"sha256\":\"../../"), place(clients), "64 hex digits"),
        (with(clients, "\"sha256\":\"", "\"sha256\":\"/etc/passwd+"), place(clients), "64 hex digits"),
        (with(last, "\"id\":\"", "\"id\":\"../../"), place(last), "an id is 16 hex digits"),
        (with(last, "-b\"", "-c\""), place(last), "is not the next of its block"),
        (without(last - 1), place(last - 1), "is not the next of its block"),
        (without(last), place(last), "the file ends within a block"),
        (with(last, "\"rank\":1", "\"rank\":9"), place(last), "ranks from 1 to 2"),
        (with(last, "\"n\":1,", "\"n\":7,"), place(last), "turn 1 is missing"),
        (with(last, "\"bytes\":\"", "\"bytes\":\"00"), place(last), ""),
        (with(last, "\"score\":", "\"scare\":"), place(last), "missing field `score`"),
        (with(last, "\"notices\":[]", LATE), place(last), "in a turn that was not played"),
        (with(last, "\"over\"", "\"won\""), place(last), "not \"won\""),
        (with(last, "\"over\"", "\"fault\""), place(last), "ends by a fault that nobody has"),
        (other_start(&text), String::new(), "begins with another state"),
        (ranks_turned(&text), String::new(), "other ranks or scores than the rules"),
        (higher_score(&text), String::new(), "other ranks or scores than the rules"),
        (cut_short(&text), String::new(), "is not over"),
        (text.trim_end().to_owned(), place(last), "the last line is cut off"),
        (in_the_middle_of_a_line(&text), String::new(), "cut off"),
    ];
    for (number, (text, place, what)) in cases.into_iter().enumerate() {
        let other = Arena::new();
        let ran = import(&other, &text);
        assert_eq!(ran.status, Some(3), "case {number}: {}{}", ran.stdout, ran.stderr);
        let told = ["error: ", &place, what, "nothing was imported; help: "];
        assert!(told.iter().all(|told| ran.stderr.contains(told)), "case {number} {place} {what}: {}", ran.stderr);
        assert_eq!(matches(&other), 0);
        let ladders = crate::held::count(&other, "SELECT count(*) FROM ladder");
        assert_eq!(ladders, 0, "case {number}: nothing half imported");
    }
}

/// The export with its last line changed.
fn last_line(text: &str, change: impl Fn(&mut serde_json::Value)) -> String {
    let (rest, last) = text.trim_end().rsplit_once('\n').unwrap();
    let mut line: serde_json::Value = serde_json::from_str(last).unwrap();
    change(&mut line);
    format!("{rest}\n{line}\n")
}

/// The first digit of the start is another one.
fn other_start(text: &str) -> String {
    last_line(text, |line| {
        let start = line["start"].as_str().unwrap();
        let first = if start.starts_with('0') { "1" } else { "0" };
        line["start"] = format!("{first}{}", &start[1..]).into();
    })
}

/// The loser has won.
fn ranks_turned(text: &str) -> String {
    last_line(text, |line| {
        let ranks = [0, 1].map(|seat: usize| line["seats"][seat]["rank"].clone());
        (line["seats"][0]["rank"], line["seats"][1]["rank"]) = (ranks[1].clone(), ranks[0].clone());
    })
}

/// Somebody has a point more.
fn higher_score(text: &str) -> String {
    last_line(text, |line| line["seats"][0]["score"] = (line["seats"][0]["score"].as_i64().unwrap() + 1).into())
}

/// The last move is missing.
fn cut_short(text: &str) -> String {
    last_line(text, |line| drop(line["moves"].as_array_mut().unwrap().pop()))
}

/// Every match is one that a client declines.
fn declined() -> Arena {
    let arena = pairs(1);
    arena.ladder_toml(
        &crate::held::pairs_toml(1)
            .replace("\"move\"", "\"none\"")
            .replace("openings = 1", "openings = 1\nclients = []"),
    );
    arena.agon(["ladder", "--quiet"]).well();
    arena
}

#[test]
fn the_winner_by_a_fault_scores() {
    let arena = declined();
    let (text, rows) = (exported(&arena, &["jsonl"]), arena.agon(["standings", "--json"]).json());
    let means: Vec<_> = rows["clients"].as_array().unwrap().iter().map(|row| row["score"]["mean"].as_f64()).collect();
    assert!(means.contains(&Some(1.0)), "who wins all matches has one point a match: {rows:#}");
    let scored = |scores: [i64; 2]| {
        last_line(&text, |line| (0..2).for_each(|seat: usize| line["seats"][seat]["score"] = scores[seat].into()))
    };
    let last: serde_json::Value = serde_json::from_str(text.trim_end().lines().last().unwrap()).unwrap();
    let own = [0, 1].map(|seat: usize| last["seats"][seat]["score"].as_i64().unwrap());
    assert_eq!((last["ending"].as_str(), own[0] + own[1]), (Some("fault"), 1), "{last}");
    import(&Arena::new(), &scored(own)).well();
    for wrong in [[own[1], own[0]], [1, 1], [0, 0]] {
        let refused = import(&Arena::new(), &scored(wrong));
        assert!(refused.stderr.contains("other ranks or scores than the rules"), "{}", refused.stderr);
    }
}

#[test]
fn an_import_reads_standard_input_and_gzip() {
    let arena = pairs(1);
    arena.agon(["ladder", "--quiet"]).well();
    let text = exported(&arena, &["jsonl"]);
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packer, text.as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    for (name, words, bytes) in [
        ("a.jsonl.gz", vec!["a.jsonl.gz"], packed.clone()),
        ("in.jsonl", vec![], text.clone().into_bytes()),
        ("in.jsonl", vec!["-"], packed.clone()),
    ] {
        let other = Arena::new();
        fs::write(other.path(name), &bytes).unwrap();
        let mut command = other.command([&["record", "import"], words.as_slice()].concat());
        let ran = command.stdin(fs::File::open(other.path(name)).unwrap()).output().unwrap();
        assert!(ran.status.success(), "{words:?}: {}", String::from_utf8_lossy(&ran.stderr));
        assert_eq!(exported(&other, &["jsonl"]), text, "{words:?}");
    }
    let other = Arena::new();
    fs::write(other.path("cut.gz"), &packed[..packed.len() / 2]).unwrap();
    let cut = other.agon(["record", "import", "cut.gz"]);
    assert!(cut.status != Some(0) && cut.stderr.contains("cut.gz"), "{cut:?}");
}

#[test]
fn an_anonymous_export_does_not_mix_with_a_ladder_that_is_there() {
    let (arena, other) = (pairs(1), Arena::new());
    arena.agon(["ladder", "--quiet"]).well();
    let text = exported(&arena, &["jsonl", "--anonymise"]);
    import(&other, &text).well();
    // The same file again is nothing new, whoever its clients are.
    let again = import(&other, &text).well();
    assert!(again.stdout.contains("0 matches imported, 6 it had already"), "{}", again.stdout);
    arena.ladder_toml(&crate::held::pairs_toml(2));
    arena.agon(["ladder", "--quiet"]).well();
    let refused = import(&other, &exported(&arena, &["jsonl", "--anonymise"]));
    assert_eq!(refused.status, Some(3));
    let told = ["anonymous", "nothing was imported; help: ", "--ladder NAME"];
    assert!(told.iter().all(|told| refused.stderr.contains(told)), "{}", refused.stderr);
    assert_eq!(matches(&other), 6);
    other.agon(["record", "import", "in.jsonl", "--ladder", "theirs"]).well();
    assert_eq!(matches(&other), 6 + 12);
}

#[test]
fn files_that_are_not_known_are_told_when_a_match_is_to_be_played_again() {
    let (arena, other) = (pairs(1), Arena::new());
    arena.agon(["ladder", "--quiet"]).well();
    import(&other, &exported(&arena, &["jsonl", "--anonymise"])).well();
    let ran = other.agon(["rerun", "last"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.stderr.contains("its file is not known: an anonymous export or a forgotten client"), "{}", ran.stderr);
    // A ladder with somebody who was forgotten goes out and comes in.
    arena.agon(["record", "forget", "queens", "--yes"]).well();
    let text = exported(&arena, &["jsonl"]);
    let third = Arena::new();
    import(&third, &text).well();
    assert_eq!(exported(&third, &["jsonl"]), text);
    assert!(table(&third).contains(" (forgotten)"), "{}", table(&third));
}

#[test]
fn a_ladder_without_a_sandbox_is_taken_in_with_a_warning() {
    let (arena, other) = (pairs(1), Arena::new());
    arena.ladder_toml(&crate::held::pairs_toml(1).replacen("[time]", "[run]\nsandbox = \"off\"\n[time]", 1));
    arena.agon(["ladder", "--quiet"]).well();
    let text = exported(&arena, &["jsonl"]);
    let warning =
        "warning: ladder pairs asks for less than the full sandbox: the sandbox is off; agon rerun and boards";
    let taken = import(&other, &text).well();
    assert!(taken.stderr.contains(warning), "{}", taken.stderr);
}

#[test]
fn a_ladder_of_other_settings_is_refused_with_a_way_out() {
    let (arena, other) = (pairs(1), pairs(1));
    other.ladder_toml(&crate::held::pairs_toml(1).replace("seed = 11", "seed = 12"));
    for arena in [&arena, &other] {
        arena.agon(["ladder", "--quiet"]).well();
    }
    let text = exported(&arena, &["jsonl"]);
    let refused = import(&other, &text);
    assert_eq!(refused.status, Some(3));
    assert!(refused.stderr.contains("under other settings") && refused.stderr.contains("--ladder NAME"));
    other.agon(["record", "import", "in.jsonl", "--ladder", "theirs"]).well();
    let theirs = other.agon(["standings", "--ladder", "theirs"]).well().stdout;
    assert_eq!(theirs.replace("theirs: ", "pairs: "), table(&arena));
}

#[test]
fn files_are_written_whole_and_never_over_others() {
    let arena = pairs(1);
    arena.agon(["ladder", "--quiet"]).well();
    let wrote = arena.agon(["record", "export", "jsonl", "ladder.toml", "--out", "pairs.jsonl"]).well();
    assert!(wrote.stderr.contains("6 matches of ladder pairs written to pairs.jsonl"), "{}", wrote.stderr);
    let whole = fs::read_to_string(arena.path("pairs.jsonl")).unwrap();
    assert_eq!(whole, exported(&arena, &["jsonl"]));
    let refused = arena.agon(["record", "export", "csv", "--out", "pairs.jsonl"]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.stderr.contains("pairs.jsonl is there already; help: "), "{}", refused.stderr);
    let nowhere = arena.agon(["record", "export", "csv", "--out", "no/where.csv"]);
    assert!(nowhere.status == Some(1) && nowhere.stderr.contains("no/where.csv"), "{}", nowhere.stderr);
    let hidden = fs::read_dir(arena.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(!hidden.into_iter().any(|name| name.to_string_lossy().ends_with(".partial")));
}

/// The first half of a text, which does not end where a line does.
fn in_the_middle_of_a_line(text: &str) -> String {
    let half = text.len() / 2;
    let end = (half..).find(|end| text.is_char_boundary(*end) && !text[*end..].starts_with(['\n', '{'])).unwrap();
    text[..end].to_owned()
}
