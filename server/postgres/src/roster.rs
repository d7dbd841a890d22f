//! The workers of a record for people: who they are, and who may come.

use crate::connection::{PostgresRecord, Unit};
use crate::forget::DROP_BLOCKS;
use agon_model::{LadderId, MachineSpeed, WorkerState};
use agon_record::Result;
use agon_record::database::{Invitation, Roster, Target};
use agon_record::exchange::WorkerRow;
use agon_record::over_http::InvitationKey;
use postgres::Row;
use postgres::config::Host;
use postgres::error::SqlState;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Workers of the last day or with blocks in the record, the newest last. The stays of one machine under one name share
/// an invitation, unless several are present at once. Of those that are not present, only the last ones.
const WORKERS: &str = "WITH patience AS (SELECT coalesce(max(lease), '60 s') AS patience FROM exchange
            WHERE holder IS NOT NULL),
    stay AS (SELECT worker.*, patience, state IN ('active', 'draining') AND seen >= clock_timestamp() - patience AS here
        FROM worker, patience),
    ranked AS (SELECT stay.*, row_number() OVER (PARTITION BY party, name ORDER BY here DESC, id DESC) AS rank FROM stay),
    shown AS (SELECT ranked.*, rank = 1 OR here AS own,
            sum(CASE WHEN rank = 1 OR NOT here THEN blocks END) OVER machine AS all_blocks,
            sum(CASE WHEN rank = 1 OR NOT here THEN voids END) OVER machine AS all_voids,
            sum(CASE WHEN rank = 1 OR NOT here THEN late END) OVER machine AS all_late,
            sum(CASE WHEN rank = 1 OR NOT here THEN faults END) OVER machine AS all_faults,
            sum(CASE WHEN rank = 1 OR NOT here THEN extract(epoch FROM seen - began) END) OVER machine AS all_time
        FROM ranked WINDOW machine AS (PARTITION BY party, name)),
    listed AS (SELECT *, row_number() OVER (PARTITION BY here ORDER BY seen DESC, id DESC) AS place,
            count(*) FILTER (WHERE NOT here) OVER () AS away
        FROM shown WHERE own AND (seen > now() - interval '1 day' OR all_blocks + all_faults > 0 OR state = 'banned'))
    SELECT id, name, role,
        CASE WHEN state IN ('active', 'draining') AND NOT here THEN 'silent' ELSE state END AS state,
        build, cores, jobs, why, speed, spread, class, away,
        (SELECT min(invitation.name) FROM invitation WHERE invitation.role = listed.role) AS line,
        (SELECT count(*) FROM offer WHERE offer.worker = listed.id) AS holds,
        CASE rank WHEN 1 THEN all_blocks ELSE blocks END::bigint AS blocks,
        CASE rank WHEN 1 THEN all_voids ELSE voids END::bigint AS voids,
        CASE rank WHEN 1 THEN all_late ELSE late END::bigint AS late,
        CASE rank WHEN 1 THEN all_faults ELSE faults END::bigint AS faults,
        extract(epoch FROM clock_timestamp() - seen)::float8 AS silent,
        CASE rank WHEN 1 THEN all_time ELSE extract(epoch FROM seen - began) END::float8 AS stay
    FROM listed WHERE here OR place <= $1 ORDER BY id";
const NAME: &str = "SELECT name FROM worker WHERE id = $1";
const DRAIN: &str = "UPDATE worker SET state = 'draining' WHERE id = ANY ($1) AND state = 'active'";
const SEND_HOME: &str = "UPDATE worker SET state = 'over' WHERE state = 'active'";
/// Those who have not heard it yet, or hand in their last blocks: a waiting worker asks each second.
const NOT_HOME: &str =
    "SELECT 1 FROM worker WHERE state = 'over' AND seen > clock_timestamp() - interval '10 s' LIMIT 1";
const STAYS: &str = "UPDATE worker SET state = 'active' WHERE state = 'over'";
const CHECK_EVERY: Duration = Duration::from_millis(50);
/// All workers with the key of one's machine, under any name.
const OF_MACHINE: &str = "SELECT id FROM worker WHERE party = (SELECT party FROM worker WHERE id = $1)";
const OF_INVITATION: &str = "SELECT worker.id FROM invitation LEFT JOIN worker ON worker.role = invitation.role
    WHERE invitation.name = $1";
const INVITATIONS: &str = "SELECT name FROM invitation ORDER BY name";
const BAN: &str = "INSERT INTO ban (name) VALUES ($1) ON CONFLICT DO NOTHING";
const BAN_MACHINE: &str = "INSERT INTO banned_machine (party) SELECT party FROM worker WHERE id = ANY ($1)
    ON CONFLICT DO NOTHING";
const UNBAN: &str = "DELETE FROM ban WHERE name = $1";
const UNBAN_MACHINE: &str = "DELETE FROM banned_machine WHERE party IN (SELECT party FROM worker WHERE id = ANY ($1))";
const BANNED: &str = "UPDATE worker SET state = 'banned' WHERE id = ANY ($1) AND state <> 'banned'";
const FREE: &str = "UPDATE offer SET worker = NULL, lease = NULL, until = NULL
    WHERE worker IN (SELECT id FROM worker WHERE state = 'banned')";
/// The role of an invitation.
const INVITED: &str = "SELECT role FROM invitation WHERE name = $1";
/// Ends sessions, if this user may do that.
const END_SESSIONS: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE usename = $1::text AND pg_has_role(usesysid, 'USAGE')";
const IS_INVITED: &str = "SELECT 1 FROM invitation WHERE name = $1 AND role = $2";
/// Lifts the ban of an invitation from its workers, except from those on banned machines.
const FORGIVEN: &str = "UPDATE worker SET state = 'gone' WHERE role = $1 AND state = 'banned'
    AND party NOT IN (SELECT party FROM banned_machine)";
const INVITE: &str = "INSERT INTO invitation (name, role) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET role = $2";
/// The number of sessions for an invitation: a thousand, or as many as the server has in addition to its owner's.
const PLACES: &str = "SELECT greatest(1, least(1000, current_setting('max_connections')::integer
    - current_setting('superuser_reserved_connections')::integer - 16))";
const PASSWORD: &str = "SELECT encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex')";
const MAY_READ_VERIFIERS: &str = "SELECT has_table_privilege('pg_catalog.pg_authid', 'SELECT')";
const VERIFIER: &str = "UPDATE invitation SET verifier = rolpassword FROM pg_catalog.pg_authid
    WHERE invitation.name = $1 AND rolname = invitation.role";
const FUNCTIONS: &str = "SELECT oid::regprocedure::text FROM pg_proc
    WHERE pronamespace = 'agon'::regnamespace AND starts_with(proname, 'worker_')";

/// A ban of the invitation stands.
const PARDON: &str = "UPDATE worker SET strikes = 0, differed = false,
        state = CASE WHEN state = 'banned' AND NOT out THEN 'gone' ELSE state END
    FROM (SELECT id, party IN (SELECT party FROM banned_machine) OR EXISTS (SELECT 1 FROM ban
            JOIN invitation USING (name) WHERE invitation.role = its.role) AS out FROM worker AS its) AS judged
    WHERE judged.id = worker.id AND worker.id = ANY ($1) AND (strikes > 0 OR state = 'banned' AND NOT out)";
/// The worker of each block of a ladder, and its kind of processor.
const PLAYERS: &str = "SELECT played_by.id, worker.name, worker.class
    FROM played_by JOIN worker ON worker.id = played_by.worker WHERE ladder = $1";
/// The recorded blocks of these workers, by ladder.
const PLAYED: &str = "SELECT ladder.id, ladder.name, array_agg(block.number) FROM (
        SELECT ladder, id, worker FROM played_by UNION SELECT ladder, id, worker FROM inbox) AS played
    JOIN worker ON worker.id = played.worker JOIN ladder ON ladder.id = played.ladder
    JOIN block ON block.ladder = played.ladder AND block.id = played.id
    WHERE worker.id = ANY ($1) GROUP BY 1, 2 ORDER BY 1";
const LADDERS: &str = "SELECT ladder.name FROM ladder JOIN exchange ON exchange.ladder = ladder.id ORDER BY 1";
/// Rows of workers are locked first and in order, as workers themselves lock them.
const LOCK: &str = "SELECT id FROM worker WHERE id = ANY ($1) ORDER BY id FOR UPDATE";
const UNDECIDED: &str = "DELETE FROM inbox WHERE worker = ANY ($1)";
const HELD: &str = "UPDATE offer SET worker = NULL, lease = NULL, until = NULL WHERE worker = ANY ($1)";
/// Its late deliveries do not count either.
const DISTRUST: &str = "UPDATE worker SET differed = true WHERE id = ANY ($1)";
/// Drawings stand; the result of a stage is added up again when its blocks are played again.
pub(crate) const REOPEN: &str = "DELETE FROM stage WHERE ladder = $1 AND closed";
const NOT_PLAYED: &str = "DELETE FROM played_by WHERE worker = ANY ($1)";

impl Roster for PostgresRecord {
    fn recent_workers(&self, left: u64) -> Result<(Vec<WorkerRow>, u64)> {
        let left = i64::try_from(left).unwrap_or(i64::MAX);
        let rows = self.rows(WORKERS, &[&left])?;
        let away: i64 = rows.first().map_or(0, |row| row.get("away"));
        let workers = rows.iter().map(|row| self.worker_row(row)).collect::<Result<_>>()?;
        Ok((workers, (away - left).max(0).cast_unsigned()))
    }

    fn workers(&self) -> Result<Vec<WorkerRow>> {
        Ok(self.recent_workers(i64::MAX.cast_unsigned())?.0)
    }

    fn worker_name(&self, id: i64) -> Result<Option<String>> {
        Ok(self.rows(NAME, &[&id])?.first().map(|row| row.get(0)))
    }

    fn invitations(&self) -> Result<Vec<String>> {
        Ok(self.rows(INVITATIONS, &[])?.iter().map(|row| row.get(0)).collect())
    }

    fn played_by(&self, ladder: LadderId) -> Result<BTreeMap<String, (String, String)>> {
        let player = |row: &Row| (row.get(0), (row.get(1), row.get(2)));
        Ok(self.rows(PLAYERS, &[&ladder.0])?.iter().map(player).collect())
    }

    fn drain(&self, whom: &Target) -> Result<u64> {
        let ids = match whom {
            Target::Worker(id) => vec![*id],
            Target::Invitation(_) => self.meant(whom)?.unwrap_or_default(),
        };
        self.execute(DRAIN, &[&ids])
    }

    fn send_home(&self, patience: Duration) -> Result<()> {
        self.execute(SEND_HOME, &[])?;
        let asked = Instant::now();
        while asked.elapsed() < patience && !self.rows(NOT_HOME, &[])?.is_empty() {
            std::thread::sleep(CHECK_EVERY);
        }
        // Who was away meanwhile may come again to the next ladder.
        self.execute(STAYS, &[]).map(drop)
    }

    fn ban(&self, whom: &Target) -> Result<Option<u64>> {
        if self.meant(whom)?.is_none() {
            return Ok(None);
        }
        if let Target::Invitation(name) = whom {
            self.shut_out(name)?;
        }
        // After its users are gone, who could keep rows locked.
        self.begin()?;
        let unit = Unit::of(self);
        let ids = self.meant(whom)?.unwrap_or_default();
        self.rows(LOCK, &[&ids])?;
        if let Target::Worker(_) = whom {
            self.execute(BAN_MACHINE, &[&ids])?;
        }
        let banned = self.execute(BANNED, &[&ids])?;
        self.execute(FREE, &[])?;
        unit.commit()?;
        Ok(Some(banned))
    }

    fn pardon(&self, whom: &Target) -> Result<u64> {
        self.begin()?;
        let unit = Unit::of(self);
        let ids = self.meant(whom)?.unwrap_or_default();
        self.rows(LOCK, &[&ids])?;
        let mut pardoned = 0;
        match whom {
            Target::Worker(_) => pardoned += self.execute(UNBAN_MACHINE, &[&ids])?,
            Target::Invitation(name) => {
                pardoned += self.execute(UNBAN, &[name])?;
                self.alter_login(name, "LOGIN")?;
            }
        }
        pardoned += self.execute(PARDON, &[&ids])?;
        unit.commit()?;
        Ok(pardoned)
    }

    fn void(&self, whom: &Target) -> Result<Option<Vec<(String, u64)>>> {
        self.begin()?;
        let unit = Unit::of(self);
        let Some(ids) = self.meant(whom)? else { return Ok(None) };
        let mut taken = Vec::new();
        for row in self.rows(LADDERS, &[])? {
            self.lock_ladder(row.get(0))?;
        }
        self.rows(LOCK, &[&ids])?;
        for row in self.rows(PLAYED, &[&ids])? {
            let (ladder, label, blocks): (i64, String, Vec<i64>) = (row.get(0), row.get(1), row.get(2));
            DROP_BLOCKS.iter().try_for_each(|delete| self.execute(delete, &[&blocks]).map(drop))?;
            self.execute(REOPEN, &[&ladder])?;
            taken.push((label, blocks.len() as u64));
        }
        let rest = [NOT_PLAYED, UNDECIDED, HELD, DISTRUST, DRAIN];
        rest.into_iter().try_for_each(|change| self.execute(change, &[&ids]).map(drop))?;
        unit.commit()?;
        Ok(Some(taken))
    }

    fn invite(&self, name: &str) -> Result<Invitation> {
        let (role, password) = self.make_role(name)?;
        let database: String = self.rows("SELECT current_database()::text", &[])?[0].get(0);
        let key = InvitationKey { name: name.to_owned(), secret: password.clone() };
        let (url, is_local) = self.address_for(&role, &password, &database);
        Ok(Invitation { url, is_local, key })
    }
}

impl PostgresRecord {
    /// A row of `WORKERS`.
    fn worker_row(&self, row: &Row) -> Result<WorkerRow> {
        let count = |column: &str| row.get::<_, i64>(column).cast_unsigned();
        let seconds = |column: &str| Duration::try_from_secs_f64(row.get(column)).unwrap_or_default();
        let state: &str = row.get("state");
        Ok(WorkerRow {
            id: row.get("id"),
            name: row.get("name"),
            role: row.get("role"),
            line: row.get("line"),
            state: state.parse::<WorkerState>().map_err(|_| self.damaged("the state of a worker"))?,
            build: row.get("build"),
            cores: (row.get::<_, i32>("cores").cast_unsigned(), row.get::<_, i32>("jobs").cast_unsigned()),
            holds: count("holds"),
            blocks: count("blocks"),
            voids: count("voids"),
            late: count("late"),
            faults: count("faults"),
            speed: row.get::<_, Option<f64>>("speed").map(|relative| MachineSpeed {
                relative,
                spread: row.get::<_, Option<f64>>("spread").unwrap_or_default(),
                class: row.get("class"),
            }),
            silent: seconds("silent"),
            stay: seconds("stay"),
            why: row.get("why"),
        })
    }

    /// The workers that an act means; `None` if there is no such worker or invitation.
    fn meant(&self, whom: &Target) -> Result<Option<Vec<i64>>> {
        let rows = match whom {
            Target::Worker(id) => self.rows(OF_MACHINE, &[id])?,
            Target::Invitation(name) => self.rows(OF_INVITATION, &[name])?,
        };
        Ok((!rows.is_empty()).then(|| rows.iter().filter_map(|row| row.get::<_, Option<i64>>(0)).collect()))
    }

    /// Lets nobody come by an invitation any more, or fails as a whole; then ends its sessions.
    fn shut_out(&self, name: &str) -> Result<()> {
        self.begin()?;
        let unit = Unit::of(self);
        self.execute(BAN, &[&name])?;
        let roles = self.alter_login(name, "NOLOGIN")?;
        unit.commit()?;
        roles.iter().try_for_each(|role| self.rows(END_SESSIONS, &[role]).map(drop))
    }

    /// Changes whether an invitation's role may log in, and returns that role.
    fn alter_login(&self, name: &str, login: &str) -> Result<Vec<String>> {
        let roles: Vec<String> = self.rows(INVITED, &[&name])?.iter().map(|row| row.get(0)).collect();
        for role in &roles {
            let changed = self.connection()?.batch(&format!("ALTER ROLE {} {login}", quoted(role)));
            changed.map_err(|error| match error.code() {
                Some(&SqlState::INSUFFICIENT_PRIVILEGE) => self.trouble(format!(
                    "nothing was changed: this user may not change the role {role} of the line {name}; help: use the \
                     user that invited the line, or as superuser GRANT {role} TO USER WITH ADMIN OPTION and ALTER ROLE USER \
                     CREATEROLE; one machine needs no such right: agon worker list, then agon worker ban ID"
                )),
                _ => self.fail(error),
            })?;
        }
        Ok(roles)
    }

    /// Makes the role for workers of this name, which has letters, digits, `_` and `-`, with a new password. The role
    /// may call only the functions for workers.
    pub(crate) fn make_role(&self, name: &str) -> Result<(String, String)> {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || name.len() > 50 || !name.chars().all(fits) {
            return Err(
                self.trouble("a worker is invited by 1 to 50 letters, digits, _ and -; help: agon worker invite NAME")
            );
        }
        let role = format!("agon_{}", name.to_lowercase());
        let password: String = self.rows(PASSWORD, &[])?[0].get(0);
        let is_there = !self.rows("SELECT 1 FROM pg_roles WHERE rolname = $1", &[&role])?.is_empty();
        if is_there && self.rows(IS_INVITED, &[&name, &role])?.is_empty() {
            let what = format!("the database has a role {role} that was not made by an invitation of {name}");
            return Err(self.trouble(format!("{what}; help: invite under another name")));
        }
        // PostgreSQL before 16 lets only a superuser write NOSUPERUSER to a role that is there.
        let verb = if is_there { "ALTER" } else { "CREATE" };
        let rights = if is_there { "" } else { "NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT" };
        let named = quoted(&role);
        let database: String = self.rows("SELECT current_database()::text", &[])?[0].get(0);
        let functions = self.rows(FUNCTIONS, &[])?;
        let functions: Vec<String> = functions.iter().map(|row| row.get(0)).collect();
        let functions = functions.join(", ");
        let places: i32 = self.rows(PLACES, &[])?[0].get(0);
        self.begin()?;
        let unit = Unit::of(self);
        self.batch(&format!(
            "{verb} ROLE {named} LOGIN {rights} CONNECTION LIMIT {places} PASSWORD '{password}';
             REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC; GRANT CONNECT ON DATABASE {database} TO {named};
             GRANT USAGE ON SCHEMA agon TO {named}; GRANT EXECUTE ON FUNCTION {functions} TO {named};
             GRANT {named} TO CURRENT_USER",
            database = quoted(&database)
        ))?;
        self.execute(UNBAN, &[&name])?;
        self.execute(FORGIVEN, &[&role])?;
        self.execute(INVITE, &[&name, &role])?;
        self.keep_verifier(name)?;
        unit.commit()?;
        Ok((role, password))
    }

    /// Gives a role the password of its invitation again, and resets settings that its users changed for all:
    /// PostgreSQL lets each role change its own.
    pub(crate) fn restore_role(&self, name: &str, password: &str) -> Result<()> {
        let role = quoted(&format!("agon_{name}"));
        let password = password.replace('\'', "''");
        let database: String = self.rows("SELECT current_database()::text", &[])?[0].get(0);
        let places: i32 = self.rows(PLACES, &[])?[0].get(0);
        self.batch(&format!(
            "BEGIN; ALTER ROLE {role} CONNECTION LIMIT {places} PASSWORD '{password}'; ALTER ROLE {role} RESET ALL;
             ALTER ROLE {role} IN DATABASE {} RESET ALL; COMMIT",
            quoted(&database)
        ))?;
        self.keep_verifier(name)
    }

    /// Records the server's verifier of an invited role's password, if this user may read it, because users of the
    /// invitation could change the password.
    fn keep_verifier(&self, name: &str) -> Result<()> {
        if self.rows(MAY_READ_VERIFIERS, &[])?[0].get(0) {
            self.execute(VERIFIER, &[&name])?;
        }
        Ok(())
    }

    /// The address of the record for a worker of this role, and whether it leads here from this machine only.
    fn address_for(&self, role: &str, password: &str, database: &str) -> (String, bool) {
        let address = self.address();
        let port = address.config.get_ports().first().copied().unwrap_or(5432);
        let (url, is_local) = match address.config.get_hosts().first() {
            Some(Host::Tcp(host)) => {
                let is_local = host == "localhost" || host.starts_with("127.") || host == "::1";
                let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
                (format!("postgres://{role}:{password}@{host}:{port}/{database}"), is_local)
            }
            Some(Host::Unix(folder)) => {
                let folder = folder.display();
                (format!("postgres://{role}:{password}@/{database}?host={folder}&port={port}"), true)
            }
            None => (format!("postgres://{role}:{password}@/{database}"), true),
        };
        (address.with_fingerprint(url), is_local)
    }
}

/// A name, quoted for SQL.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
