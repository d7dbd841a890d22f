//! Reads an export into a record: the whole file in one transaction, or nothing of it. The mark of an ended ladder
//! follows; another import of the file makes up for a lost one.

use super::TransferError;
use super::arrival::{Arrival, Imported};
use super::line::{LadderLine, SCHEMA};
use super::read::{Item, Reader};
use agon_games::{AnyGame, Options, PreparedSetting};
use agon_model::visible::escape;
use agon_model::{LADDER_NAME, LadderId, LadderRow, MOST_SEATS, is_ladder_name};
use agon_record::{Archive, Redaction};
use std::collections::BTreeMap;
use std::io::BufRead;

/// The help for a file that is no export.
const OWN_EXPORT: &str = "import what agon record export jsonl wrote";

/// Reads an export. `file` names it in messages; `name` is the receiving ladder, if not its own.
///
/// # Errors
/// The first line that is wrong, or the record cannot be written; it then contains nothing of the file.
pub fn import(
    record: &mut dyn Archive,
    games: &[&dyn AnyGame],
    (file, input): (&str, &mut dyn BufRead),
    name: Option<&str>,
    redaction: &Redaction,
) -> Result<Imported, TransferError> {
    let mut reader = Reader::new(file, input);
    let Some(Item::Ladder(head)) = reader.next()? else {
        return Err(reader.bad(1, "it does not begin with the line of a ladder", OWN_EXPORT));
    };
    let row = ladder_row(&reader, &head, name)?;
    let known = record.ladder(&row.name)?;
    if known.as_ref().is_some_and(|known| !is_same(known, &row, redaction)) {
        let what = format!("the record has results of ladder {} under other settings", escape(&row.name, 64));
        return Err(reader.bad(1, &what, "import it under another name: --ladder NAME"));
    }
    let (settings, is_new) = (prepare(&reader, games, &row)?, known.is_none());
    let mut arrival = Arrival::new(record.begin_import(&row)?, row, settings, is_new);
    arrival.strangers = head.anonymous && !is_new;
    let taken = arrival.read(&mut reader)?;
    // Also in a ladder that has the matches already: its seed is the same.
    if head.ended
        && let Some(row) = record.ladder(&taken.ladder)?
    {
        record.mark_ended(row.id, true)?;
    }
    Ok(taken)
}

/// The ladder that a file describes.
fn ladder_row(reader: &Reader<'_>, head: &LadderLine, name: Option<&str>) -> Result<LadderRow, TransferError> {
    let bad = |what: &str| reader.bad(1, what, OWN_EXPORT);
    if head.schema != SCHEMA {
        let what = format!("its schema is \"{}\", this agon reads {SCHEMA}", escape(&head.schema, 40));
        return Err(reader.bad(1, &what, "import it with the agon that wrote it"));
    }
    let name = name.unwrap_or(&head.ladder);
    if !is_ladder_name(name) {
        return Err(reader.bad(1, "its name cannot be that of a ladder", LADDER_NAME));
    }
    if !(1..=MOST_SEATS).contains(&head.seats) || head.settings.is_empty() {
        return Err(bad("a ladder has 1 to 16 seats and at least one setting"));
    }
    Ok(LadderRow {
        id: LadderId(0),
        name: name.to_owned(),
        game: head.game.clone(),
        seats: head.seats,
        seed: head.seed,
        seed_drawn: head.seed_drawn,
        terms: head.terms.clone(),
        settings: head.settings.clone(),
    })
}

/// Whether results of both may stand in one table. Facts that an export omits, such as a path, make no difference.
fn is_same(known: &LadderRow, row: &LadderRow, redaction: &Redaction) -> bool {
    let key = |row: &LadderRow| {
        let terms = redaction.terms(&row.terms);
        let options = |given: &BTreeMap<String, String>| {
            given.iter().map(|(key, text)| (key.clone(), redaction.text(text))).collect::<Vec<_>>()
        };
        let settings: Vec<_> = row.settings.iter().map(|(_, given)| options(given)).collect();
        (row.game.clone(), row.seats, row.seed, terms, settings)
    };
    key(known) == key(row)
}

/// The settings in the form of the rules; `None` if this agon does not have exactly these rules.
fn prepare(
    reader: &Reader<'_>,
    games: &[&dyn AnyGame],
    row: &LadderRow,
) -> Result<Option<Vec<Box<dyn PreparedSetting>>>, TransferError> {
    let Some(game) = games.iter().find(|game| row.is_by(game.facts())) else { return Ok(None) };
    let setting = |options: Options| {
        let bad = |why: agon_games::BadOption| {
            reader.bad(1, &format!("a setting cannot be played: {}", escape(&why.to_string(), 200)), "export it again")
        };
        game.prepare(&options, row.seats).map_err(bad)
    };
    row.all_options().map(setting).collect::<Result<_, _>>().map(Some)
}
