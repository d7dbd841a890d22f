//! Judges a position for a search: by its evaluation, or by the certain winner once the regions are closed. It
//! remembers and counts positions, and stops at the limits.

use crate::board_tables::BoardTables;
use crate::evaluator::Evaluator;
use crate::gains::Gains;
use crate::plan::TimePlan;
use crate::position::Position;
use crate::regions::Regions;
use crate::transposition_table::ValueCache;
use crate::value::VERTEX;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The side to move has won, less the plies until then.
pub const WON: i32 = 1_000_000_000;
/// Values from here on are certain: the regions are closed and the rooms decide the winner.
pub const CERTAIN: i32 = 100_000_000;
/// Moves looked at in each region of a position.
const FILLING: u64 = 200;
/// Evaluations between two looks at the clock; to look at the regions of a position takes as long as some of them, and
/// each move looked at in a region as long as one.
const CLOCK_EVERY: u32 = 32;
const ROOMS_COST: u32 = 4;
/// Bytes for the memory of evaluations: beyond a processor's second cache, a look-up takes as long as an evaluation.
const VALUES: u64 = 1 << 18;
/// Separates the notes on a slide from those on a position: between slide and arrow both have the same hash.
const SLIDE_KEY: u64 = 0x5a17_c3e9_0d24_b86f;

/// When a search stops. Only the thread that the client was called in may look at its clock.
#[derive(Clone, Copy, Debug)]
pub struct SearchLimits {
    pub nodes: u64,
    /// The time limits on the clock.
    pub plan: TimePlan,
    /// Microseconds used in this call.
    pub clock: fn() -> u64,
}

/// Judges positions of one board within limits.
#[derive(Clone, Debug)]
pub struct Judge {
    evaluator: Evaluator,
    values: ValueCache,
    regions: Regions,
    pub(crate) gains: Gains,
    limits: Option<SearchLimits>,
    nodes: u64,
    patience: u32,
    stopped: bool,
    /// A flag that another thread sets after it has finished with the same position.
    called_off: Arc<AtomicBool>,
}

impl SearchLimits {
    /// Positions alone, and no clock.
    pub const fn of_nodes(nodes: u64) -> SearchLimits {
        SearchLimits { nodes, plan: TimePlan { soft_us: u64::MAX, hard_us: u64::MAX }, clock: || 0 }
    }

    /// The limits of one of this many threads of the same search: a share of the nodes, and no clock.
    #[must_use]
    pub fn share(self, threads: u64) -> SearchLimits {
        SearchLimits::of_nodes(if self.nodes == u64::MAX { u64::MAX } else { self.nodes / threads })
    }
}

impl Judge {
    /// With an empty memory.
    pub fn new(tables: &BoardTables, evaluator: Evaluator) -> Judge {
        Judge {
            evaluator,
            values: ValueCache::new(VALUES),
            regions: Regions::new(tables),
            gains: Gains::new(tables),
            limits: None,
            nodes: 0,
            patience: CLOCK_EVERY,
            stopped: false,
            called_off: Arc::default(),
        }
    }

    /// One for another thread, which is called off with this one.
    #[must_use]
    pub fn colleague(&self, tables: &BoardTables) -> Judge {
        Judge { called_off: Arc::clone(&self.called_off), ..Judge::new(tables, self.evaluator.clone()) }
    }

    /// Lets the searches of all colleagues, and one's own, go on, or ends them.
    pub fn call_off(&self, is_over: bool) {
        self.called_off.store(is_over, Relaxed);
    }

    /// Begins to count anew.
    pub fn begin(&mut self, limits: SearchLimits) {
        (self.limits, self.nodes, self.patience, self.stopped) = (Some(limits), 0, CLOCK_EVERY, false);
    }

    /// Whether the limits are reached; later values are useless.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether nothing new should be begun.
    pub fn is_late(&self) -> bool {
        self.stopped || self.limits.is_some_and(|limits| (limits.clock)() >= limits.plan.soft_us)
    }

    /// The knowledge about the regions of the board.
    pub fn regions(&mut self) -> &mut Regions {
        &mut self.regions
    }

    /// Positions evaluated since [`Judge::begin`].
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of a position for the side to move, without looking ahead: thousandths of a vertex, or from
    /// [`CERTAIN`] on.
    pub fn leaf(&mut self, tables: &BoardTables, position: &Position) -> i32 {
        self.tick(1);
        if let Some(value) = self.values.get(position.hash()) {
            return value;
        }
        let evaluated = self.evaluator.value(tables, position);
        let value =
            if evaluated.may_be_decided { self.decided(tables, position, evaluated.value) } else { evaluated.value };
        self.values.put(position.hash(), value);
        value
    }

    /// As [`Judge::leaf`], of a slide whose arrow is still to be shot: never certain.
    pub fn slide(&mut self, tables: &BoardTables, position: &Position) -> i32 {
        self.tick(1);
        let key = position.hash() ^ SLIDE_KEY;
        if let Some(value) = self.values.get(key) {
            return value;
        }
        let value = self.evaluator.value(tables, position).value;
        self.values.put(key, value);
        value
    }

    /// Whether the side to move can come to free vertices that the other side cannot come to.
    pub(crate) fn is_alone_somewhere(&self, tables: &BoardTables, position: &Position) -> bool {
        self.evaluator.is_alone_somewhere(tables, position)
    }

    /// The value where a side may have more own vertices than the other can reach: certain, if the rooms decide.
    fn decided(&mut self, tables: &BoardTables, position: &Position, otherwise: i32) -> i32 {
        let before = self.regions.spent();
        let decided = self.regions.decide(tables, position, FILLING);
        self.note_regions(before);
        match decided {
            Some((winner, margin)) => {
                let value = CERTAIN + VERTEX * margin as i32;
                if winner == position.side { value } else { -value }
            }
            None => otherwise,
        }
    }

    /// Counts the time that regions took since this number of moves had been looked at in them.
    pub(crate) fn note_regions(&mut self, before: u64) {
        self.tick(ROOMS_COST.saturating_add((self.regions.spent() - before) as u32));
    }

    /// Counts an evaluation, and looks at the clock now and then.
    fn tick(&mut self, cost: u32) {
        self.nodes += u64::from(cost == 1);
        let Some(limits) = self.limits else { return };
        self.stopped |= self.nodes >= limits.nodes;
        self.patience = self.patience.saturating_sub(cost);
        if self.patience == 0 {
            self.patience = CLOCK_EVERY;
            self.stopped |= self.called_off.load(Relaxed) || (limits.clock)() >= limits.plan.hard_us;
        }
    }
}
