//! Feedback for authors, `agon standings --for NAME` and `--for-all DIR`: about one client, or each.

use super::StandingsArgs;
use agon_command::Failure;
use agon_command::atomic_folder::AtomicFolder;
use agon_command::output::say;
use agon_command::unplayed::Unplayed;
use agon_command::which::no_client;
use agon_model::LadderRow;
use agon_model::counted;
use agon_record::{Archive, Filter, FoundMatch, Listed};
use agon_report::{Current, Standings, TableFormat, ToldFault, Versus, entrants};
use std::collections::BTreeSet;
use std::path::Path;

/// The most faults that feedback names, the newest.
const MOST_FAULTS: usize = 5;
/// The length of names in file systems, less room for a number and an ending.
const LONGEST_NAME: usize = 200;
/// The file that marks a folder written by this command.
const MARK: &str = ".agon-for-all";

/// The feedback about one client.
pub fn write(
    args: &StandingsArgs,
    name: &str,
    standings: &Standings,
    (record, ladder): (&dyn Archive, &LadderRow),
    unplayed: &Unplayed,
) -> Result<String, Failure> {
    let all = entrants(record, ladder)?;
    let known = || all.iter().map(|entrant| entrant.label.as_str());
    let missing = || no_client((record, ladder), name, known());
    let client = known().position(|label| label == name).ok_or_else(missing)?;
    let (mut versus, current) = (Versus::new(client), current(record, ladder)?);
    record.each_outcome(ladder.id, &mut |outcome| {
        if current.is_former(client) || current.counts(outcome) {
            versus.add(outcome);
        }
    })?;
    let faults = faults(record, (client, name), ladder, &current)?;
    let text = standings.feedback(name, &versus, &faults, &file_of(args)).ok_or_else(missing)?;
    Ok(with_late(text, unplayed, all[client].team()))
}

/// The results that count.
pub fn current(record: &dyn Archive, ladder: &LadderRow) -> Result<Current, Failure> {
    Ok(Current::of_record(record, ladder.id, &record.members(ladder.id)?)?)
}

/// The ladder file, as commands have it behind their other words.
fn file_of(args: &StandingsArgs) -> String {
    args.which.file().map_or(String::new(), |file| format!(" {}", file.display()))
}

/// Writes both tables, and feedback for each author in a file with his or her name: about the newest version.
pub fn write_all(
    args: &StandingsArgs,
    path: &Path,
    standings: &Standings,
    (record, ladder): (&dyn Archive, &LadderRow),
    unplayed: &Unplayed,
) -> Result<(), Failure> {
    let (all, current) = (record.members(ladder.id)?, current(record, ladder)?);
    let mut versus: Vec<Versus> = (0..all.len()).map(Versus::new).collect();
    record.each_outcome(ladder.id, &mut |outcome| {
        let (own, counts) = (outcome.seats.iter().map(|seat| seat.entrant), current.counts(outcome));
        let own: BTreeSet<usize> = own.filter(|entrant| counts || current.is_former(*entrant)).collect();
        own.into_iter().filter(|entrant| *entrant < all.len()).for_each(|entrant| versus[entrant].add(outcome));
    })?;
    let folder = AtomicFolder::begin(path, MARK, "folder of an earlier standings --for-all")?;
    folder.make("clients")?;
    folder.write("table.csv", &standings.table(TableFormat::Csv))?;
    folder.write("table.md", &standings.table(TableFormat::Markdown))?;
    let mut texts = 0;
    for (number, (member, versus)) in all.iter().zip(&versus).enumerate() {
        if !standings.is_somebodys(number) {
            continue;
        }
        let label = &member.entrant.label;
        let faults = faults(record, (number, label), ladder, &current)?;
        if let Some(text) = standings.feedback(label, versus, &faults, &file_of(args)) {
            let text = with_late(text, unplayed, &member.team);
            folder.write(&format!("clients/{}.md", file_name(&member.team, number)), &text)?;
            texts += 1;
        }
    }
    folder.write(MARK, "agon standings --for-all replaces this folder\n")?;
    folder.finish()?;
    let texts = counted(texts, "text", "texts");
    say(&format!("{}: table.md, table.csv, and {texts} in clients/, one for each client", path.display()));
    Ok(())
}

/// The text, with a sentence about a file that came too late.
fn with_late(text: String, unplayed: &Unplayed, team: &str) -> String {
    match unplayed.too_late(team) {
        Some(sentence) => format!("{text}\n{sentence}\n"),
        None => text,
    }
}

/// A label as a file's name: whatever a file system or a person might take for something else than a letter or digit is
/// written as %XX, and a very long one ends with the client's number instead.
fn file_name(label: &str, number: usize) -> String {
    let mut name = String::new();
    for character in label.chars() {
        let is_plain = character.is_alphanumeric() || "_-@".contains(character) || character == '.' && !name.is_empty();
        if is_plain {
            name.push(character);
        } else {
            let mut bytes = [0; 4];
            character.encode_utf8(&mut bytes).bytes().for_each(|byte| name += &format!("%{byte:02X}"));
        }
    }
    if name.len() > LONGEST_NAME {
        while name.len() > LONGEST_NAME {
            name.pop();
        }
        name += &format!("-{number}");
    }
    name
}

/// The newest faults of the client in matches that count for it, with their messages.
fn faults(
    record: &dyn Archive,
    (client, name): (usize, &str),
    ladder: &LadderRow,
    current: &Current,
) -> Result<Vec<ToldFault>, Failure> {
    let filter = Filter { client: Some(name.to_owned()), fault: Some(None), ..Filter::default() };
    let mut told = Vec::new();
    let counts = |listed: &Listed| current.counts_of(listed.seats.iter().map(|seat| seat.entrant));
    let mut matches = record.matches(ladder, &filter)?;
    matches.retain(|listed| current.is_former(client) || counts(listed));
    // The newest match is last.
    let newest = matches.split_off(matches.len().saturating_sub(MOST_FAULTS));
    for listed in newest {
        let FoundMatch::One(stored) = record.find(&listed.id)? else { continue };
        let own = stored.played.seats.iter().filter(|seat| seat.entrant == client);
        told.extend(own.filter_map(|seat| seat.fault.as_ref()).map(|fault| ToldFault {
            id: listed.id.clone(),
            kind: fault.kind.name().to_owned(),
            message: fault.message.clone(),
        }));
    }
    Ok(told)
}
