//! A ladder as it is told in one language.

use super::model::Model;
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
    pub fn t(&self, english: &'static str, french: &'static str) -> &'static str {
        self.language.pick(english, french)
    }

    /// The colon between a thing and its description.
    pub fn colon(&self) -> &'static str {
        self.language.pick(": ", "\u{a0}: ")
    }

    /// The units of wins, draws and losses: matches, or the opponents in all of them if there are several.
    pub fn outcomes(&self) -> [&'static str; 3] {
        match self.published.standings.seats {
            0..=2 => self.language.pick(["Won", "Drawn", "Lost"], ["Gagnées", "Nulles", "Perdues"]),
            _ => self.language.pick(["Beaten", "Level", "Behind"], ["Battus", "Égaux", "Devant lui"]),
        }
    }

    /// An end of an interval that no result bounds.
    pub fn open(&self) -> &'static str {
        self.t("open", "ouverte")
    }

    /// Whether a file plays; `None` if it waits for the ladder.
    pub fn status(&self, status: Option<StatusKind>) -> &'static str {
        match status {
            None => self.t("waits for the ladder", "attend le tournoi"),
            Some(StatusKind::Playing) => self.t("playing", "joue"),
            Some(StatusKind::Refused) => self.t("refused", "refusé"),
            Some(StatusKind::Late) => self.t("late", "en retard"),
            Some(StatusKind::Benched) => self.t("benched", "mis sur le banc"),
            Some(StatusKind::Withdrawn) => self.t("withdrawn", "retiré"),
            Some(StatusKind::Replaced) => self.t("replaced", "remplacé"),
            Some(StatusKind::FileGone) => self.t("file gone", "fichier disparu"),
            Some(StatusKind::Forgotten) => self.t("forgotten", "oublié"),
        }
    }

    /// `1 match`, `2 matches`; in French 0 is singular as well.
    pub fn counted(&self, count: u64, english: [&str; 2], french: [&str; 2]) -> String {
        let [one, many] = self.language.pick(english, french);
        let many = if count == 0 { self.language.pick(many, one) } else { many };
        agon_model::counted(count, one, many)
    }

    /// A text whose only dots are those of numbers, with the decimal sign of this language.
    pub fn n(&self, text: impl Display) -> String {
        self.language.numbers(text)
    }

    /// A kind of stage: rounds and playoffs of rounds.
    pub fn kind(&self, kind: &str) -> String {
        match kind {
            "round" => self.t("round", "ronde").to_owned(),
            "playoff of round" => self.t("playoff of round", "barrage de la ronde").to_owned(),
            "placement" => self.t("placement", "match de classement").to_owned(),
            "challenges" => self.t("challenges", "défis").to_owned(),
            other => crate::text::clean(other),
        }
    }
}
