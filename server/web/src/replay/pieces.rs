//! The picture of a match in its pieces: scores as text, the table, and what stands below the controls. The script fills
//! their parts anew from turn to turn.

use super::changes::Changes;
use super::heading;
use crate::drawing::{Drawing, Piece, Role};
use crate::picture::symbols;
use crate::svg::{Svg, Units};
use crate::text::clean;
use agon_games::{Item, Language, Scene};
use agon_playback::Playback;
use maud::{Markup, PreEscaped, html};

/// The picture of the start, what changes in groups of its own, and the same in words.
pub(super) fn table(playback: &Playback, (drawing, changes): (&Drawing, &Changes)) -> Markup {
    let nothing = Scene::default();
    let scene = playback.frames.first().map_or(&nothing, |frame| &frame.scene);
    let pieces = drawing.pieces();
    let of = |role: Role| pieces.iter().filter(move |piece| piece.role == role);
    let all = changes.drawn.clone() + drawing.draw_parts(scene).as_str();
    let mut things = symbols(&all);
    for (id, drawn) in [("ground", &drawing.ground), ("over", &Svg::default()), ("ways", &drawing.draw_ways(scene))] {
        things.begin("g", &[("id", &id)]);
        things.push(drawn);
        things.end("g");
    }
    let mut before = Some(things);
    html! {
        @for piece in of(Role::Score) { (score((&playback.seats, drawing), piece, scene)) }
        div #board { @for piece in of(Role::Table) { (drawn(drawing, piece, (scene, before.take()), playback.language)) } }
        div #words.hear { (super::words(drawing, scene, playback.language)) }
        div #aside { @for piece in of(Role::Aside) { (drawn(drawing, piece, (scene, None), playback.language)) } }
    }
}

/// A piece with the things that stand under its parts.
pub(crate) fn drawn(
    drawing: &Drawing,
    piece: &Piece,
    (scene, before): (&Scene, Option<Svg>),
    language: Language,
) -> Markup {
    let [width, height] = piece.size.map(Units);
    let parts = drawing.draw_piece(piece, scene);
    html! {
        svg.pic.own[piece.width.is_some()] width=[piece.width] viewBox=(format!("0 {} {width} {height}", Units(piece.top)))
            preserveAspectRatio=(if piece.panel.is_none() { "xMidYMin" } else { "xMinYMin" })
            role=[(piece.role == Role::Table).then_some("img")] aria-hidden=[(piece.role != Role::Table).then_some("true")]
            aria-label=[(piece.role == Role::Table).then(|| language.pick("the board; its words follow", "le plateau ; sa description suit"))] {
            @if let Some(before) = before { g aria-hidden="true" { (PreEscaped(before.as_str())) } }
            g.parts aria-hidden="true" data-at=(piece.parts[0]) data-n=(piece.parts[1]) { (PreEscaped(parts.as_str())) }
        }
    }
}

/// The players with their scores, as text; the words of the position say the same.
pub(crate) fn score((players, drawing): (&[String], &Drawing), piece: &Piece, scene: &Scene) -> Markup {
    let Some(panel) = drawing.scores(piece, scene) else { return html! {} };
    let columns = panel.items.iter().map(Vec::len).max().unwrap_or_default();
    let cells = panel.items.iter().flat_map(|line| line.iter().map(Some).chain(std::iter::repeat(None)).take(columns));
    let cells: Vec<Option<&Item>> = cells.collect();
    let name = |seat: usize| players.get(seat).map(|name| clean(name)).unwrap_or_default();
    html! {
        p #score aria-hidden="true" data-at=(piece.parts[0]) {
            s.part hidden {}
            @for pair in cells.chunks(2) { span { @for item in pair { @match item {
                Some(Item::Seat(number)) => { s.part hidden {} (heading::seat(*number)) " " bdi { (name(*number)) } " " }
                Some(Item::Text(words)) => { b.part { (words) } }
                _ => { s.part hidden {} }
            } } }
            }
            small { (panel.title) }
        }
    }
}
