//! Problems of a ladder file, shown as a compiler does: place, line, caret, and what to do.

use agon_model::cut;
use std::fmt;
use std::ops::Range;

/// The place at which a value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Location {
    /// In the text that is read, bytes.
    Span(Range<usize>),
    /// On the command line, the word that brought it.
    Word(String),
    /// In a file that the ladder names: its name, its text, line and column from 1.
    Inside(String, String, (usize, usize)),
}

impl Location {
    /// The folder in which a path starts that is written here.
    pub fn folder(&self) -> &'static str {
        match self {
            Location::Word(_) => "the current folder",
            Location::Span(_) | Location::Inside(..) => "the folder of the ladder file",
        }
    }
}

/// A value with the place where it was written.
#[derive(Clone, Debug)]
pub(super) struct At<T> {
    pub value: T,
    pub place: Location,
}

/// One mistake in a ladder file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// The first names the problem, the others are shown below it.
    pub places: Vec<Location>,
    pub what: String,
    pub help: String,
    /// Whether a word of the command line names a client that is not there.
    pub is_client: bool,
    /// Whether it is shown after all others.
    pub is_last: bool,
}

impl Problem {
    pub fn new(place: &Location, what: impl Into<String>, help: impl Into<String>) -> Problem {
        Problem { places: vec![place.clone()], what: what.into(), help: help.into(), is_client: false, is_last: false }
    }

    /// The same, of a client: one that a word of the command line names is refused like a file that cannot play.
    pub fn of_client(mut self) -> Problem {
        self.is_client = self.places.iter().all(|place| matches!(place, Location::Word(_)));
        self
    }

    /// The same, shown after all others: it may follow from them.
    pub fn last(self) -> Problem {
        Problem { is_last: true, ..self }
    }

    /// Shows a second place in the file.
    pub fn and(mut self, place: &Location) -> Problem {
        self.places.push(place.clone());
        self
    }

    fn start(&self) -> usize {
        self.places
            .iter()
            .find_map(|place| if let Location::Span(span) = place { Some(span.start) } else { None })
            .unwrap_or(0)
    }
}

/// The problems and warnings that a reading has found so far.
#[derive(Default)]
pub(super) struct Findings {
    pub problems: Vec<Problem>,
    /// Sentences for the author that stop nothing.
    pub warnings: Vec<String>,
}

/// Everything that is wrong with a ladder; shown, it is a message for its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    origin: String,
    text: String,
    problems: Vec<Problem>,
}

impl ConfigError {
    pub(super) fn new(origin: &str, text: &str, findings: Findings) -> ConfigError {
        let mut problems = findings.problems;
        problems.sort_by_key(|problem| (problem.is_last, problem.start()));
        problems.dedup();
        ConfigError { origin: origin.to_owned(), text: text.to_owned(), problems }
    }

    /// The number of problems; at least one.
    pub fn count(&self) -> usize {
        self.problems.len()
    }

    /// Whether all that is wrong is that words of the command line name clients that are not there.
    pub fn is_about_clients(&self) -> bool {
        self.problems.iter().all(|problem| problem.is_client)
    }

    /// Where a place is, for people, and its line with a caret below; the latter may be empty.
    fn show(&self, place: &Location) -> (String, String) {
        match place {
            Location::Word(word) => (word.clone(), String::new()),
            Location::Span(span) => excerpt(&self.origin, &self.text, span.clone()),
            Location::Inside(file, text, (line, column)) => excerpt(file, text, offset(text, *line, *column)),
        }
    }
}

/// The most problems in a message; a reader who fixes these sees the others.
const MOST_TOLD: usize = 20;
/// The longest sentence and the longest name of a place in it, characters.
const LONGEST_SENTENCE: usize = 1_000;
const LONGEST_HEAD: usize = 400;
/// How much of a line is shown before the caret and in all, characters.
const BEFORE_CARET: usize = 60;
const LONGEST_LINE: usize = 160;

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().take(MOST_TOLD).enumerate() {
            if index > 0 {
                f.write_str("\n\n")?;
            }
            for (index, place) in problem.places.iter().enumerate() {
                let (head, lines) = self.show(place);
                let head = cut(&head, LONGEST_HEAD);
                match index {
                    0 => write!(f, "{head}: {}{lines}", cut(&problem.what, LONGEST_SENTENCE))?,
                    _ => write!(f, "\n{head}: see here{lines}")?,
                }
            }
            if !problem.help.is_empty() {
                write!(f, "\nhelp: {}", cut(&problem.help, LONGEST_SENTENCE))?;
            }
        }
        match self.problems.len().saturating_sub(MOST_TOLD) {
            0 => Ok(()),
            more => write!(f, "\n\n… and {more} more problems"),
        }
    }
}

impl std::error::Error for ConfigError {}

/// The bytes of a place given by line and column.
fn offset(text: &str, line: usize, column: usize) -> Range<usize> {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let within = text[start..].char_indices().nth(column.saturating_sub(1)).map_or(text.len() - start, |(at, _)| at);
    start + within..start + within + 1
}

/// `file:line:column`, and the line with carets under the place.
fn excerpt(origin: &str, text: &str, span: Range<usize>) -> (String, String) {
    let mut start = span.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let begin = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let source = text[begin..].lines().next().unwrap_or_default();
    let number = text[..begin].matches('\n').count() + 1;
    let before = text[begin..start].chars().count();
    let end = span.end.clamp(start, begin + source.len().max(start - begin));
    let width = text.get(start..end).map_or(1, |marked| marked.chars().count().max(1)).min(LONGEST_LINE);
    let margin = number.to_string();
    // A tab would put the caret elsewhere, and other control characters could do worse.
    let source: String = source.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let source = without_password(&source);
    // Of a long line only the part around the place is shown.
    let skipped = if before > LONGEST_LINE { before - BEFORE_CARET } else { 0 };
    let source = cut(&source.chars().skip(skipped).collect::<String>(), LONGEST_LINE + BEFORE_CARET);
    let lines = format!(
        "\n{margin} | {}\n{:pad$} | {}{}",
        source.trim_end(),
        "",
        " ".repeat(before - skipped),
        "^".repeat(width),
        pad = margin.len()
    );
    (format!("{origin}:{number}:{}", before + 1), lines)
}

/// A line with stars for the password of an address in it: messages are sent to others.
fn without_password(line: &str) -> String {
    let Some(user) = line.find("://").map(|at| at + 3) else { return line.to_owned() };
    let Some(end) = line[user..].rfind('@').map(|at| user + at) else { return line.to_owned() };
    let begin = line[user..end].find(':').map_or(end, |at| user + at + 1);
    format!("{}{}{}", &line[..begin], "*".repeat(line[begin..end].chars().count()), &line[end..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::did_you_mean;

    #[test]
    fn a_place_is_shown_with_its_line_and_a_caret() {
        let text = "[run]\n\tkind = \"é\" \n";
        let (head, lines) = excerpt("ladder.toml", text, 14..18);
        assert_eq!(head, "ladder.toml:2:9");
        assert_eq!(lines, "\n2 |  kind = \"é\"\n  |         ^^^");
        assert_eq!(excerpt("x", "", 0..0).0, "x:1:1");
        assert_eq!(excerpt("x", "a\n", 2..2).0, "x:2:1");
        assert_eq!(excerpt("x", "aé", 2..9).0, "x:1:2");
        assert_eq!(excerpt("x", "ab\ncd\n", offset("ab\ncd\n", 2, 2)).0, "x:2:2");
        assert_eq!(excerpt("x", "ab\n", offset("ab\n", 9, 9)).0, "x:2:1");
    }

    #[test]
    fn a_message_does_not_grow_with_its_input() {
        let spans = |text: &str| ConfigError {
            origin: "x.toml".repeat(10_000),
            text: text.to_owned(),
            problems: (0..5_000)
                .map(|at| {
                    let place = Location::Span(at * text.len() / 5_000..text.len());
                    Problem::new(&place, "w".repeat(100_000), did_you_mean(&"x".repeat(50_000), ["name"; 5_000]))
                })
                .collect(),
        };
        for text in ["a".repeat(70_000), "é\t".repeat(70_000), "k = 1\n".repeat(20_000), String::new()] {
            let message = spans(&text).to_string();
            assert!(message.len() < 100_000, "{} bytes", message.len());
            assert!(message.ends_with("… and 4980 more problems"), "{}", &message[message.len() - 60..]);
        }
        let far = "a".repeat(66_000) + " b";
        let (head, lines) = excerpt("f", &far, 66_001..66_002);
        assert_eq!(head, "f:1:66002");
        assert_eq!(lines, format!("\n1 | {} b\n  | {}^", "a".repeat(59), " ".repeat(60)));
    }
}
