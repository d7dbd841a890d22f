//! The words of a formula: numbers, names, texts in quotes, signs.

use super::formula::Flaw;
use std::ops::Range;

/// One word of a formula.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(f64),
    Name(String),
    Text(String),
    Sign(char),
    End,
}

/// A text, and the word that is looked at.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    token: Token,
    place: Range<usize>,
}

impl<'a> Lexer<'a> {
    /// Starts at the first word of a text.
    pub fn new(text: &'a str) -> Result<Lexer<'a>, Flaw> {
        let mut lexer = Lexer { text, token: Token::End, place: 0..0 };
        lexer.advance().map(|()| lexer)
    }

    /// The word that is looked at.
    pub fn token(&self) -> &Token {
        &self.token
    }

    /// The place of the current word.
    pub fn place(&self) -> Range<usize> {
        self.place.clone()
    }

    /// The current word as it is written.
    pub fn shown(&self) -> &'a str {
        &self.text[self.place.clone()]
    }

    /// Goes on to the next word.
    pub fn advance(&mut self) -> Result<(), Flaw> {
        let rest = &self.text[self.place.end..];
        let start = self.place.end + rest.len() - rest.trim_start().len();
        let rest = rest.trim_start();
        let span = |of: fn(char) -> bool| rest.find(|c| !of(c)).unwrap_or(rest.len());
        let (token, length) = match rest.chars().next() {
            None => (Token::End, 0),
            Some('0'..='9') => {
                let length = span(|c| c.is_ascii_digit() || c == '.');
                (number(&rest[..length], start)?, length)
            }
            Some(c) if c.is_alphabetic() => {
                let length = span(|c| c.is_alphanumeric() || c == '_');
                (Token::Name(rest[..length].to_owned()), length)
            }
            Some(quote @ ('"' | '\'')) => quoted(rest, quote, start)?,
            Some(sign @ ('+' | '-' | '*' | '/' | '(' | ')' | ',')) => (Token::Sign(sign), 1),
            Some(other) => {
                let what = format!("{} cannot stand in a formula", other.escape_debug());
                let help = "numbers, names, + - * / ( ) and , can; decimals have a point".to_owned();
                return Err(Flaw { at: start..start + other.len_utf8(), what, help });
            }
        };
        (self.token, self.place) = (token, start..start + length);
        Ok(())
    }
}

fn number(text: &str, start: usize) -> Result<Token, Flaw> {
    let at = start..start + text.len();
    let wrong = |what: String, help: &str| Flaw { at: at.clone(), what, help: help.to_owned() };
    let number: f64 = text.parse().map_err(|_| wrong(format!("{text} is not a number"), "write 1.5"))?;
    if text.ends_with('.') {
        return Err(wrong(format!("{text} is not a number"), "write digits behind the point, or no point"));
    }
    if number <= 1e9 {
        Ok(Token::Number(number))
    } else {
        Err(wrong(format!("{text} is too large"), "write numbers up to 1000000000"))
    }
}

/// The text up to the next of the same quotes; there are no escapes in it.
fn quoted(rest: &str, quote: char, start: usize) -> Result<(Token, usize), Flaw> {
    match rest[1..].find(quote) {
        Some(length) => Ok((Token::Text(rest[1..=length].to_owned()), length + 2)),
        None => {
            let help = format!("end it with {quote}");
            Err(Flaw { at: start..start + rest.len(), what: "a name that does not end".to_owned(), help })
        }
    }
}
