#!/usr/bin/env python3
"""A first client for 6 qui prend!: it lays the card that comes nearest behind a row with room, and takes the cheapest
row."""
import json
import sys
from types import SimpleNamespace

ASKS_ROW = 1
CHEAPEST_ROW = 255


class Client:
    def __init__(self, setup):
        self.capacity = setup.row_capacity

    # 1. choose the card that costs least
    def play(self, turn):
        if turn.kind == ASKS_ROW:
            return {"row": CHEAPEST_ROW}
        hand = turn.hand[:turn.num_hand]
        return {"card": min(hand, key=lambda card: self.cost(turn, card))}

    # 2. what is bad about laying a card now: the gap, and much more where it may take a row.
    # Next: return the sum of the heads that you take in 20 rounds that you play out, with the same chance for each card.
    # You lay the card, then the rest of your hand in any order. The others lay cards drawn from those that nobody has shown
    # (seen) and you do not hold.
    def cost(self, turn, card):
        ends = [(cards[size - 1], row) for row, (cards, size) in enumerate(zip(turn.rows, turn.row_size))]
        below = [(end, row) for end, row in ends if end < card]
        if not below:
            return 500
        end, row = max(below)
        if turn.row_size[row] == self.capacity:
            return 200 + 10 * turn.row_heads[row]
        return (card - end) * turn.row_size[row]

