@@ instead of
/// 1. what a split
@@ write
/// One more than the nimber; 0: not known yet.
var known: [1024]u32 = @splat(0);

fn nimber(sticks: u32) u32 {
    if (known[sticks] == 0) {
        var seen: [256]bool = @splat(false);
        var split: u32 = 1;
        while (2 * split < sticks) : (split += 1) seen[nimber(split) ^ nimber(sticks - split)] = true;
        var least: u32 = 0;
        while (seen[least]) least += 1;
        known[sticks] = least + 1;
    }
    return known[sticks] - 1;
}

/// 1. what a split
@@ instead of
        if (other != heap and sticks > 2) left += 1;
    }
    if (split > 2) left += 1;
    if (heaps[heap] - split > 2) left += 1;
@@ write
        if (other != heap) left ^= nimber(sticks);
    }
    left ^= nimber(split) ^ nimber(heaps[heap] - split);
