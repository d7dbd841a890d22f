@@ instead of
else { return 500 };
@@ write
else {
        return 10 * u32::from(turn.facts.row_heads.iter().copied().min().unwrap_or(0));
    };
@@ instead of
        5 => 200 + 10 * u32::from(turn.facts.row_heads[row]),
        size => u32::from(card - end) * size,
@@ write
        5 => 10 * u32::from(turn.facts.row_heads[row]),
        _ => (end + 1..card).filter(|other| is_unseen(turn, *other)).count() as u32,
@@ instead of
export_client!(Bot);
@@ write
fn is_unseen(turn: &Turn, card: u8) -> bool {
    !turn.hand().contains(&card) && turn.facts.seen[usize::from(card / 64)] >> (card % 64) & 1 == 0
}

export_client!(Bot);
