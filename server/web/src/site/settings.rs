//! How a ladder was played: each setting with its options and a picture of its board, and the terms, folded.

use super::view::View;
use crate::drawing::Drawing;
use crate::picture::symbols;
use crate::svg::Units;
use crate::text::clean;
use agon_games::Scene;
use maud::{Markup, PreEscaped, html};

/// A setting of a ladder as it is shown.
#[derive(Clone, Debug, Default)]
pub struct ShownSetting {
    /// The name in the ladder.
    pub name: String,
    /// Options with their values, those of one line.
    pub options: Vec<(String, String)>,
    /// The keys of those that are not as the game has them by default.
    pub changed: Vec<String>,
    /// Its board before the first move; `None` where there is none, or where it may tell what is hidden.
    pub start: Option<StartPicture>,
}

/// A board before the first move, with its words in each language.
#[derive(Clone, Debug, Default)]
pub struct StartPicture {
    /// In English.
    pub english: Scene,
    /// In French.
    pub french: Scene,
}

/// The name of a setting for people: that of a map without the end of its file's name.
pub(super) fn setting_name(name: &str) -> String {
    clean(name.strip_suffix(".toml").unwrap_or(name))
}

/// The section of the first page.
pub(super) fn section(model: &View<'_>) -> Markup {
    let standings = &model.published.standings;
    html! {
        h2 #terms { (model.t("How it was played", "Conditions")) }
        p { @match &standings.seed {
            Some(seed) => { (model.t("Seed ", "Graine ")) (clean(seed)) @if standings.seed_drawn { (model.t(", drawn", ", tirée au sort")) } @else { (model.t(", given", ", donnée")) } "." }
            None => (model.t("The seed is shown when the ladder has ended.", "La graine sera affichée à la fin du tournoi.")),
        } }
        @if !model.published.settings.is_empty() { div.pictures { @for setting in &model.published.settings { figure {
            @if let Some(start) = &setting.start { (board(model, &setting.name, model.language.pick(&start.english, &start.french))) }
            figcaption { strong { (setting_name(&setting.name)) }
                @for (key, value) in told(setting) { br; (clean(key)) " " (clean(value)) } }
        } } } }
        details { summary { (model.t("All terms", "Toutes les conditions")) }
            div.many.terms tabindex="0" role="region" aria-label=(model.t("All terms", "Toutes les conditions")) { table { tbody { @for (key, value) in &model.published.terms { tr {
                th scope="row" { (clean(key)) } td { (clean(value)) }
            } } @for setting in &model.published.settings { tr {
                th scope="row" { (model.t("options of ", "options de ")) (setting_name(&setting.name)) }
                td { @for (index, (key, value)) in setting.options.iter().enumerate() { @if index > 0 { ", " } (clean(key)) " " (clean(value)) } }
            } } @for own in &standings.own_times { tr {
                th scope="row" { (model.t("time of ", "temps de ")) bdi { (clean(&own.client)) } } td { (clean(&own.time)) }
            } } } } }
        }
    }
}

/// The options that make a setting what it is and that its name does not have already; the terms have all.
fn told(setting: &ShownSetting) -> impl Iterator<Item = &(String, String)> {
    let is_named = |value: &str| setting.name.split([' ', '=']).any(|word| word == value);
    setting.options.iter().filter(move |(key, value)| setting.changed.contains(key) && !is_named(value))
}

/// A board as a picture.
fn board(model: &View<'_>, name: &str, scene: &Scene) -> Markup {
    let drawing = Drawing::of([scene].into_iter());
    let drawn = drawing.draw(scene);
    html! {
        svg.pic viewBox=(format!("0 0 {} {}", Units(drawing.size[0]), Units(drawing.size[1]))) role="img"
            aria-label=(format!("{} {}", model.t("the board of", "le plateau de"), setting_name(name))) {
            g aria-hidden="true" { (PreEscaped(symbols(drawn.as_str()).as_str())) (PreEscaped(drawn.as_str())) }
        }
    }
}
