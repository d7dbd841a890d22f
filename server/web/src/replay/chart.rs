//! Charts of a match, turn by turn: the time of each move with its limit, and what clients thought of their positions.

use crate::svg::{Svg, Units};
use crate::text::time;
use agon_playback::{Logged, Playback, ValueScale, value_text};
use maud::{Markup, PreEscaped, html};
use std::fmt::Write;

/// The greatest width, and the height.
pub(super) const SIZE: [f64; 2] = [360.0, 100.0];
/// Where turn 0 is.
const LEFT: f64 = 50.0;
/// Room around what is drawn.
const EDGE: f64 = 8.0;
/// Where turn 0 is, and how far it is to the next one: whole units where there are few turns.
pub(super) fn turns(playback: &Playback) -> [f64; 2] {
    let step = (SIZE[0] - LEFT - EDGE) / last(playback);
    [LEFT, if step < 8.0 { (step * 1000.0).round() / 1000.0 } else { step.floor() }]
}

fn last(playback: &Playback) -> f64 {
    (playback.frames.len() - 1).max(1) as f64
}

/// Where the last turn is, and some room.
pub(super) fn width(playback: &Playback) -> f64 {
    let [first, step] = turns(playback);
    (first + step * last(playback) + EDGE).round()
}

pub(super) fn x(playback: &Playback, turn: usize) -> f64 {
    let [first, step] = turns(playback);
    first + step * turn as f64
}

/// From the bottom at 0 to the top at 1.
pub(super) fn y(share: f64) -> f64 {
    SIZE[1] - EDGE - share.clamp(0.0, 1.0) * (SIZE[1] - 2.0 * EDGE)
}

/// The times of more seats are not told apart.
const MOST_APART: usize = 4;
/// A match of fewer turns has no chart of its times.
const FEWEST_TURNS: usize = 3;
/// The class of the bar of a fault.
const BROKEN: &str = "broken-bar";

/// The room for a word above the limit, of the height of the scale.
const WORD: f64 = 0.14;

/// The logarithmic scale of the times of moves.
struct AxisScale {
    /// The longest of all, microseconds.
    most: u64,
    /// The decades at the bottom and at the top.
    ends: [f64; 2],
}

impl AxisScale {
    fn of(playback: &Playback) -> Option<AxisScale> {
        let all = || playback.frames.iter().flat_map(|frame| &frame.moves).filter_map(|made| made.us);
        let most = all().max()?;
        let top = (most.max(playback.move_limit_us.unwrap_or(0)).max(10) as f64).log10();
        // The word of the limit stands above its line, where no bar is.
        let low = all().min().map_or(0.0, |us| (us.max(1) as f64).log10().floor()).min(top - 1.0);
        let above = if playback.move_limit_us.is_some() { WORD * (top - low) } else { 0.0 };
        Some(AxisScale { most, ends: [low, top + above] })
    }

    fn share(&self, us: u64) -> f64 {
        let [low, top] = self.ends;
        ((us.max(1) as f64).log10() - low) / (top - low)
    }

    /// A line a decade, and one for the limit.
    fn draw(&self, svg: &mut Svg, width: f64, limit_us: Option<u64>) {
        let decades = (self.ends[0] as i32..=self.ends[1] as i32).map(|decade| 10_u64.pow(decade.unsigned_abs()));
        let decades: Vec<(f64, String)> = decades.map(|us| (self.share(us), round_time(us))).collect();
        levels(svg, "scale", width, &decades);
        if let Some(limit) = limit_us {
            levels(svg, "limit", width, &[(self.share(limit), String::new())]);
        }
    }

    /// The word of the limit, above its line.
    fn name(&self, svg: &mut Svg, (limit_us, name): (Option<u64>, &str)) {
        if let Some(limit) = limit_us {
            svg.words("text", &[("x", &Units(LEFT + 3.0)), ("y", &Units(y(self.share(limit)) - 2.5))], name);
        }
    }
}

/// Time of each move on a logarithmic scale.
pub(super) fn times(playback: &Playback) -> Markup {
    // The list of moves says more of a few turns.
    let Some(scale) = AxisScale::of(playback).filter(|_| playback.frames.len() > FEWEST_TURNS) else { return html! {} };
    let mut svg = Svg::default();
    let t = |english, french| playback.language.pick(english, french);
    scale.draw(&mut svg, width(playback), playback.move_limit_us);
    let has_many = playback.seats.len() > MOST_APART;
    if has_many {
        longest(&mut svg, playback, &scale);
    }
    for seat in 0..playback.seats.len() {
        if !has_many {
            bars(&mut svg, playback, &scale, (seat, false));
        }
        bars(&mut svg, playback, &scale, (seat, true));
    }
    scale.name(&mut svg, (playback.move_limit_us, t("limit", "limite")));
    figure(&svg, width(playback), t("time of each move", "temps de chaque coup"), &times_caption(playback, scale.most))
}

/// The longest time, the limit, and whose bars these are.
fn times_caption(playback: &Playback, most: u64) -> String {
    let t = |english, french| playback.language.pick(english, french);
    let limit =
        playback.move_limit_us.map_or(t("no limit for a single move", "pas de limite par coup").to_owned(), |us| {
            format!("{} {} {}", t("at most", "au plus"), time(us), t("a move", "par coup"))
        });
    let most = time(most);
    if playback.seats.len() > MOST_APART {
        let longest = t(
            "Longest move of each turn, logarithmic: the longest",
            "Coup le plus long de chaque tour, échelle logarithmique : le plus long",
        );
        return format!("{longest} {most}, {limit}.");
    }
    let each =
        t("Time of each move, logarithmic: the longest", "Temps de chaque coup, échelle logarithmique : le plus long");
    format!("{each} {most}, {limit}. {}", legend(playback))
}

/// The longest time of each turn, whoever needed it.
fn longest(svg: &mut Svg, playback: &Playback, scale: &AxisScale) {
    let width = (turns(playback)[1] * 0.7).clamp(0.5, 8.0);
    let mut bars = String::new();
    for (turn, frame) in playback.frames.iter().enumerate() {
        let own = frame.moves.iter().filter(|made| made.fault.is_none());
        if let Some(us) = own.filter_map(|made| made.us).max() {
            let (x, top) = (Units(x(playback, turn)), Units(y(scale.share(us).max(0.02)).round()));
            let _ = write!(bars, "M{x},{}V{top}", Units(y(0.0)));
        }
    }
    if !bars.is_empty() {
        svg.element("path", &[("class", &"line"), ("d", &bars), ("stroke-width", &Units(width))]);
    }
}

/// The times of one seat, either those of its moves or that of its fault; those who move at once stand beside each
/// other.
fn bars(svg: &mut Svg, playback: &Playback, scale: &AxisScale, (seat, is_fault): (usize, bool)) {
    let width = (turns(playback)[1] * 0.7).clamp(0.5, 8.0);
    let at_once = playback.frames.iter().map(|frame| frame.moves.len()).max().unwrap_or(1).max(1) as f64;
    let beside = if at_once > 1.0 { (seat as f64 - (at_once - 1.0) / 2.0) * width / at_once } else { 0.0 };
    let mut bars = String::new();
    for (turn, frame) in playback.frames.iter().enumerate() {
        let own = frame.moves.iter().filter(|made| made.seat == seat && made.fault.is_some() == is_fault);
        for us in own.filter_map(|made| made.us) {
            let (x, top) = (Units(x(playback, turn) + beside), Units(y(scale.share(us).max(0.02)).round()));
            let _ = write!(bars, "M{x},{}V{top}", Units(y(0.0)));
        }
    }
    if !bars.is_empty() {
        let class = if is_fault { BROKEN.to_owned() } else { format!("s{seat}") };
        svg.element("path", &[("class", &class), ("d", &bars), ("stroke-width", &Units(width / at_once))]);
    }
}

/// The values that a seat logged, with the turn.
pub(super) fn logged(playback: &Playback, seat: usize) -> impl Iterator<Item = (usize, &Logged)> {
    let frames = playback.frames.iter().enumerate();
    frames.flat_map(move |(turn, frame)| {
        frame.logged.iter().filter(move |logged| logged.seat == seat).map(move |logged| (turn, logged))
    })
}

/// The values of more or fewer than two clients, squashed so that a decided match does not flatten the rest.
pub(super) fn values(playback: &Playback) -> Markup {
    let seats = 0..playback.seats.len();
    let all = || seats.clone().flat_map(|seat| logged(playback, seat)).map(|(_, logged)| logged);
    let values: Vec<f64> = all().filter_map(|logged| logged.thought.value).collect();
    if values.is_empty() {
        return html! {};
    }
    let scale = ValueScale::of(values, 0.5);
    let mut svg = Svg::default();
    let t = |english, french| playback.language.pick(english, french);
    let named =
        [(0.5, "0"), (1.0, t("good", "bon")), (0.0, t("bad", "mauvais"))].map(|(share, name)| (share, name.to_owned()));
    levels(&mut svg, "scale", width(playback), &named);
    seats.for_each(|seat| curve(&mut svg, playback, scale, seat));
    let (scale, legend) = (value_text(scale.much), legend(playback));
    let caption = format!(
        "{} {scale}. {legend}",
        t(
            "What each client logged as value, up is good for itself, squashed beyond",
            "La valeur que chaque client a consignée ; le haut lui est favorable ; comprimée au-delà de"
        )
    );
    figure(&svg, width(playback), t("logged values", "valeurs consignées"), &caption)
}

/// How deep clients looked, in a chart of its own.
pub(super) fn all_depths(playback: &Playback) -> Markup {
    let seats = 0..playback.seats.len();
    let depths_of = |seat| logged(playback, seat).filter_map(|(_, logged)| logged.thought.depth);
    let deepest = seats.clone().flat_map(depths_of).fold(0.0, f64::max);
    if deepest <= 0.0 {
        return html! {};
    }
    let mut svg = Svg::default();
    let named = [(0.0, "0".to_owned()), (0.5, value_text(deepest / 2.0)), (1.0, value_text(deepest))];
    levels(&mut svg, "scale", width(playback), &named);
    seats.for_each(|seat| depths(&mut svg, playback, deepest, seat));
    let t = |english, french| playback.language.pick(english, french);
    let caption = format!(
        "{} {}",
        t(
            "How deep each client looked, in turns as it counts them.",
            "La profondeur de recherche de chaque client, en tours comme il les compte."
        ),
        dots_legend(playback)
    );
    figure(&svg, width(playback), t("depth by turn", "profondeur par tour"), &caption)
}

/// The values of one seat, and where it first said that the match is decided.
fn curve(svg: &mut Svg, playback: &Playback, scale: ValueScale, seat: usize) {
    let mut line = String::new();
    let mut proved = None;
    for (turn, value) in logged(playback, seat).filter_map(|(turn, logged)| Some((turn, logged.thought.value?))) {
        let (x, y) = (x(playback, turn), y(scale.share(value)).round());
        let _ = write!(line, "{}{},{}", if line.is_empty() { 'M' } else { 'L' }, Units(x), Units(y));
        proved = proved.or(ValueScale::is_proof(value).then_some((x, y)));
    }
    if !line.is_empty() {
        // One value by itself is a dash.
        line += if line.contains('L') { "" } else { "h3" };
        svg.element("path", &[("class", &format!("s{seat}")), ("d", &line), ("stroke-width", &"1.5")]);
    }
    if let Some((x, y)) = proved {
        let (x, y) =
            (Units((x + 2.0).min(width(playback) - 34.0)), Units(if y > SIZE[1] / 2.0 { y - 4.0 } else { y + 10.0 }));
        svg.words("text", &[("x", &x), ("y", &y)], playback.language.pick("proved", "prouvé"));
    }
}

/// The depths of one seat, as dots of its colour; those of seats with even numbers are squares.
fn depths(svg: &mut Svg, playback: &Playback, deepest: f64, seat: usize) {
    let mut dots = String::new();
    for (turn, depth) in logged(playback, seat).filter_map(|(turn, logged)| Some((turn, logged.thought.depth?))) {
        let (x, y) = (x(playback, turn), y(depth / deepest.max(1.0)).round());
        // A way of no length is drawn as its end.
        let _ = write!(dots, "M{},{}z", Units(x), Units(y));
    }
    if !dots.is_empty() {
        let (width, cap) = if seat % 2 == 1 { ("4", "square") } else { ("5", "round") };
        let class = format!("s{seat} dot");
        let ends: [(&str, &dyn std::fmt::Display); 4] =
            [("class", &class), ("d", &dots), ("stroke-width", &width), ("stroke-linecap", &cap)];
        svg.element("path", &ends);
    }
}

fn legend(playback: &Playback) -> String {
    let t = |english, french| playback.language.pick(english, french);
    if playback.seats.len() > 2 {
        return t(
            "Seats by their colours; the list of moves has the figures.",
            "Les places par leurs couleurs ; la liste des coups donne les nombres.",
        )
        .to_owned();
    }
    if playback.seats.len() < 2 {
        return String::new();
    }
    let names = playback.seats.iter().enumerate().take(2);
    let lines = [t(": solid line", " : trait plein"), t(": broken line", " : tirets")];
    names.map(|(seat, name)| format!("{name}{}", lines[seat])).collect::<Vec<_>>().join("; ")
}

fn dots_legend(playback: &Playback) -> String {
    let t = |english, french| playback.language.pick(english, french);
    match playback.seats.as_slice() {
        [one, other] => format!("{one}{}; {other}{}.", t(": dots", " : points"), t(": squares", " : carrés")),
        _ => t(
            "Seats by their colours; the list of moves has the figures.",
            "Les places par leurs couleurs ; la liste des coups donne les nombres.",
        )
        .to_owned(),
    }
}

/// Lines from side to side, each with its name.
pub(super) fn levels(svg: &mut Svg, class: &str, width: f64, all: &[(f64, String)]) {
    let lines: String = all.iter().map(|(share, _)| format!("M{LEFT},{}H{width}", Units(y(*share)))).collect();
    svg.element("path", &[("class", &class), ("d", &lines)]);
    for (share, name) in all.iter().filter(|(_, name)| !name.is_empty()) {
        svg.words("text", &[("x", &"2"), ("y", &Units(y(*share).round() + 3.0))], name);
    }
}

/// `1 ms` for 1000.
fn round_time(us: u64) -> String {
    match us {
        0..1_000 => format!("{us} µs"),
        1_000..1_000_000 => format!("{} ms", us / 1_000),
        _ => format!("{} s", us / 1_000_000),
    }
}

pub(super) fn figure(svg: &Svg, width: f64, label: &str, caption: &str) -> Markup {
    let view = format!("0 0 {width} {}", SIZE[1]);
    html! {
        figure {
            svg.chart viewBox=(view) role="img" aria-label=(label) {
                g aria-hidden="true" { (PreEscaped(svg.as_str())) }
                path.now d=(format!("M{LEFT},0V{}", SIZE[1])) {}
            }
            figcaption { (crate::text::clean(caption)) }
        }
    }
}
