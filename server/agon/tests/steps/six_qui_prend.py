@@ instead of
import json
@@ write
import json
import random
@@ instead of
        self.capacity = setup.row_capacity
@@ write
        self.capacity, self.deck, self.others = setup.row_capacity, setup.deck_max, setup.players - 1
@@ instead of
        ends = [(cards[size - 1], row) for row, (cards, size) in enumerate(zip(turn.rows, turn.row_size))]
        below = [(end, row) for end, row in ends if end < card]
        if not below:
            return 500
        end, row = max(below)
        if turn.row_size[row] == self.capacity:
            return 200 + 10 * turn.row_heads[row]
        return (card - end) * turn.row_size[row]
@@ write
        chance = random.Random(1)
        return sum(self.play_out(turn, card, chance) for _ in range(20))

    def play_out(self, turn, first, chance):
        hand = turn.hand[:turn.num_hand]
        unseen = [card for card in range(1, self.deck + 1)
                  if card not in hand and not turn.seen[card // 64] >> card % 64 & 1]
        own = [card for card in hand if card != first]
        chance.shuffle(own)
        own.append(first)
        drawn = chance.sample(unseen, len(hand) * self.others)
        rows = [cards[:size] for cards, size in zip(turn.rows, turn.row_size)]
        total = 0
        while own:
            card = own.pop()
            others, drawn = drawn[:self.others], drawn[self.others:]
            for laid in sorted(others + [card]):
                taken = self.lay(rows, laid)
                total += taken if laid == card else 0
        return total

    def lay(self, rows, card):
        """Lays a card, and returns the heads that it takes."""
        row = max((row for row in rows if row[-1] < card), key=lambda row: row[-1], default=None)
        taken = []
        if row is None:
            row = min(rows, key=lambda row: sum(map(heads, row)))
            taken, row[:] = row[:], []
        elif len(row) == self.capacity:
            taken, row[:] = row[:], []
        row.append(card)
        return sum(map(heads, taken))


def heads(card):
    return 7 if card == 55 else 5 if card % 11 == 0 else 3 if card % 10 == 0 else 2 if card % 5 == 0 else 1
