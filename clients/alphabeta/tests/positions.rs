//! No game is thrown away where others threw it away.

#[path = "../../../search/tests/positions/mod.rs"]
mod thrown_away;

use agon_client_api::Options;
use agon_search::{BoardTables, Judge, Move, Position, SearchLimits};
use alphabeta::{Searcher, Settings};
use thrown_away::{Searches, throws_nothing_away};

struct Player(Searcher);

impl Searches for Player {
    fn on(tables: &BoardTables) -> Player {
        let settings = Settings::read(&Options(""), 0, 1).expect("no options");
        Player(Searcher::new(tables, &settings))
    }

    fn judge(&mut self) -> &mut Judge {
        self.0.judge()
    }

    fn search(&mut self, tables: &BoardTables, position: &mut Position, limits: SearchLimits) -> Move {
        self.0.search(tables, position, u8::MAX, limits).line[0]
    }
}

#[test]
fn nothing_is_thrown_away() {
    throws_nothing_away::<Player>();
}
