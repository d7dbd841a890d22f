//! Which results count for places, points and grades: those of the clients that play, among themselves. So the same final
//! files give the same table, whatever was handed in before and whoever has left.

use super::status::statuses;
use agon_model::{LadderId, MatchOutcome, StatusKind};
use agon_record::{EachOutcome, Member, Record, RecordError, RedactedLadder};

/// The entrants whose results count.
#[derive(Clone, Debug, Default)]
pub struct Current {
    /// For each entrant, whether its results are shown apart.
    former: Vec<bool>,
}

impl Current {
    /// Decides from a ladder's roster and the matches that `each` hands over. If pairings follow from results, all
    /// results count: nobody else was met instead. If no match would count, those of clients that left do.
    pub fn of<E>(
        members: &[Member],
        pairs_by_results: bool,
        each: impl FnOnce(&mut EachOutcome<'_>) -> Result<(), E>,
    ) -> Result<Current, E> {
        if pairs_by_results {
            return Ok(Current::default());
        }
        let kinds: Vec<StatusKind> = statuses(members).into_iter().map(|status| status.kind).collect();
        let has_left = |(kind, member): (&StatusKind, &Member)| match kind {
            StatusKind::Playing | StatusKind::Refused | StatusKind::Late => false,
            StatusKind::Benched | StatusKind::Withdrawn | StatusKind::Replaced | StatusKind::FileGone => true,
            // To be forgotten changes nothing for the others.
            StatusKind::Forgotten => member.suspension.is_some(),
        };
        let current = Current { former: kinds.iter().zip(members).map(has_left).collect() };
        let replaced = Current { former: kinds.iter().map(|kind| *kind == StatusKind::Replaced).collect() };
        if current.former == replaced.former {
            return Ok(current);
        }
        let mut has_counted = false;
        each(&mut |outcome| has_counted |= current.counts(outcome))?;
        Ok(if has_counted { current } else { replaced })
    }

    /// Decides for a ladder of a record, with its members.
    pub fn of_record<R: Record + ?Sized>(
        record: &R,
        ladder: LadderId,
        members: &[Member],
    ) -> Result<Current, RecordError> {
        Current::of(members, !record.stages(ladder)?.is_empty(), |each| record.each_outcome(ladder, each))
    }

    /// Decides for a ladder as it may be told.
    pub fn of_redacted<R: Record + ?Sized>(redacted: &RedactedLadder<'_, R>) -> Result<Current, RecordError> {
        Current::of(redacted.members(), !redacted.stages()?.is_empty(), |each| redacted.each_outcome(each))
    }

    /// Hands over the matches that count.
    pub fn each_outcome<R: Record + ?Sized>(
        &self,
        redacted: &RedactedLadder<'_, R>,
        each: &mut EachOutcome<'_>,
    ) -> Result<(), RecordError> {
        redacted.each_outcome(&mut |outcome| {
            if self.counts(outcome) {
                each(outcome);
            }
        })
    }

    /// Whether results of this entrant are shown apart.
    pub fn is_former(&self, entrant: usize) -> bool {
        self.former.get(entrant).copied().unwrap_or(false)
    }

    /// Whether a match counts.
    pub fn counts(&self, outcome: &MatchOutcome) -> bool {
        self.counts_of(outcome.seats.iter().map(|seat| seat.entrant))
    }

    /// Whether a match of these entrants counts.
    pub fn counts_of(&self, mut entrants: impl Iterator<Item = usize>) -> bool {
        !entrants.any(|entrant| self.is_former(entrant))
    }

    /// A line below a table from which matches are left out; nothing where all count.
    pub fn note(&self) -> &'static str {
        if self.is_all() {
            ""
        } else {
            "matches of replaced versions and of clients that left are left out; agon standings shows them apart\n"
        }
    }

    /// Whether all matches count.
    pub fn is_all(&self) -> bool {
        !self.former.contains(&true)
    }
}
