//! `agon analyse`: one position, and what a client would play in it. Nothing of it enters the record.

use super::paint::Paint;
use super::progress::say;
use super::scratch::Scratch;
use super::terms::StartArgs;
use super::{Failure, find_places, status};
use agon_config::{self as config, Ladder, MatchWords};
use agon_games::{AnyGame, Facts};
use agon_report::{Analysis, Said};
use agon_tournament::{AdHocMatch, RunEvent, find_game};
use clap::Args;
use std::path::Path;

/// Of `agon analyse`.
#[derive(Args, Debug)]
pub struct AnalyseArgs {
    /// The position as the game writes it, or the path of a file with one; without it, the start that the options
    /// describe.
    position: Option<String>,
    /// The client that is asked: a file, or a name for clients/NAME.so, with options as NAME:key=value. Without one
    /// only the board is shown.
    #[arg(short, long, value_name = "CLIENT")]
    client: Option<String>,
    /// The game; agon's first one if not given.
    #[arg(short, long)]
    game: Option<String>,
    #[command(flatten)]
    start: StartArgs,
    /// How many seats, where the game leaves a choice.
    #[arg(long, value_name = "N")]
    seats: Option<usize>,
    /// Time of the client: 100ms, 1s.
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// The folder for a copy of the client's file; a temporary one if not given.
    #[arg(long, value_name = "DIR")]
    out: Option<String>,
    /// The analysis as JSON.
    #[arg(long)]
    json: bool,
    /// No characters but ASCII.
    #[arg(long)]
    ascii: bool,
}

/// What a value of an option is called that is a position.
const POSITION: &str = "POSITION";

/// Looks at a position.
pub fn analyse(args: &AnalyseArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let first = games.first().map_or("", |game| game.facts().name);
    let facts = find_game(games, args.game.as_deref().unwrap_or(first))?.facts();
    let seats = args.seats.unwrap_or(facts.seats.0);
    let mut ladder = read(args, facts, seats, games)?;
    // Nothing is recorded, and only a folder that was asked for is written to.
    let scratch = args.out.is_none().then(Scratch::new).transpose()?;
    scratch.iter().for_each(|folder| ladder.out = folder.path().to_owned());
    let places = find_places(&ladder.out)?;
    let tell = &mut |event: RunEvent| {
        if let RunEvent::Warning(text) = event {
            say(&format!("warning: {text}"));
        }
    };
    let ad_hoc =
        AdHocMatch::of_people(&ladder, &vec![args.client.is_some().then_some(0); seats], games, &places, tell)?;
    let state = ad_hoc.start();
    let mover = state.to_move().iter().next().filter(|_| args.client.is_some());
    let asked = mover.map(|seat| ad_hoc.ask(&*state, seat)).transpose()?;
    let label = ad_hoc.labels().into_iter().flatten().next().unwrap_or_default();
    let said = asked.as_ref().map(|asked| Said { client: label, answer: &asked.answer, outputs: &asked.outputs });
    let analysis = Analysis { facts, state: &*state, said };
    if args.json {
        print!("{}", analysis.json());
    } else {
        let columns = rustix::termios::tcgetwinsize(std::io::stdout()).map_or(80, |size| usize::from(size.ws_col));
        let paint = Paint::of_stdout(args.ascii);
        for line in analysis.lines(columns.max(20), paint.charset) {
            super::output::write_raw(&format!("{}\n", paint.line(&line).trim_end()));
        }
    }
    Ok(if asked.is_some_and(|asked| asked.answer.is_err()) { status::DIFFERS } else { status::DONE })
}

/// The match that begins with the position, the client on every seat.
fn read(args: &AnalyseArgs, facts: &Facts, seats: usize, games: &[&dyn AnyGame]) -> Result<Ladder, Failure> {
    let mut options = args.start.options();
    options.extend(position(args, facts)?);
    let clients = args.client.iter().flat_map(|client| vec![client.clone(); seats]).collect();
    let words = MatchWords {
        clients,
        people: if args.client.is_some() { 0 } else { seats },
        game: Some(facts.name.to_owned()),
        options,
        seed: args.start.seed,
        per_move: args.time.clone(),
        out: args.out.clone(),
        ..MatchWords::default()
    };
    Ok(config::for_match(&words, Path::new("."), games)?)
}

/// The position as the option that takes one.
fn position(args: &AnalyseArgs, facts: &Facts) -> Result<Option<String>, Failure> {
    let Some(position) = &args.position else { return Ok(None) };
    let keys = facts.shorthand.iter().flat_map(|short| short.keys);
    let Some((key, _)) = keys.into_iter().find(|(_, value)| *value == POSITION) else {
        let what = format!("{} has no positions as text; help: say how it begins with -o KEY=VALUE", facts.name);
        return Err(Failure::new(2, what));
    };
    if args.start.has(key) {
        let what = format!("the position and the option {key} say the same twice; help: leave one out");
        return Err(Failure::new(2, what));
    }
    Ok(Some(format!("{key}={position}")))
}
