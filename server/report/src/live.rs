//! The standings of a running ladder: added up block by block, from the record and from new blocks.

use super::Current;
use crate::standings::add_block;
use agon_model::visible::escape;
use agon_model::{Entrant, MatchOutcome, PlayedBlock, Points, Tally, TallyRow};
use agon_record::{EachOutcome, Member};

/// Standings of those who take part now.
pub struct LiveStandings {
    labels: Vec<String>,
    /// For each, whether it has left and counts for nobody.
    former: Vec<bool>,
    tally: Tally,
}

impl LiveStandings {
    /// Nothing is played yet.
    pub fn new(entrants: &[Entrant], seats: usize, points: Points) -> LiveStandings {
        let labels = entrants.iter().map(|entrant| entrant.label.clone()).collect();
        LiveStandings { labels, former: vec![false; entrants.len()], tally: Tally::new(entrants.len(), seats, points) }
    }

    /// Adds what the record has of its members, as far as it counts: `|add| store.each_outcome(ladder, add)`.
    pub fn add_recorded<E>(
        &mut self,
        members: &[Member],
        current: &Current,
        each: impl FnOnce(&mut EachOutcome<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let place = |member: &Member| self.labels.iter().position(|label| *label == member.entrant.label);
        // Nobody has the last index there is: matches of versions that were replaced count for nobody.
        let places: Vec<usize> = members.iter().map(|member| place(member).unwrap_or(usize::MAX)).collect();
        for (index, place) in places.iter().enumerate().filter(|(_, place)| **place != usize::MAX) {
            self.former[*place] = current.is_former(index);
        }
        let mut block: Vec<MatchOutcome> = Vec::new();
        each(&mut |outcome| {
            if block.first().is_some_and(|first| first.block != outcome.block) {
                add_block(&mut self.tally, &std::mem::take(&mut block));
            }
            let mut outcome = outcome.clone();
            outcome.seats.iter_mut().for_each(|seat| {
                seat.entrant = places.get(seat.entrant).copied().unwrap_or(usize::MAX);
            });
            if self.counts(&outcome) {
                block.push(outcome);
            }
        })?;
        add_block(&mut self.tally, &block);
        Ok(())
    }

    fn counts(&self, outcome: &MatchOutcome) -> bool {
        outcome.seats.iter().all(|seat| self.former.get(seat.entrant) == Some(&false))
    }

    /// Adds a block that was just played.
    pub fn add(&mut self, played: &PlayedBlock) {
        let mut block = MatchOutcome::all_of(played);
        block.retain(|outcome| self.counts(outcome));
        add_block(&mut self.tally, &block);
    }

    /// The first ones, best first; nobody is ahead by points where each plays alone.
    fn leaders(&self, most: usize) -> Vec<(String, TallyRow)> {
        if self.tally.seats().len() == 1 {
            return Vec::new();
        }
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
