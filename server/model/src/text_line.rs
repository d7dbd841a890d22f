//! A line of text piece by piece, each with the ink that a terminal may show as a colour.

use agon_games::Seat;

/// The kind of a piece of text; a terminal may give each its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Nothing special.
    Plain,
    /// A title.
    Title,
    /// Something less important.
    Faint,
    /// It belongs to a seat.
    Of(Seat),
    /// Part of the last move.
    Mark,
    /// A fault or a notice.
    Alarm,
}

/// A line, piece by piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextLine(
    /// Text and its ink.
    pub Vec<(Ink, String)>,
);

impl TextLine {
    /// A line of one ink.
    pub fn new(ink: Ink, text: impl Into<String>) -> TextLine {
        TextLine(vec![(ink, text.into())])
    }

    /// One more piece.
    pub fn push(&mut self, ink: Ink, text: impl Into<String>) {
        self.0.push((ink, text.into()));
    }

    /// Without inks.
    pub fn plain(&self) -> String {
        self.0.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// How many characters.
    pub fn width(&self) -> usize {
        self.0.iter().map(|(_, text)| text.chars().count()).sum()
    }

    /// At most `width` characters; the last one says that some are left out.
    pub fn cut(mut self, width: usize, charset: Charset) -> TextLine {
        if self.width() <= width {
            return self;
        }
        let mut room = width.saturating_sub(1);
        for (_, text) in &mut self.0 {
            let kept: String = text.chars().take(room).collect();
            room -= kept.chars().count();
            *text = kept;
        }
        if width > 0 {
            self.push(Ink::Faint, charset.cut());
        }
        self
    }
}

/// Which characters may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// Those that every terminal has.
    Ascii,
    /// A few more.
    Unicode,
}

impl Charset {
    fn cut(self) -> &'static str {
        if self == Charset::Ascii { ">" } else { "…" }
    }
}
