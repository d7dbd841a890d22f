//! The results of clients against each other: a row and a column for each client, or a link to a picture if there are
//! many.

use super::home::{has_dots, name};
use super::model::{Score, pair_path};
use super::view::View;
use crate::text::clean;
use maud::{Markup, html};

/// The section of the first page.
pub(super) fn section(model: &View<'_>) -> Markup {
    let order: Vec<usize> = model.order().collect();
    html! {
        h2 #crosstable { (model.t("Crosstable", "Tableau croisé")) }
        @if has_dots(model) {
            p { (model.t("There are ", "Il y a ")) (order.len()) (model.t(" clients: ", " clients\u{a0}: ")) a href="crosstable.html" { (model.t("a picture", "une image")) } (model.t(" has all of them, and the page of each its opponents.", " les montre tous, et la page de chacun ses adversaires.")) }
        } @else {
            p.soft { (model.t("Wins-draws-losses of the client of the row: bold where it won more, shaded where it lost more. A cell leads to the matches of the two.", "Gains-nuls-pertes du client de la ligne\u{a0}: en gras s’il a gagné plus, ombré s’il a perdu plus. Une case mène aux parties des deux.")) }
            div.many tabindex="0" role="region" aria-labelledby="crosstable" { table.cross {
                thead { tr { th { "Client" } @for one in &order { th.down data-client=(one) { span { (clean(&model.clients[*one])) } } } } }
                tbody { @for one in &order { tr data-client=(one) {
                    th scope="row" { (place(model, *one)) " " (name(model, &model.clients[*one], "")) }
                    @for other in &order { (cell(model, *one, *other)) }
                } } }
            } }
        }
    }
}

/// The place in the standings, which several may share.
fn place(model: &View<'_>, number: usize) -> String {
    model.line(number).map_or(String::new(), |line| line.shown_place())
}

/// Weight shows who won more, shade who lost more; the figures show both.
fn cell(model: &View<'_>, one: usize, other: usize) -> Markup {
    let Some(score) = model.scores.get(&(one, other)) else {
        return html! { td.own[one == other] { @if one == other { "×" } @else { "–" } } };
    };
    let (has_won, has_lost) = (score[0] > score[2], score[0] < score[2]);
    html! { td.l[has_lost].w[has_won] { a href=(pair_path((one, other))) { @if has_won { b { (written(score)) } } @else { (written(score)) } } } }
}

/// `3-0-1`.
pub(super) fn written([wins, draws, losses]: &Score) -> String {
    format!("{wins}-{draws}-{losses}")
}
