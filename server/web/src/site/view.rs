//! A ladder as it is told in one language.

use super::model::Model;
use super::texts::text;
use agon_games::Language;
use agon_model::StatusKind;
use std::fmt::Display;
use std::ops::Deref;

/// A ladder, and the language of its page.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub model: &'a Model,
    pub language: Language,
}

impl Deref for View<'_> {
    type Target = Model;

    fn deref(&self) -> &Model {
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

    /// Whether a file plays; `None` if it waits for the ladder.
    pub fn status(&self, status: Option<StatusKind>) -> &'static str {
        match status {
            None => self.t("waits for the ladder"),
            Some(StatusKind::Playing) => self.t("playing"),
            Some(StatusKind::Refused) => self.t("refused"),
            Some(StatusKind::Late) => self.t("late"),
            Some(StatusKind::Benched) => self.t("benched"),
            Some(StatusKind::Withdrawn) => self.t("withdrawn"),
            Some(StatusKind::Replaced) => self.t("replaced"),
            Some(StatusKind::FileGone) => self.t("file gone"),
            Some(StatusKind::Forgotten) => self.t("forgotten"),
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
