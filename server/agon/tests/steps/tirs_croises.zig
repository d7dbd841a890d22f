@@ instead of
fn bestLeft(turn: *const agon.Turn, x: usize, y: usize) i32 {
    var best: i32 = 0;
    for (0..size) |i| {
        if (i != x) best = @max(best, turn.values[y][i]);
        if (i != y) best = @max(best, turn.values[i][x]);
    }
    return best;
}
@@ write
fn bestLeft(turn: *agon.Turn, x: usize, y: usize, deeper: u32) i32 {
    var best: i32 = -100;
    const value = turn.values[y][x];
    turn.values[y][x] = 0;
    for (0..2 * size) |i| {
        const to_x = if (i < size) i else x;
        const to_y = if (i < size) y else i - size;
        var gain: i32 = turn.values[to_y][to_x];
        if (gain == 0) continue;
        if (deeper > 0) gain -= bestLeft(turn, to_x, to_y, deeper - 1);
        best = @max(best, gain);
    }
    turn.values[y][x] = value;
    return if (best == -100) 0 else best;
}
@@ instead of
    var move = agon.Move{};
@@ write
    var move = agon.Move{};
    var copy = turn.*;
@@ instead of
bestLeft(turn, x, y);
@@ write
bestLeft(&copy, x, y, 4);
