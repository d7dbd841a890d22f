//! The tables, and their version. Texts that are JSON stay texts: what is read is byte for byte what was written.

use postgres::{Client, Error};

/// What leads from each version to the next, the first from none to 1. Never changed, only added to: records of all
/// versions are somewhere.
const CHANGES: [&str; 12] = [TABLES, BOARD, IDS, TRUST, DIGESTS, SPEED, COST, GUARD, SHRUNK, PACKS, FRONT, CALLS];

/// What workers on other machines need.
const BOARD: &str = include_str!("board.sql");

/// Who may play what.
const TRUST: &str = include_str!("trust.sql");

/// What tells damage of rows beside blocks.
const DIGESTS: &str = include_str!("digest.sql");

/// How fast workers' machines are.
const SPEED: &str = include_str!("speed.sql");

/// What makes a block cheaper.
const COST: &str = include_str!("cost.sql");

/// What keeps workers from standing in the way of others.
const GUARD: &str = include_str!("guard.sql");

/// Results of many blocks in one value.
const PACKS: &str = include_str!("pack.sql");

/// What spares workers the walk over what is long over.
const FRONT: &str = include_str!("front.sql");

/// What makes a worker's two calls cheaper.
const CALLS: &str = include_str!("calls.sql");

/// Ids of blocks are compared byte by byte: then their index finds those that begin alike.
const IDS: &str = "
ALTER TABLE block ALTER id TYPE text COLLATE \"C\";
";

/// How many bytes the steps of a match have that are kept in fewer: `shrink.rs`. Those of before are kept as they are.
const SHRUNK: &str = "
ALTER TABLE match ADD step_bytes integer;
ALTER TABLE match ALTER steps SET STORAGE EXTERNAL;
";

const TABLES: &str = "
CREATE TABLE ladder (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, game text NOT NULL,
    seats integer NOT NULL, seed bigint NOT NULL, seed_drawn boolean NOT NULL, comparable text NOT NULL,
    settings text NOT NULL, begun timestamptz NOT NULL DEFAULT now(), used bigint NOT NULL, frozen bigint);
CREATE SEQUENCE ladder_used;
CREATE TABLE entrant (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ladder bigint NOT NULL REFERENCES ladder, hash text NOT NULL,
    options text NOT NULL, copy integer NOT NULL, label text NOT NULL, file text NOT NULL, refused text,
    team text NOT NULL, version integer NOT NULL, present boolean NOT NULL, UNIQUE (ladder, hash, options, copy));
CREATE TABLE aside (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ladder bigint NOT NULL REFERENCES ladder,
    entrant bigint NOT NULL REFERENCES entrant, kind text NOT NULL, by_hand boolean NOT NULL, why text NOT NULL,
    since bigint NOT NULL, schedule text NOT NULL, at timestamptz NOT NULL DEFAULT now(), let_back timestamptz,
    counted bigint NOT NULL DEFAULT 0);
CREATE INDEX aside_ladder ON aside (ladder);
CREATE TABLE excuse (
    ladder bigint NOT NULL REFERENCES ladder, entrant bigint NOT NULL REFERENCES entrant, cause text NOT NULL,
    at timestamptz NOT NULL DEFAULT now());
CREATE INDEX excuse_ladder ON excuse (ladder);
CREATE TABLE look (hash text NOT NULL, context text NOT NULL, look text NOT NULL, PRIMARY KEY (hash, context));
CREATE TABLE stage (
    ladder bigint NOT NULL REFERENCES ladder, number integer NOT NULL, closed boolean NOT NULL, content text NOT NULL,
    PRIMARY KEY (ladder, number, closed));
CREATE TABLE block (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ladder bigint NOT NULL REFERENCES ladder, id text NOT NULL,
    setting bigint NOT NULL, opening bigint NOT NULL, digest bigint NOT NULL, UNIQUE (ladder, id));
CREATE INDEX block_order ON block (ladder, number);
CREATE TABLE match (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, block bigint NOT NULL REFERENCES block, id text NOT NULL,
    ending text NOT NULL, plies integer NOT NULL, started bigint NOT NULL, wall_us bigint NOT NULL, start bigint,
    game bigint NOT NULL, steps bytea NOT NULL, details text NOT NULL, outputs text);
CREATE INDEX match_block ON match (block);
CREATE TABLE seat (
    match bigint NOT NULL REFERENCES match, seat smallint NOT NULL, entrant bigint NOT NULL REFERENCES entrant,
    score bigint NOT NULL, rank integer NOT NULL, fault text, notices integer NOT NULL, PRIMARY KEY (match, seat));
CREATE TABLE void (
    ladder bigint NOT NULL REFERENCES ladder, block text NOT NULL, cause text NOT NULL,
    at timestamptz NOT NULL DEFAULT now());
CREATE INDEX void_ladder ON void (ladder);
";

/// Held while tables are made or changed: two that begin at once would make them twice.
const LOCK: i64 = 0x61_676f_6e00;

/// Makes the tables where there are none, and brings older ones up to date.
///
/// # Errors
/// The database's, or a sentence: they are of a later version.
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
    change.commit()?;
    client.batch_execute("SET search_path = agon")?;
    Ok(Ok(()))
}
