//! A first client for Amazons: of 50 random moves it plays the one after which it has most room, and the other side
//! least. Build: make. What the functions get and return: agon.zig, and include/agon/amazons.h in words.
const agon = @import("agon.zig");

const looked_at = 50;
const most_vertices = 4096;
const none = 0xffff_ffff;

var setup: *const agon.Setup = undefined;
var seed: u64 = 1;

/// xorshift64*: the same seed gives the same game.
fn below(bound: usize) usize {
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return @intCast((((seed *% 2685821657736338717) >> 32) * bound) >> 32);
}

/// 1. keep your board: what is taken, and where the queens of both sides stand
var taken: [most_vertices]bool = undefined;
var queens: [2][most_vertices]u32 = undefined;

fn queensOf(side: usize) []u32 {
    return queens[side][0..setup.num_queens[side]];
}

fn moveQueen(side: usize, from: u32, to: u32) void {
    for (queensOf(side)) |*queen| {
        if (queen.* == from) queen.* = to;
    }
    taken[from] = false;
    taken[to] = true;
}

fn apply(side: usize, move: agon.Move) void {
    moveQueen(side, move.queen_src, move.queen_dst);
    taken[move.arrow_dst] = true;
}

fn undo(side: usize, move: agon.Move) void {
    taken[move.arrow_dst] = false;
    moveQueen(side, move.queen_dst, move.queen_src);
}

/// 2. list moves: the vertex next to one in a direction
fn next(vertex: u32, direction: u8) ?u32 {
    for (setup.row_start[vertex]..setup.row_start[vertex + 1]) |edge| {
        if (setup.directions[edge] == direction) return setup.targets[edge];
    }
    return null;
}

/// Where a queen or an arrow can go in straight lines; a line may lead back to itself on some boards, but no further
/// than there are vertices.
fn reach(from: u32, found: []u32) []u32 {
    var count: usize = 0;
    for (setup.row_start[from]..setup.row_start[from + 1]) |edge| {
        var seen: ?u32 = setup.targets[edge];
        var steps: u32 = 0;
        while (seen != null and !taken[seen.?] and steps < setup.num_vertices) : (steps += 1) {
            if (count < found.len) found[count] = seen.?;
            count += 1;
            seen = next(seen.?, setup.directions[edge]);
        }
    }
    return found[0..@min(count, found.len)];
}

var squares: [8 * most_vertices]u32 = undefined;
var arrows: [8 * most_vertices]u32 = undefined;

/// One move is drawn: a queen, where it goes, and where it shoots; again where it cannot shoot from there.
fn randomMove() agon.Move {
    const side = setup.side;
    while (true) {
        const source = queensOf(side)[below(setup.num_queens[side])];
        const targets = reach(source, &squares);
        if (targets.len == 0) continue;
        const target = targets[below(targets.len)];
        taken[source] = setup.vacated != 0;
        const hit = reach(target, &arrows);
        taken[source] = true;
        if (hit.len == 0) continue;
        return .{ .queen_src = source, .queen_dst = target, .arrow_dst = hit[below(hit.len)] };
    }
}

fn room(side: usize) i32 {
    var sum: usize = 0;
    for (queensOf(side)) |queen| sum += reach(queen, &squares).len;
    return @intCast(sum);
}

/// 3. choose. Next: look at all moves. Count for each side in how many moves of a queen it could come to each square, and
/// in how many single steps, if nobody else moved. A square counts 1/2 to the power of each of these numbers: add up your
/// own, and subtract those of the other side.
fn choose() agon.Move {
    const side = setup.side;
    var best = randomMove();
    var best_room: i32 = -1000000;
    for (0..looked_at) |_| {
        const move = randomMove();
        apply(side, move);
        const now = room(side) - room(1 - side);
        undo(side, move);
        if (now > best_room) {
            best_room = now;
            best = move;
        }
    }
    agon.log_number("value", best_room);
    return best;
}

export fn get_player_name() [*:0]const u8 {
    return "first-zig";
}

export fn initialize(given: *const agon.Setup) c_int {
    setup = given;
    seed = given.head.seed | 1;
    @memset(&taken, false);
    for (0..2) |side| {
        for (queensOf(side), 0..) |*queen, i| {
            queen.* = given.queens[side][i];
            taken[queen.*] = true;
        }
    }
    if (given.num_blocked > 0) {
        for (given.blocked[0..given.num_blocked]) |vertex| taken[vertex] = true;
    }
    return 0;
}

export fn play(turn: *const agon.Turn) agon.Move {
    if (turn.previous.queen_src != none) apply(1 - setup.side, turn.previous);
    const move = choose();
    apply(setup.side, move);
    return move;
}

export fn finalize() void {}
