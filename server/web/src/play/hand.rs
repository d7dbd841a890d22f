//! The cards that a person holds, as buttons.

use crate::svg::{Svg, Units};
use agon_games::{Item, Scene};
use maud::{Markup, PreEscaped, html};

/// A card in the hand.
pub(super) struct Card {
    /// As the game calls it.
    pub name: String,
    /// Its value, as a number of marks.
    weight: u32,
}

/// The cards of the hand, in their order; none where the game has no hand.
pub(super) fn cards(scene: &Scene) -> Vec<Card> {
    let items = scene.panels.iter().filter(|panel| panel.is_hand).flat_map(|panel| panel.items.iter().flatten());
    let card = |item: &Item| match item {
        Item::Card { number, weight } => Some(Card { name: number.to_string(), weight: *weight }),
        _ => None,
    };
    items.filter_map(card).collect()
}

impl Card {
    /// The card; a button where it may be chosen.
    pub fn button(&self, is_target: bool) -> Markup {
        html! { @if is_target {
            button.card type="button" data-choose=(self.name) { (self.name) (self.marks()) }
        } @else {
            span.card { (self.name) (self.marks()) }
        } }
    }

    /// Its value, five marks a row.
    fn marks(&self) -> Markup {
        let count = self.weight.min(10);
        let mut svg = Svg::default();
        for mark in 0..count {
            let in_row = (count - mark / 5 * 5).min(5);
            let x = 6.0 * (f64::from(mark % 5) - f64::from(in_row - 1) / 2.0);
            let at = format!("translate({},{})", Units(x), Units(6.0 * f64::from(mark / 5)));
            svg.begin("g", &[("transform", &at)]);
            svg.element("path", &[("d", &"M-2.2,-2l1,1h2.4l1,-1v3l-2.2,3l-2.2,-3z")]);
            svg.end("g");
        }
        html! { svg viewBox="-16 -3 32 14" aria-hidden="true" { (PreEscaped(svg.as_str())) } }
    }
}
