//! A trial of a client that was just put in place: a match against itself on the smallest options of its game, with
//! nothing kept. What goes wrong in it goes wrong in a ladder.

use crate::check::copy_name;
use agon_command::scratch::Scratch;
use agon_command::{Failure, find_paths};
use agon_config::{self as config, MatchWords};
use agon_games::{AnyGame, Facts};
use agon_model::{Ending, FaultKind, Ladder, Match, SandboxPolicy};
use agon_player::Player;
use agon_player::refused::RefusedPlayer;
use agon_tournament::AdHocMatch;
use std::path::Path;

/// Plays a match of the client against itself; what came of it, a line.
///
/// # Errors
/// Our own trouble: there is no room for what the match needs, or it cannot be begun.
pub fn play(client: &Path, game: &Facts, sandbox: &SandboxPolicy, games: &[&dyn AnyGame]) -> Result<String, Failure> {
    let folder = Scratch::until_signal()?;
    // Under a name of ours, but for scripts: a path could hold what the command line takes for options.
    let copy = folder.path().join(copy_name(client));
    std::fs::copy(client, &copy).map_err(|error| Failure::trouble(format!("{}: {error}", copy.display())))?;
    // Some clients play few of a game's settings: a classic one square boards only.
    let mut declined: Vec<String> = Vec::new();
    for options in game.small {
        let played = play_on(options, &copy, (game, sandbox), games)?;
        let told = format!("trial against itself with {options}: {}", outcome(&played));
        if !is_declined(&played) {
            return Ok(told);
        }
        declined.push(told);
    }
    match most_telling(&declined) {
        Some(told) => Ok(told.to_owned()),
        None => Ok(format!("trial against itself: {}", outcome(&play_on("", &copy, (game, sandbox), games)?))),
    }
}

/// The refusal that says most: a board that a client does not know must not hide its other problems.
fn most_telling(declined: &[String]) -> Option<&str> {
    declined.iter().find(|told| !told.contains("board is")).or(declined.last()).map(String::as_str)
}

fn play_on(
    options: &str,
    copy: &Path,
    (game, sandbox): (&Facts, &SandboxPolicy),
    games: &[&dyn AnyGame],
) -> Result<Match, Failure> {
    let seats = game.seats.0.max(1);
    let folder = copy.parent().unwrap_or(Path::new("."));
    let name = copy.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let words = MatchWords {
        clients: vec![name; seats],
        game: Some(game.name.to_owned()),
        options: options.split_whitespace().map(str::to_owned).collect(),
        out: Some("out".to_owned()),
        seed: Some(1),
        ..MatchWords::default()
    };
    let ladder = Ladder { sandbox: sandbox.clone(), ..config::for_match(&words, folder, games)? };
    let paths = find_paths(&ladder.out)?;
    let ad_hoc = AdHocMatch::of_people(&ladder, &vec![Some(0); seats], games, &paths, &mut |_| {})?;
    let nobody = |_| -> Box<dyn Player> { Box::new(RefusedPlayer("a seat without a client".to_owned())) };
    Ok(ad_hoc.play(&nobody, &mut |_, _| {}))
}

fn is_declined(played: &Match) -> bool {
    played.seats.iter().filter_map(|seat| seat.fault.as_ref()).any(|fault| fault.kind == FaultKind::Declined)
}

fn outcome(played: &Match) -> String {
    if let Ending::Void(cause) | Ending::Shortage(cause) = &played.ending {
        return format!("not played, for a reason of this machine: {cause}");
    }
    match played.seats.iter().find_map(|seat| seat.fault.as_ref()) {
        None => format!("{} plies, no fault", played.steps.len()),
        Some(fault) => format!("{} after {} plies: {}", fault.kind.name(), fault.ply, fault.message),
    }
}

#[cfg(test)]
mod tests {
    use super::most_telling;

    #[test]
    fn a_board_hides_no_other_refusal() {
        let board = "declined after 0 plies: plays square grids only, and this board is not a grid".to_owned();
        let library = "declined after 0 plies: libgsl.so.27: Permission denied".to_owned();
        let told = |declined: &[&String]| {
            let declined: Vec<String> = declined.iter().map(|text| (*text).clone()).collect();
            most_telling(&declined).map(str::to_owned)
        };
        assert_eq!(told(&[&board, &library, &board]), Some(library));
        assert_eq!(told(&[&board]), Some(board));
        assert_eq!(told(&[]), None);
    }
}
