//! `agon standings --for NAME`: what the record has for the author of one client.

use super::StandingsArgs;
use agon_command::Failure;
use agon_command::which::no_client;
use agon_record::{Archive, Filter, Found, LadderRow};
use agon_report::entrants;
use agon_report::{Standings, ToldFault, Versus};

/// So many faults are told, the newest.
const MOST: usize = 5;

/// The text.
pub fn write(
    args: &StandingsArgs,
    name: &str,
    standings: &Standings,
    record: &dyn Archive,
    ladder: &LadderRow,
) -> Result<String, Failure> {
    let all = entrants(record, ladder)?;
    let known = || all.iter().map(|entrant| entrant.label.as_str());
    let missing = || no_client(ladder, name, known());
    let client = known().position(|label| label == name).ok_or_else(missing)?;
    let mut versus = Versus::new(client);
    record.each_outcome(ladder.id, &mut |outcome| versus.add(outcome))?;
    let faults = faults(record, client, name, ladder)?;
    let file = args.which.file().map_or(String::new(), |file| format!(" {}", file.display()));
    standings.letter(name, &versus, &faults, &file).ok_or_else(missing)
}

/// The newest faults of the client, with their messages.
fn faults(store: &dyn Archive, client: usize, name: &str, ladder: &LadderRow) -> Result<Vec<ToldFault>, Failure> {
    let filter = Filter { client: Some(name.to_owned()), fault: Some(None), limit: Some(MOST), ..Filter::default() };
    let mut told = Vec::new();
    for listed in store.matches(ladder, &filter)? {
        let Found::One(stored) = store.find(&listed.id)? else { continue };
        let own = stored.played.seats.iter().filter(|seat| seat.entrant == client);
        told.extend(own.filter_map(|seat| seat.fault.as_ref()).map(|fault| ToldFault {
            id: listed.id.clone(),
            kind: fault.kind.name().to_owned(),
            message: fault.message.clone(),
        }));
    }
    Ok(told)
}
