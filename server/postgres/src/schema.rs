//! The tables, and their version. JSON is stored as text, so that readers get exactly the bytes that were written.

use postgres::{Client, Error};

/// The changes from each version to the next, the first from none to 1. They are never changed, only added: records of
/// all versions exist somewhere.
const CHANGES: [&str; 18] = [
    include_str!("schema/01-record.sql"),
    include_str!("schema/02-workers.sql"),
    include_str!("schema/03-ids.sql"),
    include_str!("schema/04-trust.sql"),
    include_str!("schema/05-digests.sql"),
    include_str!("schema/06-speed.sql"),
    include_str!("schema/07-cost.sql"),
    include_str!("schema/08-roles.sql"),
    include_str!("schema/09-steps.sql"),
    include_str!("schema/10-packs.sql"),
    include_str!("schema/11-front.sql"),
    include_str!("schema/12-places.sql"),
    include_str!("schema/13-proofs.sql"),
    include_str!("schema/14-exchange.sql"),
    include_str!("schema/15-parties.sql"),
    include_str!("schema/16-bans.sql"),
    include_str!("schema/17-parts.sql"),
    include_str!("schema/18-sizes.sql"),
];

/// The present functions for workers, made anew with each change of version. If you change them, add a change, which
/// may be only a comment that names it.
const FUNCTIONS: &str = include_str!("functions.sql");

/// The lock while tables are made or changed: two processes that begin at once would make them twice.
const LOCK: i64 = 0x61_676f_6e00;

/// Makes the tables if there are none, and updates older ones.
///
/// # Errors
/// The database fails; or the tables are of a later version, as the sentence says.
pub fn prepare(client: &mut Client) -> Result<Result<(), String>, Error> {
    let mut change = client.transaction()?;
    change.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])?;
    change.batch_execute(
        "CREATE SCHEMA IF NOT EXISTS agon; SET LOCAL client_min_messages = warning;
         CREATE TABLE IF NOT EXISTS agon.version (version integer NOT NULL)",
    )?;
    let known = CHANGES.len() as i32;
    let version: i32 = change.query_one("SELECT coalesce(max(version), 0) FROM agon.version", &[])?.get(0);
    if version > known {
        return Ok(Err(format!(
            "its version is {version}, this agon knows {known}; help: use the agon that wrote it, or another database"
        )));
    }
    change.batch_execute("SET LOCAL search_path = agon")?;
    for (number, tables) in (1..).zip(CHANGES).skip(version as usize) {
        change.batch_execute(tables)?;
        change.execute("INSERT INTO version VALUES ($1)", &[&number])?;
    }
    if version < known {
        change.batch_execute(FUNCTIONS)?;
    }
    change.commit()?;
    client.batch_execute("SET search_path = agon")?;
    Ok(Ok(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    #[test]
    fn functions_change_together_with_the_version() {
        let [a, b, c, d, ..]: [u8; 32] = Sha256::digest(FUNCTIONS).into();
        let known = (18, 1_083_006_284);
        let help = "records of before get what workers may call only with a new version: add a change to CHANGES, then \
                    note both here";
        assert_eq!((CHANGES.len(), u32::from_be_bytes([a, b, c, d])), known, "{help}");
    }
}
