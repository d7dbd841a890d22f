//! Scripts without comments, indents and blanks that mean nothing. Lines stay lines wherever a line may end a
//! statement, so that no semicolon is needed that was not there.

use std::iter::Peekable;
use std::str::CharIndices;

/// What a piece of a script is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Blanks and comments; whether a line ends in them.
    Blank(bool),
    /// A name, a word of the language, or a number.
    Word,
    /// A string, a part of a template, or a regular expression.
    Literal,
    /// A single character of an operator or bracket.
    Sign,
}

/// After these words an expression begins, so that a stroke begins a regular expression.
const BEFORE_EXPRESSIONS: [&str; 14] = [
    "return",
    "typeof",
    "case",
    "in",
    "of",
    "delete",
    "void",
    "throw",
    "new",
    "else",
    "do",
    "instanceof",
    "yield",
    "await",
];
/// No statement ends after one of these.
const OPENING: &str = "{;,([:?=&|*%<>^~!";
/// No statement begins with one of these.
const CLOSING: &str = "})],;:?";

/// The same script, shorter.
pub(crate) fn compact(text: &str) -> String {
    let (mut out, mut before, mut blank) = (String::with_capacity(text.len()), None, None);
    for (kind, piece) in pieces(text) {
        if let Kind::Blank(has_end) = kind {
            blank = Some(blank.unwrap_or(false) || has_end);
            continue;
        }
        if let (Some(has_end), Some(before)) = (blank, before) {
            let now = (kind, piece);
            if has_end && !opens(before) && !closes(now) {
                out.push('\n');
            } else if would_merge(before, now) {
                out.push(' ');
            }
        }
        out.push_str(piece);
        (before, blank) = (Some((kind, piece)), None);
    }
    out
}

/// A piece that means something.
type Piece<'a> = (Kind, &'a str);

fn opens((kind, piece): Piece<'_>) -> bool {
    kind == Kind::Sign && OPENING.contains(piece) || kind == Kind::Literal && piece.ends_with("${")
}

fn closes((kind, piece): Piece<'_>) -> bool {
    kind == Kind::Sign && CLOSING.contains(piece) || kind == Kind::Literal && piece.starts_with('}')
}

/// Whether two pieces that stand apart would be something else without the blank.
fn would_merge((one, before): Piece<'_>, (other, after): Piece<'_>) -> bool {
    let is_number = before.starts_with(|c: char| c.is_ascii_digit());
    match (one, other) {
        (Kind::Word, Kind::Word) => true,
        // Flags of a regular expression.
        (Kind::Literal, Kind::Word) => before.starts_with('/'),
        (Kind::Word, Kind::Sign) => is_number && after == ".",
        (Kind::Sign, Kind::Literal) => before == "/" && after.starts_with('/'),
        (Kind::Sign, Kind::Sign) => {
            matches!((before, after), ("+", "+") | ("-", "-") | ("/", "/" | "*") | ("?", ".") | ("<", "!") | ("-", ">"))
        }
        _ => false,
    }
}

/// All pieces, of which the script is put together.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    // Of each template that is not at its end, how many brackets are open in the code in it.
    let (mut templates, mut at) = (Vec::<usize>::new(), 0);
    while at < text.len() {
        let before = pieces.iter().rev().find(|(kind, _)| !matches!(kind, Kind::Blank(_))).copied();
        let (kind, length) = first(&text[at..], before, &mut templates);
        pieces.push((kind, &text[at..at + length]));
        at += length;
    }
    pieces
}

/// Of which kind the first piece is, and how long.
fn first(text: &str, before: Option<Piece<'_>>, templates: &mut Vec<usize>) -> (Kind, usize) {
    let mut chars = text.char_indices().peekable();
    let Some((_, c)) = chars.next() else { return (Kind::Sign, 0) };
    let until = |holds: &dyn Fn(char) -> bool| text.find(|c| !holds(c)).unwrap_or(text.len());
    match c {
        c if c.is_whitespace() => {
            let length = until(&|c| c.is_whitespace());
            (Kind::Blank(text[..length].contains('\n')), length)
        }
        c if is_of_word(c) => (Kind::Word, until(&is_of_word)),
        '/' if text.starts_with("//") => (Kind::Blank(false), text.find('\n').unwrap_or(text.len())),
        '/' if text.starts_with("/*") => {
            let length = text[2..].find("*/").map_or(text.len(), |end| end + 4);
            (Kind::Blank(text[..length].contains('\n')), length)
        }
        '/' if !ends_expression(before) => {
            regular_expression(chars).map_or((Kind::Sign, 1), |length| (Kind::Literal, length))
        }
        '"' | '\'' => (Kind::Literal, quoted(chars, c, text.len())),
        '`' => (Kind::Literal, template(chars, templates, text.len())),
        '}' if templates.last() == Some(&0) => {
            templates.pop();
            (Kind::Literal, template(chars, templates, text.len()))
        }
        c => {
            if let Some(open) = templates.last_mut() {
                match c {
                    '{' => *open += 1,
                    '}' => *open -= 1,
                    _ => {}
                }
            }
            (Kind::Sign, c.len_utf8())
        }
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Whether a stroke after this divides.
fn ends_expression(before: Option<Piece<'_>>) -> bool {
    match before {
        Some((Kind::Word, word)) => !BEFORE_EXPRESSIONS.contains(&word),
        Some((Kind::Literal, piece)) => !piece.ends_with("${"),
        Some((_, sign)) => [")", "]", "}"].contains(&sign),
        None => false,
    }
}

type Chars<'a> = Peekable<CharIndices<'a>>;

/// The length of a string whose first quote is behind; it ends with its line at the latest.
fn quoted(mut chars: Chars<'_>, quote: char, most: usize) -> usize {
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '\n' => return at,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    most
}

/// The length of a part of a template, to its end or to where code begins in it.
fn template(mut chars: Chars<'_>, templates: &mut Vec<usize>, most: usize) -> usize {
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '`' => return at + 1,
            '$' if chars.peek().is_some_and(|(_, next)| *next == '{') => {
                templates.push(0);
                return at + 2;
            }
            _ => {}
        }
    }
    most
}

/// The length of a regular expression without its flags; `None` where its line ends before it.
fn regular_expression(mut chars: Chars<'_>) -> Option<usize> {
    let mut is_in_class = false;
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '\n' => return None,
            '[' => is_in_class = true,
            ']' => is_in_class = false,
            '/' if !is_in_class => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_what_means_nothing_is_left_out() {
        for (script, expected) in [
            ("// a\nlet a = 1; // b\n\n  let b = 2;\n", "let a=1;let b=2;"),
            ("let a = 1\nlet b = 2\n", "let a=1\nlet b=2"),
            ("return\nx", "return\nx"),
            ("a\n(b)\n[c]", "a\n(b)\n[c]"),
            ("a++\nb\n++c", "a++\nb\n++c"),
            ("f(a,\n  b\n)\n", "f(a,b)"),
            ("x = \"// no  comment\" + '/* a */' ", "x=\"// no  comment\"+'/* a */'"),
            ("x = `a  ${ b + `c  ${ {a : 1} }  d` }  // e`", "x=`a  ${b+`c  ${{a:1}}  d`}  // e`"),
            ("x = /[/\"'] \\/ b/ .test(y)", "x=/[/\"'] \\/ b/.test(y)"),
            ("a = b / c / d; e = (f) / g", "a=b/c/d;e=(f)/g"),
            ("return /a  b/g", "return/a  b/g"),
            ("a + +b - -c - +d", "a+ +b- -c-+d"),
            ("1 .toFixed()", "1 .toFixed()"),
            ("a ? .5 : b", "a? .5:b"),
            ("a /* x */ b /*\n*/ c", "a b\nc"),
            ("if (a) b\nelse c", "if(a)b\nelse c"),
            ("const f = () => {\n  g()\n}\nh()", "const f=()=>{g()}\nh()"),
            ("a\n/b/g", "a\n/b/g"),
        ] {
            assert_eq!(compact(script), expected, "{script}");
        }
    }

    /// Pieces that may stand in any order, as far as nobody runs them.
    const PIECES: [&str; 18] = [
        "a",
        "let",
        "return",
        "12",
        "\"a // ' b\"",
        "'/* \\' \"'",
        "`x  // \\` y`",
        "+",
        "-",
        "=",
        "{",
        "}",
        "(",
        ")",
        ";",
        ",",
        "=>",
        "é",
    ];
    const BLANKS: [&str; 6] = [" ", "\n", "  \n ", " // c \" ' `\n", "/* \n \" */", "\t"];

    proptest! {
        #[test]
        fn all_pieces_stay_in_their_order(chosen in proptest::collection::vec((0..PIECES.len(), 0..BLANKS.len()), 0..40)) {
            let script: String = chosen.iter().map(|(piece, blank)| PIECES[*piece].to_owned() + BLANKS[*blank]).collect();
            let short = compact(&script);
            let mut rest = short.as_str();
            for (index, (piece, _)) in chosen.iter().enumerate() {
                let word = |piece: &str| piece.chars().all(is_of_word);
                let is_apart = rest.starts_with([' ', '\n']);
                prop_assert!(index > 0 || !is_apart);
                if index > 0 && word(PIECES[*piece]) && word(PIECES[chosen[index - 1].0]) {
                    prop_assert!(is_apart, "{}", short);
                }
                rest = rest.strip_prefix([' ', '\n']).unwrap_or(rest);
                let after = rest.strip_prefix(PIECES[*piece]);
                prop_assert!(after.is_some(), "{}\n{}", script, short);
                rest = after.unwrap();
            }
            prop_assert_eq!(rest, "");
            prop_assert_eq!(compact(&short), short, "once more changes nothing");
        }

        #[test]
        fn anything_comes_to_something(text in "[a/`'\"\\\\${} \n*+.é\\[\\]]{0,40}") {
            prop_assert!(compact(&text).len() <= text.len());
            prop_assert_eq!(pieces(&text).iter().map(|(_, piece)| *piece).collect::<String>(), text);
        }
    }
}
