//! A first client for 6 qui prend!: it lays the card that comes nearest behind a row with room, and takes the cheapest
//! row. Build: make. What the functions get and return: agon.zig, and include/agon/six_qui_prend.h in words.
const agon = @import("agon.zig");

const asks_row = 1;
const cheapest_row = 255;

var capacity: u8 = 5;

const Place = struct { row: usize, end: u8 };

/// 1. the row that a card goes to: the one with the nearest lower end; and that end
fn placeOf(turn: *const agon.Turn, card: u8) ?Place {
    var best: ?Place = null;
    for (turn.rows, turn.row_size, 0..) |cards, size, row| {
        const end = cards[size - 1];
        if (end < card and (best == null or end > best.?.end)) best = .{ .row = row, .end = end };
    }
    return best;
}

/// 2. what is bad about laying a card now: the gap, and much more where it may take a row.
/// Next: return the sum of the heads that you take in 20 rounds that you play out, with the same chance for each card. You
/// lay the card, then the rest of your hand in any order. The others lay cards drawn from those that nobody has shown
/// (seen) and you do not hold.
fn cost(turn: *const agon.Turn, card: u8) u32 {
    const place = placeOf(turn, card) orelse return 500;
    const size = turn.row_size[place.row];
    if (size == capacity) return 200 + 10 * @as(u32, turn.row_heads[place.row]);
    return @as(u32, card - place.end) * size;
}

/// 3. choose the card that costs least
fn choose(turn: *const agon.Turn) u8 {
    var best = turn.hand[0];
    for (turn.hand[0..turn.num_hand]) |card| {
        if (cost(turn, card) < cost(turn, best)) best = card;
    }
    return best;
}

export fn get_player_name() [*:0]const u8 {
    return "first-zig";
}

export fn initialize(setup: *const agon.Setup) c_int {
    capacity = setup.row_capacity;
    return 0;
}

export fn play(turn: *const agon.Turn) agon.Move {
    if (turn.kind == asks_row) return .{ .row = cheapest_row };
    return .{ .card = choose(turn) };
}

export fn finalize() void {}
