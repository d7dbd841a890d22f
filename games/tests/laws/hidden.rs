//! The law of hidden information: a seat sees nothing that a redeal changes, and a redeal changes what can be changed.

use super::walk::{Position, Verdict, hold, legal, play_out, random_answers, settings};
use agon_abi::Blob;
use agon_games::{AnyGame, AnyState, Language, Opening, Rng, Seat, rng_from, seed_of};

/// Everything that `seat` sees of a redealt state is byte for byte what it saw before.
pub fn redeals_look_the_same(at: &Position, rng: &mut Rng) -> Verdict {
    for seat in 0..at.seats {
        let other = at.state.redeal(seat, rng);
        hold(other.to_move() == at.state.to_move(), || "a redeal changes who is to move".to_owned())?;
        hold(views(at.state, seat) == views(&*other, seat), || format!("seat {seat} sees what it must not"))?;
        let pictures = [at.state.scene(Some(seat), Language::French), other.scene(Some(seat), Language::French)];
        hold(pictures[0] == pictures[1], || format!("the picture for seat {seat} shows what is hidden"))?;
        let public = [at.state.public_scene(Language::French), other.public_scene(Language::French)];
        hold(public[0] == public[1], || format!("the picture for watchers shows what seat {seat} must not see"))?;
        if at.state.to_move().has(seat) {
            let same = legal(at.state, seat) == legal(&*other, seat);
            hold(same, || format!("a redeal changes the moves of seat {seat}"))?;
        }
        hold(at.game.facts().hidden || other.hash() == at.state.hash(), || {
            "a redeal changes a game that hides nothing".to_owned()
        })?;
    }
    Ok(())
}

fn views(state: &dyn AnyState, seat: Seat) -> [Blob; 2] {
    let (mut setup, mut turn) = (Blob::new(), Blob::new());
    state.setup(seat, &mut setup);
    state.turn(seat, &mut turn);
    [setup, turn]
}

/// A redealt state is one that can be played to its end, and looks the same to the seat as long as it plays alike.
pub fn redeals_can_be_played(game: &dyn AnyGame) -> Verdict {
    for (name, setting) in settings(game) {
        let mut rng = rng_from(&seed_of(3));
        let mut state = setting.start(&Opening::numbered(4));
        for turn in 0..10 {
            for seat in 0..setting.seats() {
                let mut other = state.redeal(seat, &mut rng);
                play_out(&mut *other, &mut rng, &mut |_, _, _| Ok(()))
                    .map_err(|what| format!("{name}, turn {turn}: {what}"))?;
            }
            let answers = random_answers(&*state, &mut rng);
            if answers.is_empty() {
                break;
            }
            state.play(&answers);
        }
    }
    Ok(())
}

/// Where much is hidden, as at the start of a match with default options, redeals are different states.
pub fn redeals_differ(game: &dyn AnyGame) -> Verdict {
    if !game.facts().hidden {
        return Ok(());
    }
    let mut rng = rng_from(&seed_of(6));
    for (name, setting) in settings(game).into_iter().filter(|(name, _)| name.ends_with("[]")) {
        let state = setting.start(&Opening::numbered(7));
        for seat in 0..setting.seats() {
            let mut hashes: Vec<u64> = (0..16).map(|_| state.redeal(seat, &mut rng).hash()).collect();
            hashes.sort_unstable();
            hashes.dedup();
            // Where a thousand states are possible, some of 16 draws may be the same.
            hold(hashes.len() >= 12, || format!("{name}: {} states in 16 redeals for seat {seat}", hashes.len()))?;
        }
    }
    Ok(())
}
