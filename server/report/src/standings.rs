//! The standings of a ladder: results of the record, added up by `agon-stats`, in the order of the table.

mod by_game;
mod csv;
mod feedback;
mod grading;
mod json;
mod lineups;
mod paired_stages;
mod text;
mod times;

pub use self::feedback::{ToldFault, Versus};
pub use self::grading::Grading;

use self::grading::Grade;
use self::lineups::ByLineup;
use self::paired_stages::PairedStages;
use super::Current;
use super::adjudications::Adjudications;
use super::status::{COUNT, Status, full_label, statuses};
use agon_model::{Entrant, FaultKind, LadderRow, MatchOutcome, Points, StatusKind, Tally, TallyRow};
use agon_record::{EachOutcome, Member, StoredStage};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Everything that a table of a ladder shows.
#[derive(Debug)]
pub struct Standings {
    ladder: LadderRow,
    /// Whether the seed is kept back, as long as it is not to be shown: hidden deals follow from it.
    pub keeps_seed: bool,
    entrants: Vec<Entrant>,
    all: Tally,
    /// The entrants whose results count, and the results of the others.
    current: Current,
    former: Option<Tally>,
    /// Clients that others are measured by: they have no place and no grade.
    staff: Vec<bool>,
    by_setting: Vec<Tally>,
    /// Only where it is asked for.
    by_lineup: Option<ByLineup>,
    points: Points,
    /// For each entrant its first match with a fault of its own, in the order of the record.
    first_fault: Vec<Option<String>>,
    /// Void blocks: id, cause, how often each was tried.
    voids: Vec<(String, String, u32)>,
    /// The status of each entrant; empty if nothing is known of it.
    statuses: Vec<Status>,
    /// How many matches were void for the sake of each entrant; as long as `statuses`.
    excused: Vec<u32>,
    /// In which order the table is.
    pub sort: SortKey,
    /// Where each plays alone, so that scores count and not points: whether a higher one is better.
    pub alone: Option<bool>,
    /// The option with which matches begin differently, where all of a setting began from one position.
    pub varied: Option<agon_games::Varied>,
    /// A warning if the order of moves is not balanced; may be empty.
    turns: String,
    /// The effects of matches that clients may end; `None` if they may not, or if these were not counted.
    pub adjudications: Option<Adjudications>,
    /// Only where pairings follow from results.
    paired: Option<PairedStages>,
    /// The grade of each entrant, if it gets one; empty if there are no grades.
    grades: Vec<Option<Grade>>,
}

/// In which order the table is; places are always those by points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum SortKey {
    /// Most points first.
    #[default]
    Points,
    /// By the clients' labels.
    Client,
    /// Most matches first.
    Matches,
    /// The lowest mean rank first.
    Rank,
    /// The highest mean score first.
    Score,
    /// Most faults first.
    Faults,
}

/// A client that does not play any more though it was not refused.
struct Suspended<'a> {
    index: usize,
    entrant: &'a Entrant,
    status: &'a Status,
    why: &'a str,
    /// Its results, if they do not count.
    former: Option<TallyRow>,
}

/// A client that cannot play.
struct Refused<'a> {
    index: usize,
    entrant: &'a Entrant,
    kind: StatusKind,
    why: &'a str,
}

/// The matches of the block that is being added up.
struct Gathering {
    standings: Standings,
    block: Vec<MatchOutcome>,
}

impl Standings {
    /// Adds up what `each` hands over, block by block: `|add| store.each_outcome(ladder, add)`; by line-up too if
    /// `lineups` is set.
    pub fn gather<E>(
        ladder: LadderRow,
        entrants: Vec<Entrant>,
        voids: Vec<(String, String, u32)>,
        points: Points,
        lineups: bool,
        each: impl FnOnce(&mut EachOutcome<'_>) -> Result<(), E>,
    ) -> Result<Standings, E> {
        let by_lineup = lineups.then(ByLineup::new);
        let standings = Standings { voids, by_lineup, ..Standings::empty(ladder, entrants, points) };
        let mut gathering = Gathering { standings, block: Vec::new() };
        each(&mut |outcome| gathering.add(outcome))?;
        gathering.close();
        let mut standings = gathering.standings;
        if let [only] = standings.by_setting.as_mut_slice() {
            only.clone_from(&standings.all);
        }
        Ok(standings)
    }

    /// The standings before the first match.
    fn empty(ladder: LadderRow, entrants: Vec<Entrant>, points: Points) -> Standings {
        let all = Tally::new(entrants.len(), ladder.seats, points);
        Standings {
            by_setting: vec![all.clone(); ladder.settings.len()],
            first_fault: vec![None; entrants.len()],
            ladder,
            keeps_seed: false,
            entrants,
            all,
            current: Current::default(),
            former: None,
            staff: Vec::new(),
            by_lineup: None,
            points,
            voids: Vec::new(),
            statuses: Vec::new(),
            excused: Vec::new(),
            sort: SortKey::default(),
            alone: None,
            varied: None,
            turns: String::new(),
            adjudications: None,
            paired: None,
            grades: Vec::new(),
        }
    }

    /// Adds the members' statuses, the results that do not count, the stages, and the warning about the order of moves
    /// ([`super::Followers::warning`]).
    #[must_use]
    pub(crate) fn with_members(
        self,
        (members, current): (&[Member], Current),
        former: Option<Standings>,
        stages: Vec<StoredStage>,
        turns: String,
    ) -> Standings {
        let excused = members.iter().map(|member| member.voids.values().sum()).collect();
        let (former, paired) = (former.map(|former| former.all), PairedStages::new(members, stages));
        let mut told = Standings { current, statuses: statuses(members), excused, former, paired, turns, ..self };
        let counted = told.all.lines();
        let of_matches = |entrant: usize| match told.former_line(entrant) {
            Some(line) => Some(told.for_nobody(&line)),
            None => counted.get(entrant).filter(|line| line.matches > 0).map(|_| COUNT.to_owned()),
        };
        let sentences: Vec<Option<String>> = (0..told.statuses.len()).map(of_matches).collect();
        for (status, sentence) in told.statuses.iter_mut().zip(sentences) {
            sentence.iter().for_each(|sentence| status.tell(sentence));
        }
        told
    }

    /// Leaves clients that others are measured by out of places and grades; their results stay.
    ///
    /// # Errors
    /// The name of one that is not there.
    pub fn with_staff(self, names: &[String]) -> Result<Standings, String> {
        let is_known = |name: &&String| self.entrants.iter().any(|entrant| entrant.label == **name);
        if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
            return Err(unknown.clone());
        }
        let staff = self.entrants.iter().map(|entrant| names.contains(&entrant.label)).collect();
        Ok(Standings { staff, ..self })
    }

    /// With the grades that a ladder file has.
    #[must_use]
    pub fn with_grades(self, grading: &Grading) -> Standings {
        let grades = grading.of(&self);
        Standings { grades, ..self }
    }

    /// How two stand to each other: by points, or alone by scores; the better one is less.
    fn compare(&self, a: &TallyRow, b: &TallyRow) -> Ordering {
        match self.alone {
            None => b.points.mean.total_cmp(&a.points.mean),
            Some(true) => b.score.mean.total_cmp(&a.score.mean),
            Some(false) => a.score.mean.total_cmp(&b.score.mean),
        }
    }

    /// Tells that files were refused, and in the place of why these words: for readers who may not see others' reasons.
    #[must_use]
    pub fn keeping_reasons(mut self, words: &str) -> Standings {
        let reasons = self.entrants.iter_mut().flat_map(|entrant| &mut entrant.refused);
        reasons.for_each(|why| words.clone_into(why));
        let is_refused = |status: &&mut Status| matches!(status.kind, StatusKind::Refused | StatusKind::Late);
        let of_refused = self.statuses.iter_mut().filter(is_refused);
        of_refused.flat_map(|status| &mut status.why).for_each(|why| words.clone_into(why));
        self
    }

    /// How many matches were void for the sake of an entrant.
    fn excused(&self, entrant: usize) -> u32 {
        self.excused.get(entrant).copied().unwrap_or(0)
    }

    fn is_staff(&self, entrant: usize) -> bool {
        self.staff.get(entrant).copied().unwrap_or(false)
    }

    /// Whether an entrant is somebody's newest version, and not one that others are measured by: it has a line, a grade
    /// and a text.
    pub fn is_somebodys(&self, entrant: usize) -> bool {
        !self.is_staff(entrant) && self.status(entrant) != StatusKind::Replaced
    }

    /// The label of one version alone.
    fn full_label<'a>(&self, index: usize, entrant: &'a Entrant) -> Cow<'a, str> {
        full_label(self.status(index), entrant)
    }

    /// The results of an entrant that do not count.
    fn former_line(&self, entrant: usize) -> Option<TallyRow> {
        let lines = self.former.as_ref().filter(|_| self.current.is_former(entrant))?.lines();
        lines.into_iter().find(|line| line.entrant == entrant && line.matches > 0)
    }

    fn status(&self, entrant: usize) -> StatusKind {
        self.statuses.get(entrant).map_or(StatusKind::Playing, |status| status.kind)
    }

    /// Those that do not play any more though they were not refused, with their statuses.
    fn suspended(&self) -> impl Iterator<Item = Suspended<'_>> {
        let all = self.entrants.iter().zip(&self.statuses).enumerate();
        let suspended = all.filter(|(_, (_, status))| !status.kind.is_present());
        suspended.filter_map(|(index, (entrant, status))| {
            Some(Suspended { index, entrant, status, why: status.why.as_deref()?, former: self.former_line(index) })
        })
    }

    /// The lines of those who played or may play, best first; equal points stand in the order of the labels. Place 0 is
    /// none.
    fn ranked<'a>(&'a self, tally: &Tally) -> Vec<(usize, TallyRow, &'a Entrant)> {
        let mut lines: Vec<(TallyRow, &Entrant)> = tally.lines().into_iter().zip(&self.entrants).collect();
        let gone = |line: &TallyRow| self.status(line.entrant).is_gone();
        lines.retain(|(line, _)| !self.current.is_former(line.entrant));
        lines.retain(|(line, entrant)| line.matches > 0 || (entrant.refused.is_none() && !gone(line)));
        lines.sort_by(|(a, of_a), (b, of_b)| {
            let played = (b.matches > 0).cmp(&(a.matches > 0));
            played.then(self.compare(a, b)).then(of_a.team().cmp(of_b.team())).then(of_a.label.cmp(&of_b.label))
        });
        let mut placed = Vec::new();
        let mut last: Option<(usize, TallyRow)> = None;
        let mut count = 0;
        for (line, of) in lines {
            if self.is_staff(line.entrant) {
                placed.push((0, line, of));
                continue;
            }
            count += 1;
            let place =
                last.as_ref().filter(|(_, above)| self.compare(above, &line).is_eq()).map_or(count, |last| last.0);
            last = Some((place, line.clone()));
            placed.push((place, line, of));
        }
        placed.sort_by(|(_, a, of_a), (_, b, of_b)| self.sort.order((a, &of_a.label), (b, &of_b.label)));
        placed
    }

    /// Those that were refused or came too late, with the reason.
    fn refused(&self) -> impl Iterator<Item = Refused<'_>> {
        let present = |(index, _): &(usize, &Entrant)| self.status(*index).is_present();
        let entrants = self.entrants.iter().enumerate().filter(present);
        entrants.filter_map(|(index, entrant)| {
            let kind = if self.status(index) == StatusKind::Late { StatusKind::Late } else { StatusKind::Refused };
            Some(Refused { index, entrant, kind, why: entrant.refused.as_deref()? })
        })
    }
}

impl SortKey {
    /// Those that are equal stay in the order of points.
    fn order(self, (a, label_a): (&TallyRow, &str), (b, label_b): (&TallyRow, &str)) -> Ordering {
        let faults = |line: &TallyRow| line.faults.values().sum::<u64>();
        match self {
            SortKey::Points => Ordering::Equal,
            SortKey::Client => label_a.cmp(label_b),
            SortKey::Matches => b.matches.cmp(&a.matches),
            SortKey::Rank => a.rank.mean.total_cmp(&b.rank.mean),
            SortKey::Score => b.score.mean.total_cmp(&a.score.mean),
            SortKey::Faults => faults(b).cmp(&faults(a)),
        }
    }
}

impl Gathering {
    fn add(&mut self, outcome: &MatchOutcome) {
        if self.block.first().is_some_and(|first| first.block != outcome.block) {
            self.close();
        }
        for seat in outcome.seats.iter().filter(|seat| seat.fault.is_some()) {
            if let Some(first) = self.standings.first_fault.get_mut(seat.entrant) {
                first.get_or_insert_with(|| outcome.id.clone());
            }
        }
        self.block.push(outcome.clone());
    }

    fn close(&mut self) {
        if let Some(start) = self.block.first().map(MatchOutcome::start) {
            add_block(&mut self.standings.all, &self.block);
            // The only setting has what all have, and gets it at the end.
            let by_setting = Some(&mut self.standings.by_setting).filter(|tallies| tallies.len() > 1);
            if let Some(tally) = by_setting.and_then(|tallies| tallies.get_mut(start.setting)) {
                add_block(tally, &self.block);
            }
            if let Some(by_lineup) = &mut self.standings.by_lineup {
                lineups::add(by_lineup, &self.block, self.standings.points);
            }
            self.block.clear();
        }
    }
}

/// Adds the matches of one block to a tally.
pub(crate) fn add_block(tally: &mut Tally, block: &[MatchOutcome]) {
    if let Some(first) = block.first() {
        tally.add_matches(first.start(), block, |outcome| &outcome.seats, |outcome| outcome.moves_hash);
    }
}

/// Counts of faults in the order of their names.
fn by_name(faults: &BTreeMap<FaultKind, u64>) -> BTreeMap<&'static str, u64> {
    faults.iter().map(|(kind, count)| (kind.name(), *count)).collect()
}
