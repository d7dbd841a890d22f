//! The options that a game judges, and clients that are missing, double or graded by a wrong formula.

use super::{bad, begins, good, says};

#[test]
fn the_game_judges_its_options() {
    begins(
        "[options]\ncorners = [\"yes\", \"perhaps\"]",
        "class.toml:4:19: option corners: \"perhaps\" is not one of \"yes\", \"no\"",
        "correct the value, or leave it out",
    );
    begins(
        "[options]\nsize = 10",
        "class.toml:4:8: option size: \"10\" is not a whole number from 1 to 9",
        "correct the value, or leave it out",
    );
    begins(
        "[options]\nboard = [\"small\", \"small\"]",
        "class.toml:4:19: the setting \"small\" is there twice",
        "leave one out, and use openings to play more",
    );
    begins(
        "[options]\nboard = \"maps/none.toml\"",
        "class.toml:4:9: cannot read \"maps/none.toml\": No such file or directory (os error 2)",
        "the path starts in the folder of the ladder file",
    );
    says(
        "[options]\nboard = \"maps/bad.toml\"",
        &[
            "maps/bad.toml:2:3: ragged row",
            "2 | ..!.",
            "  |   ^",
            "class.toml:4:9: see here",
            "4 | board = \"maps/bad.toml\"",
            "  |         ^^^^^^^^^^^^^^^",
            "help: correct the file, or choose another",
        ],
    );
}

#[test]
fn missing_and_double_clients_are_told() {
    begins(
        "clients = [\"maps/*.so\"]",
        "class.toml:3:12: no client matches \"maps/*.so\" (the folder has 2 files: bad.toml, good.toml)",
        "build the clients first, or correct the path",
    );
    begins(
        "clients = [\"none/*.so\"]",
        "class.toml:3:12: no client matches \"none/*.so\" (the folder none does not exist)",
        "build the clients first, or correct the path",
    );
    begins(
        "clients = [\"*/a.so\"]",
        "class.toml:3:12: only 1 client takes part, and a match has 2 different ones",
        "add clients, or let some play several seats: lineup = [\"a\", \"a\"]",
    );
    says(
        "exclude = [\"clients/a*\"]",
        &[
            "class.toml:1:2: only 1 client takes part, and a match has 2 different ones",
            "1 | [ladder]",
            "  |  ^^^^^^",
            "help: add clients, or let some play several seats: lineup = [\"a\", \"a\"]",
            "  clients/notes.txt does not play, as clients = [clients/*.so] does not name it; help: it does not look like a \
             client: build one, then agon add --out HERE/clients FILE.so",
        ],
    );
    begins("[[client]]\nname = \"x\"", "class.toml:3:1: [[client]] has no file", "add file = \"clients/NAME.so\"");
    begins(
        "[client]\nfile = \"x\"",
        "class.toml:3:1: [client] names a single client",
        "write [[client]], once for each",
    );
    let text = bad("[[client]]\nfile = \"clients/x.so\"");
    assert!(text.starts_with("class.toml:4:8: there is no file \"clients/x.so\"\n"), "{text}");
    begins(
        "[[client]]\nname = \"x\"\nfile = \"clients/a.so\"\n[[client]]\nname = \"x\"\nfile = \"clients/b.so\"",
        "class.toml:7:8: two clients are called \"x\"",
        "give one of them another name",
    );
    begins(
        "[[client]]\nfile = \"clients/a.so\"\noptions = { \"a b\" = 1 }",
        "class.toml:5:13: a client cannot read an option of this name",
        "use letters, digits, \"_\", \"-\" and \".\"",
    );
}

#[test]
fn a_wrong_formula_for_grades_is_told_at_its_place() {
    says(
        "[grades]\nformula = \"min(20, 10 + 10 * poinst)\"",
        &[
            "class.toml:4:30: a formula knows no \"poinst\"",
            "4 | formula = \"min(20, 10 + 10 * poinst)\"",
            "  |                              ^^^^^^",
            "help: did you mean \"points\"?",
        ],
    );
    begins(
        "[grades]\nformula = 'against(\"bb\")'",
        "class.toml:4:20: no client is called \"bb\"",
        "did you mean \"b\"?",
    );
    begins(
        "[grades]\nformula = \"20 * points +\"",
        "class.toml:4:25: the formula ends too early",
        "a number, points, share, rank or a function is expected",
    );
    begins(
        "[grades]\nsteps = [\"6: 0.8\"]\nformula = \"points\"",
        "class.toml:5:11: [grades] has steps and a formula",
        "choose one",
    );
    good("[ladder]\ngame = \"tiny\"\n[grades]\nformula = 'min(20, 4 + against(\"a\") / 2)'");
}

/// A file next to clients that no pattern takes is named with its reason, and with the next step for its kind.
#[test]
fn files_that_no_pattern_takes_are_named() {
    let folder = super::folder();
    let write = |name: &str| std::fs::write(folder.path().join(name), name).unwrap();
    ["bot.py", "new.c", "a.c", "Makefile", "class.zip", ".hidden.py", "x.refused"]
        .iter()
        .for_each(|name| write(&format!("clients/{name}")));
    let read = |text: &str| agon_config::read(text, "class.toml", folder.path(), super::GAMES);
    let warnings = read("ladder.game = \"tiny\"").unwrap().warnings;
    let told = |file: &str, help: &str| {
        format!("clients/{file} does not play, as clients = [clients/*.so] does not name it; help: {help}")
    };
    let clients = folder.path().join("clients").display().to_string();
    let program = "to play a program, write clients = [\"clients/bot.py\", ...] and [run] programs = true";
    assert_eq!(
        warnings,
        [
            told("bot.py", program),
            told("class.zip", &format!("agon build --out {clients} {clients}/class.zip makes clients from an archive")),
            told(
                "new.c",
                &format!("it is not compiled: build a library from it, then agon add --out {clients} FILE.so")
            ),
        ]
    );
    // Sources of a client that plays, excluded files and notes need no line; all files have one where too few play.
    let quiet =
        read("[ladder]\ngame = \"tiny\"\nexclude = [\"clients/*.py\", \"clients/*.c\", \"clients/*.zip\"]").unwrap();
    assert!(quiet.warnings.is_empty(), "{:?}", quiet.warnings);
    ["b.so", "x.refused"]
        .iter()
        .for_each(|name| std::fs::remove_file(folder.path().join("clients").join(name)).unwrap());
    let error = read("ladder.game = \"tiny\"").unwrap_err().to_string();
    for file in ["Makefile", "notes.txt", "bot.py", "new.c"] {
        assert!(error.contains(&format!("clients/{file} does not play")), "{file}: {error}");
    }
    assert!(!error.contains("hidden") && !error.contains("a.c "), "{error}");
    // One file of each team plays: a team that has another file there is named.
    std::fs::create_dir_all(folder.path().join("teams/red")).unwrap();
    std::fs::create_dir_all(folder.path().join("teams/blue")).unwrap();
    ["red/player.so", "red/notes.so", "blue/plyer.so"].iter().for_each(|name| write(&format!("teams/{name}")));
    let error = read("[ladder]\ngame = \"tiny\"\nclients = [\"teams/*/player.so\"]").unwrap_err().to_string();
    assert!(error.contains("teams/blue/plyer.so does not play") && !error.contains("notes.so"), "{error}");
}
