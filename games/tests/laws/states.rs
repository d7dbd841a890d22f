//! Laws of states and matches: views, copies, replay, the end.

use super::walk::{Answers, Position, Verdict, hold, play_out, random_answers, settings};
use agon_abi::{Blob, SetupHead, TurnHead, relocate};
use agon_games::{
    AnyGame, AnyState, Cell, Item, Language, Opening, Overlay, Panel, PreparedSetting, Rng, Scene, Stroke, rng_from,
    seed_of,
};
use std::collections::BTreeSet;

/// Setup and turn begin with a zero head, have the size of their struct, and point only into themselves.
pub fn views_are_well_formed(at: &Position, _: &mut Rng) -> Verdict {
    let facts = at.game.facts();
    let mut blob = Blob::new();
    for seat in 0..at.seats {
        blob.clear();
        at.state.setup(seat, &mut blob);
        is_well_formed(&blob, facts.setup.size, size_of::<SetupHead>())?;
    }
    for seat in at.state.to_move().iter() {
        blob.clear();
        at.state.turn(seat, &mut blob);
        is_well_formed(&blob, facts.turn.size, size_of::<TurnHead>())?;
    }
    Ok(())
}

fn is_well_formed(blob: &Blob, size: u32, head: usize) -> Verdict {
    let (bytes, struct_end) = (blob.bytes(), (size as usize).next_multiple_of(8));
    hold(bytes.len() >= struct_end, || format!("{} bytes for a struct of {size}", bytes.len()))?;
    hold(bytes[..head].iter().all(|byte| *byte == 0), || "the head is not zero".to_owned())?;
    let all_used = bytes.len() == struct_end || !blob.links().is_empty();
    hold(all_used, || format!("{} bytes for a struct of {size} that points nowhere", bytes.len()))?;
    let mut words: Vec<u64> = bytes.chunks_exact(8).filter_map(agon_abi::read).collect();
    hold(words.len() * 8 == bytes.len(), || "a view is not made of whole words".to_owned())?;
    relocate(&mut words, blob.links()).map_err(|broken| format!("{broken:?}"))
}

/// Scores, pictures and seats to move fit the number of seats, and a match without a seat to move is over for good.
pub fn states_are_consistent(at: &Position, _: &mut Rng) -> Verdict {
    let (facts, to_move, scores) = (at.game.facts(), at.state.to_move(), at.state.scores());
    hold(to_move.iter().all(|seat| seat < at.seats), || format!("{to_move:?} are to move"))?;
    hold(facts.simultaneous || to_move.count() <= 1, || format!("{to_move:?} are to move in a game of turns"))?;
    hold(scores.values.len() == at.seats, || format!("{scores:?} for {} seats", at.seats))?;
    let keys = scores.tie_break.len();
    hold(keys == 0 || keys == at.seats, || format!("{keys} tie breaks for {} seats", at.seats))?;
    let scene = at.state.scene(None, Language::English);
    hold(!scene.spoken.is_empty() && !scene.to_text().is_empty(), || "an empty scene".to_owned())?;
    (0..at.seats).map(Some).chain([None]).try_for_each(|seat| can_be_drawn(&at.state.scene(seat, Language::English)))
}

/// Cells have names and places of their own, lines and paths lead from cell to cell, things stand for all lines.
fn can_be_drawn(scene: &Scene) -> Verdict {
    let count = scene.cells.len();
    let names: BTreeSet<&str> = scene.cells.iter().map(|cell| cell.name.as_str()).collect();
    hold(names.len() == count && !names.contains(""), || format!("{} names of {count} cells", names.len()))?;
    let places: BTreeSet<_> = scene.cells.iter().filter_map(|cell| cell.at).collect();
    hold([0, count].contains(&places.len()), || format!("{} places of {count} cells", places.len()))?;
    let on_grid = |cell: &Cell| cell.place().is_some_and(|(column, row)| column < scene.columns && row < scene.rows);
    hold(scene.columns == 0 || scene.cells.iter().all(on_grid), || "a cell outside of the grid".to_owned())?;
    let is_pair = |[a, b]: &[usize; 2]| a < b && *b < count;
    hold(scene.edges.iter().all(is_pair), || format!("{:?} of {count} cells", scene.edges))?;
    let is_way = |(Stroke::Slide(way) | Stroke::Shot(way)): &Stroke| way.len() > 1 && way.iter().all(|at| *at < count);
    hold(scene.path.iter().all(is_way), || format!("{:?} of {count} cells", scene.path))?;
    let marks = |overlay: &Overlay| {
        overlay.cells.len() == count && overlay.cells.iter().flatten().all(|kind| *kind < overlay.kinds.len())
    };
    hold(scene.overlay.iter().all(marks), || format!("{:?} over {count} cells", scene.overlay))?;
    // What is drawn in one line may be told in several; empty places, and words above a row, are not told.
    let is_told = |line: &&Vec<Item>| !line.contains(&Item::Hole) && !matches!(line.as_slice(), [Item::Text(_)]);
    let fits = |panel: &Panel| panel.is_picture || panel.items.iter().filter(is_told).count() <= panel.lines.len();
    hold(scene.panels.iter().all(fits), || "a panel of other things than words".to_owned())
}

/// A copy goes its own way, and the same moves lead the original to the same states.
pub fn copies_are_independent(at: &Position, rng: &mut Rng) -> Verdict {
    if at.turn > 3 {
        return Ok(());
    }
    let before = at.state.hash();
    let (mut one, mut two) = (at.state.clone_box(), at.state.clone_box());
    hold(one.hash() == before, || "a copy has another hash".to_owned())?;
    for _ in 0..3 {
        let answers = random_answers(&*one, rng);
        if answers.is_empty() {
            break;
        }
        one.play(&answers);
        hold(at.state.hash() == before, || "a copy changes its original".to_owned())?;
        two.play(&answers);
        hold(one.hash() == two.hash(), || "copies differ after the same moves".to_owned())?;
    }
    Ok(())
}

/// Options, seats, seed and moves decide everything: a replay has the same hashes and views at every turn.
pub fn replays_are_equal(game: &dyn AnyGame) -> Verdict {
    let (again, mut fresh) = (settings(game), rng_from(&seed_of(5)));
    for ((name, setting), (_, same)) in settings(game).into_iter().zip(again) {
        let mut moves: Vec<(u64, Blob, Answers)> = vec![];
        let mut state = setting.start(&Opening::numbered(9));
        while !state.to_move().is_empty() && moves.len() < 500 {
            let answers = random_answers(&*state, &mut fresh);
            moves.push((state.hash(), views(&*state), answers.clone()));
            state.play(&answers);
        }
        let mut replay = same.start(&Opening::numbered(9));
        for (turn, (hash, view, answers)) in moves.iter().enumerate() {
            hold(replay.hash() == *hash, || format!("{name}: another hash at turn {turn} of the replay"))?;
            hold(views(&*replay) == *view, || format!("{name}: another view at turn {turn} of the replay"))?;
            replay.play(answers);
        }
        hold(replay.hash() == state.hash(), || format!("{name}: another end of the replay"))?;
        hold(replay.scores() == state.scores(), || format!("{name}: other scores in the replay"))?;
    }
    Ok(())
}

/// The turns of all seats to move.
fn views(state: &dyn AnyState) -> Blob {
    let mut blob = Blob::new();
    state.to_move().iter().for_each(|seat| state.turn(seat, &mut blob));
    blob
}

/// Whatever decides how a match begins is told: where two openings begin otherwise, what is told of them differs.
pub fn what_is_drawn_is_told(game: &dyn AnyGame) -> Verdict {
    for (name, setting) in settings(game) {
        let told =
            |number| (setting.start(&Opening::numbered(number)).hash(), setting.drawn(&Opening::numbered(number)));
        let mut all: Vec<_> = (0..8).map(told).collect();
        hold(told(3) == all[3], || format!("{name}: another time another start"))?;
        all.dedup_by(|a, b| a.0 == b.0);
        for ((hash, one), (_, other)) in all.iter().zip(&all[1..]) {
            hold(one != other, || format!("{name}: {hash:016x} and another start are told as {one:?}"))?;
        }
        let names = setting.resolved().into_iter().chain(setting.drawn(&Opening::numbered(0))).map(|(name, _)| name);
        let well = |key: &str| !key.is_empty() && key.bytes().all(|c| c.is_ascii_lowercase() || c == b'_');
        names.clone().try_for_each(|key| hold(well(key), || format!("{name}: {key} is not a name")))?;
    }
    Ok(())
}

/// With chance in the game, there are options with which another seed makes another match; without, there are none.
pub fn the_seed_matters_if_the_game_says_so(game: &dyn AnyGame) -> Verdict {
    let starts = |setting: &dyn PreparedSetting| {
        (0..8).map(|number| setting.start(&Opening::numbered(number)).hash()).collect::<Vec<_>>()
    };
    let differ = |(_, setting): &(String, Box<dyn PreparedSetting>)| {
        let hashes = starts(&**setting);
        hashes.iter().any(|hash| *hash != hashes[0])
    };
    let matters: Vec<String> = settings(game).into_iter().filter(differ).map(|(name, _)| name).collect();
    hold(matters.is_empty() != game.facts().chance, || {
        format!("{}: chance is {}, but the seed matters in {matters:?}", game.facts().name, game.facts().chance)
    })
}

/// Random matches end, and in each setting.
pub fn matches_end(game: &dyn AnyGame) -> Verdict {
    for (name, setting) in settings(game) {
        for number in 0..5 {
            let mut state = setting.start(&Opening::numbered(number));
            play_out(&mut *state, &mut rng_from(&seed_of(number)), &mut |_, _, _| Ok(()))
                .map_err(|what| format!("{name}: {what}"))?;
        }
    }
    Ok(())
}
