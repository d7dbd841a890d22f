//! `agon standings`: the table of a ladder, ratings, and feedback for authors.
#![allow(clippy::print_stderr)]

mod feedback;
mod tables;

use crate::like::Like;
use agon_command::output::say;
use agon_command::which::{OpenLadder, WhichLadder, no_client};
use agon_command::{Failure, status};
use agon_games::AnyGame;
use agon_model::LadderRow;
use agon_model::visible::escape;
use agon_record::{Archive, Member};
use agon_report::{Adjudications, Grading, SortKey, Standings, TableFormat, entrants, gather};
use clap::Args;
use std::path::PathBuf;

/// The arguments of `agon standings`.
#[derive(Args, Debug)]
pub struct StandingsArgs {
    #[command(flatten)]
    which: WhichLadder,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
    /// Adds a table of results for each group of clients that played together.
    #[arg(long)]
    lineups: bool,
    /// Prints an extra table, which only this game has. `--table list` names these tables.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["lineups", "json"])]
    table: Option<String>,
    /// Fits ratings to all results, in Elo with 95 % intervals, and names pairs whose difference is not significant.
    #[arg(long, conflicts_with_all = ["lineups", "table", "crosstable", "sort"])]
    ratings: bool,
    /// With --ratings: computes them by the model and in the scale of another program.
    #[arg(long, value_enum, value_name = "PROGRAM", requires = "ratings")]
    like: Option<Like>,
    /// Shows wins, draws and losses of each pair of clients.
    #[arg(long, conflicts_with_all = ["lineups", "table", "sort"])]
    crosstable: bool,
    /// The order of the table.
    #[arg(long, value_enum, value_name = "KEY", default_value = "points")]
    sort: SortKey,
    /// Prints the table as CSV.
    #[arg(long, conflicts_with_all = ["json", "markdown", "table"])]
    csv: bool,
    /// Prints the table as Markdown.
    #[arg(long, conflicts_with_all = ["json", "table"])]
    markdown: bool,
    /// Prints feedback on this client for its author, in Markdown, instead of the table.
    #[arg(long = "for", value_name = "NAME", conflicts_with_all = ["lineups", "table", "ratings", "crosstable", "csv", "markdown", "json"])]
    author: Option<String>,
    /// Makes CLIENT a reference client: its results count, but it gets no place, grade or feedback. You may repeat it.
    #[arg(long, value_name = "CLIENT", conflicts_with_all = ["table", "ratings", "crosstable"])]
    staff: Vec<String>,
    /// Also writes a folder for a class: the table as Markdown and as CSV, with grades, and feedback on each client for
    /// its author. agon replaces a folder that this option wrote earlier.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["lineups", "table", "ratings", "crosstable", "csv", "markdown", "author"])]
    for_all: Option<PathBuf>,
}

/// Prints the table of a ladder.
pub fn standings(args: &StandingsArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let opened = args.which.open()?;
    if let Some(name) = &args.table {
        print!("{}", tables::own_table(&*opened.record, &opened.ladder, name, games)?);
        return Ok(status::DONE);
    }
    let unplayed = args.which.unplayed(&opened)?;
    unplayed.note(args.which.file()).iter().for_each(|note| say(note));
    let format = match (args.csv, args.markdown) {
        (true, _) => TableFormat::Csv,
        (_, true) => TableFormat::Markdown,
        _ => TableFormat::Text,
    };
    if args.crosstable || args.ratings {
        print!("{}", tables::fitted(args, format, &opened, games)?);
        return Ok(status::DONE);
    }
    let OpenLadder { record, ladder, .. } = &opened;
    // The table and the lines about clients show one moment, also while the ladder is played.
    let _moment = record.read_moment()?;
    let standings = graded(args, &opened, games)?;
    standings.grade_notices().for_each(|notice| eprintln!("note: {}", escape(&notice, 400)));
    if let Some(name) = &args.author {
        let label = label_of(&**record, ladder, name)?;
        print!("{}", feedback::write(args, &label, &standings, (&**record, ladder), &unplayed)?);
        return Ok(status::DONE);
    }
    if let Some(folder) = &args.for_all {
        feedback::write_all(args, folder, &standings, (&**record, ladder), &unplayed)?;
    }
    let text = match format {
        _ if args.json => standings.json(),
        TableFormat::Text => standings.text(),
        format => standings.table(format),
    };
    print!("{text}");
    Ok(status::DONE)
}

/// The table, with the grades of the ladder file.
fn graded(args: &StandingsArgs, opened: &OpenLadder, games: &[&dyn AnyGame]) -> Result<Standings, Failure> {
    let OpenLadder { record, ladder, points, grades, .. } = opened;
    let entrants = entrants(&**record, ladder)?;
    let mut grading = Grading::new(grades.clone(), &entrants).among(&record.members(ladder.id)?);
    if grading.needs_matches() {
        let current = feedback::current(&**record, ladder)?;
        record.each_outcome(ladder.id, &mut |outcome| {
            if current.counts(outcome) {
                grading.add(outcome, *points);
            }
        })?;
    }
    let known = entrants.iter().map(|entrant| entrant.label.as_str());
    let standings = gather(&**record, games, ladder, *points, args.lineups)?.with_staff(&args.staff);
    let mut standings = standings.map_err(|name| no_client((&**record, ladder), &name, known))?;
    standings.adjudications = Adjudications::of(&**record, ladder)?;
    standings.keeps_seed = !record.has_ended(ladder.id)?;
    standings.sort = args.sort;
    Ok(standings.with_grades(&grading))
}

/// The label of the client that a person calls so: `red` is its newest version, `red@1` its first.
pub fn label_of(record: &dyn Archive, ladder: &LadderRow, name: &str) -> Result<String, Failure> {
    let members = record.members(ladder.id)?;
    let found = Member::named(&members, name).map(|member| member.entrant.label.clone());
    found.ok_or_else(|| no_client((record, ladder), name, members.iter().map(|member| member.entrant.label.as_str())))
}

#[cfg(test)]
mod tests {
    use crate::Cli;
    use clap::Parser;

    #[test]
    fn tables_of_their_own_order_take_no_other() {
        let parses = |words: &str| Cli::try_parse_from(format!("agon standings {words}").split_whitespace()).is_ok();
        for good in
            ["--sort rank", "--ratings --csv", "--crosstable --markdown", "--table course", "--lineups --sort score"]
        {
            assert!(parses(good), "{good}");
        }
        for bad in [
            "--ratings --sort rank",
            "--crosstable --sort rank",
            "--ratings --table course",
            "--table course --crosstable",
        ] {
            assert!(!parses(bad), "{bad}");
        }
    }
}
