//! What the page of a link shows: what its seats may see, and nothing else.

use super::link::PlayLink;
use super::table::{Shared, Table};
use agon_web::{Invited, PlayPage, Turn};

/// The address of another link, seen from this one.
fn address(link: &PlayLink) -> String {
    format!("../{}/?token={}", link.name, link.token)
}

/// Whom a link invites, and by which address, as long as nobody took it.
fn invited(link: &PlayLink) -> Invited {
    Invited { seats: link.seats.clone(), path: if link.is_taken() { None } else { Some(address(link)) } }
}

/// The page of a link.
pub fn page(table: &Table, shared: &Shared, link: usize) -> String {
    let (words, link_number, link) = (table.words, link, &table.links()[link]);
    let game = &shared.game;
    let mover = shared.mover(&link.seats);
    // At the end nothing is hidden any more.
    let viewer = match shared.over {
        Some(_) => None,
        None => mover.or(link.seats.first().copied()),
    };
    let turn = mover.map(|seat| {
        let choices = shared.choices(seat);
        let asks = if choices.begun.is_empty() { String::new() } else { words.begun(&choices.begun) };
        Turn { seat, asks, begun: choices.begun, parts: choices.parts, wholes: choices.wholes, all: choices.all }
    });
    let player = |(seat, label): (usize, &Option<String>)| match label {
        Some(label) => label.clone(),
        None if link.seats.contains(&seat) => words.you().to_owned(),
        None => words.person().to_owned(),
    };
    let is_undo_asked = !shared.agreed.is_empty() && !link.seats.iter().all(|seat| shared.agreed.contains(seat));
    let note = match is_undo_asked {
        true => words.wants_it_back().to_owned(),
        false => shared.notes[link_number].clone(),
    };
    PlayPage {
        language: words.0,
        title: game.facts.title,
        rules: game.facts.summary.in_language(words.0),
        players: game.labels.iter().enumerate().map(player).collect(),
        scene: game.state.scene(viewer, words.0),
        at: shared.at,
        turn,
        note,
        moves: &shared.moves,
        can_undo: game.last_of_people().is_ok() && shared.over.is_none(),
        adviser: table.adviser_name(),
        begun_from: table.begun_from(link_number),
        invitations: table.invitations(link_number).iter().map(invited).collect(),
        result: shared.over.as_ref().map(|(result, _)| result.as_str()),
    }
    .into_text()
}
