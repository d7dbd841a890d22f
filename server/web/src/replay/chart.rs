//! Charts of a match, turn by turn: the time of each move with its limit, and what clients thought of their positions.

use crate::svg::{Svg, Units};
use crate::text::time;
use agon_report::Playback;
use maud::{Markup, PreEscaped, html};
use std::f64::consts::FRAC_PI_2;
use std::fmt::Write;

/// Width and height.
const SIZE: [f64; 2] = [360.0, 100.0];
/// Where turn 0 is.
const LEFT: f64 = 34.0;
/// Room above and below what is drawn.
const EDGE: f64 = 8.0;
/// From this on a value says that the match is decided, as clients write it.
const PROVED: f64 = 9_000.0;

/// Where turn 0 is, and how far it is to the next one.
pub(super) fn turns(playback: &Playback) -> [f64; 2] {
    let step = (SIZE[0] - LEFT - EDGE) / (playback.frames.len() - 1).max(1) as f64;
    [LEFT, (step * 1000.0).round() / 1000.0]
}

fn x(playback: &Playback, turn: usize) -> f64 {
    let [first, step] = turns(playback);
    first + step * turn as f64
}

/// From the bottom at 0 to the top at 1.
fn y(share: f64) -> f64 {
    SIZE[1] - EDGE - share.clamp(0.0, 1.0) * (SIZE[1] - 2.0 * EDGE)
}

/// Time of each move on a logarithmic scale.
pub(super) fn times(playback: &Playback) -> Markup {
    let all = || playback.frames.iter().flat_map(|frame| &frame.moves).filter_map(|made| made.us);
    let Some(most) = all().max() else { return html! {} };
    let top = (most.max(playback.move_limit_us.unwrap_or(0)).max(10) as f64).log10();
    let low = all().min().map_or(0.0, |us| (us.max(1) as f64).log10().floor()).min(top - 1.0);
    let share = |us: u64| ((us.max(1) as f64).log10() - low) / (top - low);
    let mut svg = Svg::default();
    for decade in low as i32..=top as i32 {
        let us = 10_u64.pow(decade.unsigned_abs());
        level(&mut svg, "g", share(us), &round_time(us));
    }
    if let Some(limit) = playback.move_limit_us {
        level(&mut svg, "lim", share(limit), "");
        svg.words("text", &[("x", &Units(SIZE[0] - 24.0)), ("y", &Units(y(share(limit)) + 9.0))], "limit");
    }
    let width = ((SIZE[0] - LEFT) / playback.frames.len() as f64 * 0.7).clamp(0.5, 8.0);
    // Those who move at once stand beside each other.
    let at_once = playback.frames.iter().map(|frame| frame.moves.len()).max().unwrap_or(1).max(1) as f64;
    for seat in 0..playback.seats.len() {
        let aside = if at_once > 1.0 { (seat as f64 - (at_once - 1.0) / 2.0) * width / at_once } else { 0.0 };
        let mut bars = String::new();
        for (turn, frame) in playback.frames.iter().enumerate() {
            for us in frame.moves.iter().filter(|made| made.seat == seat).filter_map(|made| made.us) {
                let (x, top) = (Units(x(playback, turn) + aside), Units(y(share(us).max(0.02))));
                let _ = write!(bars, "M{x},{}V{top}", Units(y(0.0)));
            }
        }
        let class = format!("s{seat}");
        svg.element("path", &[("class", &class), ("d", &bars), ("stroke-width", &Units(width / at_once))]);
    }
    let limit = playback
        .move_limit_us
        .map_or("no limit for a single move".to_owned(), |us| format!("at most {} a move", time(us)));
    figure(
        &svg,
        "time of each move",
        &format!("Time of each move, logarithmic: the longest {}, {limit}. {}", time(most), legend(playback)),
    )
}

/// What clients logged as `value`, squashed so that a decided match does not flatten the rest.
pub(super) fn values(playback: &Playback) -> Markup {
    let logged = |seat: usize| {
        let frames = playback.frames.iter().enumerate();
        frames.flat_map(move |(turn, frame)| {
            frame.logged.iter().filter(move |logged| logged.seat == seat).map(move |logged| (turn, logged))
        })
    };
    let all: Vec<f64> =
        (0..playback.seats.len()).flat_map(logged).filter_map(|(_, logged)| logged.value).map(f64::abs).collect();
    if all.is_empty() {
        return html! {};
    }
    let scale = typical(all);
    let share = |value: f64| 0.5 + (value / scale).atan() / FRAC_PI_2 / 2.0;
    let mut svg = Svg::default();
    level(&mut svg, "g", 0.5, "0");
    level(&mut svg, "g", 1.0, "good");
    level(&mut svg, "g", 0.0, "bad");
    let deepest = (0..playback.seats.len()).flat_map(logged).filter_map(|(_, logged)| logged.depth).fold(0.0, f64::max);
    for seat in 0..playback.seats.len() {
        let class = format!("s{seat}");
        let points =
            logged(seat).filter_map(|(turn, logged)| Some((x(playback, turn), y(share(logged.value?)), logged.value?)));
        let line: String = points
            .clone()
            .enumerate()
            .map(|(index, (x, y, _))| format!("{}{},{}", if index == 0 { 'M' } else { 'L' }, Units(x), Units(y)))
            .collect();
        svg.element("path", &[("class", &class), ("d", &line), ("stroke-width", &"1.5")]);
        if let Some((x, y, _)) = points.clone().find(|(_, _, value)| value.abs() >= PROVED) {
            svg.words(
                "text",
                &[("x", &Units((x + 2.0).min(SIZE[0] - 34.0))), ("y", &Units((y + 10.0).min(SIZE[1] - 2.0)))],
                "proved",
            );
        }
        let depths =
            logged(seat).filter_map(|(turn, logged)| Some((x(playback, turn), y(logged.depth? / deepest.max(1.0)))));
        let dots: String = depths.map(|(x, y)| format!("M{},{}v.1", Units(x), Units(y))).collect();
        if !dots.is_empty() {
            svg.element(
                "path",
                &[
                    ("class", &format!("{class} dot")),
                    ("d", &dots),
                    ("stroke-width", &"3"),
                    ("stroke-linecap", &"round"),
                ],
            );
        }
    }
    let depth = if deepest > 0.0 { format!(" Dots: depth, the top is {deepest}.") } else { String::new() };
    figure(
        &svg,
        "logged values",
        &format!(
            "What each client logged as value, up is good for itself, squashed beyond {}.{depth} {}",
            super::number(scale),
            legend(playback)
        ),
    )
}

/// A scale in which most values are told apart: their median, or 1.
fn typical(mut values: Vec<f64>) -> f64 {
    values.retain(|value| *value > 0.0 && *value < PROVED);
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(1.0)
}

fn legend(playback: &Playback) -> String {
    if playback.seats.len() > 2 {
        return "Seats by their colours; the table below has the figures.".to_owned();
    }
    let names = playback.seats.iter().enumerate().take(2);
    let lines = ["solid line", "broken line"];
    names.map(|(seat, name)| format!("{name}: {}", lines[seat])).collect::<Vec<_>>().join("; ")
}

fn level(svg: &mut Svg, class: &str, share: f64, label: &str) {
    let y = y(share);
    svg.element("line", &[("class", &class), ("x1", &LEFT), ("x2", &SIZE[0]), ("y1", &Units(y)), ("y2", &Units(y))]);
    svg.words("text", &[("x", &"2"), ("y", &Units(y + 3.0))], label);
}

/// `1 ms` for 1000.
fn round_time(us: u64) -> String {
    match us {
        0..1_000 => format!("{us} us"),
        1_000..1_000_000 => format!("{} ms", us / 1_000),
        _ => format!("{} s", us / 1_000_000),
    }
}

fn figure(svg: &Svg, label: &str, caption: &str) -> Markup {
    let view = format!("0 0 {} {}", SIZE[0], SIZE[1]);
    html! {
        figure {
            svg.chart viewBox=(view) role="img" aria-label=(label) {
                (PreEscaped(svg.as_str()))
                line.now x1=(LEFT) x2=(LEFT) y1="0" y2=(SIZE[1]) {}
            }
            figcaption { (crate::text::clean(caption)) }
        }
    }
}
