//! From the text of ladder.toml to a builder: tables and keys, nothing judged beyond the value of each.

use super::builder::{LadderBuilder, NamedBuilder};
use super::keys::{CLIENT_KEYS, KEYS, fill, home};
use super::problem::{At, Findings, Location, Problem};
use super::value::{Value, ValueKind, entries};
use agon_model::did_you_mean;
use toml::de::DeTable;

/// The tables that a ladder may have.
const TABLES: [&str; 11] =
    ["ladder", "options", "time", "adjudication", "limits", "run", "stop", "points", "grades", "output", "client"];

/// Reads the whole text; `None` if it is not TOML. The place is that of `[ladder]`, where a missing key is reported.
pub(super) fn parse(text: &str, findings: &mut Findings) -> Option<(LadderBuilder, Location)> {
    let mut builder = LadderBuilder::default();
    let mut ladder = Location::Span(0..0);
    let document = match DeTable::parse(text) {
        Ok(document) => document,
        Err(error) => {
            let span = error.span().unwrap_or(0..0);
            findings.problems.push(Problem::new(
                &Location::Span(span),
                error.message(),
                "agon help ladder explains the file",
            ));
            return None;
        }
    };
    for (word, value) in entries(document.get_ref()) {
        if word.value == "ladder" {
            ladder = word.place.clone();
        }
        if let Err(problem) = table(&word, &value, &mut builder, findings) {
            findings.problems.push(problem);
        }
    }
    Some((builder, ladder))
}

fn table(
    word: &At<String>,
    value: &Value,
    builder: &mut LadderBuilder,
    findings: &mut Findings,
) -> Result<(), Problem> {
    match word.value.as_str() {
        "client" => clients(value, builder, findings)?,
        "options" => builder.options = value.table()?.to_vec(),
        name if TABLES.contains(&name) => fill(KEYS, name, value.table()?, builder, findings),
        name => return Err(unknown_table(word, name, value)),
    }
    Ok(())
}

fn clients(value: &Value, builder: &mut LadderBuilder, findings: &mut Findings) -> Result<(), Problem> {
    let ValueKind::List(items) = &value.kind else {
        return Err(value.problem("[client] names a single client", "write [[client]], once for each"));
    };
    for item in items {
        let mut client = NamedBuilder::default();
        fill(CLIENT_KEYS, "client", item.table()?, &mut client, findings);
        builder.named.push(At { value: client, place: item.place.clone() });
    }
    Ok(())
}

fn unknown_table(word: &At<String>, name: &str, value: &Value) -> Problem {
    match (home(name), &value.kind) {
        (Some(table), ValueKind::Table(_)) => Problem::new(
            &word.place,
            format!("\"{name}\" is a key, not a table"),
            format!("write {name} = ... below the line [{table}]"),
        ),
        (Some(table), _) => Problem::new(
            &word.place,
            format!("\"{name}\" stands in no table"),
            format!("it belongs below a line [{table}]"),
        ),
        (None, ValueKind::Table(_) | ValueKind::List(_)) => {
            Problem::new(&word.place, format!("unknown table [{name}]"), did_you_mean(name, TABLES))
        }
        _ => Problem::new(&word.place, format!("unknown key \"{name}\""), "keys stand below a line such as [ladder]"),
    }
}
