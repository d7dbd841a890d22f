//! Bad names cost nothing: the file's name is shown.

use super::act::client_that;

fn name_that_is(code: &str, words: &[&str]) {
    let words = [words, &["get_player_name", "the file's name is shown", "at most 32 bytes"]].concat();
    client_that(&format!("return {code}")).only_in(&["name"]).gets("bad-name", &words);
}

#[test]
fn null() {
    name_that_is("NULL", &["NULL"]);
}

#[test]
fn wild() {
    name_that_is("(const char *)0x1234567890", &["cannot be read"]);
}

#[test]
fn endless() {
    name_that_is("(const char *)memset(malloc(4096), 'a', 4096)", &["more than 32 bytes"]);
}

#[test]
fn not_utf8() {
    name_that_is("\"\\xff\\xfe\"", &["UTF-8"]);
}

#[test]
fn empty() {
    name_that_is("\"\"", &["empty"]);
}

#[test]
fn a_command_to_the_terminal() {
    name_that_is("\"\\x1b[2J\"", &["control characters"]);
}
