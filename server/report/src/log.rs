//! The log of a match, made again from the record: the same lines as were written while it was played.

use agon_games::AnyGame;
use agon_model::match_log::{Heading, LogLine, closing_lines, compact};
use agon_model::{Begin, MoveLine, StoredMatch, opening, replay};

/// The lines of a match, each ended by a newline. Where these rules cannot replay the record, moves have bytes and no
/// text.
pub fn log_lines(stored: &StoredMatch, game: &dyn AnyGame) -> String {
    let heading = heading(stored, game).map(|heading| Heading { begin: begin(stored, game), ..heading });
    let lines = heading.iter().flat_map(Heading::lines).chain(moves(stored, game).into_iter().map(LogLine::Move));
    lines.chain(closing_lines(&stored.played)).map(|line| compact(&line)).collect()
}

/// How it began, if by these rules it began so.
fn begin(stored: &StoredMatch, game: &dyn AnyGame) -> Option<Begin> {
    if !stored.ladder.is_by(game.facts()) {
        return None;
    }
    let setting = game.prepare(&stored.ladder.options(stored.setting)?, stored.ladder.seats).ok()?;
    let begin = Begin::of(&*setting, &opening(stored.ladder.seed, stored.opening));
    Some(begin).filter(|begin| begin.start == stored.played.start)
}

/// The facts of a match before its first turn; `None` if its setting is not in the record.
pub(super) fn heading<'a>(stored: &'a StoredMatch, game: &dyn AnyGame) -> Option<Heading<'a>> {
    let (ladder, entrants) = (&stored.ladder, &stored.entrants);
    Some(Heading {
        facts: game.facts(),
        ladder: &ladder.name,
        terms: &ladder.terms,
        seed: ladder.seed,
        opening: stored.opening,
        setting: ladder.settings.get(stored.setting)?,
        begin: None,
        seats: stored.played.seats.iter().filter_map(|seat| Some((entrants.get(seat.entrant)?, seat.seed))).collect(),
        id: &stored.played.id,
    })
}

pub(super) fn moves(stored: &StoredMatch, game: &dyn AnyGame) -> Vec<MoveLine> {
    let steps = stored.played.steps.iter();
    steps.zip(move_texts(stored, game)).map(|(step, text)| MoveLine::new(step, text)).collect()
}

/// Every move in the game's notation.
pub(super) fn move_texts(stored: &StoredMatch, game: &dyn AnyGame) -> Vec<String> {
    let mut texts = Vec::with_capacity(stored.played.steps.len());
    // An error is told where the match is explained; here the moves that cannot be read are left without text.
    let _ = replay(stored, game, &mut |state, steps| texts.extend(steps.iter().map(|step| state.write(&step.mv))));
    texts.resize(stored.played.steps.len(), String::new());
    texts
}
