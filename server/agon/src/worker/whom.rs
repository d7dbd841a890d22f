//! Finds the workers that an operator means. Workers choose their names themselves, so a name must be unique.

use agon_command::Failure;
use agon_model::{counted, visible::escape};
use agon_record::database::{Roster, Target};
use agon_record::exchange::WorkerRow;

/// The target of an act, and its name in messages.
#[derive(Debug)]
pub struct MeantWorkers {
    pub target: Target,
    pub label: String,
}

/// The prefix of the name of an invitation, which users know as a line: no worker can be called so.
const LINE_PREFIX: &str = "line:";
/// A refusal lists this number of workers.
const MOST_LISTED: usize = 8;

/// Finds the target that these words mean; `act` is the command.
pub fn meant(record: &dyn Roster, act: &str, words: &str) -> Result<MeantWorkers, Failure> {
    choose(&record.workers()?, &record.invitations()?, act, words)
        .map_err(|what| Failure::usage(format!("{what}; help: agon worker list shows all")))
}

fn choose(rows: &[WorkerRow], invitations: &[String], act: &str, words: &str) -> Result<MeantWorkers, String> {
    let invited = |name: &str| {
        let is_known = invitations.iter().any(|invitation| invitation == name);
        is_known.then(|| MeantWorkers { target: Target::Invitation(name.to_owned()), label: format!("line {name}") })
    };
    if let Some(name) = words.strip_prefix(LINE_PREFIX) {
        return invited(name).ok_or_else(|| format!("no line {} was invited", escape(name, 60)));
    }
    if let Ok(id) = words.parse::<i64>() {
        let name = rows.iter().find(|row| row.id == id).map(|row| format!(" ({})", escape(&row.name, 60)));
        return Ok(MeantWorkers {
            target: Target::Worker(id),
            label: format!("worker {id}{}", name.unwrap_or_default()),
        });
    }
    let named: Vec<&WorkerRow> = rows.iter().filter(|row| row.name == words).collect();
    let worker = |row: &WorkerRow| MeantWorkers {
        target: Target::Worker(row.id),
        label: format!("worker {} ({})", row.id, escape(&row.name, 60)),
    };
    match (&named[..], invited(words)) {
        ([], Some(invitation)) => Ok(invitation),
        ([only], None) => Ok(worker(only)),
        ([], None) => Err(format!("no worker {} is known, and no line", escape(words, 60))),
        (many, line) => Err(ambiguous(many, line.is_some(), act, words)),
    }
}

/// The sentence that names all whom a name could mean, the newest first.
fn ambiguous(many: &[&WorkerRow], is_line: bool, act: &str, name: &str) -> String {
    let one = |row: &&WorkerRow| {
        let line = row.line.as_ref().map_or(String::new(), |line| format!(", line {line}"));
        format!("{} ({}{line}, {})", row.id, row.state.name(), counted(row.blocks, "block", "blocks"))
    };
    let mut all: Vec<String> = many.iter().rev().take(MOST_LISTED).map(one).collect();
    if many.len() > MOST_LISTED {
        all.push(format!("{} more", many.len() - MOST_LISTED));
    }
    let (all, name) = (all.join(", "), escape(name, 60));
    let line =
        if is_line { format!(", or agon worker {act} {LINE_PREFIX}{name} for the whole line") } else { String::new() };
    let id = many.last().map_or(0, |row| row.id);
    format!("{name} is the name of worker {all}: choose by id, as agon worker {act} {id}{line}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: i64, name: &str) -> WorkerRow {
        WorkerRow { id, name: name.to_owned(), line: Some("guests".to_owned()), ..WorkerRow::default() }
    }

    #[test]
    fn an_id_is_believed_and_a_name_only_if_one_has_it() {
        let rows = [row(1, "lab"), row(2, "pc"), row(3, "pc"), row(4, "7"), row(5, "alone")];
        let invitations = ["lab", "hall"].map(str::to_owned);
        let choose = |words: &str| choose(&rows, &invitations, "ban", words).map(|meant| meant.target);
        assert_eq!(choose("7"), Ok(Target::Worker(7)), "whatever somebody calls himself");
        assert_eq!(choose("alone"), Ok(Target::Worker(5)));
        assert_eq!(choose("hall"), Ok(Target::Invitation("hall".to_owned())));
        assert_eq!(choose("line:lab"), Ok(Target::Invitation("lab".to_owned())));
        assert!(choose("line:pc").unwrap_err().contains("no line pc was invited"));
        assert!(choose("nobody").unwrap_err().contains("no worker nobody is known"));
        let told = choose("lab").unwrap_err();
        assert!(told.contains("agon worker ban 1, or agon worker ban line:lab"), "{told}");
        let told = choose("pc").unwrap_err();
        assert!(told.contains("worker 3 (active, line guests, 0 blocks), 2 (") && !told.contains("line:"), "{told}");
    }
}
