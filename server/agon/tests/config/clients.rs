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
        "build the clients first (make), or correct the path",
    );
    begins(
        "clients = [\"none/*.so\"]",
        "class.toml:3:12: no client matches \"none/*.so\" (the folder does not exist)",
        "build the clients first (make), or correct the path",
    );
    begins(
        "clients = [\"*/a.so\"]",
        "class.toml:3:12: only 1 client takes part, and a match has 2 different ones",
        "add clients, or let some play several seats: lineup = [\"a\", \"a\"]",
    );
    begins(
        "exclude = [\"clients/a*\"]",
        "class.toml:1:2: only 1 client takes part, and a match has 2 different ones",
        "add clients, or let some play several seats: lineup = [\"a\", \"a\"]",
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
