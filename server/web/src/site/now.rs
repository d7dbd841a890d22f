//! The state of a running ladder: its progress, the remaining time, and faults as they come.

use super::matches;
use super::view::View;
use crate::drawing::{Drawing, Windows};
use crate::named::name_seats;
use crate::picture::symbols;
use crate::svg::Units;
use crate::text::clean;
use agon_games::{Language, Scene};
use agon_playback::kind_text;
use maud::{Markup, PreEscaped, html};

/// The panels of a small board.
const SMALL_PANELS: usize = 2;
/// With this number of players or more, the picture has their names.
const CROWD: usize = 5;

/// The page names this many faults, the newest ones.
const NEWEST: usize = 6;

/// A ladder that is being played, at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Now {
    /// Whether no more is played.
    pub is_over: bool,
    /// Matches that are played.
    pub done: u64,
    /// Matches in all, as far as is known.
    pub matches: u64,
    /// Those of them that nobody plays, since a client of theirs is suspended.
    pub left_out: u64,
    /// Matches at once.
    pub jobs: usize,
    /// Matches a second.
    pub speed: Option<f64>,
    /// The time that is left, in words.
    pub left: Option<String>,
    /// Faults of this run, the newest first.
    pub faults: Vec<NowFault>,
    /// How many there were in all.
    pub fault_count: u64,
    /// Other notes, the newest first.
    pub notes: Vec<String>,
    /// Matches under way.
    pub boards: Vec<NowBoard>,
}

/// A fault of this run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NowFault {
    /// The match.
    pub id: String,
    pub client: String,
    /// Its kind, by its name.
    pub kind: String,
    /// Why, in which the client may have had a word.
    pub why: String,
}

impl Now {
    /// The same for those to whom it is not told why somebody else was at fault.
    pub fn without_reasons(mut self) -> Now {
        self.faults.iter_mut().for_each(|fault| fault.why.clear());
        self.notes.clear();
        self
    }
}

/// A match under way, at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct NowBoard {
    /// Its id.
    pub id: String,
    /// The label of each seat's client.
    pub seats: Vec<String>,
    /// Turns that were played.
    pub turns: u32,
    /// The position as far as everybody may see it; `None` where nobody sees anything of it before the end.
    pub scene: Option<Scene>,
    /// Whether a part of it is hidden until the end.
    pub hides: bool,
    /// The rank of each seat, if the match has ended.
    pub ranks: Option<Vec<u32>>,
}

/// The top of the first page.
pub(super) fn progress(model: &View<'_>, now: &Now) -> Markup {
    html! {
        p #now { (how_far(model, now)) }
        @if !now.is_over && !is_all_played(now) { progress max=(now.matches.max(1)) value=(now.done + now.left_out) aria-label=(model.t("matches played", "parties jouées")) {} }
    }
}

/// Matches under way as small boards, each with its words and a way to the page that follows it; `up` leads to the
/// ladder.
pub(super) fn boards(model: &View<'_>, now: &Now, up: &str) -> Markup {
    let (scenes, are_named): (Vec<Option<Scene>>, Vec<bool>) = now.boards.iter().map(small).unzip();
    let drawn: Vec<Vec<Picture>> =
        now.boards.iter().zip(&scenes).map(|(board, scene)| pictures(scene.as_ref(), board.seats.len())).collect();
    let things = symbols(&drawn.iter().flatten().map(|picture| picture.svg.as_str()).collect::<String>());
    html! {
        @if !now.boards.is_empty() {
            h2 { @if now.boards.iter().all(|board| board.ranks.is_some()) { (model.t("The last matches", "Les dernières parties")) } @else { (model.t("On the boards", "Sur les plateaux")) } }
            @if now.boards.iter().any(|board| board.hides) { p.soft { (model.t("Hands are hidden until it is over.", "Les mains restent cachées jusqu’à la fin.")) } }
            svg.hear aria-hidden="true" { (PreEscaped(things.as_str())) }
            div.boards.cards-of-all[now.boards.iter().any(|board| board.hides)] { @for (((board, scene), drawn), is_named) in now.boards.iter().zip(&scenes).zip(&drawn).zip(&are_named) { figure {
                @for Picture { size: [width, height], windows, svg } in drawn {
                    svg.pic.for-narrow[*windows == Windows::Narrow].for-wide[*windows == Windows::Wide] viewBox=(format!("0 0 {} {}", Units(*width), Units(*height)))
                        role="img" aria-label=(scene.as_ref().map_or_else(String::new, |scene| clean(&scene.spoken))) {
                        g aria-hidden="true" { (PreEscaped(svg)) }
                    }
                }
                figcaption {
                    @if *is_named { span.hear { (versus(&board.seats)) } " " (model.language.pick("turn ", "tour ")) }
                    @else { (versus(&board.seats)) (model.t(": turn ", "\u{a0}: tour ")) }
                    (board.turns) " · "
                    @if let Some(ranks) = &board.ranks { strong { (clean(&result_of(&board.seats, ranks, model.language))) } " · " }
                    (follow_link(model, board, up)) }
            } } }
        }
    }
}

/// A position as it is drawn in some windows.
struct Picture {
    size: [f64; 2],
    windows: Windows,
    svg: String,
}

fn pictures(scene: Option<&Scene>, seats: usize) -> Vec<Picture> {
    let Some(scene) = scene else { return Vec::new() };
    let picture = |(drawing, windows): (Drawing, Windows)| {
        let svg = drawing.draw(scene).as_str().to_owned();
        Picture { size: drawing.size, windows, svg }
    };
    Drawing::layouts(scene, seats).into_iter().map(picture).collect()
}

/// The scene of a small board: of a hidden position the first panels, which say most; and whether it names a crowd of
/// players.
fn small(board: &NowBoard) -> (Option<Scene>, bool) {
    let Some(mut scene) = board.scene.clone() else { return (None, false) };
    if board.hides {
        scene.panels.truncate(SMALL_PANELS);
    }
    let before = scene.panels.clone();
    if board.seats.len() >= CROWD {
        name_seats(&mut scene, &board.seats);
    }
    let is_named = scene.panels != before;
    (Some(scene), is_named)
}

/// The client of a fault, and its kind in the words of the page.
pub(super) fn whose(model: &View<'_>, fault: &NowFault) -> String {
    clean(&format!("{}{}{}", fault.client, model.colon(), kind_text(&fault.kind, model.language)))
}

/// The link names the match, since a page has several.
fn follow_link(model: &View<'_>, board: &NowBoard, up: &str) -> Markup {
    let seats = board.seats.iter().map(|label| clean(label)).collect::<Vec<_>>().join(" – ");
    let name = format!("{} {seats}", model.t("Follow", "Suivre"));
    html! { a href=(format!("{up}follow/{}.html", clean(&board.id))) aria-label=(name) { (model.t("Follow", "Suivre")) } }
}

/// The winners of a match that has just ended: `mcts wins`, `a draw`.
pub(super) fn result_of(seats: &[String], ranks: &[u32], language: Language) -> String {
    let best = ranks.iter().min();
    let first = seats.iter().zip(ranks).enumerate().filter(|(_, (_, rank))| Some(*rank) == best);
    let is_twice = |label: &str| seats.iter().filter(|other| *other == label).count() > 1;
    let name = |(seat, (label, _)): (usize, (&String, &u32))| {
        let seat = seat + 1;
        let of = language.pick("seat", "place");
        if is_twice(label) { format!("{label} ({of} {seat})") } else { label.clone() }
    };
    let first: Vec<String> = first.map(name).collect();
    match first.as_slice() {
        [] => String::new(),
        _ if seats.len() == 1 => language.pick("it has ended", "elle est finie").to_owned(),
        [one] => format!("{one} {}", language.pick("wins", "gagne")),
        _ if first.len() == seats.len() => language.pick("a draw", "égalité").to_owned(),
        [others @ .., last] => language.pick(
            format!("{} and {last} share the first place", others.join(", ")),
            format!("{} et {last} partagent la première place", others.join(", ")),
        ),
    }
}

fn versus(seats: &[String]) -> Markup {
    let player = |seat, label: &str| html! { (crate::replay::seat(seat)) " " bdi { (clean(label)) } };
    html! {
        @if seats.len() > 2 {
            span.crowd { @for (seat, label) in seats.iter().enumerate() { span.player { (player(seat, label)) } " " } }
        } @else {
            @for (seat, label) in seats.iter().enumerate() { @if seat > 0 { " – " } (player(seat, label)) }
        }
    }
}

/// The part below the standings: faults and other events.
pub(super) fn news(model: &View<'_>, now: &Now) -> Markup {
    html! {
        @if !now.faults.is_empty() {
            h2 #faults { (model.t("Faults as they come", "Les fautes au fur et à mesure")) }
            @let shown = now.faults.iter().take(NEWEST);
            @if now.fault_count > shown.len() as u64 { p { (model.t("The newest ", "Les plus récentes\u{a0}: ")) (shown.len()) (model.t(" of ", " sur ")) (now.fault_count) "."
                @if model.published.is_served { " " a href="matches/fault-any.html" { (model.t("All matches with faults", "Toutes les parties avec des fautes")) } } } }
            div.lapses { ul {
                @for fault in shown { li { (matches::link(model, &fault.id, "", html! { bdi { (whose(model, fault)) } }))
                    @if !fault.why.is_empty() { ", " bdi { (clean(&fault.why)) } } } }
            } }
        }
        @if !now.notes.is_empty() {
            h2 #notes { (model.t("What else happened", "Autres événements")) }
            div.news tabindex="0" role="region" aria-labelledby="notes" { ul {
                @for note in &now.notes { li { bdi { (clean(note)) } } }
            } }
        }
    }
}

/// Whether all is played so far, and the run waits for new files.
fn is_all_played(now: &Now) -> bool {
    let is_open = now.boards.iter().any(|board| board.ranks.is_none());
    now.matches > 0 && now.done + now.left_out >= now.matches && !is_open
}

/// That the run waits for new files after this number of matches.
fn waiting(model: &View<'_>, done: u64, aside: &str) -> String {
    let all =
        model.counted(done, ["match is played", "matches are played"], ["partie est jouée", "parties sont jouées"]);
    format!("{all}{aside}. {}", model.t("New files can still join.", "De nouveaux fichiers peuvent encore entrer."))
}

fn how_far(model: &View<'_>, now: &Now) -> String {
    let (done, matches) = (now.done, model.counted(now.matches, ["match", "matches"], ["partie", "parties"]));
    let aside = match now.left_out {
        0 => String::new(),
        count => format!(", {count} {}", model.t("left out", "laissées de côté")),
    };
    if now.is_over {
        return format!(
            "{} {done}{}{matches}{aside}.",
            model.t("The run has ended:", "Fini\u{a0}:"),
            model.t(" of ", " sur ")
        );
    }
    if is_all_played(now) {
        return waiting(model, now.done, &aside);
    }
    let speed = now.speed.map_or(String::new(), |speed| {
        // A slow one has figures by the minute.
        let (speed, unit) = if speed < 0.1 {
            (60.0 * speed, model.t("a minute", "par minute"))
        } else {
            (speed, model.t("a second", "par seconde"))
        };
        format!(", {} {}", model.n(format!("{speed:.1}")), unit)
    });
    let left = now
        .left
        .as_ref()
        .map_or(String::new(), |left| format!(", {} {left}", model.t("time left: about", "temps restant\u{a0}:")));
    let how = match now.jobs {
        0 => model.t("workers play", "des ouvriers jouent").to_owned(),
        jobs => format!("{jobs} {}", model.t("at once", "à la fois")),
    };
    let of = model.t(" of ", " sur ");
    format!(
        "{} {done}{of}{matches}{aside}{speed}{left}{}{how}.",
        model.t("Under way:", "En cours\u{a0}:"),
        model.language.pick("; ", "\u{a0}; ")
    )
}
