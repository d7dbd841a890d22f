//! Colours on a terminal, for those who want them: digits and brackets say the same.

use agon_model::visible::{Medium, visible};
use agon_model::{Charset, Ink, TextLine};
use crossterm::style::{Attribute, Color, ContentStyle, StyledContent, Stylize};
use std::io::IsTerminal;

/// The characters and colours that a stream may show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    /// The characters that may be used.
    pub charset: Charset,
    /// Whether text gets colours.
    pub coloured: bool,
}

/// One a seat, told apart with every kind of sight (Okabe and Ito 2008), as the nearest of the 256 colours.
const SEATS: [u8; 8] = [32, 214, 175, 36, 166, 227, 74, 250];

/// Whether a stream may have colours: it is a terminal that is not dumb, and NO_COLOR is not set.
pub fn may_colour(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && says("NO_COLOR").is_none() && says("TERM").is_some_and(|term| term != "dumb")
}

/// The value of a variable of the environment, if it is set.
fn says(key: &str) -> Option<String> {
    std::env::var(key).ok().filter(|value| !value.is_empty())
}

impl Paint {
    /// The paint of standard output. NO_COLOR, TERM=dumb and a locale without UTF-8 restrict it.
    pub fn of_stdout(ascii: bool) -> Paint {
        let locale = says("LC_ALL").or_else(|| says("LC_CTYPE")).or_else(|| says("LANG")).unwrap_or_default();
        let is_utf8 = locale.to_ascii_lowercase().replace('-', "").contains("utf8");
        let coloured = may_colour(&std::io::stdout());
        Paint { charset: if ascii || !is_utf8 { Charset::Ascii } else { Charset::Unicode }, coloured }
    }

    /// The line as a terminal takes it.
    pub fn line(self, line: &TextLine) -> String {
        if !self.coloured {
            return visible(&line.plain(), Medium::Screen).into_owned();
        }
        let paint =
            |(ink, text): &(Ink, String)| StyledContent::new(style(*ink), visible(text, Medium::Screen)).to_string();
        line.0.iter().map(paint).collect()
    }
}

fn style(ink: Ink) -> ContentStyle {
    let plain = ContentStyle::new();
    match ink {
        Ink::Plain => plain,
        Ink::Title | Ink::Mark => plain.attribute(Attribute::Bold),
        Ink::Faint => plain.attribute(Attribute::Dim),
        Ink::Of(seat) => plain.with(Color::AnsiValue(SEATS[seat % SEATS.len()])).attribute(Attribute::Bold),
        Ink::Alarm => plain.with(Color::AnsiValue(166)).attribute(Attribute::Bold),
    }
}
