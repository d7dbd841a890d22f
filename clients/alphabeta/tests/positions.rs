//! No game is thrown away where others threw it away.

#[path = "../../../search/tests/positions/mod.rs"]
mod positions;

use agon_client_api::Options;
use agon_search::{Position, Regions};
use alphabeta::{Searcher, Settings};
use positions::{Late, Task, late, limits};

/// Positions evaluated: less than in a second.
const NODES: u64 = 500_000;
/// Work to find out who wins.
const ENOUGH: u64 = 60_000_000;

fn settings() -> Settings {
    Settings::read(&Options(""), 0, 1).expect("no options")
}

#[test]
fn nothing_is_thrown_away() {
    for Late { task, arena, position, text } in late() {
        let (arena, position, side) = (&arena, &mut position.clone(), position.side());
        let mut searcher = Searcher::new(arena, &settings());
        let filling = searcher.judge().regions().fill(arena, position, limits(u64::MAX));
        let mv = filling
            .map_or_else(|| searcher.search(arena, position, u8::MAX, limits(NODES)).line[0], |filling| filling.mv);
        match task {
            Task::Fills(vertices) => {
                let regions = searcher.judge().regions();
                let most = |regions: &mut Regions, position: &Position| {
                    regions.rooms(arena, position, u64::MAX).map(|rooms| rooms[side].most)
                };
                assert_eq!(most(regions, position), Some(vertices), "{text}");
                let wins = regions.wins(arena, position, ENOUGH);
                position.play(arena, mv);
                assert_eq!(most(regions, position), Some(vertices - 1), "{mv:?} wastes vertices: {text}");
                assert!(wins == Some(false) || regions.wins(arena, position, ENOUGH) == Some(false), "{mv:?}: {text}");
            }
            Task::Avoids(bad) => assert_ne!(mv, bad, "{text}"),
        }
    }
}
