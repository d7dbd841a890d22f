//! Who leaves counts for nobody: the same files give the same table and grades, whatever was played before.

use super::{client, ladder, submit};
use crate::builder::{Arena, has_program};
use std::fs;

const GRADES: &str = "bench_after = 5\n[grades]\nsteps = [\"6: 0.55\", \"4: 0.45\"]\notherwise = \"1\"\n";

/// A class of a, b and c; it may have a client that crashes, and another version of b before.
fn class(openings: u32, has_history: bool) -> Arena {
    let arena = Arena::new();
    ladder(&arena, openings, GRADES);
    submit(&arena, "a", 1, 1, 0);
    submit(&arena, "c", 3, 4, 0);
    if has_history {
        submit(&arena, "crasher", 99, 1, 1);
        submit(&arena, "b", 7, 1, 0);
        arena.agon(["ladder", "--quiet"]).well();
    }
    submit(&arena, "b", 2, 16, 0);
    arena.agon(["ladder", "--quiet"]).well();
    arena.agon(["standings", "--for-all", "texts"]).well();
    arena
}

/// Every output about the clients that play, in each form.
fn told(arena: &Arena) -> Vec<String> {
    let csv = fs::read_to_string(arena.path("texts/table.csv")).unwrap();
    let mut told: Vec<String> = csv.lines().filter(|line| !line.contains("crasher")).map(str::to_owned).collect();
    let texts = ["a", "b", "c"].map(|team| fs::read_to_string(arena.path(format!("texts/clients/{team}.md"))).unwrap());
    told.extend(texts);
    for words in [["--crosstable", "--json"], ["--ratings", "--json"]] {
        told.push(arena.agon([&["standings"][..], &words].concat()).well().stdout);
    }
    let json = arena.agon(["standings", "--json"]).json();
    for key in ["matches", "blocks", "by_seat", "by_setting", "clients"] {
        told.push(json[key].to_string());
    }
    told.into_iter().map(|text| text.replace("`b@2`", "b").replace("b@2", "b")).collect()
}

#[test]
fn the_same_files_give_the_same_table_whoever_crashed_before() {
    if !has_program("cc") {
        return;
    }
    let (arena, alone) = (class(16, true), class(16, false));
    for (with_history, alone) in told(&arena).iter().zip(told(&alone)) {
        assert!(*with_history == alone, "{with_history}\n{alone}");
    }
    // Whoever was benched has no place, the grade of those refused, and one sentence everywhere.
    let matches = client(&arena, "crasher")["matches"].as_u64().unwrap();
    let sentence = format!("; its {matches} matches (0.000 points) count for nobody");
    let csv = fs::read_to_string(arena.path("texts/table.csv")).unwrap();
    let line = csv.lines().find(|line| line.contains(",crasher,")).unwrap();
    assert!(line.starts_with(",crasher,-,-,-,0,") && line.contains(",crasher,1,benched,"), "{csv}");
    arena.agon(["report", "--out", "page"]).well();
    let outputs = [
        csv.clone(),
        arena.agon(["standings"]).well().stdout,
        arena.agon(["standings", "--json"]).json().to_string(),
        fs::read_to_string(arena.path("page/index.html")).unwrap(),
        fs::read_to_string(arena.path("texts/clients/crasher.md")).unwrap(),
    ];
    for output in &outputs {
        assert!(output.contains(&sentence), "{sentence}: {output}");
    }
    let [.., text] = &outputs;
    assert!(text.contains("Grade: **1**") && text.contains(": crash: ") && !text.contains("--let-back"), "{text}");
    let listed = arena.agon(["clients"]).well().stdout;
    assert!(
        listed.contains(&format!("; its {matches} matches count for nobody; agon clients --let-back crasher")),
        "{listed}"
    );
    // It is let back, and all that it played counts.
    arena.agon(["clients", "--let-back", "crasher"]).well();
    let json = arena.agon(["standings", "--json"]).json();
    let back = json["clients"].as_array().unwrap().iter().find(|client| client["client"] == "crasher").unwrap().clone();
    assert!(back["place"] == 4 && back["matches"].as_u64().unwrap() > 0 && json.get("set_aside").is_some(), "{json}");
}

#[test]
fn before_the_first_run_a_client_is_left_out_by_the_ladder_file() {
    let arena = Arena::new();
    ladder(&arena, 1, "");
    let told = arena.agon(["clients", "--withdraw", "red"]).stderr;
    assert!(
        told.contains("; before the first run, a line of [ladder] leaves it out: exclude = [\"clients/red.*\"]"),
        "{told}"
    );
    assert!(!arena.agon(["clients"]).stderr.contains("exclude"));
}

#[test]
fn a_withdrawn_client_and_one_without_a_file_count_for_nobody_and_two_are_needed() {
    if !has_program("cc") {
        return;
    }
    let arena = class(3, false);
    let lines = |arena: &Arena| {
        let csv = arena.agon(["standings", "--csv"]).well().stdout;
        let line = |line: &str| line.split(',').take(2).collect::<Vec<_>>().join(" ");
        csv.lines().skip(1).map(line).collect::<Vec<_>>()
    };
    let places = |arena: &Arena| lines(arena).iter().filter(|line| !line.starts_with(' ')).count();
    assert_eq!(places(&arena), 3);
    arena.agon(["clients", "--withdraw", "c"]).well();
    assert_eq!((places(&arena), lines(&arena)[2].as_str()), (2, " c"));
    assert_eq!(arena.agon(["standings", "--json"]).json()["matches"], 6, "those of a and b");
    // With one alone there would be no table: all results count.
    arena.agon(["clients", "--bench", "b"]).well();
    assert_eq!(places(&arena), 3);
    let table = arena.agon(["standings"]).well().stdout;
    assert!(
        table.contains("c (withdrawn)") && table.contains("; its results count; agon clients --let-back c "),
        "{table}"
    );
    arena.agon(["clients", "--let-back", "c"]).well();
    arena.agon(["clients", "--let-back", "b"]).well();
    assert_eq!(places(&arena), 3);
    fs::remove_file(arena.path("teams/c/player.so")).unwrap();
    arena.agon(["ladder", "--quiet"]).well();
    assert_eq!((places(&arena), lines(&arena)[2].as_str()), (2, " c"));
}

#[test]
fn where_no_match_would_count_those_of_clients_that_left_do() {
    let counted = |arena: &Arena| arena.agon(["standings", "--json"]).json()["matches"].as_u64();
    // The base of a gauntlet, and one of each pair that meets.
    for (keys, all, leave) in [
        ("pairing = \"gauntlet\"\ngauntlet = [\"p3\"]", 6, ["p3"].as_slice()),
        ("lineup = [[\"p1\", \"p2\"], [\"p3\", \"p4\"]]", 4, &["p2", "p3"]),
    ] {
        let arena = Arena::new();
        arena.rust_client("random");
        let client = |n: usize| {
            format!("[[client]]\nname = \"p{n}\"\nfile = \"clients/random.so\"\noptions = {{ note = \"{n}\" }}\n")
        };
        let head = format!(
            "[ladder]\nname = \"few\"\ngame = \"amazons\"\nclients = []\n{keys}\n[options]\nboard = \"square:5\"\n"
        );
        arena.ladder_toml(&(1..=4).map(client).fold(head, |toml, client| toml + &client));
        arena.agon(["ladder", "--quiet"]).well();
        assert_eq!(counted(&arena), Some(all), "{keys}");
        leave.iter().for_each(|name| drop(arena.agon(["clients", "--withdraw", name]).well()));
        assert_eq!(counted(&arena), Some(all), "{keys}");
    }
}

/// The line of progress counts what the table counts, also when a client is benched on the way.
#[test]
fn whoever_is_ahead_while_it_is_played_is_ahead_in_the_table() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    ladder(&arena, 40, GRADES);
    submit(&arena, "a", 1, 1, 0);
    submit(&arena, "c", 3, 4, 0);
    submit(&arena, "crasher", 99, 1, 1);
    let ran = arena.agon(["ladder", "--jobs", "1"]).well();
    assert!(ran.stderr.contains("crasher is benched"), "{}", ran.stderr);
    let last = ran.stderr.lines().rfind(|line| line.contains("; ahead: ")).unwrap();
    let json = arena.agon(["standings", "--json"]).json();
    let clients = json["clients"].as_array().unwrap().iter().filter(|client| !client["place"].is_null());
    let line = |client: &serde_json::Value| {
        format!("{} {:.3}", client["client"].as_str().unwrap(), client["points"]["mean"].as_f64().unwrap())
    };
    let expected = clients.map(line).collect::<Vec<_>>().join(", ");
    assert!(last.ends_with(&format!("; ahead: {expected}")), "{last}\n{expected}");
}

/// A formula may name a client that left: the reason and the way back are given, and the newest version is meant.
#[test]
fn a_formula_against_a_client_that_left_says_so() {
    if !has_program("cc") {
        return;
    }
    let arena = class(3, false);
    let by_c = "bench_after = 5\n[grades]\nformula = \"20 * against('c')\"\n";
    ladder(&arena, 3, by_c);
    let grade = |arena: &Arena| {
        let json = arena.agon(["standings", "--json"]).json();
        let client = json["clients"].as_array().unwrap().iter().find(|client| client["team"] == "a").unwrap().clone();
        client["grade"].as_str().unwrap_or_default().to_owned()
    };
    assert!(!grade(&arena).is_empty());
    arena.agon(["clients", "--withdraw", "c"]).well();
    let told = arena.agon(["standings"]).well();
    let why = "no match against c counts, as its status is withdrawn; help: agon clients --let-back c, or name a client \
               that plays in [grades] formula";
    assert!(told.stderr.contains(&format!("a gets no grade: {why}")), "{}", told.stderr);
    let feedback = arena.agon(["standings", "--for", "a"]).well().stdout;
    assert!(feedback.contains("its status is withdrawn.") && !feedback.contains("--let-back"), "{feedback}");
    arena.agon(["clients", "--let-back", "c"]).well();
    ladder(&arena, 3, GRADES);
    fs::remove_file(arena.path("teams/c/player.so")).unwrap();
    arena.agon(["ladder", "--quiet"]).well();
    ladder(&arena, 3, by_c);
    let told = arena.agon(["standings"]).well().stderr;
    assert!(told.contains("as its status is file gone; help: put its file back and play"), "{told}");
    // A newer version is the one that counts.
    submit(&arena, "c", 3, 16, 0);
    arena.agon(["ladder", "--quiet"]).well();
    assert!(!grade(&arena).is_empty(), "{}", arena.agon(["standings"]).stderr);
}

/// Files that changed since they were played have one line, with the command that plays by them.
#[test]
fn files_that_nobody_played_by_are_named() {
    if !has_program("cc") {
        return;
    }
    let arena = class(1, false);
    let notes = |words: &[&str]| {
        let told = arena.agon(words).well().stderr;
        told.lines().filter(|line| line.starts_with("note: the files")).map(str::to_owned).collect::<Vec<_>>()
    };
    let all: [&[&str]; 4] = [&["standings"], &["standings", "--json"], &["clients"], &["report", "--out", "page"]];
    all.iter().for_each(|words| assert_eq!(notes(words), Vec::<String>::new(), "{words:?}"));
    submit(&arena, "a", 1, 2, 0);
    submit(&arena, "d", 4, 2, 0);
    fs::remove_file(arena.path("teams/c/player.so")).unwrap();
    let kinds = "note: the files differ from those that played (new: d; changed: a; missing: c); the next agon ladder";
    all.iter().for_each(|words| assert_eq!(notes(words), [format!("{kinds} uses them")], "{words:?}"));
    let named = notes(&["standings", "ladder.toml"]);
    assert_eq!(named, [format!("{kinds} ladder.toml uses them")]);
    let record = arena.path("agon-out").display().to_string();
    assert_eq!(notes(&["standings", "--record", &record]), [format!("{kinds} uses them")]);
    // A copy may be of an earlier term.
    arena.agon(["record", "backup", "copy.sqlite"]).well();
    assert_eq!(notes(&["standings", "--record", "copy.sqlite"]), Vec::<String>::new());
    arena.agon(["ladder", "--quiet"]).well();
    all.iter().for_each(|words| assert_eq!(notes(words), Vec::<String>::new(), "{words:?}"));
    // So has a file that no pattern takes.
    fs::create_dir_all(arena.path("teams/zed")).unwrap();
    arena.file("teams/zed/plyer.so", "x");
    let told = arena.agon(["clients"]).well().stderr;
    assert!(
        told.contains("note: teams/zed/plyer.so does not play, as clients = [teams/*/player.so] does not"),
        "{told}"
    );
    // A record apart from its clients needs no line.
    fs::rename(arena.path("teams"), arena.path("elsewhere")).unwrap();
    assert_eq!(notes(&["standings"]), Vec::<String>::new());
}

/// A run labels its clients without the files of other games, so these shift no label in the note.
#[test]
fn files_of_other_games_take_no_label() {
    let arena = Arena::new();
    for (name, place) in [("grundy", "x/a.so"), ("random", "y/a.so"), ("greedy", "y/b.so")] {
        arena.rust_client(name);
        fs::create_dir_all(arena.path(place).parent().unwrap()).unwrap();
        fs::rename(arena.path(format!("clients/{name}.so")), arena.path(place)).unwrap();
    }
    ladder(&arena, 1, "");
    let text = fs::read_to_string(arena.path("ladder.toml")).unwrap();
    arena.ladder_toml(&text.replace("[\"teams/*/player.so\"]", "[\"x/*.so\", \"y/*.so\"]\nlabels = \"file\""));
    arena.agon(["ladder", "--quiet"]).well();
    let told = arena.agon(["standings"]).well().stderr;
    assert!(!told.contains("note: the files"), "{told}");
}
