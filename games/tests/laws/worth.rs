//! Laws of scores: what a match is worth is what the game says, a draw can happen if it says so, and every seat can
//! win.

use super::walk::{Position, Verdict, hold, play_out, settings};
use agon_games::{AnyGame, Opening, PreparedSetting, Rng, Scores, Seats, Worth, rng_from, seed_of};
use std::collections::BTreeMap;

/// Matches played of each setting.
const MATCHES: u64 = 100;

/// Final scores, and those of two seats of which one is out, are such as the game says.
pub fn scores_are_worth_what_is_said(at: &Position, _: &mut Rng) -> Verdict {
    let worth = at.game.facts().worth;
    if at.state.to_move().is_empty() {
        return is_worth(worth, &at.state.scores());
    }
    if let (Worth::Outcome { win, loss, .. }, true) = (worth, at.state.to_move().count() < at.seats) {
        for out in 0..2 {
            let scores = at.state.forfeit(Seats::one(out));
            let well = (scores.values[out], scores.values[1 - out]) == (loss, win);
            hold(well, || format!("seat {out} is out, and the scores {scores:?} are no loss and win of {worth:?}"))?;
        }
    }
    Ok(())
}

fn is_worth(worth: Worth, scores: &Scores) -> Verdict {
    let well = match (worth, &scores.values[..]) {
        (Worth::Outcome { win, loss, draw }, &[one, two]) => {
            [(win, loss), (loss, win)].contains(&(one, two)) || draw.is_some_and(|draw| (one, two) == (draw, draw))
        }
        (Worth::Outcome { .. }, _) => false,
        (Worth::Sum(sum), values) => values.iter().sum::<i64>() == sum,
        (Worth::Points(_), _) => true,
    };
    hold(well, || format!("the scores {:?} are not of {worth:?}", scores.values))
}

/// Statements about scores agree: a win is better than a draw, and points have a reason.
pub fn what_a_match_is_worth_makes_sense(game: &dyn AnyGame) -> Verdict {
    let facts = game.facts();
    let well = match facts.worth {
        Worth::Outcome { win, loss, draw } => {
            let inside = |draw| (loss < draw && draw < win) || (loss > draw && draw > win) || draw == loss;
            facts.seats == (2, 2) && win != loss && draw.is_none_or(inside)
        }
        Worth::Sum(_) => true,
        Worth::Points(why) => !why.is_empty(),
    };
    hold(well, || format!("{}: {:?} for {:?} seats", facts.name, facts.worth, facts.seats))
}

/// A game that says what a draw is worth has one with the default options or small ones, in which nobody beats anybody.
pub fn draws_happen_if_the_game_says_so(game: &dyn AnyGame) -> Verdict {
    let facts = game.facts();
    let Worth::Outcome { draw: Some(draw), .. } = facts.worth else { return Ok(()) };
    let ends = settings(game).into_iter().flat_map(|(_, setting)| ends(&*setting));
    let mut drawn = ends.filter(|scores| scores.values.iter().all(|value| *value == draw));
    let scores = drawn.next().ok_or_else(|| format!("{}: no draw happens; name small options with one", facts.name))?;
    hold(!scores.beats(0, 1) && !scores.beats(1, 0), || format!("{}: the draw {scores:?} has a winner", facts.name))
}

/// From every seat somebody beats another, with the default options or small ones, by random moves.
pub fn every_seat_can_win(game: &dyn AnyGame) -> Verdict {
    let mut winners: BTreeMap<usize, Seats> = BTreeMap::new();
    for (_, setting) in settings(game).into_iter().filter(|(_, setting)| setting.seats() > 1) {
        let seats = setting.seats();
        let found = winners.entry(seats).or_default();
        for scores in ends(&*setting) {
            let wins = (0..seats).filter(|seat| (0..seats).any(|other| scores.beats(*seat, other)));
            *found = wins.fold(*found, Seats::with);
        }
    }
    for (seats, found) in winners {
        let never: Vec<_> = (0..seats).filter(|seat| !found.has(*seat)).collect();
        hold(never.is_empty(), || format!("{} with {seats} seats: seats {never:?} never win", game.facts().name))?;
    }
    Ok(())
}

/// The final scores of random matches.
fn ends(setting: &dyn PreparedSetting) -> Vec<Scores> {
    let mut rng = rng_from(&seed_of(41));
    let play = |number| {
        let mut state = setting.start(&Opening::numbered(number));
        play_out(&mut *state, &mut rng, &mut |_, _, _| Ok(())).unwrap();
        state.scores()
    };
    (0..MATCHES).map(play).collect()
}
