//! The page of two clients: how they fared on each setting and from each seat, and all matches in which both sat, those
//! of a block together.

use super::crosstable::written;
use super::home::name;
use super::matches;
use super::model::Score;
use super::moments::moment;
use super::settings::setting_name;
use super::view::View;
use agon_model::documents::{ListedMatch, ListedSeat};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The most matches on a page that a server sends.
const SHOWN: usize = 200;

/// The two of a page.
#[derive(Clone, Copy)]
struct PairPage<'a> {
    one: &'a str,
    other: &'a str,
}

impl PairPage<'_> {
    fn has(self, seat: &ListedSeat) -> bool {
        seat.label == self.one || seat.label == self.other
    }
}

/// The whole page.
pub(super) fn page(model: &View<'_>, pair: (usize, usize)) -> String {
    let [one, other] = [pair.0, pair.1].map(|number| model.clients[number].as_str());
    let two = PairPage { one, other };
    let has_other = |found: &&ListedMatch| found.seats.iter().any(|seat| seat.label == other);
    let found: Vec<&ListedMatch> = model.own_matches(pair.0).filter(has_other).collect();
    let score = model.scores.get(&pair).copied().unwrap_or_default();
    let shown = &found[if model.published.is_served { found.len().saturating_sub(SHOWN) } else { 0 }..];
    let body = html! {
        div.result {
            p.headline { (name(model, one, "../")) " " strong { (points(model, score[0], score[1])) " : " (points(model, score[2], score[1])) } " " (name(model, other, "../")) }
            p.soft { (model.t("Wins-draws-losses", "Gains-nuls-pertes")) " " (written(&score)) (model.t(" in ", " en ")) (model.counted(score.iter().sum(), ["match", "matches"], ["partie", "parties"])) }
        }
        (splits(model, two, &found, score))
        h2 #matches { (model.t("Matches", "Parties")) }
        p.soft { (model.t("Matches of one block, from each seat, stand together.", "Les parties d’un bloc, de chaque place, se suivent.")) }
        (super::newest(model))
        @if shown.len() < found.len() { p { (model.t("The newest ", "Les plus récentes\u{a0}: ")) (shown.len()) (model.t(" are listed; matches.csv has all.", " sont listées\u{a0}; matches.csv les a toutes.")) } }
        (list(model, two, shown))
    };
    super::frame(model, &format!("{one} {} {other}", model.t("against", "contre")), Some("../"), body)
}

/// A win counts one and a draw one half.
pub(super) fn points(model: &View<'_>, wins: u64, draws: u64) -> String {
    model.n(wins as f64 + draws as f64 / 2.0)
}

/// The results of the first of the two, by the name of a part of the matches.
type Split = BTreeMap<String, Score>;

/// Results on each setting and from each seat of the first; nothing where the matches that are listed are not all.
fn splits(model: &View<'_>, two: PairPage<'_>, found: &[&ListedMatch], all: Score) -> Markup {
    let (mut by_setting, mut by_seat) = (Split::new(), Split::new());
    let mut counted = [0; 3];
    for found in found {
        let own = found.seats.iter().enumerate().filter(|(_, seat)| seat.label == two.one);
        for (seat, own) in own {
            for other in found.seats.iter().filter(|seat| seat.label == two.other) {
                let outcome = usize::from(own.rank >= other.rank) + usize::from(own.rank > other.rank);
                let seat = format!("{} {}", model.t("seat", "place"), seat + 1);
                by_setting.entry(setting_name(&found.setting)).or_default()[outcome] += 1;
                by_seat.entry(seat).or_default()[outcome] += 1;
                counted[outcome] += 1;
            }
        }
    }
    let seats = found.first().map_or(0, |found| found.seats.len());
    let parts = [
        (model.t("By setting", "Par réglage"), by_setting),
        (model.t("By seat", "Par place"), if seats == 2 { by_seat } else { Split::new() }),
    ];
    html! { @if counted == all && parts.iter().any(|(_, split)| split.len() > 1) { div.parts.small {
        @for (number, (title, split)) in parts.iter().enumerate() { @if split.len() > 1 { section {
            @let id = format!("split{number}");
            @let part_title = if number == 0 { model.t("Setting", "Réglage") } else { model.t("Seat", "Place") };
            h2 id=(id) { (title) }
            div.many tabindex="0" role="region" aria-labelledby=(id) { table {
                thead { tr { th { (part_title) } th.r { "Points" } th.r { abbr title=(model.t("Wins-draws-losses", "Gains-nuls-pertes")) { (model.t("W-D-L", "G-N-P")) } } } }
                tbody { @for (part, score) in split { tr {
                    td { (part) }
                    td.r { (points(model, score[0], score[1])) (model.t(" of ", " sur ")) (score.iter().sum::<u64>()) }
                    td.r { (written(score)) }
                } } }
            } }
        } } }
    } } }
}

fn list(model: &View<'_>, two: PairPage<'_>, shown: &[&ListedMatch]) -> Markup {
    let has_many = model.published.standings.seats > 2;
    let has_faults = shown.iter().flat_map(|found| &found.seats).any(|seat| two.has(seat) && seat.fault.is_some());
    let has_times = shown.iter().any(|found| found.started > 0);
    html! {
        div.many tabindex="0" role="region" aria-labelledby="matches" { table.cards.c1.matches[!has_many] {
            thead { tr { th { @if has_many { (model.t("Match", "Partie")) } @else { (model.t("Match, ✓ marks winners", "Partie, ✓ marque les vainqueurs")) } }
                @if has_many { th { (name(model, two.one, "../")) } th { (name(model, two.other, "../")) } }
                @else if model.has_own_scores() { th.r { "Scores" } }
                th { (model.t("Setting", "Réglage")) } th.r { (model.t("Turns", "Tours")) } @if has_faults { th { (model.t("Faults", "Fautes")) } } @if has_times { th { (model.t("Played", "Joué")) } } } }
            tbody { @for block in shown.chunk_by(|a, b| block(a) == block(b)) { @for (index, found) in block.iter().enumerate() {
                tr class=[(index == 0).then_some("first")] {
                    @if has_many { (of_two(model, two, found)) } @else {
                        td.seats { (matches::seats_link(model, found, "../", &|_| false)) }
                        @if model.has_own_scores() { td.r { (found.seats.iter().map(|seat| seat.score.to_string()).collect::<Vec<_>>().join(" – ")) } }
                    }
                    td { (setting_name(&found.setting)) }
                    td.r { (found.plies) }
                    @if has_faults { td.faults { (matches::faults(found.seats.iter().filter(|seat| two.has(seat)), model.language)) } }
                    @if has_times { td { (moment(found.started)) } }
                }
            } } }
        } }
    }
}

/// How these two did among many: their seats, ranks and scores. The one that came out ahead is marked.
fn of_two(model: &View<'_>, two: PairPage<'_>, found: &ListedMatch) -> Markup {
    let numbers =
        found.seats.iter().enumerate().filter(|(_, seat)| two.has(seat)).map(|(seat, _)| (seat + 1).to_string());
    let numbers = numbers.collect::<Vec<_>>().join(" – ");
    let best = |label: &str| found.seats.iter().filter(|seat| seat.label == label).map(|seat| seat.rank).min();
    let cell = |label: &str, against: &str| {
        html! { td { @for (index, seat) in found.seats.iter().filter(|seat| seat.label == label).enumerate() {
            @let place = html! { (matches::place(model, found, seat)) };
            @if index > 0 { "; " }
            @if Some(seat.rank) < best(against) { (matches::won(place, model.language)) } @else { (place) }
            ", " "score" " " (seat.score)
        } } }
    };
    html! {
        td { (matches::link(model, &found.id, "../", html! { (model.t("seats", "places")) " " (numbers) })) }
        (cell(two.one, two.other)) (cell(two.other, two.one))
    }
}

/// The block of a match: its id without the letter.
fn block(found: &ListedMatch) -> &str {
    found.id.split('-').next().unwrap_or(&found.id)
}
