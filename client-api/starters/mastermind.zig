//! A first client for Mastermind: it guesses a code that agrees with all replies so far, found by drawing; as a maker
//! it keeps one secret. Build: make. What the functions get and return: agon.zig, and include/agon/mastermind.h in words.
const agon = @import("agon.zig");
const std = @import("std");

const asks_secret = 1;
const asks_reply = 2;
/// Codes that are drawn for a guess, at most.
const most_drawn = 20000;

const Code = [12]u8;

var pegs: usize = 0;
var values: u32 = 0;
var secret: Code = undefined;
var seed: u64 = 1;

/// xorshift64*: the same seed gives the same game.
fn below(bound: u32) u32 {
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return @intCast((((seed *% 2685821657736338717) >> 32) * bound) >> 32);
}

fn draw() Code {
    var code = std.mem.zeroes(Code);
    for (code[0..pegs]) |*peg| peg.* = @intCast(below(values));
    return code;
}

const Reply = struct { right: u8, misplaced: u8 };

/// 1. right values at the right place, and at a wrong one
fn reply(hidden: Code, guess: Code) Reply {
    var right: u8 = 0;
    var common: u8 = 0;
    var count = std.mem.zeroes([256]u8);
    for (hidden[0..pegs], guess[0..pegs]) |own, guessed| {
        if (own == guessed) right += 1;
        count[own] += 1;
    }
    for (guess[0..pegs]) |guessed| {
        if (count[guessed] > 0) {
            count[guessed] -= 1;
            common += 1;
        }
    }
    return .{ .right = right, .misplaced = common - right };
}

/// 2. choose: the first code that agrees with all replies, or the best that was drawn.
/// Next: draw up to 60 codes that agree with all replies, and guess the one that gets most different replies from them.
fn choose(turn: *const agon.Turn) Code {
    var best = draw();
    var best_agreed: u32 = 0;
    var drawn: u32 = 0;
    while (drawn < most_drawn and best_agreed < turn.num_history) : (drawn += 1) {
        const code = draw();
        var agreed: u32 = 0;
        for (turn.history[0..turn.num_history]) |past| {
            const replied = reply(code, past.v);
            if (replied.right == past.rr and replied.misplaced == past.rw) agreed += 1;
        }
        if (agreed > best_agreed) {
            best = code;
            best_agreed = agreed;
        }
    }
    return best;
}

fn asMove(code: Code) agon.Move {
    return .{ .v = code, .n = @intCast(pegs) };
}

export fn get_player_name() [*:0]const u8 {
    return "first-zig";
}

export fn initialize(setup: *const agon.Setup) c_int {
    pegs = setup.pegs;
    values = setup.values;
    seed = setup.head.seed | 1;
    secret = draw();
    return 0;
}

export fn play(turn: *const agon.Turn) agon.Move {
    if (turn.kind == asks_secret) return asMove(secret);
    if (turn.kind != asks_reply) return asMove(choose(turn));
    const replied = reply(secret, turn.guess);
    return .{ .rr = replied.right, .rw = replied.misplaced };
}

export fn finalize() void {}
