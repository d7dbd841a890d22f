//! Looks after users that share a role: restores its settings, and shares a full invitation among machines.

use crate::connection::OpenConnection;
use crate::roster::quoted;
use postgres::Error;
use postgres::error::SqlState;

/// Settings that a user of an invitation gave its role: PostgreSQL lets each role change its own.
const SETTINGS: &str = "SELECT invitation.role, current_database()::text FROM invitation
    JOIN pg_roles ON rolname = invitation.role
    WHERE EXISTS (SELECT 1 FROM pg_db_role_setting WHERE setrole = pg_roles.oid)";
const MAY_READ_VERIFIERS: &str = "SELECT has_table_privilege('pg_catalog.pg_authid', 'SELECT')";
const PASSWORDS: &str = "SELECT invitation.role, verifier FROM invitation
    JOIN pg_catalog.pg_authid ON rolname = invitation.role
    WHERE verifier IS NOT NULL AND rolpassword IS DISTINCT FROM verifier";
/// Lines whose sessions are all in use.
const FULL: &str = "SELECT rolname::text, rolconnlimit FROM invitation JOIN pg_roles ON rolname = invitation.role
    WHERE rolconnlimit > 0 AND rolconnlimit <= (SELECT count(*) FROM pg_stat_activity WHERE usename = rolname)";
/// On a full invitation, each machine keeps its share of the sessions. Sessions without a worker end first, after some
/// seconds.
const SHARE: &str = "WITH session AS (
        SELECT pid, coalesce(client_addr, '::1') AS machine, backend_start,
            EXISTS (SELECT 1 FROM worker WHERE worker.session = pid AND worker.role = usename
                AND worker.began >= backend_start - interval '1 minute' AND state IN ('active', 'draining')) AS plays
        FROM pg_stat_activity WHERE usename = $1::text AND pg_has_role(usesysid, 'USAGE')),
    placed AS (SELECT *, row_number() OVER (PARTITION BY machine ORDER BY plays DESC, backend_start) AS place
        FROM session)
    SELECT pg_terminate_backend(pid) FROM placed
    WHERE place > greatest(1, $2::integer / (SELECT count(DISTINCT machine) FROM session))
        OR NOT plays AND backend_start < clock_timestamp() - interval '10 s'";

/// Looks after the invited users; returns notes for the operator.
///
/// # Errors
/// The server fails, except where this user lacks the right.
pub fn look_after(open: &mut OpenConnection) -> Result<Vec<String>, Error> {
    let mut notes = restore_settings(open)?;
    notes.extend(restore_passwords(open)?);
    notes.extend(share_out(open)?);
    Ok(notes)
}

fn restore_settings(open: &mut OpenConnection) -> Result<Vec<String>, Error> {
    let mut notes = Vec::new();
    for row in open.rows(SETTINGS, &[])? {
        let (role, database): (String, String) = (row.get(0), row.get(1));
        let (named, database) = (quoted(&role), quoted(&database));
        let reset = format!("ALTER ROLE {named} RESET ALL; ALTER ROLE {named} IN DATABASE {database} RESET ALL");
        notes.push(if allowed(open.batch(&reset))? {
            format!("somebody who has the line of {role} changed settings of it for all; they are restored")
        } else {
            format!(
                "somebody who has the line of {role} changed settings of it for all; help: have a superuser restore \
                 them: {reset}"
            )
        });
    }
    Ok(notes)
}

fn restore_passwords(open: &mut OpenConnection) -> Result<Vec<String>, Error> {
    let mut notes = Vec::new();
    if !open.rows(MAY_READ_VERIFIERS, &[])?[0].get::<_, bool>(0) {
        return Ok(notes);
    }
    for row in open.rows(PASSWORDS, &[])? {
        let (role, verifier): (String, String) = (row.get(0), row.get(1));
        let verifier = verifier.replace('\'', "''");
        if allowed(open.batch(&format!("ALTER ROLE {} PASSWORD '{verifier}'", quoted(&role))))? {
            notes.push(format!("somebody who has the line of {role} changed its password; it is restored"));
        }
    }
    Ok(notes)
}

fn share_out(open: &mut OpenConnection) -> Result<Vec<String>, Error> {
    let mut notes = Vec::new();
    for row in open.rows(FULL, &[])? {
        let (role, places): (String, i32) = (row.get(0), row.get(1));
        let ended = open.rows(SHARE, &[&role, &places])?.len();
        let more = if ended > 0 { format!(", and {ended} of them were ended to make room") } else { String::new() };
        notes.push(format!(
            "the line of {role} is full: it has room for {places} sessions{more}; help: invite others by another line: \
             agon worker invite NAME"
        ));
    }
    Ok(notes)
}

/// Whether the act succeeded; false if this user lacks the right.
fn allowed(done: Result<(), Error>) -> Result<bool, Error> {
    match done {
        Ok(()) => Ok(true),
        Err(error) if error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) => Ok(false),
        Err(error) => Err(error),
    }
}
