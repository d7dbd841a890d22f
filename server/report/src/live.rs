//! Who is ahead while a ladder runs: added up block by block, from what the record had and from what is played.

use super::standings::{AddMatch, seat_row};
use agon_model::visible::escape;
use agon_model::{Entrant, PlayedBlock, Points, SeatResult};
use agon_stats::{Fault, SeatRow, Start, Tally, TallyRow};

/// Standings of those who take part now.
pub struct Live {
    labels: Vec<String>,
    tally: Tally,
}

impl Live {
    /// Nothing is played yet.
    pub fn new(entrants: &[Entrant], seats: usize, points: Points) -> Live {
        let labels = entrants.iter().map(|entrant| entrant.label.clone()).collect();
        Live { labels, tally: Tally::new(entrants.len(), seats, points) }
    }

    /// Adds what the record has: `|add| store.each_outcome(ladder, add)`, whose entrants are those of the record.
    ///
    /// # Errors
    /// Those of `each`.
    pub fn add_recorded<E>(
        &mut self,
        entrants: &[Entrant],
        each: impl FnOnce(&mut AddMatch<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let place = |entrant: &Entrant| self.labels.iter().position(|label| *label == entrant.label);
        // Nobody has the last index there is, so that those who left count as opponents only.
        let places: Vec<usize> = entrants.iter().map(|entrant| place(entrant).unwrap_or(usize::MAX)).collect();
        let (mut current, mut rows): (Option<(i64, Start)>, Vec<Vec<SeatRow>>) = (None, Vec::new());
        each(&mut |block, start, _, seats| {
            if let Some((_, start)) = current.filter(|(its, _)| *its != block) {
                self.tally.add_block(start, &std::mem::take(&mut rows));
            }
            current = Some((block, start));
            let row = |seat| {
                let row = seat_row(seat);
                SeatRow { entrant: places.get(row.entrant).copied().unwrap_or(usize::MAX), ..row }
            };
            rows.push(seats.iter().map(row).collect());
        })?;
        current.iter().for_each(|(_, start)| self.tally.add_block(*start, &rows));
        Ok(())
    }

    /// Adds a block that was just played.
    pub fn add(&mut self, played: &PlayedBlock) {
        let row = |seat: &SeatResult| SeatRow {
            entrant: seat.entrant,
            rank: seat.rank,
            score: seat.score,
            fault: seat.fault.as_ref().map(|fault| Fault { kind: fault.kind.name(), is_crash: fault.kind.is_crash() }),
            notices: 0,
        };
        let rows: Vec<Vec<SeatRow>> =
            played.matches.iter().map(|ended| ended.seats.iter().map(row).collect()).collect();
        let state = played.matches.first().map_or(0, |ended| ended.start);
        self.tally.add_block(Start { setting: played.block.setting, state }, &rows);
    }

    /// The first ones, best first.
    fn leaders(&self, most: usize) -> Vec<(String, TallyRow)> {
        let mut lines = self.tally.lines();
        lines.retain(|line| line.matches > 0);
        let label = |line: &TallyRow| &self.labels[line.entrant];
        lines.sort_by(|a, b| b.points.mean.total_cmp(&a.points.mean).then_with(|| label(a).cmp(label(b))));
        lines.truncate(most);
        lines.into_iter().map(|line| (escape(label(&line), 24), line)).collect()
    }

    /// A line each, as in the table; ± is half of the 95 % interval.
    pub fn table(&self, most: usize) -> String {
        let leaders = self.leaders(most);
        let width = leaders.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
        let line = |(place, (label, line)): (usize, (String, TallyRow))| {
            let reach = line.points.reach().map_or(String::new(), |reach| format!(" ± {reach:.3}"));
            format!("{:>3}  {label:width$}  {:.3}{reach}\n", place + 1, line.points.mean)
        };
        leaders.into_iter().enumerate().map(line).collect()
    }

    /// `greedy 0.812, random 0.188`.
    pub fn line(&self, most: usize) -> String {
        let leaders = self.leaders(most).into_iter();
        leaders.map(|(label, line)| format!("{label} {:.3}", line.points.mean)).collect::<Vec<_>>().join(", ")
    }
}
