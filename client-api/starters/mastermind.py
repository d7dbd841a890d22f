#!/usr/bin/env python3
"""A first client for Mastermind: it guesses a code that agrees with all replies so far, found by drawing; as a maker it
keeps one secret."""
import json
import random
import sys
from types import SimpleNamespace

ASKS_GUESS, ASKS_SECRET, ASKS_REPLY = 0, 1, 2
MOST_DRAWN = 3000  # codes that are drawn for a guess, at most


class Client:
    def __init__(self, setup):
        self.pegs, self.values = setup.pegs, setup.values
        self.random = random.Random(setup.head.seed)  # the same seed gives the same game
        self.secret = self.draw()

    def draw(self):
        return [self.random.randrange(self.values) for _ in range(self.pegs)]

    def play(self, turn):
        if turn.kind == ASKS_REPLY:
            right, misplaced = self.reply(self.secret, turn.guess[:self.pegs])
            return {"rr": right, "rw": misplaced}
        code = self.secret if turn.kind == ASKS_SECRET else self.choose(turn.history or [])
        return {"v": code, "n": self.pegs}

    # 1. right values at the right place, and at a wrong one
    def reply(self, secret, guess):
        right = sum(a == b for a, b in zip(secret, guess))
        common = sum(min(secret.count(value), guess.count(value)) for value in set(guess))
        return right, common - right

    # 2. choose: the code of those drawn that agrees with most replies so far.
    # Next: draw up to 60 codes that agree with all replies, and guess the one that gets most different replies from them.
    def choose(self, history):
        replies = [(past.v[:self.pegs], (past.rr, past.rw)) for past in history]
        best, best_agreed = self.draw(), -1
        for _ in range(MOST_DRAWN if replies else 1):
            code = self.draw()
            agreed = sum(self.reply(code, guess) == reply for guess, reply in replies)
            if agreed > best_agreed:
                best, best_agreed = code, agreed
            if agreed == len(replies):
                break
        return best

