@@ instead of
class Client:
@@ write
known = {}


def nimber(sticks):
    if sticks not in known:
        found = {nimber(split) ^ nimber(sticks - split) for split in range(1, (sticks + 1) // 2)}
        known[sticks] = next(number for number in range(len(found) + 1) if number not in found)
    return known[sticks]


class Client:
@@ instead of
        return sum(sticks > 2 for sticks in others + [split, heaps[heap] - split])
@@ write
        left = 0
        for sticks in others + [split, heaps[heap] - split]:
            left ^= nimber(sticks)
        return left
