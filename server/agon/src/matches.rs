//! `agon matches`: the list of a ladder's matches.

use crate::standings::label_of;
use agon_command::output::is_read;
use agon_command::which::{OpenLadder, WhichLadder};
use agon_command::{Failure, status};
use agon_model::{Ending, Entrant, FaultKind, LadderRow, did_you_mean, some_of};
use agon_record::{Archive, Filter, Listed, MatchOrder, RecordError};
use agon_report::{MatchList, entrants};
use clap::Args;
use std::collections::BTreeMap;

/// The arguments of `agon matches`.
#[derive(Args, Debug)]
pub struct MatchesArgs {
    #[command(flatten)]
    which: WhichLadder,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
    /// Only matches of this client.
    #[arg(long, value_name = "NAME")]
    client: Option<String>,
    /// Only matches with a fault. With KIND, only those with this fault: crash, illegal-move, cpu-time, …
    #[arg(long, value_name = "KIND", value_parser = fault_kind)]
    fault: Option<Option<FaultKind>>,
    /// Only matches in which this client did not come first.
    #[arg(long, value_name = "NAME")]
    lost: Option<String>,
    /// Only matches in which this client also played.
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// Only matches on this board, or with this text in the column `setting`.
    #[arg(short, long, value_name = "BOARD")]
    board: Option<String>,
    /// Only matches with more turns than this.
    #[arg(long, value_name = "TURNS")]
    longer: Option<u32>,
    /// Only matches that ended like this: over (by the rules), fault, or adjudicated.
    #[arg(long, value_name = "ENDING", value_parser = ending)]
    ending: Option<Ending>,
    /// The order of the list.
    #[arg(long, value_enum, value_name = "KEY", default_value = "played")]
    sort: SortArg,
    /// Lists at most this many matches: the newest, or the longest with --sort turns.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// The orders of `agon matches`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SortArg {
    /// Lists the newest match last.
    Played,
    /// Lists the longest match last.
    Turns,
}

/// The number of matches that are printed at a time.
const PAGE: usize = 1000;

/// The kind of a fault by its name.
fn fault_kind(name: &str) -> Result<FaultKind, String> {
    FaultKind::named(name).ok_or_else(|| format!("no fault is called so; {}", did_you_mean(name, FaultKind::names())))
}

/// The ending of a match that counts, by its name.
fn ending(name: &str) -> Result<Ending, String> {
    let names = || Ending::COUNTED.map(|ending| ending.name());
    let found = Ending::named(name).filter(Ending::is_counted);
    found.ok_or_else(|| format!("no ending is called so; {}", did_you_mean(name, names())))
}

/// Lists the matches of a ladder.
pub fn matches(args: &MatchesArgs) -> Result<u8, Failure> {
    let OpenLadder { record, ladder, .. } = args.which.open()?;
    let entrants = entrants(&*record, &ladder)?;
    let label = |name: &Option<String>| name.as_deref().map(|name| label_of(&*record, &ladder, name)).transpose();
    let filter = Filter {
        client: label(&args.client)?,
        fault: args.fault,
        lost: label(&args.lost)?,
        against: label(&args.against)?,
        settings: args.board.as_ref().map(|board| settings_on(&ladder, board)).transpose()?,
        longer: args.longer,
        ending: args.ending.clone(),
        limit: args.limit,
        order: match args.sort {
            SortArg::Played => MatchOrder::Played,
            SortArg::Turns => MatchOrder::Turns,
        },
        ..Filter::default()
    };
    // A sorted list has no first line before all of it is read.
    if !args.json && args.limit.is_none() && args.sort == SortArg::Played {
        return print_pages(&*record, &ladder, &entrants, filter);
    }
    print!("{}", list(&*record, &ladder, &filter, args.json)?);
    Ok(status::DONE)
}

/// Prints all matches in portions, so that the reader of the first ones does not wait for the last.
fn print_pages(record: &dyn Archive, ladder: &LadderRow, entrants: &[Entrant], filter: Filter) -> Result<u8, Failure> {
    let read = |filter: &Filter| record.matches(ladder, filter);
    let last = each_page(filter, read, |matches, is_first| {
        let lines = MatchList { ladder, entrants, matches }.lines();
        // The titles stand above the first page.
        let rest = lines.split_once('\n').filter(|_| !is_first).map(|(_, rest)| rest);
        print!("{}", rest.unwrap_or(&lines));
        is_read()
    })?;
    print!("{}", MatchList::end(last.as_deref()));
    Ok(status::DONE)
}

/// Reads matches in portions until there are no more, or whoever gets them has seen enough; returns the last id.
fn each_page(
    filter: Filter,
    read: impl Fn(&Filter) -> Result<Vec<Listed>, RecordError>,
    mut give: impl FnMut(&[Listed], bool) -> bool,
) -> Result<Option<String>, RecordError> {
    let mut filter = Filter { oldest: true, limit: Some(PAGE), ..filter };
    loop {
        let matches = read(&filter)?;
        let goes_on = give(&matches, filter.after.is_none());
        let is_last = matches.len() < PAGE;
        if let Some(last) = matches.into_iter().next_back() {
            filter.after = Some(last.id);
        }
        if is_last || !goes_on {
            return Ok(filter.after);
        }
    }
}

/// The settings of a ladder on a board, or with a name.
fn settings_on(ladder: &LadderRow, board: &str) -> Result<Vec<usize>, Failure> {
    let is_meant = |(name, options): &(String, BTreeMap<String, String>)| {
        name == board || options.get("board").is_some_and(|value| value == board)
    };
    let settings = ladder.settings.iter().enumerate().filter(|(_, setting)| is_meant(setting));
    let found: Vec<usize> = settings.map(|(number, _)| number).collect();
    if found.is_empty() {
        let known = some_of(ladder.settings.iter().map(|(name, _)| name));
        let what = format!("nothing of ladder {} is played on \"{board}\"; there are: {known}", ladder.name);
        return Err(Failure::usage(what));
    }
    Ok(found)
}

/// Matches of a ladder, as text or as JSON.
pub fn list(record: &dyn Archive, ladder: &LadderRow, filter: &Filter, json: bool) -> Result<String, RecordError> {
    let (entrants, matches) = (entrants(record, ladder)?, record.matches(ladder, filter)?);
    let list = MatchList { ladder, entrants: &entrants, matches: &matches };
    Ok(if json { list.json() } else { list.text() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_list_ends_where_its_reader_has_seen_enough() {
        let one =
            Listed { id: "x".to_owned(), setting: 0, ending: Ending::Over, plies: 1, started: 0, seats: Vec::new() };
        for (enough, pages) in [(1, 1), (2, 2), (usize::MAX, 4)] {
            let asked = Cell::new(0);
            let read = |_: &Filter| {
                asked.set(asked.get() + 1);
                Ok(vec![one.clone(); if asked.get() < 4 { PAGE } else { 1 }])
            };
            let last = each_page(Filter::default(), read, |_, _| asked.get() < enough).unwrap();
            assert_eq!((asked.get(), last.as_deref()), (pages, Some("x")));
        }
    }
}
