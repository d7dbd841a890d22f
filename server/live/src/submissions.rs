//! The submissions to a ladder, from its record and from the copies of its files.

use agon_command::Failure;
use agon_model::show_moment;
use agon_model::{LadderRow, copy_path, is_hash};
use agon_record::{Archive, Member, Redaction};
use agon_report::{ClientRow, Clients, Current};
use agon_web::SubmittedVersion;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Every version of everybody, by team and version, as it is to be told. `out`: where the copies of files are.
pub fn submissions(
    (store, ladder): (&dyn Archive, &LadderRow),
    members: Vec<Member>,
    redaction: &Redaction,
    out: &Path,
) -> Result<Vec<SubmittedVersion>, Failure> {
    let current = Current::of_record(store, ladder.id, &members)?;
    let clients = Clients::gather(&ladder.name, members, current, |add| store.each_outcome(ladder.id, add))?;
    let explain = |id: &str, label: &str| {
        let what = explained(store, ladder, id, label)?;
        Ok(what.map(|what| redaction.text(&what)))
    };
    clients.rows().into_iter().map(|client| submission(store, client, out, &explain)).collect()
}

/// Says what a client did wrong in a match.
type Explain<'a> = dyn Fn(&str, &str) -> Result<Option<String>, Failure> + 'a;

fn submission(
    store: &dyn Archive,
    client: ClientRow<'_>,
    out: &Path,
    explain: &Explain<'_>,
) -> Result<SubmittedVersion, Failure> {
    // An adapter is no part of what was handed in.
    let own = client.sha256.split('+').next().unwrap_or_default().to_owned();
    let last_fault = match &client.last_fault {
        Some(fault) => explain(fault.id, client.client)?.map(|what| (fault.id.to_owned(), what)),
        None => None,
    };
    Ok(SubmittedVersion {
        label: client.client.to_owned(),
        team: client.team.to_owned(),
        version: client.version,
        file: client.file.to_owned(),
        seen: seen(out, &own),
        status: Some(client.status),
        why: client.why,
        code: store.look_at(&own)?.and_then(|look| look.code),
        counts: [client.matches, client.faults],
        sha256: own,
        last_fault,
    })
}

/// When the contents of a file were copied here.
fn seen(out: &Path, sha256: &str) -> Option<String> {
    let copy = is_hash(sha256).then(|| copy_path(out, sha256))?;
    let when = copy.metadata().ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(show_moment(when.as_secs()))
}

/// The fault of a client in a match, with its remedy.
fn explained(store: &dyn Archive, ladder: &LadderRow, id: &str, label: &str) -> Result<Option<String>, Failure> {
    let Some(stored) = store.match_of(ladder.id, id)? else { return Ok(None) };
    let mut seats = stored.played.seats.iter().enumerate().filter(|(seat, _)| stored.label(*seat) == label);
    let fault = seats.find_map(|(_, seat)| seat.fault.as_ref());
    Ok(fault.map(|fault| format!("{}: {}", fault.kind.name(), fault.message)))
}
