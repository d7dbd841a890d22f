//! The command line: what may be typed, and which function answers it. stdout is the answer; progress, warnings and
//! errors go to stderr. The exit statuses are those of `agon_command::status`.

#[macro_use]
extern crate agon_command;

mod backup;
mod clean;
mod clients;
mod completions;
mod data_files;
mod demo;
mod doctor;
mod elo;
mod export;
mod forget;
mod import;
mod inspect;
mod ladder;
mod like;
mod metrics;
mod notify;
mod others;
mod plan;
mod playable;
mod progress;
mod report;
mod short;
mod speed;
mod sprt;
mod teams;
mod tools;
mod trace;
mod tune;
mod usage;
mod vocabulary;
mod worker;
mod workers;

use agon_authoring::{add, build, check, explain, header, new, rerun};
use agon_command::output::say;
use agon_command::{Failure, status};
use agon_console::play::browser::boards::LiveBoards;
use agon_console::{analyse, play, replay};
use agon_games::AnyGame;
use agon_live::serve;
use clap::{Parser, Subcommand};
use std::path::PathBuf;

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
  agon demo                        shipped clients play, and a page shows it
  agon new c mybot                 a folder with a client in C to begin with
  agon add target/release/*.so     look at compiled clients and put them into clients/
  agon check mybot.so              what is wrong with it, and what to do
  agon match random greedy         one match from every seat
  agon ladder                      run or continue ./ladder.toml
  agon matches --fault             what went wrong, and where
  agon show ID                     one match explained
  agon replay ID                   one match, step by step
  agon play --against greedy       you against a client";

#[derive(Subcommand, Debug)]
enum Command {
    /// Runs a ladder, or goes on where it stopped.
    Ladder(ladder::LadderArgs),
    /// Plays matches between the clients named, one a seat, from every seat.
    Match(ladder::MatchArgs),
    /// Plays for a ladder on another machine: fetches what it needs from the record, plays in its own sandbox,
    /// delivers.
    Worker(worker::WorkerArgs),
    /// Lists the workers of a record on PostgreSQL; invites, drains and bans.
    Workers(workers::WorkersArgs),
    /// Lists the matches of a ladder.
    Matches(inspect::MatchesArgs),
    /// Explains one match: who, how it ended and why, the last position.
    Show(inspect::ShowArgs),
    /// Steps through one match in the terminal.
    Replay(replay::ReplayArgs),
    /// Plays a match of the record again, and says where it differs; or debugs one of its clients.
    Rerun(rerun::RerunArgs),
    /// You play: against clients, or people against each other. Nothing is recorded.
    Play(play::PlayArgs),
    /// Looks at one position: moves, what a client would play and has logged, who comes first where. Nothing is
    /// recorded.
    Analyse(analyse::AnalyseArgs),
    /// The table of a ladder.
    Standings(inspect::StandingsArgs),
    /// Lists the clients of a ladder; benches, withdraws and lets back.
    Clients(clients::ClientsArgs),
    /// Lists the teams of a ladder with their private links for agon serve --team-links; makes and revokes them.
    Teams(teams::TeamsArgs),
    /// Writes a ladder for other programs: a line a match (jsonl), a line a seat (csv), one document (json), or
    /// notation (text).
    Export(export::ExportArgs),
    /// Takes the matches of an export (jsonl) into a record.
    Import(import::ImportArgs),
    /// Copies the record into one file, while ladders may go on.
    Backup(backup::BackupArgs),
    /// Shows what of an output folder may go, and how much that is; --yes removes it.
    Clean(clean::CleanArgs),
    /// Takes somebody's client out of the record: names, file, options, everything it said.
    Forget(forget::ForgetArgs),
    /// Makes a folder with a client that compiles and plays, to begin with.
    New(new::NewArgs),
    /// Clients that come with agon play a match, and a page of it is written. Nothing is needed for it.
    Demo(demo::DemoArgs),
    /// Looks at compiled clients and copies the good ones into clients/.
    Add(add::AddArgs),
    /// Builds what a class handed in, archives or folders of sources, in a sandbox, and puts the clients into clients/.
    Build(build::BuildArgs),
    /// Looks at compiled clients step by step, from the file to matches, and says what to mend. Nothing is recorded.
    Check(check::CheckArgs),
    /// What a message means: a fault, a notice, a refusal or a void by its name, such as cpu-time.
    Explain(explain::ExplainArgs),
    /// What bash, zsh or fish complete, for their folders of completions.
    Completions(completions::CompletionsArgs),
    /// Writes pages for man, one a command.
    Man(completions::ManArgs),
    /// Looks at this machine: what of the sandbox holds, cores, clocks, tools, limits.
    Doctor(doctor::DoctorArgs),
    /// Writes a ladder as pages, to publish or to open from disk: standings, pairs, clients, matches.
    Report(report::ReportArgs),
    /// Shows a record in a browser, for as long as it runs: the same pages, made when they are asked for.
    Serve(serve::ServeArgs),
    /// Writes the C headers of a game, for the author of a client.
    Header(header::HeaderArgs),
    /// Is a new version better than its base? Plays until that is answered: a sequential test.
    Sprt(sprt::SprtArgs),
    /// Looks for better values of a client's options by matches against itself, and tests what it found.
    Tune(tune::TuneArgs),
    /// What counted results tell: Elo with intervals, how a sequential test stands, how many more it takes. Nothing is
    /// played.
    Elo(elo::EloArgs),
    /// Measures what agon itself costs, or makes a study of a game's client.
    Bench(tools::BenchArgs),
    #[command(external_subcommand)]
    Tool(Vec<String>),
}

/// Everything that may be typed, the words of all games among it.
fn command_line(games: &[&dyn AnyGame]) -> clap::Command {
    let tools = tools::summary(games);
    let command = <Cli as clap::CommandFactory>::command().after_long_help(format!("{EXAMPLES}\n\n{tools}"));
    short::declare(command, games)
}

/// Answers the command line; the exit status.
pub fn answer(games: &'static [&'static dyn AnyGame]) -> u8 {
    let words = vocabulary::renew(std::env::args_os());
    let parsed = command_line(games).try_get_matches_from(words.clone()).and_then(|matches| {
        let mut cli = <Cli as clap::FromArgMatches>::from_arg_matches(&matches)?;
        if let Command::Match(args) = &mut cli.command {
            args.short = short::given(&matches, games);
        }
        Ok(cli)
    });
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            if error.use_stderr() {
                say(&usage::tell(&error, &words, &command_line(games)));
                return status::USAGE;
            }
            // Help and version are answers of ours.
            let _ = error.print();
            return status::DONE;
        }
    };
    // Where the shell limits the size of files, a write that goes beyond is an error to be told, and not the end
    // without a word.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    let result = trace::begin(cli.verbose, cli.log_json.as_deref()).and_then(|()| dispatch(cli.command, games));
    match result {
        Ok(status) => status,
        Err(failure) => {
            say(&format!("error: {}", failure.message));
            failure.status
        }
    }
}

fn dispatch(command: Command, games: &'static [&'static dyn AnyGame]) -> Result<u8, Failure> {
    match command {
        Command::Ladder(args) => ladder::ladder(&args, games),
        Command::Match(mut args) => {
            args.terms.settle_game(&args.clients, games)?;
            ladder::matches(&args, games)
        }
        Command::Worker(args) => worker::worker(&args, games),
        Command::Workers(args) => workers::workers(&args),
        Command::Matches(args) => inspect::matches(&args),
        Command::Show(args) => inspect::show(&args, games),
        Command::Replay(args) => replay::replay(&args, games),
        Command::Rerun(args) => rerun::rerun(&args, games),
        Command::Play(args) => play::play(args, games),
        Command::Analyse(args) => analyse::analyse(&args, games),
        Command::Sprt(args) => sprt::sprt(args, games),
        Command::Tune(args) => tune::tune(args, games),
        Command::Elo(args) => elo::elo(&args),
        Command::Standings(args) => inspect::standings(&args, games),
        Command::Clients(args) => clients::clients(&args),
        Command::Teams(args) => teams::teams(&args),
        Command::Export(args) => export::export(&args, games),
        Command::Import(args) => import::import(&args, games),
        Command::Backup(args) => backup::backup(&args),
        Command::Clean(args) => clean::clean(&args),
        Command::Forget(args) => forget::forget(&args),
        Command::Doctor(args) => doctor::doctor(&args, games),
        Command::Explain(args) => explain::explain(&args),
        Command::Completions(args) => Ok(completions::completions(&args, command_line(games))),
        Command::Man(args) => completions::man(&args, command_line(games)),
        Command::New(args) => new::new(&args, games),
        Command::Demo(args) => demo::demo(&args, games),
        Command::Build(args) => build::build(&args, games),
        Command::Check(args) => check::check(&args, games),
        Command::Add(args) => add::add(&args, games),
        Command::Report(args) => report::report(&args, games),
        Command::Serve(args) => serve::serve(&args, games, LiveBoards::default()),
        Command::Header(args) => header::write(&args, games),
        Command::Bench(args) => tools::bench(&args),
        Command::Tool(words) => tools::run(&words, games),
    }
}
