//! Overlays of pictures against slow and plain references: territory, cards in reach, nimbers.

use agon_games::{
    AnyGame, AnyState, Cell, GAMES, Language, Opening, Options, Overlay, Piece, Scene, Seat, Tint, rng_from,
};
use std::collections::BTreeSet;

fn game(name: &str) -> &'static dyn AnyGame {
    *GAMES.iter().find(|game| game.facts().name == name).unwrap()
}

/// Plays random matches and calls `each` with every position.
fn each_position(name: &str, options: &str, seats: usize, each: &mut dyn FnMut(&dyn AnyState, Scene)) {
    let setting = game(name).prepare(&Options::from_pairs(options), seats).unwrap();
    for number in 0..4 {
        let (mut state, mut rng) = (setting.start(&Opening::numbered(number)), rng_from(&[number as u8; 32]));
        loop {
            each(&*state, state.scene(None, Language::English));
            let Some(seat) = state.to_move().iter().next() else { break };
            assert_eq!(state.scene(Some(seat), Language::English).overlay, None, "people at the board see none");
            let mv = state.sample(seat, &mut rng);
            state.play(&[(seat, mv)]);
        }
    }
}

/// The squares that a queen on `from` sees, square by square.
fn seen_from(cells: &[Cell], from: usize) -> Vec<usize> {
    let (column, row) = cells[from].place().map(|(column, row)| (column as i32, row as i32)).unwrap();
    let mut seen = Vec::new();
    for (right, down) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        for steps in 1.. {
            let at = (column + steps * right, row + steps * down);
            let is_at = |cell: &Cell| cell.place().map(|(x, y)| (x as i32, y as i32)) == Some(at);
            match cells.iter().position(is_at) {
                Some(to) if cells[to].piece == Piece::Empty => seen.push(to),
                _ => break,
            }
        }
    }
    seen
}

/// The fewest moves of a side to each square: distances are lowered until none can be.
fn plain_distances(cells: &[Cell], side: Seat) -> Vec<u32> {
    let start = |cell: &Cell| if cell.piece == Piece::Of(side) { 0 } else { u32::MAX };
    let mut distances: Vec<u32> = cells.iter().map(start).collect();
    loop {
        let before = distances.clone();
        for from in (0..cells.len()).filter(|from| before[*from] < u32::MAX) {
            for to in seen_from(cells, from) {
                distances[to] = distances[to].min(distances[from] + 1);
            }
        }
        if distances == before {
            return distances;
        }
    }
}

#[test]
fn territory_is_who_needs_fewer_moves() {
    let mut kinds_seen = BTreeSet::new();
    for board in ["square:6", "donut:6", "mini-4"] {
        each_position("amazons", &format!("board={board}"), 2, &mut |_, scene| {
            let Overlay { kinds, cells, .. } = scene.overlay.unwrap();
            let [a, b] = [0, 1].map(|side| plain_distances(&scene.cells, side));
            for (at, cell) in scene.cells.iter().enumerate() {
                let plain = match (a[at], b[at]) {
                    _ if cell.piece != Piece::Empty => None,
                    (u32::MAX, u32::MAX) => Some(Tint::Nobody),
                    (a, b) if a == b => Some(Tint::Shared),
                    (a, b) => Some(Tint::Of(usize::from(b < a))),
                };
                assert_eq!(cells[at].map(|kind| kinds[kind].0), plain, "{}", cell.name);
                kinds_seen.insert(cells[at]);
            }
        });
    }
    assert_eq!(kinds_seen.len(), 5, "all kinds, and squares of none");
}

#[test]
fn cards_in_reach_are_those_that_may_be_taken() {
    for (options, seats) in [("size=5", 2), ("size=4 start=anywhere", 3), ("size=8", 9)] {
        each_position("tirs_croises", options, seats, &mut |state, scene| {
            let overlay = scene.overlay.unwrap();
            let seat = state.to_move().iter().next();
            for (cell, kind) in scene.cells.iter().zip(&overlay.cells) {
                let mv = state.read(&cell.name).unwrap();
                let may_be_taken = seat.is_some_and(|seat| state.check(seat, &mv).is_ok());
                assert_eq!(*kind, may_be_taken.then_some(0), "{}", cell.name);
            }
            assert_eq!(overlay.kinds[0].0, Tint::Reach);
        });
    }
}

/// The least number that no split of a heap leads to.
fn plain_nimber(sticks: u32) -> u32 {
    let splits = (1..sticks).filter(|part| 2 * part < sticks);
    let reached: BTreeSet<u32> = splits.map(|part| plain_nimber(part) ^ plain_nimber(sticks - part)).collect();
    (0..).find(|number| !reached.contains(number)).unwrap()
}

#[test]
fn nimbers_are_by_the_definition() {
    each_position("grundy", "heaps=16", 2, &mut |state, scene| {
        let mut all = 0;
        for line in &scene.panels[0].lines {
            let sticks = line.bytes().filter(|byte| *byte == b'|').count() as u32;
            let shown: u32 = line.rsplit('(').next().unwrap().trim_end_matches(')').parse().unwrap();
            assert_eq!(shown, plain_nimber(sticks), "{line}");
            all ^= shown;
        }
        let title = "nimber of all heaps";
        let panel = scene.panels.iter().find(|panel| panel.title == title);
        assert_eq!(panel.is_none(), state.to_move().is_empty());
        if let Some(panel) = panel {
            let word = if all == 0 { "lost" } else { "won" };
            assert_eq!(panel.lines, [format!("{all}: {word} for the side to move")]);
        }
    });
}
