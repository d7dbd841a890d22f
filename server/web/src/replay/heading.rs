//! The head of a page of a match: the players, the result, and links to other pages.

use crate::text::clean;
use agon_games::Language;
use agon_playback::{Playback, VOID};
use maud::{Markup, html};

/// Where the pages around a match are, in the folder of a ladder; empty for a file by itself.
#[derive(Clone, Debug, Default)]
pub struct Neighbours {
    /// For each seat the number of its client's page, from 1.
    pub clients: Vec<Option<usize>>,
    /// The match recorded before it.
    pub previous: Option<String>,
    /// The match after it.
    pub next: Option<String>,
    /// The other matches of its block: the same opening from other seats.
    pub block: Vec<String>,
    /// Whether a server sends it, which has a list of all matches.
    pub is_served: bool,
}

/// The links above the page.
pub(super) fn ways(around: &Neighbours, language: Language) -> Markup {
    let t = |english, french| language.pick(english, french);
    html! { nav aria-label="pages" {
        a href="../index.html" { (t("Standings", "Classement")) }
        @if around.is_served { a href="../matches.html" { (t("Matches", "Parties")) } }
        @if let Some(id) = &around.previous { a href=(page(id)) rel="prev" { "← " span { (t("Match before", "Partie précédente")) } } }
        @if let Some(id) = &around.next { a href=(page(id)) rel="next" { span { (t("Next match", "Partie suivante")) } " →" } }
    } }
}

/// The other matches of its block: of two clients it is one, with their seats exchanged.
pub(super) fn block(around: &Neighbours, playback: &Playback) -> Markup {
    let t = |english, french| playback.language.pick(english, french);
    html! { @if !around.block.is_empty() { p.block { (t("Same opening, other seats: ", "Même ouverture, autres places : "))
        @match (playback.seats.as_slice(), around.block.as_slice()) {
            ([one, other], [id]) => a href=(page(id)) { (clean(other)) " – " (clean(one)) },
            (_, all) => @for (index, id) in all.iter().enumerate() { a href=(page(id)) { (t("match", "partie")) " " (index + 1) } " " },
        }
    } } }
}

fn page(id: &str) -> String {
    format!("{id}.html")
}

/// The number of a seat in its colour and form, which it has on the board and in all charts.
pub(crate) fn seat(seat: usize) -> Markup {
    html! { span class=(format!("seat k{seat}")) { (seat + 1) } }
}

/// The players of a match under way.
pub(crate) fn players(seats: &[String]) -> Markup {
    html! { h1.players.many[seats.len() > 4] { @for (number, label) in seats.iter().enumerate() {
        @if number > 0 { span.versus { " – " } }
        span.player { (seat(number)) " " (client(label, None)) }
    } } }
}

/// The fault that ended the match and its reason, with the way to its turn.
fn fault(playback: &Playback) -> Markup {
    let turn = playback.frames.iter().position(|frame| frame.is_broken);
    let mut lines = playback.explained.lines().skip(1).map(str::trim);
    let (Some(turn), Some(what)) = (turn, lines.next()) else { return html! {} };
    // Its turn has the details, which stand in brackets.
    let why =
        lines.next().and_then(|why| why.split("; help:").next()?.split(" (").next()).filter(|why| !why.is_empty());
    html! { p.fault { a href=(format!("#m{turn}")) { (clean(what)) }
    @if let Some(why) = why { ". " (clean(&sentence(why, &playback.seats))) } } }
}

/// The players, with the winners in bold, and the end of the match.
pub(super) fn heading(playback: &Playback, around: &Neighbours) -> Markup {
    let best = playback.ranks.iter().min().filter(|_| is_counted(playback));
    let has_won = |number: usize| playback.seats.len() > 1 && best.is_some() && playback.ranks.get(number) == best;
    html! { header {
        h1.players.many[playback.seats.len() > 4] { @for (number, label) in playback.seats.iter().enumerate() {
            @if number > 0 { span.versus { " – " } }
            span.player.won[has_won(number)] { (seat(number)) " " (client(label, around.clients.get(number).copied().flatten())) }
        } @if playback.seats.is_empty() { (clean(&playback.title)) } }
        @let how = how_it_ended(playback);
        @if !how.is_empty() { p.headline { (clean(&how)) } }
        (fault(playback))
    } }
}

fn client(label: &str, number: Option<usize>) -> Markup {
    html! { @match number {
        Some(number) => a href=(format!("../client/{number}.html")) { bdi { (clean(label)) } },
        None => bdi { (clean(label)) },
    } }
}

/// Whether the match has winners: one that is void has only the ranks at which it stopped.
fn is_counted(playback: &Playback) -> bool {
    !playback.explained.starts_with(VOID.in_language(playback.language))
}

/// The title of a tab of a browser and of a shared link: `alphabeta – mcts: mcts wins · GAME donut:9`.
pub(super) fn caption(playback: &Playback) -> String {
    let t = |english, french| playback.language.pick(english, french);
    // The title of a match names its id, then the game and the board.
    let played = playback.title.split_once(&playback.id).map_or("", |(_, played)| played);
    let played = played.trim_start_matches(|c: char| c == ':' || c.is_whitespace());
    let seats = match playback.seats.as_slice() {
        [] => return playback.title.clone(),
        seats if seats.len() <= MOST_NAMED || seats.concat().chars().count() <= MOST_LETTERS => seats.join(" – "),
        seats => format!("{} {}", seats.len(), t("seats", "places")),
    };
    let result = match winners(playback).as_slice() {
        _ if !is_counted(playback) || playback.seats.len() < 2 => String::new(),
        [] => String::new(),
        [one] => format!("{}{one} {}", t(": ", " : "), t("wins", "gagne")),
        [..] if playback.seats.len() == 2 => format!("{}{}", t(": ", " : "), t("a draw", "partie nulle")),
        [others @ .., last] if others.len() < MOST_NAMED => {
            format!(
                "{}{} {} {last} {}",
                t(": ", " : "),
                others.join(", "),
                t("and", "et"),
                t("share the first place", "se partagent la première place")
            )
        }
        many => {
            format!("{}{} {}", t(": ", " : "), many.len(), t("share the first place", "se partagent la première place"))
        }
    };
    let all = [format!("{seats}{result}"), played.to_owned()];
    all.into_iter().filter(|part| !part.is_empty()).collect::<Vec<String>>().join(" · ")
}

/// A caption names at most this number of seats.
const MOST_NAMED: usize = 4;
/// With more seats, names are cut to this number of letters.
const MOST_LETTERS: usize = 48;

/// Those with the best rank.
fn winners(playback: &Playback) -> Vec<String> {
    let best = playback.ranks.iter().min();
    let first = playback.ranks.iter().enumerate().filter(|(_, rank)| Some(*rank) == best);
    first.filter_map(|(seat, _)| named(playback, seat)).collect()
}

/// The winners, and the end of the match: `mcts wins: ended by the rules after 53 turns.`
pub(crate) fn how_it_ended(playback: &Playback) -> String {
    let how = playback.explained.lines().next().unwrap_or(&playback.ending);
    let winners = winners(playback);
    // The rest of this line names them by their seats.
    let (how, is_counted) =
        how.split_once(": ").map_or((how, false), |(how, _)| (how.trim_end(), is_counted(playback)));
    let t = |english, french| playback.language.pick(english, french);
    match winners.as_slice() {
        _ if how.is_empty() => String::new(),
        [one] if is_counted && playback.seats.len() > 1 => format!("{one} {} {how}.", t("wins:", "gagne :")),
        [_, .., last] if is_counted => {
            let others = winners[..winners.len() - 1].join(", ");
            format!(
                "{others} {} {last} {} {how}.",
                t("and", "et"),
                t("share the first place:", "partagent la première place :")
            )
        }
        _ => sentence(playback.explained.lines().next().unwrap_or(how), &playback.seats),
    }
}

/// A client by its name; where others have the same, with its seat.
fn named(playback: &Playback, seat: usize) -> Option<String> {
    let label = playback.seats.get(seat)?;
    let is_alone = playback.seats.iter().filter(|other| *other == label).count() == 1;
    let t = |english, french| playback.language.pick(english, french);
    Some(if is_alone { label.clone() } else { format!("{label} ({} {})", t("seat", "place"), seat + 1) })
}

/// A sentence begins with a large letter, unless it begins with the name of a client, and ends with a point.
pub(crate) fn sentence(text: &str, names: &[String]) -> String {
    if names.iter().any(|name| !name.is_empty() && text.starts_with(name.as_str())) {
        return format!("{text}.");
    }
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}
