//! The command line: what may be typed, and which function answers it. stdout is the answer; progress, warnings and errors go to
//! stderr. Exit: 0 done, 1 our own trouble, 2 usage, 3 bad configuration, 4 a file was refused, 5 not as it should be, 6 no usable client, 130 interrupted.

mod add;
mod care;
mod clients;
mod doctor;
mod export;
mod header;
mod import;
mod inspect;
mod paint;
mod people;
mod plan;
mod play;
mod progress;
mod replay;
mod rerun;
mod short;
mod sprt;
mod tools;
mod trace;
mod whole_file;

use crate::config::{ConfigError, MatchWords};
use crate::record::Places;
use crate::run::RunError;
use crate::store::StoreError;
use agon_games::AnyGame;
use clap::{Args, Parser, Subcommand};
use std::path::{Path, PathBuf};

/// A tournament server for game-playing programs.
#[derive(Parser, Debug)]
#[command(name = "agon", version, arg_required_else_help = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// More of what happens, on stderr: -v matches, -vv every ply. AGON_LOG filters by module.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Writes the program's own log to this file, one JSON object a line.
    #[arg(long, global = true, value_name = "FILE")]
    log_json: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  agon add target/release/*.so     look at compiled clients and put them into clients/
  agon match random greedy         one match from every seat
  agon ladder                      run or continue ./ladder.toml
  agon matches --fault             what went wrong, and where
  agon show ID                     one match explained
  agon replay ID                   one match, step by step
  agon play --against greedy       you against a client";

#[derive(Subcommand, Debug)]
enum Command {
    /// Runs a ladder, or goes on where it stopped.
    Ladder(LadderArgs),
    /// Plays matches between the clients named, one a seat, from every seat.
    Match(MatchArgs),
    /// Lists the matches of a ladder.
    Matches(MatchesArgs),
    /// Explains one match: who, how it ended and why, the last position.
    Show(ShowArgs),
    /// Steps through one match in the terminal.
    Replay(replay::ReplayArgs),
    /// Plays a match of the record again, and says where it differs; or debugs one of its clients.
    Rerun(rerun::RerunArgs),
    /// You play: against clients, or people against each other. Nothing is recorded.
    Play(people::PlayArgs),
    /// The table of a ladder.
    Standings(StandingsArgs),
    /// Lists the clients of a ladder; benches, withdraws and lets back.
    Clients(ClientsArgs),
    /// Writes a ladder for other programs: a line a match (jsonl), a line a seat (csv), one document (json), or notation (text).
    Export(export::ExportArgs),
    /// Takes the matches of an export (jsonl) into a record.
    Import(import::ImportArgs),
    /// Copies the record into one file, while ladders may go on.
    Backup(care::backup::BackupArgs),
    /// Shows what of an output folder may go, and how much that is; --yes removes it.
    Clean(care::clean::CleanArgs),
    /// Takes somebody's client out of the record: names, file, options, everything it said.
    Forget(care::forget::ForgetArgs),
    /// Looks at compiled clients and copies the good ones into clients/.
    Add(AddArgs),
    /// Looks at this machine: what of the sandbox holds, cores, clocks, tools, limits.
    Doctor(DoctorArgs),
    /// Writes the C headers of a game, for the author of a client.
    Header(HeaderArgs),
    /// Is a new version better than its base? Plays until that is answered: a sequential test.
    Sprt(sprt::SprtArgs),
    /// Measures what agon itself costs, or makes a study of a game's client.
    Bench(BenchArgs),
    #[command(external_subcommand)]
    Tool(Vec<String>),
}

/// Of `agon ladder`.
#[derive(Args, Debug)]
pub struct LadderArgs {
    /// The ladder file.
    #[arg(default_value = "ladder.toml")]
    file: PathBuf,
    /// Shows the schedule and an estimate of its time, and plays nothing.
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Sets what the record has of this ladder aside, and begins anew.
    #[arg(long)]
    fresh: bool,
    /// Matches at once, instead of [run] jobs.
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// The table as JSON.
    #[arg(long)]
    json: bool,
    /// No progress, only the table.
    #[arg(short, long)]
    quiet: bool,
}

/// Of `agon match`.
#[derive(Args, Debug)]
pub struct MatchArgs {
    /// Files, or names for clients/NAME.so, one a seat, each with options as NAME:key=value,key=value; repeats are allowed.
    #[arg(required = true)]
    clients: Vec<String>,
    /// Words of the game's own, with their values.
    #[arg(skip)]
    short: short::Given,
    /// How often the clients play all rotations of their seats.
    #[arg(short = 'n', long = "games", value_name = "N")]
    rounds: Option<u64>,
    #[command(flatten)]
    terms: TermsArgs,
}

/// What is played, under which terms, and where it is recorded.
#[derive(Args, Debug)]
pub struct TermsArgs {
    /// The game; agon's first one if not given.
    #[arg(short, long)]
    game: Option<String>,
    /// An option of the game, as often as needed: -o board=donut:9
    #[arg(short, long = "option", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// The board, for games that have one: the same as -o board=BOARD.
    #[arg(short, long)]
    board: Option<String>,
    /// Everything drawn follows from it.
    #[arg(short, long)]
    seed: Option<u64>,
    /// Time for one move: 100ms, 1s.
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// Time for all moves of a match, instead of --time.
    #[arg(long, value_name = "TIME")]
    total: Option<String>,
    /// Resident memory of a client: 512MiB.
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,
    /// process, reuse (one process a client) or none (trusted clients, called in the server).
    #[arg(long)]
    isolation: Option<String>,
    /// auto, strict or off.
    #[arg(long)]
    sandbox: Option<String>,
    /// A rung of the sandbox to leave out, as often as needed.
    #[arg(long, value_name = "RUNG")]
    without: Vec<String>,
    /// The folder of the record.
    #[arg(long, value_name = "DIR")]
    out: Option<String>,
    /// Matches at once.
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// The result as JSON.
    #[arg(long)]
    json: bool,
    /// No progress, only the result.
    #[arg(short, long)]
    quiet: bool,
}

impl TermsArgs {
    /// As the words of a ladder between these clients.
    fn words(&self, clients: &[String]) -> MatchWords {
        let board = self.board.iter().map(|board| format!("board={board}"));
        MatchWords {
            clients: clients.to_vec(),
            game: self.game.clone(),
            options: self.options.iter().cloned().chain(board).collect(),
            seed: self.seed,
            per_move: self.time.clone(),
            total: self.total.clone(),
            memory: self.memory.clone(),
            isolation: self.isolation.clone(),
            sandbox: self.sandbox.clone(),
            without: self.without.clone(),
            out: self.out.clone(),
            ..MatchWords::default()
        }
    }
}

/// Which record, and which ladder in it.
#[derive(Args, Debug)]
pub struct RecordArgs {
    /// The folder of the record.
    #[arg(long, value_name = "DIR", default_value = "agon-out")]
    out: PathBuf,
    /// The ladder; the one worked on last if not given.
    #[arg(long, value_name = "NAME")]
    ladder: Option<String>,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// Of `agon matches`.
#[derive(Args, Debug)]
pub struct MatchesArgs {
    #[command(flatten)]
    record: RecordArgs,
    /// Only where this client took part.
    #[arg(long, value_name = "NAME")]
    client: Option<String>,
    /// Only where somebody was at fault, or at this fault: crash, illegal-move, cpu-time, …
    #[arg(long, value_name = "KIND", num_args = 0..=1, default_missing_value = "")]
    fault: Option<String>,
    /// At most so many, the newest.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// Of `agon show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    #[command(flatten)]
    which: inspect::WhichMatch,
    /// As JSON.
    #[arg(long)]
    json: bool,
    /// Every move, in the game's notation.
    #[arg(long)]
    moves: bool,
    /// The readable log, made again from the record.
    #[arg(long)]
    jsonl: bool,
    /// In a format for other programs: csv, a line a move, and those of the game (a wrong name lists them).
    #[arg(long, value_name = "FORMAT")]
    export: Option<String>,
}

/// Of `agon standings`.
#[derive(Args, Debug)]
pub struct StandingsArgs {
    /// The ladder file whose record, name and points count; without it, the ladder worked on last.
    file: Option<PathBuf>,
    /// Adds a line for each client of each line-up: how it fares with just these others at the table.
    #[arg(long)]
    lineups: bool,
    /// A table that the game makes of its matches; a wrong name says which there are.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["lineups", "json"])]
    table: Option<String>,
    /// Strengths fitted to all results at once, in Elo with 95 % intervals, and who is not separated from whom.
    #[arg(long, conflicts_with_all = ["lineups", "table", "crosstable"])]
    ratings: bool,
    /// Wins, draws and losses of each pair of clients.
    #[arg(long, conflicts_with_all = ["lineups", "table", "json"])]
    crosstable: bool,
    /// The order of the table.
    #[arg(long, value_enum, value_name = "KEY", default_value = "points")]
    sort: crate::report::SortKey,
    /// The table as CSV.
    #[arg(long, conflicts_with_all = ["json", "markdown", "table", "course"])]
    csv: bool,
    /// The table as Markdown.
    #[arg(long, conflicts_with_all = ["json", "table", "course"])]
    markdown: bool,
    /// The table in the format of the course that the game comes from: the same as --table course.
    #[arg(long, conflicts_with_all = ["lineups", "json", "table"])]
    course: bool,
    #[command(flatten)]
    record: RecordArgs,
}

/// Of `agon clients`.
#[derive(Args, Debug)]
pub struct ClientsArgs {
    /// The ladder file whose record and name count; without it, the ladder worked on last.
    file: Option<PathBuf>,
    /// Sets this client aside until it is let back; a new version of it plays. `red@2` names a version.
    #[arg(long, value_name = "NAME")]
    bench: Option<String>,
    /// Takes this client out of the ladder with all its versions, those to come included.
    #[arg(long, value_name = "NAME", conflicts_with = "bench")]
    withdraw: Option<String>,
    /// Lets a client play again that was benched or withdrawn.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["bench", "withdraw"])]
    let_back: Option<String>,
    #[command(flatten)]
    record: RecordArgs,
}

/// Of `agon doctor`.
#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// The folder of the record, whose disk is looked at.
    #[arg(long, value_name = "DIR", default_value = "agon-out")]
    out: PathBuf,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// Of `agon add`.
#[derive(Args, Debug)]
pub struct AddArgs {
    /// Compiled clients; a leading `lib` is dropped from the names of their copies.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where they are put.
    #[arg(long, value_name = "DIR", default_value = "clients")]
    to: PathBuf,
}

/// Of `agon header`.
#[derive(Args, Debug)]
pub struct HeaderArgs {
    /// The game; all games if not given.
    game: Option<String>,
    /// The folder in which `agon/` is made.
    #[arg(long, value_name = "DIR", default_value = "include")]
    to: PathBuf,
}

/// Of `agon bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// A study by its name (agon --help lists them), or only the figures whose name contains this.
    only: Option<String>,
    /// Whole matches of this client against itself instead, in every isolation; in a study, the client's file.
    #[arg(long, value_name = "FILE")]
    client: Option<PathBuf>,
    /// How often each figure is measured; the median is shown, in a study mean and standard error.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Of a study: a version goes no further once a first move takes longer; 10s if not given.
    #[arg(long, value_name = "TIME")]
    limit: Option<String>,
    /// Of a study: the folder for study-NAME.csv, study-NAME.md and study-NAME.svg, written anew each time.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// What a command comes to, other than well.
#[derive(Debug)]
pub struct Failure {
    status: u8,
    message: String,
}

impl Failure {
    fn new(status: u8, message: impl std::fmt::Display) -> Failure {
        Failure { status, message: message.to_string() }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        let status = match error {
            RunError::Internal(_) => 1,
            RunError::Config(_) => 3,
            RunError::NoClient(_) => 6,
        };
        Failure::new(status, error)
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure::new(3, error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::new(1, error)
    }
}

/// Answers the command line; the exit status.
pub fn answer(games: &'static [&'static dyn AnyGame]) -> u8 {
    let tools = tools::summary(games);
    let command = <Cli as clap::CommandFactory>::command().after_long_help(format!("{EXAMPLES}\n\n{tools}"));
    let parsed = short::declare(command, games).try_get_matches().and_then(|matches| {
        let mut cli = <Cli as clap::FromArgMatches>::from_arg_matches(&matches)?;
        if let Command::Match(args) = &mut cli.command {
            args.short = short::given(&matches, games);
        }
        Ok(cli)
    });
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are answers; the library prints each to its stream.
            let _ = error.print();
            return if error.use_stderr() { 2 } else { 0 };
        }
    };
    let result = trace::begin(cli.verbose, cli.log_json.as_deref()).and_then(|()| dispatch(cli.command, games));
    match result {
        Ok(status) => status,
        Err(failure) => {
            progress::say(&format!("error: {}", failure.message));
            failure.status
        }
    }
}

fn dispatch(command: Command, games: &'static [&'static dyn AnyGame]) -> Result<u8, Failure> {
    match command {
        Command::Ladder(args) => play::ladder(&args, games),
        Command::Match(args) => play::matches(&args, games),
        Command::Matches(args) => inspect::matches(&args),
        Command::Show(args) => inspect::show(&args, games),
        Command::Replay(args) => replay::replay(&args, games),
        Command::Rerun(args) => rerun::rerun(&args, games),
        Command::Play(args) => people::play(args, games),
        Command::Sprt(args) => sprt::sprt(&args, games),
        Command::Standings(args) => inspect::standings(&args, games),
        Command::Clients(args) => clients::clients(&args, games),
        Command::Export(args) => export::export(&args, games),
        Command::Import(args) => import::import(&args, games),
        Command::Backup(args) => care::backup::backup(&args),
        Command::Clean(args) => care::clean::clean(&args),
        Command::Forget(args) => care::forget::forget(&args),
        Command::Doctor(args) => doctor::doctor(&args),
        Command::Add(args) => add::add(&args, games),
        Command::Header(args) => header::write(&args, games),
        Command::Bench(args) => tools::bench(&args, games),
        Command::Tool(words) => tools::run(&words, games),
    }
}

/// The file of the client that plays for files without a descriptor.
const ADAPTER: &str = "libclassic.so";

/// Where the host, the admission program and the adapter are: beside this program, or where an installation puts them.
fn find_places(out: &Path) -> Result<Places, Failure> {
    let (host, admit) = (find_program("agon-host")?, find_program("agon-admit")?);
    let adapter = Some(host.with_file_name(ADAPTER)).filter(|path| path.is_file());
    Ok(Places { out: out.to_owned(), host, admit, adapter })
}

fn find_program(name: &str) -> Result<PathBuf, Failure> {
    if let Some(folder) = std::env::var_os("AGON_LIBEXEC") {
        return Ok(PathBuf::from(folder).join(name));
    }
    let me = std::env::current_exe().map_err(|error| Failure::new(1, error))?;
    let folder = me.parent().unwrap_or(Path::new("/"));
    let candidates = [folder.join(name), folder.join("../libexec/agon").join(name)];
    candidates.iter().find(|path| path.is_file()).cloned().ok_or_else(|| {
        let folder = folder.display();
        let help = "build the whole workspace (cargo build --release), or set AGON_LIBEXEC to its folder";
        Failure::new(1, format!("{name} is neither in {folder} nor in {folder}/../libexec/agon; help: {help}"))
    })
}
