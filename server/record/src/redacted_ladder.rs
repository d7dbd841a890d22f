//! A ladder of a record in redacted form. Outputs that can be anonymous read this type and never the record itself, so
//! nothing bypasses the redaction.

use super::Redaction;
use crate::{
    Archive, EachOutcome, Filter, Listed, Member, Record, RecordError, StoredBlock, StoredStage, StoredSuspension,
};
use agon_model::{Entrant, EntrantId, LadderRow, StoredMatch, Suspension};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// A ladder whose clients have their redacted order and names. Indices of entrants in all its results are places in
/// [`RedactedLadder::members`].
pub struct RedactedLadder<'a, R: Record + ?Sized> {
    record: &'a R,
    ladder: &'a LadderRow,
    /// The redaction; `None` = nothing is redacted.
    redaction: Option<&'a Redaction>,
    members: Vec<Member>,
    /// The place in `members` of each client, by its index in the record.
    places: Vec<usize>,
}

impl<'a, R: Record + ?Sized> RedactedLadder<'a, R> {
    /// A ladder under a redaction.
    pub fn new(record: &'a R, ladder: &'a LadderRow, redaction: &'a Redaction) -> Result<Self, RecordError> {
        let members = record.members(ladder.id)?;
        let ids: Vec<EntrantId> = members.iter().map(|member| member.id).collect();
        let places = redaction.places(ladder.id, &ids);
        let mut redacted: Vec<_> = places.iter().copied().zip(redaction.members(members, &places)).collect();
        redacted.sort_by_key(|(place, _)| *place);
        let members = redacted.into_iter().map(|(_, member)| member).collect();
        Ok(RedactedLadder { record, ladder, redaction: Some(redaction), members, places })
    }

    /// A ladder without redaction, for readers that may read the record.
    pub fn whole(record: &'a R, ladder: &'a LadderRow) -> Result<Self, RecordError> {
        let members = record.members(ladder.id)?;
        let places = (0..members.len()).collect();
        Ok(RedactedLadder { record, ladder, redaction: None, members, places })
    }

    /// The fixed facts about it, none of which come from clients.
    pub fn ladder(&self) -> &'a LadderRow {
        self.ladder
    }

    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Their files, options and labels.
    pub fn entrants(&self) -> Vec<Entrant> {
        self.members.iter().map(|member| member.entrant.clone()).collect()
    }

    /// Void blocks, with the cause and the number of tries.
    pub fn voids(&self) -> Result<Vec<(String, String, u32)>, RecordError> {
        let voids = self.record.voids(self.ladder.id)?.into_iter();
        Ok(voids.map(|(block, cause, tries)| (block, self.words(&cause), tries)).collect())
    }

    /// The stages. At first, clients stand in the order in which they entered: it is omitted if they are anonymous.
    pub fn stages(&self) -> Result<Vec<StoredStage>, RecordError> {
        let mut stages = self.record.stages(self.ladder.id)?;
        if self.is_anonymous() {
            let place: BTreeMap<EntrantId, usize> =
                self.members.iter().enumerate().map(|(place, member)| (member.id, place)).collect();
            stages.iter_mut().for_each(|(stage, _)| stage.order.sort_by_key(|id| place.get(id).copied()));
        }
        Ok(stages)
    }

    /// Passes the outcome of each match to `each`.
    pub fn each_outcome(&self, each: &mut EachOutcome<'_>) -> Result<(), RecordError> {
        if !self.is_anonymous() {
            return self.record.each_outcome(self.ladder.id, each);
        }
        self.record.each_outcome(self.ladder.id, &mut |outcome| {
            let mut outcome = outcome.clone();
            outcome.seats.iter_mut().for_each(|seat| seat.entrant = self.place(seat.entrant));
            each(&outcome);
        })
    }

    /// Whether the ladder has ended.
    pub fn has_ended(&self) -> Result<bool, RecordError> {
        self.record.has_ended(self.ladder.id)
    }

    /// Whether the owners of clients are hidden.
    pub fn is_anonymous(&self) -> bool {
        self.redaction.is_some_and(Redaction::is_anonymous)
    }

    /// Redacts a text that may contain a client's words.
    fn words(&self, text: &str) -> String {
        self.redaction.map_or_else(|| text.to_owned(), |redaction| redaction.words(text))
    }

    /// The place of an entrant; one without a place has the last one.
    fn place(&self, entrant: usize) -> usize {
        self.places.get(entrant).copied().unwrap_or(usize::MAX)
    }
}

impl<R: Archive + ?Sized> RedactedLadder<'_, R> {
    /// The matches that pass a filter.
    pub fn matches(&self, filter: &Filter) -> Result<Vec<Listed>, RecordError> {
        let mut matches = self.record.matches(self.ladder, filter)?;
        let seats = matches.iter_mut().flat_map(|listed| &mut listed.seats);
        seats.for_each(|seat| seat.entrant = self.place(seat.entrant));
        Ok(matches)
    }

    /// The oldest match that a search through this many blocks reaches; `None` if it reaches all.
    pub fn reach(&self, before: Option<&str>, blocks: u64) -> Result<Option<String>, RecordError> {
        self.record.reach(self.ladder.id, before, blocks)
    }

    /// The match with exactly this id.
    pub fn match_of(&self, id: &str) -> Result<Option<StoredMatch>, RecordError> {
        let Some(mut stored) = self.record.match_of(self.ladder.id, id)? else { return Ok(None) };
        stored.entrants = self.entrants();
        self.tell(&mut stored.played);
        Ok(Some(stored))
    }

    /// Passes block after block to `each` until it breaks.
    pub fn each_block(&self, each: &mut dyn FnMut(&StoredBlock) -> ControlFlow<()>) -> Result<(), RecordError> {
        self.record.each_block(self.ladder.id, &mut |block| {
            let StoredBlock { id, setting, opening, matches } = block;
            let mut matches = matches.clone();
            matches.iter_mut().for_each(|played| self.tell(played));
            each(&StoredBlock { id: id.clone(), setting: *setting, opening: *opening, matches })
        })
    }

    /// The suspensions, including clients that were let back.
    pub fn suspensions(&self) -> Result<Vec<StoredSuspension>, RecordError> {
        let tell = |stored: StoredSuspension| {
            let Suspension { kind, by_hand, why, since, schedule } = stored.suspension;
            let why = self.words(&why);
            StoredSuspension { suspension: Suspension { kind, by_hand, why, since, schedule }, ..stored }
        };
        Ok(self.record.suspensions(self.ladder.id)?.into_iter().map(tell).collect())
    }

    fn tell(&self, played: &mut agon_model::Match) {
        played.seats.iter_mut().for_each(|seat| seat.entrant = self.place(seat.entrant));
        self.redaction.into_iter().for_each(|redaction| redaction.redact_match(played));
    }
}
