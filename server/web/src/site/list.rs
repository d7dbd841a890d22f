//! All matches of a ladder, the newest first, so many a page: each page begins with the match that its address names.

use super::matches;
use super::moments::moment;
use super::settings::setting_name;
use super::view::View;
use super::{PageKind, Ways, outline};
use crate::text::clean;
use agon_games::Language;
use agon_model::documents::{ListedMatch, ListedSeat};
use maud::{Markup, html};

/// A part of the list.
#[derive(Clone, Copy, Debug)]
pub struct MatchListPage<'a> {
    /// The ladder's name.
    pub ladder: &'a str,
    /// These matches, the newest last.
    pub matches: &'a [ListedMatch],
    /// Whether there are newer ones.
    pub has_newer: bool,
    /// Whether there are older ones.
    pub has_older: bool,
    /// The match that the search reached, where there may be more before it.
    pub searched_to: Option<&'a str>,
    /// Where the pages of the ladder are, seen from this one.
    pub up: &'a str,
    /// Which matches these are, as the address says it; empty for all.
    pub filter: &'a str,
    /// Whether the longest matches come first instead of the newest.
    pub longest_first: bool,
    /// The same matches in the other order, as the address says it; empty for all.
    pub other_order: &'a str,
    /// The choices of the filter.
    pub choices: &'a [FilterChoice],
    /// Where else to go.
    pub ways: Ways<'a>,
    /// The language of the page.
    pub language: Language,
}

/// One thing by which matches are chosen.
#[derive(Clone, Debug)]
pub struct FilterChoice {
    /// In the address.
    pub key: &'static str,
    /// For people.
    pub title: &'static str,
    /// Values in the address, and what they are called.
    pub options: Vec<(String, String)>,
    /// The value that is chosen; empty for any.
    pub chosen: String,
}

/// The page.
pub fn list_page(page: MatchListPage<'_>) -> String {
    let matches = page.matches;
    let up = page.up;
    let t = |english, french| page.language.pick(english, french);
    let newest = first_page(up, page.filter);
    let begin = if page.filter.is_empty() { String::new() } else { format!("{}.", page.filter) };
    let other_order = first_page(up, page.other_order);
    let sorted = page.longest_first.then_some("descending");
    let steps = html! { p {
        @if page.has_newer { a href=(newest) { (t("The newest", "Les plus récentes")) } " " }
        @if let Some(last) = matches.first().filter(|_| page.has_older) {
            a href=(format!("{up}matches/{begin}{}.html", clean(&last.id))) rel="next" { (t("Older ones", "Plus anciennes")) }
        }
        @if let Some(id) = page.searched_to {
            (t("Searched back to ", "Cherché jusqu’à ")) a href=(format!("{up}match/{}.html", clean(id))) { code { (clean(id)) } } ". "
            a href=(format!("{up}matches/{begin}{}.html", clean(id))) rel="next" { (t("Search on", "Chercher plus loin")) }
        }
    } };
    let has_faults = has_faults(matches);
    let chosen = page.choices.iter().find(|choice| choice.key == "client");
    let chosen = chosen.and_then(|choice| choice.options.iter().find(|(value, _)| *value == choice.chosen));
    let chosen = chosen.map(|(_, label)| label.as_str());
    let body = html! {
        (choices(&page))
        @if page.longest_first { p {
            (t("The longest of the matches searched, at most 50.", "Les plus longues des parties parcourues, 50 au plus.")) " " a href=(other_order) { (t("Newest first", "Les plus récentes d’abord")) }
        } }
        @if matches.is_empty() { p { @if page.searched_to.is_some() { (t("There are none as far as was searched.", "Il n’y en a pas parmi celles déjà parcourues.")) } @else { (t("There are none.", "Il n’y en a pas.")) } } } @else {
            div.many tabindex="0" role="region" aria-label=(t("matches", "parties")) { table.cards.c1.matches {
                thead { tr { th { (t("Match, ✓ marks winners", "Partie, ✓ marque les vainqueurs")) } th { (t("Setting", "Réglage")) } th.r aria-sort=[sorted] { a href=(other_order) { (t("Turns", "Tours")) } } @if has_faults { th { (t("Faults", "Fautes")) } } th { (t("Played", "Joué")) } } }
                tbody { @for found in matches.iter().rev() { (row(found, (up, page.language), has_faults, chosen)) } }
            } }
        }
        (steps)
    };
    let way = page.ways.row(page.language, "Matches");
    let title = format!("{} {}", t("Matches of", "Parties de"), page.ladder);
    outline((PageKind::Server, page.language), &title, up, way, body)
}

/// Whether somebody is at fault in one of these.
fn has_faults(matches: &[ListedMatch]) -> bool {
    matches.iter().flat_map(|found| &found.seats).any(|seat| seat.fault.is_some())
}

/// The list of a folder has matches with this many seats in all, the newest.
const IN_A_FOLDER: usize = 400;

/// The list of a folder: those with a page lead there.
pub(super) fn page_of_folder(model: &View<'_>) -> String {
    let shown = &model.published.matches
        [model.published.matches.len().saturating_sub(IN_A_FOLDER / model.published.standings.seats.max(1))..];
    let has_faults = has_faults(shown);
    let body = html! {
        (super::newest(model))
        @if shown.len() < model.published.matches.len() { p { (model.t("The newest ", "Les plus récentes\u{a0}: ")) (shown.len()) (model.t(" are listed; matches.csv has all.", " sont listées\u{a0}; matches.csv les a toutes.")) } }
        @let with_page = shown.iter().filter(|found| model.published.replays.contains(&found.id)).count();
        @if with_page < shown.len() { p { (with_page) (model.t(" of ", " sur ")) (model.counted(shown.len() as u64, ["match", "matches"], ["partie", "parties"])) (model.t(" have a page here, which their links open.", " ont ici une page, que leurs liens ouvrent.")) } }
        @if shown.is_empty() { p { (model.t("There are none.", "Il n’y en a pas.")) } } @else {
            form.filters.open { label { "Client" select data-only { option value="" { (model.t("all", "tout")) }
                @for (number, label) in model.clients.iter().enumerate() { option value=(number) { (clean(label)) } } } }
                @if with_page < shown.len() { label { "Page" select data-paged { option value="" { (model.t("all", "tout")) } option value="1" { (model.t("with a page", "avec une page")) } } } } }
            div.many tabindex="0" role="region" aria-label=(model.t("matches", "parties")) { table.cards.c1.matches {
                thead { tr { th { (model.t("Match, ✓ marks winners", "Partie, ✓ marque les vainqueurs")) } th { (model.t("Setting", "Réglage")) } th.r { (model.t("Turns", "Tours")) } @if has_faults { th { (model.t("Faults", "Fautes")) } } th { (model.t("Played", "Joué")) } } }
                tbody { @for found in shown.iter().rev() { tr data-of=(numbers(model, found)) data-plain[!model.published.replays.contains(&found.id)] {
                    td.seats { (matches::seats_link(model, found, "", &|_| false)) }
                    td { (setting_name(&found.setting)) }
                    td.r { (found.plies) }
                    @if has_faults { td.faults { (matches::faults(found.seats.iter(), model.language)) } }
                    td { (moment(found.started)) }
                } } }
            } }
        }
    };
    let title = format!("{} {}", model.t("Matches of", "Parties de"), model.published.standings.ladder);
    super::frame(model, &title, Some(""), body)
}

/// The clients of a match by their numbers, for the script that shows those of one client.
fn numbers(model: &View<'_>, found: &ListedMatch) -> String {
    let numbers = found.seats.iter().filter_map(|seat| model.number(&seat.label));
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

/// The page with which a list begins.
fn first_page(up: &str, filter: &str) -> String {
    if filter.is_empty() { format!("{up}matches.html") } else { format!("{up}matches/{filter}.html") }
}

/// Lists to choose from, and a button, since arrow keys pass through the values of a list; the script goes to the page of what is chosen. What leaves no choice is left out.
fn choices(page: &MatchListPage<'_>) -> Markup {
    let t = |english, french| page.language.pick(english, french);
    let order = page.longest_first.then_some("sort-turns");
    let is_chosen = page.choices.iter().any(|choice| !choice.chosen.is_empty());
    html! { form.filters.open[is_chosen] data-up=(page.up) data-order=[order] aria-label=(t("which matches", "quelles parties")) {
        button.fold type="button" aria-expanded=(is_chosen) { (t("Filter", "Filtrer")) }
        @for choice in page.choices.iter().filter(|choice| choice.options.len() > 1) { label { (choice.title)
            select name=(choice.key) {
                option value="" { (t("all", "tout")) }
                @for (value, name) in &choice.options { option value=(value) selected[*value == choice.chosen] { (setting_name(name)) } }
                @if !choice.chosen.is_empty() && choice.options.iter().all(|(value, _)| *value != choice.chosen) {
                    option value=(choice.chosen) selected { (choice.chosen) }
                }
            }
        } }
        button { (t("Show", "Afficher")) }
    } }
}

fn row(found: &ListedMatch, (up, language): (&str, Language), has_faults: bool, chosen: Option<&str>) -> Markup {
    let is_own = |seat: &ListedSeat| Some(seat.label.as_str()) == chosen;
    html! { tr {
        td.seats { a href=(format!("{up}match/{}.html", clean(&found.id))) title=(clean(&found.id)) { (matches::seats(&found.seats, language, &is_own)) } }
        td { (setting_name(&found.setting)) }
        td.r { (found.plies) }
        @if has_faults { td.faults { (matches::faults(found.seats.iter(), language)) } }
        td { (moment(found.started)) }
    } }
}
