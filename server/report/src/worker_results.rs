//! Whether clients fared otherwise with one worker, or on one kind of processor, than with all others.

use agon_model::documents::WorkerDifference;
use agon_model::visible::escape;
use agon_model::{BlockRow, LadderRow, MatchOutcome, block_of, counted};
use agon_record::{Record, RecordError};
use agon_stats::sources::{FEWEST, Played, Residual, beyond_chance, residuals};
use std::collections::BTreeMap;

/// The player of each block, and its kind of processor.
pub type PlayedBy = BTreeMap<String, (String, String)>;

/// The name of one source of results, of a worker and its kind of processor.
type NameOf = fn(&(String, String)) -> &str;
/// Settings with line-ups, each with a number.
type Numbers = BTreeMap<(usize, Vec<usize>), usize>;

/// The player of blocks that no worker played.
const COORDINATOR: &str = "(coordinator)";

fn worker((name, _): &(String, String)) -> &str {
    name
}

fn processor((_, class): &(String, String)) -> &str {
    class
}

/// A block, with what each of its clients got.
struct PlayedTogether {
    row: BlockRow,
    id: String,
    setting: usize,
    /// Points and seats of each.
    points: BTreeMap<usize, (f64, u32)>,
    lineup: Vec<usize>,
}

impl PlayedTogether {
    fn new(outcome: &MatchOutcome) -> PlayedTogether {
        let mut lineup: Vec<usize> = outcome.seats.iter().map(|seat| seat.entrant).collect();
        lineup.sort_unstable();
        let id = block_of(&outcome.id).to_owned();
        let (row, setting) = (outcome.block, outcome.setting);
        let mut block = PlayedTogether { row, id, setting, points: BTreeMap::new(), lineup };
        block.add(outcome);
        block
    }

    /// One more match: a seat gets a point for each it is before, and half of one for each it shares a rank with.
    fn add(&mut self, outcome: &MatchOutcome) {
        let others = (outcome.seats.len() - 1).max(1) as f64;
        for seat in &outcome.seats {
            let behind = outcome.seats.iter().filter(|other| other.rank > seat.rank).count() as f64;
            let beside = outcome.seats.iter().filter(|other| other.rank == seat.rank).count() as f64 - 1.0;
            let sums = self.points.entry(seat.entrant).or_default();
            *sums = (sums.0 + (behind + beside / 2.0) / others, sums.1 + 1);
        }
    }

    fn played(&self, source: usize, numbers: &mut Numbers) -> impl Iterator<Item = Played> {
        let next = numbers.len();
        let meeting = *numbers.entry((self.setting, self.lineup.clone())).or_insert(next);
        self.points.iter().map(move |(&player, &(points, seats))| Played {
            meeting,
            source,
            player,
            points: points / f64::from(seats),
        })
    }
}

/// The results of a ladder's workers, compared.
#[derive(Debug)]
pub struct WorkerResults {
    ladder: String,
    blocks: usize,
    differ: Vec<WorkerDifference>,
}

impl WorkerResults {
    /// Compares the results in a ladder. Blocks that are not in `by` were played by the coordinator.
    pub fn compare(record: &dyn Record, ladder: &LadderRow, by: &PlayedBy) -> Result<WorkerResults, RecordError> {
        let mut blocks: Vec<PlayedTogether> = Vec::new();
        record.each_outcome(
            ladder.id,
            &mut |outcome| match blocks.last_mut().filter(|one| one.row == outcome.block) {
                Some(block) => block.add(outcome),
                None => blocks.push(PlayedTogether::new(outcome)),
            },
        )?;
        let members = record.members(ladder.id)?;
        let mut differ = Vec::new();
        for (of, name_of) in [("worker", worker as NameOf), ("processor", processor)] {
            let mut numbers = Numbers::default();
            let mut names = Vec::new();
            let mut played = Vec::new();
            for block in &blocks {
                let name = by.get(&block.id).map_or(COORDINATOR, name_of);
                let source = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                });
                played.extend(block.played(source, &mut numbers));
            }
            differ.extend(beyond_chance(&residuals(&played)).into_iter().map(|residual| {
                let Residual { source, player, blocks, more, z } = residual;
                let client = members.get(player).map_or("?", |member| &member.entrant.label).to_owned();
                WorkerDifference { of: of.to_owned(), name: names[source].to_owned(), client, more, z, blocks }
            }));
        }
        Ok(WorkerResults { ladder: ladder.name.clone(), blocks: blocks.len(), differ })
    }

    /// A line for each client that fared otherwise somewhere, or that there is none.
    pub fn text(&self) -> String {
        let blocks = counted(self.blocks as u64, "block", "blocks");
        let head = format!("ladder {}, {blocks}: ", escape(&self.ladder, 64));
        if self.differ.is_empty() {
            let what = "clients fared alike, as far as chance allows, with all who played at least";
            return head + &format!("{what} {FEWEST} of them\n");
        }
        let line = |one: &WorkerDifference| {
            let WorkerDifference { of, name, client, more, z, blocks } = one;
            let (name, client) = (escape(name, 60), escape(client, 40));
            format!("  {of} {name}: {client} got {more:+.3} a match, {z:+.1} standard errors, in {blocks} blocks\n")
        };
        let lines: String = self.differ.iter().map(line).collect();
        head + "clients fared otherwise than with all others in the same meetings\n"
            + &lines
            + "help: a slow or busy machine does this as well as a dishonest one: [time] scale, [run] audits, agon worker void ID\n"
    }

    /// For a document.
    pub fn differences(&self) -> &[WorkerDifference] {
        &self.differ
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::SeatOutcome;

    fn outcome(entrants: &[usize], ranks: &[u32]) -> MatchOutcome {
        let seat = |(&entrant, &rank)| SeatOutcome { entrant, rank, score: 0, fault: None, notices: 0 };
        let seats = entrants.iter().zip(ranks).map(seat).collect();
        MatchOutcome { block: BlockRow(4), id: "00000000000000aa-a".to_owned(), seats, ..MatchOutcome::default() }
    }

    #[test]
    fn what_clients_get_of_a_block_is_between_none_and_one() {
        let mut block = PlayedTogether::new(&outcome(&[2, 5], &[1, 2]));
        block.add(&outcome(&[5, 2], &[1, 1]));
        let mut numbers = Numbers::default();
        let points: Vec<(usize, f64)> = block.played(0, &mut numbers).map(|one| (one.player, one.points)).collect();
        assert_eq!((block.id.as_str(), points), ("00000000000000aa", vec![(2, 0.75), (5, 0.25)]));
        let three = PlayedTogether::new(&outcome(&[1, 1, 3], &[1, 3, 2]));
        let points: Vec<(usize, f64)> = three.played(0, &mut numbers).map(|one| (one.player, one.points)).collect();
        assert_eq!(points, [(1, 0.5), (3, 0.5)]);
        let met = |block: &PlayedTogether, numbers: &mut Numbers| block.played(0, numbers).next().unwrap().meeting;
        assert_eq!((met(&block, &mut numbers), met(&three, &mut numbers)), (0, 1));
    }
}
