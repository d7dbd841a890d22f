//! Reads the parts of a table from a record: members, void matches, all results.

use crate::{Current, Followers, Standings};
use agon_games::AnyGame;
use agon_model::{Entrant, LadderRow, Points, opening};
use agon_record::{EachOutcome, Record, RecordError, RedactedLadder};

/// The standings of a ladder, from the record alone.
pub fn gather(
    store: &dyn Record,
    games: &[&dyn AnyGame],
    ladder: &LadderRow,
    points: Points,
    lineups: bool,
) -> Result<Standings, RecordError> {
    gather_redacted(&RedactedLadder::whole(store, ladder)?, games, points, lineups)
}

/// The standings with names and causes as they may be told.
pub fn gather_redacted<R: Record + ?Sized>(
    redacted: &RedactedLadder<'_, R>,
    games: &[&dyn AnyGame],
    points: Points,
    lineups: bool,
) -> Result<Standings, RecordError> {
    let (members, ladder) = (redacted.members(), redacted.ladder());
    let (entrants, stages) = (redacted.entrants(), redacted.stages()?);
    let current = Current::of_redacted(redacted)?;
    let those = |wanted: bool| {
        let current = &current;
        move |add: &mut EachOutcome<'_>| {
            redacted.each_outcome(&mut |outcome| {
                if current.counts(outcome) == wanted {
                    add(outcome);
                }
            })
        }
    };
    let voids = redacted.voids()?;
    let mut standings = Standings::gather(ladder.clone(), entrants.clone(), voids, points, lineups, those(true))?;
    let former = || Standings::gather(ladder.clone(), entrants, Vec::new(), points, false, those(false));
    let former = (!current.is_all()).then(former).transpose()?;
    let turns = turn_order_warning(redacted, games)?;
    if let Some(game) = games.iter().find(|game| game.facts().name == ladder.game) {
        standings.alone = higher_wins_alone(*game, ladder);
        standings.varied = standings.option_to_vary(*game);
    }
    Ok(standings.with_members((members, current), former, stages, turns))
}

/// Whether a higher score is better, in a ladder in which each plays alone.
fn higher_wins_alone(game: &dyn AnyGame, ladder: &LadderRow) -> Option<bool> {
    let setting =
        ladder.all_options().find_map(|options| game.prepare(&options, 1).ok()).filter(|_| ladder.seats == 1)?;
    Some(setting.start(&opening(ladder.seed, 1)).scores().higher_wins)
}

/// A warning if the order of moves is not balanced; empty if it is, or if nobody moves in turns.
pub fn turn_order_warning<R: Record + ?Sized>(
    redacted: &RedactedLadder<'_, R>,
    games: &[&dyn AnyGame],
) -> Result<String, RecordError> {
    let ladder = redacted.ladder();
    let is_its = |game: &&&dyn AnyGame| game.facts().name == ladder.game;
    let exchanges = |game: &dyn AnyGame| {
        let mut settings = ladder.all_options().filter_map(|options| game.prepare(&options, ladder.seats).ok());
        settings.any(|setting| setting.rotations() == ladder.seats)
    };
    let game = games.iter().find(is_its).filter(|game| game.facts().has_turn_order(ladder.seats));
    if !game.is_some_and(|game| exchanges(*game)) {
        return Ok(String::new());
    }
    let mut followers = Followers::default();
    Current::of_redacted(redacted)?.each_outcome(redacted, &mut |found| followers.add(found))?;
    Ok(followers.warning(ladder, &redacted.entrants()))
}

/// The members, in the order of their numbers.
pub fn entrants(record: &dyn Record, ladder: &LadderRow) -> Result<Vec<Entrant>, RecordError> {
    Ok(record.members(ladder.id)?.into_iter().map(|member| member.entrant).collect())
}
