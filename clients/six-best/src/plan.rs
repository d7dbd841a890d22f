//! How long to think, from what is left by the clock: half of a call, and an even share of what all later calls have
//! together.

use agon_client_api::TurnHead;

/// Microseconds that a call takes at most where no clock limits it.
const LONGEST_US: u64 = 2_000_000;

/// Microseconds for this call; `later` more calls are expected.
pub fn time_us(head: &TurnHead, later: u64) -> u64 {
    let call = head.cpu_left_us.min(head.wall_left_us) / 2;
    // Before more is given there may be fewer calls than the match has.
    let shares = head.moves_left().map_or(2 * later + 4, |moves| moves.min(2 * later + 4));
    call.min(head.total_left_us / shares).min(LONGEST_US)
}

/// About how many more calls a match has: the cards left in this round, and ten cards in every round until somebody
/// has the limit.
pub fn calls_left(cards: usize, hand_size: u8, limit: u16, most_heads: u16) -> u64 {
    // In a round the highest total grows by some 12 heads; few calls are for rows.
    let rounds = if limit == 0 { 0 } else { limit.saturating_sub(most_heads) / 8 + 1 };
    cards as u64 + u64::from(rounds) * u64::from(hand_size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_abi::Pod;

    fn head(call: u64, total: u64) -> TurnHead {
        TurnHead { cpu_left_us: call, wall_left_us: u64::MAX, total_left_us: total, ..TurnHead::zeroed() }
    }

    #[test]
    fn a_call_is_half_used_and_a_budget_lasts() {
        assert_eq!(time_us(&head(10_000, u64::MAX), 9), 5_000);
        assert_eq!(time_us(&head(u64::MAX, u64::MAX), 9), LONGEST_US);
        let before_more = |moves| TurnHead { reserved: [moves, 0], ..head(1_000_000, 1_000_000) };
        assert_eq!([1, 4, 90].map(|moves| time_us(&before_more(moves), 9)), [500_000, 250_000, 45_454]);
        let mut left = 1_000_000;
        for call in 0..500 {
            let time = time_us(&head(left, left), calls_left(10 - call % 10, 10, 66, 20));
            left -= time;
        }
        assert!(left > 0);
        assert_eq!((calls_left(4, 10, 0, 50), calls_left(4, 10, 66, 66)), (4, 14));
    }
}
