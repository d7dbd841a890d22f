//! The first page: who stands where and how sure that is, who fared how against whom, how it was played.

use super::model::{Drawn, Line, Mean, Model, Score, pair_path};
use super::now::{self, Now};
use super::ratings;
use crate::svg::{Svg, Units};
use crate::text::clean;
use maud::{Markup, PreEscaped, html};

/// Up to so many clients a crosstable has cells; beyond, it is a picture.
const MOST_CELLS: usize = 64;
/// Up to so many clients the tables have all columns and stand on this page.
pub(super) const MOST_WHOLE: usize = 200;
/// What is said where a large ladder is shown first.
const REST_FOLLOWS: &str = "These are the standings. Ratings, who fared how against whom and how the table came about \
                            are being made, and follow here by themselves.";
/// Width and height of a bar.
const BAR: [f64; 2] = [160.0, 20.0];

/// The whole page.
pub(super) fn page(model: &Model<'_>, now: Option<&Now>) -> String {
    let standings = &model.standings;
    let body = html! {
        @if let Some(now) = now { (now::progress(now)) (now::boards(now)) }
        p { (clean(&standings.game)) ", " (standings.seats) " seats: " (standings.matches) " matches in " (standings.blocks)
            " blocks. Who has more points a match stands higher. The whiskers are 95 % intervals."
            @if model.published.hand_ins.is_some() && !model.published.has_teams { " " a href="hand-ins.html" { "All hand-ins" } "." } }
        @if model.published.rest_follows { p role="status" { (REST_FOLLOWS) } }
        (table(model))
        @if let Some(now) = now { (now::news(model, now)) }
        @if !model.published.rest_follows {
            (ratings::section(model))
            (super::history::section(model))
            (crosstable(model))
        }
        @if let Some(drawn) = &standings.drawn { (stages(model, drawn)) }
        (others(model))
        (settings(model))
        @if is_whole(model) {
            h2 { "The table as text" }
            pre tabindex="0" { (clean(&model.published.text)) }
        }
        h2 { "For programs" }
        p { a href="standings.json" { "standings.json" } " · " a href="matches.csv" { "matches.csv" }
            @if model.ratings.is_some() { " · " a href="ratings.json" { "ratings.json" } }
            @if model.history.is_some() { " · " a href="history.json" { "history.json" } } }
    };
    super::frame(model, &format!("Ladder {}", standings.ladder), None, body)
}

/// Whether the tables are short enough for this page.
fn is_whole(model: &Model<'_>) -> bool {
    model.standings.clients.len() <= MOST_WHOLE
}

/// Whether the ratings have a page of their own.
pub(super) fn has_own_ratings(model: &Model<'_>) -> bool {
    model.ratings.as_ref().is_some_and(|ratings| ratings.clients.len() > MOST_WHOLE)
}

/// Whether the crosstable is a picture.
pub(super) fn has_dots(model: &Model<'_>) -> bool {
    model.standings.clients.len() > MOST_CELLS
}

/// A client's name as a link to its page, marked if it only sets the scale; `up` leads to the top.
pub(super) fn name(model: &Model<'_>, label: &str, up: &str) -> Markup {
    html! {
        @match model.number(label) {
            Some(number) => a href=(format!("{up}client/{}.html", number + 1)) { bdi { (clean(label)) } },
            None => bdi { (clean(label)) },
        }
        @if model.is_staff(label) { " " small { "(staff)" } }
    }
}

/// The line of a client without its name: how it did in all.
pub(super) fn figures(line: &Line) -> Markup {
    let faults: u64 = line.faults.values().sum();
    html! {
        td.r { (line.matches) } td.r { (line.wins) } td.r { (line.draws) } td.r { (line.losses) } td.r { (faults) }
    }
}

fn table(model: &Model<'_>) -> Markup {
    if !is_whole(model) {
        return long_table(model);
    }
    html! {
        h2 #standings { "Standings" }
        div.many tabindex="0" role="region" aria-labelledby="standings" { table {
            thead { tr { th.r { "#" } th { "Client" } th.r { "Points" } th.r { "95 % interval" } th { "Points, 0 to 1" } th.r { "Matches" }
                th.r { "Won" } th.r { "Drawn" } th.r { "Lost" } th.r { "Faults" } th { "First fault" }
                @if !model.before.is_empty() { th { "Since the report before" } } } }
            tbody { @for line in &model.standings.clients { tr {
                td.r { (line.place) }
                td { (name(model, &line.client, "")) }
                // Of nothing played there is no mean.
                td.r { @if line.matches > 0 { strong { (format!("{:.3}", line.points.mean)) } } @else { "–" } }
                td.r { (ends(&line.points)) }
                td { @if line.matches > 0 { (bar(&line.points, [0.0, 1.0])) } }
                (figures(line))
                td { @if let Some(id) = &line.first_fault { (match_link(model, id, "")) } }
                @if !model.before.is_empty() { td { (moved(model, line)) } }
            } } }
        } }
    }
}

/// A match by its id: a link where it has a page.
pub(super) fn match_link(model: &Model<'_>, id: &str, up: &str) -> Markup {
    html! { @match model.match_path(id) {
        Some(path) => a href=(format!("{up}{path}")) { code { (clean(id)) } },
        None => code { (clean(id)) },
    } }
}

/// The table where there are many: so much of each line as tells where who stands and how sure that is.
fn long_table(model: &Model<'_>) -> Markup {
    html! {
        h2 #standings { "Standings" }
        div.many tabindex="0" role="region" aria-labelledby="standings" { table.long {
            thead { tr { th { "#" } th { "Client" } th { "Points" } th { "95 % interval" } th { "Matches" } th { "Faults" } } }
            tbody { @for line in &model.standings.clients { tr {
                td { (line.place) }
                td { (name(model, &line.client, "")) }
                td { (format!("{:.3}", line.points.mean)) }
                td { (ends(&line.points)) }
                td { (line.matches) }
                td { (line.faults.values().sum::<u64>()) }
            } } }
        } }
    }
}

/// The ends of the interval.
fn ends(mean: &Mean) -> String {
    mean.low.zip(mean.high).map_or("–".to_owned(), |(low, high)| format!("{low:.3} to {high:.3}"))
}

fn moved(model: &Model<'_>, line: &Line) -> String {
    match model.before.get(&line.client) {
        None => "new".to_owned(),
        Some(before) if *before > line.place => format!("up {}", before - line.place),
        Some(before) if *before < line.place => format!("down {}", line.place - before),
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

fn crosstable(model: &Model<'_>) -> Markup {
    let order: Vec<usize> = model.order().collect();
    html! {
        h2 #crosstable { "Who fared how against whom" }
        @if has_dots(model) {
            p { "There are " (order.len()) " clients: " a href="crosstable.html" { "a picture" } " has all of them, and the page of each
                its opponents." }
        } @else {
            p { "Wins-draws-losses of the client of the row: bold where it won more, shaded where it lost more. A cell leads to the
                matches of the two." }
            div.many tabindex="0" role="region" aria-labelledby="crosstable" { table.cross {
                thead { tr { th { "Client" } @for place in 1..=order.len() { th.r { (place) } } } }
                tbody { @for (place, one) in order.iter().enumerate() { tr {
                    th scope="row" { (place + 1) " " (name(model, &model.clients[*one], "")) }
                    @for other in &order { (cell(model, *one, *other)) }
                } } }
            } }
        }
    }
}

/// Who won more is shown by weight, who lost more by shade, and both are said by the figures.
fn cell(model: &Model<'_>, one: usize, other: usize) -> Markup {
    let Some(score) = model.scores.get(&(one, other)) else {
        return html! { td { @if one == other { "x" } @else { "–" } } };
    };
    let (has_won, has_lost) = (score[0] > score[2], score[0] < score[2]);
    html! { td.l[has_lost] { a href=(pair_path((one, other))) { @if has_won { b { (written(score)) } } @else { (written(score)) } } } }
}

/// `3-0-1`.
pub(super) fn written([wins, draws, losses]: &Score) -> String {
    format!("{wins}-{draws}-{losses}")
}

/// Rounds of a Swiss, or the bracket of a knockout, as they were drawn.
fn stages(model: &Model<'_>, drawn: &Drawn) -> Markup {
    html! {
        h2 { "Drawn from results: " (clean(&drawn.system)) }
        div.stages { @for stage in &drawn.stages { section {
            h3 { (clean(&stage.kind)) " " (stage.round) }
            table { tbody { @for (index, meeting) in stage.meetings.iter().enumerate() {
                @for (seat, label) in meeting.iter().enumerate() { tr class=[(seat == 0).then_some("first")] {
                    td { (name(model, label, "")) @if meeting.len() == 1 { " (bye)" } }
                    td.r { @if let Some(points) = stage.points.as_ref().and_then(|points| points.get(index)?.get(seat)) { (points) } }
                } }
            } } }
        } } }
    }
}

fn others(model: &Model<'_>) -> Markup {
    let standings = &model.standings;
    let lists = [("Refused by admission", &standings.refused), ("Set aside", &standings.set_aside)];
    html! {
        @for (title, list) in lists { @if !list.is_empty() {
            h2 { (title) }
            dl { @for one in list { dt { bdi { (clean(&one.client)) } } dd { (clean(&one.why)) } } }
        } }
        @if !standings.void.is_empty() {
            h2 { "Void, not counted" }
            dl { @for void in &standings.void { dt { code { (clean(&void.block)) } ", " (void.tries) " tries" } dd { (clean(&void.cause)) } } }
        }
        @if let Some(weaker) = &standings.weaker_sandbox { p { (clean(weaker)) ": good for debugging, not for a rating" } }
        @if let Some(turns) = &standings.turns { p { (clean(turns)) } }
    }
}

fn settings(model: &Model<'_>) -> Markup {
    let standings = &model.standings;
    html! {
        h2 { "How it was played" }
        p { "Seed " (clean(&standings.seed)) @if standings.seed_drawn { ", drawn" } @else { ", given" } "." }
        div.many.terms tabindex="0" role="region" aria-label="terms" { table { tbody { @for (key, value) in &model.published.terms { tr {
            th scope="row" { (clean(key)) } td { (clean(value)) }
        } } @for own in &standings.own_times { tr {
            th scope="row" { "time of " bdi { (clean(&own.client)) } } td { (clean(&own.time)) }
        } } } } }
    }
}
