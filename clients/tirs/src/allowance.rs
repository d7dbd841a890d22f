//! The limits of a search, and the counter that stops it.

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Positions.
    pub nodes: u64,
    /// Microseconds by `clock`.
    pub time_us: u64,
    /// Microseconds since the turn began.
    pub clock: fn() -> u64,
}

/// Counts the positions of a search, and says when its allowance is spent.
pub struct Counter {
    allowance: Allowance,
    /// Positions so far.
    pub nodes: u64,
    /// Whether the allowance is spent.
    pub is_spent: bool,
    next_look: u64,
}

/// The clock is read once in so many positions.
const CLOCK_EVERY: u64 = 1024;

impl Allowance {
    /// All positions and all time.
    pub const ALL: Allowance = Allowance { nodes: u64::MAX, time_us: u64::MAX, clock: || 0 };
}

impl Counter {
    /// Counts from zero.
    pub fn new(allowance: Allowance) -> Counter {
        Counter { allowance, nodes: 0, is_spent: false, next_look: CLOCK_EVERY.min(allowance.nodes) }
    }

    /// Counts a position.
    #[inline]
    pub fn count(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look();
        }
    }

    #[cold]
    fn look(&mut self) {
        let Allowance { nodes, time_us, clock } = self.allowance;
        self.is_spent |= self.nodes >= nodes || clock() >= time_us;
        self.next_look = (self.nodes + CLOCK_EVERY).min(nodes);
    }
}
