//! `agon report`: a ladder as a folder of pages, to put on any web server or to open from disk.

use agon_command::atomic_folder::AtomicFolder;
use agon_command::lang::Lang;
use agon_command::output::say;
use agon_command::redaction::redaction;
use agon_command::which::{OpenLadder, WhichLadder};
use agon_command::{Failure, status};
use agon_games::AnyGame;
use agon_live::published::{PublishOptions, match_of, page_of, publish};
use agon_model::{block_of, counted};
use agon_record::{Archive, Listed, RedactedLadder, Redaction};
use agon_web::Site;
use clap::{Args, ValueEnum};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The arguments of `agon report`.
#[derive(Args, Debug)]
pub struct ReportArgs {
    #[command(flatten)]
    which: WhichLadder,
    /// The folder for the pages. agon replaces an earlier report there.
    #[arg(long, value_name = "DIR", default_value = "agon-report")]
    out: PathBuf,
    /// The matches that get pages of their own. faults: those with a fault. sample: also the first matches of each
    /// group of clients that played together. all: every match.
    #[arg(long, value_enum, value_name = "WHICH", default_value = "sample")]
    replays: Replays,
    /// Replaces names by client-1, client-2, … in random order, and leaves out everything that clients printed.
    #[arg(long)]
    anonymise: bool,
    /// Marks what changed since the report in this folder.
    #[arg(long, value_name = "DIR", conflicts_with = "anonymise")]
    since: Option<PathBuf>,
    /// Makes CLIENT a reference client: its results count, but it gets no place, grade or feedback. You may repeat it.
    #[arg(long, value_name = "CLIENT", conflicts_with = "anonymise")]
    staff: Vec<String>,
    /// Adds a page of all submitted files: when they came, whether agon admitted them, similar files, and last faults.
    #[arg(long, conflicts_with = "anonymise")]
    submissions: bool,
    /// The language of the pages.
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value = "en")]
    lang: Lang,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Replays {
    Faults,
    Sample,
    All,
}

/// A sample of more matches than these is thinned out.
const MOST_SAMPLED: usize = 2_000;
/// The file that marks a folder written by this command.
const MARK: &str = "standings.json";

/// Writes the report as a folder.
pub fn report(args: &ReportArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let opened = args.which.open()?;
    args.which.unplayed(&opened)?.note(args.which.file()).iter().for_each(|note| say(note));
    let OpenLadder { record, ladder, points, .. } = opened;
    let moment = record.read_moment()?;
    let (location, _) = args.which.locate()?;
    let redaction = redaction(args.anonymise, location.out())?;
    let redacted = RedactedLadder::new(&*record as &dyn Archive, &ladder, &redaction)?;
    let choose = |matches: &[Listed]| chosen(matches, args.replays);
    let published = publish(&*record, games, &redacted, points, asked(args, &redaction, location.out())?, &choose)?;
    let (language, shown) = (args.lang.language(), published.replays.clone());
    let pages = Site::new(published);
    let folder = AtomicFolder::begin(&args.out, MARK, "report")?;
    ["client", "vs", "match"].iter().try_for_each(|part| folder.make(part))?;
    pages.files(language).iter().try_for_each(|file| folder.write(&file.path, &file.text))?;
    for id in &shown {
        let Some(found) = match_of(&redacted, None, id)? else { continue };
        let page = page_of(&found, games, &pages.around(id), language)?;
        folder.write(&page.path, &page.text)?;
    }
    drop(moment);
    folder.finish()?;
    let replays = counted(shown.len() as u64, "match has", "matches have");
    say(&format!("ladder {}: {replays} a page of their own", ladder.name));
    println!("{}", args.out.join("index.html").display());
    Ok(status::DONE)
}

/// The settings of the pages, from the command line.
fn asked<'a>(args: &'a ReportArgs, redaction: &'a Redaction, out: &'a Path) -> Result<PublishOptions<'a>, Failure> {
    let since = args.since.as_ref().map(|folder| folder.join(MARK));
    let before = since.map(|file| {
        fs::read_to_string(&file).map_err(|error| Failure::usage(format!("--since: {}: {error}", file.display())))
    });
    // A file that is not a report says nothing of what has changed.
    let before = before.transpose()?.and_then(|text| serde_json::from_str(&text).ok());
    let submissions = args.submissions.then_some(out);
    Ok(PublishOptions {
        redaction,
        out,
        staff: &args.staff,
        before,
        is_served: false,
        submissions,
        has_teams: false,
        plays: false,
    })
}

/// The matches that get a page.
fn chosen(matches: &[Listed], replays: Replays) -> BTreeSet<String> {
    let mut first_blocks: BTreeMap<Vec<usize>, &str> = BTreeMap::new();
    let mut ids = BTreeSet::new();
    for found in matches {
        let mut lineup: Vec<usize> = found.seats.iter().map(|seat| seat.entrant).collect();
        lineup.sort_unstable();
        let block = block_of(&found.id);
        let is_first = *first_blocks.entry(lineup).or_insert(block) == block;
        let has_fault = found.seats.iter().any(|seat| seat.fault.is_some());
        if has_fault || replays == Replays::All || replays == Replays::Sample && is_first {
            ids.insert(found.id.clone());
        }
    }
    if replays == Replays::Sample && ids.len() > MOST_SAMPLED { thinned(&ids, matches) } else { ids }
}

/// The newest of these matches for each client, and no others.
fn thinned(ids: &BTreeSet<String>, matches: &[Listed]) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut is_new = |found: &Listed| found.seats.iter().filter(|seat| seen.insert(seat.entrant)).count() > 0;
    let is_wanted = |found: &&Listed| ids.contains(&found.id) && is_new(found);
    matches.iter().rev().filter(is_wanted).map(|found| found.id.clone()).collect()
}
