//! `agon demo`: clients that come with agon play a match, and its page opens. It needs no file and no client, and keeps
//! nothing but the page.

use crate::metrics::MetricsArgs;
use crate::run;
use agon_command::output::say;
use agon_command::record_location::RecordLocation;
use agon_command::scratch::Scratch;
use agon_command::{Failure, desktop, find_paths, how_to_get, status};
use agon_config::{self as config, MatchWords};
use agon_games::{AnyGame, Facts};
use agon_model::{StoredMatch, find_game, is_shortage};
use agon_playback::Playback;
use agon_record::{Archive, FoundMatch, SqliteRecord};
use agon_tournament::Beginning;
use clap::Args;
use rustix::fs::{Access, access};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The arguments of `agon demo`.
#[derive(Args, Debug)]
pub struct DemoArgs {
    /// The game; agon rules lists all.
    game: Option<String>,
    /// The game: the same as the argument GAME.
    #[arg(short = 'g', long = "game", value_name = "GAME", conflicts_with = "game")]
    named: Option<String>,
    /// The file of the page; an existing file is replaced.
    #[arg(long, value_name = "FILE", default_value = "agon-demo.html")]
    out: PathBuf,
    /// Writes the page without opening it. Without a terminal or a screen it is never opened.
    #[arg(long)]
    no_open: bool,
}

/// Plays, writes the page and opens it.
pub fn demo(args: &DemoArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let first = games.first().map_or("", |game| game.facts().name);
    let game = find_game(games, args.game.as_deref().or(args.named.as_deref()).unwrap_or(first))?;
    refuse_unwritable(&args.out)?;
    let scratch = Scratch::until_signal()?;
    let words = words(game.facts(), scratch.path())?;
    say(&format!("{}: {} play, 100 ms a move …", game.facts().title, words.clients.join(" and ")));
    let stored = play(&words, scratch.path(), games)?;
    let page = agon_web::replay_page(&Playback::new(&stored, game));
    std::fs::write(&args.out, page).map_err(|error| unwritable(&args.out, &error))?;
    println!("{}", result(&stored));
    println!("open     {}", args.out.display());
    println!("next     agon new c {} mybot    begins a client of your own", game.facts().name);
    println!("         agon play {}           you at the board", game.facts().name);
    if !args.no_open {
        desktop::open(&args.out);
    }
    Ok(status::DONE)
}

/// Refuses a file that cannot be written, before anything is played.
fn refuse_unwritable(file: &Path) -> Result<(), Failure> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let written = if file.exists() { file } else { folder };
    access(written, Access::WRITE_OK).map_err(|error| unwritable(file, &error.into()))
}

fn unwritable(file: &Path, error: &std::io::Error) -> Failure {
    let help = if is_shortage(error) {
        "free space there, or name another file: --out FILE"
    } else {
        "name a file where you may write: --out FILE"
    };
    Failure::trouble(format!("{} cannot be written: {error}; help: {help}", file.display()))
}

/// Two of the bundled clients next to this program, or as many as a match takes.
fn words(facts: &Facts, folder: &Path) -> Result<MatchWords, Failure> {
    let missing = || {
        let help = how_to_get("build agon and its clients (cargo build --release)");
        Failure::new(
            status::NO_CLIENT,
            format!("the clients of {} are not next to this program; help: {help}", facts.name),
        )
    };
    let starter = facts.starter.ok_or_else(missing)?;
    let from = find_paths(folder)?.host.parent().map(Path::to_owned).unwrap_or_default();
    let trouble = |error: std::io::Error| Failure::trouble(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder.join("clients")).map_err(trouble)?;
    let seats = facts.seats.0.max(starter.opponents.len().min(facts.seats.1)).max(1);
    let mut clients = Vec::new();
    for opponent in starter.opponents.iter().cycle().take(seats) {
        let stem = opponent.split(':').next().unwrap_or(opponent);
        let copy = folder.join(format!("clients/{stem}.so"));
        std::fs::copy(from.join(format!("lib{stem}.so")), &copy).map_err(|_| missing())?;
        clients.push((*opponent).to_owned());
    }
    Ok(MatchWords {
        clients,
        game: Some(facts.name.to_owned()),
        per_move: Some("100ms".to_owned()),
        out: Some("out".to_owned()),
        ..MatchWords::default()
    })
}

/// The first match, of those from all seats.
fn play(words: &MatchWords, folder: &Path, games: &[&dyn AnyGame]) -> Result<Box<StoredMatch>, Failure> {
    let plan = config::for_match(words, folder, games)?;
    let location = RecordLocation::folder(&plan.out);
    let again = "agon demo begins anew each time";
    let (beginning, lease) = (Beginning::Fresh, Duration::ZERO);
    let metrics = MetricsArgs::default();
    let options = run::RunOptions {
        beginning,
        quiet: true,
        again,
        location: &location,
        lease,
        notify: None,
        feed: None,
        metrics,
    };
    let ended = run::run_until_stopped(&plan, games, &options, None)?;
    let record = SqliteRecord::open_existing(&plan.out)?;
    let last = record.last_match(ended.ladder.id)?;
    match last.map(|id| record.find(&id)).transpose()? {
        Some(FoundMatch::One(stored)) => Ok(stored),
        _ => Err(Failure::trouble("the match was not played; help: agon doctor looks at this machine")),
    }
}

/// The result of each side.
fn result(stored: &StoredMatch) -> String {
    let seats = stored.played.seats.iter().enumerate();
    let line = |(seat, result): (usize, &agon_model::SeatResult)| {
        let label = stored.entrants.get(result.entrant).map_or("?", |entrant| entrant.label.as_str());
        format!("seat {} {label}: rank {}, score {}", seat + 1, result.rank, result.score)
    };
    let lines: Vec<String> = seats.map(line).collect();
    format!("{} turns; {}", stored.played.plies(), lines.join("; "))
}
