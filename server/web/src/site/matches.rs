//! A match in the words of a page: who sat there, who won, how one client did. Its id stands in its address and is the
//! title of its link.

use super::settings::setting_name;
use super::view::View;
use crate::text::clean;
use agon_games::Language;
use agon_model::documents::{ListedMatch, ListedSeat};
use agon_playback::kind_text;
use maud::{Markup, html};

/// A name or a rank, marked as that of a winner.
pub(super) fn won(what: Markup, language: Language) -> Markup {
    html! { strong { (what) span aria-hidden="true" { "\u{a0}✓" } span.hear { (language.pick(", winner", ", vainqueur")) } } }
}

/// A list names this many of more than two seats.
const NAMED: usize = 3;
/// A list of one client's matches names this many others.
const NAMED_WITH_ONE: usize = 2;

/// The clients by seat, with winners marked. Of more than two the first by rank with their scores, and those that stand
/// out.
pub(super) fn seats(seats: &[ListedSeat], language: Language, is_own: &dyn Fn(&ListedSeat) -> bool) -> Markup {
    if seats.len() > 2 {
        return by_rank(seats, language, is_own, NAMED);
    }
    html! { @for (seat, one) in seats.iter().enumerate() {
        @let name = html! { bdi.own[is_own(one)] { (clean(&one.label)) } };
        @if seat > 0 { " – " }
        @if one.rank == 1 { (won(name, language)) } @else { (name) }
    } }
}

fn by_rank(seats: &[ListedSeat], language: Language, is_own: &dyn Fn(&ListedSeat) -> bool, named: usize) -> Markup {
    let mut ranked: Vec<&ListedSeat> = seats.iter().collect();
    ranked.sort_by_key(|one| one.rank);
    let shown = ranked.iter().enumerate().filter(|(index, one)| *index < named || is_own(one)).map(|(_, one)| *one);
    let shown: Vec<&ListedSeat> = shown.collect();
    html! {
        @for (index, one) in shown.iter().enumerate() {
            @let name = html! { bdi.own[is_own(one)] { (clean(&one.label)) } };
            @if index >= named { " … " (one.rank) ". " } @else if index > 0 { ", " }
            @if one.rank == 1 { (won(name, language)) } @else { (name) }
            " (" (one.score) ")"
        }
        @if shown.len() < seats.len() && named == NAMED { " " span.soft { (language.pick("and ", "et ")) (seats.len() - shown.len()) (language.pick(" more", " autres")) } }
    }
}

/// The faults of those seats that are meant, a line each.
pub(super) fn faults<'a>(seats: impl Iterator<Item = &'a ListedSeat>, language: Language) -> Markup {
    html! { @for one in seats { @if let Some(fault) = &one.fault {
        div { bdi { (clean(&one.label)) } " " (clean(&kind_text(fault, language))) }
    } } }
}

/// Words that lead to a match, if it has a page.
pub(super) fn link(model: &View<'_>, id: &str, up: &str, words: Markup) -> Markup {
    html! { @match model.match_path(id) {
        Some(path) => a href=(format!("{up}{path}")) title=(clean(id)) { (words) },
        None => (words),
    } }
}

/// A match by who played it.
pub(super) fn seats_link(
    model: &View<'_>,
    found: &ListedMatch,
    up: &str,
    is_own: &dyn Fn(&ListedSeat) -> bool,
) -> Markup {
    link(model, &found.id, up, seats(&found.seats, model.language, is_own))
}

/// A match of a client in a list: `mcts ✓ – alphabeta, donut:9, 53 turns`, or how the client did among many.
pub(super) fn told(model: &View<'_>, found: &ListedMatch, label: &str, up: &str) -> Markup {
    let own = found.seats.iter().find(|seat| seat.label == label);
    html! {
        @match own.filter(|_| found.seats.len() > 2) {
            Some(one) => {
                (link(model, &found.id, up, html! { (model.t("rank", "rang")) " " (place(model, found, one)) }))
                (model.colon()) (by_rank(&found.seats, model.language, &|seat| seat.label == label, NAMED_WITH_ONE))
            }
            None => (seats_link(model, found, up, &|_| false)),
        }
        ", " (setting_name(&found.setting)) ", " (model.counted(found.plies.into(), ["turn", "turns"], ["tour", "tours"]))
    }
}

/// `3 of 10`.
pub(super) fn place(model: &View<'_>, found: &ListedMatch, one: &ListedSeat) -> String {
    format!("{}{}{}", one.rank, model.t(" of ", " sur "), found.seats.len())
}

/// A match of a client by its id: against whom it was. One that is not listed is named by its id.
pub(super) fn against(model: &View<'_>, (id, label): (&str, &str), up: &str) -> Markup {
    let Some(found) = listed(model, id, label) else { return link(model, id, up, html! { code { (clean(id)) } }) };
    link(model, id, up, against_whom(model, found, label))
}

/// The fault of a client in a match, for the title of a link: `first fault: cpu-time, match 5f0c-a`.
pub(super) fn fault_in_words(model: &View<'_>, (id, label): (&str, &str)) -> String {
    let seats = listed(model, id, label).into_iter().flat_map(|found| &found.seats);
    let kind = seats.filter(|seat| seat.label == label).find_map(|seat| seat.fault.as_deref());
    let kind = kind.map_or_else(String::new, |kind| format!("{}, ", kind_text(kind, model.language)));
    let first = model.t("first fault", "première faute");
    clean(&format!("{first}{}{kind}{} {id}", model.colon(), model.t("match", "partie")))
}

fn listed<'a>(model: &'a View<'_>, id: &str, label: &str) -> Option<&'a ListedMatch> {
    model.own_matches(model.number(label)?).find(|found| found.id == id)
}

/// `against greedy`; among many, from which seat.
fn against_whom(model: &View<'_>, found: &ListedMatch, label: &str) -> Markup {
    let own = found.seats.iter().position(|seat| seat.label == label).unwrap_or(0);
    let other = found.seats.iter().enumerate().find(|(seat, _)| *seat != own).filter(|_| found.seats.len() == 2);
    html! { @match other {
        Some((_, other)) => { (model.t("against", "contre")) " " bdi { (clean(&other.label)) } }
        None => { (model.t("seat", "place")) " " (own + 1) }
    } }
}
