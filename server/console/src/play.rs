//! `agon play`: people at the terminal or in a browser play any game, against clients or each other. Nothing of it
//! enters the record.

mod advice;
mod board;
mod board_match;
pub mod browser;
mod console;
mod finished;
mod invite;
mod person;
mod seats;
mod words;

use advice::Adviser;
use agon_command::atomic_file::write_atomically;
use agon_command::lang::Lang;
use agon_command::output::say;
use agon_command::paint::Paint;
use agon_command::scratch::Scratch;
use agon_command::terms::StartArgs;
use agon_command::{Failure, find_paths, game_of, status};
use agon_config::{self as config, MatchWords};
use agon_games::{AnyGame, Facts, Seat};
use agon_live::address::{PublicUrl, address, public};
use agon_live::published::keep_own;
use agon_model::visible::escape;
use agon_model::{Ladder, SandboxMode, SandboxPolicy, find_game};
use agon_playback::Playback;
use agon_player::held_layers::warn_of_missing_layers;
use agon_tournament::{AdHocMatch, RunEvent, claimed_game};
use board::{End, SeatBoard, Wish};
use clap::Args;
use console::Console;
use finished::{FinishedMatch, numbered, result};
use person::Person;
use seats::seat_all;
use std::cell::RefCell;
use std::io::{BufRead, IsTerminal};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use words::PlayWords;

/// The arguments of `agon play`.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// The game; agon rules lists all. Default: the one that the clients play.
    game: Option<String>,
    /// The game: the same as the argument GAME.
    #[arg(short = 'g', long = "game", value_name = "GAME", conflicts_with = "game")]
    named: Option<String>,
    /// Clients to play against: files, or names of clients in clients/ or of bundled ones, with options as
    /// NAME:key=value. Bundled: random, greedy, mcts …; agon add lists all. If you name none, agon asks you whom to
    /// play. With --browser or without a terminal, people take all seats.
    #[arg(long, value_name = "CLIENT", num_args = 1..)]
    against: Vec<String>,
    /// agon's own player takes all other seats: 1 beginner, 2 advanced, 3 strongest.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=3), conflicts_with = "against")]
    level: Option<u8>,
    /// Your seat, from 1 [default: 1]. Clients take the other seats in order, and people take the rest.
    #[arg(long, value_name = "N")]
    seat: Option<usize>,
    /// The number of seats, for games that allow several.
    #[arg(long, value_name = "N")]
    seats: Option<usize>,
    #[command(flatten)]
    start: StartArgs,
    /// The time of a client for each move, such as 100ms. Default: 1s. People have all the time they want.
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// The folder for copies of the clients while they play. Default: a temporary folder.
    #[arg(long, value_name = "DIR")]
    copies: Option<String>,
    /// The language of messages. Moves are written the same way in both languages.
    #[arg(long, value_enum, default_value = "en")]
    lang: Lang,
    /// Prints only ASCII characters.
    #[arg(long)]
    ascii: bool,
    /// Writes the finished match to a file that any browser opens without agon.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Plays in a browser, by mouse, keys or typed moves. agon prints a link for each person.
    #[arg(long)]
    browser: bool,
    /// Where to listen for browsers: ADDRESS:PORT. If you write only PORT, only this machine can connect.
    #[arg(long, value_name = "ADDR", value_parser = address, requires = "browser")]
    listen: Option<SocketAddr>,
    /// The public URL (https://NAME), if agon is behind a reverse proxy that does TLS.
    #[arg(long, value_name = "URL", value_parser = public, requires = "browser")]
    url: Option<PublicUrl>,
    /// The client that advises you on request. Default: with --level the strongest player, otherwise the first of
    /// --against.
    #[arg(long, value_name = "CLIENT")]
    hint: Option<String>,
    /// The name of a person. Repeat it for each person, in order of seats.
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
}

/// Plays one match; at a terminal, what the command line leaves open is asked first.
#[expect(clippy::too_many_lines)]
pub fn play(args: PlayArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let mut args = args;
    let words = PlayWords(args.lang.language());
    let first = games.first().map_or("", |game| game.facts().name);
    let name = match args.game.clone().or(args.named.clone()) {
        Some(name) => name,
        None => {
            let met = game_of(&args.against, SandboxMode::Auto, games, &claimed_game);
            let met = met.map_err(|failure| seats::explain(failure, &args, games))?;
            met.unwrap_or_else(|| first.to_owned())
        }
    };
    let (game, lines) = (find_game(games, &name)?, read_lines()?);
    if let Some(file) = args.save.as_ref().filter(|file| file.exists()) {
        // This is reported now, and not when the match is over.
        let what = format!("{} is there already; help: choose a file that does not exist", file.display());
        return Err(Failure::trouble(what));
    }
    let is_advised_by_best = args.hint.is_none();
    let Some(met) = choose(&mut args, game, words, &lines)? else {
        return Ok(finish(Left::Early, words));
    };
    // Nothing is recorded, and only a folder that was asked for is written to.
    let make = if args.browser { Scratch::new } else { Scratch::until_signal };
    let scratch = args.copies.is_none().then(make).transpose()?;
    let out = scratch.as_ref().map(Scratch::path);
    let setup = MatchSetup { args: &args, name: &name, games, out };
    if !args.against.is_empty() || args.hint.is_some() {
        let host = find_paths(Path::new("."))?.host;
        warn_of_missing_layers(&host, &SandboxPolicy::default(), &mut |what| say(&format!("warning: {what}")));
    }
    let mut ad_hoc = setup.ad_hoc(&args.against, &seat_all(&args, game, games)?)?;
    met.as_ref().into_iter().for_each(|met| ad_hoc.call_clients(met.player));
    let client = args.hint.as_ref().or(args.against.first()).cloned();
    let mut adviser = client.map(|client| setup.adviser(client, ad_hoc.labels().len())).transpose()?;
    if let (Some(met), Some(adviser), true) = (&met, &mut adviser, is_advised_by_best) {
        met.best.clone_into(&mut adviser.label);
    }
    let names = names(&args, &ad_hoc)?;
    let called = names.iter().map(|name| name.clone().unwrap_or_else(|| words.person().to_owned())).collect();
    let end = FinishedMatch { words, game, called, save: args.save.as_deref(), keeps_words: true };
    if !args.browser {
        let console = Console::new(&ad_hoc, lines, Paint::of_stdout(args.ascii), words);
        let console = RefCell::new(console.with_people(names, adviser));
        return Ok(finish(play_on(&mut ad_hoc, &console, &end)?, words));
    }
    let open = browser::open(browser::Entrance { at: args.listen, public: args.url.clone() }, &ad_hoc, words, adviser)?;
    Ok(finish(play_on(&mut ad_hoc, &*open.session, &end)?, words))
}

fn finish(left: Left, words: PlayWords) -> u8 {
    if left == Left::Early {
        println!("{}", words.stopped());
    }
    status::DONE
}

/// Seats the opponents of `--level`, or those that a person at a terminal chooses. `None` = the person left.
fn choose(
    args: &mut PlayArgs,
    game: &dyn AnyGame,
    words: PlayWords,
    lines: &Receiver<String>,
) -> Result<Option<Option<Met>>, Failure> {
    let met = args.level.map(|level| meet(args, game.facts(), usize::from(level), None, words)).transpose()?;
    if args.browser || !std::io::stdin().is_terminal() {
        return Ok(Some(met));
    }
    match invite::ask(args, game, words, lines) {
        Ok(None) => Ok(Some(met)),
        Ok(Some(invite::Chosen { level, machines })) => {
            meet(args, game.facts(), level, Some(machines), words).map(|met| Some(Some(met)))
        }
        Err(_) => Ok(None),
    }
}

/// Seats the player of this level on so many seats, or wherever you do not sit; the best there is gives advice, unless
/// somebody else is to.
fn meet(
    args: &mut PlayArgs,
    facts: &Facts,
    level: usize,
    machines: Option<usize>,
    words: PlayWords,
) -> Result<Met, Failure> {
    let Some(player) = facts.levels.get(level - 1) else {
        let what = format!("no client of {} comes with agon; help: --against CLIENT", facts.title);
        return Err(Failure::usage(what));
    };
    let seats = args.seats.unwrap_or(facts.seats.0.max(2));
    let file = file_of(player.client)?;
    println!("{}", words.you_meet(player.name.in_language(words.0), player.client));
    args.against = vec![file; machines.unwrap_or(seats.saturating_sub(1))];
    args.seats = Some(seats);
    if let (None, Some(best)) = (&args.hint, facts.levels.last()) {
        args.hint = Some(file_of(best.client)?);
    }
    let best = facts.levels.last().map_or("", |best| best.name.in_language(words.0));
    Ok(Met { player: player.name.in_language(words.0), best })
}

/// The names of opponents and advisers at a level.
struct Met {
    /// The name of the opponents.
    player: &'static str,
    /// The name of the adviser.
    best: &'static str,
}

/// The file of a client that comes with agon, `NAME:key=value`: in `clients/`, or next to this program.
fn file_of(client: &str) -> Result<String, Failure> {
    let (name, options) = client.split_once(':').unwrap_or((client, ""));
    // Files are named with either sign.
    let names = [name.to_owned(), name.replace('_', "-")];
    if let Some(name) = names.iter().find(|name| Path::new("clients").join(format!("{name}.so")).is_file()) {
        return Ok(format!("{name}:{options}"));
    }
    let beside = find_paths(Path::new("."))?.host.with_file_name(format!("lib{name}.so"));
    if beside.is_file() {
        return Ok(format!("{}:{options}", beside.display()));
    }
    let what = format!("{name}.so is neither in clients/ nor at {}", beside.display());
    Err(Failure::new(status::NO_CLIENT, format!("{what}; help: build agon and its clients (cargo build --release)")))
}

/// The parts from which matches are made.
struct MatchSetup<'a> {
    args: &'a PlayArgs,
    /// The name of the game.
    name: &'a str,
    games: &'a [&'a dyn AnyGame],
    /// The folder for copies, if it is not the one that was named.
    out: Option<&'a Path>,
}

impl MatchSetup<'_> {
    /// The match that the command line describes, with these clients and whose place each seat is.
    fn ad_hoc(&self, clients: &[String], seats: &[Option<usize>]) -> Result<AdHocMatch, Failure> {
        let mut ladder = read(self.args, self.name, clients, seats, self.games)?;
        self.out.into_iter().for_each(|folder| ladder.out = folder.to_owned());
        let paths = find_paths(&ladder.out)?;
        Ok(AdHocMatch::of_people(&ladder, seats, self.games, &paths, &mut say_warning)?)
    }

    /// The same with one client on all seats, which can be asked for advice.
    fn adviser(&self, client: String, seats: usize) -> Result<Adviser, Failure> {
        let ad_hoc = self.ad_hoc(&vec![client; seats], &vec![Some(0); seats])?;
        let label = ad_hoc.labels().into_iter().flatten().next().map_or(String::new(), |label| escape(label, 40));
        Ok(Adviser { ad_hoc, label, tells_why: true })
    }
}

/// Prints the warnings about clients, and no other event.
pub(crate) fn say_warning(event: RunEvent) {
    if let RunEvent::Warning(text) = event {
        say(&format!("warning: {text}"));
    }
}

/// The names of people, seat by seat; nothing for those who have none, and for clients.
fn names(args: &PlayArgs, ad_hoc: &AdHocMatch) -> Result<Vec<Option<String>>, Failure> {
    let mut given = args.name.iter().map(|name| escape(name, 40));
    let names = ad_hoc.labels().iter().map(|label| if label.is_none() { given.next() } else { None }).collect();
    match given.next() {
        None => Ok(names),
        Some(name) => Err(Failure::usage(format!("--name {name}: there is nobody left to be called so"))),
    }
}

/// The point at which people left a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    /// In the middle of a match.
    Early,
    /// They left after a match.
    AtTheEnd,
}

/// Plays until people have had enough.
fn play_on(ad_hoc: &mut AdHocMatch, board: &dyn SeatBoard, ending: &FinishedMatch<'_>) -> Result<Left, Failure> {
    let (words, mut count) = (ending.words, 0);
    loop {
        board.begin(ad_hoc.start());
        let mut played =
            ad_hoc.play(&|seat: Seat| Box::new(Person::new(board, seat)), &mut |step, state| board.see(step, state));
        match board.take_wish() {
            Some(Wish::Undo) => {
                board.say(words.taken_back());
                continue;
            }
            Some(Wish::Quit) => return Ok(Left::Early),
            Some(Wish::Resign(seat)) => AdHocMatch::resign(&mut played, &*board.state(), seat),
            None => {}
        }
        if !ending.keeps_words {
            keep_own(&mut played, &|_| false);
        }
        let told = result(ad_hoc, &played, ending);
        let replay = || {
            let stored = ad_hoc.recorded(played.clone(), &ending.called);
            let mut playback = Playback::in_language(&stored, ending.game, words.0);
            playback.explained = told.lines_by_name(words);
            agon_web::replay_page(&playback)
        };
        if let Some(file) = ending.save {
            count += 1;
            board.say(&save(&numbered(file, count), &replay(), words));
        }
        if !board.end(&End { told: &told, replay: &replay }) {
            return Ok(Left::AtTheEnd);
        }
        ad_hoc.go_on();
    }
}

/// Saves a replay, and returns a sentence about it. Trouble with a file does not end a board at which people sit.
fn save(file: &Path, replay: &str, words: PlayWords) -> String {
    let trouble = |error| Failure::trouble(format!("{}: {error}", file.display()));
    match write_atomically(file, |out| out.write_all(replay.as_bytes()).map_err(trouble)) {
        Ok(()) => words.saved(&file.display().to_string()),
        Err(failure) => failure.message,
    }
}

fn read(
    args: &PlayArgs,
    game: &str,
    clients: &[String],
    seats: &[Option<usize>],
    games: &[&dyn AnyGame],
) -> Result<Ladder, Failure> {
    let words = MatchWords {
        clients: clients.to_vec(),
        people: seats.iter().filter(|seat| seat.is_none()).count(),
        game: Some(game.to_owned()),
        options: args.start.options(),
        seed: args.start.seed,
        per_move: args.time.clone(),
        out: args.copies.clone(),
        ..MatchWords::default()
    };
    Ok(config::for_match(&words, Path::new("."), games)?)
}

/// The lines of standard input as they come; the channel closes when the input ends.
fn read_lines() -> Result<Receiver<String>, Failure> {
    let (sender, receiver) = channel();
    let read = move || {
        let mut input = std::io::stdin().lock();
        let mut line = Vec::new();
        while input.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
            line.clear();
        }
    };
    let started = std::thread::Builder::new().spawn(read);
    started
        .map_err(|error| Failure::trouble(format!("no thread starts: {error}; help: end other programs, try again")))?;
    Ok(receiver)
}
