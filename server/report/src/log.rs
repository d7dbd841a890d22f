//! The log of a match, made again from the record: the same lines as were written while it was played.

use agon_arena::journal::{self, Heading, LogLine, LogMove, closing_lines, compact};
use agon_games::AnyGame;
use agon_model::Begin;
use agon_model::opening;
use agon_model::visible::{Medium, visible};
use agon_record::{Shown, replay};
use serde::Serialize;

/// The lines of a match, each ended by a newline. Where these rules cannot replay the record, moves have bytes and no
/// text.
pub fn log_lines(shown: &Shown<'_>, game: &dyn AnyGame) -> String {
    let heading = heading(shown, game).map(|heading| Heading { begin: begin(shown, game), ..heading });
    let lines = heading.iter().flat_map(Heading::lines).chain(moves(shown, game).into_iter().map(LogLine::Move));
    lines.chain(closing_lines(shown.played)).map(|line| compact(&line)).collect()
}

/// How it began, if by these rules it began so.
fn begin(shown: &Shown<'_>, game: &dyn AnyGame) -> Option<Begin> {
    if !shown.ladder.is_by(game.facts()) {
        return None;
    }
    let setting = game.prepare(&shown.ladder.options(shown.setting)?, shown.ladder.seats).ok()?;
    let begin = Begin::of(&*setting, &opening(shown.ladder.seed, shown.opening));
    Some(begin).filter(|begin| [0, begin.start].contains(&shown.played.start))
}

/// What was known of the match before it began, but for how it begins; `None` if its setting is not in the record.
pub(super) fn heading<'a>(shown: &Shown<'a>, game: &dyn AnyGame) -> Option<Heading<'a>> {
    let (ladder, entrants) = (shown.ladder, shown.entrants);
    Some(Heading {
        facts: game.facts(),
        ladder: &ladder.name,
        comparable: &ladder.comparable,
        seed: ladder.seed,
        opening: shown.opening,
        setting: ladder.settings.get(shown.setting)?,
        begin: None,
        seats: shown.played.seats.iter().filter_map(|seat| Some((entrants.get(seat.entrant)?, seat.seed))).collect(),
        id: &shown.played.id,
    })
}

pub(super) fn moves(shown: &Shown<'_>, game: &dyn AnyGame) -> Vec<LogMove> {
    let steps = shown.played.steps.iter();
    steps.zip(move_texts(shown, game)).map(|(step, text)| journal::move_line(step, text)).collect()
}

/// Every move in the game's notation.
pub(super) fn move_texts(shown: &Shown<'_>, game: &dyn AnyGame) -> Vec<String> {
    let mut texts = Vec::with_capacity(shown.played.steps.len());
    // An error is told where the match is explained; here the moves that cannot be read are left without text.
    let _ = replay(shown, game, &mut |state, steps| texts.extend(steps.iter().map(|step| state.write(&step.mv))));
    texts.resize(shown.played.steps.len(), String::new());
    texts
}

/// On many lines, for a document that people look at too.
pub(super) fn pretty(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default() + "\n";
    visible(&text, Medium::Json).into_owned()
}
