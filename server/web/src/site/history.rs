//! How the table came about: points after so many matches, as a chart and as an equal table.

use super::home::name;
use super::model::{Course, Model};
use crate::svg::{Svg, Units};
use maud::{Markup, PreEscaped, html};
use std::fmt::Write;

/// So many clients are drawn, the first of the table.
const DRAWN: usize = 8;
/// So many moments the table has.
const COLUMNS: usize = 7;
/// A ladder of fewer matches has no history.
const FEWEST: u64 = 8;
/// The height of a line of text.
const LINE: f64 = 11.0;
/// Width and height.
const SIZE: [f64; 2] = [480.0, 180.0];
/// Where the curves are: left, right, from the top and from below.
const ROOM: [f64; 4] = [36.0, 18.0, 10.0, 20.0];

/// The section of the first page; nothing where there is little to tell.
pub(super) fn section(model: &Model<'_>) -> Markup {
    let Some(history) = model.history.as_ref().filter(|one| one.matches.last() >= Some(&FEWEST)) else {
        return html! {};
    };
    let of = |label: &str| history.clients.iter().find(|one| one.client == label);
    let lines: Vec<&Course> = model.standings.clients.iter().filter_map(|line| of(&line.client)).take(DRAWN).collect();
    let shown = columns(history.matches.len());
    html! {
        h2 #history { "How it came about" }
        p { "Mean points a match after so many matches of the ladder, of the first " (lines.len()) " of the table; "
            a href="history.json" { "history.json" } " has all." }
        figure { svg.chart viewBox=(format!("0 0 {} {}", SIZE[0], SIZE[1])) role="img" aria-label="points by matches played; the table below says the same" {
            g aria-hidden="true" { (PreEscaped(chart(&history.matches, &lines).as_str())) }
        } }
        div.many tabindex="0" role="region" aria-labelledby="history" { table {
            thead { tr { th { "Client" } @for at in &shown { th.r { "After " (history.matches[*at]) } } } }
            tbody { @for (place, line) in lines.iter().enumerate() { tr {
                td { (place + 1) " " (name(model, &line.client, "")) }
                @for at in &shown { td.r { @if let Some(points) = line.points.get(*at).copied().flatten() { (format!("{points:.3}")) } } }
            } } }
        } }
    }
}

/// The moments of the table: evenly spread, the last one among them.
fn columns(moments: usize) -> Vec<usize> {
    let count = moments.min(COLUMNS);
    (1..=count).map(|column| moments * column / count - 1).collect()
}

fn chart(matches: &[u64], lines: &[&Course]) -> Svg {
    let values = || lines.iter().flat_map(|line| line.points.iter().copied().flatten());
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    // Where all are equal there is a line in the middle.
    let (low, high) = if high - low < 1e-3 { (low - 0.5, high + 0.5) } else { (low, high) };
    let last = matches.last().copied().unwrap_or(1) as f64;
    let [left, right, top, below] = ROOM;
    let x = |count: u64| left + (SIZE[0] - left - right) * count as f64 / last;
    let y = |points: f64| SIZE[1] - below - (SIZE[1] - top - below) * (points - low) / (high - low);
    let mut svg = Svg::default();
    for share in [0.0, 0.5, 1.0] {
        let points = low + share * (high - low);
        let height = Units(y(points));
        svg.element(
            "line",
            &[("class", &"g"), ("x1", &left), ("x2", &(SIZE[0] - right)), ("y1", &height), ("y2", &height)],
        );
        svg.words("text", &[("x", &"2"), ("y", &Units(y(points) + 3.0))], &format!("{points:.2}"));
        let count = (share * last).round() as u64;
        let anchor = if share > 0.9 { "end" } else { "start" };
        svg.words(
            "text",
            &[("x", &Units(x(count))), ("y", &Units(SIZE[1] - 4.0)), ("text-anchor", &anchor)],
            &count.to_string(),
        );
    }
    let mut ends = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let points = matches.iter().zip(&line.points).filter_map(|(at, mean)| Some([x(*at), y((*mean)?)]));
        ends.extend(curve(&mut svg, place, points).map(|end| (place, end)));
    }
    places(&mut svg, ends);
    svg
}

/// A curve; where it ends.
fn curve(svg: &mut Svg, place: usize, points: impl Iterator<Item = [f64; 2]>) -> Option<[f64; 2]> {
    let (mut way, mut end) = (String::new(), None);
    for [x, y] in points {
        let _ = write!(way, "{}{},{}", if way.is_empty() { 'M' } else { 'L' }, Units(x), Units(y));
        end = Some([x, y]);
    }
    svg.element("path", &[("class", &format!("s{place}")), ("d", &way), ("stroke-width", &"1.5")]);
    end
}

/// Each curve's place at its end, so that no colour says anything alone; none upon another.
fn places(svg: &mut Svg, mut ends: Vec<(usize, [f64; 2])>) {
    ends.sort_by(|a, b| a.1[1].total_cmp(&b.1[1]));
    let mut above = f64::NEG_INFINITY;
    for (_, [_, y]) in &mut ends {
        *y = y.max(above + LINE);
        above = *y;
    }
    let mut below = SIZE[1];
    for (_, [_, y]) in ends.iter_mut().rev() {
        *y = y.min(below - LINE);
        below = *y;
    }
    for (place, [x, y]) in ends {
        svg.words("text", &[("x", &Units(x + 3.0)), ("y", &Units(y + 3.0))], &(place + 1).to_string());
    }
}
