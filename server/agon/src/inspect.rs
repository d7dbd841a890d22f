//! `agon matches`, `agon show`, `agon standings`: what the record says.

mod letter;
mod tables;

use crate::like::Like;
use agon_command::output::{is_read, say};
use agon_command::which::{Opened, WhichLadder, WhichMatch, find_match, no_client};
use agon_command::{Extra, Failure, status};
use agon_games::AnyGame;
use agon_model::visible::escape;
use agon_model::{Ending, Entrant, FaultKind, LadderRow, StoredMatch, did_you_mean, find_game, some_of};
use agon_playback::Playback;
use agon_record::{Archive, Filter, Listed, Member, Order, RecordError};
use agon_report::{self as report, Adjudications, Form, Grading, MatchList, SortKey, Standings, entrants, gather};
use clap::Args;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::PathBuf;

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
    /// Only matches with a fault, or with this fault: crash, illegal-move, cpu-time, …
    #[arg(long, value_name = "KIND", value_parser = fault_kind)]
    fault: Option<Option<FaultKind>>,
    /// Only matches that this client did not win.
    #[arg(long, value_name = "NAME")]
    lost: Option<String>,
    /// Only matches in which this client also played.
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// Only matches on this board, or in the setting of this name.
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
    sort: MatchOrder,
    /// At most this many: the newest, or the longest with --sort turns.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// The orders of `agon matches`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum MatchOrder {
    /// Lists the newest match last.
    Played,
    /// Lists the longest match last.
    Turns,
}

/// The arguments of `agon show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    #[command(flatten)]
    which: WhichMatch,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
    /// Prints every move in the game's notation, with the value and the depth that its client logged. It marks
    /// blunders.
    #[arg(long)]
    moves: bool,
    /// Rebuilds the match's readable log from the record.
    #[arg(long)]
    jsonl: bool,
    /// Prints the position after this turn as an SVG picture; 0 is the start.
    #[arg(long, value_name = "TURN", conflicts_with_all = ["json", "jsonl", "export", "moves", "png"])]
    svg: Option<usize>,
    /// The same as PNG: agon show ID --png 12 > picture.png
    #[arg(long, value_name = "TURN", conflicts_with_all = ["json", "jsonl", "export", "moves"])]
    png: Option<usize>,
    /// How many pixels the PNG is wide.
    #[arg(long, value_name = "PIXELS", default_value_t = 1200, requires = "png",
          value_parser = clap::value_parser!(u32).range(16..=8000))]
    width: u32,
    /// Prints the match for other programs: csv, one line for each move, or a format of the game. `--export list`
    /// prints the names.
    #[arg(long, value_name = "FORMAT")]
    export: Option<String>,
}

/// The arguments of `agon standings`.
#[derive(Args, Debug)]
pub struct StandingsArgs {
    #[command(flatten)]
    which: WhichLadder,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
    /// Adds a second table: the result of each client in each group of clients that met.
    #[arg(long)]
    lineups: bool,
    /// Prints a table that only this game has. `--table list` prints the names of these tables.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["lineups", "json"])]
    table: Option<String>,
    /// Fits ratings to all results, in Elo with 95 % intervals, and names pairs whose difference is not significant.
    #[arg(long, conflicts_with_all = ["lineups", "table", "crosstable", "course", "sort"])]
    ratings: bool,
    /// Computes ratings by the model and in the scale of another program.
    #[arg(long, value_enum, value_name = "PROGRAM", requires = "ratings")]
    like: Option<Like>,
    /// Shows wins, draws and losses of each pair of clients.
    #[arg(long, conflicts_with_all = ["lineups", "table", "course", "sort"])]
    crosstable: bool,
    /// The order of the table.
    #[arg(long, value_enum, value_name = "KEY", default_value = "points")]
    sort: SortKey,
    /// Prints the table as CSV.
    #[arg(long, conflicts_with_all = ["json", "markdown", "table", "course"])]
    csv: bool,
    /// Prints the table as Markdown.
    #[arg(long, conflicts_with_all = ["json", "table", "course"])]
    markdown: bool,
    /// 6 qui prend: the table as the course's own program prints it; the same as --table course.
    #[arg(long, conflicts_with_all = ["lineups", "json", "table"])]
    course: bool,
    /// Prints feedback on this client for its author, in Markdown, instead of the table.
    #[arg(long = "for", value_name = "NAME", conflicts_with_all = ["lineups", "table", "ratings", "crosstable", "course", "csv", "markdown", "json"])]
    author: Option<String>,
    /// A reference client, repeatable: its results count, but it gets no place, no grade and no feedback.
    #[arg(long, value_name = "CLIENT", conflicts_with_all = ["table", "ratings", "crosstable", "course"])]
    staff: Vec<String>,
    /// Also writes a folder for a class: the table as Markdown and as CSV, with grades, and feedback on each client for
    /// its author. agon replaces a folder that this option wrote earlier.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["lineups", "table", "ratings", "crosstable", "course", "csv", "markdown", "author"])]
    for_all: Option<PathBuf>,
}

/// The number of matches that are printed at a time.
const PAGE: usize = 1000;

/// The kind of a fault by its name.
fn fault_kind(name: &str) -> Result<FaultKind, String> {
    FaultKind::named(name).ok_or_else(|| format!("no fault is called so; {}", did_you_mean(name, FaultKind::names())))
}

/// The ending of a match that counts, by its name.
fn ending(name: &str) -> Result<Ending, String> {
    let names = ["over", "fault", "adjudicated"];
    let found = Ending::named(name).filter(Ending::is_counted);
    found.ok_or_else(|| format!("no ending is called so; {}", did_you_mean(name, names)))
}

/// Lists the matches of a ladder.
pub fn matches(args: &MatchesArgs) -> Result<u8, Failure> {
    let Opened { record, ladder, .. } = args.which.open()?;
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
            MatchOrder::Played => Order::Played,
            MatchOrder::Turns => Order::Turns,
        },
        ..Filter::default()
    };
    // A sorted list has no first line before all of it is read.
    if !args.json && args.limit.is_none() && args.sort == MatchOrder::Played {
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
        return Err(Failure::new(status::USAGE, what));
    }
    Ok(found)
}

/// Matches of a ladder, as text or as JSON.
pub fn list(record: &dyn Archive, ladder: &LadderRow, filter: &Filter, json: bool) -> Result<String, RecordError> {
    let (entrants, matches) = (entrants(record, ladder)?, record.matches(ladder, filter)?);
    let list = MatchList { ladder, entrants: &entrants, matches: &matches };
    Ok(if json { list.json() } else { list.text() })
}

/// Explains one match, or gives it to another program.
pub fn show(args: &ShowArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let stored = find_match(&args.which)?;
    let game = find_game(games, &stored.ladder.game)?;
    if let Some(turn) = args.svg {
        print!("{}", position(&stored, game, turn)?);
        return Ok(status::DONE);
    }
    if let Some(turn) = args.png {
        return print_png(&position(&stored, game, turn)?, args.width);
    }
    let text = match &args.export {
        Some(format) => {
            report::export(&stored, game, format).map_err(|message| Failure::new(status::USAGE, message))?
        }
        None if args.jsonl => report::log_lines(&stored, game),
        None if args.json => report::show_json(&stored, game, args.which.turn(), args.moves),
        None => report::show(&stored, game, args.which.turn(), args.moves),
    };
    print!("{text}");
    Ok(status::DONE)
}

/// Into a file or another program, since a terminal shows no picture.
fn print_png(svg: &str, width: u32) -> Result<u8, Failure> {
    if std::io::stdout().is_terminal() {
        return Err(Failure::new(status::USAGE, "a picture is not text; help: agon show ID --png TURN > picture.png"));
    }
    Extra::png("agon show --png")?.feed(&[width.to_string()], svg)
}

/// The picture of a position.
fn position(stored: &StoredMatch, game: &dyn AnyGame, turn: usize) -> Result<String, Failure> {
    let playback = Playback::new(stored, game);
    let frame = playback.frames.get(turn).ok_or_else(|| {
        let last = playback.frames.len() - 1;
        Failure::new(status::USAGE, format!("match {} has no turn {turn}; help: 0 to {last}", stored.played.id))
    })?;
    Ok(agon_web::picture(&frame.scene))
}

/// Prints the table of a ladder.
pub fn standings(args: &StandingsArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let opened = args.which.open()?;
    if let Some(name) = args.table.as_deref().or(args.course.then_some("course")) {
        print!("{}", tables::own_table(&*opened.record, &opened.ladder, name, games)?);
        return Ok(status::DONE);
    }
    let unplayed = args.which.unplayed(&opened)?;
    unplayed.note(args.which.file()).iter().for_each(|note| say(note));
    let form = match (args.csv, args.markdown) {
        (true, _) => Form::Csv,
        (_, true) => Form::Markdown,
        _ => Form::Text,
    };
    if args.crosstable || args.ratings {
        print!("{}", tables::fitted(args, form, &opened, games)?);
        return Ok(status::DONE);
    }
    let Opened { record, ladder, .. } = &opened;
    // The table and the lines about clients show one moment, also while the ladder is played.
    let _moment = record.read_moment()?;
    let standings = graded(args, &opened, games)?;
    standings.grade_notices().for_each(|notice| eprintln!("note: {}", escape(&notice, 400)));
    if let Some(name) = &args.author {
        let label = label_of(&**record, ladder, name)?;
        print!("{}", letter::write(args, &label, &standings, (&**record, ladder), &unplayed)?);
        return Ok(status::DONE);
    }
    if let Some(folder) = &args.for_all {
        letter::write_all(args, folder, &standings, (&**record, ladder), &unplayed)?;
    }
    let text = match form {
        _ if args.json => standings.json(),
        Form::Text => standings.text(),
        form => standings.table(form),
    };
    print!("{text}");
    Ok(status::DONE)
}

/// The table, with the grades of the ladder file.
fn graded(args: &StandingsArgs, opened: &Opened, games: &[&dyn AnyGame]) -> Result<Standings, Failure> {
    let Opened { record, ladder, points, grades, .. } = opened;
    let entrants = entrants(&**record, ladder)?;
    let mut grading = Grading::new(grades.clone(), &entrants).among(&record.members(ladder.id)?);
    if grading.needs_matches() {
        let current = letter::current(&**record, ladder)?;
        record.each_outcome(ladder.id, &mut |outcome| {
            if current.counts(outcome) {
                grading.add(outcome, *points);
            }
        })?;
    }
    let standings = gather(&**record, games, ladder, *points, args.lineups)?
        .with_adjudications(Adjudications::of(&**record, ladder)?)
        .keeping_seed(!record.has_ended(ladder.id)?)
        .sorted_by(args.sort)
        .with_staff(&args.staff);
    let known = entrants.iter().map(|entrant| entrant.label.as_str());
    let standings = standings.map_err(|name| no_client((&**record, ladder), &name, known))?;
    Ok(standings.with_grades(&grading))
}

/// The label of the client that a person calls so: `red` is its newest version, `red@1` its first.
fn label_of(record: &dyn Archive, ladder: &LadderRow, name: &str) -> Result<String, Failure> {
    let members = record.members(ladder.id)?;
    let found = Member::named(&members, name).map(|member| member.entrant.label.clone());
    found.ok_or_else(|| no_client((record, ladder), name, members.iter().map(|member| member.entrant.label.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;
    use clap::Parser;
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

    #[test]
    fn tables_of_their_own_order_take_no_other() {
        let parses = |words: &str| Cli::try_parse_from(format!("agon standings {words}").split_whitespace()).is_ok();
        for good in ["--sort rank", "--ratings --csv", "--crosstable --markdown", "--course", "--lineups --sort score"]
        {
            assert!(parses(good), "{good}");
        }
        for bad in ["--ratings --sort rank", "--crosstable --sort rank", "--ratings --course", "--course --crosstable"]
        {
            assert!(!parses(bad), "{bad}");
        }
    }
}
