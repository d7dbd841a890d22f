//! The tables that a game makes of a ladder's matches.

use super::grid::client_label;
use agon_games::{AnyGame, Options, Recorded};
use agon_model::visible::escape;
use agon_model::{Ending, Entrant, LadderRow, opening};
use agon_record::MatchMoves;

/// The tables that a game has of its own, a line each.
pub fn own_tables(game: &dyn AnyGame) -> String {
    let tables: Vec<_> = game.facts().tables.iter().map(|table| (table.name, table.about)).collect();
    if tables.is_empty() {
        return format!("{} has only the usual table: agon standings\n", game.facts().title);
    }
    named_lines(&tables)
}

/// Names and what they mean, a line each.
pub(super) fn named_lines(list: &[(&str, &str)]) -> String {
    list.iter().map(|(name, about)| format!("{name:<10} {about}\n")).collect()
}

/// The table with this name of all matches of a ladder.
///
/// # Errors
/// The game has no such table, or these matches have none: a message with what to do.
pub fn own_table(
    game: &dyn AnyGame,
    name: &str,
    ladder: &LadderRow,
    entrants: &[Entrant],
    played: &mut dyn Iterator<Item = MatchMoves>,
) -> Result<String, String> {
    let facts = game.facts();
    let Some(table) = facts.tables.iter().find(|table| table.name == name) else {
        let list: Vec<_> = facts.tables.iter().map(|table| format!("{} ({})", table.name, table.about)).collect();
        let has = if list.is_empty() { "only the usual table".to_owned() } else { format!("only {}", list.join(", ")) };
        return Err(format!(
            "there is no table \"{name}\": {} has {has}; help: agon standings alone prints the usual table",
            facts.title
        ));
    };
    let options: Vec<Options> = ladder.all_options().collect();
    let none = Options::default();
    let mut recorded = played.map(|played| Recorded {
        options: options.get(played.setting).unwrap_or(&none),
        opening: opening(ladder.seed, played.opening),
        clients: played.seats.iter().map(|seat| escape(client_label(entrants, seat.entrant), 40)).collect(),
        moves: played.steps.iter().map(|step| (step.seat, step.mv)).collect(),
        ranks: played.seats.iter().map(|seat| seat.rank).collect(),
        scores: played.seats.iter().map(|seat| seat.score).collect(),
        by_fault: played.ending == Ending::Fault,
    });
    (table.run)(&mut recorded)
}
