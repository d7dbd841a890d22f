//! The tables of who stands where in all matches, on each setting and from each seat.

use super::crosstable::written;
use super::home::{faults, figures, has_whole_tables, name};
use super::settings::setting_name;
use super::view::View;
use crate::svg::{Svg, Units};
use crate::text::clean;
use agon_model::documents::{Mean, Standings, StandingsRow};
use maud::{Markup, PreEscaped, html};

/// Width and height of a bar.
const BAR: [f64; 2] = [160.0, 20.0];

/// The columns of a table.
#[derive(Clone, Copy)]
struct Columns {
    /// Points, wins, draws and losses; not where each plays alone.
    points: bool,
    /// Mean rank and mean score, where they say more than points.
    ranks: bool,
    score: bool,
    /// Wins, draws and losses count opponents and not matches.
    counts_opponents: bool,
}

impl Columns {
    fn of(model: &View<'_>) -> Columns {
        let standings = &model.published.standings;
        let is_alone = model.is_alone();
        let several = model.has_own_scores();
        Columns {
            points: !is_alone,
            ranks: several && !is_alone,
            score: several,
            counts_opponents: standings.seats > 2,
        }
    }
}

/// The standings.
pub(super) fn table(model: &View<'_>) -> Markup {
    if !has_whole_tables(model) {
        return long_table(model);
    }
    let columns = Columns::of(model);
    let ladder = &model.published.standings;
    let scale = scale_of(ladder, |line| &line.score, [f64::INFINITY, f64::NEG_INFINITY]);
    // A match may be worth more than a point, or cost one.
    let points = scale_of(ladder, |line| &line.points, [0.0, 1.0]);
    html! {
        h2 #standings { @if ladder.pairing.is_some() { (model.t("Points in all matches", "Points de toutes les parties")) } @else { (model.t("Standings", "Classement")) } }
        p.soft { (basis(model)) (model.t(" Whiskers are 95\u{a0}% intervals.", " Les barres sont des intervalles à 95\u{a0}%."))
            @if columns.counts_opponents { (model.t(" Beaten, level and behind count the opponents of all matches.", " Battus, égaux et devant lui comptent les adversaires de toutes les parties.")) } }
        div.many tabindex="0" role="region" aria-labelledby="standings" { table.cards.c3.places {
            (titles(model, columns, points))
            tbody { @for line in &ladder.clients { tr data-client=[model.number(&line.client)] {
                td.r { button.pick type="button" aria-pressed="false" aria-label=(format!("{} {}", model.t("highlight", "mettre en évidence"), clean(&line.client))) { "◎" } (line.shown_place()) }
                td { (name(model, &line.client, "")) }
                @if columns.points { (estimate(model, line, &line.points, points)) }
                @if columns.ranks { td.r.score { @if line.matches > 0 { (model.n(format!("{:.2}", line.rank.mean))) } } }
                @if columns.score {
                    @if columns.points { td.r.score { @if line.matches > 0 { (model.n(format!("{:.2}", line.score.mean))) } } }
                    @else { (estimate(model, line, &line.score, scale)) }
                }
                @if columns.points { td.tally { (written(&[line.wins, line.draws, line.losses])) } (figures(model, line, "")) }
                @else { td.r.count { (line.matches) } (faults(model, line, "")) }
                @if !model.before.is_empty() { td { (moved(model, line)) } }
            } } }
        } }
    }
}

/// The names of those that take part, which stand there before a result counts.
pub(super) fn entrants(model: &View<'_>, up: &str) -> Markup {
    let clients = &model.published.standings.clients;
    html! {
        h2 #standings { (model.counted(clients.len() as u64, ["client", "clients"], ["client", "clients"])) }
        p.soft { (model.t("Places follow when the first block is played.", "Le classement suit quand le premier bloc est joué.")) }
        ul.entrants { @for line in clients { li { (name(model, &line.client, up)) } " " } }
    }
}

/// The titles of the standings.
fn titles(model: &View<'_>, columns: Columns, points: [f64; 2]) -> Markup {
    html! {
        thead { tr { th.r { "#" } th { "Client" }
            @if columns.points { th.r { "Points" } th.r.more { (model.t("95\u{a0}% interval", "Intervalle à 95\u{a0}%")) } th { (short(points[0])) (model.t(" to ", " à ")) (short(points[1])) } }
            @if columns.ranks { th.r.score { (model.t("Mean rank", "Rang moyen")) } }
            @if columns.score { th.r.score[columns.points] { (model.t("Mean score", "Score moyen")) } @if !columns.points { th.r.more { (model.t("95\u{a0}% interval", "Intervalle à 95\u{a0}%")) } th { (model.t("Interval", "Intervalle")) } } }
            @if columns.points { th.tally { (model.t("W-D-L", "G-N-P")) } }
            th.r.count { (model.t("Matches", "Parties")) }
            @if columns.points { @for title in model.outcomes() { th.r.outcome { (title) } } }
            th.r { (model.t("Faults", "Fautes")) }
            @if !model.before.is_empty() { th { (model.t("Since the report before", "Depuis le rapport précédent")) } } } }
    }
}

/// The ends of an axis that has all means and intervals, and at least these ends.
fn scale_of(standings: &Standings, of: impl Fn(&StandingsRow) -> &Mean, least: [f64; 2]) -> [f64; 2] {
    let means = standings.clients.iter().filter(|line| line.matches > 0).map(of);
    let ends = means.flat_map(|mean| [Some(mean.mean), mean.low, mean.high]).flatten();
    ends.fold(least, |[low, high], end| [low.min(end), high.max(end)])
}

/// `0`, `1`, `2.5`.
fn short(value: f64) -> String {
    format!("{}", (value * 100.0).round() / 100.0 + 0.0)
}

/// By what places are given.
fn basis(model: &View<'_>) -> &'static str {
    match model.published.standings.ranked_by.as_deref() {
        Some("low score") => {
            model.t("The lower the mean score, the better.", "Plus le score moyen est bas, mieux c’est.")
        }
        Some(_) => model.t("The higher the mean score, the better.", "Plus le score moyen est haut, mieux c’est."),
        None => model.t("More points a match stand higher.", "Qui a plus de points par partie est plus haut."),
    }
}

/// A mean, the ends of its interval, and both as a bar.
fn estimate(model: &View<'_>, line: &StandingsRow, mean: &Mean, scale: [f64; 2]) -> Markup {
    html! {
        // Of nothing played there is no mean.
        td.r.measure { @if line.matches > 0 { strong { (model.n(format!("{:.3}", mean.mean))) } } @else { "–" } }
        td.r.more { (ends(model, mean)) }
        td { @if line.matches > 0 { (bar(mean, scale)) } }
    }
}

/// The table where there are many: so much of each line as tells where who stands and how sure that is.
fn long_table(model: &View<'_>) -> Markup {
    let is_alone = model.is_alone();
    html! {
        h2 #standings { (model.t("Standings", "Classement")) }
        div.many tabindex="0" role="region" aria-labelledby="standings" { table.long.cards.c3 {
            thead { tr { th { "#" } th { "Client" } th { @if is_alone { (model.t("Mean score", "Score moyen")) } @else { "Points" } } th { (model.t("95\u{a0}% interval", "Intervalle à 95\u{a0}%")) } th { (model.t("Matches", "Parties")) } th { (model.t("Faults", "Fautes")) } } }
            tbody { @for line in &model.published.standings.clients { @let mean = model.measure(line); tr {
                td { (line.shown_place()) }
                td { (name(model, &line.client, "")) }
                td { (model.n(format!("{:.3}", mean.mean))) }
                td { (ends(model, mean)) }
                td { (line.matches) }
                (faults(model, line, ""))
            } } }
        } }
    }
}

/// The ends of the interval.
fn ends(model: &View<'_>, mean: &Mean) -> String {
    mean.low
        .zip(mean.high)
        .map_or("–".to_owned(), |(low, high)| model.n(format!("{low:.3} {} {high:.3}", model.t("to", "à"))))
}

fn moved(model: &View<'_>, line: &StandingsRow) -> String {
    let Some(place) = line.place else { return String::new() };
    match model.before.get(&line.client) {
        None => model.t("new", "nouveau").to_owned(),
        Some(before) if *before > place => format!("{} {}", model.t("up", "monte de"), before - place),
        Some(before) if *before < place => format!("{} {}", model.t("down", "descend de"), place - before),
        Some(_) => String::new(),
    }
}

/// A value with its whisker between two ends.
pub(super) fn bar(mean: &Mean, [low, high]: [f64; 2]) -> Markup {
    let x = |value: f64| 4.0 + ((value - low) / (high - low).max(1e-9)).clamp(0.0, 1.0) * (BAR[0] - 8.0);
    let mut svg = Svg::default();
    svg.element(
        "line",
        &[("class", &"axis"), ("x1", &"4"), ("x2", &Units(BAR[0] - 4.0)), ("y1", &"10"), ("y2", &"10")],
    );
    if mean.low.is_some() || mean.high.is_some() {
        // An end that the results do not bound is that of the axis.
        let (from, to) = (mean.low.unwrap_or(low), mean.high.unwrap_or(high));
        let ends = format!("M{},5v10M{0},10H{}M{1},5v10", Units(x(from)), Units(x(to)));
        svg.element("path", &[("class", &"whisker"), ("d", &ends)]);
    }
    svg.element("circle", &[("class", &"value"), ("cx", &Units(x(mean.mean))), ("cy", &"10"), ("r", &"4")]);
    html! { svg.bar width=(BAR[0]) height=(BAR[1]) viewBox=(format!("0 0 {} {}", BAR[0], BAR[1])) aria-hidden="true" { (PreEscaped(svg.as_str())) } }
}

/// The results on each setting, if there are several.
pub(super) fn by_setting(model: &View<'_>) -> Markup {
    let settings = &model.published.standings.by_setting;
    if settings.len() < 2 || !has_whole_tables(model) {
        return html! {};
    }
    let is_alone = model.is_alone();
    let cell = |lines: &[StandingsRow], client: &str| {
        let line = lines.iter().find(|line| line.client == client).filter(|line| line.matches > 0)?;
        Some(model.n(format!("{:.3}", model.measure(line).mean)))
    };
    html! {
        h2 #by-setting { (model.t("By setting", "Par réglage")) }
        p.soft { @if is_alone { (model.t("Mean score on each setting.", "Score moyen sur chaque réglage.")) } @else { (model.t("Points a match on each setting.", "Points par partie sur chaque réglage.")) } }
        div.many tabindex="0" role="region" aria-labelledby="by-setting" { table.cards.c2 {
            thead { tr { th.r { "#" } th { "Client" } @for setting in settings { th.r { (setting_name(&setting.setting)) } } } }
            tbody { @for line in &model.published.standings.clients { tr data-client=[model.number(&line.client)] {
                td.r { (line.shown_place()) }
                td { (name(model, &line.client, "")) }
                @for setting in settings { td.r { (cell(&setting.clients, &line.client).unwrap_or("–".to_owned())) } }
            } } }
        } }
    }
}

/// Whether there is anything to tell of seats.
pub(super) fn has_seats(model: &View<'_>) -> bool {
    model.published.standings.by_seat.len() > 1 && model.published.standings.matches > 0
}

/// From which seat was won how often.
pub(super) fn by_seat(model: &View<'_>) -> Markup {
    html! { @if has_seats(model) {
        h2 #by-seat { (model.t("By seat", "Par place")) }
        div.many tabindex="0" role="region" aria-labelledby="by-seat" { table.shares {
            thead { tr { th.r { (model.t("Seat", "Place")) } th.r { (model.t("Won alone", "Gagnées seul")) } th.r { (model.t("Shared", "Partagées")) } th.r { (model.t("Matches", "Parties")) } th { (model.t("Share won", "Part gagnée")) } } }
            tbody { @for (seat, line) in model.published.standings.by_seat.iter().enumerate() { tr {
                td.r { (seat + 1) } td.r { (line.wins) } td.r { (line.shared) } td.r { (line.matches) }
                td { (share(line.wins, line.matches)) }
            } } }
        } }
    } }
}

/// A share as a bar with its number.
fn share(part: u64, whole: u64) -> Markup {
    let percent = if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
    html! {
        svg.bar width="100" height="12" viewBox="0 0 100 12" aria-hidden="true" {
            rect.axis width="100" height="12" fill="none" {} rect.value width=(Units(percent)) height="12" {}
        } " " (clean(&format!("{percent:.0}\u{a0}%")))
    }
}
