//! A match for other programs: a line a move as CSV, and the formats that its game brings along.

use super::log;
use super::own_table::named_lines;
use agon_games::{AnyGame, Recorded};
use agon_model::StoredMatch;
use agon_model::opening;
use agon_model::visible::{Medium, escape, visible};

/// A line a move, with a head; fields as in RFC 4180. Turns and seats count from 1, times are microseconds.
fn moves_csv(stored: &StoredMatch, game: &dyn AnyGame) -> String {
    let field = |text: &str| visible(text, Medium::Csv).into_owned();
    let mut out = "match,turn,seat,client,move,by,cpu_us,wall_us,state\n".to_owned();
    for (step, text) in stored.played.steps.iter().zip(log::move_texts(stored, game)) {
        let by = if step.by_client { "client" } else { "rules" };
        let (turn, seat, client) = (step.ply + 1, step.seat + 1, field(stored.label(step.seat)));
        let (id, text) = (&stored.played.id, field(&text));
        out +=
            &format!("{id},{turn},{seat},{client},{text},{by},{},{},{:016x}\n", step.cpu_us, step.wall_us, step.hash);
    }
    out
}

/// The names of the formats that a match of this game can be had in, each with a line about it.
fn exports(game: &dyn AnyGame) -> Vec<(&'static str, &'static str)> {
    let own = game.facts().exports.iter().map(|export| (export.name, export.about));
    [("csv", "one line for each move")].into_iter().chain(own).collect()
}

/// The match in one of them.
///
/// # Errors
/// There is no such format, or this match has no such form: a message with what to do.
pub fn export(stored: &StoredMatch, game: &dyn AnyGame, format: &str) -> Result<String, String> {
    if format == "csv" {
        return Ok(moves_csv(stored, game));
    }
    if format == "list" {
        return Ok(named_lines(&exports(game)));
    }
    let Some(export) = game.facts().exports.iter().find(|export| export.name == format) else {
        let list: Vec<_> = exports(game).iter().map(|(name, about)| format!("{name} ({about})")).collect();
        return Err(format!("there is no format \"{format}\"; help: there are {}", list.join(", ")));
    };
    let options = stored.ladder.options(stored.setting).ok_or("its setting is not in the record")?;
    (export.run)(&Recorded {
        options: &options,
        opening: opening(stored.ladder.seed, stored.opening),
        clients: (0..stored.played.seats.len()).map(|seat| escape(stored.label(seat), 200)).collect(),
        moves: stored.played.steps.iter().map(|step| (step.seat, step.mv)).collect(),
        ranks: stored.played.seats.iter().map(|seat| seat.rank).collect(),
        scores: stored.played.seats.iter().map(|seat| seat.score).collect(),
        by_fault: stored.played.ending == agon_model::Ending::Fault,
    })
}
