//! The seats of people and of the clients of `--against`.

use super::PlayArgs;
use agon_command::Failure;
use agon_games::AnyGame;
use agon_model::counted;

/// The advice about a game behind `--against`.
fn misread_game(args: &PlayArgs, games: &[&dyn AnyGame]) -> Option<String> {
    let is_game = |name: &&String| games.iter().any(|game| game.facts().name == name.as_str());
    let name = args.against.iter().rfind(is_game)?;
    Some(format!("--against took {name} as a client; write the game first, or as -g {name}"))
}

/// The failure of clients that play different games, with better advice where one of them was meant as the game.
pub(super) fn explain(failure: Failure, args: &PlayArgs, games: &[&dyn AnyGame]) -> Failure {
    let Some(help) = misread_game(args, games) else { return failure };
    let what = failure.message.split("; help: ").next().unwrap_or_default();
    Failure::new(failure.status, format!("{what}; help: {help}"))
}

/// The client of each seat by its place in `--against`; `None` = a person.
pub(super) fn seat_all(
    args: &PlayArgs,
    game: &dyn AnyGame,
    games: &[&dyn AnyGame],
) -> Result<Vec<Option<usize>>, Failure> {
    let facts = game.facts();
    let (fewest, most) = facts.seats;
    let clients = args.against.len();
    let seats = args.seats.unwrap_or(fewest.max(clients + 1));
    if !(fewest..=most).contains(&seats) || clients >= seats {
        let range = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
        let what = if (fewest..=most).contains(&seats) {
            format!("{} and you need {} seats, not {seats}", counted(clients as u64, "client", "clients"), clients + 1)
        } else {
            format!("{} has {range} seats, not {seats}", facts.title)
        };
        let help = misread_game(args, games).map_or(String::new(), |help| format!("; help: {help}"));
        return Err(Failure::usage(what + &help));
    }
    let own = args.seat.unwrap_or(1);
    if !(1..=seats).contains(&own) {
        return Err(Failure::usage(format!("there is no seat {own}; seats are 1 to {seats}")));
    }
    let mut next = 0..clients;
    Ok((1..=seats).map(|seat| if seat == own { None } else { next.next() }).collect())
}
