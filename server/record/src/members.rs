//! The entrants of a ladder: their versions, their presence, and which were suspended and let back.

use super::query::json;
use super::results::unknown;
use super::{Result, SqliteRecord, select, to_json};
use agon_model::{BlockRow, Entrant, EntrantId, Excuse, LadderId, Suspension, SuspensionKind};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use std::collections::BTreeMap;

/// An entrant as the record has it. `entrant.label` is the team's name, with `@2` and so on for its later versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its number in the record.
    pub id: EntrantId,
    pub entrant: Entrant,
    /// The label that all its versions share.
    pub team: String,
    /// The version, from 1, in order of arrival.
    pub version: u32,
    /// Whether the newest run found its file.
    pub present: bool,
    /// Why it gets no new blocks.
    pub suspension: Option<Suspension>,
    /// Its failures up to this row of `block` do not count: it was let back after them.
    pub pardoned: BlockRow,
    /// The number of matches that were void because of it, by cause.
    pub voids: BTreeMap<Excuse, u32>,
}

impl Member {
    /// `red` is the version of red that takes part now, or else its last one; `red@1` is its first.
    pub fn named<'a>(members: &'a [Member], name: &str) -> Option<&'a Member> {
        let of_team = members.iter().filter(|member| member.team == name);
        of_team.max_by_key(|member| (member.present, member.version)).or_else(|| {
            let (team, version) = name.rsplit_once('@')?;
            let version: u32 = version.parse().ok()?;
            members.iter().find(|member| member.team == team && member.version == version)
        })
    }
}

/// An entrant's suspension, and perhaps its end: a row of the table `suspension`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSuspension {
    pub entrant: EntrantId,
    /// The reason, and its beginning.
    pub suspension: Suspension,
    /// Its time, seconds since 1970.
    pub at: i64,
    /// The time when it was let back, in the same unit.
    pub let_back: Option<i64>,
    /// The last block before that: earlier failures do not count.
    pub counted: Option<String>,
}

/// The entrants that take part, in the given order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptEntrants {
    /// Their numbers in the record.
    pub ids: Vec<EntrantId>,
    /// The number of each among copies with the same file and options, from 0: the record tells them apart for ever.
    pub copies: Vec<u32>,
}

impl SqliteRecord {
    pub(super) fn members(&self, ladder: LadderId) -> Result<Vec<Member>> {
        let suspensions = self.suspensions(ladder)?;
        let pardons =
            "SELECT entrant, max(counted) FROM suspension WHERE ladder = ?1 AND let_back IS NOT NULL GROUP BY entrant";
        let pardons: BTreeMap<EntrantId, BlockRow> = self
            .all(pardons, [ladder.0], |row| Ok((EntrantId(row.get(0)?), BlockRow(row.get(1)?))))?
            .into_iter()
            .collect();
        let voids = "SELECT entrant, cause, count(*) FROM excuse WHERE ladder = ?1 GROUP BY entrant, cause";
        let voids: Vec<(EntrantId, String, u32)> =
            self.all(voids, [ladder.0], |row| Ok((EntrantId(row.get(0)?), row.get(1)?, row.get(2)?)))?;
        let select = "SELECT id, label, file, hash, options, refused, team, version, present FROM entrant
                      WHERE ladder = ?1 ORDER BY id";
        let mut members = self.all(select, [ladder.0], member)?;
        for member in &mut members {
            let concerns = |(entrant, team, suspension): &&(EntrantId, String, Suspension)| {
                *entrant == member.id || (suspension.kind == SuspensionKind::Withdrawn && *team == member.team)
            };
            member.suspension = suspensions.iter().find(concerns).map(|(_, _, suspension)| suspension.clone());
            member.pardoned = pardons.get(&member.id).copied().unwrap_or_default();
            let own = voids.iter().filter(|(entrant, ..)| *entrant == member.id);
            member.voids = own.filter_map(|(_, cause, count)| Some((Excuse::named(cause)?, *count))).collect();
        }
        Ok(members)
    }

    /// All suspended entrants: number, team, reason.
    fn suspensions(&self, ladder: LadderId) -> Result<Vec<(EntrantId, String, Suspension)>> {
        let select = "SELECT s.entrant, entrant.team, s.kind, s.by_hand, s.why, s.since, s.schedule
                      FROM suspension AS s JOIN entrant ON s.entrant = entrant.id
                      WHERE s.ladder = ?1 AND s.let_back IS NULL ORDER BY s.kind DESC, s.id";
        self.all(select, [ladder.0], |row| {
            let name: String = row.get(2)?;
            let kind = SuspensionKind::named(&name).ok_or_else(|| unknown(2, "suspension", &name))?;
            let (by_hand, why, since, schedule) = (row.get(3)?, row.get(4)?, row.get::<_, i64>(5)? as u64, row.get(6)?);
            Ok((EntrantId(row.get(0)?), row.get(1)?, Suspension { kind, by_hand, why, since, schedule }))
        })
    }

    /// All suspensions, including those that ended, in order.
    pub(super) fn all_suspensions(&self, ladder: LadderId) -> Result<Vec<StoredSuspension>> {
        let select = "SELECT entrant, kind, by_hand, why, since, schedule, at, let_back,
                (SELECT id FROM block WHERE block.ladder = suspension.ladder AND block.row <= suspension.counted
                 ORDER BY block.row DESC LIMIT 1)
            FROM suspension WHERE ladder = ?1 ORDER BY id";
        self.all(select, [ladder.0], |row| {
            let name: String = row.get(1)?;
            let kind = SuspensionKind::named(&name).ok_or_else(|| unknown(1, "suspension", &name))?;
            let (by_hand, why, since, schedule) = (row.get(2)?, row.get(3)?, row.get::<_, i64>(4)? as u64, row.get(5)?);
            let suspension = Suspension { kind, by_hand, why, since, schedule };
            let (entrant, at, let_back, counted) = (EntrantId(row.get(0)?), row.get(6)?, row.get(7)?, row.get(8)?);
            Ok(StoredSuspension { entrant, suspension, at, let_back, counted })
        })
    }

    /// The row of a block; `None` if it is not played.
    pub(super) fn block_row(&self, ladder: LadderId, block: &str) -> Result<Option<BlockRow>> {
        let mut statement = self.db.prepare_cached(select::HAS_BLOCK).map_err(|error| self.fail(error))?;
        statement
            .query_row(params![ladder.0, block], |row| row.get(0).map(BlockRow))
            .optional()
            .map_err(|error| self.fail(error))
    }
}

fn member(row: &Row) -> rusqlite::Result<Member> {
    let options: BTreeMap<String, String> = json(row, 4)?;
    let (label, file, hash, refused) = (row.get(1)?, row.get(2)?, row.get(3)?, row.get(5)?);
    let entrant = Entrant { label, file, hash, options, refused };
    let (team, version, present) = (row.get(6)?, row.get(7)?, row.get(8)?);
    Ok(Member {
        id: EntrantId(row.get(0)?),
        entrant,
        team,
        version,
        present,
        suspension: None,
        pardoned: BlockRow(0),
        voids: BTreeMap::new(),
    })
}

pub(super) fn keep_all(
    transaction: &Transaction,
    ladder: LadderId,
    entrants: &mut [Entrant],
) -> rusqlite::Result<KeptEntrants> {
    transaction.execute("UPDATE entrant SET present = 0 WHERE ladder = ?1", [ladder.0])?;
    let teams: Vec<String> = entrants.iter().map(|entrant| entrant.label.clone()).collect();
    let mut kept = KeptEntrants::default();
    for entrant in entrants {
        let (id, copy) = keep(transaction, ladder, entrant, &teams)?;
        kept.ids.push(id);
        kept.copies.push(copy);
    }
    Ok(kept)
}

pub(super) fn has_block(db: &Connection, ladder: LadderId, block: &str) -> rusqlite::Result<bool> {
    db.prepare_cached(select::HAS_BLOCK)?.exists(params![ladder.0, block])
}

/// Records one entrant, and writes its version into its label. Returns its number, and its number among equal copies.
fn keep(
    transaction: &Transaction,
    ladder: LadderId,
    entrant: &mut Entrant,
    teams: &[String],
) -> rusqlite::Result<(EntrantId, u32)> {
    let options = to_json(&entrant.options);
    let team = entrant.label.clone();
    let same = same_file(transaction, ladder, &entrant.hash, &options)?;
    let next = "SELECT 1 + coalesce(max(version), 0) FROM entrant WHERE ladder = ?1 AND team = ?2";
    let next = || transaction.query_row(next, params![ladder.0, team], |row| row.get(0));
    let (version, copy) = number_entrant(entrant, &same, teams, next)?;
    let upsert = "INSERT INTO entrant (ladder, hash, options, label, file, refused, copy, team, version, present)
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 1)
                  ON CONFLICT (ladder, hash, options, copy)
                  DO UPDATE SET label = ?4, file = ?5, refused = ?6, team = ?8, version = ?9, present = 1
                  RETURNING id";
    let Entrant { label, file, hash, refused, .. } = &*entrant;
    let values = params![ladder.0, hash, options, label, file, refused, copy, team, version];
    transaction.query_row(upsert, values, |row| Ok((EntrantId(row.get(0)?), copy)))
}

/// An entrant with the same file and options as another.
pub struct EqualEntrant {
    pub team: String,
    pub version: u32,
    pub copy: u32,
}

/// Gives an entrant its version and its number among equal copies, and writes the version into its label. `teams` take
/// part, `same` are known, and `next` is the next version of its team.
pub fn number_entrant<E>(
    entrant: &mut Entrant,
    same: &[EqualEntrant],
    teams: &[String],
    next: impl FnOnce() -> std::result::Result<u32, E>,
) -> std::result::Result<(u32, u32), E> {
    let own = same.iter().find(|same| same.team == entrant.label);
    let renamed = || same.iter().find(|same| !teams.contains(&same.team));
    let version = own.map_or_else(next, |own| Ok(own.version))?;
    if version > 1 {
        entrant.label = format!("{}@{version}", entrant.label);
    }
    // Numbers of copies have gaps where an entrant was forgotten.
    let free = || (0..).find(|copy| same.iter().all(|same| same.copy != *copy)).unwrap_or_default();
    Ok((version, own.or_else(renamed).map_or_else(free, |same| same.copy)))
}

/// All entrants with the same file and options, in order of arrival.
fn same_file(
    transaction: &Transaction,
    ladder: LadderId,
    hash: &str,
    options: &str,
) -> rusqlite::Result<Vec<EqualEntrant>> {
    let select =
        "SELECT team, version, copy FROM entrant WHERE ladder = ?1 AND hash = ?2 AND options = ?3 ORDER BY copy";
    let mut statement = transaction.prepare_cached(select)?;
    let read = |row: &Row| Ok(EqualEntrant { team: row.get(0)?, version: row.get(1)?, copy: row.get(2)? });
    statement.query_map(params![ladder.0, hash, options], read)?.collect()
}
