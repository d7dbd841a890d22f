//! A match as one file that needs nothing else: it shows the start and all moves as it is, and steps through the
//! positions by a script that knows no rules.

mod changes;
mod chart;
mod evaluation;
mod heading;
mod marks;
mod packed;
mod pieces;
mod texts;
mod told;

use self::changes::Changes;
pub use self::heading::Neighbours;
pub(crate) use self::heading::{how_it_ended as ending_line, players, seat, sentence};
pub(crate) use self::pieces::{drawn, score};
use super::drawing::Drawing;
use super::named::pictured;
use super::page::Page;
use super::picture::STYLE;
use super::text::{clean, time};
use agon_games::{Language, Scene};
use agon_playback::{Frame, Logged, Playback, value_text};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

/// Where a page of a match is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReplayPlace {
    /// By itself, with everything in it.
    Alone,
    /// In a folder of a site, below its top.
    Site,
}

/// The whole file.
pub fn replay_page(playback: &Playback) -> String {
    page(playback, ReplayPlace::Alone, &Neighbours::default())
}

/// How all pages look.
pub(crate) fn style() -> String {
    [include_str!("../assets/page.css"), STYLE, STYLES].map(str::trim).join("\n")
}

/// The script that steps through a match.
pub(crate) const SCRIPT: &str = include_str!("../assets/replay.js");

/// The page of a match.
pub(crate) fn page(playback: &Playback, place: ReplayPlace, around: &Neighbours) -> String {
    let playback = &pictured(playback);
    let drawing = Drawing::of(playback.frames.iter().map(|frame| &frame.scene));
    let is_alone = place == ReplayPlace::Alone;
    let changes = Changes::of(playback, &drawing);
    let (body, style, data) = (body(playback, &drawing, &changes, around), tight(&style()), changes.packed());
    let script = bare(SCRIPT);
    let policy = policy(&style, &script, place);
    let page = Page {
        language: playback.language,
        title: &heading::caption(playback),
        description: &format!("{} {}", heading::how_it_ended(playback), playback.title),
        policy: &policy,
        style: html! {
            @if is_alone { style { (PreEscaped(&style)) } } @else { link rel="stylesheet" href="../agon.css"; }
        },
        body: html! {
            @if !is_alone { (heading::ways(around, playback.language)) }
            (body)
        },
        script: html! {
            script type="text/plain" id="data" { (PreEscaped(&data)) }
            @if is_alone { script { (PreEscaped(&script)) } } @else { script src="../replay.js" {} script src="../site.js" {} }
        },
    };
    page.into_text()
}

/// A style or script without indents and lines of comment, as a file by itself has it.
fn bare(source: &str) -> String {
    let is_comment = |line: &str| line.starts_with("//") || line.starts_with("/*") && line.ends_with("*/");
    let lines = source.lines().map(str::trim).filter(|line| !line.is_empty() && !is_comment(line));
    lines.collect::<Vec<&str>>().join("\n")
}

/// A style without the blanks that say nothing: each replay file has it.
fn tight(style: &str) -> String {
    let pairs = [("; }", "}"), (" { ", "{"), (" {", "{"), ("; ", ";"), (": ", ":"), (", ", ",")];
    let ends = [("{\n", "{"), ("}\n", "}"), (";\n", ";"), (",\n", ","), (";}", "}")];
    pairs.iter().chain(&ends).fold(bare(style), |style, (blanks, without)| style.replace(blanks, without))
}

const STYLES: &str = include_str!("../assets/replay.css");

/// Everything that the page may do: it runs its own style and script only.
pub(crate) fn policy(style: &str, script: &str, place: ReplayPlace) -> String {
    let from = |text: &str| match place {
        ReplayPlace::Alone => format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes()))),
        ReplayPlace::Site => "'self'".to_owned(),
    };
    let (script, style) = (from(script), from(style));
    format!(
        "default-src 'none'; script-src {script}; style-src {style}; img-src data:; base-uri 'none'; form-action 'none'"
    )
}

fn body(playback: &Playback, drawing: &Drawing, changes: &Changes, around: &Neighbours) -> Markup {
    html! {
        (heading::heading(playback, around))
        main.match.broad[drawing.is_broad()] data-served[around.is_served] { (inside(playback, drawing, changes, around)) }
    }
}

/// A match with its data, as a part of a page that shows other things as well.
pub(crate) fn part(playback: &Playback) -> (Markup, String) {
    let playback = &pictured(playback);
    let drawing = Drawing::of(playback.frames.iter().map(|frame| &frame.scene));
    let (changes, around) = (Changes::of(playback, &drawing), Neighbours::default());
    let inside = inside(playback, &drawing, &changes, &around);
    (html! { (heading::heading(playback, &around)) div.match { (inside) } }, changes.packed())
}

fn inside(playback: &Playback, drawing: &Drawing, changes: &Changes, around: &Neighbours) -> Markup {
    let first = playback.frames.first().map_or_else(Frame::default, Frame::clone);
    let shares = evaluation::shares(playback);
    let t = |english, french| playback.language.pick(english, french);
    let (seen, heard) = first.scene.halves();
    let is_short = playback.frames.iter().all(|frame| frame.outputs.len() <= MOST_OPEN);
    html! {
            section {
                (evaluation::bar(&shares, 0, playback.language))
                (pieces::table(playback, (drawing, changes)))
                noscript { p { (t("Without scripts this page shows the start and all moves.", "Sans scripts, cette page montre le début et tous les coups.")) } }
            }
            section aria-label=(t("the turn", "le tour")) {
                p #told aria-live="polite" { span #at { (t("turn 0 of ", "tour 0 sur ")) (playback.frames.len() - 1) } (t(": ", " : ")) span #said { (clean(&seen)) } span #heard.hear { " " (clean(heard)) } }
                ul #events { @for event in &first.events { li { (clean(event)) } } }
                h2 #list.hear { (t("Moves", "Coups")) }
                (moves(playback))
                (clocks(playback, &first))
                details #output open[is_short] { summary { (t("Printed in the turn", "Écrit pendant le tour")) }
                    pre #printed tabindex="0" { @for line in &first.outputs { (clean(line)) "\n" } } }
            }
            section.charts aria-label=(t("charts", "graphiques")) {
                (evaluation::curve(playback, &shares))
                (chart::times(playback))
                @if shares.is_empty() { (chart::values(playback)) }
                (chart::all_depths(playback))
            }
            section.wide {
                h2 { (t("How it ended", "La fin de la partie")) }
                p.soft { (clean(&playback.title)) }
                pre tabindex="0" { (clean(&playback.explained)) }
                (heading::block(around, playback))
                @if playback.slowest() > 0 { p { a href=(format!("#m{}", playback.slowest())) { (t("The slowest move", "Le coup le plus lent")) } } }
            }
    }
}

/// How a match stands in the eyes of its clients after its last turn so far: a bar beside the board, and charts.
pub(crate) fn thoughts(language: Language, seats: &[String], logged: &[Vec<Logged>]) -> [Markup; 2] {
    let frame = |logged: &Vec<Logged>| Frame { logged: logged.clone(), ..Frame::default() };
    let frames: Vec<Frame> = logged.iter().map(frame).collect();
    let Some(turn) = frames.len().checked_sub(1) else { return [html! {}, html! {}] };
    let playback = Playback { language, seats: seats.to_vec(), frames, ..Playback::default() };
    let shares = evaluation::shares(&playback);
    let charts = html! {
        @if shares.is_empty() { (chart::values(&playback)) } @else { (evaluation::curve(&playback, &shares)) }
        (chart::all_depths(&playback))
    };
    [evaluation::bar(&shares, turn, language), charts]
}

/// The content of a picture, in words.
pub(crate) fn words(drawing: &Drawing, scene: &Scene, language: Language) -> Markup {
    let all = drawing.words(scene, language);
    let mut words = all.iter();
    let has_board = drawing.names().next().is_some();
    html! {
        @if has_board {
            table {
                caption { (language.pick("the board, square by square", "le plateau, case par case")) }
                tbody {
                    @for row in drawing.names() {
                        tr { @for (name, words) in row.zip(&mut words) { th { (clean(name)) } td { (clean(words)) } } }
                    }
                }
            }
        }
        @for line in words { p { (clean(line)) } }
    }
}

fn clocks(playback: &Playback, first: &Frame) -> Markup {
    let own = |seat: usize| playback.own_times.get(seat).filter(|own| !own.is_empty());
    let has_left = first.clocks.iter().any(|clock| clock.1.is_some());
    let t = |english, french| playback.language.pick(english, french);
    html! {
        table #clocks {
            thead { tr { th { (t("Seat", "Place")) } th { "Client" } th.r { (t("Used", "Pris")) } @if has_left { th.r { (t("Left", "Reste")) } } th.r { (t("Rank", "Rang")) } } }
            tbody {
                @for (seat, label) in playback.seats.iter().enumerate() {
                    tr {
                        td { (heading::seat(seat)) }
                        td { bdi { (clean(label)) } @if let Some(own) = own(seat) { " " small { (t("(time ", "(temps ")) (clean(own)) ")" } } }
                        td.r { (time(first.clocks.get(seat).map_or(0, |clock| clock.0))) }
                        @if has_left { td.r { (first.clocks.get(seat).and_then(|clock| clock.1).map_or(String::new(), time)) } }
                        td.r { (playback.ranks.get(seat).map_or(String::new(), u32::to_string)) }
                    }
                }
            }
        }
    }
}

fn moves(playback: &Playback) -> Markup {
    let logged = || playback.frames.iter().flat_map(|frame| &frame.logged);
    let has = [logged().any(|one| one.thought.value.is_some()), logged().any(|one| one.thought.depth.is_some())];
    let has_blunder = playback.frames.iter().any(|frame| frame.is_blunder);
    let t = |english, french| playback.language.pick(english, french);
    let titles = [
        (t("Turn", "Tour"), true),
        (t("Seat", "Place"), true),
        (t("Move", "Coup"), true),
        (t("Time", "Temps"), true),
        (t("Value", "Valeur"), has[0]),
        (t("Depth", "Profondeur"), has[1]),
        (t("Note", "Note"), has_blunder),
    ];
    html! {
        div.many tabindex="0" role="region" aria-labelledby="list" {
            table #moves {
                thead { tr { @for (title, _) in titles.iter().filter(|(_, is_there)| *is_there) { th { (title) } } } }
                tbody { @for (turn, frame) in playback.frames.iter().enumerate() { (rows((turn, playback.language), frame, has, has_blunder)) } }
            }
        }
    }
}

/// Where turns have more printed lines than this, a reader opens them.
const MOST_OPEN: usize = 8;
const CELL: PreEscaped<&str> = PreEscaped("<td>");

fn rows(
    (turn, language): (usize, Language),
    frame: &Frame,
    [has_value, has_depth]: [bool; 2],
    has_note: bool,
) -> Markup {
    let t = |english, french| language.pick(english, french);
    html! {
        @for (index, made) in frame.moves.iter().enumerate() {
            @let logged = frame.logged.iter().find(|logged| logged.seat == made.seat);
            // A match has hundreds of rows, and their tags end without being told.
            @let id = if index == 0 { format!(" id=m{turn}") } else { String::new() };
            (PreEscaped(format!("<tr{id}{}>", if made.fault.is_some() { " class=\"broken\"" } else { "" })))
            (CELL) (turn)
            (CELL) (made.seat + 1)
            (CELL) (clean(&made.text)) @if let Some(kind) = &made.fault { " " (clean(kind)) }
            (CELL) (made.us.map_or_else(|| if frame.is_broken { "–".to_owned() } else { t("by the rules", "selon les règles").to_owned() }, time))
            @if has_value { (CELL) (logged.and_then(|logged| logged.thought.value).map_or(String::new(), value_text)) }
            @if has_depth { (CELL) (logged.and_then(|logged| logged.thought.depth).map_or(String::new(), value_text)) }
            @if has_note { (CELL) @if frame.is_blunder { (t("blunder", "gaffe")) } }
        }
    }
}
