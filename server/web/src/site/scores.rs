//! Scores where each plays alone: how often each one, and the best and the worst matches.

use super::home::name;
use super::matches;
use super::view::View;
use crate::svg::Units;
use crate::text::clean;
use agon_model::documents::{ListedMatch, ListedSeat};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// More different scores tell less than their mean.
const MOST_SCORES: usize = 20;
/// The number of clients in a row, the first of the table.
const MOST_CLIENTS: usize = 6;
/// Matches that are listed of each kind.
const SHOWN: usize = 5;
/// The length of the longest bar.
const LONGEST_BAR: f64 = 120.0;

/// The section of a ladder: the first clients side by side.
pub(super) fn of_ladder(model: &View<'_>) -> Markup {
    let lines = model.published.standings.clients.iter().take(MOST_CLIENTS);
    let numbers: Vec<usize> = lines.filter_map(|line| model.number(&line.client)).collect();
    section(model, &numbers, "")
}

/// The sections of a client.
pub(super) fn of_client(model: &View<'_>, number: usize) -> Markup {
    html! {
        section { (section(model, &[number], "../")) }
        (extremes(model, number))
    }
}

/// How often each score was reached, with a bar.
fn section(model: &View<'_>, numbers: &[usize], up: &str) -> Markup {
    let mut counts: BTreeMap<i64, Vec<u64>> = BTreeMap::new();
    for (at, number) in numbers.iter().enumerate() {
        for seat in model.own_matches(*number).filter_map(|found| own(model, found, *number)) {
            counts.entry(seat.score).or_insert_with(|| vec![0; numbers.len()])[at] += 1;
        }
    }
    let most = counts.values().flatten().copied().max().unwrap_or_default();
    html! { @if !counts.is_empty() && counts.len() <= MOST_SCORES {
        h2 #scores { "Scores" }
        p.soft { (model.t("How many matches ended with each score.", "Nombre de parties pour chaque score.")) }
        div.many tabindex="0" role="region" aria-labelledby="scores" { table {
            thead { tr { th.r { "Score" } @for number in numbers { th { (name(model, &model.clients[*number], up)) } } } }
            tbody { @for (score, counts) in &counts { tr {
                td.r { (score) }
                @for count in counts { td { (bar(*count, most)) } }
            } } }
        } }
    } }
}

/// A count as a bar with its number.
pub(super) fn bar(count: u64, most: u64) -> Markup {
    let length = LONGEST_BAR * count as f64 / most.max(1) as f64;
    html! {
        svg.bar width=(LONGEST_BAR) height="12" viewBox=(format!("0 0 {LONGEST_BAR} 12")) aria-hidden="true" {
            rect.value width=(Units(length)) height="12" {}
        } " " (count)
    }
}

fn own<'a>(model: &View<'_>, found: &'a ListedMatch, number: usize) -> Option<&'a ListedSeat> {
    found.seats.iter().find(|seat| seat.label == model.clients[number])
}

/// The matches with the best and the worst scores.
fn extremes(model: &View<'_>, number: usize) -> Markup {
    let mut found: Vec<(i64, &ListedMatch)> =
        model.own_matches(number).filter_map(|one| Some((own(model, one, number)?.score, one))).collect();
    found.sort_by_key(|(score, one)| (*score, one.id.as_str()));
    if model.published.standings.ranked_by.as_deref() != Some("low score") {
        found.reverse();
    }
    let list = |found: &mut dyn Iterator<Item = &(i64, &ListedMatch)>| {
        html! { ul { @for (score, one) in found.take(SHOWN) { li {
            (matches::told(model, one, &model.clients[number], "../")) (model.colon()) "score" " " strong { (clean(&score.to_string())) }
        } } } }
    };
    html! { @if !found.is_empty() {
        section { h2 { (model.t("Best matches", "Meilleures parties")) } (list(&mut found.iter())) }
        section { h2 { (model.t("Worst matches", "Plus mauvaises parties")) } (list(&mut found.iter().rev())) }
    } }
}
