#!/usr/bin/env python3
"""A first client for Tirs Croisés: it takes the cell that is worth most, less the best that it leaves to the next."""
import json
import sys
from types import SimpleNamespace


class Client:
    def __init__(self, setup):
        self.size = setup.size

    # 1. choose
    def play(self, turn):
        cells = [(x, y) for y in range(self.size) for x in range(self.size) if self.is_legal(turn, x, y)]
        x, y = max(cells, key=lambda cell: turn.values[cell[1]][cell[0]] - self.best_left(turn, *cell))
        return {"x": x + 1, "y": y + 1}

    def is_legal(self, turn, x, y):
        in_line = turn.cursor_x == 0 or x + 1 == turn.cursor_x or y + 1 == turn.cursor_y
        return turn.values[y][x] > 0 and in_line

    # 2. the best value in the row and the column of a cell, once that cell is taken. Next: set the cell to 0,
    # subtract from each value what best_left says of that cell, two moves deep, and put the cell back.
    def best_left(self, turn, x, y):
        row = [turn.values[y][i] for i in range(self.size) if i != x]
        column = [turn.values[i][x] for i in range(self.size) if i != y]
        return max(row + column)

