//! A store in memory: the plain reference beside the real one, and what tests can use that need no disk.

use agon_model::{Entrant, MatchOutcome, PlayedBlock};
use agon_record::{Backend, EachOutcome, Kept, LadderRow, Result, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// Everything, in the order in which it came.
#[derive(Default)]
pub struct Memory {
    ladders: Vec<LadderRow>,
    entrants: Vec<Known>,
    blocks: Vec<(i64, PlayedBlock, Vec<i64>)>,
    voids: Vec<(i64, String, String)>,
    leases: BTreeMap<(i64, String), (String, Instant)>,
}

struct Known {
    ladder: i64,
    team: String,
    entrant: Entrant,
    version: u32,
    copy: u32,
}

impl Backend for Memory {
    fn ladder(&self, name: &str) -> Result<Option<LadderRow>> {
        Ok(self.ladders.iter().find(|row| row.name == name).cloned())
    }

    fn begin_ladder(&mut self, row: &LadderRow) -> Result<LadderRow> {
        if self.ladder(&row.name)?.is_some() {
            return Err(StoreError::new(Path::new("memory"), "there is a ladder with this name"));
        }
        let row = LadderRow { id: self.ladders.len() as i64 + 1, ..row.clone() };
        self.ladders.push(row.clone());
        Ok(row)
    }

    fn keep_entrants(&mut self, ladder: i64, entrants: &mut [Entrant]) -> Result<Kept> {
        let teams: Vec<String> = entrants.iter().map(|entrant| entrant.label.clone()).collect();
        let mut kept = Kept::default();
        for entrant in entrants {
            let team = entrant.label.clone();
            let same = |known: &&Known| {
                known.ladder == ladder
                    && (&known.entrant.hash, &known.entrant.options) == (&entrant.hash, &entrant.options)
            };
            let all: Vec<&Known> = self.entrants.iter().filter(same).collect();
            let own = all.iter().find(|known| known.team == team);
            let renamed = all.iter().find(|known| !teams.contains(&known.team));
            let of_team = self.entrants.iter().filter(|known| known.ladder == ladder && known.team == team);
            let next = 1 + of_team.map(|known| known.version).max().unwrap_or(0);
            let version = own.map_or(next, |own| own.version);
            let copy = own.or(renamed).map_or(all.len() as u32, |known| known.copy);
            if version > 1 {
                entrant.label = format!("{team}@{version}");
            }
            let place = self.entrants.iter().position(|known| same(&known) && known.copy == copy);
            let known = Known { ladder, team, entrant: entrant.clone(), version, copy };
            let place = place.unwrap_or(self.entrants.len());
            if place == self.entrants.len() {
                self.entrants.push(known);
            } else {
                self.entrants[place] = known;
            }
            kept.ids.push(place as i64 + 1);
            kept.copies.push(copy);
        }
        Ok(kept)
    }

    fn lease(&mut self, ladder: i64, block: &str, worker: &str, seconds: u64) -> Result<bool> {
        let (key, now) = ((ladder, block.to_owned()), Instant::now());
        let taken = self.leases.get(&key).is_some_and(|(holder, until)| holder != worker && *until > now);
        if taken || self.has_block(ladder, block)? {
            return Ok(false);
        }
        self.leases.insert(key, (worker.to_owned(), now + Duration::from_secs(seconds)));
        Ok(true)
    }

    fn has_block(&self, ladder: i64, block: &str) -> Result<bool> {
        Ok(self.blocks.iter().any(|(its, played, _)| *its == ladder && played.block.id == block))
    }

    fn keep_blocks(&mut self, ladder: i64, blocks: &[PlayedBlock], ids: &[i64]) -> Result<()> {
        for played in blocks {
            if !self.has_block(ladder, &played.block.id)? {
                self.blocks.push((ladder, played.clone(), ids.to_vec()));
            }
        }
        Ok(())
    }

    fn keep_void(&mut self, ladder: i64, block: &str, cause: &str) -> Result<()> {
        self.voids.push((ladder, block.to_owned(), cause.to_owned()));
        Ok(())
    }

    fn voids(&self, ladder: i64) -> Result<Vec<(String, String, u32)>> {
        let mut found: BTreeMap<&str, (&str, u32)> = BTreeMap::new();
        for (_, block, cause) in self.voids.iter().filter(|(its, ..)| *its == ladder) {
            if !self.has_block(ladder, block)? {
                let (most, tries) = found.entry(block).or_default();
                (*most, *tries) = ((*most).max(cause), *tries + 1);
            }
        }
        Ok(found.into_iter().map(|(block, (cause, tries))| (block.to_owned(), cause.to_owned(), tries)).collect())
    }

    fn each_outcome(&self, ladder: i64, each: &mut EachOutcome<'_>) -> Result<()> {
        let of_ladder: BTreeSet<i64> =
            (1..).zip(&self.entrants).filter(|(_, known)| known.ladder == ladder).map(|(id, _)| id).collect();
        let index = |id: i64| of_ladder.iter().position(|its| *its == id).unwrap_or(usize::MAX);
        for (number, (its, played, ids)) in (1..).zip(&self.blocks) {
            for mut outcome in MatchOutcome::all_of(played).into_iter().filter(|_| *its == ladder) {
                outcome.block = number;
                outcome.seats.iter_mut().for_each(|seat| seat.entrant = index(ids[seat.entrant]));
                each(&outcome);
            }
        }
        Ok(())
    }
}
