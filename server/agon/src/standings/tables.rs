//! The crosstable and the ratings of `agon standings`: of the results that count.

use super::StandingsArgs;
use crate::like::Like;
use agon_command::Failure;
use agon_command::which::OpenLadder;
use agon_games::AnyGame;
use agon_model::{LadderRow, find_game};
use agon_record::{Archive, RedactedLadder};
use agon_report::{
    self as report, BayesTable, Crosstable, Current, RatingInput, RatingTable, TableFormat, entrants,
    turn_order_warning,
};

/// A ladder whose results are all shown.
type Whole<'a> = RedactedLadder<'a, dyn Archive + Send>;

/// The crosstable or the ratings, with a note about results that do not count.
pub(super) fn fitted(
    args: &StandingsArgs,
    format: TableFormat,
    opened: &OpenLadder,
    games: &[&dyn AnyGame],
) -> Result<String, Failure> {
    let redacted = RedactedLadder::whole(&*opened.record, &opened.ladder)?;
    let current = Current::of_redacted(&redacted)?;
    let table = if args.crosstable {
        crosstable(args, format, &redacted, &current)?
    } else {
        ratings(args, format, &redacted, &current, games)?
    };
    Ok(if args.json || format != TableFormat::Text { table } else { table + current.note() })
}

/// The wins, draws and losses of each pair.
fn crosstable(
    args: &StandingsArgs,
    format: TableFormat,
    redacted: &Whole<'_>,
    current: &Current,
) -> Result<String, Failure> {
    let mut table = Crosstable::default();
    current.each_outcome(redacted, &mut |found| table.add(found))?;
    let entrants = redacted.entrants();
    Ok(if args.json { table.json(&redacted.ladder().name, &entrants) } else { table.write(&entrants, format) })
}

/// The ratings, in the model that is asked for.
fn ratings(
    args: &StandingsArgs,
    format: TableFormat,
    redacted: &Whole<'_>,
    current: &Current,
    games: &[&dyn AnyGame],
) -> Result<String, Failure> {
    let (ladder, entrants) = (redacted.ladder(), redacted.entrants());
    let mut results = RatingInput::new(ladder.seats);
    current.each_outcome(redacted, &mut |found| results.add(found))?;
    let refused = |message: String| Failure::usage(message);
    if args.like == Some(Like::Bayeselo) {
        let table = BayesTable::fit(ladder, &entrants, results).map_err(refused)?;
        return Ok(if args.json { table.json() } else { table.write(format) });
    }
    let fit = if args.like.is_some() { RatingTable::fit_like_ordo } else { RatingTable::fit };
    let table = fit(ladder, &entrants, results).map_err(refused)?.with_turns(turn_order_warning(redacted, games)?);
    Ok(if args.json { table.json() } else { table.write(format) })
}

/// The word that asks for the names instead of a table.
const LIST: &str = "list";

/// Prints a table of the game's own.
pub(super) fn own_table(
    record: &dyn Archive,
    ladder: &LadderRow,
    name: &str,
    games: &[&dyn AnyGame],
) -> Result<String, Failure> {
    let game = find_game(games, &ladder.game)?;
    if name == LIST {
        return Ok(report::own_tables(game));
    }
    let entrants = entrants(record, ladder)?;
    let mut table = Ok(String::new());
    let current = super::feedback::current(record, ladder)?;
    record.with_moves(ladder.id, &mut |played| {
        let mut counted = played.filter(|played| current.counts_of(played.seats.iter().map(|seat| seat.entrant)));
        table = report::own_table(game, name, ladder, &entrants, &mut counted);
    })?;
    table.map_err(Failure::usage)
}
