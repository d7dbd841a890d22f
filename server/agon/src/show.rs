//! `agon show`: one match explained, drawn, or given to another program.

use agon_command::which::{WhichMatch, find_match};
use agon_command::{Extra, Failure, status};
use agon_games::AnyGame;
use agon_model::{StoredMatch, find_game};
use agon_playback::Playback;
use agon_report as report;
use clap::Args;
use std::io::IsTerminal;

/// The arguments of `agon show`.
#[derive(Args, Debug)]
pub struct ShowArgs {
    #[command(flatten)]
    which: WhichMatch,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
    /// Prints every move in the game's notation, with the value and the depth that its client logged. agon marks
    /// blunders.
    #[arg(long)]
    moves: bool,
    /// Prints the match's log as JSON Lines, rebuilt from the record.
    #[arg(long)]
    jsonl: bool,
    /// Prints the position after this turn as an SVG picture; 0 is the start.
    #[arg(long, value_name = "TURN", conflicts_with_all = ["json", "jsonl", "export", "moves", "png"])]
    svg: Option<usize>,
    /// The same as a PNG picture: agon show ID --png 12 > picture.png. It needs agon-png.
    #[arg(long, value_name = "TURN", conflicts_with_all = ["json", "jsonl", "export", "moves"])]
    png: Option<usize>,
    /// How many pixels the PNG is wide.
    #[arg(long, value_name = "PIXELS", default_value_t = 1200, requires = "png",
          value_parser = clap::value_parser!(u32).range(16..=8000))]
    width: u32,
    /// Prints the match as csv, one line for each move, or in a format of the game. `--export list`
    /// prints the names.
    #[arg(long, value_name = "FORMAT")]
    export: Option<String>,
}

/// Explains one match, or gives it to another program.
pub fn show(args: &ShowArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let stored = find_match(&args.which)?;
    let game = find_game(games, &stored.ladder.game)?;
    if let Some(turn) = args.svg {
        print!("{}", position(&stored, game, turn)?);
        return Ok(status::DONE);
    }
    if let Some(turn) = args.png {
        return print_png(&position(&stored, game, turn)?, args.width);
    }
    let text = match &args.export {
        Some(format) => report::export(&stored, game, format).map_err(Failure::usage)?,
        None if args.jsonl => report::log_lines(&stored, game),
        None if args.json => report::show_json(&stored, game, args.which.turn(), args.moves),
        None => report::show(&stored, game, args.which.turn(), args.moves),
    };
    print!("{text}");
    Ok(status::DONE)
}

/// Into a file or another program, since a terminal shows no picture.
fn print_png(svg: &str, width: u32) -> Result<u8, Failure> {
    if std::io::stdout().is_terminal() {
        return Err(Failure::usage("a picture is not text; help: agon show ID --png TURN > picture.png"));
    }
    Extra::png("agon show --png")?.feed(&[width.to_string()], svg)
}

/// The picture of a position.
fn position(stored: &StoredMatch, game: &dyn AnyGame, turn: usize) -> Result<String, Failure> {
    let playback = Playback::new(stored, game);
    let frame = playback.frames.get(turn).ok_or_else(|| {
        let last = playback.frames.len() - 1;
        Failure::usage(format!("match {} has no turn {turn}; help: 0 to {last}", stored.played.id))
    })?;
    Ok(agon_web::picture(&frame.scene))
}
