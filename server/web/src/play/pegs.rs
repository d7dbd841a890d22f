//! The pegs of a guess: those that are chosen, and those to choose from.

use super::{PlayPage, TurnChoices};
use crate::panel::PEGS;
use crate::text::clean;
use agon_games::{Item, Panel, Scene};
use maud::{Markup, html};
use std::collections::BTreeSet;

impl PlayPage<'_> {
    /// The position without a hand, which is held, without aids, and without a title that the status has as well.
    pub(super) fn drawn_scene(&self) -> Scene {
        let mut scene = self.scene.clone();
        let is_title = |panel: &Panel| scene.has_pegs && panel.items.is_empty() && panel.lines.is_empty();
        let is_elsewhere = |panel: &Panel| panel.is_hand || panel.is_aid || is_title(panel);
        scene.panels.retain(|panel| !is_elsewhere(panel));
        // The row of the guess stands below the guesses so far, and not below rows that are to come.
        if self.turn.is_some() {
            scene.panels.iter_mut().for_each(|panel| panel.items.retain(|line| !line.contains(&Item::Hole)));
        }
        scene
    }

    /// The guess and the pegs to choose from, below the guesses so far.
    pub(super) fn palette(&self, names: &BTreeSet<String>) -> Markup {
        let turn = self.turn.as_ref().filter(|_| self.scene.has_pegs && self.result.is_none());
        let buttons = turn.map_or_else(Vec::new, |turn| turn.buttons(names));
        html! { @if let (Some(turn), false) = (turn, buttons.is_empty()) { (self.begun_pegs(turn)) (self.choices(&buttons)) } }
    }

    /// Takes back the parts of the move that are chosen.
    pub(super) fn clear(&self) -> Markup {
        html! { @if self.has_begun() { button type="button" data-do="clear" {
            (self.pick("Clear", "Effacer")) kbd aria-hidden="true" { "Esc" }
        } } }
    }

    /// The class of a button that stands for a peg of this colour.
    pub(super) fn peg(&self, choice: &str) -> Option<String> {
        let colour: usize = choice.parse().ok().filter(|_| self.scene.has_pegs)?;
        Some(format!("peg g{}", colour % PEGS.len()))
    }

    /// The pegs of a code that are chosen.
    pub(super) fn begun_pegs(&self, turn: &TurnChoices) -> Markup {
        let is_guess = |line: &&Vec<Item>| line.len() > 1 && line.iter().any(|item| matches!(item, Item::Peg(_)));
        let own = self.scene.panels.iter().find(|panel| panel.seat == Some(turn.seat));
        let guess = 1 + own.map_or(0, |panel| panel.items.iter().filter(is_guess).count());
        html! { p #begun { b aria-hidden="true" { (guess) } @for value in turn.begun.split_whitespace() { span class=[self.peg(value)] { (clean(value)) } " " }
            @for _ in 0..turn.all.first().map_or(0, |rest| rest.split_whitespace().count()) { span.peg.free aria-hidden="true" {} " " }
            (self.clear())
        } }
    }
}
