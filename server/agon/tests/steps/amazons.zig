@@ instead of
    var sum: usize = 0;
    for (queensOf(side)) |queen| sum += reach(queen, &squares).len;
    return @intCast(sum);
}
@@ write
    return nearness(side, false) + nearness(side, true);
}

var near: [8 * most_vertices]u32 = undefined;

fn ways(from: u32, is_step: bool) []u32 {
    if (!is_step) return reach(from, &near);
    var count: usize = 0;
    for (setup.row_start[from]..setup.row_start[from + 1]) |edge| {
        if (taken[setup.targets[edge]]) continue;
        near[count] = setup.targets[edge];
        count += 1;
    }
    return near[0..count];
}

var reached: [most_vertices]bool = undefined;
var queue: [2 * most_vertices]u32 = undefined;

fn nearness(side: usize, is_step: bool) i32 {
    @memset(reached[0..setup.num_vertices], false);
    var begin: usize = 0;
    var end: usize = setup.num_queens[side];
    @memcpy(queue[0..end], queensOf(side));
    var share: i32 = 1 << 20;
    var sum: i32 = 0;
    while (begin < end) {
        share = @divTrunc(share, 2);
        const level = end;
        while (begin < level) : (begin += 1) {
            for (ways(queue[begin], is_step)) |to| {
                if (reached[to]) continue;
                reached[to] = true;
                queue[end] = to;
                end += 1;
                sum += share;
            }
        }
    }
    return sum;
}
@@ instead of
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
@@ write
    var best_room: i32 = -1000000000;
    for (queensOf(side)) |source| {
        for (reach(source, &squares)) |target| {
            taken[source] = setup.vacated != 0;
            const hit = reach(target, &arrows);
            taken[source] = true;
            for (hit) |arrow| {
                const move = agon.Move{ .queen_src = source, .queen_dst = target, .arrow_dst = arrow };
                apply(side, move);
                const now = room(side) - room(1 - side);
                undo(side, move);
                if (now > best_room) {
                    best_room = now;
                    best = move;
                }
            }
        }
    }
