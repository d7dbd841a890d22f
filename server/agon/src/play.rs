//! `agon play`: people at the terminal play any game, against clients or each other. Nothing of it enters the record.

mod console;
mod invite;
mod person;
mod words;

use super::paint::Paint;
use super::progress::say;
use super::scratch::Scratch;
use super::terms::StartArgs;
use super::{Failure, find_places};
use agon_config::{self as config, Ladder, MatchWords};
use agon_games::{AnyGame, Language, Seat};
use agon_model::Match;
use agon_model::visible::escape;
use agon_tournament::{AdHocMatch, RunEvent, find_game};
use clap::{Args, ValueEnum};
use console::{Console, Wish};
use person::Person;
use std::cell::RefCell;
use std::io::{BufRead, IsTerminal};
use std::path::Path;
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
    if std::io::stdin().is_terminal() && invite::ask(&mut args, game, words, &lines).is_err() {
        println!("{}", words.stopped());
        return Ok(0);
    }
    let seats = seat_all(&args, game)?;
    let mut ladder = read(&args, &name, &seats, games)?;
    // Nothing is recorded, and only a folder that was asked for is written to.
    let scratch = args.out.is_none().then(Scratch::new).transpose()?;
    scratch.iter().for_each(|folder| ladder.out = folder.path().to_owned());
    let places = find_places(&ladder.out)?;
    let tell = &mut |event: RunEvent| {
        if let RunEvent::Warning(text) = event {
            say(&format!("warning: {text}"));
        }
    };
    let ad_hoc = AdHocMatch::of_people(&ladder, &seats, games, &places, tell)?;
    let console = RefCell::new(Console::new(&ad_hoc, lines, Paint::of_stdout(args.ascii), words));
    loop {
        console.borrow_mut().begin(ad_hoc.start());
        let played = ad_hoc.play(&|seat: Seat| Box::new(Person::new(&console, seat)), &mut |step, state| {
            console.borrow_mut().see(step, state);
        });
        let console = &mut *console.borrow_mut();
        match console.take_wish() {
            Some(Wish::Undo) => console.say(words.taken_back()),
            Some(Wish::Quit) => {
                console.say(words.stopped());
                return Ok(0);
            }
            None => {
                console.show_end();
                console.say(&result(&ad_hoc, &played, words));
                return Ok(0);
            }
        }
    }
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

fn read(args: &PlayArgs, game: &str, seats: &[Option<usize>], games: &[&dyn AnyGame]) -> Result<Ladder, Failure> {
    let words = MatchWords {
        clients: args.against.clone(),
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
