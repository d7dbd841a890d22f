//! Finds the author of an entry in a class's archive by the names that learning platforms give, and names the client.

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

/// The most letters that a client has of its author's name; a number may follow.
const MOST_LETTERS: usize = 40;

/// The author of an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Author {
    /// The name as the platform writes it.
    pub name: String,
    /// The platform's number, which parts two people of one name.
    pub number: String,
    /// Whether the number stays that of the person, as it does on Canvas. On Moodle each assignment gives another.
    #[serde(default)]
    pub is_of_person: bool,
}

/// The name of an entry, as a platform made it.
struct Named<'a> {
    author: Author,
    /// The words of its submission's time, by which those of one author follow each other.
    turn: &'a str,
    /// The words of the file's own name.
    rest: &'a [&'a str],
}

/// The author of an entry, and what its file was called before: `Ada Lovelace_4711_assignsubmission_file_bot.c` of
/// Moodle, `lovelaceada_4711_42_bot.c` of Canvas, `Assignment 1_ada_attempt_2026-11-24-10-00-00_bot.c` of Blackboard.
/// `None` where no platform gave the name.
pub fn author(entry: &str) -> Option<(Author, String)> {
    read(&parts(entry)).map(|named| (named.author, named.rest.join("_")))
}

fn parts(entry: &str) -> Vec<&str> {
    entry.split('_').collect()
}

fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

fn read<'a>(parts: &'a [&'a str]) -> Option<Named<'a>> {
    let found = |name: &[&str], number: &str, is_of_person: bool, (turn, from): (&'a str, usize)| {
        let name = name.join("_").nfc().collect();
        let author = Author { name, number: number.to_owned(), is_of_person };
        Named { author, turn, rest: parts.get(from..).unwrap_or_default() }
    };
    let at = |word: &str| parts.iter().position(|part| *part == word).filter(|at| *at >= 2);
    if let Some(at) = at("assignsubmission").filter(|at| is_number(parts[at - 1])) {
        // Behind it stands the kind: `file`, `onlinetext`.
        return Some(found(&parts[..at - 1], parts[at - 1], false, ("", at + 2)));
    }
    if let Some(at) = at("attempt").filter(|at| parts.get(at + 1).is_some_and(|date| is_date(date))) {
        return Some(found(&parts[at - 1..at], "", true, (parts[at + 1], at + 2)));
    }
    // Two numbers stand before the file's name; the author's own may have a `_`.
    let at =
        (1..parts.len()).find(|at| is_number(parts[*at]) && parts.get(at + 1).is_some_and(|next| is_number(next)))?;
    let is_late = at > 1 && matches!(parts[at - 1], "LATE" | "late");
    let own = &parts[..at - usize::from(is_late)];
    let is_author = !own[0].is_empty() && (own.len() == 1 || parts.len() > at + 2);
    is_author.then(|| found(own, parts[at], true, (parts[at + 1], at + 2)))
}

/// The number of another author whose the entry may be: two more numbers follow those of Canvas, so that the first two
/// may be of that author's name, `ada_4711_99`, or the last two of the file's.
pub fn other_author(entry: &str) -> Option<String> {
    let parts = parts(entry);
    let named = read(&parts).filter(|named| named.author.is_of_person && !named.author.number.is_empty())?;
    let rest = match named.rest {
        ["LATE" | "late", rest @ ..] | rest => rest,
    };
    match rest {
        [number, turn, _, ..] if is_number(number) && is_number(turn) => Some((*number).to_owned()),
        _ => None,
    }
}

/// The author of an archive or folder with this name. A name with a `_` and two numbers may be that of a class, such as
/// `my_class_2026_11`.
pub fn author_of_place(name: &str) -> Option<Author> {
    author(name).map(|(author, _)| author).filter(|author| !(author.is_of_person && author.name.contains('_')))
}

/// When an entry was submitted, among those of its platform: the number that Canvas gives each submission, or the date of
/// an attempt on Blackboard. 0 where the name does not tell.
pub fn turn(entry: &str) -> u64 {
    let parts = parts(entry);
    let told = read(&parts).map_or("", |named| named.turn);
    told.split('.').next().unwrap_or(told).replace('-', "").parse().unwrap_or(0)
}

impl Author {
    /// Whether both are one person, as far as the platform tells.
    pub fn is_person(&self, other: &Author) -> bool {
        let is_same = if self.number.is_empty() { self.name == other.name } else { self.number == other.number };
        self.is_of_person && other.is_of_person && self.number.is_empty() == other.number.is_empty() && is_same
    }
}

/// Whether a text begins like `2026-11-24`.
fn is_date(text: &str) -> bool {
    let fits = |(at, byte): (usize, u8)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    text.len() >= 10 && text.bytes().take(10).enumerate().all(fits)
}

/// The client's name for an entry with this name.
pub fn client_name(entry: &str) -> String {
    let own = author(entry).map_or_else(|| entry.to_owned(), |(author, _)| author.name);
    // Some systems write a letter and its accent as two characters.
    let clean = plain(&own.trim().nfc().take(MOST_LETTERS).collect::<String>());
    if clean.is_empty() { "client".to_owned() } else { clean }
}

/// Whether a client may have this name: one that [`client_name`] gives, or that one with a number.
pub fn can_be_client(name: &str) -> bool {
    !name.is_empty() && name.chars().count() <= 2 * MOST_LETTERS && plain(name) == name
}

/// Letters, digits and few signs; other characters become a dash, and nothing is hidden or an option.
fn plain(name: &str) -> String {
    let kept =
        |character: char| if character.is_alphanumeric() || "._-+".contains(character) { character } else { '-' };
    let clean: String = name.chars().map(kept).collect();
    clean.trim_matches(['-', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_called_after_whom_platforms_name() {
        for (name, wanted) in [
            ("Ada Lovelace_4711_assignsubmission_file_", "Ada-Lovelace"),
            ("Zoë Müller_1_assignsubmission_file", "Zoë-Müller"),
            ("Zoe\u{308} Mu\u{308}ller_1_assignsubmission_file", "Zoë-Müller"),
            ("Ada_Lovelace_4711_assignsubmission_onlinetext_", "Ada-Lovelace"),
            ("lovelaceada_4711_42_my_project", "lovelaceada"),
            ("lovelaceada_LATE_4711_42_my_project", "lovelaceada"),
            ("von_derberg_4711_42_bot.c", "von-derberg"),
            ("von_derberg_LATE_4711_42_bot.c", "von-derberg"),
            ("Assignment 1_ada_attempt_2026-11-24-10-00-00_x", "ada"),
            ("Assignment_1_ada_attempt_2026-11-24-10-00-00.txt", "ada"),
            ("team_7", "team-7"),
            ("my_first_attempt_3", "my-first-attempt-3"),
            ("../..", "client"),
            ("a/b\n\u{202e}c", "a-b--c"),
            ("", "client"),
        ] {
            let client = client_name(name);
            assert_eq!(client.replace('_', "-"), wanted, "{name:?}");
            assert!(can_be_client(&client), "{client:?} is read again");
        }
    }

    #[test]
    fn a_list_names_clients_alone() {
        // A name that looks like a platform's, and a long one with a number.
        for name in ["x_1_2".to_owned(), format!("{}-2", "a".repeat(MOST_LETTERS))] {
            assert!(can_be_client(&name), "{name}");
        }
        for name in ["", "..", "../x", "a/b", ".hidden", "-option", "a b"] {
            assert!(!can_be_client(name), "{name}");
        }
    }

    #[test]
    fn the_newest_submission_of_a_person_is_known_by_its_name() {
        for (name, wanted) in [
            ("ada_11_42_my_bot.c", 42),
            ("ada_LATE_11_43_x", 43),
            ("ada_11_11_x", 11),
            ("A 1_ada_attempt_2026-11-24-10-00-00_x", 20_261_124_100_000),
            ("A 1_ada_attempt_2026-11-24-10-00-00.txt", 20_261_124_100_000),
            // The file's own name tells nothing.
            ("A 1_ada_attempt_2026-11-24-10-00-00_bot_2026-11-20.c", 20_261_124_100_000),
            ("11_11_42_x", 42),
            ("Ada L_11_assignsubmission_file_", 0),
            ("ada", 0),
        ] {
            assert_eq!(turn(name), wanted, "{name}");
        }
        let of = |name: &str| author(name).unwrap().0;
        assert!(
            of("ada_11_42_x").is_person(&of("lovelace_11_50_x")) && !of("ada_11_42_x").is_person(&of("ada_12_42_x"))
        );
        assert!(!of("A_11_assignsubmission_file_").is_person(&of("A_11_assignsubmission_file_")));
    }

    #[test]
    fn an_entry_of_four_numbers_may_be_another_author_s() {
        for (name, other) in [
            ("ada_4711_99999_52_77_bot.c", Some("52")),
            ("ada_4711_99999_LATE_52_77_bot.c", Some("52")),
            ("ada_4711_42_2026_bot.c", None),
            ("ada_4711_42_bot_1_2.c", None),
            ("Ada_4711_assignsubmission_file_1_2_bot.c", None),
            ("A 1_ada_attempt_2026-11-24-10-00-00_1_2_bot.c", None),
        ] {
            assert_eq!(other_author(name).as_deref(), other, "{name}");
        }
    }

    #[test]
    fn entries_of_one_author_belong_together() {
        let of = |name: &str| author(name).map(|(author, rest)| (author.name, author.number, rest));
        let own = |name: &str, number: &str, rest: &str| Some((name.to_owned(), number.to_owned(), rest.to_owned()));
        assert_eq!(of("Ada L_11_assignsubmission_file_"), own("Ada L", "11", ""));
        assert_eq!(of("Ada L_11_assignsubmission_onlinetext_"), own("Ada L", "11", ""));
        assert_eq!(of("Ada L_11_assignsubmission_file_my_bot.c"), own("Ada L", "11", "my_bot.c"));
        assert_eq!(of("ada_11_42_my_bot.c"), own("ada", "11", "my_bot.c"));
        assert_eq!(of("ada_LATE_11_43_x"), own("ada", "11", "x"));
        assert_eq!(of("A 1_ada_attempt_2026-11-24-10-00-00_x"), own("ada", "", "x"));
        assert_eq!(of("von_derberg_11_42_my_3_bot.c"), own("von_derberg", "11", "my_3_bot.c"));
        assert_eq!(author_of_place("my_class_2026_11_final"), None);
        for none in
            ["my_team_3_4", "ada", "ada_11", "_1_2_x", "Makefile", "x_attempt_2026-11-24", "assignsubmission_file"]
        {
            assert_eq!(of(none), None, "{none}");
        }
    }
}
