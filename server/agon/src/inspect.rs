//! `agon matches`, `agon show`, `agon standings`: what the record says.

mod letter;

use super::like::Like;
use super::place::{Place, PlaceArgs};
use super::{Failure, ladder_file, status};
use agon_config::did_you_mean;
use agon_games::AnyGame;
use agon_model::{Entrant, FaultKind, Points};
use agon_record::{Archive, EachOutcome, Filter, Found, LadderRow, Member, Record, StoreError, StoredMatch};
use agon_report::{
    self as report, BayesTable, Crosstable, Followers, Form, MatchList, RatingInput, RatingTable, SortKey, Standings,
};
use agon_tournament::find_game;
use clap::Args;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Which ladder of which record, alike in all commands that read one.
#[derive(Args, Debug)]
pub struct WhichLadder {
    /// The ladder file whose record, name and points count; without it, the ladder worked on last.
    #[arg(value_name = "LADDER FILE", conflicts_with = "ladder")]
    file: Option<PathBuf>,
    /// The ladder by its name, instead of a file.
    #[arg(long, value_name = "NAME")]
    ladder: Option<String>,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Of `agon matches`.
#[derive(Args, Debug)]
pub struct MatchesArgs {
    #[command(flatten)]
    which: WhichLadder,
    /// As JSON.
    #[arg(long)]
    json: bool,
    /// Only where this client took part.
    #[arg(long, value_name = "NAME")]
    client: Option<String>,
    /// Only where somebody was at fault, or at this fault: crash, illegal-move, cpu-time, …
    #[arg(long, value_name = "KIND", value_parser = fault_kind)]
    fault: Option<Option<FaultKind>>,
    /// Only what this client did not win: where it did not come first.
    #[arg(long, value_name = "NAME")]
    lost: Option<String>,
    /// Only where this client took part, too.
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// Only on this board, or in the setting of this name.
    #[arg(short, long, value_name = "BOARD")]
    board: Option<String>,
    /// Only of more turns than this.
    #[arg(long, value_name = "TURNS")]
    longer: Option<u32>,
    /// At most so many, the newest.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// Of `agon show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    #[command(flatten)]
    which: WhichMatch,
    /// As JSON.
    #[arg(long)]
    json: bool,
    /// Every move, in the game's notation, with the value and the depth that its client logged; blunders are marked.
    #[arg(long)]
    moves: bool,
    /// The readable log, made again from the record.
    #[arg(long)]
    jsonl: bool,
    /// The position after this turn as a picture, for slides: SVG; 0 is the start.
    #[arg(long, value_name = "TURN", conflicts_with_all = ["json", "jsonl", "export", "moves"])]
    svg: Option<usize>,
    /// In a format for other programs: csv, a line a move, and those of the game (a wrong name lists them).
    #[arg(long, value_name = "FORMAT")]
    export: Option<String>,
}

/// Of `agon standings`.
#[derive(Args, Debug)]
pub struct StandingsArgs {
    #[command(flatten)]
    which: WhichLadder,
    /// As JSON.
    #[arg(long)]
    json: bool,
    /// Adds a line for each client of each line-up: how it fares with just these others at the table.
    #[arg(long)]
    lineups: bool,
    /// A table that the game makes of its matches; a wrong name says which there are.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["lineups", "json"])]
    table: Option<String>,
    /// Strengths fitted to all results at once, in Elo with 95 % intervals, and who is not separated from whom.
    #[arg(long, conflicts_with_all = ["lineups", "table", "crosstable", "course", "sort"])]
    ratings: bool,
    /// Ratings by the model and in the scale of another program.
    #[arg(long, value_enum, value_name = "PROGRAM", requires = "ratings")]
    like: Option<Like>,
    /// Wins, draws and losses of each pair of clients.
    #[arg(long, conflicts_with_all = ["lineups", "table", "json", "course", "sort"])]
    crosstable: bool,
    /// The order of the table.
    #[arg(long, value_enum, value_name = "KEY", default_value = "points")]
    sort: SortKey,
    /// The table as CSV.
    #[arg(long, conflicts_with_all = ["json", "markdown", "table", "course"])]
    csv: bool,
    /// The table as Markdown.
    #[arg(long, conflicts_with_all = ["json", "table", "course"])]
    markdown: bool,
    /// The table in the format of the course that the game comes from: the same as --table course.
    #[arg(long, conflicts_with_all = ["lineups", "json", "table"])]
    course: bool,
    /// A text about this client instead of the table, to send to its author: Markdown.
    #[arg(long = "for", value_name = "NAME", conflicts_with_all = ["lineups", "table", "ratings", "crosstable", "course", "csv", "markdown", "json"])]
    author: Option<String>,
}

/// The kind of a fault by its name.
fn fault_kind(name: &str) -> Result<FaultKind, String> {
    FaultKind::named(name).ok_or_else(|| format!("no fault is called so; {}", did_you_mean(name, FaultKind::names())))
}

/// Lists matches.
pub fn matches(args: &MatchesArgs) -> Result<u8, Failure> {
    let (store, ladder, _) = args.which.open()?;
    let entrants = entrants(&*store, &ladder)?;
    for name in [&args.client, &args.lost, &args.against].into_iter().flatten() {
        if !entrants.iter().any(|entrant| entrant.label == *name) {
            return Err(no_client(&ladder, name, entrants.iter().map(|entrant| entrant.label.as_str())));
        }
    }
    let filter = Filter {
        client: args.client.clone(),
        fault: args.fault,
        lost: args.lost.clone(),
        against: args.against.clone(),
        settings: args.board.as_ref().map(|board| settings_on(&ladder, board)).transpose()?,
        longer: args.longer,
        limit: args.limit,
    };
    print!("{}", list(&*store, &ladder, &filter, args.json)?);
    Ok(0)
}

/// The settings of a ladder on a board, or with a name.
fn settings_on(ladder: &LadderRow, board: &str) -> Result<Vec<usize>, Failure> {
    let is_meant = |(name, options): &(String, BTreeMap<String, String>)| {
        name == board || options.get("board").is_some_and(|value| value == board)
    };
    let settings = ladder.settings.iter().enumerate().filter(|(_, setting)| is_meant(setting));
    let found: Vec<usize> = settings.map(|(number, _)| number).collect();
    if found.is_empty() {
        let known = ladder.settings.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
        let what = format!("nothing of ladder {} is played on \"{board}\"; there are: {known}", ladder.name);
        return Err(Failure::new(status::USAGE, what));
    }
    Ok(found)
}

/// Matches of a ladder, as text or as JSON.
pub fn list(store: &dyn Archive, ladder: &LadderRow, filter: &Filter, json: bool) -> Result<String, StoreError> {
    let (entrants, matches) = (entrants(store, ladder)?, store.matches(ladder, filter)?);
    let list = MatchList { ladder, entrants: &entrants, matches: &matches };
    Ok(if json { list.json() } else { list.text() })
}

/// A name that none of these is.
pub fn no_client<'a>(ladder: &LadderRow, name: &str, known: impl IntoIterator<Item = &'a str>) -> Failure {
    let known = known.into_iter().collect::<Vec<_>>().join(", ");
    Failure::new(2, format!("no client of ladder {} is called \"{name}\"; there are: {known}", ladder.name))
}

/// Which match of which record.
#[derive(Args, Debug)]
pub struct WhichMatch {
    /// The match's id, or the beginning of one; `last` for the newest.
    #[arg(value_name = "ID")]
    id: MatchId,
    /// The ladder that `last` is of.
    #[command(flatten)]
    ladder: WhichLadder,
}

/// A match by its id, or by how that begins; a position of it with `@TURN` behind.
#[derive(Clone, Debug)]
pub struct MatchId {
    id: String,
    turn: Option<u32>,
}

impl FromStr for MatchId {
    type Err = String;

    fn from_str(text: &str) -> Result<MatchId, String> {
        let Some((id, turn)) = text.split_once('@') else { return Ok(MatchId { id: text.to_owned(), turn: None }) };
        let turn = turn.parse().map_err(|_| format!("{turn:?} is no turn; write {id}@12, or {id}@0 for the start"))?;
        Ok(MatchId { id: id.to_owned(), turn: Some(turn) })
    }
}

impl MatchId {
    /// The turn that was named.
    pub fn turn(&self) -> Option<u32> {
        self.turn
    }
}

impl WhichMatch {
    /// The turn after which the match is looked at, if one was named.
    pub fn turn(&self) -> Option<u32> {
        self.id.turn
    }

    /// The folder with its log and its clients' files.
    pub fn out(&self) -> Result<PathBuf, Failure> {
        Ok(self.ladder.place()?.0.out().to_owned())
    }
}

/// The match that is meant.
pub fn find_match(which: &WhichMatch) -> Result<Box<StoredMatch>, Failure> {
    find_by_id(&which.id, &which.ladder)
}

/// The match of this record that is meant; it has as many turns as were named.
pub fn find_by_id(meant: &MatchId, ladder: &WhichLadder) -> Result<Box<StoredMatch>, Failure> {
    let (place, ladder) = ladder.place()?;
    let store = place.open_existing()?;
    let name = ladder.as_ref().map(|(name, _)| name.as_str());
    let id = if meant.id == "last" { last(&*store, name)? } else { meant.id.clone() };
    let stored = find_one(&*store, &id)?;
    let (last, id) = (stored.played.plies(), &stored.played.id);
    match meant.turn {
        Some(turn) if turn > last => {
            Err(Failure::new(2, format!("match {id} has no turn {turn}; help: {id}@0 (the start) to {id}@{last}")))
        }
        _ => Ok(stored),
    }
}

fn find_one(store: &dyn Archive, id: &str) -> Result<Box<StoredMatch>, Failure> {
    match store.find(id)? {
        Found::One(stored) => Ok(stored),
        Found::None => {
            let help = "help: agon matches lists them";
            Err(Failure::new(2, format!("no match has an id that begins with \"{id}\"; {help}")))
        }
        Found::Several(ids) => {
            let list = ids.join(", ");
            Err(Failure::new(2, format!("several matches begin with \"{id}\": {list}; help: write more of the id")))
        }
    }
}

/// Explains one match, or gives it to another program.
pub fn show(args: &ShowArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let stored = find_match(&args.which)?;
    let game = find_game(games, &stored.ladder.game)?;
    if let Some(turn) = args.svg {
        print!("{}", position(&stored, game, turn)?);
        return Ok(0);
    }
    let text = match &args.export {
        Some(format) => report::export(&stored, game, format).map_err(|message| Failure::new(2, message))?,
        None if args.jsonl => report::log_lines(&stored, game),
        None if args.json => report::show_json(&stored, game, args.which.turn(), args.moves),
        None => report::show(&stored, game, args.which.turn(), args.moves),
    };
    print!("{text}");
    Ok(0)
}

/// The picture of a position.
fn position(stored: &StoredMatch, game: &dyn AnyGame, turn: usize) -> Result<String, Failure> {
    let playback = report::Playback::new(stored, game);
    let frame = playback.frames.get(turn).ok_or_else(|| {
        let last = playback.frames.len() - 1;
        Failure::new(2, format!("match {} has no turn {turn}; help: --svg 0 to {last}", stored.played.id))
    })?;
    Ok(agon_web::picture(&frame.scene))
}

fn last(store: &dyn Archive, ladder: Option<&str>) -> Result<String, Failure> {
    let ladder = find_ladder(store, ladder)?;
    store.last_match(ladder.id)?.ok_or_else(|| Failure::new(2, format!("ladder {} has no match yet", ladder.name)))
}

/// The table.
pub fn standings(args: &StandingsArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    if let Some(name) = args.table.as_deref().or(args.course.then_some("course")) {
        let (store, ladder, _) = args.which.open()?;
        print!("{}", own_table(&*store, &ladder, name, games)?);
        return Ok(0);
    }
    let (store, ladder, points) = args.which.open()?;
    let form = match (args.csv, args.markdown) {
        (true, _) => Form::Csv,
        (_, true) => Form::Markdown,
        _ => Form::Text,
    };
    if args.crosstable {
        let mut table = Crosstable::default();
        store.each_outcome(ladder.id, &mut |found| table.add(found))?;
        print!("{}", table.write(&entrants(&*store, &ladder)?, form));
        return Ok(0);
    }
    if args.ratings {
        let mut results = RatingInput::new(ladder.seats);
        store.each_outcome(ladder.id, &mut |found| results.add(found))?;
        let (entrants, refused) = (entrants(&*store, &ladder)?, |message: String| Failure::new(2, message));
        if args.like == Some(Like::Bayeselo) {
            let table = BayesTable::fit(&ladder, &entrants, results).map_err(refused)?;
            print!("{}", if args.json { table.json() } else { table.write(form) });
            return Ok(0);
        }
        let fit = if args.like.is_some() { RatingTable::fit_like_ordo } else { RatingTable::fit };
        let table = fit(&ladder, &entrants, results).map_err(refused)?.with_turns(turns(&*store, games, &ladder)?);
        print!("{}", if args.json { table.json() } else { table.write(form) });
        return Ok(0);
    }
    let grades =
        args.which.file().map(ladder_file::read_about).transpose()?.map(|about| about.grades).unwrap_or_default();
    let standings = gather(&*store, games, &ladder, points, args.lineups)?.sorted_by(args.sort).with_grades(grades);
    if let Some(name) = &args.author {
        print!("{}", letter::write(args, name, &standings, &*store, &ladder)?);
        return Ok(0);
    }
    let text = match form {
        _ if args.json => standings.json(),
        Form::Text => standings.text(),
        form => standings.table(form),
    };
    print!("{text}");
    Ok(0)
}

fn entrants(record: &dyn Record, ladder: &LadderRow) -> Result<Vec<Entrant>, StoreError> {
    Ok(record.members(ladder.id)?.into_iter().map(|member| member.entrant).collect())
}

fn own_table(store: &dyn Archive, ladder: &LadderRow, name: &str, games: &[&dyn AnyGame]) -> Result<String, Failure> {
    let game = find_game(games, &ladder.game)?;
    let entrants = entrants(store, ladder)?;
    let mut table = Ok(String::new());
    store.with_moves(ladder.id, &mut |played| table = report::own_table(game, name, ladder, &entrants, played))?;
    table.map_err(|message| Failure::new(2, message))
}

/// A record that is open, one of its ladders, and what its results are worth.
pub type Opened = (Box<dyn Archive + Send>, LadderRow, Points);

impl WhichLadder {
    /// The ladder file, if one was named.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref().filter(|file| !file.is_dir())
    }

    /// Where the record is; the ladder that is meant and what its results are worth, if one was named.
    pub fn place(&self) -> Result<(Place, Option<(String, Points)>), Failure> {
        if let Some(file) = self.file() {
            let about = ladder_file::read_about(file)?;
            return Ok((self.place.about(&about)?, Some((about.name, about.points))));
        }
        // The folder of a record names it as well as --record does.
        let place = self.file.as_deref().map_or_else(|| Ok(self.place.place()), |folder| self.place.of(folder, None));
        Ok((place?, self.ladder.clone().map(|name| (name, Points::default()))))
    }

    /// The record, the ladder, and what its results are worth.
    pub fn open(&self) -> Result<Opened, Failure> {
        let (place, named) = self.place()?;
        let store = place.open_existing()?;
        let ladder = find_ladder(&*store, named.as_ref().map(|(name, _)| name.as_str()))?;
        Ok((store, ladder, named.map_or_else(Points::default, |(_, points)| points)))
    }
}

/// The standings of a ladder, from the record alone.
pub fn gather(
    store: &dyn Record,
    games: &[&dyn AnyGame],
    ladder: &LadderRow,
    points: Points,
    lineups: bool,
) -> Result<Standings, StoreError> {
    gather_told(store, games, ladder, points, lineups, &LadderMembers::of(store, ladder)?)
}

/// Who took part and what is void, as it is to be told.
pub struct LadderMembers {
    pub members: Vec<Member>,
    /// Blocks, causes, how often each was tried.
    pub voids: Vec<(String, String, u32)>,
}

impl LadderMembers {
    /// As it is.
    pub fn of(store: &dyn Record, ladder: &LadderRow) -> Result<LadderMembers, StoreError> {
        Ok(LadderMembers { members: store.members(ladder.id)?, voids: store.voids(ladder.id)? })
    }
}

/// The standings with names and causes as they are to be told.
pub fn gather_told(
    store: &dyn Record,
    games: &[&dyn AnyGame],
    ladder: &LadderRow,
    points: Points,
    lineups: bool,
    told: &LadderMembers,
) -> Result<Standings, StoreError> {
    let (members, voids) = (&told.members, told.voids.clone());
    let entrants = members.iter().map(|member| member.entrant.clone()).collect();
    let each = |add: &mut EachOutcome<'_>| store.each_outcome(ladder.id, add);
    let standings = Standings::gather(ladder.clone(), entrants, voids, points, lineups, each)?;
    let standings = standings.with_turns(turns(store, games, ladder)?);
    Ok(standings.with_roster(members).with_stages(members, store.stages(ladder.id)?))
}

/// What is not even about who moved after whom: a line, or nothing, as where nobody moves in turns.
fn turns(store: &dyn Record, games: &[&dyn AnyGame], ladder: &LadderRow) -> Result<String, StoreError> {
    let is_its = |game: &&&dyn AnyGame| game.facts().name == ladder.game;
    let exchanges = |game: &dyn AnyGame| {
        let mut settings = ladder.all_options().filter_map(|options| game.prepare(&options, ladder.seats).ok());
        settings.any(|setting| setting.rotations() == ladder.seats)
    };
    let game = games.iter().find(is_its).filter(|game| game.facts().has_turn_order(ladder.seats));
    if !game.is_some_and(|game| exchanges(*game)) {
        return Ok(String::new());
    }
    let mut followers = Followers::default();
    store.each_outcome(ladder.id, &mut |found| followers.add(found))?;
    Ok(followers.warning(ladder, &entrants(store, ladder)?))
}

fn find_ladder(store: &dyn Record, name: Option<&str>) -> Result<LadderRow, Failure> {
    let found = match name {
        Some(name) => store.ladder(name)?,
        None => store.newest_ladder()?,
    };
    found.ok_or_else(|| {
        let which = name.map_or("any ladder".to_owned(), |name| format!("ladder {name}"));
        Failure::new(2, format!("the record has nothing of {which}; help: run it first, or name another by --ladder"))
    })
}

#[cfg(test)]
mod tests {
    use crate::Cli;
    use clap::Parser;

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
