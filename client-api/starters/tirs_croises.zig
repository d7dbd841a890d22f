//! A first client for Tirs Croisés: it takes the cell that is worth most, less the best that it leaves to the next
//! player. Build: make. What the functions get and return: agon.zig, and include/agon/tirs_croises.h in words.
const agon = @import("agon.zig");

var size: usize = 0;

/// 1. the best value in the row and the column of a cell, once that cell is taken.
/// Next: set the cell to 0 in a copy of the turn, subtract from each value what bestLeft says of that cell, four moves
/// deep, and put the cell back.
fn bestLeft(turn: *const agon.Turn, x: usize, y: usize) i32 {
    var best: i32 = 0;
    for (0..size) |i| {
        if (i != x) best = @max(best, turn.values[y][i]);
        if (i != y) best = @max(best, turn.values[i][x]);
    }
    return best;
}

fn isLegal(turn: *const agon.Turn, x: usize, y: usize) bool {
    const is_in_line = turn.cursor_x == 0 or x + 1 == turn.cursor_x or y + 1 == turn.cursor_y;
    return turn.values[y][x] > 0 and is_in_line;
}

/// 2. choose
fn choose(turn: *const agon.Turn) agon.Move {
    var move = agon.Move{};
    var best: i32 = -100;
    for (0..size) |y| {
        for (0..size) |x| {
            if (!isLegal(turn, x, y)) continue;
            const worth = @as(i32, turn.values[y][x]) - bestLeft(turn, x, y);
            if (worth > best) {
                best = worth;
                move = .{ .x = @intCast(x + 1), .y = @intCast(y + 1) };
            }
        }
    }
    return move;
}

export fn get_player_name() [*:0]const u8 {
    return "first-zig";
}

export fn initialize(setup: *const agon.Setup) c_int {
    size = setup.size;
    return 0;
}

export fn play(turn: *const agon.Turn) agon.Move {
    return choose(turn);
}

export fn finalize() void {}
