//! The entrants of a ladder: their versions, their presence, and which were suspended and let back.

use crate::connection::PostgresRecord;
use agon_model::{BlockRow, Entrant, EntrantId, Excuse, LadderId, Suspension, SuspensionKind};
use agon_record::{EqualEntrant, KeptEntrants, Member, Result, number_entrant};
use postgres::{Error, Row, Statement, Transaction};
use std::collections::BTreeMap;

const ABSENT: &str = "UPDATE entrant SET present = false WHERE ladder = $1";
const SAME: &str =
    "SELECT team, version, copy FROM entrant WHERE ladder = $1 AND hash = $2 AND options = $3 ORDER BY copy";
const NEXT: &str = "SELECT 1 + coalesce(max(version), 0) FROM entrant WHERE ladder = $1 AND team = $2";
const PUT: &str = "INSERT INTO entrant (ladder, hash, options, label, file, refused, copy, team, version, present)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, true)
    ON CONFLICT (ladder, hash, options, copy)
    DO UPDATE SET label = $4, file = $5, refused = $6, team = $8, version = $9, present = true RETURNING id";
const MEMBERS: &str = "SELECT id, label, file, hash, options, refused, team, version, present,
        (SELECT coalesce(max(counted), 0) FROM suspension AS s WHERE s.ladder = $1 AND s.entrant = entrant.id
         AND let_back IS NOT NULL)
    FROM entrant WHERE ladder = $1 ORDER BY id";
const SUSPENSIONS: &str = "SELECT s.entrant, entrant.team, s.kind, s.by_hand, s.why, s.since, s.schedule
    FROM suspension AS s JOIN entrant ON s.entrant = entrant.id
    WHERE s.ladder = $1 AND s.let_back IS NULL ORDER BY s.kind DESC, s.id";
const EXCUSES: &str = "SELECT entrant, cause, count(*) FROM excuse WHERE ladder = $1 GROUP BY entrant, cause";

/// Writes the entrants of a ladder.
struct Writer<'a> {
    transaction: Transaction<'a>,
    statements: Vec<Statement>,
    ladder: LadderId,
    /// The labels of all present entrants.
    teams: Vec<String>,
}

impl PostgresRecord {
    pub(crate) fn write_entrants(&self, ladder: LadderId, entrants: &mut [Entrant]) -> Result<KeptEntrants> {
        let mut open = self.connection()?;
        let teams = entrants.iter().map(|entrant| entrant.label.clone()).collect();
        let write = || -> std::result::Result<KeptEntrants, Error> {
            let (transaction, statements) = open.transaction([ABSENT, SAME, NEXT, PUT])?;
            let mut writer = Writer { transaction, statements, ladder, teams };
            writer.transaction.execute(&writer.statements[0], &[&ladder.0])?;
            let mut kept = KeptEntrants::default();
            for entrant in entrants {
                let (id, copy) = writer.keep(entrant)?;
                kept.ids.push(id);
                kept.copies.push(copy);
            }
            writer.transaction.commit()?;
            Ok(kept)
        };
        write().map_err(|error| self.fail(error))
    }

    pub(crate) fn read_members(&self, ladder: LadderId) -> Result<Vec<Member>> {
        let suspensions = self.rows(SUSPENSIONS, &[&ladder.0])?;
        let suspensions = suspensions.iter().map(|row| self.suspension(row)).collect::<Result<Vec<_>>>()?;
        let excuses = self.rows(EXCUSES, &[&ladder.0])?;
        let rows = self.rows(MEMBERS, &[&ladder.0])?;
        let mut members = rows.iter().map(|row| self.member(row)).collect::<Result<Vec<_>>>()?;
        for member in &mut members {
            let concerns = |(entrant, team, suspension): &&(EntrantId, String, Suspension)| {
                *entrant == member.id || (suspension.kind == SuspensionKind::Withdrawn && *team == member.team)
            };
            member.suspension = suspensions.iter().find(concerns).map(|(_, _, suspension)| suspension.clone());
            let own = excuses.iter().filter(|row| row.get::<_, i64>(0) == member.id.0);
            let count = |row: &Row| Some((Excuse::named(row.get(1))?, row.get::<_, i64>(2) as u32));
            member.voids = own.filter_map(count).collect();
        }
        Ok(members)
    }

    /// A suspended entrant: number, team, reason.
    fn suspension(&self, row: &Row) -> Result<(EntrantId, String, Suspension)> {
        let kind = SuspensionKind::named(row.get(2)).ok_or_else(|| self.damaged("how an entrant is suspended"))?;
        let (by_hand, why, since, schedule) = (row.get(3), row.get(4), row.get::<_, i64>(5) as u64, row.get(6));
        Ok((EntrantId(row.get(0)), row.get(1), Suspension { kind, by_hand, why, since, schedule }))
    }

    fn member(&self, row: &Row) -> Result<Member> {
        let options = serde_json::from_str(row.get(4)).map_err(|_| self.damaged("the options of an entrant"))?;
        let (label, file, hash, refused) = (row.get(1), row.get(2), row.get(3), row.get(5));
        Ok(Member {
            id: EntrantId(row.get(0)),
            entrant: Entrant { label, file, hash, options, refused },
            team: row.get(6),
            version: row.get::<_, i32>(7) as u32,
            present: row.get(8),
            suspension: None,
            pardoned: BlockRow(row.get(9)),
            voids: BTreeMap::new(),
        })
    }
}

impl Writer<'_> {
    /// Records one entrant, and writes its version into its label. Returns its number, and its number among equal
    /// copies.
    fn keep(&mut self, entrant: &mut Entrant) -> std::result::Result<(EntrantId, u32), Error> {
        let Writer { transaction, statements, ladder, teams } = self;
        let options = agon_record::to_json(&entrant.options);
        let team = entrant.label.clone();
        let same: Vec<EqualEntrant> = transaction
            .query(&statements[1], &[&ladder.0, &entrant.hash, &options])?
            .iter()
            .map(|row| EqualEntrant {
                team: row.get(0),
                version: row.get::<_, i32>(1) as u32,
                copy: row.get::<_, i32>(2) as u32,
            })
            .collect();
        let next =
            || Ok::<_, Error>(transaction.query_one(&statements[2], &[&ladder.0, &team])?.get::<_, i32>(0) as u32);
        let (version, copy) = number_entrant(entrant, &same, teams, next)?;
        let Entrant { label, file, hash, refused, .. } = &*entrant;
        let values: &crate::connection::Values =
            &[&ladder.0, hash, &options, label, file, refused, &(copy as i32), &team, &(version as i32)];
        Ok((EntrantId(transaction.query_one(&statements[3], values)?.get(0)), copy))
    }
}
