//! Strengths with their intervals, and whose order may be chance: a section of the first page, or a page of its own
//! where there are many.

use super::home::{MOST_WHOLE, name};
use super::standings::bar;
use super::view::View;
use crate::text::clean;
use agon_model::documents::{Mean, RatedClient, Ratings};
use maud::{Markup, html};

/// The section of the first page; where there are many clients, a link.
pub(super) fn section(model: &View<'_>) -> Markup {
    html! { @if let Some(ratings) = &model.published.ratings {
        h2 #ratings { (model.t("Ratings", "Cotes")) }
        @if ratings.clients.len() > MOST_WHOLE {
            p { a href="ratings.html" { (model.t("The ratings of all ", "Les cotes de tous\u{a0}: ")) (ratings.clients.len()) " clients" } (model.t(", and whose order may be chance.", ", et dont l’ordre tient peut-être au hasard.")) }
        } @else { (all(model, ratings)) }
    } }
}

/// The page; `None` where there are no ratings.
pub(super) fn page(model: &View<'_>) -> Option<String> {
    let ratings = model.published.ratings.as_ref()?;
    let body = html! { h2 #ratings { (model.t("Ratings", "Cotes")) } (all(model, ratings)) };
    Some(super::frame(
        model,
        &format!("{} – {}", model.t("Ratings", "Cotes"), model.published.standings.ladder),
        Some(""),
        body,
    ))
}

/// A rating to the nearest whole one, without a sign at nought.
pub(super) fn whole(rating: f64) -> String {
    format!("{:.0}", rating.round() + 0.0)
}

fn all(model: &View<'_>, ratings: &Ratings) -> Markup {
    let ends = |rated: &RatedClient| [rated.low.unwrap_or(rated.rating), rated.high.unwrap_or(rated.rating)];
    let low = ratings.clients.iter().map(|rated| ends(rated)[0]).fold(f64::INFINITY, f64::min);
    let high = ratings.clients.iter().map(|rated| ends(rated)[1]).fold(f64::NEG_INFINITY, f64::max);
    let end = |end: Option<f64>| end.map_or(model.open().to_owned(), whole);
    let is_whole = ratings.clients.len() <= MOST_WHOLE;
    let is_open = ratings.clients.iter().any(|rated| rated.low.is_none() || rated.high.is_none());
    let runs = ratings.clients.chunk_by(|above, _| above.may_be_next());
    let runs: Vec<&[RatedClient]> = runs.filter(|run| run.len() > 1).collect();
    html! {
        p { (model.t("Strengths fitted to all results at once, in ", "Forces ajustées à tous les résultats à la fois, en ")) (clean(&ratings.scale)) (model.t(", with 95\u{a0}% intervals.", ", avec intervalles à 95\u{a0}%."))
            @if is_open { (model.t(" An end is ", " Une borne est ")) (model.open()) (model.t(" where no result bounds it, as of one who never lost.", " si aucun résultat ne la limite, comme pour qui n’a jamais perdu.")) } }
        div.many tabindex="0" role="region" aria-labelledby="ratings" { table.rated.cards.c2 {
            thead { tr { th { "Client" } th { (model.t("Rating", "Cote")) } th { (model.t("From", "De")) } th { (model.t("To", "À")) } @if is_whole { th { (model.t("Interval", "Intervalle")) } } th.count { (model.t("Matches", "Parties")) } } }
            tbody { @for rated in &ratings.clients { tr data-client=[model.number(&rated.client)] {
                td { (name(model, &rated.client, "")) }
                td { (whole(rated.rating)) }
                td.low { (end(rated.low)) }
                td.high { (end(rated.high)) }
                @if is_whole { td { (bar(&Mean { mean: rated.rating, low: rated.low, high: rated.high, ..Mean::default() }, [low, high])) } }
                td.count { (rated.matches) }
            } } }
        } }
        @if runs.iter().any(|run| run.len() == ratings.clients.len()) {
            p { (model.t("No two neighbours differ significantly.", "Aucune différence entre deux voisins n’est significative.")) }
        } @else if !runs.is_empty() {
            p { (model.t("Differences between these neighbours are not significant:", "Les différences entre ces voisins ne sont pas significatives\u{a0}:")) }
            ul { @for run in &runs { li {
                @for (index, rated) in run.iter().enumerate() { @if index > 0 { ", " } bdi { (clean(&rated.client)) } }
            } } }
        }
        @if ratings.groups.len() > 1 {
            p { (model.t("No result connects these groups, and ratings of different ones cannot be compared: ", "Aucun résultat ne relie ces groupes, et leurs cotes ne se comparent pas\u{a0}: "))
                @for (index, group) in ratings.groups.iter().enumerate() {
                    @if index > 0 { (model.language.pick("; ", "\u{a0}; ")) }
                    @for (index, label) in group.iter().enumerate() {
                        @if index > 0 { ", " } bdi { (clean(label)) } } } "." }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn nought_has_no_sign() {
        assert_eq!([-0.3, -0.0, 0.4, -0.6, 721.5].map(whole), ["0", "0", "0", "-1", "722"]);
    }
}
