//! How the table came about: points after so many matches, and ratings then with their intervals, each as a chart and
//! as an equal table.

use super::home::name;
use super::ratings::whole;
use super::view::View;
use crate::named::shortened;
use crate::svg::{Svg, Units};
use agon_model::documents::{Course, History, Rating};
use maud::{Markup, PreEscaped, html};
use std::fmt::Write;

/// The number of clients in the picture, the first of the table.
const DRAWN: usize = 8;
/// The number of moments in the table.
const COLUMNS: usize = 7;
/// A ladder of fewer matches has no history.
const FEWEST: u64 = 8;
/// The height of a line of text.
const LINE: f64 = 13.0;
/// Width and height.
const SIZE: [f64; 2] = [400.0, 220.0];
/// Where the curves are: left, from the top and from below.
const ROOM: [f64; 3] = [44.0, 10.0, 20.0];
/// The least room at the right, that of the word below the axis.
const RIGHT: f64 = 64.0;
/// The way from the end of a curve to its name.
const LEADER: f64 = 16.0;
/// The height of the largest letters, those of a phone.
const LETTER: f64 = 13.0;
/// The room for a name at the end of its curve, in heights of the largest letters, those of a phone.
const NAME: f64 = 100.0 / LETTER;
/// A scale has at least this many steps.
const FEWEST_STEPS: f64 = 3.0;

/// Values are equal that differ less.
const EQUAL: f64 = 1e-3;
/// A rating is drawn once a client has played about this many matches: before that, it is far from where it stays.
const SETTLED: u64 = 4;

/// The values of a client at each moment, and the ends of their intervals, if there are any.
type Values = Vec<Option<(f64, Option<[f64; 2]>)>>;

/// The section of the first page; nothing where there is little to tell.
pub(super) fn section(model: &View<'_>) -> Markup {
    let Some(history) = long_enough(model) else { return html! {} };
    let of = |label: &str| history.clients.iter().find(|one| one.client == label);
    let lines: Vec<&Course> =
        model.published.standings.clients.iter().filter_map(|line| of(&line.client)).take(DRAWN).collect();
    html! {
        h2 #history { (model.t("History", "Évolution")) }
        div.parts[!history.rated_after.is_empty()] {
            section {
                h3 { @if model.is_alone() { (model.t("Mean score", "Score moyen")) } @else { "Points" } }
                p.soft { @if model.is_alone() { (model.t("Mean score after this many matches of the ladder, of the first ", "Score moyen après ce nombre de parties du tournoi, pour les ")) }
                    @else { (model.t("Mean points a match after this many matches of the ladder, of the first ", "Points moyens par partie après ce nombre de parties du tournoi, pour les ")) }
                    (lines.len()) (model.t(" of the table; ", " premiers du tableau\u{a0}; "))
                    a href="history.json" { "history.json" } (model.t(" has all.", " contient tout.")) }
                (points(model, history, &lines))
            }
            (ratings(model, history, &lines))
        }
    }
}

/// The course of one client. Its rating would move with that of the others, so it is that of its means.
pub(super) fn of_client(model: &View<'_>, label: &str) -> Markup {
    let found = long_enough(model).and_then(|all| Some((all, all.clients.iter().find(|one| one.client == label)?)));
    let Some((history, line)) = found else { return html! {} };
    let values: Values = line.means(model.is_alone()).iter().map(|mean| Some(((*mean)?, None))).collect();
    // Of one who always wins or loses the headline says as much.
    let mut known = line.means(model.is_alone()).iter().flatten();
    if known.next().is_none_or(|first| known.all(|mean| (mean - first).abs() < EQUAL)) {
        return html! {};
    }
    let title = if model.is_alone() { model.t("Mean score", "Score moyen") } else { model.t("Points", "Points") };
    html! { section {
        h2 { (model.t("History", "Évolution")) }
        figure { svg.chart viewBox=(format!("0 0 {} {}", SIZE[0], SIZE[1])) role="img" aria-label=(format!("{title} {}", model.t("by matches played", "selon les parties jouées"))) {
            g aria-hidden="true" { (PreEscaped(chart(model, &history.matches, (&[line], &[values]), said).as_str())) }
        } }
    } }
}

/// A rating and the ends of its interval; an open one ends at the rating.
fn rated(one: &Option<Rating>) -> Option<(f64, Option<[f64; 2]>)> {
    one.as_ref().map(|one| (one.rating, Some([one.low.unwrap_or(one.rating), one.high.unwrap_or(one.rating)])))
}

/// A mean as tables show it.
fn said(mean: f64) -> String {
    format!("{:.3}", mean + 0.0)
}

fn long_enough<'a>(model: &'a View<'_>) -> Option<&'a History> {
    let is_told = |one: &Course| !one.means(model.is_alone()).is_empty();
    model
        .published
        .history
        .as_ref()
        .filter(|one| one.matches.last() >= Some(&FEWEST) && one.clients.iter().all(is_told))
}

/// Whether there is such a section.
pub(super) fn is_there(model: &View<'_>) -> bool {
    long_enough(model).is_some()
}

fn points(model: &View<'_>, history: &History, lines: &[&Course]) -> Markup {
    let means = |line: &'_ Course| line.means(model.is_alone()).to_vec();
    let values: Vec<Values> =
        lines.iter().map(|line| means(line).iter().map(|mean| Some(((*mean)?, None))).collect()).collect();
    let cell = |line: &Course, at: usize| html! { (means(line).get(at).copied().flatten().map_or(String::new(), |mean| model.n(said(mean)))) };
    let title = if model.is_alone() { model.t("Mean score", "Score moyen") } else { model.t("points", "points") };
    html! {
        (figure(model, title, &chart(model, &history.matches, (lines, &values), said)))
        (table(model, "history", &history.matches, lines, &cell))
    }
}

/// The ratings as they were then; nothing where they are not known.
fn ratings(model: &View<'_>, history: &History, lines: &[&Course]) -> Markup {
    if history.rated_after.is_empty() {
        return html! {};
    }
    let values: Vec<Values> = lines.iter().map(|line| line.ratings.iter().map(rated).collect()).collect();
    let clients = history.clients.len() as u64;
    let is_settled = |count: &u64| count * model.published.standings.seats as u64 >= SETTLED * clients;
    let from = history.rated_after.iter().position(is_settled).filter(|from| from + 1 < history.rated_after.len());
    let from = from.unwrap_or_default();
    let drawn: Vec<Values> = values.iter().map(|line| line.iter().skip(from).copied().collect()).collect();
    let end = |end: Option<f64>| end.map_or(model.t("open", "ouverte").to_owned(), whole);
    let cell = |line: &Course, at: usize| {
        html! { @if let Some(one) = line.ratings.get(at).copied().flatten() {
            (whole(one.rating)) br; small { (end(one.low)) (model.t(" to ", " à ")) (end(one.high)) }
        } }
    };
    html! { section {
        h3 #rated { (model.t("Ratings over time", "Les cotes au fil des parties")) }
        p.soft { (model.t("Fitted to all results up to then. The 95\u{a0}% intervals of a client that you highlight are drawn; the table has all.", "Ajustées à tous les résultats obtenus jusque-là. Les intervalles à 95\u{a0}% d’un client mis en évidence sont dessinés\u{a0}; le tableau les donne tous.")) }
        (figure(model, model.t("Ratings", "Cotes"), &chart(model, &history.rated_after[from..], (lines, &drawn), whole)))
        (table(model, "rated", &history.rated_after, lines, &cell))
    } }
}

fn figure(model: &View<'_>, of: &str, drawn: &Svg) -> Markup {
    html! { figure {
        svg.chart viewBox=(format!("0 0 {} {}", SIZE[0], SIZE[1])) role="img" aria-label=(format!("{} {}", of, model.t("by matches played; the table below says the same", "selon les parties jouées\u{a0}; le tableau en dessous dit la même chose"))) {
            g aria-hidden="true" { (PreEscaped(drawn.as_str())) }
        }
    } }
}

fn table(
    model: &View<'_>,
    title: &str,
    matches: &[u64],
    lines: &[&Course],
    cell: &dyn Fn(&Course, usize) -> Markup,
) -> Markup {
    let shown = columns(matches.len());
    html! { details { summary { (model.t("As numbers", "En nombres")) }
        div.many tabindex="0" role="region" aria-labelledby=(title) { table.cards.c1 {
            thead { tr { th { "Client" } @for at in &shown { th.r { (model.t("After ", "Après ")) (matches[*at]) } } } }
            tbody { @for line in lines { tr data-client=[model.number(&line.client)] {
                td { (name(model, &line.client, "")) }
                @for at in &shown { td.r { (cell(line, *at)) } }
            } } }
        } }
    } }
}

/// The moments of the table: evenly spread, the last one among them.
fn columns(moments: usize) -> Vec<usize> {
    let count = moments.min(COLUMNS);
    (1..=count).map(|column| moments * column / count - 1).collect()
}

/// Curves over matches, each in a group of its client; numbers are said as in the table.
fn chart(model: &View<'_>, matches: &[u64], (of, lines): (&[&Course], &[Values]), said: fn(f64) -> String) -> Svg {
    let scale = Scale::of(matches, lines, of);
    let mut svg = Svg::default();
    let said = |value: f64| model.n(said(value));
    scale.draw(&mut svg, (&said, model.t("matches", "parties")));
    let mut ends = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let number = model.number(&of[place].client).unwrap_or(usize::MAX);
        svg.begin("g", &[("data-client", &number)]);
        whiskers(&mut svg, place, &scale, matches, line);
        let known = matches.iter().zip(line).filter_map(|(at, found)| found.map(|found| (*at, found)));
        let points = known.map(|(at, (value, _))| [scale.x(at), scale.y(value)]);
        ends.extend(curve(&mut svg, place, points).map(|end| (place, end)));
        svg.end("g");
    }
    // One line alone is that of the page.
    if of.len() > 1 {
        names((&mut svg, model), of, ends, &scale);
    }
    moments((&mut svg, model.t("After ", "Après ")), &scale, matches, (of, lines), &said);
    svg
}

/// Where values and moments are.
struct Scale {
    low: f64,
    high: f64,
    /// The distance between two lines, a round number.
    step: f64,
    last: f64,
    /// Where the curves end.
    right: f64,
}

/// The largest of 1, 2, 5, 10 … of which the way from one end to the other has enough.
fn step(low: f64, high: f64) -> f64 {
    let tens = 10f64.powf(((high - low) / FEWEST_STEPS).log10().floor());
    [5.0, 2.0, 1.0].map(|step| step * tens).into_iter().find(|step| (high - low) / step >= FEWEST_STEPS).unwrap_or(tens)
}

impl Scale {
    fn of(matches: &[u64], lines: &[Values], of: &[&Course]) -> Scale {
        let values = || lines.iter().flatten().flatten().map(|(value, _)| *value);
        let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        // Where all are equal there is a line in the middle.
        let (low, high) = if high - low < EQUAL { (low - 0.5, high + 0.5) } else { (low, high) };
        // No mean of points is beyond both ends of what a match is worth.
        let is_share = values().all(|value| (0.0..=1.0).contains(&value));
        let (low, high) = if is_share { (low.max(0.0), high.min(1.0)) } else { (low, high) };
        let step = step(low, high);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        let names = fitted(if of.len() > 1 { of } else { &[] });
        let right = SIZE[0] - names.iter().map(|name| LEADER + 6.0 + LETTER * width(name)).fold(RIGHT, f64::max);
        Scale { low, high, step, last: matches.last().copied().unwrap_or(1) as f64, right }
    }

    fn x(&self, count: u64) -> f64 {
        ROOM[0] + (self.right - ROOM[0]) * count as f64 / self.last
    }

    fn y(&self, value: f64) -> f64 {
        let [_, top, below] = ROOM;
        SIZE[1] - below - (SIZE[1] - top - below) * (value - self.low) / (self.high - self.low)
    }

    /// Lines at round values, and the matches below with what they are.
    fn draw(&self, svg: &mut Svg, (said, matches): (&dyn Fn(f64) -> String, &str)) {
        let lines = ((self.high - self.low) / self.step).round() as usize;
        for line in 0..=lines {
            let value = self.low + line as f64 * self.step;
            let height = Units(self.y(value));
            svg.element(
                "line",
                &[("class", &"scale"), ("x1", &ROOM[0]), ("x2", &Units(self.right)), ("y1", &height), ("y2", &height)],
            );
            svg.words("text", &[("x", &"2"), ("y", &Units(self.y(value) + 3.0))], &said(value));
        }
        for (share, anchor) in [(0.0, "start"), (0.5, "middle"), (1.0, "end")] {
            let count = (share * self.last).round() as u64;
            let place: [(&str, &dyn std::fmt::Display); 3] =
                [("x", &Units(self.x(count))), ("y", &Units(SIZE[1] - 4.0)), ("text-anchor", &anchor)];
            svg.words("text", &place, &count.to_string());
        }
        svg.words("text", &[("x", &Units(self.right + 4.0)), ("y", &Units(SIZE[1] - 4.0))], matches);
    }
}

/// The intervals of one client.
fn whiskers(svg: &mut Svg, place: usize, scale: &Scale, matches: &[u64], line: &Values) {
    let mut whiskers = String::new();
    for (at, found) in matches.iter().zip(line) {
        let Some((_, Some([from, to]))) = found else { continue };
        let [from, to] = [from, to].map(|end| Units(scale.y(end.clamp(scale.low, scale.high))));
        let _ = write!(whiskers, "M{},{from}V{to}", Units(scale.x(*at)));
    }
    if !whiskers.is_empty() {
        let look: [(&str, &dyn std::fmt::Display); 2] = [("class", &format!("s{place} ends")), ("d", &whiskers)];
        svg.element("path", &look);
    }
}

/// A band for each moment, which tells all values of it where a pointer is on it.
fn moments(
    (svg, after): (&mut Svg, &str),
    scale: &Scale,
    matches: &[u64],
    (of, lines): (&[&Course], &[Values]),
    said: &dyn Fn(f64) -> String,
) {
    let [_, top, below] = ROOM;
    for (at, count) in matches.iter().enumerate() {
        let from = if at == 0 { ROOM[0] } else { (scale.x(matches[at - 1]) + scale.x(*count)) / 2.0 };
        let to = matches.get(at + 1).map_or(scale.right, |next| (scale.x(*count) + scale.x(*next)) / 2.0);
        let told = lines.iter().zip(of).filter_map(|(line, course)| {
            let (value, _) = line.get(at).copied().flatten()?;
            Some(format!("{} {}", course.client, said(value)))
        });
        let words = format!("{after}{count}: {}", told.collect::<Vec<_>>().join(", "));
        let (width, height) = (Units((to - from).max(0.0)), Units(SIZE[1] - top - below));
        let place: [(&str, &dyn std::fmt::Display); 5] =
            [("class", &"moment"), ("x", &Units(from)), ("y", &Units(top)), ("width", &width), ("height", &height)];
        svg.begin("rect", &place);
        svg.words("title", &[], &words);
        svg.end("rect");
    }
}

/// A curve; where it ends.
fn curve(svg: &mut Svg, place: usize, points: impl Iterator<Item = [f64; 2]>) -> Option<[f64; 2]> {
    let (mut way, mut end) = (String::new(), None);
    for [x, y] in points {
        let _ = write!(way, "{}{},{}", if way.is_empty() { 'M' } else { 'L' }, Units(x), Units(y));
        end = Some([x, y]);
    }
    svg.element("path", &[("class", &format!("s{place}")), ("d", &way), ("stroke-width", &"2")]);
    end
}

/// Each curve's client at its end, so that no colour says anything alone; none upon another, and a line leads there.
fn names((svg, model): (&mut Svg, &View<'_>), of: &[&Course], ends: Vec<(usize, [f64; 2])>, scale: &Scale) {
    let mut ends: Vec<_> = ends.into_iter().map(|(place, end)| (place, end, end)).collect();
    ends.sort_by(|a, b| a.1[1].total_cmp(&b.1[1]));
    let mut above = f64::NEG_INFINITY;
    for (_, [_, y], _) in &mut ends {
        *y = y.max(above + LINE);
        above = *y;
    }
    // The lowest line is that of the matches.
    let mut below = SIZE[1] - LINE;
    for (_, [_, y], _) in ends.iter_mut().rev() {
        *y = y.min(below - LINE);
        below = *y;
    }
    let names = fitted(of);
    for (place, [_, y], from) in ends {
        svg.begin("g", &[("data-client", &model.number(&of[place].client).unwrap_or(usize::MAX))]);
        let leader = format!("M{},{}L{},{}", Units(from[0]), Units(from[1]), Units(scale.right + LEADER), Units(y));
        svg.element("path", &[("class", &format!("s{place} leader")), ("d", &leader)]);
        svg.words("text", &[("x", &Units(scale.right + LEADER + 4.0)), ("y", &Units(y + 3.0))], &names[place]);
        svg.end("g");
    }
}

/// The width of a text in letters of any face, in heights of a letter: those that cannot be measured are taken as broad.
fn width(text: &str) -> f64 {
    let breadth = |letter: char| match letter {
        'm' | 'w' | 'A'..='Z' | '@' | '%' => 0.85,
        'f' | 'i' | 'j' | 'l' | 'r' | 't' | '.' | '-' => 0.42,
        _ if letter.is_ascii() => 0.6,
        _ => 1.0,
    };
    text.chars().map(breadth).sum()
}

/// The names of these clients, as much of each as has room, and different ones as differ.
fn fitted(of: &[&Course]) -> Vec<String> {
    let labels: Vec<String> = of.iter().map(|one| one.client.clone()).collect();
    let most =
        labels.iter().map(|label| fitting(label)).filter(|name| name.ends_with('…')).map(|name| name.chars().count());
    let names = shortened(&labels, most.min().unwrap_or(usize::MAX));
    labels
        .iter()
        .zip(names)
        .map(|(label, short)| if fitting(label) == *label { label.clone() } else { short })
        .collect()
}

/// As much of a name as has room.
fn fitting(label: &str) -> String {
    let label = agon_model::visible::escape(label, 64);
    let within = |label: &str| width(label) <= NAME;
    if within(&label) {
        return label;
    }
    let mut short: String = label;
    while !within(&format!("{short}…")) {
        short.pop();
    }
    short + "…"
}

#[cfg(test)]
mod tests {
    use super::{fitting, step};

    #[test]
    fn lines_of_a_scale_stand_at_round_values() {
        assert_eq!(
            [(0.0, 1.0), (0.42, 0.58), (-809.0, 526.0), (0.0, 3.0)].map(|(low, high)| step(low, high)),
            [0.2, 0.05, 200.0, 1.0]
        );
    }

    #[test]
    fn a_long_name_is_cut_where_the_picture_ends() {
        assert_eq!(fitting("alphabeta@2"), "alphabeta@2");
        assert_eq!(fitting("random-queens-of-night"), "random-quee…");
        assert_eq!(fitting("WWWWWWWWWWWWWWWWWWWW").chars().count(), 8);
        assert_eq!(fitting("名前名前名前名前名前"), "名前名前名前…");
    }
}
