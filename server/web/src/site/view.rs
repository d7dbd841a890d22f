//! A ladder as it is told in one language.

use super::model::Model;
use super::texts::text;
use agon_games::Language;
use std::fmt::Display;
use std::ops::Deref;

/// A ladder, and the language of its page.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub model: &'a Model<'a>,
    pub language: Language,
}

impl<'a> Deref for View<'a> {
    type Target = Model<'a>;

    fn deref(&self) -> &Model<'a> {
        self.model
    }
}

impl View<'_> {
    /// A text of the pages in this language.
    pub fn t(&self, english: &'static str) -> &'static str {
        text(self.language, english)
    }

    /// The colon between a thing and its description.
    pub fn colon(&self) -> &'static str {
        self.language.pick(": ", "\u{a0}: ")
    }

    /// Whether a file plays.
    pub fn status(&self, status: &str) -> String {
        match status {
            "playing" => self.t("playing").to_owned(),
            "refused" => self.t("refused").to_owned(),
            "late" => self.t("late").to_owned(),
            "benched" => self.t("benched").to_owned(),
            "withdrawn" => self.t("withdrawn").to_owned(),
            "replaced" => self.t("replaced").to_owned(),
            "file gone" => self.t("file gone").to_owned(),
            "waiting" => self.t("waits for the ladder").to_owned(),
            "forgotten" => self.t("forgotten").to_owned(),
            other => crate::text::clean(other),
        }
    }

    /// `1 match`, `2 matches`; in French 0 is singular as well.
    pub fn counted(&self, count: u64, one: &'static str, many: &'static str) -> String {
        let many = if count == 0 { self.language.pick(many, one) } else { many };
        agon_model::counted(count, self.t(one), self.t(many))
    }

    /// A text whose only dots are those of numbers, with the decimal sign of this language.
    pub fn n(&self, text: impl Display) -> String {
        self.language.numbers(text)
    }

    /// A kind of stage: rounds and playoffs of rounds.
    pub fn kind(&self, kind: &str) -> String {
        match kind {
            "round" => self.t("round").to_owned(),
            "playoff of round" => self.t("playoff of round").to_owned(),
            "placement" => self.t("placement").to_owned(),
            "challenges" => self.t("challenges").to_owned(),
            other => crate::text::clean(other),
        }
    }
}
