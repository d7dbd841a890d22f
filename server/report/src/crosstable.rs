//! Who fared how against whom: wins, draws and losses of each pair of clients.

use super::table::{Form, Grid};
use agon_model::visible::escape;
use agon_model::{Entrant, MatchOutcome};
use std::collections::BTreeMap;

/// Wins, draws and losses of one client against another; where more than two sit at the table, each pair of them is
/// counted.
type Score = [u64; 3];

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

    /// The table, in the order of scores: the share of points where a win is one and a draw a half.
    pub fn write(&self, entrants: &[Entrant], form: Form) -> String {
        let scores = &self.0;
        let share = |client: usize| {
            let own = scores.range((client, 0)..=(client, usize::MAX)).map(|(_, score)| score);
            let [wins, draws, losses] = own.fold([0; 3], |sum: Score, score| [0, 1, 2].map(|i| sum[i] + score[i]));
            (2 * wins + draws) as f64 / (2 * (wins + draws + losses)).max(1) as f64
        };
        let label = |client: usize| entrants.get(client).map_or("?".to_owned(), |entrant| escape(&entrant.label, 40));
        let mut order: Vec<usize> = scores.keys().map(|(one, _)| *one).collect();
        order.dedup();
        order.sort_by(|&a, &b| share(b).total_cmp(&share(a)).then_with(|| label(a).cmp(&label(b))));
        let mut grid = Grid::new(&[">#", "client", ">score"]);
        grid.titles.extend((1..=order.len()).map(|place| format!(">{place}")));
        for (place, &one) in order.iter().enumerate() {
            let mut cells = vec![(place + 1).to_string(), label(one), format!("{:.3}", share(one))];
            cells.extend(order.iter().map(|&other| match scores.get(&(one, other)) {
                Some([wins, draws, losses]) => format!("{wins}-{draws}-{losses}"),
                None if one == other => "x".to_owned(),
                None => "-".to_owned(),
            }));
            grid.rows.push(cells);
        }
        grid.write(form)
    }
}
