//! Amazons by alpha-beta: iterative deepening with a principal variation search, a transposition table, few moves looked at deeply
//! rather than all of them flatly, and the exact end once every queen is in a region of its own side. Options: `options.rs`.
#![forbid(unsafe_code)]

mod children;
mod depth;
mod options;
mod search;

use agon_client_api::amazons::{Amazons, AmazonsMove, Setup, Turn};
use agon_client_api::{Client, Declined, TurnHead, cpu_us, export_client, log};
use agon_search::{Arena, Left, Move, Plan, Position, best_filling, rooms};
use depth::DepthRule;
use options::Settings;
use search::{Found, Limits, Searcher};

/// Moves to look at in each region when one that fills is wanted.
const FILLING: u64 = 2_000;
/// Microseconds of a turn for each of them.
const FILLING_US: u64 = 50;
/// Moves that may be tried for one that fills without waste.
const TRIES: u32 = 60;

/// The client of a match.
pub struct AlphaBeta {
    arena: Arena,
    position: Position,
    searcher: Searcher,
    rule: DepthRule,
    nodes: u64,
    name: &'static str,
}

impl Client for AlphaBeta {
    type Game = Amazons;
    const NAME: &'static str = "alphabeta";

    fn name(&self) -> &str {
        self.name
    }

    fn new(setup: &Setup) -> Result<Self, Declined> {
        let settings = Settings::read(&setup.options, setup.head.memory)?;
        let arena = Arena::from_graph(&setup.graph).map_err(|bad| Declined::from(bad.why))?;
        Ok(AlphaBeta {
            position: Position::start(&arena),
            searcher: Searcher::new(&arena, &settings),
            rule: DepthRule::new(settings.depth, &arena, setup),
            nodes: settings.nodes,
            name: settings.name,
            arena,
        })
    }

    fn play(&mut self, turn: &Turn) -> AmazonsMove {
        if turn.previous != AmazonsMove::NONE {
            self.position.play(&self.arena, turn.previous.into());
        }
        let mv = self.choose(turn.head);
        self.position.play(&self.arena, mv);
        mv.into()
    }
}

impl AlphaBeta {
    fn choose(&mut self, head: &TurnHead) -> Move {
        let plan = self.plan(head);
        if let Some(mv) = self.fill(plan) {
            return mv;
        }
        let depth = self.rule.depth(head.ply);
        let limits = Limits { depth, nodes: self.nodes, plan, clock: cpu_us };
        let found = self.searcher.search(&self.arena, &mut self.position, limits);
        self.rule.note(cpu_us());
        self.report(&found);
        found.line.first().copied().unwrap_or(Move::NONE)
    }

    /// Where nobody can come to the other side any more, the move that keeps most room.
    fn fill(&mut self, plan: Plan) -> Option<Move> {
        let work = (plan.hard_us / FILLING_US).min(FILLING) as u32;
        let rooms = rooms(&self.arena, &self.position, work)?;
        let mut tries = 0;
        let mv = best_filling(&self.arena, &self.position, work, || {
            tries += 1;
            tries >= TRIES || cpu_us() > plan.hard_us / 3
        })?;
        let (own, other) = (rooms[self.position.side()], rooms[1 - self.position.side()]);
        log("room", format!("{} to {} moves, the other side {} to {}", own.least, own.most, other.least, other.most));
        Some(mv)
    }

    fn plan(&self, head: &TurnHead) -> Plan {
        let left = Left { call_us: head.cpu_left_us, wall_us: head.wall_left_us, total_us: head.total_left_us };
        // About a third of what is free now is shot at by oneself before the regions are closed.
        Plan::new(left, self.position.num_free(&self.arena) as u32 / 3)
    }

    fn report(&self, found: &Found) {
        log("value", format!("{:.2}", f64::from(found.value) / 1000.0));
        log("depth", found.depth);
        log("nodes", found.nodes);
        let line: Vec<_> = found.line.iter().map(|mv| format!("{}-{}/{}", mv.from, mv.to, mv.arrow)).collect();
        log("line", line.join(" "));
    }
}

export_client!(AlphaBeta);
