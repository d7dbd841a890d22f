//! What was handed in to a ladder, from its record and from the copies of its files.

use agon_command::Failure;
use agon_model::show_moment;
use agon_model::{LadderRow, copy_path, is_hash};
use agon_record::{Archive, Member, Redaction};
use agon_report::{Clients, Current};
use agon_web::HandIn;
use serde::Deserialize;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// `agon.clients/1`, as far as it is shown here.
#[derive(Deserialize)]
struct Document {
    clients: Vec<Client>,
}

#[derive(Deserialize)]
struct Client {
    client: String,
    team: String,
    version: u32,
    file: String,
    sha256: String,
    status: String,
    why: Option<String>,
    matches: u64,
    faults: u64,
    last_fault: Option<LastFault>,
}

#[derive(Deserialize)]
struct LastFault {
    #[serde(rename = "match")]
    id: String,
}

/// Every version of everybody, by team and version, as it is to be told. `out`: where the copies of files are.
pub fn hand_ins(
    (store, ladder): (&dyn Archive, &LadderRow),
    members: Vec<Member>,
    redaction: &Redaction,
    out: &Path,
) -> Result<Vec<HandIn>, Failure> {
    let current =
        Current::of(&members, !store.stages(ladder.id)?.is_empty(), |each| store.each_outcome(ladder.id, each))?;
    let clients = Clients::gather(&ladder.name, members, current, |add| store.each_outcome(ladder.id, add))?;
    let read: Result<Document, _> = serde_json::from_str(&clients.json());
    let document = read.map_err(|error| Failure::new(1, format!("the clients cannot be read: {error}")))?;
    let explain = |id: &str, label: &str| {
        let what = explained(store, ladder, id, label)?;
        Ok(what.map(|what| redaction.text(&what)))
    };
    document.clients.into_iter().map(|client| hand_in(store, client, out, &explain)).collect()
}

/// Says what a client did wrong in a match.
type Explain<'a> = dyn Fn(&str, &str) -> Result<Option<String>, Failure> + 'a;

fn hand_in(store: &dyn Archive, client: Client, out: &Path, explain: &Explain<'_>) -> Result<HandIn, Failure> {
    let Client { client: label, team, version, file, sha256, status, why, matches, faults, last_fault } = client;
    // An adapter is no part of what was handed in.
    let own = sha256.split('+').next().unwrap_or_default().to_owned();
    let last_fault = match last_fault {
        Some(LastFault { id }) => explain(&id, &label)?.map(|what| (id, what)),
        None => None,
    };
    let (seen, code) = (seen(out, &own), store.look_at(&own)?.and_then(|look| look.code));
    let counts = [matches, faults];
    Ok(HandIn { label, team, version, file, sha256: own, seen, status, why, code, counts, last_fault })
}

/// When the contents of a file were copied here.
fn seen(out: &Path, sha256: &str) -> Option<String> {
    let copy = is_hash(sha256).then(|| copy_path(out, sha256))?;
    let when = copy.metadata().ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(show_moment(when.as_secs()))
}

/// What a client did wrong in a match, with what to do.
fn explained(store: &dyn Archive, ladder: &LadderRow, id: &str, label: &str) -> Result<Option<String>, Failure> {
    let Some(stored) = store.match_of(ladder.id, id)? else { return Ok(None) };
    let mut seats = stored.played.seats.iter().enumerate().filter(|(seat, _)| stored.label(*seat) == label);
    let fault = seats.find_map(|(_, seat)| seat.fault.as_ref());
    Ok(fault.map(|fault| format!("{}: {}", fault.kind.name(), fault.message)))
}
