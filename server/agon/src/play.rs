//! `agon play`: people at the terminal or in a browser play any game, against clients or each other. Nothing of it
//! enters the record.

mod board;
mod browser;
mod console;
mod invite;
mod person;
mod sitting;
mod words;

use super::atomic_file::write_atomically;
use super::paint::Paint;
use super::progress::say;
use super::scratch::Scratch;
use super::serve::address::address;
use super::terms::StartArgs;
use super::{Failure, find_places};
use agon_config::{self as config, Ladder, MatchWords};
use agon_games::{AnyGame, Language, Seat};
use agon_model::Match;
use agon_model::visible::escape;
use agon_report::Playback;
use agon_tournament::{AdHocMatch, RunEvent, find_game};
use board::{Board, End, Wish};
use browser::Adviser;
use clap::{Args, ValueEnum};
use console::Console;
use person::Person;
use std::cell::RefCell;
use std::io::{BufRead, IsTerminal};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use words::Words;

/// Of `agon play`.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// The game; agon's first one if not given.
    game: Option<String>,
    /// The same, as in `agon match`.
    #[arg(short, long = "game", value_name = "GAME", conflicts_with = "game")]
    named: Option<String>,
    /// Clients to play against: files, or names for clients/NAME.so, with options as NAME:key=value. Without any,
    /// people take all seats.
    #[arg(long, value_name = "CLIENT", num_args = 1..)]
    against: Vec<String>,
    /// Your seat, from 1 [default: 1]; clients take the others in order, people those that are left.
    #[arg(long, value_name = "N")]
    seat: Option<usize>,
    /// How many seats, where the game leaves a choice.
    #[arg(long, value_name = "N")]
    seats: Option<usize>,
    #[command(flatten)]
    start: StartArgs,
    /// Time of a client for one move: 100ms, 1s. People have all the time they want.
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// The folder for copies of the clients' files; a temporary one if not given.
    #[arg(long, value_name = "DIR")]
    out: Option<String>,
    /// The language you are spoken to in. Moves are written alike in all.
    #[arg(long, value_enum, default_value = "en")]
    lang: Lang,
    /// No characters but ASCII.
    #[arg(long)]
    ascii: bool,
    /// Writes the match, when it is over, as a file that any browser shows by itself.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Plays in a browser: by clicks, by keys, or typed. People come to it by the links that are printed.
    #[arg(long)]
    browser: bool,
    /// Where to listen for browsers: ADDRESS:PORT, or a port of this machine alone.
    #[arg(long, value_name = "ADDR", value_parser = address, requires = "browser")]
    listen: Option<SocketAddr>,
    /// The client that says in the browser what it would play, where it is asked; the first one of --against if not
    /// given.
    #[arg(long, value_name = "CLIENT", requires = "browser")]
    hint: Option<String>,
}

/// A language of the command line.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Lang {
    /// English.
    En,
    /// French.
    Fr,
}

/// Plays one match; at a terminal, what the command line leaves open is asked first.
pub fn play(args: PlayArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let mut args = args;
    let words = Words(match args.lang {
        Lang::En => Language::English,
        Lang::Fr => Language::French,
    });
    let first = games.first().map_or("", |game| game.facts().name);
    let name = args.game.clone().or(args.named.clone()).unwrap_or_else(|| first.to_owned());
    let (game, lines) = (find_game(games, &name)?, read_lines()?);
    if let Some(file) = args.save.as_ref().filter(|file| file.exists()) {
        // Now, and not when the match is over.
        let what = format!("{} is there already; help: choose a file that does not exist", file.display());
        return Err(Failure::new(1, what));
    }
    if !args.browser && std::io::stdin().is_terminal() && invite::ask(&mut args, game, words, &lines).is_err() {
        println!("{}", words.stopped());
        return Ok(0);
    }
    // Nothing is recorded, and only a folder that was asked for is written to.
    let scratch = args.out.is_none().then(Scratch::new).transpose()?;
    let out = scratch.as_ref().map(Scratch::path);
    let setup = Setup { args: &args, name: &name, games, out };
    let mut ad_hoc = setup.ad_hoc(&args.against, &seat_all(&args, game)?)?;
    let end = Ending { words, game, save: args.save.as_deref() };
    if !args.browser {
        let console = RefCell::new(Console::new(&ad_hoc, lines, Paint::of_stdout(args.ascii), words));
        return play_on(&mut ad_hoc, &console, &end);
    }
    let adviser = match args.hint.clone().or_else(|| args.against.first().cloned()) {
        Some(client) => Some(setup.adviser(client, ad_hoc.labels().len())?),
        None => None,
    };
    let open = browser::open(args.listen, &ad_hoc, words, adviser)?;
    play_on(&mut ad_hoc, &*open.table, &end)
}

/// What matches are made of.
struct Setup<'a> {
    args: &'a PlayArgs,
    /// Of the game.
    name: &'a str,
    games: &'a [&'a dyn AnyGame],
    /// The folder for copies, if it is not the one that was named.
    out: Option<&'a Path>,
}

impl Setup<'_> {
    /// The match that the command line describes, with these clients and whose place each seat is.
    fn ad_hoc(&self, clients: &[String], seats: &[Option<usize>]) -> Result<AdHocMatch, Failure> {
        let mut ladder = read(self.args, self.name, clients, seats, self.games)?;
        self.out.into_iter().for_each(|folder| ladder.out = folder.to_owned());
        let places = find_places(&ladder.out)?;
        let tell = &mut |event: RunEvent| {
            if let RunEvent::Warning(text) = event {
                say(&format!("warning: {text}"));
            }
        };
        Ok(AdHocMatch::of_people(&ladder, seats, self.games, &places, tell)?)
    }

    /// The same with one client on all seats, which can be asked for advice.
    fn adviser(&self, client: String, seats: usize) -> Result<Adviser, Failure> {
        let ad_hoc = self.ad_hoc(&vec![client; seats], &vec![Some(0); seats])?;
        let label = ad_hoc.labels().into_iter().flatten().next().map_or(String::new(), |label| escape(label, 40));
        Ok(Adviser { ad_hoc, label })
    }
}

/// What is made of a match that is over.
struct Ending<'a> {
    words: Words,
    game: &'a dyn AnyGame,
    save: Option<&'a Path>,
}

/// Plays until people have had enough.
fn play_on(ad_hoc: &mut AdHocMatch, board: &dyn Board, ending: &Ending<'_>) -> Result<u8, Failure> {
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
            Some(Wish::Quit) => {
                println!("{}", words.stopped());
                return Ok(0);
            }
            Some(Wish::Resign(seat)) => AdHocMatch::resign(&mut played, &*board.state(), seat),
            None => {}
        }
        let result = result(ad_hoc, &played, words);
        let replay = || {
            let mut playback = Playback::new(&ad_hoc.recorded(played.clone(), words.person()), ending.game);
            playback.explained.clone_from(&result);
            agon_web::replay_page(&playback)
        };
        if let Some(file) = ending.save {
            count += 1;
            let file = numbered(file, count);
            let trouble = |error| Failure::new(1, format!("{}: {error}", file.display()));
            // What goes wrong with a file ends no board that people sit at.
            match write_atomically(&file, |out| out.write_all(replay().as_bytes()).map_err(trouble)) {
                Ok(()) => board.say(&words.saved(&file.display().to_string())),
                Err(failure) => board.say(&failure.message),
            }
        }
        if !board.end(&End { result: &result, replay: &replay }) {
            return Ok(0);
        }
        ad_hoc.go_on();
    }
}

/// The file of the first match, and those of further ones: `saved.html`, `saved-2.html`.
fn numbered(file: &Path, count: u32) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let kind = file.extension().map_or(String::new(), |kind| format!(".{}", kind.to_string_lossy()));
    if count < 2 { file.to_owned() } else { file.with_file_name(format!("{stem}-{count}{kind}")) }
}

/// The client of each seat by its place in `--against`; `None` = a person.
fn seat_all(args: &PlayArgs, game: &dyn AnyGame) -> Result<Vec<Option<usize>>, Failure> {
    let facts = game.facts();
    let (fewest, most) = facts.seats;
    let clients = args.against.len();
    let seats = args.seats.unwrap_or(fewest.max(clients + 1));
    if !(fewest..=most).contains(&seats) || clients >= seats {
        let range = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
        let what = format!("{} is played by {range}: not by you and {clients} clients on {seats} seats", facts.title);
        return Err(Failure::new(2, what));
    }
    let own = args.seat.unwrap_or(1);
    if !(1..=seats).contains(&own) {
        return Err(Failure::new(2, format!("there is no seat {own}; seats are 1 to {seats}")));
    }
    let mut next = 0..clients;
    Ok((1..=seats).map(|seat| if seat == own { None } else { next.next() }).collect())
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
        out: args.out.clone(),
        ..MatchWords::default()
    };
    Ok(config::for_match(&words, Path::new("."), games)?)
}

/// The lines of standard input as they come; the sender is gone when the input ends.
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
        .map_err(|error| Failure::new(1, format!("no thread starts: {error}; help: end other programs, try again")))?;
    Ok(receiver)
}

/// Who won, seat by seat, and what went wrong.
fn result(ad_hoc: &AdHocMatch, played: &Match, words: Words) -> String {
    let mut out = String::new();
    for (seat, (result, label)) in played.seats.iter().zip(ad_hoc.labels()).enumerate() {
        out += &words.result(seat, label.map(|label| escape(label, 40)), result.rank, result.score);
        if let Some(fault) = &result.fault {
            out += &format!("  {}: {}\n", fault.kind.name(), escape(&fault.message, 400));
        }
    }
    if let agon_model::Ending::Void(cause) | agon_model::Ending::Shortage(cause) = &played.ending {
        out += &words.void(&escape(cause, 400));
    }
    out + words.not_recorded()
}
