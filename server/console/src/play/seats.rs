//! The seats of people and of the clients of `--against`.

use super::PlayArgs;
use agon_command::{Failure, status};
use agon_games::AnyGame;

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
        let what = match clients {
            0 => format!("{} has {range} seats, not {seats}", facts.title),
            _ => {
                let is_game = |name: &&String| games.iter().any(|game| game.facts().name == name.as_str());
                let help = args.against.iter().find(is_game).map_or(String::new(), |name| {
                    format!("; help: --against took {name} as a client; write the game first, or as -g {name}")
                });
                format!("{} has {range} seats: not {seats} for you and {clients} clients{help}", facts.title)
            }
        };
        return Err(Failure::new(status::USAGE, what));
    }
    let own = args.seat.unwrap_or(1);
    if !(1..=seats).contains(&own) {
        return Err(Failure::new(status::USAGE, format!("there is no seat {own}; seats are 1 to {seats}")));
    }
    let mut next = 0..clients;
    Ok((1..=seats).map(|seat| if seat == own { None } else { next.next() }).collect())
}
