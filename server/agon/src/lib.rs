//! The command line: what may be typed, and which function answers it. stdout is the answer; progress, warnings and
//! errors go to stderr. The exit statuses are those of `agon_command::status`.

#[macro_use]
extern crate agon_command;

mod clients;
mod completions;
mod data_files;
mod demo;
mod doctor;
mod elo;
mod foot;
mod game_words;
mod ladder;
mod like;
mod r#match;
mod matches;
mod metrics;
mod moving_rate;
mod notify;
mod overview;
mod plan;
mod progress;
mod record;
mod remote_args;
mod report;
mod rules;
mod run;
mod show;
mod sources;
mod sprt;
mod standby;
mod standings;
mod teams;
mod tools;
mod topics;
mod trace;
mod tune;
mod usage;
mod worker;

use agon_authoring::{add, build, check, explain, header, new, rerun};
use agon_command::output::say;
use agon_command::{Failure, status};
use agon_console::play::browser::boards::VisitorBoards;
use agon_console::{analyse, play, replay};
use agon_games::AnyGame;
use agon_live::serve;
use agon_tournament::claimed_game;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// A tournament server for game-playing programs.
#[derive(Parser, Debug)]
#[command(name = "agon", version, arg_required_else_help = true, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Prints more to stderr: -v each match, -vv each ply. To see details of one part of agon, set the variable
    /// AGON_LOG, for example AGON_LOG=agon_arena=debug.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Writes agon's own log to this file, one JSON object on each line.
    #[arg(long, global = true, value_name = "FILE")]
    log_json: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Makes a folder with a client that compiles and plays: begin here
    New(new::NewArgs),
    /// Tests a client step by step, from its file to whole matches
    ///
    /// Nothing is recorded.
    Check(check::CheckArgs),
    /// Explains a message such as cpu-time, and what to do about it
    Explain(explain::ExplainArgs),
    /// Plays a recorded match again and compares the two, or debugs one of its clients
    Rerun(rerun::RerunArgs),
    /// Tests whether a new version is better than an old one
    ///
    /// It plays pairs of matches until a sequential test decides, or until it has played --most pairs. The exit status is 0
    /// for better, 7 for not better, 8 for undecided.
    Sprt(sprt::SprtArgs),
    /// Finds better values for a client's options by matches against itself
    ///
    /// At the end, if they differ, a sequential test plays the values that it found against those at the start.
    Tune(tune::TuneArgs),
    /// Computes the Elo difference from your counts of wins, draws and losses
    ///
    /// Nothing is played.
    Elo(elo::EloArgs),
    /// Writes the C headers of a game
    Header(header::HeaderArgs),
    /// Plays a first match between clients that come with agon, and shows it as a page
    ///
    /// Nothing is recorded.
    Demo(demo::DemoArgs),
    /// Lets you play against clients or against other people
    ///
    /// Nothing is recorded.
    Play(play::PlayArgs),
    /// Plays matches between the clients you name; each takes each seat in turn
    Match(r#match::MatchArgs),
    /// Builds the submissions of a class in a sandbox, and puts them into clients/
    ///
    /// It takes archives and folders, with sources or compiled clients.
    Build(build::BuildArgs),
    /// Checks compiled clients, and copies them into clients/
    Add(add::AddArgs),
    /// Plays the tournament of a ladder file, or continues it where it stopped
    Ladder(ladder::LadderArgs),
    /// Lists which clients take part in a ladder, which do not, and why
    ///
    /// It also stops clients from playing, and lets them play again.
    Clients(clients::ClientsArgs),
    /// Lists the teams of a ladder; makes and revokes their private links
    ///
    /// The links are for agon serve --team-links.
    Teams(teams::TeamsArgs),
    /// Shows a ladder's table, ratings and grades; writes feedback for each author
    Standings(standings::StandingsArgs),
    /// Lists the matches of a ladder, by client, fault, board or length
    Matches(matches::MatchesArgs),
    /// Explains one match: its clients, its end and the reason, the last position
    Show(show::ShowArgs),
    /// Shows one match step by step in the terminal
    ///
    /// If you write ID@TURN instead of ID, the replay begins after this turn.
    Replay(replay::ReplayArgs),
    /// Shows a position: its moves, and what a client would play
    ///
    /// Nothing is recorded.
    Analyse(analyse::AnalyseArgs),
    /// Writes a ladder as a folder of pages, to publish or to open from disk
    Report(report::ReportArgs),
    /// Serves a ladder's pages to browsers, live while it is played
    Serve(serve::ServeArgs),
    /// Backs up, exports, imports and cleans a record, or erases a client from it
    Record(record::RecordArgs),
    /// Manages other machines that play for a ladder (needs agon-machines)
    Worker(worker::WorkerArgs),
    /// Prints the rules of a game, its options, and what a client gets and returns
    Rules(rules::RulesArgs),
    /// Prints pages to read: a first client, ladder files, time controls, ratings, …
    Help(topics::HelpArgs),
    /// Checks this machine: sandbox layers, cores, clocks, tools, limits
    Doctor(doctor::DoctorArgs),
    /// Runs benchmarks of agon itself, or studies a game's client (needs agon-lab)
    Bench(tools::BenchArgs),
    /// Prints a completion script for your shell
    Completions(completions::CompletionsArgs),
    /// Writes man pages, one for each command
    Man(completions::ManArgs),
    #[command(external_subcommand)]
    Tool(Vec<String>),
}

/// Everything that may be typed, the words of all games among it.
fn command_line(games: &[&dyn AnyGame]) -> clap::Command {
    game_words::declare(overview::group(<Cli as clap::CommandFactory>::command(), games), games)
}

/// The stack of the program, bytes. That of the first thread is what the shell allows, which may be little.
const STACK: usize = 8 << 20;

/// Runs the program with these games, from its words to its exit status.
pub fn run(games: &'static [&'static dyn AnyGame]) -> ExitCode {
    let program = std::thread::Builder::new().name("agon".to_owned()).stack_size(STACK).spawn(move || answer(games));
    match program.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => ExitCode::from(code),
        // The command panicked, and has printed its message.
        Ok(Err(_)) => ExitCode::from(101),
        Err(error) => {
            say(&format!(
                "error: no thread starts: {error}; help: raise ulimit -u in this shell, or end other programs"
            ));
            ExitCode::FAILURE
        }
    }
}

/// Answers the command line; the exit status.
fn answer(games: &'static [&'static dyn AnyGame]) -> u8 {
    let words: Vec<_> = std::env::args_os().collect();
    if words.len() < 2 {
        print!("{}", overview::FIRST);
        return status::DONE;
    }
    let parsed = command_line(games).try_get_matches_from(words.clone()).and_then(|matches| {
        let mut cli = <Cli as clap::FromArgMatches>::from_arg_matches(&matches)?;
        if let Command::Match(args) = &mut cli.command {
            args.short = game_words::given(&matches, games);
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
    agon_model::write_slow_acts_by(|line| foot::step_aside(|| say(line)));
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
            args.terms.settle_game(&args.clients, games, &claimed_game)?;
            r#match::play(&args, games)
        }
        Command::Worker(args) => worker::worker(&args, games),
        Command::Matches(args) => matches::matches(&args),
        Command::Show(args) => show::show(&args, games),
        Command::Replay(args) => replay::replay(&args, games),
        Command::Rerun(args) => rerun::rerun(&args, games),
        Command::Play(args) => play::play(args, games),
        Command::Analyse(args) => analyse::analyse(&args, games),
        Command::Sprt(args) => sprt::sprt(args, games),
        Command::Tune(args) => tune::tune(args, games),
        Command::Elo(args) => elo::elo(&args),
        Command::Standings(args) => standings::standings(&args, games),
        Command::Clients(args) => clients::clients(&args),
        Command::Teams(args) => teams::teams(&args),
        Command::Record(args) => record::record(&args, games),
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
        Command::Serve(args) => serve::serve(&args, games, VisitorBoards::default(), add::replace),
        Command::Header(args) => header::write(&args, games),
        Command::Rules(args) => rules::rules(&args, games),
        Command::Help(args) => topics::help(&args, &command_line(games), games),
        Command::Bench(args) => tools::bench(&args, &command_line(games)),
        Command::Tool(words) => tools::run(&words, games),
    }
}
