//! `agon analyse`: one position, and what a client would play in it. Nothing of it enters the record.

use crate::play::say_warning;
use agon_command::lang::Lang;
use agon_command::paint::Paint;
use agon_command::scratch::Scratch;
use agon_command::terms::StartArgs;
use agon_command::which::{MatchId, WhichLadder, find_by_id};
use agon_command::{Failure, find_paths, game_of, status};
use agon_config::{self as config, MatchWords};
use agon_games::{AnyGame, AnyState, Facts};
use agon_model::{Ladder, SandboxMode, Setting, StoredMatch, find_game, state_after};
use agon_playback::{AnalysedAnswer, Analysis};
use agon_tournament::{AdHocMatch, claimed_game};
use clap::Args;
use std::path::Path;

/// The arguments of `agon analyse`.
#[derive(Args, Debug)]
pub struct AnalyseArgs {
    /// The position as the game writes it, a file with such a text, or ID@TURN of a recorded match. Without it: the start
    /// that the options describe.
    position: Option<String>,
    /// The ladder and the record that ID@TURN is of.
    #[command(flatten)]
    ladder: WhichLadder,
    /// The client to ask: a file, or the NAME of a client in clients/ or of a bundled one, with options as NAME:key=value.
    /// Bundled: random, greedy, mcts …; agon add lists all. Without a client, agon shows only the position.
    #[arg(short, long, value_name = "CLIENT")]
    client: Option<String>,
    /// The game; agon rules lists all. Default: the one that the client plays.
    #[arg(short, long)]
    game: Option<String>,
    #[command(flatten)]
    start: StartArgs,
    /// Plays this move first; you may repeat it. If seats move simultaneously, give one move for each seat, in order of
    /// seats.
    #[arg(long, value_name = "MOVE")]
    after: Vec<String>,
    /// The language of the texts.
    #[arg(long, value_enum, default_value = "en")]
    lang: Lang,
    /// The number of seats, for games that allow several.
    #[arg(long, value_name = "N")]
    seats: Option<usize>,
    /// The time that the client has for its move, such as 100ms. Default: 1s.
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// The folder for a copy of the client's file. Default: a temporary folder.
    #[arg(long, value_name = "DIR")]
    copies: Option<String>,
    /// Prints the analysis as JSON.
    #[arg(long)]
    json: bool,
    /// Prints only ASCII characters.
    #[arg(long)]
    ascii: bool,
}

/// The name of an option's value that is a position.
const POSITION: &str = "POSITION";

/// Prints an analysis of a position.
pub fn analyse(args: &AnalyseArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let first = games.first().map_or("", |game| game.facts().name);
    let recorded = args.recorded()?;
    let named = match recorded.as_ref().map(|(stored, _)| stored.ladder.game.clone()).or(args.game.clone()) {
        Some(name) => Some(name),
        None => game_of(args.client.as_slice(), SandboxMode::Auto, games, &claimed_game)?,
    };
    let game = find_game(games, named.as_deref().unwrap_or(first))?;
    let facts = game.facts();
    let seats = recorded.as_ref().map(|(stored, _)| stored.ladder.seats).or(args.seats).unwrap_or(facts.seats.0);
    let mut ladder = read(args, facts, seats, games)?;
    if let Some((stored, _)) = &recorded {
        ladder.settings = setting(stored).into_iter().collect();
    }
    // Nothing is recorded, and only a folder that was asked for is written to.
    let scratch = args.copies.is_none().then(Scratch::until_signal).transpose()?;
    scratch.iter().for_each(|folder| ladder.out = folder.path().to_owned());
    let paths = find_paths(&ladder.out)?;
    let ad_hoc = AdHocMatch::of_people(
        &ladder,
        &vec![args.client.is_some().then_some(0); seats],
        games,
        &paths,
        &mut say_warning,
    )?;
    let mut state = match &recorded {
        Some((stored, turn)) => state_after(stored, game, *turn).map_err(Failure::usage)?,
        None => ad_hoc.start(),
    };
    play_on(&mut *state, &args.after)?;
    let mover = state.to_move().iter().next().filter(|_| args.client.is_some());
    let asked = mover.map(|seat| ad_hoc.ask(&*state, seat)).transpose()?;
    let label = ad_hoc.labels().into_iter().flatten().next().unwrap_or_default();
    let said =
        asked.as_ref().map(|asked| AnalysedAnswer { client: label, answer: &asked.answer, outputs: &asked.outputs });
    let analysis = Analysis { facts, state: &*state, said, language: args.lang.language() };
    print(&analysis, args);
    Ok(if asked.is_some_and(|asked| asked.answer.is_err()) { status::DIFFERS } else { status::DONE })
}

fn print(analysis: &Analysis, args: &AnalyseArgs) {
    if args.json {
        print!("{}", analysis.json());
        return;
    }
    let paint = Paint::of_stdout(args.ascii);
    let columns = rustix::termios::tcgetwinsize(std::io::stdout()).map_or(80, |size| usize::from(size.ws_col));
    for line in analysis.lines(columns.max(20), paint.charset) {
        agon_command::output::write_raw(&format!("{}\n", paint.line(&line).trim_end()));
    }
}

impl AnalyseArgs {
    /// The position, if it is one of a recorded match.
    fn of_match(&self) -> Option<&str> {
        let is_id = |id: &str| id == "last" || id.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
        let is_turn = |turn: &str| !turn.is_empty() && turn.bytes().all(|byte| byte.is_ascii_digit());
        // Another word before a turn is a mistyped id.
        let is_like_id = |id: &str, turn: &str| id.chars().all(|c| c.is_alphanumeric() || c == '-') && is_turn(turn);
        let text = self.position.as_deref()?;
        let (id, turn) = text.split_once('@').filter(|(id, _)| !id.is_empty())?;
        (is_id(id) || (is_like_id(id, turn) && !Path::new(text).exists())).then_some(text)
    }

    /// The match of the record and the turn that are meant, if the position is written as ID@TURN.
    fn recorded(&self) -> Result<Option<(Box<StoredMatch>, u32)>, Failure> {
        let Some(meant) = self.of_match() else { return Ok(None) };
        if self.game.is_some() || self.seats.is_some() || !self.start.options().is_empty() {
            let what = format!("{meant} has its own game, board and seats; help: leave out -g, -b, -o and --seats");
            return Err(Failure::usage(what));
        }
        let id: MatchId = meant.parse().map_err(Failure::usage)?;
        let turn = id.turn().unwrap_or_default();
        Ok(Some((find_by_id(&id, &self.ladder)?, turn)))
    }
}

/// The setting of a recorded match.
fn setting(stored: &StoredMatch) -> Option<Setting> {
    Some(Setting { name: stored.setting_name().to_owned(), options: stored.ladder.options(stored.setting)? })
}

/// Plays the moves that were given.
fn play_on(state: &mut dyn AnyState, after: &[String]) -> Result<(), Failure> {
    let mut texts = after.iter();
    while texts.len() > 0 {
        let mut answers = Vec::new();
        for seat in state.to_move().iter() {
            let Some(text) = texts.next() else {
                let what = format!("seat {} moves at the same time as the others; help: give its move, too", seat + 1);
                return Err(Failure::usage(what));
            };
            let read = state.read(text).ok_or_else(|| "this is not a move of the game".to_owned());
            let checked = read.and_then(|mv| state.check(seat, &mv).map(|()| mv).map_err(|bad| bad.why));
            let mv = checked.map_err(|why| {
                Failure::usage(format!(
                    "--after \"{}\", seat {}: {why}",
                    agon_model::visible::escape(text, 40),
                    seat + 1
                ))
            })?;
            answers.push((seat, mv));
        }
        if answers.is_empty() {
            return Err(Failure::usage("the match is over before the last of these moves; help: leave it out"));
        }
        state.play(&answers);
    }
    Ok(())
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
        out: args.copies.clone(),
        ..MatchWords::default()
    };
    Ok(config::for_match(&words, Path::new("."), games)?)
}

/// The position as the option that takes one.
fn position(args: &AnalyseArgs, facts: &Facts) -> Result<Option<String>, Failure> {
    let Some(position) = args.position.as_ref().filter(|_| args.of_match().is_none()) else { return Ok(None) };
    let keys = facts.shorthand.iter().flat_map(|short| short.keys);
    let Some((key, _)) = keys.into_iter().find(|(_, value)| *value == POSITION) else {
        let what = format!("{} has no positions as text; help: say how it begins with -o KEY=VALUE", facts.name);
        return Err(Failure::usage(what));
    };
    if args.start.has(key) {
        let what = format!("the position and the option {key} say the same twice; help: leave one out");
        return Err(Failure::usage(what));
    }
    Ok(Some(format!("{key}={position}")))
}
