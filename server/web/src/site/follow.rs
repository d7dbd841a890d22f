//! The page that follows one match under way: its position at large, its moves as they come, its clocks; and the way to
//! its own page when it has ended.

use super::now::result_of;
use super::{PageKind, Ways, headed};
use crate::drawing::{Drawing, Role};
use crate::named::{name_owners, with_names};
use crate::picture::symbols;
use crate::replay::{drawn, ending_line, players, score, seat, sentence, thoughts, words};
use crate::text::{clean, time};
use agon_model::Thought;
use agon_playback::{Followed, Playback};
use maud::{Markup, html};

/// The most moves that are listed, the newest.
const MOST_MOVES: usize = 300;

/// Where a followed match is.
#[derive(Clone, Copy, Debug)]
pub enum FollowedAt<'a> {
    /// On a board.
    Board,
    /// It has ended with these ranks, and its block is still played.
    Ended(&'a [u32]),
    /// In the record, where it has ended.
    Record(&'a Playback),
    /// Nowhere: it has not begun, or it waits for the other matches of its block. These boards are played: ids and
    /// players.
    Nowhere(&'a [(String, String)]),
}

/// The page; the other pages of the ladder are one folder above.
pub fn follow_page(followed: &Followed, at: FollowedAt<'_>, ways: Ways<'_>) -> String {
    let language = followed.language;
    let t = |english, french| language.pick(english, french);
    let title = match followed.seats.as_slice() {
        [] => format!("{} {}", t("Match", "Partie"), followed.id),
        seats => seats.join(" – "),
    };
    let way = ways.row(language, "");
    let [bar, charts] = thoughts(language, &followed.seats, &followed.logged);
    let body = html! {
        @if let FollowedAt::Nowhere(boards @ [_, ..]) = at {
            h2 { (language.pick("Played at the moment", "Parties en cours")) }
            ul { @for (id, players) in boards { li { a href=(format!("{}.html", clean(id))) { (clean(players)) } } } }
        }
        @if !matches!(at, FollowedAt::Nowhere(_)) { div.match {
            section { (bar) (board(followed, matches!(at, FollowedAt::Ended(_)))) }
            section aria-label=(language.pick("the turn", "le tour")) {
                @if let Some(scene) = &followed.scene {
                    @let (seen, heard) = scene.halves();
                    @let told = |words: &str| with_names(&clean(words), &followed.seats);
                    p #told aria-live="polite" { (told(&seen)) span.hear { " " (told(heard)) } }
                }
                (clocks(followed))
                (moves(followed))
                div #thoughts { (charts) }
            }
        } }
        noscript { p { (language.pick(
            "This page follows the match by a script. Without scripts, load it again for newer moves.",
            "Cette page suit la partie par un script. Sans scripts, rechargez-la pour voir les coups suivants.",
        )) } }
    };
    let heading = html! { header {
        @match followed.seats.as_slice() { [] => h1 { (clean(&title)) }, seats => (players(seats)) }
        div role="status" data-follow { (state(followed, at)) }
        @if !followed.seats.is_empty() { p.soft { (t("Match", "Partie")) " " code { (clean(&followed.id)) }
            @if matches!(at, FollowedAt::Board) { " · " (under_way(followed)) } } }
    } };
    headed((PageKind::Server, language), (&title, heading), "/", way, body)
}

/// How far the match is; it is not spoken, for the position says the same.
fn under_way(followed: &Followed) -> String {
    let turns = followed.turns;
    followed.language.pick(format!("Under way: turn {turns}."), format!("En cours : tour {turns}."))
}

/// How the match ended and where all of it is, or why there is nothing to see.
fn state(followed: &Followed, at: FollowedAt<'_>) -> Markup {
    let language = followed.language;
    html! { @match at {
        FollowedAt::Board => {}
        FollowedAt::Ended(ranks) => {
            p.headline { (clean(&sentence(&result_of(&followed.seats, ranks, language), &followed.seats))) }
            p { (language.pick(
                "This is its last position. A link to the whole match comes when all matches of its block are played.",
                "Voici sa dernière position. Un lien vers toute la partie viendra quand toutes les parties de son bloc seront jouées.",
            )) }
        },
        FollowedAt::Record(playback) => {
            p.headline { (clean(&ending_line(playback))) }
            p { a href=(format!("../match/{}.html", clean(&followed.id))) { (language.pick(
                "The whole match, turn by turn", "Toute la partie, tour par tour")) } }
        },
        FollowedAt::Nowhere(_) => {
            p.headline { (language.pick("Waiting for this match.", "En attente de cette partie.")) }
            p { (language.pick(
                "It is on no board at the moment. It has not begun, or it waits until its block is recorded: then this \
                 page leads to it.",
                "Elle n’est sur aucun plateau pour l’instant. Elle n’a pas commencé, ou elle attend que son bloc soit \
                 enregistré : cette page y mènera alors.",
            )) }
        },
    } }
}

/// The position as a picture and in words.
fn board(followed: &Followed, has_ended: bool) -> Markup {
    let language = followed.language;
    let hides = html! { @if followed.hides && !has_ended { p.soft { (language.pick("Hands are hidden until it is over.", "Les mains restent cachées jusqu’à la fin.")) } } };
    let Some(scene) = &followed.scene else { return hides };
    let told = Drawing::of([scene].into_iter());
    let mut named = scene.clone();
    name_owners(&mut named, &followed.seats);
    let drawing = Drawing::of([&named].into_iter());
    let pieces = drawing.pieces();
    let of = |role: Role| pieces.iter().filter(move |piece| piece.role == role);
    let mut things = symbols(drawing.draw(&named).as_str());
    things.push(&drawing.ground);
    things.push(&drawing.draw_ways(&named));
    let mut before = Some(things);
    html! {
        (hides)
        @for piece in of(Role::Score) { (score((&followed.seats, &drawing), piece, &named)) }
        div #board { @for piece in of(Role::Table) { (drawn(&drawing, piece, (&named, before.take()), language)) } }
        // A title alone says what the sentence says as well.
        div #aside { @for piece in of(Role::Aside).filter(|piece| piece.parts[1] > 1) { (drawn(&drawing, piece, (&named, None), language)) } }
        div #words.hear { (words(&told, scene, language)) }
    }
}

fn clocks(followed: &Followed) -> Markup {
    let (language, has_total) = (followed.language, followed.clocks.iter().any(|(_, left)| left.is_some()));
    let last = |seat| followed.logged.iter().rev().flatten().find(|logged| logged.seat == seat).map(|one| one.thought);
    let thoughts: Vec<Thought> = (0..followed.seats.len()).map(|seat| last(seat).unwrap_or_default()).collect();
    let has_depth = thoughts.iter().any(|thought| thought.depth.is_some());
    let has_nodes = thoughts.iter().any(|thought| thought.nodes.is_some());
    html! { table #clocks {
        thead { tr { th { (language.pick("Seat", "Place")) } th { "Client" } th.r { (language.pick("Used", "Pris")) }
            @if has_total { th.r { (language.pick("Left", "Reste")) } }
            @if has_depth { th.r { (language.pick("Depth", "Profondeur")) } }
            @if has_nodes { th.r { (language.pick("Nodes", "Nœuds")) } } } }
        tbody { @for (number, label) in followed.seats.iter().enumerate() {
            @let Thought { depth, nodes, .. } = thoughts[number];
            @let (used, left) = followed.clocks.get(number).copied().unwrap_or_default();
            tr { td { (seat(number)) } td { bdi { (clean(label)) } } td.r { (time(used)) }
                @if has_total { td.r { (left.map_or(String::new(), time)) } }
                @if has_depth { td.r { (depth.map_or(String::new(), agon_playback::value_text)) } }
                @if has_nodes { td.r { (nodes.map_or(String::new(), |nodes| nodes.to_string())) } } }
        } }
    } }
}

/// The moves, the newest first, so that each new one is seen at once.
fn moves(followed: &Followed) -> Markup {
    let (language, count) = (followed.language, followed.moves.len());
    let t = |english, french| language.pick(english, french);
    html! { @if count > 0 {
        h2 #list { (language.pick("Moves, the newest first", "Coups, le plus récent d’abord")) }
        @if count > MOST_MOVES { p { (t("The newest ", "Les plus récentes\u{a0}: ")) (MOST_MOVES) (t(" of ", " sur ")) (count) "." } }
        div.many tabindex="0" role="region" aria-labelledby="list" { table #moves {
            thead { tr { th { (language.pick("Turn", "Tour")) } th { (language.pick("Seat", "Place")) }
                th { (language.pick("Move", "Coup")) } th { (language.pick("Time", "Temps")) } } }
            tbody { @for (turn, made) in followed.moves.iter().rev().take(MOST_MOVES) { tr {
                td { (turn) } td { (seat(made.seat)) } td { (clean(&made.text)) }
                td { (made.us.map_or(t("by the rules", "selon les règles").to_owned(), time)) }
            } } }
        } }
    } }
}
