@@ instead of
var capacity: u8 = 5;
@@ write
var capacity: u8 = 5;
var players: usize = 2;
var deck: u8 = 104;
@@ instead of
    capacity = setup.row_capacity;
@@ write
    capacity = setup.row_capacity;
    players = setup.players;
    deck = setup.deck_max;
@@ instead of
/// 2. what is bad
@@ write
var state: u32 = 1;

/// Takes one of these cards out by chance.
fn draw(cards: []u8, count: *usize) u8 {
    state = state *% 1664525 +% 1013904223;
    const place: usize = @intCast(@as(u64, state) * count.* >> 32);
    const card = cards[place];
    count.* -= 1;
    cards[place] = cards[count.*];
    return card;
}

fn headsOf(card: u8) u8 {
    if (card == 55) return 7;
    if (card % 11 == 0) return 5;
    if (card % 10 == 0) return 3;
    return if (card % 5 == 0) 2 else 1;
}

/// Lays a card, and returns the heads that it takes.
fn lay(table: *agon.Turn, card: u8) u32 {
    var heads: u32 = 0;
    var row: usize = 0;
    const place = placeOf(table, card);
    if (place) |found| {
        row = found.row;
    } else {
        for (table.row_heads, 0..) |each, number| {
            if (each < table.row_heads[row]) row = number;
        }
    }
    if (place == null or table.row_size[row] == capacity) {
        heads = table.row_heads[row];
        table.row_heads[row] = 0;
        table.row_size[row] = 0;
    }
    table.rows[row][table.row_size[row]] = card;
    table.row_size[row] += 1;
    table.row_heads[row] += headsOf(card);
    return heads;
}

/// The heads that one takes until the end of a round in which one lays a card now and all else is drawn.
fn playOut(turn: *const agon.Turn, first: u8) u32 {
    var table = turn.*;
    var is_own: [105]bool = @splat(false);
    var laid_in: [105]usize = @splat(0);
    var own: [10]u8 = undefined;
    var others: [104]u8 = undefined;
    var num_own: usize = 0;
    var num_others: usize = 0;
    for (turn.hand[0..turn.num_hand]) |card| {
        is_own[card] = true;
        if (card == first) continue;
        own[num_own] = card;
        num_own += 1;
    }
    var card: u8 = 1;
    while (card <= deck) : (card += 1) {
        const is_seen = turn.seen[card / 64] >> @as(u6, @intCast(card % 64)) & 1 == 1;
        if (is_own[card] or is_seen) continue;
        others[num_others] = card;
        num_others += 1;
    }
    laid_in[first] = 1;
    var sum: u32 = 0;
    for (1..@as(usize, turn.num_hand) + 1) |number| {
        if (number > 1) laid_in[draw(&own, &num_own)] = number;
        for (1..players) |_| laid_in[draw(&others, &num_others)] = number;
        card = 1;
        while (card <= deck) : (card += 1) {
            if (laid_in[card] != number) continue;
            const heads = lay(&table, card);
            if (is_own[card]) sum += heads;
        }
    }
    return sum;
}

/// 2. what is bad
@@ instead of
    const place = placeOf(turn, card) orelse return 500;
    const size = turn.row_size[place.row];
    if (size == capacity) return 200 + 10 * @as(u32, turn.row_heads[place.row]);
    return @as(u32, card - place.end) * size;
@@ write
    state = 1;
    var sum: u32 = 0;
    for (0..20) |_| sum += playOut(turn, card);
    return sum;
