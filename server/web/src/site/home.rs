//! The first page of a ladder: its result first, then who stands where and how sure that is, who fared how against
//! whom, how it came about, and how it was played.

use super::model::Model;
use super::moments::span;
use super::now::{self, Now};
use super::view::View;
use super::{crosstable, history, matches, ratings, result, scores, settings, standings};
use crate::text::clean;
use agon_model::documents::StandingsRow;
use maud::{Markup, html};

/// A crosstable of more clients is a picture, without cells.
const MOST_CELLS: usize = 64;
/// A crosstable of more clients is too wide for a place next to another table.
const MOST_BESIDE: usize = 5;
/// A table of more settings is too wide for that.
const MOST_SETTINGS_BESIDE: usize = 4;
/// With more clients, the tables lack columns, and the rest is on a page of its own.
pub(super) const MOST_WHOLE: usize = 200;

/// The whole page.
pub(super) fn page(model: &View<'_>, now: Option<&Now>) -> String {
    let ladder = &model.published.standings;
    let is_whole = !model.published.rest_follows;
    // Hidden hands are words alone, which need no place at the side.
    let has_boards = now.is_some_and(|now| now.boards.iter().any(|board| board.scene.is_some()));
    // Before a result counts, the boards are all that there is to see.
    let is_early = ladder.matches == 0;
    let body = html! {
        (result_box(model, now))
        @if !is_whole { p role="status" { (model.t(
            "These are the standings. Ratings, who fared how against whom and how the table came about are being made, and follow here by themselves.",
            "Voici le classement. Les cotes, les bilans entre clients et l’évolution du tableau sont en préparation et suivront d’eux-mêmes.",
        )) } }
        (contents(model, now))
        // Who stands where comes first, and where there is room the boards at its side.
        div.front[has_boards].crowded[ladder.seats > 4].early[is_early] {
            section {
                (result::section(model, "", result::Room::WHOLE))
                @if is_early { (standings::entrants(model, "")) } @else { (standings::table(model)) }
            }
            @if let Some(now) = now {
                section { (now::boards(model, now, "")) }
                section { (now::news(model, now)) }
            }
        }
        @if is_whole && !is_early {
            (strengths(model))
            @if model.is_alone() { (scores::of_ladder(model)) }
            (history::section(model))
        }
        @if !is_early { (splits(model)) }
        (others(model))
        (settings::section(model))
        @if has_whole_tables(model) && !is_early {
            details { summary { (model.t("The table as text", "Le tableau en texte")) } pre tabindex="0" { (clean(&model.published.text)) } }
        }
        (data(model))
    };
    super::frame(model, &format!("{} {}", model.t("Ladder", "Tournoi"), ladder.ladder), None, body)
}

/// The files of a ladder for programs.
fn data(model: &View<'_>) -> Markup {
    html! {
        h2 #data { (model.t("Data for programs", "Données pour programmes")) }
        p { a href="standings.json" { "standings.json" } " · " a href="matches.csv" { "matches.csv" }
            @if model.published.ratings.is_some() { " · " a href="ratings.json" { "ratings.json" } }
            @if model.published.history.is_some() { " · " a href="history.json" { "history.json" } } }
    }
}

/// The result in a sentence, of what it is the result, and how far the ladder is.
fn result_box(model: &View<'_>, now: Option<&Now>) -> Markup {
    let ladder = &model.published.standings;
    html! { div.result {
        (result::headline(model, now, ""))
        p.soft { (clean(&ladder.game)) " · " (model.counted(ladder.seats as u64, ["seat", "seats"], ["place", "places"]))
            @if ladder.matches > 0 { " · " (model.counted(ladder.matches, ["match", "matches"], ["partie", "parties"])) (model.t(" in ", " en ")) (model.counted(ladder.blocks, ["block", "blocks"], ["bloc", "blocs"])) }
            @if let Some(played) = model.published.played { " · " (span(played)) }
            @if model.published.submissions.is_some() && !model.published.has_teams { " · " a href="submissions.html" { (model.t("All submissions", "Tous les travaux rendus")) } } }
        @if let Some(now) = now { (now::progress(model, now)) }
    } }
}

/// The sections of results, as a part of a page that shows other things as well.
pub(super) fn parts(model: &View<'_>) -> Markup {
    html! {
        div.result { (result::headline(model, None, "")) }
        (result::section(model, "", result::Room::WHOLE))
        (standings::table(model))
        (strengths(model))
        (history::section(model))
        (splits(model))
    }
}

/// Tables by setting and by seat: side by side where both are there and narrow.
fn splits(model: &View<'_>) -> Markup {
    let settings = model.published.standings.by_setting.len();
    let is_narrow = (2..=MOST_SETTINGS_BESIDE).contains(&settings) && standings::has_seats(model);
    html! { div.parts[is_narrow] {
        section { (standings::by_setting(model)) }
        section { (standings::by_seat(model)) }
    } }
}

/// Ratings and the crosstable: side by side where both are narrow.
fn strengths(model: &View<'_>) -> Markup {
    let is_narrow = model.published.ratings.is_some()
        && !model.is_alone()
        && model.published.standings.clients.len() <= MOST_BESIDE;
    html! { div.parts[is_narrow].roomy[is_narrow] {
        section { (ratings::section(model)) }
        @if !model.is_alone() { section { (crosstable::section(model)) } }
    } }
}

/// Links to the sections that are there.
fn contents(model: &View<'_>, now: Option<&Now>) -> Markup {
    let is_counted = model.published.standings.matches > 0;
    let is_whole = !model.published.rest_follows && is_counted;
    let all = [
        (
            "result",
            model.t("Result", "Résultat"),
            model.published.standings.pairing.is_some() || model.published.test.is_some(),
        ),
        ("standings", model.t("Standings", "Classement"), is_counted),
        ("faults", model.t("Faults", "Fautes"), now.is_some_and(|now| !now.faults.is_empty())),
        ("ratings", model.t("Ratings", "Cotes"), is_whole && model.published.ratings.is_some()),
        ("crosstable", model.t("Crosstable", "Tableau croisé"), is_whole && !model.is_alone()),
        ("history", model.t("History", "Évolution"), is_whole && history::is_there(model)),
        (
            "by-setting",
            model.t("By setting", "Par réglage"),
            is_counted && has_whole_tables(model) && model.published.standings.by_setting.len() > 1,
        ),
        ("by-seat", model.t("By seat", "Par place"), standings::has_seats(model)),
        ("terms", model.t("How it was played", "Conditions"), true),
        ("data", model.t("Data", "Données"), true),
    ];
    html! { nav.contents aria-label=(model.t("contents", "sommaire")) { @for (id, title, is_there) in all { @if is_there {
        a href=(format!("#{id}")) { (title) } " "
    } } } }
}

/// Whether the tables are short enough for this page.
pub(super) fn has_whole_tables(model: &Model) -> bool {
    model.published.standings.clients.len() <= MOST_WHOLE
}

/// Whether the ratings have a page of their own.
pub(super) fn has_own_ratings(model: &Model) -> bool {
    model.published.ratings.as_ref().is_some_and(|ratings| ratings.clients.len() > MOST_WHOLE)
}

/// Whether the crosstable is a picture.
pub(super) fn has_dots(model: &Model) -> bool {
    model.published.standings.clients.len() > MOST_CELLS && !model.is_alone()
}

/// A client's name as a link to its page, marked if it only sets the scale; `up` leads to the top.
pub(super) fn name(model: &View<'_>, label: &str, up: &str) -> Markup {
    html! {
        @match model.number(label) {
            Some(number) => a href=(format!("{up}client/{}.html", number + 1)) { bdi { (clean(label)) } },
            None => bdi { (clean(label)) },
        }
        @if model.is_staff(label) { " " small { (model.t("(staff)", "(enseignants)")) } }
    }
}

/// The line of a client without its name: how it did in all.
pub(super) fn figures(model: &View<'_>, line: &StandingsRow, up: &str) -> Markup {
    html! {
        td.r.count { (line.matches) } td.r.outcome { (line.wins) } td.r.outcome { (line.draws) } td.r.outcome { (line.losses) } (faults(model, line, up))
    }
}

/// The number of a client's faults, marked where there are any; it leads to the first of them.
pub(super) fn faults(model: &View<'_>, line: &StandingsRow, up: &str) -> Markup {
    let faults: u64 = line.faults.values().sum();
    let first = line.first_fault.as_ref().and_then(Option::as_deref).and_then(|id| Some((id, model.match_path(id)?)));
    html! { td.r.faults[faults > 0] { @match first {
        Some((id, path)) => a href=(format!("{up}{path}")) title=(matches::fault_in_words(model, (id, &line.client))) { (faults) },
        None => (faults),
    } } }
}

fn others(model: &View<'_>) -> Markup {
    let standings = &model.published.standings;
    let lists = [
        (model.t("Refused or too late", "Refusés ou trop tard"), &standings.refused),
        (model.t("Suspended", "Suspendus"), &standings.set_aside),
    ];
    html! {
        @for (title, list) in lists { @if !list.is_empty() {
            h2 { (title) }
            dl { @for one in list { dt { bdi { (clean(&one.client)) } } dd { (clean(&one.why)) } } }
        } }
        @if !standings.void.is_empty() {
            h2 { (model.t("Void, not counted", "Annulées, pas comptées")) }
            dl { @for void in &standings.void { dt { code { (clean(&void.block)) } ", " (void.tries) (model.t(" tries", " essais")) } dd { (clean(&void.cause)) } } }
        }
        @if let Some(weaker) = &standings.weaker_sandbox { p { (clean(weaker)) (model.t(": good for debugging, not for a rating", "\u{a0}: bon pour la mise au point, pas pour une cote")) } }
        @if let Some(turns) = &standings.turns { p { (clean(turns)) } }
    }
}
