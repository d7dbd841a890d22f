//! Removes from the record everything that reveals one client.

use crate::connection::{PostgresRecord, Unit};
use agon_model::{EntrantId, LadderId};
use agon_record::{EncodedBlock, Forgotten, Result, file_hashes, nameless, names_of_test};

/// The last one: whether its matches count for nobody.
const WHO: &str = "SELECT ladder, hash, label, team, options,
    NOT present OR EXISTS (SELECT 1 FROM suspension WHERE entrant = $1 AND let_back IS NULL)
    FROM entrant WHERE id = $1";
/// Notes that they still count for nobody, without a reason.
const STAYS_AWAY: &str = "INSERT INTO suspension (ladder, entrant, kind, by_hand, why, since, schedule, at)
    SELECT ladder, id, 'benched', true, '', 0, '', to_timestamp(0) FROM entrant WHERE id = $1";
const BLOCKS: &str = "SELECT number, id, setting, opening, digest FROM block WHERE number IN
    (SELECT match.block FROM seat JOIN match ON match.number = seat.match WHERE seat.entrant = $1) ORDER BY number";
const TEAMS: &str = "SELECT min(id), team FROM entrant WHERE ladder = $1 GROUP BY team ORDER BY min(id)";
const TAKEN: &str = "SELECT 1 FROM ladder WHERE name = $1 AND id <> $2";
const VOIDS: &str = "UPDATE void SET cause = $1 WHERE ladder = $2 AND strpos(cause, '(' || $3 || ')') > 0";
/// Removes blocks from the record, by their numbers.
pub(crate) const DROP_BLOCKS: [&str; 3] = [
    "DELETE FROM seat WHERE match IN (SELECT number FROM match WHERE block = ANY ($1))",
    "DELETE FROM match WHERE block = ANY ($1)",
    "DELETE FROM block WHERE number = ANY ($1)",
];
const DRAWN: &str = "SELECT 1 FROM stage WHERE ladder = $1 LIMIT 1";
const NAMELESS: &str =
    "UPDATE entrant SET label = $2, team = $2, file = '', hash = $2, options = '{}', present = false,
    version = 1, refused = CASE WHEN refused IS NULL THEN NULL ELSE '' END WHERE id = $1";
const DRAW_ID: &str = "SELECT left(encode(uuid_send(gen_random_uuid()), 'hex'), 16)";
const RENAME: &str = "UPDATE block SET id = $2, digest = $3 WHERE number = $1";
const REWRITE: &str = "UPDATE match SET id = $3, details = $4, outputs = $5 WHERE block = $1 AND id = $2";
/// Deletes the offers to workers, which name clients and blocks.
pub(crate) const EXCHANGE: [&str; 4] = [
    // Offers precede deliveries, because a delivery under way has its offer locked.
    "DELETE FROM offer WHERE ladder = $1",
    "DELETE FROM inbox WHERE ladder = $1",
    "DELETE FROM exchange WHERE ladder = $1",
    "DELETE FROM terms WHERE ladder = $1",
];
/// Lists of the blocks that workers played name blocks.
const DROP_PLAYED: &str = "DELETE FROM played_by WHERE ladder = $1 AND NOT EXISTS
    (SELECT 1 FROM block WHERE block.ladder = $1 AND block.id = played_by.id)";
/// Tables with deleted or overwritten rows: the old contents stay in free places until the tables are written anew.
pub(crate) const SHRINK: [&str; 12] = [
    "VACUUM FULL ladder",
    "VACUUM FULL entrant",
    "VACUUM FULL look",
    "VACUUM FULL suspension",
    "VACUUM FULL void",
    "VACUUM FULL block",
    "VACUUM FULL match",
    "VACUUM FULL seat",
    "VACUUM FULL terms",
    "VACUUM FULL offer",
    "VACUUM FULL file",
    "VACUUM FULL pack",
];

impl PostgresRecord {
    pub(crate) fn forget(&mut self, entrants: &[EntrantId], with_matches: bool) -> Result<Forgotten> {
        let mut forgotten = Forgotten::default();
        self.begin()?;
        let unit = Unit::of(self);
        let numbers: Vec<i64> = entrants.iter().map(|entrant| entrant.0).collect();
        let ladders = self.rows("SELECT DISTINCT ladder FROM entrant WHERE id = ANY ($1) ORDER BY 1", &[&numbers])?;
        let ladders: Vec<LadderId> = ladders.iter().map(|row| LadderId(row.get(0))).collect();
        for ladder in &ladders {
            let name: String = self.rows("SELECT name FROM ladder WHERE id = $1", &[&ladder.0])?[0].get(0);
            self.lock_ladder(&name)?;
            forgotten.ladders.extend(self.rename_test(*ladder, name, entrants)?);
        }
        entrants.iter().try_for_each(|entrant| self.forget_one(*entrant, with_matches, &mut forgotten))?;
        for ladder in &ladders {
            EXCHANGE
                .iter()
                .chain([&DROP_PLAYED])
                .try_for_each(|delete| self.execute(delete, &[&ladder.0]).map(drop))?;
        }
        let named = agon_record::Archive::named_files(self, &[])?;
        let unnamed: Vec<&String> = forgotten.hashes.difference(&named).collect();
        self.execute("DELETE FROM file WHERE hash = ANY ($1)", &[&unnamed])?;
        unit.commit()?;
        SHRINK.iter().try_for_each(|shrink| self.batch(shrink))?;
        Ok(forgotten)
    }

    /// Renames a test, which contains the names of its clients. Returns the old name and the new.
    fn rename_test(&self, ladder: LadderId, old: String, entrants: &[EntrantId]) -> Result<Option<(String, String)>> {
        let teams = self.rows(TEAMS, &[&ladder.0])?;
        let teams: Vec<(EntrantId, String)> = teams.iter().map(|row| (EntrantId(row.get(0)), row.get(1))).collect();
        let Some([new, instead]) = names_of_test((ladder, &old), &teams, entrants) else { return Ok(None) };
        let is_taken = !self.rows(TAKEN, &[&new, &ladder.0])?.is_empty();
        let new = if is_taken { instead } else { new };
        self.execute("UPDATE ladder SET name = $1 WHERE id = $2", &[&new, &ladder.0])?;
        Ok(Some((old, new)))
    }

    fn forget_one(&self, entrant: EntrantId, with_matches: bool, forgotten: &mut Forgotten) -> Result<()> {
        let rows = self.rows(WHO, &[&entrant.0])?;
        let Some(row) = rows.first() else { return Ok(()) };
        let (ladder, hash): (LadderId, String) = (LadderId(row.get(0)), row.get(1));
        let mut looked: Vec<&str> = hash.split('+').collect();
        looked.push(&hash);
        self.execute("DELETE FROM look WHERE hash = ANY ($1)", &[&looked])?;
        forgotten.hashes.extend(file_hashes(&hash, row.get(4)));
        self.execute("DELETE FROM suspension WHERE entrant = $1", &[&entrant.0])?;
        self.execute("DELETE FROM excuse WHERE entrant = $1", &[&entrant.0])?;
        let name = nameless(entrant);
        for column in [2, 3] {
            let said: String = row.get(column);
            self.execute(VOIDS, &[&format!("concerned {name}"), &ladder.0, &said])?;
        }
        let blocks = self.encoded(ladder, BLOCKS, &[&entrant.0])?;
        let all = blocks.iter().flat_map(|(_, block)| &block.matches);
        let own = all.filter(|one| one.seats.iter().any(|seat| seat.entrant == entrant));
        forgotten.matches.extend(own.map(|one| one.id.clone()));
        if with_matches {
            let numbers: Vec<i64> = blocks.iter().map(|(number, _)| *number).collect();
            DROP_BLOCKS.iter().try_for_each(|delete| self.execute(delete, &[&numbers]).map(drop))?;
            // A drawn stage names it by its number, so an entrant without a name must still exist.
            if self.rows(DRAWN, &[&ladder.0])?.is_empty() {
                return self.execute("DELETE FROM entrant WHERE id = $1", &[&entrant.0]).map(drop);
            }
        } else {
            if row.get(5) {
                self.execute(STAYS_AWAY, &[&entrant.0])?;
            }
            blocks.into_iter().try_for_each(|(number, block)| self.silence(number, block, entrant, &name))?;
        }
        self.execute(NAMELESS, &[&entrant.0, &name]).map(drop)
    }

    /// Removes an entrant's texts from a block; its moves stay. An id contains the hashes of the files, so the block
    /// gets a random one, and the same files begin anew if they come back.
    fn silence(&self, number: i64, mut block: EncodedBlock, entrant: EntrantId, name: &str) -> Result<()> {
        // A damaged block must not seem sound because a client is forgotten.
        let is_sound = block.is_sound();
        block.id = self.rows(DRAW_ID, &[])?[0].get(0);
        let before: Vec<String> = block.matches.iter().map(|one| one.id.clone()).collect();
        for one in &mut block.matches {
            let letter = one.id.split_once('-').map_or("", |(_, letter)| letter);
            one.id = format!("{}-{letter}", block.id);
            let own: Vec<usize> = (0..).zip(&one.seats).filter(|(_, s)| s.entrant == entrant).map(|(n, _)| n).collect();
            for seat in own {
                one.silence(seat, name).map_err(|what| self.damaged(&format!("the {what} of a match")))?;
            }
        }
        if is_sound {
            block.seal();
        }
        self.execute(RENAME, &[&number, &block.id, &block.digest])?;
        for (before, one) in before.iter().zip(&block.matches) {
            self.execute(REWRITE, &[&number, before, &one.id, &one.details, &one.outputs])?;
        }
        Ok(())
    }
}
