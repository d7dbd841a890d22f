//! The move that a client would play: drawn on the board, with a button that plays it.

use super::PlayPage;
use crate::drawing::Drawing;
use crate::svg::Svg;
use agon_games::{Scene, Stroke};
use maud::{Markup, html};

/// A move that a client would play.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    /// The move in the game's notation.
    pub text: String,
    /// Its path on the board; empty in games without one.
    pub path: Vec<Stroke>,
}

impl PlayPage<'_> {
    /// The way of the advised move.
    pub(super) fn push_advice(&self, drawing: &Drawing, svg: &mut Svg) {
        let Some(advice) = self.advice.as_ref().filter(|advice| !advice.path.is_empty()) else { return };
        svg.begin("g", &[("class", &"advice")]);
        svg.push(&drawing.draw_ways(&Scene { path: advice.path.clone(), ..self.scene.clone() }));
        svg.end("g");
    }

    /// Plays the advised move, as far as it goes on from what is chosen.
    pub(super) fn advised(&self) -> Markup {
        let begun = self.turn.as_ref().map(|turn| turn.begun.as_str());
        let rest = self.advice.as_ref().zip(begun).and_then(|(advice, begun)| advice.text.strip_prefix(begun));
        html! { @if let Some(rest) = rest { p { button #advised type="button" data-choose=(rest) {
            (self.pick("Play ", "Jouer ")) (crate::text::clean(rest))
        } } } }
    }
}
