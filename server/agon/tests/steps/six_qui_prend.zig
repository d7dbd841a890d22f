@@ instead of
/// 2. what is bad
@@ write
fn isUnseen(turn: *const agon.Turn, card: u8) bool {
    for (turn.hand[0..turn.num_hand]) |held| {
        if (held == card) return false;
    }
    return turn.seen[card / 64] >> @as(u6, @intCast(card % 64)) & 1 == 0;
}

/// 2. what is bad
@@ instead of
orelse return 500;
@@ write
orelse {
        var heads: u32 = 100;
        for (turn.row_heads) |each| heads = @min(heads, each);
        return 10 * heads;
    };
@@ instead of
return 200 + 10 * @as(u32, turn.row_heads[place.row]);
    return @as(u32, card - place.end) * size;
@@ write
return 10 * @as(u32, turn.row_heads[place.row]);
    var between: u32 = 0;
    var other = place.end + 1;
    while (other < card) : (other += 1) {
        if (isUnseen(turn, other)) between += 1;
    }
    return between;
