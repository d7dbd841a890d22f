//! Plans the time for a move, on the clock that judges: for a budget of the whole match, a limit for each move, or
//! both.

use crate::position::Position;
use agon_abi::TurnHead;

/// The time left, microseconds; `u64::MAX` if there is no limit.
#[derive(Clone, Copy, Debug)]
pub struct Left {
    /// Microseconds left on the judging clock, for this move.
    pub call_us: u64,
    /// Microseconds left of wall time, for this move.
    pub wall_us: u64,
    /// For this move and all later ones, or those of the period.
    pub total_us: u64,
    /// Moves of one's own until the total is given again, this one among them; `None` = it never is.
    pub moves: Option<u64>,
}

impl From<&TurnHead> for Left {
    fn from(head: &TurnHead) -> Left {
        Left {
            call_us: head.cpu_left_us,
            wall_us: head.wall_left_us,
            total_us: head.total_left_us,
            moves: head.moves_left(),
        }
    }
}

/// How long to think, microseconds of the judging clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimePlan {
    /// Nothing new is begun after that.
    pub soft_us: u64,
    /// The time at which everything stops.
    pub hard_us: u64,
}

/// The time that stays unused in each call. The clock is read only now and then, and the answer takes time. Under load,
/// about once a minute of a process's time, a system charges it with some milliseconds that it did not use
/// (docs/notebook/performance.md, "Timing quality").
const RESERVE_US: u64 = 5_000;

impl TimePlan {
    /// For a move in a position.
    pub fn of_move(left: Left, position: &Position) -> TimePlan {
        // A side shoots at about a third of the free vertices itself before the regions are closed.
        TimePlan::new(left, position.num_free() as u32 / 3)
    }

    /// `moves` is how many more moves of one's own are expected to matter.
    pub fn new(left: Left, moves: u32) -> TimePlan {
        // A call that takes long by the wall is stopped there, however little of the processor's time it used; where
        // both are the same, the wall clock judges.
        let wall = if left.wall_us > left.call_us { left.wall_us / 2 } else { left.wall_us };
        let call = left.call_us.min(wall);
        // The wall has delays that the processor's clock does not count.
        let used = if left.call_us < wall { call / 100 * 97 } else { call / 10 * 9 };
        let call = used.min(call.saturating_sub(RESERVE_US)).max(call / 4);
        if left.total_us == u64::MAX {
            return TimePlan { soft_us: call, hard_us: call };
        }
        // Time kept at the end of a period is not lost, but of more use now.
        let slices = u64::from(moves * 6 / 10).max(6).min(left.moves.unwrap_or(u64::MAX)).max(1);
        let slice = left.total_us.saturating_sub(4 * RESERVE_US) / slices;
        TimePlan { soft_us: slice.min(call), hard_us: (slice * 3 / 2).min(call) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_a_move_is_nearly_used_up() {
        let plan = |call_us| {
            TimePlan::new(Left { call_us, wall_us: 4 * call_us + 1_000_000, total_us: u64::MAX, moves: None }, 30)
        };
        assert_eq!(plan(100_000), TimePlan { soft_us: 95_000, hard_us: 95_000 });
        assert_eq!(plan(1_000_000).hard_us, 970_000);
        assert_eq!(plan(10_000), TimePlan { soft_us: 5_000, hard_us: 5_000 });
        assert_eq!(plan(2_000).hard_us, 500);
        assert_eq!(plan(1_000).hard_us, 250);
        let by_the_wall = Left { call_us: 100_000, wall_us: 100_000, total_us: u64::MAX, moves: None };
        assert_eq!(TimePlan::new(by_the_wall, 30).hard_us, 90_000);
    }

    #[test]
    fn a_budget_lasts_for_any_number_of_moves() {
        let mut left = 1_000_000u64;
        for moves in (0..200).rev() {
            let plan = TimePlan::new(Left { call_us: left, wall_us: u64::MAX, total_us: left, moves: None }, moves / 4);
            assert!(plan.hard_us < left && plan.soft_us <= plan.hard_us);
            left -= plan.hard_us + 10;
        }
        assert!(left > 0);
    }

    #[test]
    fn a_period_is_used_up_by_its_moves() {
        let mut left = 1_000_000u64;
        for moves in (1..=10).rev() {
            let plan =
                TimePlan::new(Left { call_us: left, wall_us: u64::MAX, total_us: left, moves: Some(moves) }, 100);
            assert!(plan.hard_us < left && plan.soft_us <= plan.hard_us && plan.soft_us > 50_000, "{moves}: {plan:?}");
            left -= plan.soft_us;
        }
        assert!(left < 50_000, "{left}");
    }
}
