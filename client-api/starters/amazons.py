#!/usr/bin/env python3
"""A first client for Amazons: of 20 random moves it plays the one after which it has most room, and the other least."""
import json
import random
import sys
from types import SimpleNamespace

LOOKED_AT = 20


class Client:
    def __init__(self, setup):
        self.random = random.Random(setup.head.seed)  # the same seed gives the same game
        self.side = setup.side
        self.queens = [list(queens) for queens in setup.queens]
        self.taken = set(self.queens[0] + self.queens[1] + (setup.blocked or []))
        self.neighbours = [{} for _ in range(setup.num_vertices)]  # direction: vertex
        for vertex in range(setup.num_vertices):
            for edge in range(setup.row_start[vertex], setup.row_start[vertex + 1]):
                self.neighbours[vertex][setup.directions[edge]] = setup.targets[edge]
        self.vacated_is_free = setup.vacated == 0

    def play(self, turn):
        if turn.previous.queen_src is not None:  # at the first move of a match there is none
            self.apply(1 - self.side, turn.previous.queen_src, turn.previous.queen_dst, turn.previous.arrow_dst)
        move = self.choose()
        self.apply(self.side, *move)
        return dict(zip(("queen_src", "queen_dst", "arrow_dst"), move))

    # 1. keep your board
    def apply(self, side, source, target, arrow):
        self.queens[side][self.queens[side].index(source)] = target
        self.taken.discard(source)
        self.taken |= {target, arrow}

    def undo(self, side, source, target, arrow):
        self.queens[side][self.queens[side].index(target)] = source
        self.taken -= {target, arrow}
        self.taken.add(source)

    # 2. list moves: where a queen or an arrow can go in straight lines
    def reach(self, vertex):
        for direction in self.neighbours[vertex]:
            seen = vertex
            for _ in self.neighbours:  # a line may lead back to itself on some boards
                seen = self.neighbours[seen].get(direction)
                if seen is None or seen in self.taken:
                    break
                yield seen

    def random_move(self):
        """Queens and squares are drawn until an arrow can be shot, which the last square always allows."""
        pairs = [(source, target) for source in self.queens[self.side] for target in self.reach(source)]
        while True:
            source, target = self.random.choice(pairs)
            if self.vacated_is_free:
                self.taken.discard(source)
            arrows = list(self.reach(target))
            self.taken.add(source)
            if arrows:
                return source, target, self.random.choice(arrows)
            pairs.remove((source, target))

    # 3. choose. Next: count for each side in how many moves of a queen it could come to each square, and in how many
    # single steps, if nobody else moved. A square counts 1/2 to the power of each of these numbers: add up your own, and
    # subtract those of the other side. Look at all moves of queens without an arrow, then at all arrows of the best five.
    def choose(self):
        best = max((self.random_move() for _ in range(LOOKED_AT)), key=self.room_after)
        log("value", self.room_after(best))
        return best

    def room_after(self, move):
        self.apply(self.side, *move)
        own, others = [sum(1 for queen in self.queens[side] for _ in self.reach(queen))
                       for side in (self.side, 1 - self.side)]
        self.undo(self.side, *move)
        return own - others

