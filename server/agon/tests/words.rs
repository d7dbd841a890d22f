//! How agon speaks: words that a plainer one replaces, and long sentences, in help, messages and documentation; doc
//! comments that are not sentences.

use crate::builder::Arena;
use crate::tree::{files, root};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Words and their replacements.
const REPLACED: [(&str, &str); 16] = [
    ("beside", "next to, in addition, compared with"),
    ("besides", "as well"),
    ("hand in again", "submit again"),
    ("is gone", "is missing"),
    ("is no client", "is not a client"),
    ("is no file", "is not a file"),
    ("is no library", "is not a library"),
    ("is no move", "is not a move"),
    ("is no number", "is not a number"),
    ("is said", "the message says"),
    ("is told", "is reported"),
    ("may go", "can be deleted"),
    ("mend", "fix"),
    ("nobody is separated", "the differences are not significant"),
    ("of before", "previous"),
    ("whoever", "anyone who"),
];
/// The most words of a sentence in help and messages.
const LONGEST: usize = 30;
/// Pages with words of others, or that list words.
const LEFT_OUT: [&str; 2] = ["docs/reference/glossary.md", "docs/studies"];
/// Beginnings of doc comments that are not sentences.
const FRAGMENTS: [&str; 9] = ["All of them", "As many", "Of", "So many", "What", "Who", "Whoever", "Whom", "Whose"];
/// The folders whose doc comments still begin so, with their number: rewrite these, and lower it.
const UNWRITTEN: [(&str, usize); 8] = [
    ("client-api", 7),
    ("games", 22),
    ("server/agon", 93),
    ("server/command", 1),
    ("server/lab", 1),
    ("server/machines", 33),
    ("server/player", 1),
    ("tools", 1),
];

/// The texts to judge: the documentation in English, and the page of each command.
fn texts() -> Vec<(String, String)> {
    let pages = files("", ".md");
    let is_page = |name: &str| name.starts_with("docs/") || !name.contains('/');
    let is_judged = |name: &str| is_page(name) && !LEFT_OUT.iter().any(|left_out| name.starts_with(left_out));
    let english = pages.into_iter().filter(|(name, _)| is_judged(name) && !name.ends_with(".fr.md"));
    english.chain(help()).collect()
}

/// The page of each command, without the marks of the format.
fn help() -> Vec<(String, String)> {
    let arena = Arena::new();
    arena.agon(["man"]).well();
    let pages = fs::read_dir(arena.path("man")).unwrap().map(|entry| entry.unwrap().path());
    let plain = |text: String| ["\\fB", "\\fI", "\\fR", "\\"].iter().fold(text, |text, mark| text.replace(mark, ""));
    let named =
        |path: PathBuf| (path.file_name().unwrap().display().to_string(), plain(fs::read_to_string(&path).unwrap()));
    pages.map(named).collect()
}

/// Whether a text has these words, as whole words.
fn has_words(line: &str, words: &str) -> bool {
    let is_end = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '_');
    line.match_indices(words)
        .any(|(at, _)| is_end(line[..at].chars().next_back()) && is_end(line[at + words.len()..].chars().next()))
}

#[test]
fn plainer_words_replace_these() {
    let mut found = String::new();
    for (name, text) in texts() {
        // A line that ends within a phrase goes on in the next one.
        let text = text.to_lowercase().replace('\n', " ");
        for (words, instead) in REPLACED.iter().filter(|(words, _)| has_words(&text, words)) {
            found += &format!("{name}: \"{words}\", write: {instead}\n");
        }
    }
    assert!(found.is_empty(), "{found}");
}

#[test]
fn sentences_of_help_and_messages_are_short() {
    let messages = fs::read_to_string(root().join("docs/reference/messages.md")).unwrap();
    let mut texts = help();
    texts.push(("messages.md".to_owned(), messages));
    let mut found = String::new();
    for (name, text) in texts {
        // Marks of the format, flags, headings and tables stand between sentences.
        let is_between = |line: &str| line.starts_with(['.', '|', '#', ' ', '-', '[', '<']) || line.contains("fR]");
        let prose: String =
            text.lines().map(|line| if is_between(line) { "\n" } else { line }.to_owned() + "\n").collect();
        for paragraph in prose.split("\n\n") {
            for sentence in paragraph.replace('\n', " ").split_inclusive(['.', ';', ':', '!', '?']) {
                let words = sentence.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count();
                if words > LONGEST {
                    found += &format!("{name}: {words} words: {sentence}\n");
                }
            }
        }
    }
    assert!(found.is_empty(), "{found}");
}

/// The text of a doc comment's line.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("///").or(line.strip_prefix("//!"))
}

/// The first lines of doc comments that begin with a fragment.
fn fragments(source: &str) -> impl Iterator<Item = &str> {
    let before = [""].into_iter().chain(source.lines());
    let firsts = source.lines().zip(before).filter(|(_, before)| comment(before).is_none_or(str::is_empty));
    firsts.filter_map(|(line, _)| comment(line)?.strip_prefix(' ')).filter(|text| {
        FRAGMENTS.iter().any(|words| text.strip_prefix(words).is_some_and(|rest| rest.starts_with([' ', '.', ','])))
    })
}

#[test]
fn doc_comments_are_sentences() {
    let mut wrong: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, text) in files("", ".rs") {
        let depth = if name.starts_with("server/") || name.starts_with("clients/") { 2 } else { 1 };
        let folder = name.split('/').take(depth).collect::<Vec<_>>().join("/");
        wrong.entry(folder).or_default().extend(fragments(&text).map(|line| format!("{name}: {line}")));
    }
    let mut found = String::new();
    for (folder, lines) in &wrong {
        let allowed = UNWRITTEN.iter().find(|(name, _)| name == folder).map(|(_, most)| *most);
        if lines.len() != allowed.unwrap_or(0) {
            found += &format!("{folder}: {}, listed {}\n{}\n", lines.len(), allowed.unwrap_or(0), lines.join("\n"));
        }
    }
    assert!(found.is_empty(), "{found}");
}
