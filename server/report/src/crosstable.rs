//! Wins, draws and losses of each pair of clients.

use super::grid::{Grid, TableFormat, client_label};
use agon_model::visible::{escape, json_document};
use agon_model::{Entrant, MatchOutcome};
use serde::Serialize;
use std::collections::BTreeMap;

/// Wins, draws and losses of one client against another; where more than two sit at the table, each pair of them is
/// counted.
type Score = [u64; 3];

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    ladder: &'a str,
    /// In the order of the table.
    clients: Vec<Client<'a>>,
}

#[derive(Serialize)]
struct Client<'a> {
    client: &'a str,
    score: f64,
    /// The opponents that it met, in the same order.
    against: Vec<Against<'a>>,
}

#[derive(Serialize)]
struct Against<'a> {
    client: &'a str,
    wins: u64,
    draws: u64,
    losses: u64,
}

/// The crosstable of all who played.
#[derive(Clone, Debug, Default)]
pub struct Crosstable(BTreeMap<(usize, usize), Score>);

impl Crosstable {
    /// Adds a match.
    pub fn add(&mut self, outcome: &MatchOutcome) {
        for (seat, one) in outcome.seats.iter().enumerate() {
            for other in outcome.seats.iter().skip(seat + 1).filter(|other| other.entrant != one.entrant) {
                let result = 1 + usize::from(one.rank > other.rank) - usize::from(one.rank < other.rank);
                self.0.entry((one.entrant, other.entrant)).or_default()[result] += 1;
                self.0.entry((other.entrant, one.entrant)).or_default()[2 - result] += 1;
            }
        }
    }

    /// Wins, draws and losses of each against each other that it met, by their numbers.
    pub fn scores(&self) -> impl Iterator<Item = ((usize, usize), [u64; 3])> {
        self.0.iter().map(|(pair, score)| (*pair, *score))
    }

    /// The share of a client's points, where a win is one and a draw a half.
    fn share(&self, client: usize) -> f64 {
        let own = self.0.range((client, 0)..=(client, usize::MAX)).map(|(_, score)| score);
        let [wins, draws, losses] = own.fold([0; 3], |sum: Score, score| [0, 1, 2].map(|i| sum[i] + score[i]));
        (2 * wins + draws) as f64 / (2 * (wins + draws + losses)).max(1) as f64
    }

    /// All who met somebody, best first.
    fn order(&self, entrants: &[Entrant]) -> Vec<usize> {
        let mut order: Vec<usize> = self.0.keys().map(|(one, _)| *one).collect();
        order.dedup();
        order.sort_by(|&a, &b| {
            self.share(b)
                .total_cmp(&self.share(a))
                .then_with(|| team_and_label(entrants, a).cmp(&team_and_label(entrants, b)))
        });
        order
    }

    /// The table, in the order of scores.
    pub fn write(&self, entrants: &[Entrant], format: TableFormat) -> String {
        let order = self.order(entrants);
        let mut grid = Grid::new(&[">#", "client", ">score"]);
        grid.titles.extend((1..=order.len()).map(|place| format!(">{place}")));
        for (place, &one) in order.iter().enumerate() {
            let name = escape(client_label(entrants, one), 40);
            let mut cells = vec![(place + 1).to_string(), name, format!("{:.3}", self.share(one))];
            cells.extend(order.iter().map(|&other| match self.0.get(&(one, other)) {
                Some([wins, draws, losses]) => format!("{wins}-{draws}-{losses}"),
                None if one == other => "x".to_owned(),
                None => "-".to_owned(),
            }));
            grid.rows.push(cells);
        }
        grid.write(format)
    }

    /// One JSON document, `agon.crosstable/1`, ended by a newline.
    pub fn json(&self, ladder: &str, entrants: &[Entrant]) -> String {
        let order = self.order(entrants);
        let against = |one: usize| {
            let met = order.iter().filter_map(move |&other| Some((other, self.0.get(&(one, other))?)));
            met.map(|(other, &[wins, draws, losses])| Against {
                client: client_label(entrants, other),
                wins,
                draws,
                losses,
            })
        };
        let client = |&one: &usize| Client {
            client: client_label(entrants, one),
            score: self.share(one),
            against: against(one).collect(),
        };
        json_document(&Document { schema: "agon.crosstable/1", ladder, clients: order.iter().map(client).collect() })
    }
}

/// In whose order equal ones stand: versions of one client together.
fn team_and_label(entrants: &[Entrant], client: usize) -> Option<(&str, &str)> {
    entrants.get(client).map(|entrant| (entrant.team(), entrant.label.as_str()))
}
