//! `[adjudication]`: when a match of two ends before its end, by what both clients say of it.

use super::builder::AdjudicationBuilder;
use super::problem::{Findings, Location, Problem};
use agon_games::{AnyGame, Opening, Seats};
use agon_model::{Adjudication, SURE, Setting};

/// Thousandths of the matches that are played on, unless the file gives another share.
const CHECKED: u32 = 100;

/// A file with one of the keys must give the number of moves, and a game in which one can resign.
pub(super) fn resolve(
    builder: &AdjudicationBuilder,
    (game, seats, settings): (&dyn AnyGame, usize, &[Setting]),
    ladder: &Location,
    findings: &mut Findings,
) -> Option<Adjudication> {
    let places =
        [builder.value.as_ref().map(|value| &value.place), builder.checked.as_ref().map(|checked| &checked.place)];
    let Some(moves) = &builder.moves else {
        let problem = |place: &Location| Problem::new(place, "[adjudication] has no moves", "add moves = 6");
        findings.problems.extend(places.into_iter().flatten().next().map(problem));
        return None;
    };
    if seats != 2 || settings.iter().any(|setting| !can_give_in(game, setting)) {
        let what = format!("{} is not a game of two in which one can give in", game.facts().title);
        let what = if seats == 2 { what } else { format!("a match of {seats} has no two who could agree") };
        let place = if matches!(moves.place, Location::Word(_)) { &moves.place } else { ladder };
        findings.problems.push(Problem::new(place, what, "leave [adjudication] out"));
        return None;
    }
    Some(Adjudication {
        moves: moves.value,
        value: builder.value.as_ref().map_or(SURE, |value| value.value),
        checked: builder.checked.as_ref().map_or(CHECKED, |checked| checked.value),
    })
}

/// Whether the other wins where somebody is out at the start; the rules of all games of turns say so, or of none.
fn can_give_in(game: &dyn AnyGame, setting: &Setting) -> bool {
    let Ok(prepared) = game.prepare(&setting.options, 2) else { return false };
    let start = prepared.start(&Opening { number: 0, seed: [0; 32] });
    let beats = |winner: usize| start.forfeit(Seats::one(1 - winner)).beats(winner, 1 - winner);
    !game.facts().simultaneous && [0, 1].into_iter().all(beats)
}
