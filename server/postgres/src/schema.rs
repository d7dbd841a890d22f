//! The tables, and their version. JSON is stored as text, so that readers get exactly the bytes that were written.

use agon_record::refuse_version;
use postgres::{Client, Error, GenericClient};

/// The version, which grows with every change of the schema or of what it holds. That of the first release is 22;
/// earlier ones were never released.
const VERSION: i32 = 22;

/// The whole schema, by subject, in the order in which one file needs another.
const SCHEMA: [&str; 4] = [
    include_str!("schema/record.sql"),
    include_str!("schema/digests.sql"),
    include_str!("schema/workers.sql"),
    include_str!("schema/functions.sql"),
];

/// The lock while the schema is made: two processes that begin at once would make it twice.
const LOCK: i64 = 0x61_676f_6e00;

/// Makes the schema if there is none, and checks that this program can use it.
///
/// # Errors
/// The database fails; or the schema has another version, as the sentence says.
pub fn prepare(client: &mut Client) -> Result<Result<(), String>, Error> {
    let version = match version(client)? {
        Some(version) => version,
        None => make(client)?,
    };
    if version != VERSION {
        return Ok(Err(refuse_version(version.into(), VERSION.into(), "database")));
    }
    client.batch_execute("SET search_path = agon")?;
    Ok(Ok(()))
}

/// The version of the schema; `None` if there is no schema.
fn version(client: &mut impl GenericClient) -> Result<Option<i32>, Error> {
    let is_there: bool = client.query_one("SELECT to_regclass('agon.version') IS NOT NULL", &[])?.get(0);
    if !is_there {
        return Ok(None);
    }
    Ok(client.query_one("SELECT max(version) FROM agon.version", &[])?.get(0))
}

/// Makes the whole schema, unless another process was faster; returns its version.
fn make(client: &mut Client) -> Result<i32, Error> {
    // A transaction that begins before it has the lock does not see that another one has made the schema meanwhile.
    client.execute("SELECT pg_advisory_lock($1)", &[&LOCK])?;
    let made = make_alone(client);
    let unlocked = client.execute("SELECT pg_advisory_unlock($1)", &[&LOCK]);
    let version = made?;
    unlocked.map(|_| version)
}

/// The same in one transaction, while nobody else does it.
fn make_alone(client: &mut Client) -> Result<i32, Error> {
    let mut change = client.transaction()?;
    if let Some(version) = version(&mut change)? {
        return Ok(version);
    }
    change.batch_execute(
        "SET LOCAL client_min_messages = warning; CREATE SCHEMA IF NOT EXISTS agon; SET LOCAL search_path = agon;
         CREATE TABLE version (version integer NOT NULL)",
    )?;
    SCHEMA.iter().try_for_each(|part| change.batch_execute(part))?;
    change.execute("INSERT INTO version VALUES ($1)", &[&VERSION])?;
    change.commit()?;
    Ok(VERSION)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    #[test]
    fn the_schema_changes_together_with_its_version() {
        let lines = SCHEMA.iter().flat_map(|part| part.lines()).filter(|line| !line.trim_start().starts_with("--"));
        let [a, b, c, d, ..]: [u8; 32] = Sha256::digest(lines.collect::<Vec<_>>().join("\n")).into();
        let known = (22, 1_285_672_535);
        let help = "a record keeps the schema that it was made with: raise VERSION, then note both here";
        assert_eq!((VERSION, u32::from_be_bytes([a, b, c, d])), known, "{help}");
    }
}
