//! A first client for Grundy's game: it leaves the other side without a move where it can, and else splits at random.
//! Build: make. What the functions get and return: agon.zig, and include/agon/grundy.h in words.
const agon = @import("agon.zig");

var seed: u64 = 1;

/// xorshift64*: the same seed gives the same game.
fn below(bound: u32) u32 {
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return @intCast((((seed *% 2685821657736338717) >> 32) * bound) >> 32);
}

/// 1. what a split leaves: how many heaps can still be split.
/// Next: combine the nimbers of all heaps by ^ instead; a split that leaves 0 wins. The nimber of a heap is the least
/// number that nimber(a) ^ nimber(b) is for none of its splits into a and b.
fn heapsLeft(heaps: []const u32, heap: usize, split: u32) u32 {
    var left: u32 = 0;
    for (heaps, 0..) |sticks, other| {
        if (other != heap and sticks > 2) left += 1;
    }
    if (split > 2) left += 1;
    if (heaps[heap] - split > 2) left += 1;
    return left;
}

/// 2. choose: of all splits one that leaves nothing, or any
fn choose(heaps: []const u32) agon.Move {
    var move = agon.Move{ .heap = 0, .split = 0 };
    var seen: u32 = 0;
    for (heaps, 0..) |sticks, heap| {
        var split: u32 = 1;
        while (split < sticks) : (split += 1) {
            if (2 * split == sticks) continue;
            const this = agon.Move{ .heap = @intCast(heap), .split = split };
            if (heapsLeft(heaps, heap, split) == 0) return this;
            seen += 1;
            if (below(seen) == 0) move = this;
        }
    }
    return move;
}

export fn get_player_name() [*:0]const u8 {
    return "first-zig";
}

export fn initialize(setup: *const agon.Setup) c_int {
    seed = setup.head.seed | 1;
    return 0;
}

export fn play(turn: *const agon.Turn) agon.Move {
    return choose(turn.heaps[0..turn.num_heaps]);
}

export fn finalize() void {}
