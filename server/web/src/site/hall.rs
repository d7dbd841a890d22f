//! A ladder on the wall of a lecture hall: its result, the first of the table in large rows, two boards in turn, the
//! last faults. It follows what happens as all served pages do.

use super::home::name;
use super::invite::{self, HallAddress};
use super::now::{self, Now, NowBoard, NowFault};
use super::result::{self, Room};
use super::standings::entrants;
use super::view::View;
use super::{PageKind, headed};
use crate::text::clean;
use maud::{Markup, html};

/// The number of rows that can be read from the last bench.
const ROWS: usize = 10;
/// So much of a bracket or a table of rounds.
const ROOM: Room = Room { rows: ROWS, rounds: 3 };
/// The number of large boards at a time; others have their turn.
const BOARDS: usize = 2;
/// The number of newest faults.
const FAULTS: usize = 3;

/// The page; `ladder` is where the other pages of the ladder are.
pub(super) fn page(model: &View<'_>, now: Option<&Now>, ladder: &str, address: &HallAddress) -> String {
    let is_early = model.published.standings.matches == 0;
    let body = html! {
        div.hall {
            div.result { (result::headline(model, now, ladder))
                @if let Some(now) = now { (now::progress(model, now)) } }
            div.columns.early[is_early] {
                section { (result::section(model, ladder, ROOM)) @if is_early { (entrants(model, ladder)) } @else { (table(model, ladder)) } }
                @if let Some(now) = now.filter(|now| !now.boards.is_empty() || !now.faults.is_empty()) { section {
                    (now::boards(model, &Now { boards: in_turn(now, matches_of_a_block(model)), ..now.clone() }, ladder))
                    @if !now.faults.is_empty() { (faults(model, now)) }
                } }
            }
            (invite::section(model, address))
        }
    };
    // The name leads to the other pages, and a wall needs no row of links.
    let name = &model.published.standings.ladder;
    let heading = html! { h1 { a href=(format!("{ladder}index.html")) { (clean(name)) } } };
    headed((PageKind::Server, model.language), (name, heading), "/", html! {}, body)
}

fn table(model: &View<'_>, ladder: &str) -> Markup {
    let is_alone = model.is_alone();
    let lines = &model.published.standings.clients;
    html! {
        h2 #standings { @if model.published.standings.pairing.is_some() { (model.t("Points in all matches", "Points de toutes les parties")) } @else { (model.t("Standings", "Classement")) } @if lines.len() > ROWS { (model.t(", the first ", ", les premiers\u{a0}: ")) (ROWS) (model.t(" of ", " sur ")) (lines.len()) } }
        div.many tabindex="0" role="region" aria-labelledby="standings" { table {
            thead { tr { th.r { "#" } th { (model.t("Client", "Client")) } th.r { @if is_alone { (model.t("Score", "Score")) } @else { (model.t("Points", "Points")) } } th.r { (model.t("Matches", "Parties")) } } }
            tbody { @for line in lines.iter().take(ROWS) { tr.leads[line.place == Some(1) && line.matches > 0] {
                td.r { (line.shown_place()) }
                td { (name(model, &line.client, ladder)) }
                td.r { @if line.matches > 0 { strong { (model.n(format!("{:.3}", model.measure(line).mean))) } } @else { "–" } }
                td.r { (line.matches) }
            } } }
        } }
    }
}

/// The matches of a block are counted together when it ends.
fn matches_of_a_block(model: &View<'_>) -> u64 {
    (model.published.standings.matches / model.published.standings.blocks.max(1)).max(1)
}

/// Other boards each time that a block ends: no clock is needed, and every page that looks sees the same ones.
fn in_turn(now: &Now, matches_of_a_block: u64) -> Vec<NowBoard> {
    let count = now.boards.len().max(1);
    let from = ((now.done / matches_of_a_block) as usize * BOARDS) % count;
    now.boards.iter().cycle().skip(from).take(BOARDS.min(now.boards.len())).cloned().collect()
}

/// The newest faults; a client that fails again and again in the same way is named once.
fn faults(model: &View<'_>, now: &Now) -> Markup {
    html! {
        h2 #faults { (model.t("Last faults", "Dernières fautes")) }
        ul { @for fault in different(now).take(FAULTS) { li { bdi { (now::whose(model, fault)) } } } }
    }
}

fn different(now: &Now) -> impl Iterator<Item = &NowFault> {
    let is_new = |(number, fault): &(usize, &NowFault)| {
        !now.faults[..*number].iter().any(|newer| (&newer.client, &newer.kind) == (&fault.client, &fault.kind))
    };
    now.faults.iter().enumerate().filter(is_new).map(|(_, fault)| fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_its_turn() {
        let board = |id: usize| NowBoard {
            id: id.to_string(),
            seats: Vec::new(),
            turns: 0,
            scene: None,
            hides: true,
            ranks: None,
        };
        let shown_by = |done: u64, boards: usize, matches: u64| -> Vec<String> {
            let now = Now { done, boards: (0..boards).map(board).collect(), ..Now::default() };
            in_turn(&now, matches).into_iter().map(|board| board.id).collect()
        };
        let shown = |done: u64, boards: usize| shown_by(done, boards, 1);
        assert_eq!([shown_by(0, 4, 2), shown_by(2, 4, 2), shown_by(4, 4, 2)], [["0", "1"], ["2", "3"], ["0", "1"]]);
        assert_eq!([shown(0, 5), shown(1, 5), shown(2, 5)], [["0", "1"], ["2", "3"], ["4", "0"]]);
        assert_eq!(shown(7, 1), ["0"]);
        assert!(shown(7, 0).is_empty());
    }

    #[test]
    fn who_fails_again_and_again_is_named_once() {
        let fault = |(id, client, kind): (&str, &str, &str)| NowFault {
            id: id.to_owned(),
            client: client.to_owned(),
            kind: kind.to_owned(),
            why: String::new(),
        };
        let faults = [("3", "a", "crash"), ("2", "a", "crash"), ("1", "b", "crash"), ("0", "a", "cpu-time")].map(fault);
        let now = Now { faults: faults.to_vec(), ..Now::default() };
        assert_eq!(different(&now).map(|fault| fault.id.as_str()).collect::<Vec<_>>(), ["3", "1", "0"]);
    }
}
