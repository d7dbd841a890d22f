//! The page of a link: it shows only what its seats may see.

use super::acts::Choices;
use super::link::PlayLink;
use super::session::{BoardSession, SessionState};
use crate::play::board_match::BoardMatch;
use crate::play::finished::{ResultText, SeatText};
use crate::play::sentences::PlayWords;
use agon_games::{Piece, Scene, Seat, Stroke};
use agon_web::{Advice, Finished, Invited, Place, PlayPage, TurnChoices};

/// The address of another link, seen from this one.
fn address(link: &PlayLink) -> String {
    format!("../{}/?token={}", link.name, link.token)
}

/// The seats that a link invites to, and its address as long as nobody took it.
fn invited(link: &PlayLink) -> Invited {
    Invited { seats: link.seats.clone(), path: if link.is_taken() { None } else { Some(address(link)) } }
}

/// A seat in the result.
fn place(told: &SeatText) -> Place<'_> {
    Place { rank: told.rank, score: told.score, fault: told.fault.as_deref() }
}

/// The page of a link.
pub fn page(session: &BoardSession, shared: &SessionState, link: usize) -> String {
    let (words, link_number, link) = (session.words, link, &session.links()[link]);
    let game = &shared.game;
    let mover = shared.mover(&link.seats);
    let mut scene = scene(shared, link, mover, words);
    let turn = mover.map(|seat| turn(shared, seat, words, &mut scene));
    let player = |(seat, label): (usize, &Option<String>)| match label {
        Some(label) => label.clone(),
        None if link.seats.contains(&seat) => words.you().to_owned(),
        None => words.person().to_owned(),
    };
    let is_undo_asked = !shared.agreed.is_empty() && !link.seats.iter().all(|seat| shared.agreed.contains(seat));
    let note = if is_undo_asked { words.wants_it_back().to_owned() } else { shared.notes[link_number].clone() };
    let advice = shared.advised_text(link_number).zip(mover).map(|(text, seat)| {
        let path = if scene.cells.is_empty() { None } else { way_of(game, seat, text) };
        Advice { text: text.to_owned(), path: path.unwrap_or_default() }
    });
    PlayPage {
        advice,
        starting: starting(shared),
        language: words.0,
        title: game.facts.title,
        rules: game.facts.summary.in_language(words.0),
        players: game.labels.iter().enumerate().map(player).collect(),
        scene,
        at: shared.at,
        turn,
        note,
        moves: &shared.moves,
        is_to_watch: link.is_to_watch(),
        can_undo: game.last_of_people().is_ok() && shared.over.is_none(),
        adviser: session.adviser_name(),
        begun_from: session.begun_from(link_number),
        invitations: session.invitations(link_number).iter().map(invited).collect(),
        result: shared.over.as_ref().map(|over| finished(&over.told, shared, link)),
    }
    .into_text()
}

/// The position. At the end everything is shown. Whoever watches sees what any seat sees, for nothing is hidden there.
fn scene(shared: &SessionState, link: &PlayLink, mover: Option<Seat>, words: PlayWords) -> Scene {
    let viewer = match shared.over {
        Some(_) => None,
        None => mover.or(link.seats.first().copied()).or(Some(0)),
    };
    if link.is_to_watch() && shared.game.facts.hidden && viewer.is_some() {
        Scene::default()
    } else {
        shared.game.state.scene(viewer, words.0)
    }
}

/// The clients, as long as a person waits for them to begin.
fn starting(shared: &SessionState) -> Vec<String> {
    let game = &shared.game;
    let is_awaited = game.state.to_move().iter().any(|seat| game.labels[seat].is_none());
    let is_starting = shared.is_starting && is_awaited && shared.over.is_none();
    if is_starting { game.labels.iter().flatten().cloned().collect() } else { Vec::new() }
}

/// The turn of a seat. The scene shows what is chosen of its move.
fn turn(shared: &SessionState, seat: Seat, words: PlayWords, scene: &mut Scene) -> TurnChoices {
    let Choices { begun, parts, wholes, all } = shared.choices(seat);
    show_begun(scene, &shared.game, seat, &begun);
    let asks = if begun.is_empty() { String::new() } else { words.begun(&begun) };
    let labels = wholes.iter().filter(|_| begun.is_empty());
    let labels = labels.map(|mv| (mv.clone(), shared.game.in_language(mv, words.0))).collect();
    TurnChoices { seat, asks, begun, parts, wholes, all, labels }
}

/// The result as a link shows it.
fn finished<'a>(told: &'a ResultText, shared: &SessionState, link: &'a PlayLink) -> Finished<'a> {
    Finished {
        outcome: if link.is_to_watch() { told.by_name.as_deref() } else { told.outcome.as_deref() },
        places: told.seats.iter().map(place).collect(),
        remarks: told.remarks.iter().map(String::as_str).collect(),
        resigned: shared.resigned.iter().copied().collect(),
        own: &link.seats,
    }
}

/// Shows what a move has done as far as it is chosen: the piece stands where it went, and its way is drawn.
fn show_begun(scene: &mut Scene, game: &BoardMatch, seat: Seat, begun: &str) {
    let names: Vec<&str> = begun.split(|c: char| !c.is_alphanumeric()).filter(|name| !name.is_empty()).collect();
    let cell = |name: &str| scene.cells.iter().position(|cell| cell.name == name);
    let [from, to] = names.as_slice() else { return };
    let (Some(from), Some(to)) = (cell(from), cell(to)) else { return };
    if (scene.cells[from].piece, scene.cells[to].piece) != (Piece::Of(seat), Piece::Empty) {
        return;
    }
    scene.cells.iter_mut().for_each(|cell| cell.marked = false);
    scene.cells[from].piece = Piece::Empty;
    scene.cells[to].piece = Piece::Of(seat);
    [from, to].into_iter().for_each(|at| scene.cells[at].marked = true);
    scene.path = way(game, seat, begun).unwrap_or_else(|| vec![Stroke::Slide(vec![from, to])]);
}

/// The way of the first part of any move that begins so: on a board that is no grid nobody else knows it.
fn way(game: &BoardMatch, seat: Seat, begun: &str) -> Option<Vec<Stroke>> {
    let strokes = way_of(game, seat, &game.legal(seat, begun, 1).pop()?)?;
    let slide: Vec<Stroke> = strokes.into_iter().filter(|stroke| matches!(stroke, Stroke::Slide(_))).take(1).collect();
    (!slide.is_empty()).then_some(slide)
}

/// The way of a move.
fn way_of(game: &BoardMatch, seat: Seat, text: &str) -> Option<Vec<Stroke>> {
    let mv = game.state.read(text)?;
    let mut state = game.state.clone_box();
    state.play(&[(seat, mv)]);
    Some(state.scene(Some(seat), agon_games::Language::English).path)
}
