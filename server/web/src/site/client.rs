//! The page of a client: how it did in all and on each setting, against whom, and what went wrong.

use super::crosstable::written;
use super::history;
use super::home::{figures, name};
use super::matches;
use super::model::{Score, pair_path};
use super::pair::points;
use super::ratings::whole;
use super::result;
use super::scores;
use super::view::View;
use crate::text::clean;
use agon_model::documents::{ListedMatch, ListedSeat, Mean, StandingsRow};
use agon_playback::kind_text;
use maud::{Markup, html};

/// Matches that are listed of each kind.
const SHOWN: usize = 10;
/// Matches that are listed of the best and of the worst.
const FEW: usize = 5;
/// Where there are this many wins without a fault, those by a fault are left out.
const FEWEST: usize = 3;
/// Opponents that are listed: where there are more, those that are nearest in the standings.
const MOST_OPPONENTS: usize = 150;

/// The whole page.
pub(super) fn page(model: &View<'_>, number: usize) -> String {
    let label = &model.clients[number];
    let line = model.line(number);
    let has_failed = line.is_some_and(|line| !line.faults.is_empty());
    let body = html! {
        @if let Some(line) = line { (all(model, line, "../")) }
        (super::newest(model))
        div.parts {
            // The first question of an author whose client fails is why.
            @if has_failed { (faults(model, number, line)) }
            @if !model.is_alone() { (opponents(model, number)) }
            (by_setting(model, label))
            (history::of_client(model, label))
            @if model.is_alone() { (scores::of_client(model, number)) }
            @else if model.published.standings.seats > 2 { (among_many(model, number)) }
            @else { (extremes(model, number)) }
            (newest(model, number))
        }
    };
    super::frame(model, label, Some("../"), body)
}

/// How a client did in all; `up` leads to the pages of the ladder.
pub(super) fn all(model: &View<'_>, line: &StandingsRow, up: &str) -> Markup {
    let faults: u64 = line.faults.values().sum();
    html! {
        @let outcome = result::outcome(model, &line.client, up);
        div.result {
            @if let Some(outcome) = &outcome { p.headline { (outcome) } }
            p.headline[outcome.is_none()] { @match line.place {
                    Some(place) => { (model.t("Place ", "Rang ")) (place) (model.t(" of ", " sur ")) (model.published.standings.clients.len()) }
                    None => (model.t("(staff)", "(enseignants)")),
                }
                @if let Some(by) = model.published.standings.ranked_by.as_deref() {
                    " " (model.t("with a mean score of", "avec un score moyen de")) " " (model.n(format!("{:.3}", line.score.mean))) (interval(model, &line.score)) ", " (result::better(model, by)) "."
                } @else {
                    (model.t(" with ", " avec ")) (model.n(format!("{:.3}", line.points.mean))) (model.t(" points a match", " points par partie")) (interval(model, &line.points)) "."
                } }
            p { (rating(model, &line.client))
                (model.counted(line.matches, ["match", "matches"], ["partie", "parties"]))
                @if !model.is_alone() {
                    @for (count, title) in [line.wins, line.draws, line.losses].into_iter().zip(model.outcomes()) { " · " (title) " " (count) }
                }
                " · " @if faults > 0 { strong.faults { (model.t("Faults", "Fautes")) " " (faults) } } @else { (model.t("Faults", "Fautes")) " " (faults) }
                @if model.has_own_scores() && !model.is_alone() {
                    (model.t("; mean rank ", "\u{a0}; rang moyen ")) (model.n(format!("{:.2}", line.rank.mean))) (model.t(", mean score ", ", score moyen ")) (model.n(format!("{:.2}", line.score.mean)))
                } }
            (lists(model, &line.client, faults, up))
        }
    }
}

/// `Elo 213 (102 to 324) · `, where there are ratings.
fn rating(model: &View<'_>, label: &str) -> Markup {
    let rated = model
        .published
        .ratings
        .as_ref()
        .and_then(|all| Some((all, all.clients.iter().find(|one| one.client == label)?)));
    let end = |end: Option<f64>| end.map_or_else(|| model.open().to_owned(), whole);
    html! { @if let Some((all, one)) = rated {
        (model.t("Rating", "Cote")) " " strong { (whole(one.rating)) } " (" (end(one.low)) (model.t(" to ", " à ")) (end(one.high)) ", " (clean(&all.scale)) ") · "
    } }
}

/// Ways to all matches of a client, and to those that it lost by a fault.
fn lists(model: &View<'_>, label: &str, faults: u64, up: &str) -> Markup {
    let number = model.published.labels.iter().position(|one| one == label);
    let listed = number.filter(|_| model.published.is_served && !model.published.is_anonymous);
    html! { @if let Some(number) = listed { p {
        a href=(format!("{up}matches/client-{}.html", number + 1)) { (model.t("All matches", "Toutes les parties")) }
        @if faults > 0 { " · " a href=(format!("{up}matches/client-{}.fault-any.html", number + 1)) { (model.t("All matches with a fault", "Toutes celles avec une faute")) } }
    } } }
}

fn interval(model: &View<'_>, mean: &Mean) -> Markup {
    html! { @if let Some((low, high)) = mean.low.zip(mean.high) { (model.t(" (95\u{a0}% interval ", " (intervalle à 95\u{a0}%\u{a0}: ")) (model.n(format!("{low:.3} {} {high:.3}", model.t("to", "à")))) ")" } }
}

/// The titles of `outcome`.
fn titles(model: &View<'_>) -> Markup {
    html! {
        th.r { (model.t("Matches", "Parties")) }
        @if !model.is_alone() { @for title in model.outcomes() { th.r { (title) } } }
        th.r { (model.t("Faults", "Fautes")) }
    }
}

/// Nobody wins where each plays alone.
fn outcome(model: &View<'_>, line: &StandingsRow) -> Markup {
    html! { @if model.is_alone() { td.r { (line.matches) } td.r { (line.faults.values().sum::<u64>()) } } @else { (figures(model, line, "../")) } }
}

fn opponents(model: &View<'_>, number: usize) -> Markup {
    let place = |number: usize| model.line(number).map_or(usize::MAX, |line| line.order());
    let mut met: Vec<(usize, &Score)> =
        model.scores.range((number, 0)..=(number, usize::MAX)).map(|((_, other), score)| (*other, score)).collect();
    let (all, own) = (met.len(), place(number));
    if all > MOST_OPPONENTS {
        met.sort_by_key(|(other, _)| (place(*other).abs_diff(own), *other));
        met.truncate(MOST_OPPONENTS);
    }
    met.sort_by_key(|(other, _)| (place(*other), *other));
    html! { section {
        h2 #met { (model.t("Opponents", "Adversaires")) }
        @if met.len() < all { p { (model.t("The ", "Les ")) (met.len()) (model.t(" that are nearest in the standings, of ", " plus proches au classement, sur ")) (all) "." } }
        div.many tabindex="0" role="region" aria-labelledby="met" { table {
            thead { tr { th.r { "#" } th { "Client" } th.r { "Points" } th.r { abbr title=(model.t("Wins-draws-losses", "Gains-nuls-pertes")) { (model.t("W-D-L", "G-N-P")) } } } }
            tbody { @for (other, score) in met { tr {
                td.r { @if let Some(line) = model.line(other) { (line.shown_place()) } }
                td { (name(model, &model.clients[other], "../")) }
                td.r { (points(model, score[0], score[1])) }
                td.r { @if model.has_pair_pages() { a href=(format!("../{}", pair_path((number, other)))) { (written(score)) } }
                    @else { (written(score)) } }
            } } }
        } }
    } }
}

fn by_setting(model: &View<'_>, label: &str) -> Markup {
    let settings = &model.published.standings.by_setting;
    html! { @if settings.len() > 1 { section {
        h2 #settings { (model.t("By setting", "Par réglage")) }
        div.many tabindex="0" role="region" aria-labelledby="settings" { table.cards.c2 {
            thead { tr { th { (model.t("Setting", "Réglage")) } th.r { @if model.is_alone() { (model.t("Mean score", "Score moyen")) } @else { "Points" } } (titles(model)) } }
            tbody { @for setting in settings { @if let Some(line) = setting.clients.iter().find(|line| line.client == label) { tr {
                td { (clean(&setting.setting)) }
                td.r { (model.n(format!("{:.3}", model.measure(line).mean))) }
                (outcome(model, line))
            } } } }
        } }
    } } }
}

fn own<'a>(found: &'a ListedMatch, label: &str) -> Option<&'a ListedSeat> {
    found.seats.iter().find(|seat| seat.label == label)
}

/// The kind of a client's fault in a match, as the page's reader knows it.
fn fault_of(model: &View<'_>, own: Option<&ListedSeat>) -> String {
    let kind = own.and_then(|seat| seat.fault.as_deref());
    clean(&kind.map_or_else(|| model.t("fault", "faute").to_owned(), |kind| kind_text(kind, model.language)))
}

fn faults(model: &View<'_>, number: usize, line: Option<&StandingsRow>) -> Markup {
    let label = model.clients[number].as_str();
    let is_fault = |found: &&ListedMatch| found.seats.iter().any(|seat| seat.label == label && seat.fault.is_some());
    let found: Vec<&ListedMatch> = model.own_matches(number).filter(is_fault).collect();
    html! { section {
        h2 { (model.t("What went wrong", "Ce qui n’a pas marché")) }
        @if found.is_empty() { p { (model.t("Nothing.", "Rien.")) } } @else {
            @if let Some(line) = line { p { @for (index, (kind, count)) in line.faults.iter().enumerate() {
                @if index > 0 { ", " } (clean(&kind_text(kind, model.language))) " " (count) } (model.t("; notices: ", "\u{a0}; avis\u{a0}: ")) (line.notices) "." } }
            @let kinds = line.map_or(0, |line| line.faults.len());
            ul { @for one in found.iter().rev().take(SHOWN) { li {
                (matches::told(model, one, label, "../"))
                // Where all are of one kind, the line above says it.
                @if kinds != 1 { (model.colon()) (fault_of(model, own(one, label))) }
            } } }
            @if found.len() > SHOWN { p { (model.t("The newest ", "Les plus récentes\u{a0}: ")) (SHOWN) (model.t(" of ", " sur ")) (found.len()) "." } }
        }
    } }
}

/// The matches in which a client came off best and worst among many, by its rank, then by its score.
fn among_many(model: &View<'_>, number: usize) -> Markup {
    let label = &model.clients[number];
    let mut found: Vec<(&ListedSeat, &ListedMatch)> =
        model.own_matches(number).filter_map(|one| Some((own(one, label)?, one))).collect();
    // Whether more or less is better, the score of rank 1 shows.
    let is_low_better = found.iter().any(|(_, one)| {
        let ends = one.seats.iter().min_by_key(|seat| seat.rank).zip(one.seats.iter().max_by_key(|seat| seat.rank));
        ends.is_some_and(|(first, last)| first.score < last.score)
    });
    found.sort_by_key(|(own, one)| (own.rank, if is_low_better { own.score } else { -own.score }, one.id.as_str()));
    let half = found.len().div_ceil(2).min(FEW);
    let (best, worst) = (&found[..half], &found[found.len() - (found.len() - half).min(FEW)..]);
    html! { @for (title, list) in [(model.t("Best matches", "Meilleures parties"), best.to_vec()), (model.t("Worst matches", "Plus mauvaises parties"), worst.iter().rev().copied().collect())] {
        @if !list.is_empty() { section { h2 { (title) } ul { @for (_, one) in list { li { (matches::told(model, one, label, "../")) } } } } }
    } }
}

/// The newest matches of a client.
fn newest(model: &View<'_>, number: usize) -> Markup {
    let label = &model.clients[number];
    let mut found: Vec<&ListedMatch> = model.own_matches(number).collect();
    found.sort_by_key(|one| std::cmp::Reverse(one.started));
    html! { @if !found.is_empty() { section {
        h2 { (model.t("Newest matches", "Les parties les plus récentes")) }
        ul { @for one in found.iter().take(SHOWN) { li { (matches::told(model, one, label, "../")) } } }
    } } }
}

/// Wins over the highest placed, losses to the lowest placed; of several, who is first has won and who is last has lost.
fn extremes(model: &View<'_>, number: usize) -> Markup {
    let label = &model.clients[number];
    let place =
        |label: &str| model.number(label).and_then(|one| model.line(one)).map_or(usize::MAX, |line| line.order());
    let of = |has_won: bool| {
        let mut found: Vec<(bool, usize, &ListedMatch)> = Vec::new();
        for one in model.own_matches(number) {
            let Some(own) = own(one, label) else { continue };
            // A win over one that failed is none of the best, and a loss by a fault is told as one.
            let is_by_fault =
                if has_won { one.seats.iter().any(|seat| seat.fault.is_some()) } else { own.fault.is_some() };
            let is_behind = |seat: &&ListedSeat| {
                seat.label != *label && if has_won { own.rank < seat.rank } else { own.rank > seat.rank }
            };
            let is_level = |seat: &&ListedSeat| seat.label == *label || seat.rank == own.rank;
            if one.seats.iter().any(|seat| !is_behind(&seat) && !is_level(&seat)) {
                continue;
            }
            let others = one.seats.iter().filter(is_behind);
            let places = others.map(|seat| place(&seat.label));
            let place = if has_won { places.min() } else { places.max() };
            found.extend(place.map(|place| (is_by_fault, if has_won { place } else { usize::MAX - place }, one)));
        }
        found.sort_by_key(|(is_by_fault, place, one)| (*is_by_fault, *place, one.id.as_str()));
        let played = found.iter().filter(|(is_by_fault, ..)| !is_by_fault).count();
        found.truncate(if played < FEWEST && has_won { FEW } else { played });
        found.truncate(FEW);
        found
    };
    html! {
        @for (title, has_won) in [(model.t("Best wins", "Meilleures victoires"), true), (model.t("Worst losses", "Pires défaites"), false)] {
            @let found = of(has_won);
            @if !found.is_empty() { section {
                h2 { (title) }
                ul { @for (_, _, one) in found { li { (matches::told(model, one, label, "../")) } } }
            } }
        }
    }
}
