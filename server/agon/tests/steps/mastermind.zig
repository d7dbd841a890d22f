@@ instead of
    while (drawn < most_drawn and best_agreed < turn.num_history) : (drawn += 1) {
@@ write
    var possible: [60]Code = undefined;
    var count: usize = 0;
    while (drawn < most_drawn and count < possible.len) : (drawn += 1) {
@@ instead of
        if (agreed > best_agreed) {
            best = code;
            best_agreed = agreed;
        }
    }
    return best;
@@ write
        if (agreed > best_agreed) {
            best = code;
            best_agreed = agreed;
        }
        if (agreed == turn.num_history) {
            possible[count] = code;
            count += 1;
        }
    }
    var most: u32 = 0;
    for (possible[0..count]) |guess| {
        var seen = std.mem.zeroes([16][16]bool);
        var different: u32 = 0;
        for (possible[0..count]) |code| {
            const replied = reply(code, guess);
            if (!seen[replied.right][replied.misplaced]) different += 1;
            seen[replied.right][replied.misplaced] = true;
        }
        if (different > most) {
            most = different;
            best = guess;
        }
    }
    return best;
