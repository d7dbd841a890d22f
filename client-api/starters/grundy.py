#!/usr/bin/env python3
"""A first client for Grundy's game: it leaves the other side without a move where it can, and else splits at random."""
import json
import random
import sys
from types import SimpleNamespace


class Client:
    def __init__(self, setup):
        self.random = random.Random(setup.head.seed)  # the same seed gives the same game

    def play(self, turn):
        splits = [(heap, split) for heap, sticks in enumerate(turn.heaps)
                  for split in range(1, sticks) if 2 * split != sticks]
        last = [move for move in splits if self.heaps_left(turn.heaps, *move) == 0]
        heap, split = self.random.choice(last or splits)
        return {"heap": heap, "split": split}

    # 1. what a split leaves: how many heaps can still be split. Next: combine the nimbers of all heaps by ^
    # instead; a split that leaves 0 wins. The nimber of a heap is the least number that nimber(a) ^ nimber(b) is for none of
    # its splits into a and b.
    def heaps_left(self, heaps, heap, split):
        others = heaps[:heap] + heaps[heap + 1:]
        return sum(sticks > 2 for sticks in others + [split, heaps[heap] - split])

