//! How a match of two stood in the eyes of its clients, turn by turn, from the first seat's view: one curve, the mean
//! of what both logged last, each in a scale of its own.

use super::chart::{self, SIZE};
use crate::svg::{Svg, Units};
use agon_games::Language;
use agon_playback::{Playback, ValueScale};
use maud::{Markup, html};
use std::fmt::Write;

/// A client's usual value stands halfway between even and won.
const USUAL: f64 = 0.5;

/// After each turn how much the first seat is ahead, from 0, lost, to 100, won; `None` where nobody logged a value.
/// Nothing unless both logged some.
pub(super) fn shares(playback: &Playback) -> Vec<Option<u8>> {
    let has_logged = |seat| chart::logged(playback, seat).any(|(_, logged)| logged.thought.value.is_some());
    if playback.seats.len() != 2 || !has_logged(0) || !has_logged(1) {
        return Vec::new();
    }
    let scales = [0, 1].map(|seat| {
        let values = chart::logged(playback, seat).filter_map(|(_, logged)| logged.thought.value);
        ValueScale::of(values, USUAL)
    });
    // Each is a little sure of itself: between the last values of both it stands.
    let mut last = [None; 2];
    let share = |frame: &agon_playback::Frame| {
        let told = frame.logged.iter().filter(|logged| logged.seat < 2);
        let told = told.filter_map(|logged| Some((logged.seat, scales[logged.seat].share(logged.thought.value?))));
        let told: Vec<(usize, f64)> = told.collect();
        for (seat, own) in &told {
            last[*seat] = Some(if *seat == 0 { *own } else { 1.0 - own });
        }
        let known = || last.iter().flatten();
        (!told.is_empty()).then(|| (100.0 * known().sum::<f64>() / known().count() as f64).round() as u8)
    };
    playback.frames.iter().map(share).collect()
}

/// The curve: what is above the middle is in the first seat's favour. Blunders are marked.
pub(super) fn curve(playback: &Playback, shares: &[Option<u8>]) -> Markup {
    if shares.is_empty() {
        return html! {};
    }
    let mut svg = Svg::default();
    let middle = Units(chart::y(0.5));
    let points = shares.iter().enumerate().filter_map(|(turn, share)| Some((turn, (*share)?)));
    let points: Vec<(f64, f64)> =
        points.map(|(turn, share)| (chart::x(playback, turn), chart::y(f64::from(share) / 100.0))).collect();
    if let [(first, _), .., (last, _)] = points[..] {
        let mut area = format!("M{},{middle}", Units(first));
        for (x, y) in &points {
            let _ = write!(area, "L{},{}", Units(*x), Units(*y));
        }
        let _ = write!(area, "L{},{middle}z", Units(last));
        svg.element("path", &[("class", &"area"), ("d", &area)]);
    }
    let mut line = String::new();
    for (x, y) in &points {
        let _ = write!(line, "{}{},{}", if line.is_empty() { 'M' } else { 'L' }, Units(*x), Units(*y));
    }
    // One value by itself is a dash.
    line += if line.contains('L') { "" } else { "h3" };
    let t = |english, french| playback.language.pick(english, french);
    let named = [(0.5, t("even", "égal")), (1.0, t("1 wins", "1 gagne")), (0.0, t("2 wins", "2 gagne"))]
        .map(|(share, name)| (share, name.to_owned()));
    chart::levels(&mut svg, "scale", chart::width(playback), &named);
    svg.element("path", &[("class", &"line"), ("d", &line), ("stroke-width", &"1.5")]);
    blunders(&mut svg, playback, shares);
    let caption = caption(playback);
    chart::figure(&svg, chart::width(playback), t("evaluation by turn", "évaluation par tour"), &caption)
}

fn caption(playback: &Playback) -> String {
    let t = |english, french| playback.language.pick(english, french);
    let stood = t(
        "How the match stood by what both logged, from the view of seat 1: up is good for seat 1, down for seat 2.",
        "L’état de la partie d’après les valeurs des deux, vu de la place 1 : vers le haut pour la place 1, vers le bas pour la place 2.",
    );
    let blunder = t(
        " ?: a blunder, after which both thought worse of the mover.",
        " ? : une gaffe, après laquelle les deux jugent moins bien celui qui l’a jouée.",
    );
    let has_blunder = playback.frames.iter().any(|frame| frame.is_blunder);
    format!("{stood}{}", if has_blunder { blunder } else { "" })
}

fn blunders(svg: &mut Svg, playback: &Playback, shares: &[Option<u8>]) {
    for (turn, _) in playback.frames.iter().enumerate().filter(|(_, frame)| frame.is_blunder) {
        let share = f64::from(shares.get(turn).copied().flatten().unwrap_or(50)) / 100.0;
        let y = (chart::y(share) - 5.0).clamp(10.0, SIZE[1] - 2.0);
        svg.words(
            "text",
            &[("class", &"blunder"), ("x", &Units(chart::x(playback, turn) - 2.0)), ("y", &Units(y))],
            "?",
        );
    }
}

/// The bar beside the board as it is at a turn; the script of a replay moves it.
pub(super) fn bar(shares: &[Option<u8>], turn: usize, language: Language) -> Markup {
    let share = shares.iter().take(turn + 1).rev().find_map(|share| *share).unwrap_or(50);
    let words = match share {
        56.. => language.pick("better for seat 1", "mieux pour la place 1"),
        45.. => language.pick("even", "égal"),
        _ => language.pick("better for seat 2", "mieux pour la place 2"),
    };
    html! { @if !shares.is_empty() {
        div #balance { div.k0 { "1" }
            svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={ (language.pick("evaluation: ", "évaluation : ")) (words) } {
                rect.f1 width="100" height="10" {} rect #share.f0 width=(share) height="10" {}
            }
            div.k1 { "2" } }
    } }
}
