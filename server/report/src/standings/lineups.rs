//! The standings by line-up: how each client fares with just these others at the table.

use super::text::mean_and_interval;
use super::{Standings, add_block};
use crate::grid::{client_label, text_table};
use crate::ratings::mean;
use agon_model::documents::{Lineup, LineupRow};
use agon_model::visible::escape;
use agon_model::{MatchOutcome, Points, SeatOutcome, Tally, TallyRow};
use std::collections::BTreeMap;

/// A tally for each line-up. The line-up is the entrants at the table in ascending order, repeats included; its tally
/// knows each by its place among those that differ, so that memory grows with the line-ups that were played.
pub(super) type ByLineup = BTreeMap<Vec<usize>, Tally>;

/// Adds the matches of one block.
pub(super) fn add(by_lineup: &mut ByLineup, block: &[MatchOutcome], points: Points) {
    let Some(first) = block.first() else { return };
    let mut lineup: Vec<usize> = first.seats.iter().map(|seat| seat.entrant).collect();
    lineup.sort_unstable();
    let different = distinct(&lineup);
    let place = |entrant| different.iter().position(|other| *other == entrant).unwrap_or(usize::MAX);
    let placed = |seat: &SeatOutcome| SeatOutcome { entrant: place(seat.entrant), ..*seat };
    let place_all =
        |outcome: &MatchOutcome| MatchOutcome { seats: outcome.seats.iter().map(placed).collect(), ..outcome.clone() };
    let (seats, block) = (lineup.len(), block.iter().map(place_all).collect::<Vec<MatchOutcome>>());
    add_block(by_lineup.entry(lineup).or_insert_with(|| Tally::new(different.len(), seats, points)), &block);
}

fn distinct(lineup: &[usize]) -> Vec<usize> {
    let mut different = lineup.to_vec();
    different.dedup();
    different
}

impl Standings {
    fn label(&self, entrant: usize) -> &str {
        client_label(&self.entrants, entrant)
    }

    /// A table with a line for each client of each line-up.
    pub(super) fn lineup_table(&self, by_lineup: &ByLineup) -> String {
        let titles = [
            "line-up", "client", ">points", ">from", ">to", ">rank", ">from", ">to", ">score", ">from", ">to",
            ">seats", ">W", ">D", ">L", ">blocks",
        ];
        let mut rows = Vec::new();
        for (lineup, tally) in by_lineup {
            let names: Vec<String> = lineup.iter().map(|entrant| escape(self.label(*entrant), 40)).collect();
            let mut names = names.join(" – ");
            for (line, entrant) in tally.lines().iter().zip(distinct(lineup)) {
                // Said once: the lines below belong to it.
                let mut cells = vec![std::mem::take(&mut names), escape(self.label(entrant), 40)];
                for estimate in [&line.points, &line.rank, &line.score] {
                    cells.extend(mean_and_interval(estimate, line.matches));
                }
                cells.extend([line.matches, line.wins, line.draws, line.losses, line.blocks].map(|n| n.to_string()));
                rows.push(cells);
            }
        }
        format!("\n{}", text_table(&titles, rows))
    }

    /// The same for programs.
    pub(super) fn lineups(&self, by_lineup: &ByLineup) -> Vec<Lineup> {
        let mut lineups = Vec::new();
        for (lineup, tally) in by_lineup {
            let row = |(line, entrant): (TallyRow, usize)| LineupRow {
                client: self.label(entrant).to_owned(),
                matches: line.matches,
                wins: line.wins,
                draws: line.draws,
                losses: line.losses,
                points: mean(&line.points),
                rank: mean(&line.rank),
                score: mean(&line.score),
            };
            lineups.push(Lineup {
                lineup: lineup.iter().map(|entrant| self.label(*entrant).to_owned()).collect(),
                matches: tally.matches(),
                blocks: tally.blocks(),
                clients: tally.lines().into_iter().zip(distinct(lineup)).map(row).collect(),
            });
        }
        lineups
    }
}
