//! The table and the panels next to it, with the places that a person may point at.

use super::{PlayPage, TurnChoices};
use crate::board;
use crate::drawing::{Drawing, Piece as Part, Role, Spot};
use crate::picture::symbols;
use crate::svg::{Svg, Units};
use agon_games::{Piece, Scene};
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeSet;

impl PlayPage<'_> {
    /// The pieces of a picture that have this part on the page.
    pub(super) fn table(&self, id: &str, role: Role, (drawing, pieces): (&Drawing, &[Part]), scene: &Scene) -> Markup {
        // A title alone says what the status says as well.
        let shown = pieces.iter().filter(|piece| piece.role == role && (role == Role::Table || piece.parts[1] > 1));
        let shown: Vec<&Part> = shown.collect();
        html! { div id=(id) { @for (number, piece) in shown.iter().enumerate() {
            (self.piece(drawing, piece, (scene, number == 0 && role == Role::Table)))
        } }
        @if self.scene.has_pegs && role == Role::Table { p.soft.legend { (self.pick("● right place   ○ right colour elsewhere", "● bien placée   ○ mal placée")) } } }
    }

    /// One piece; the first of a page has the things that all of them use.
    pub(super) fn piece(&self, drawing: &Drawing, piece: &Part, (scene, is_first): (&Scene, bool)) -> Markup {
        let [width, height] = piece.size.map(Units);
        let mut svg = if is_first { symbols(drawing.draw(scene).as_str()) } else { Svg::default() };
        if piece.panel.is_none() {
            svg.push(&drawing.ground);
            svg.push(&drawing.draw_ways(scene));
        }
        svg.push(&drawing.draw_piece(piece, scene));
        if piece.panel.is_none() {
            self.push_advice(drawing, &mut svg);
        }
        let mut over = Svg::default();
        if let Some(turn) = &self.turn {
            let targets = turn.targets();
            drawing.spots_of(piece, scene).iter().for_each(|spot| self.push_spot(spot, turn, &targets, &mut over));
        }
        let has_label = piece.role == Role::Table;
        html! {
            svg.pic.own[piece.width.is_some()] width=[piece.width] viewBox=(format!("0 {} {width} {height}", Units(piece.top)))
                preserveAspectRatio=(if piece.panel.is_none() { "xMidYMin" } else { "xMinYMin" })
                role=[has_label.then_some("group")] aria-label=[has_label.then(|| self.pick("the board", "le plateau"))] {
                g aria-hidden="true" { (PreEscaped(svg.as_str())) }
                g.spots { (PreEscaped(over.as_str())) }
            }
        }
    }

    /// A place that can be clicked; where a legal move leads on, also reached by keys.
    fn push_spot(&self, spot: &Spot, turn: &TurnChoices, targets: &BTreeSet<&str>, svg: &mut Svg) {
        let is_target = targets.contains(spot.name.as_str());
        let [x, y] = spot.at.map(Units);
        let at = format!("translate({x} {y})");
        let class = match (is_target, turn.has_begun(&spot.name)) {
            (true, _) => "spot go",
            (false, true) => "spot on",
            (false, false) => "spot",
        };
        let cell = spot.cell.and_then(|cell| self.scene.cells.get(cell));
        let label = cell
            .map_or_else(|| spot.name.clone(), |cell| format!("{}: {}", spot.name, board::words(cell, self.language)));
        let mut attributes: Vec<(&str, &dyn std::fmt::Display)> =
            vec![("class", &class), ("transform", &at), ("data-choose", &spot.name)];
        if is_target {
            attributes.extend::<[(&str, &dyn std::fmt::Display); 3]>([
                ("role", &"button"),
                ("tabindex", &"0"),
                ("aria-label", &label),
            ]);
        }
        svg.begin("g", &attributes);
        let form = match (spot.is_card, self.scene.columns) {
            (true, _) => "M-17,-25h34v50h-34z",
            (false, 0) => "M-18,0a18,18,0,1,0,36,0a18,18,0,1,0,-36,0z",
            (false, _) => "M-18,-18h36v36h-36z",
        };
        svg.element("path", &[("d", &form)]);
        // A free square has a dot, as quiet as there are many of them.
        if is_target && cell.is_some_and(|cell| cell.piece == Piece::Empty) {
            svg.element("circle", &[("r", &"6")]);
        }
        svg.end("g");
    }
}
