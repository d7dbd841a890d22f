//! Two students of one name: whichever of them submits, and in whatever archive, each keeps her own client.

use crate::builder::{Arena, Ran};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const SCRIPT: &str = "#!/usr/bin/python3\n";
/// A list that leads out of the folder.
const OUTSIDE: &str = "{\"schema\": \"agon.authors/1\", \"authors\": [{\"client\": \"../x\", \"name\": \"Anna Berg\", \
    \"number\": \"1\"}]}";

fn zip(path: &Path, authors: &[&str]) {
    let mut archive = ZipWriter::new(File::create(path).unwrap());
    for author in authors {
        // A report alone is refused.
        let (author, file) = author.strip_suffix('!').map_or((*author, "bot.py"), |author| (author, "report.txt"));
        archive.start_file(format!("{author}_assignsubmission_file_/{file}"), SimpleFileOptions::default()).unwrap();
        let script = if file == "bot.py" { SCRIPT } else { "" };
        archive.write_all(format!("{script}# {author}\n").as_bytes()).unwrap();
    }
    archive.finish().unwrap();
}

/// Builds an archive of these authors, for clients to be replaced.
fn build(arena: &Arena, authors: &[&str]) -> Ran {
    zip(&arena.path("class.zip"), authors);
    arena.agon(["build", "class.zip", "--replace", "-g", "grundy"])
}

/// The author of each client that was placed or refused, by the outcomes of the build.
fn clients(arena: &Arena) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(arena.path("clients/.authors.json")).unwrap();
    let known: serde_json::Value = serde_json::from_str(&text).unwrap();
    let word = |one: &serde_json::Value, key: &str| one[key].as_str().unwrap().to_owned();
    known["authors"].as_array().unwrap().iter().map(|one| (word(one, "client"), word(one, "number"))).collect()
}

fn pairs(wanted: &[(&str, &str)]) -> Vec<(String, String)> {
    wanted.iter().map(|(client, number)| ((*client).to_owned(), (*number).to_owned())).collect()
}

#[test]
fn two_authors_of_one_name_keep_their_clients() {
    let arena = Arena::new();
    let both = build(&arena, &["Anna Berg_1", "Anna Berg_2"]);
    assert!(!both.stdout.contains("left out"), "{both:?}");
    assert!(both.stdout.contains("another client is called Anna-Berg, so this one is Anna-Berg-2"), "{both:?}");
    assert_eq!(clients(&arena), pairs(&[("Anna-Berg", "1"), ("Anna-Berg-2", "2")]));
    let second = build(&arena, &["Anna Berg_2"]);
    assert!(second.stdout.contains("Anna-Berg-2") && !second.stdout.contains("Anna-Berg:"), "{second:?}");
    let turned = build(&arena, &["Anna Berg_2", "Anna Berg_1"]);
    assert!(!turned.stdout.contains("another client"), "{turned:?}");
    assert_eq!(clients(&arena), pairs(&[("Anna-Berg", "1"), ("Anna-Berg-2", "2")]));
    // Another assignment gives other numbers, and nothing tells who of the two this is.
    let unknown = build(&arena, &["Anna Berg_7", "Bo_8"]);
    assert!(unknown.stdout.contains("refused  Anna-Berg-7: several authors are called Anna Berg"), "{unknown:?}");
    assert_eq!(clients(&arena), pairs(&[("Anna-Berg", "1"), ("Anna-Berg-2", "2"), ("Bo", "8")]));
    // The teacher writes the number to its author, and the refusal is gone.
    let list = arena.path("clients/.authors.json");
    let known = std::fs::read_to_string(&list).unwrap().replace("\"number\": \"2\"", "\"number\": \"7\"");
    std::fs::write(&list, known).unwrap();
    assert!(arena.path("clients/Anna-Berg-7.refused").exists());
    build(&arena, &["Anna Berg_7"]);
    assert!(!arena.path("clients/Anna-Berg-7.refused").exists());
    assert_eq!(placed(&arena, "Anna-Berg-2"), "Anna Berg_7");
    // The only author of a name is known by it.
    let again = build(&arena, &["Bo_9"]);
    assert!(!again.stdout.contains("several authors"), "{again:?}");
    assert_eq!(clients(&arena)[2], ("Bo".to_owned(), "9".to_owned()));
}

#[test]
fn a_number_is_one_author_s_under_any_name() {
    let arena = Arena::new();
    build(&arena, &["Ada Lovelace_1", "Bo_2"]);
    let renamed = build(&arena, &["Ada King_1", "Bo_2"]);
    assert!(renamed.stdout.contains("its author is called Ada King: number 1 is known as Ada-Lovelace"), "{renamed:?}");
    assert_eq!(placed(&arena, "Ada-Lovelace"), "Ada King_1");
    assert!(!arena.path("clients/Ada-King.py").exists());
    assert_eq!(clients(&arena), pairs(&[("Ada-Lovelace", "1"), ("Bo", "2")]));
    // In the next assignment the new name decides.
    build(&arena, &["Ada King_11", "Bo_12"]);
    assert_eq!(placed(&arena, "Ada-Lovelace"), "Ada King_11");
}

#[test]
fn a_new_number_in_a_known_assignment_is_another_person() {
    let arena = Arena::new();
    build(&arena, &["Ann_1", "Bo_2"]);
    let other = build(&arena, &["Ann_3", "Bo_2"]);
    assert!(other.stdout.contains("another client is called Ann, so this one is Ann-2"), "{other:?}");
    assert_eq!([placed(&arena, "Ann"), placed(&arena, "Ann-2")], ["Ann_1", "Ann_3"]);
    assert_eq!(clients(&arena), pairs(&[("Ann", "1"), ("Ann-2", "3"), ("Bo", "2")]));
}

#[test]
fn a_new_assignment_takes_new_numbers_by_the_names_and_says_so() {
    let arena = Arena::new();
    let first = build(&arena, &["Ann_1", "Bo_2", "Cy_3"]);
    assert!(!first.stdout.contains("new assignment"), "{first:?}");
    let next = build(&arena, &["Ann_5", "Bo_6!"]);
    assert!(next.stdout.contains("a new assignment: by the names, "), "{next:?}");
    assert!(next.stdout.contains("new numbers were taken for Ann, Bo\n"), "{next:?}");
    assert_eq!(clients(&arena), pairs(&[("Ann", "5"), ("Bo", "6"), ("Cy", "3")]), "refused ones are known, too");
    // Those who come later to the same assignment are still known by their names.
    let late = build(&arena, &["Ann_5", "Bo_6", "Cy_7"]);
    assert!(late.stdout.contains("new numbers were taken for Cy\n"), "{late:?}");
    assert_eq!(clients(&arena), pairs(&[("Ann", "5"), ("Bo", "6"), ("Cy", "7")]));
    assert_eq!(["Ann", "Bo", "Cy"].map(|name| placed(&arena, name)), ["Ann_5", "Bo_6", "Cy_7"]);
}

#[test]
fn the_author_of_a_refused_submission_is_known_as_well() {
    let arena = Arena::new();
    build(&arena, &["Ann_1", "Bo_2"]);
    let refused = build(&arena, &["Ann_3!", "Cy_4!", "Bo_2"]);
    assert!(refused.stdout.contains("1 of 3 built"), "{refused:?}");
    assert_eq!(clients(&arena), pairs(&[("Ann", "1"), ("Ann-2", "3"), ("Bo", "2"), ("Cy", "4")]));
    // Once it is correct, it takes nobody's place.
    let repaired = build(&arena, &["Ann_3"]);
    assert!(!repaired.stdout.contains("new assignment"), "{repaired:?}");
    assert_eq!([placed(&arena, "Ann"), placed(&arena, "Ann-2")], ["Ann_1", "Ann_3"]);
    assert!(!arena.path("clients/Ann-2.refused").exists());
}

#[test]
fn two_refused_authors_of_one_name_stay_apart() {
    let arena = Arena::new();
    build(&arena, &["Ann_1!", "Ann_2!", "Bo_3"]);
    build(&arena, &["Ann_2"]);
    assert_eq!(placed(&arena, "Ann-2"), "Ann_2");
    assert!(arena.path("clients/Ann.refused").exists() && !arena.path("clients/Ann.py").exists());
}

/// The clients of an archive with these files, by the outcomes of its build.
fn of_files(arena: &Arena, files: &[&str]) -> Vec<String> {
    let mut archive = ZipWriter::new(File::create(arena.path("files.zip")).unwrap());
    for file in files {
        archive.start_file(*file, SimpleFileOptions::default()).unwrap();
        archive.write_all(format!("{SCRIPT}# {file}\n").as_bytes()).unwrap();
    }
    archive.finish().unwrap();
    let ran = arena.agon(["build", "files.zip", "--json"]);
    assert!(!ran.stdout.contains("os error"), "{ran:?}");
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let all = json["clients"].as_array().unwrap().clone();
    all.iter().map(|one| one["client"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn two_of_one_name_in_a_flat_archive_are_both_built() {
    let arena = Arena::new();
    let canvas = of_files(&arena, &["mustermax_106_5106_bot.py", "mustermax_107_5107_bot.py", "annaa_101_5101_bot.py"]);
    assert_eq!(canvas, ["annaa", "mustermax", "mustermax-2"]);
    assert_eq!(placed(&arena, "mustermax-2"), "mustermax_107_5107_bot.py");
    let moodle = ["Bo Li_6_assignsubmission_file_bot.py", "Bo Li_7_assignsubmission_file_bot.py"];
    assert_eq!(of_files(&arena, &moodle), ["Bo-Li", "Bo-Li-2"]);
    assert_eq!(placed(&arena, "Bo-Li-2"), moodle[1]);
}

#[test]
fn a_class_is_never_built_as_one_program() {
    let arena = Arena::new();
    let files = ["annaa_101_5101_bot.c", "defab_c_127_5127_bot.c", "von_derberg_LATE_128_5128_bot.c"];
    assert_eq!(of_files(&arena, &files), ["annaa", "defab_c", "von_derberg"]);
    // A name that no platform gave is refused alone.
    let stray = of_files(&arena, &["annaa_101_2_bot.c", "bo_3_4_bot.c", "cy_5_6_bot.c", "bot.c", "Makefile"]);
    assert_eq!(stray, ["annaa", "bo", "cy", "bot"]);
    let note = std::fs::read_to_string(arena.path("clients/bot.refused")).unwrap();
    assert!(note.contains("its file, bot.c, has no author's name as the others have"), "{note}");
    // A program of one author keeps a file with numbers in its name.
    assert_eq!(of_files(&arena, &["main.c", "table_3_4_x.c"]), ["files"]);
}

#[test]
fn a_list_of_authors_that_is_none_stops_the_build_before_anything_is_replaced() {
    let arena = Arena::new();
    std::fs::create_dir_all(arena.path("clients")).unwrap();
    for text in ["", "[]", "{\"schema\": \"agon.authors/9\", \"authors\": []}", OUTSIDE] {
        arena.file("clients/.authors.json", text);
        let ran = build(&arena, &["Anna Berg_1"]);
        assert!(ran.status == Some(1) && ran.stderr.contains("authors.json: "), "{text}: {ran:?}");
        assert_eq!(std::fs::read_dir(arena.path("clients")).unwrap().count(), 1);
    }
}

/// The author whose script lies in the place of a client.
fn placed(arena: &Arena, client: &str) -> String {
    let text = std::fs::read_to_string(arena.path(format!("clients/{client}.py"))).unwrap();
    text.lines().nth(1).unwrap().trim_start_matches("# ").to_owned()
}

/// Writes a submission that a platform named, as a place of its own, with a folder of this name in it.
fn submit(arena: &Arena, author: &str, inside: &str) -> String {
    let place = format!("class/{author}_assignsubmission_file_");
    std::fs::create_dir_all(arena.path(format!("{place}/{inside}"))).unwrap();
    arena.file(&format!("{place}/{inside}/bot.py"), format!("{SCRIPT}# {author}\n"));
    place
}

#[test]
fn names_within_a_submission_are_not_believed() {
    let arena = Arena::new();
    let places = ["Bob_4711", "Eve_5"].map(|author| submit(&arena, author, "Bob_4711_assignsubmission_file_"));
    for order in [[0, 1], [1, 0]] {
        arena.agon([&["build"], &order.map(|at| places[at].as_str())[..], &["--replace"]].concat());
        assert_eq!([placed(&arena, "Bob"), placed(&arena, "Eve")], ["Bob_4711", "Eve_5"]);
    }
    // Two of one name, each as a place of its own.
    let both = ["Anna Berg_1", "Anna Berg_2"].map(|author| submit(&arena, author, "mine"));
    arena.agon(["build", &both[0], &both[1]]);
    arena.agon(["build", &both[1], "--replace"]);
    assert_eq!([placed(&arena, "Anna-Berg"), placed(&arena, "Anna-Berg-2")], ["Anna Berg_1", "Anna Berg_2"]);
}

#[test]
fn a_number_that_stays_a_person_s_tells_two_apart_for_ever() {
    let arena = Arena::new();
    for author in ["berganna_11_71", "berganna_12_72", "berganna_11_93"] {
        let mut archive = ZipWriter::new(File::create(arena.path("class.zip")).unwrap());
        for one in [author, "bo_13_74"] {
            archive.start_file(format!("{one}_bot.py"), SimpleFileOptions::default()).unwrap();
            archive.write_all(format!("{SCRIPT}# {one}\n").as_bytes()).unwrap();
        }
        archive.finish().unwrap();
        arena.agon(["build", "class.zip", "--replace"]);
    }
    assert_eq!([placed(&arena, "berganna"), placed(&arena, "berganna-2")], ["berganna_11_93", "berganna_12_72"]);
}

/// Writes an archive of scripts with these names; each script holds its name.
fn scripts(arena: &Arena, archive: &str, files: &[&str]) {
    let mut written = ZipWriter::new(File::create(arena.path(archive)).unwrap());
    for file in files {
        written.start_file(*file, SimpleFileOptions::default()).unwrap();
        written.write_all(format!("{SCRIPT}# {file}\n").as_bytes()).unwrap();
    }
    written.finish().unwrap();
}

/// Bob names the only file of his own archive as a newer one of Ada's.
#[test]
fn an_archive_of_one_author_takes_nobody_s_place() {
    let arena = Arena::new();
    scripts(&arena, "class.zip", &["ada_4711_5_bot.py", "cy_4712_6_bot.py"]);
    scripts(&arena, "bob.zip", &["ada_4711_99999999_bot.py"]);
    for order in [["class.zip", "bob.zip"], ["bob.zip", "class.zip"]] {
        let ran = arena.agon(["build", order[0], order[1], "--replace"]);
        let why = "refused  ada-4711: another submission has its number, 4711, and is ada";
        assert!(ran.stdout.contains(why), "{ran:?}");
        assert_eq!(placed(&arena, "ada"), "ada_4711_5_bot.py");
    }
}

/// Eve calls herself `ada_4711_99999` on Canvas, which puts her own numbers behind.
#[test]
fn a_name_with_two_numbers_joins_nobody_s_submission() {
    let arena = Arena::new();
    scripts(&arena, "class.zip", &["ada_4711_5_bot.py", "ada_4711_99999_52_77_bot.py", "bo_4712_6_2026_11_bot.py"]);
    let ran = arena.agon(["build", "class.zip"]);
    let why = "refused  ada-4711-52: by the numbers in its name, ada_4711_99999_52_77_bot.py, it may be of two authors";
    assert!(ran.stdout.contains(why) && ran.stdout.contains("2 of 3 built"), "{ran:?}");
    assert_eq!([placed(&arena, "ada"), placed(&arena, "bo")], ["ada_4711_5_bot.py", "bo_4712_6_2026_11_bot.py"]);
    // Nor does it replace that of another archive.
    scripts(&arena, "next.zip", &["ada_4711_99999_52_77_bot.py", "bo_4712_8_bot.py"]);
    let ran = arena.agon(["build", "class.zip", "next.zip", "--replace"]);
    assert!(ran.stdout.contains("refused  ada-4711: another submission has its number, 4711, and is ada"), "{ran:?}");
    assert_eq!([placed(&arena, "ada"), placed(&arena, "bo")], ["ada_4711_5_bot.py", "bo_4712_8_bot.py"]);
}
