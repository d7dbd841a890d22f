//! Makes a stranger's text safe for people and their programs: names of files, clients' prints, messages that quote
//! them. It could move the cursor, run as a formula, or imitate other text.

use serde::Serialize;
use std::borrow::Cow;

/// The place for a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// A line: a name, a message.
    Line,
    /// A screen or a file of text: many lines of agon's, with lines of strangers among them.
    Screen,
    /// A whole document of JSON: the same values, without a byte that a screen would obey.
    Json,
    /// A field of CSV, which a spreadsheet may take for a formula.
    Csv,
    /// A cell of a table in Markdown, where it may be HTML, a link or a picture.
    Markdown,
}

/// No language has more marks than this above and below one letter.
const MOST_MARKS: usize = 2;

/// The text in a form that is safe there.
pub fn visible(text: &str, medium: Medium) -> Cow<'_, str> {
    match medium {
        Medium::Line => marked(text, is_odd, word_escape),
        Medium::Screen => marked(text, |c| !matches!(c, '\n' | '\t') && is_hidden(c), word_escape),
        Medium::Json => marked(text, |c| c != '\n' && is_hidden(c), json_escape),
        Medium::Csv => Cow::Owned(csv(&unmixed(&visible(text, Medium::Line)))),
        Medium::Markdown => Cow::Owned(markdown(&unmixed(&visible(text, Medium::Line)))),
    }
}

/// A document of JSON on many lines, the last one ended, without a byte that a screen would obey.
pub fn json_document(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default() + "\n";
    visible(&text, Medium::Json).into_owned()
}

/// At most `longest` characters of a text on one line, with control characters as `\x1b`, and invisible or ambiguous
/// ones as `\u{200b}`.
pub fn escape(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => unmixed(&visible(text, Medium::Line)),
        Some((end, _)) => unmixed(&visible(&text[..end], Medium::Line)) + "...",
    }
}

/// The text with `odd` characters, and letters under many marks, written out.
fn marked<'a>(text: &'a str, odd: impl Fn(char) -> bool, write: impl Fn(char) -> String) -> Cow<'a, str> {
    let (mut marks, mut at, mut copied, mut out) = (0, 0, 0, String::new());
    while let Some(plain) = text.as_bytes()[at..].iter().position(|byte| !matches!(byte, b' '..=b'~')) {
        at += plain;
        let Some(c) = text[at..].chars().next() else { break };
        let before = if plain == 0 { marks } else { 0 };
        marks = if is_mark(c) { before + 1 } else { 0 };
        let next = at + c.len_utf8();
        if odd(c) || marks > MOST_MARKS {
            out.push_str(&text[copied..at]);
            out.push_str(&write(c));
            copied = next;
        }
        at = next;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

fn word_escape(c: char) -> String {
    let number = u32::from(c);
    if number < 0x100 { format!("\\x{number:02x}") } else { format!("\\u{{{number:x}}}") }
}

fn json_escape(c: char) -> String {
    c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

/// Characters that a terminal obeys, and invisible ones: marks of direction and of no width, fillers, tags, separators
/// of lines.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}' | '\u{e000}'..='\u{f8ff}')
}

/// The same, and characters that only look like a space or a plain letter.
fn is_odd(c: char) -> bool {
    is_hidden(c)
        || matches!(c, '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{ff01}'..='\u{ff5e}'
            | '\u{1d400}'..='\u{1d7ff}')
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// Writes out Greek and Cyrillic letters in a word that has Latin ones: `pаypal`. A word of one script stays unchanged.
fn unmixed(text: &str) -> String {
    let is_foreign = |c: char| matches!(c, '\u{370}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' | '\u{1f00}'..='\u{1fff}' | '\u{2de0}'..='\u{2dff}');
    let mut out = String::with_capacity(text.len());
    for word in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        if word.contains(|c: char| c.is_ascii_alphabetic()) && word.contains(is_foreign) {
            word.chars().for_each(|c| if is_foreign(c) { out.push_str(&word_escape(c)) } else { out.push(c) });
        } else {
            out.push_str(word);
        }
    }
    out
}

/// Quotes a field where a character would end it, and adds an apostrophe where a spreadsheet would run it.
fn csv(text: &str) -> String {
    let is_number = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'+' | b'-' | b'e' | b'E'))
        && text.parse::<f64>().is_ok();
    let runs = text.trim_start().starts_with(['=', '+', '-', '@']) && !is_number && text != "-";
    let text = if runs { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', ';']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// The text itself if nothing in it has a meaning in Markdown, else as code. In code only a stroke has one: it
/// separates cells.
fn markdown(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let joins = |at: usize| {
        let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        is_part(text[..at].chars().next_back()) && is_part(text[at + 1..].chars().next())
    };
    let means = |(at, c): (usize, char)| match c {
        '_' => !joins(at),
        // Some sites read it as the number of an issue.
        '#' => text[at + 1..].starts_with(|next: char| next.is_ascii_digit()),
        '<' | '>' | '&' | '[' | ']' | '*' | '`' | '~' | '\\' | '|' | '@' | '$' | '!' => true,
        _ => false,
    };
    if !lower.contains("://")
        && !lower.contains("www.")
        && !lower.contains("mailto:")
        && !text.char_indices().any(means)
    {
        return text.to_owned();
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{}{space}{fence}", text.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        assert_eq!(escape("a\x1b[31m\n\u{202e}é", 99), "a\\x1b[31m\\x0a\\u{202e}é");
        assert_eq!(escape("\u{85}", 9), "\\x85");
        assert_eq!(escape("abcdef", 3), "abc...");
        assert_eq!(escape("abc", 3), "abc");
    }

    #[test]
    fn a_document_has_nothing_that_a_terminal_would_obey() {
        let text = json_document(&["a\x1b[31m\u{202e}\u{200b}"]);
        assert_eq!(text, "[\n  \"a\\u001b[31m\\u202e\\u200b\"\n]\n");
    }

    #[test]
    fn what_cannot_be_told_apart_is_written_out() {
        for (text, shown) in [
            ("p\u{430}ypal", "p\\u{430}ypal"),
            ("Мария-bot Ωmega", "Мария-bot \\u{3a9}mega"),
            ("a\u{a0}b \u{ff41}", "a\\xa0b \\u{ff41}"),
            ("e\u{301}\u{302}\u{303}\u{304}", "e\u{301}\u{302}\\u{303}\\u{304}"),
            ("x\u{e0041}\u{ad}\u{fe0f}", "x\\u{e0041}\\xad\\u{fe0f}"),
            ("Zoë 名前 ñ", "Zoë 名前 ñ"),
        ] {
            assert_eq!(escape(text, 99), shown);
        }
    }

    #[test]
    fn a_spreadsheet_runs_nothing() {
        for (text, field) in [
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            (" +cmd", "' +cmd"),
            ("-2+3", "'-2+3"),
            ("\t=1", "\\x09=1"),
            ("\u{ff1d}1", "\\u{ff1d}1"),
            ("-12.5", "-12.5"),
            ("+3", "+3"),
            ("-", "-"),
            ("a,\"b\"", "\"a,\"\"b\"\"\""),
            ("a;=1", "\"a;=1\""),
        ] {
            assert_eq!(visible(text, Medium::Csv), field);
        }
    }

    #[test]
    fn markdown_shows_and_does_nothing() {
        for (text, cell) in [
            ("alpha_beta 1.5 (x)", "alpha_beta 1.5 (x)"),
            ("<b>", "`<b>`"),
            ("[a](http://x)", "`[a](http://x)`"),
            ("www.example.org", "`www.example.org`"),
            ("a|b", "`a\\|b`"),
            ("_a_", "`_a_`"),
            ("x@2", "`x@2`"),
            ("`a``b", "``` `a``b ```"),
        ] {
            assert_eq!(visible(text, Medium::Markdown), cell);
        }
    }

    proptest! {
        #[test]
        fn no_output_has_what_cannot_be_seen(text in any::<String>(), odd in "[\u{1b}\u{7f}\u{9b}\u{200b}\u{202e}\u{e0041}=@|\"<a\r\n\t,]{0,12}") {
            let text = odd + &text;
            for medium in [Medium::Line, Medium::Csv, Medium::Markdown] {
                prop_assert!(!visible(&text, medium).contains(is_odd), "{medium:?}");
            }
            prop_assert!(!visible(&text, Medium::Screen).contains(|c| !matches!(c, '\n' | '\t') && is_hidden(c)));
            let json = serde_json::to_string(&text).unwrap();
            let shown = visible(&json, Medium::Json);
            prop_assert!(!shown.contains(is_hidden));
            prop_assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
        }

        #[test]
        fn the_marked_text_is_that_of_each_character_in_turn(text in "[ -~]{0,9}([\u{300}-\u{304}é\u{1b}\u{200b}][a-c\u{301}]{0,4}){0,9}") {
            let mut marks = 0;
            let mut write = |c: char| {
                marks = if is_mark(c) { marks + 1 } else { 0 };
                if is_odd(c) || marks > MOST_MARKS { word_escape(c) } else { c.to_string() }
            };
            let plain: String = text.chars().map(&mut write).collect();
            prop_assert_eq!(visible(&text, Medium::Line), plain);
        }

        #[test]
        fn nothing_is_changed_twice(text in any::<String>()) {
            let once = visible(&text, Medium::Screen).into_owned();
            prop_assert_eq!(visible(&once, Medium::Screen), once.as_str());
        }
    }
}
