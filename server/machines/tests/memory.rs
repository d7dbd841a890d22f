//! A record in memory: the plain reference beside those of databases.

use agon_model::{
    BlockRow, Entrant, EntrantId, Excuse, FaultKind, LadderId, LadderRow, Look, MatchOutcome, SeatOutcome, Stage,
    Suspension, SuspensionKind,
};
use agon_record::*;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Everything, in the order in which it came; numbers count from 1.
#[derive(Default)]
pub struct Memory(RefCell<Tables>);

#[derive(Default)]
struct Tables {
    ladders: Vec<LadderRow>,
    /// The one worked on last is last.
    used: Vec<LadderId>,
    frozen: BTreeMap<LadderId, u64>,
    ended: BTreeSet<LadderId>,
    entrants: Vec<Known>,
    suspensions: Vec<Suspended>,
    excuses: Vec<(LadderId, EntrantId, Excuse)>,
    looks: BTreeMap<(String, String), Look>,
    stages: BTreeMap<(LadderId, usize), StoredStage>,
    blocks: Vec<EncodedBlock>,
    voids: Vec<(LadderId, String, String)>,
}

struct Known {
    ladder: LadderId,
    team: String,
    entrant: Entrant,
    version: u32,
    copy: u32,
    present: bool,
}

struct Suspended {
    ladder: LadderId,
    entrant: EntrantId,
    suspension: Suspension,
    /// Blocks that were kept when the entrant was let back.
    counted: Option<BlockRow>,
}

struct Moment;

impl ReadingMoment for Moment {}

impl Tables {
    fn block(&self, ladder: LadderId, id: &str) -> Option<(i64, &EncodedBlock)> {
        (1..).zip(&self.blocks).find(|(_, block)| block.ladder == ladder && block.id == id)
    }

    fn keep(&mut self, ladder: LadderId, entrant: &mut Entrant, teams: &[String]) -> (EntrantId, u32) {
        let team = entrant.label.clone();
        let same = |known: &&Known| {
            known.ladder == ladder && (&known.entrant.hash, &known.entrant.options) == (&entrant.hash, &entrant.options)
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
        let is_it = |known: &Known| {
            known.ladder == ladder
                && known.copy == copy
                && (&known.entrant.hash, &known.entrant.options) == (&entrant.hash, &entrant.options)
        };
        let place = self.entrants.iter().position(is_it).unwrap_or(self.entrants.len());
        let known = Known { ladder, team, entrant: entrant.clone(), version, copy, present: true };
        match self.entrants.get_mut(place) {
            Some(there) => *there = known,
            None => self.entrants.push(known),
        }
        (EntrantId(place as i64 + 1), copy)
    }

    fn member(&self, id: EntrantId, known: &Known) -> Member {
        let own = |suspension: &&Suspended| suspension.ladder == known.ladder && suspension.entrant == id;
        let concerns = |suspension: &&Suspended| {
            let team = &self.entrants[suspension.entrant.0 as usize - 1].team;
            let is_withdrawn = suspension.suspension.kind == SuspensionKind::Withdrawn;
            suspension.counted.is_none()
                && suspension.ladder == known.ladder
                && (own(suspension) || is_withdrawn && *team == known.team)
        };
        let mut suspensions: Vec<&Suspended> = self.suspensions.iter().filter(concerns).collect();
        suspensions.sort_by_key(|suspension| suspension.suspension.kind != SuspensionKind::Withdrawn);
        let mut voids = BTreeMap::new();
        let excuses = self.excuses.iter().filter(|(ladder, entrant, _)| (*ladder, *entrant) == (known.ladder, id));
        excuses.for_each(|(.., excuse)| *voids.entry(*excuse).or_default() += 1);
        Member {
            id,
            entrant: known.entrant.clone(),
            team: known.team.clone(),
            version: known.version,
            present: known.present,
            suspension: suspensions.first().map(|suspension| suspension.suspension.clone()),
            pardoned: self
                .suspensions
                .iter()
                .filter(own)
                .filter_map(|suspension| suspension.counted)
                .max()
                .unwrap_or_default(),
            voids,
        }
    }
}

/// What a block with this number came to.
fn outcomes(number: i64, block: &EncodedBlock, index: &IndexOf<'_>) -> Vec<MatchOutcome> {
    let seat = |seat: &EncodedSeat| SeatOutcome {
        entrant: index(seat.entrant),
        rank: seat.rank,
        score: seat.score,
        fault: seat.fault.map(|name| FaultKind::named(name).unwrap()),
        notices: seat.notices as u32,
    };
    let outcome = |one: &EncodedMatch| MatchOutcome {
        block: BlockRow(number),
        setting: block.setting as usize,
        opening: block.opening as u64,
        id: one.id.clone(),
        start: one.start as u64,
        moves_hash: one.moves_hash as u64,
        seats: one.seats.iter().map(seat).collect(),
    };
    block.matches.iter().map(outcome).collect()
}

impl Record for Memory {
    fn read_moment(&self) -> Result<Box<dyn ReadingMoment + '_>> {
        Ok(Box::new(Moment))
    }

    fn ladder(&self, name: &str) -> Result<Option<LadderRow>> {
        Ok(self.0.borrow().ladders.iter().find(|row| row.name == name).cloned())
    }

    fn newest_ladder(&self) -> Result<Option<LadderRow>> {
        let tables = self.0.borrow();
        Ok(tables.used.last().map(|id| tables.ladders[id.0 as usize - 1].clone()))
    }

    fn begin_ladder(&mut self, row: &LadderRow) -> Result<LadderRow> {
        if self.ladder(&row.name)?.is_some() {
            return Err(RecordError::new(Path::new("memory"), "there is a ladder with this name"));
        }
        let Tables { ladders, used, .. } = self.0.get_mut();
        let row = LadderRow { id: LadderId(ladders.len() as i64 + 1), ..row.clone() };
        ladders.push(row.clone());
        used.push(row.id);
        Ok(row)
    }

    fn touch_ladder(&self, ladder: LadderId) -> Result<()> {
        self.0.borrow_mut().used.push(ladder);
        Ok(())
    }

    fn archive_ladder(&self, ladder: &LadderRow) -> Result<String> {
        let name = format!("{}~{}", ladder.name, ladder.id);
        self.0.borrow_mut().ladders[ladder.id.0 as usize - 1].name = name.clone();
        Ok(name)
    }

    fn frozen(&self, ladder: LadderId) -> Result<Option<u64>> {
        Ok(self.0.borrow().frozen.get(&ladder).copied())
    }

    fn freeze(&self, ladder: LadderId, seconds: u64) -> Result<()> {
        self.0.borrow_mut().frozen.insert(ladder, seconds);
        Ok(())
    }

    fn has_ended(&self, ladder: LadderId) -> Result<bool> {
        Ok(self.0.borrow().ended.contains(&ladder))
    }

    fn mark_ended(&self, ladder: LadderId, has_ended: bool) -> Result<()> {
        let ended = &mut self.0.borrow_mut().ended;
        if has_ended {
            ended.insert(ladder)
        } else {
            ended.remove(&ladder)
        };
        Ok(())
    }

    fn keep_entrants(&mut self, ladder: LadderId, entrants: &mut [Entrant]) -> Result<KeptEntrants> {
        let tables = self.0.get_mut();
        tables.entrants.iter_mut().filter(|known| known.ladder == ladder).for_each(|known| known.present = false);
        let teams: Vec<String> = entrants.iter().map(|entrant| entrant.label.clone()).collect();
        let mut kept = KeptEntrants::default();
        for entrant in entrants {
            let (id, copy) = tables.keep(ladder, entrant, &teams);
            kept.ids.push(id);
            kept.copies.push(copy);
        }
        Ok(kept)
    }

    fn members(&self, ladder: LadderId) -> Result<Vec<Member>> {
        let tables = self.0.borrow();
        let own = (1..).zip(&tables.entrants).filter(|(_, known)| known.ladder == ladder);
        Ok(own.map(|(id, known)| tables.member(EntrantId(id), known)).collect())
    }

    fn suspend(&self, ladder: LadderId, entrant: EntrantId, suspension: &Suspension) -> Result<()> {
        self.0.borrow_mut().suspensions.push(Suspended {
            ladder,
            entrant,
            suspension: suspension.clone(),
            counted: None,
        });
        Ok(())
    }

    fn lift_suspension(&self, ladder: LadderId, entrant: EntrantId) -> Result<()> {
        let is_own = |one: &&mut Suspended| {
            let by_agon = one.suspension.kind == SuspensionKind::Benched && !one.suspension.by_hand;
            by_agon && one.ladder == ladder && one.entrant == entrant && one.counted.is_none()
        };
        let mut tables = self.0.borrow_mut();
        tables.suspensions.iter_mut().filter(is_own).for_each(|one| one.counted = Some(BlockRow(0)));
        Ok(())
    }

    fn let_back(&self, ladder: LadderId, member: &Member) -> Result<bool> {
        let mut tables = self.0.borrow_mut();
        let Tables { suspensions, entrants, blocks, .. } = &mut *tables;
        let concerns = |suspension: &&mut Suspended| {
            let is_withdrawn = suspension.suspension.kind == SuspensionKind::Withdrawn;
            let is_of_team = is_withdrawn && entrants[suspension.entrant.0 as usize - 1].team == member.team;
            suspension.ladder == ladder
                && suspension.counted.is_none()
                && (suspension.entrant == member.id || is_of_team)
        };
        let mut any = false;
        for suspension in suspensions.iter_mut().filter(concerns) {
            (suspension.counted, any) = (Some(BlockRow(blocks.len() as i64)), true);
        }
        Ok(any)
    }

    fn keep_excuses(&self, ladder: LadderId, excuses: &[(EntrantId, Excuse)]) -> Result<()> {
        let kept = excuses.iter().map(|(entrant, excuse)| (ladder, *entrant, *excuse));
        self.0.borrow_mut().excuses.extend(kept);
        Ok(())
    }

    fn look(&self, hash: &str, context: &str) -> Result<Option<Look>> {
        Ok(self.0.borrow().looks.get(&(hash.to_owned(), context.to_owned())).cloned())
    }

    fn keep_look(&self, hash: &str, context: &str, look: &Look) -> Result<()> {
        self.0.borrow_mut().looks.insert((hash.to_owned(), context.to_owned()), look.clone());
        Ok(())
    }

    fn match_size(&self, game: &str, seats: usize) -> Result<Option<MatchSize>> {
        let tables = self.0.borrow();
        let of_game = |block: &&EncodedBlock| {
            let row = &tables.ladders[block.ladder.0 as usize - 1];
            row.game == game && row.seats == seats
        };
        let matches: Vec<_> = tables.blocks.iter().filter(of_game).flat_map(|block| &block.matches).collect();
        let mean = |total: usize| (total / matches.len().max(1)) as u64;
        let steps = mean(matches.iter().map(|one| one.steps.len()).sum()) / 48;
        let outputs = mean(matches.iter().map(|one| one.outputs.as_ref().map_or(0, String::len)).sum());
        Ok((!matches.is_empty()).then_some(MatchSize { record: 48 * steps + outputs, steps, outputs }))
    }

    fn record_stage(&self, ladder: LadderId, number: usize, stage: &Stage) -> Result<()> {
        self.0.borrow_mut().stages.insert((ladder, number), (stage.clone(), None));
        Ok(())
    }

    fn close_stage(&self, ladder: LadderId, number: usize, scores: &[Vec<i64>]) -> Result<()> {
        self.0.borrow_mut().stages.get_mut(&(ladder, number)).unwrap().1 = Some(scores.to_vec());
        Ok(())
    }

    fn stages(&self, ladder: LadderId) -> Result<Vec<StoredStage>> {
        let tables = self.0.borrow();
        let own = tables.stages.iter().filter(|((its, _), _)| *its == ladder);
        Ok(own.map(|(_, stage)| stage.clone()).collect())
    }

    fn keep_blocks(&mut self, blocks: &[&EncodedBlock]) -> Result<()> {
        for block in blocks {
            if !self.has_block(block.ladder, &block.id)? {
                self.0.get_mut().blocks.push((*block).clone());
            }
        }
        Ok(())
    }

    fn count_blocks(&self, ladder: LadderId) -> Result<u64> {
        Ok(self.0.borrow().blocks.iter().filter(|block| block.ladder == ladder).count() as u64)
    }

    fn has_block(&self, ladder: LadderId, block: &str) -> Result<bool> {
        Ok(self.0.borrow().block(ladder, block).is_some())
    }

    fn block_outcomes(&self, ladder: LadderId, block: &str, index: &IndexOf<'_>) -> Result<Option<Vec<MatchOutcome>>> {
        let tables = self.0.borrow();
        Ok(tables.block(ladder, block).map(|(number, block)| outcomes(number, block, index)))
    }

    fn keep_void(&self, ladder: LadderId, block: &str, cause: &str) -> Result<()> {
        self.0.borrow_mut().voids.push((ladder, block.to_owned(), cause.to_owned()));
        Ok(())
    }

    fn voids(&self, ladder: LadderId) -> Result<Vec<(String, String, u32)>> {
        let tables = self.0.borrow();
        let mut found: BTreeMap<&str, (&str, u32)> = BTreeMap::new();
        for (_, block, cause) in tables.voids.iter().filter(|(its, ..)| *its == ladder) {
            if tables.block(ladder, block).is_none() {
                let (most, tries) = found.entry(block).or_default();
                (*most, *tries) = ((*most).max(cause), *tries + 1);
            }
        }
        Ok(found.into_iter().map(|(block, (cause, tries))| (block.to_owned(), cause.to_owned(), tries)).collect())
    }

    fn each_outcome(&self, ladder: LadderId, each: &mut EachOutcome<'_>) -> Result<()> {
        let tables = self.0.borrow();
        let own =
            (1i64..).zip(&tables.entrants).filter(|(_, known)| known.ladder == ladder).map(|(id, _)| EntrantId(id));
        let own: Vec<EntrantId> = own.collect();
        let index = |entrant: EntrantId| own.iter().position(|id| *id == entrant).unwrap_or(usize::MAX);
        let blocks = (1..).zip(&tables.blocks).filter(|(_, block)| block.ladder == ladder);
        blocks.flat_map(|(number, block)| outcomes(number, block, &index)).for_each(|outcome| each(&outcome));
        Ok(())
    }
}
