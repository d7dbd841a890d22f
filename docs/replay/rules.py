"""The rules of agon's games in plain Python, as docs/rules/ and docs/reference/verify.md have them; replay.py plays by them.

A game is made from what a record says its match began with, `resolved` and `drawn`. It says who is to move, refuses moves by a
ValueError, plays, and knows its hash, its scores, and what is played for a seat whose client is out (None: the match ends)."""
import struct

from chance import MASK, chacha8, fold, key, mix, shuffle, words


def need(condition, what):
    if not condition:
        raise ValueError(what)


class TwoPlayers:
    """What Amazons and Grundy's game share: 1 for the winner, and the match ends with the first who is out."""
    seats, simultaneous, higher_wins = 2, False, True

    def scores(self):
        return [int(self.winner() == seat) for seat in (0, 1)]

    def forfeit(self, out):
        return [int(out == {1 - seat}) for seat in (0, 1)]

    def absent(self, _seat):
        return None


class Amazons(TwoPlayers):
    def __init__(self, resolved, drawn, _seats):
        self.names, self.free = resolved["names"], resolved["vacated"] == "free"
        rows, self.steps = resolved["row_start"], []
        for begin, end in zip(rows, rows[1:]):
            self.steps.append(dict(zip(resolved["directions"][begin:end], resolved["targets"][begin:end])))
        self.queens, self.blocked = [set(side) for side in resolved["queens"]], set(resolved["blocked"])
        self.side, count = resolved["side_to_move"], len(self.names)
        self.keys = [[key(3 * vertex + kind + 1) for kind in range(3)] for vertex in range(count)]
        for text in drawn["plies"]:
            source, target, arrow = (self.names.index(name) for name in text.replace("/", "-").split("-"))
            self.play([(self.side, struct.pack("<3I", source, target, arrow))])
        position = (drawn["queens"], drawn["blocked"], drawn["side_to_move"])
        own = ([sorted(side) for side in self.queens], sorted(self.blocked), self.side)
        need(own == position, f"the opening leads to {own}, not to {position}")

    def slides(self, vertex, occupied):
        found = set()
        for direction in self.steps[vertex]:
            at, seen = vertex, {vertex}
            while (at := self.steps[at].get(direction)) is not None and at not in occupied and at not in seen:
                seen.add(at)
            found |= seen
        return found - {vertex}

    def occupied(self, left=None):
        return (self.queens[0] | self.queens[1] | self.blocked) - ({left} if self.free else set())

    def to_move(self):
        for source in self.queens[self.side]:
            occupied = self.occupied(source)
            if any(self.slides(target, occupied) for target in self.slides(source, occupied)):
                return [self.side]
        return []

    def check(self, _seat, move):
        source, target, arrow = struct.unpack("<3I", move)
        need(source in self.queens[self.side], "not a queen of the mover")
        occupied = self.occupied(source)
        need(target in self.slides(source, occupied) and arrow in self.slides(target, occupied), "no such slide")

    def play(self, answers):
        [(_, move)] = answers
        self.check(self.side, move)
        source, target, arrow = struct.unpack("<3I", move)
        self.queens[self.side] ^= {source, target}
        self.blocked.add(arrow)
        self.side ^= 1

    def winner(self):
        return None if self.to_move() else 1 - self.side

    def text(self, move):
        return "{}-{}/{}".format(*(self.names[vertex] for vertex in struct.unpack("<3I", move)))

    def hash(self):
        value = key(0) if self.side else 0
        for kind, pieces in enumerate([*self.queens, self.blocked]):
            for vertex in pieces:
                value ^= self.keys[vertex][kind]
        return value


def nimbers(most):
    """Of the heaps of 0 to `most` sticks, by the definition, which takes long for more than some thousands."""
    known = []
    for heap in range(most + 1):
        found = {known[part] ^ known[heap - part] for part in range(1, (heap + 1) // 2)}
        known.append(next(number for number in range(heap + 1) if number not in found))
    return known


class Grundy(TwoPlayers):
    def __init__(self, resolved, drawn, _seats):
        self.misere, self.heaps = resolved["misere"], list(drawn["heaps"])
        self.until, self.most_moves = resolved.get("until", 2), resolved.get("most_moves")
        self.moves, self.last = 0, (0, 0)

    def is_decided(self):
        return max(self.heaps) <= max(self.until, 2)

    def to_move(self):
        return [] if self.is_decided() or self.moves == self.most_moves else [self.moves % 2]

    def check(self, _seat, move):
        heap, split = struct.unpack("<2I", move)
        need(heap < len(self.heaps) and 0 < split < self.heaps[heap] != 2 * split, "no such split")

    def play(self, answers):
        heap, split = self.last = struct.unpack("<2I", answers[0][1])
        self.heaps[heap] -= split
        self.heaps.append(split)
        self.moves += 1

    def winner(self):
        if not self.is_decided():
            return None
        known = nimbers(max(self.heaps))
        total = 0
        for heap in self.heaps:
            total ^= known[heap]
        return (self.moves + (total == 0) + self.misere) % 2

    def text(self, move):
        heap, split = struct.unpack("<2I", move)
        return f"{heap + 1} {split}"

    def hash(self):
        value = mix(self.moves << 1 | self.misere)
        for heap, sticks in enumerate(self.heaps):
            value ^= mix(heap << 32 | sticks)
        return mix(mix(value) ^ (self.last[0] << 32 | self.last[1]))


class TirsCroises:
    simultaneous, higher_wins = False, True

    def __init__(self, _resolved, drawn, seats):
        self.values, self.cursor = [list(row) for row in drawn["values"]], tuple(drawn["cursor"])
        self.size, self.seats, self.plies, self.points = len(self.values), seats, 0, [0] * seats

    def reach(self):
        """Cells from 1: the cursor's row from the left, then its column from the top; without a cursor all, row by row."""
        every = range(1, self.size + 1)
        cells = [(x, y) for y in every for x in every]
        if self.cursor:
            cells = [(x, self.cursor[1]) for x in every] + [(self.cursor[0], y) for y in every]
        return [(x, y) for x, y in cells if self.values[y - 1][x - 1]]

    def to_move(self):
        return [self.plies % self.seats] if self.reach() else []

    def check(self, _seat, move):
        need(tuple(move) in self.reach(), "out of reach")

    def play(self, answers):
        [(seat, (x, y))] = answers
        self.points[seat] += self.values[y - 1][x - 1]
        self.values[y - 1][x - 1], self.cursor = 0, (x, y)
        self.plies += 1

    def absent(self, _seat):
        return bytes(self.reach()[0])

    def scores(self):
        return self.points

    def text(self, move):
        return f"{move[0]} {move[1]}"

    def hash(self):
        x, y = self.cursor or (0, 0)
        parts = [self.size << 32 | self.plies << 16 | x << 8 | y]
        for row in self.values:
            for at in range(0, self.size, 16):
                parts.append(int("".join(map(str, row[at:at + 16])), 16))
        return fold(self.seats, parts + self.points)


class Mastermind:
    simultaneous, higher_wins = True, False

    def __init__(self, resolved, drawn, seats):
        self.pegs, self.values, self.tries = resolved["pegs"], resolved["values"], resolved["tries"]
        self.maker, self.seats, self.waiting = resolved["maker"], seats, None
        self.secret = bytes(drawn["secret"]).ljust(12, b"\0") if self.maker == "server" else None
        self.first = 0 if self.maker == "server" else 1
        self.tried = [[] for _ in range(self.first, seats)]

    def is_done(self, seat):
        tried = self.tried[seat - self.first]
        return len(tried) == self.tries or bool(tried) and tried[-1][1] == self.pegs

    def to_move(self):
        if self.waiting or self.maker == "client" and not self.secret:
            return [0]
        return [seat for seat in range(self.first, self.seats) if not self.is_done(seat)]

    def check(self, seat, move):
        code, size, exact, elsewhere, zero = struct.unpack("<12s4B", move)
        if seat < self.first and self.waiting:
            need(not any(code) and size == zero == 0, "not a reply")
            need(exact + elsewhere <= self.pegs and (exact, elsewhere) != (self.pegs - 1, 1), "an impossible reply")
        else:
            need(size == self.pegs and max(code[:size]) < self.values and not any(code[size:]), "not a code")
            need(exact == elsewhere == zero == 0, "not a code")

    def reply(self, guess):
        one, two = self.secret[:self.pegs], guess[:self.pegs]
        exact = sum(a == b for a, b in zip(one, two))
        return exact, sum(min(one.count(value), two.count(value)) for value in set(one)) - exact

    def play(self, answers):
        for seat, move in answers:
            if seat < self.first and self.waiting:
                self.tried[0].append((self.waiting, move[13], move[14]))
                self.waiting = None
            elif seat < self.first:
                self.secret = move[:12]
            elif self.secret:
                self.tried[seat - self.first].append((move[:12], *self.reply(move[:12])))
            else:
                self.waiting = move[:12]

    def absent(self, _seat):
        if self.maker != "server":
            return None
        last = b"\0" * (self.pegs - 1) + bytes([not any(self.secret)])
        return struct.pack("<12s4B", last, self.pegs, 0, 0, 0)

    def guesses(self, seat):
        tried = self.tried[seat - self.first]
        return len(tried) if tried and tried[-1][1] == self.pegs else self.tries + 1

    def scores(self):
        breakers = [self.guesses(seat) for seat in range(self.first, self.seats)]
        return [self.tries + 1 - breakers[0]] * self.first + breakers

    def forfeit(self, out):
        return [self.tries + 1 if seat in out else 0 for seat in range(self.seats)]

    def text(self, move):
        return " ".join(map(str, move[:move[12]])) if move[12] else f"{move[13]}+{move[14]}"

    def hash(self):
        parts = words(self.secret or b"\xff" * 12) + words(self.waiting or b"\xff" * 12)
        for tried in self.tried:
            parts.append(len(tried))
            for code, exact, elsewhere in tried:
                parts += words(code + bytes([exact, elsewhere, 0, 0]))
        return fold(self.seats, parts)


class SixQuiPrend:
    simultaneous, higher_wins = True, False

    def __init__(self, resolved, drawn, seats):
        self.__dict__.update(resolved)  # rules, limit, low_card, hand, deck_max
        self.seats, self.seed, self.round, self.over = seats, bytes.fromhex(drawn["seed"]), 1, False
        self.total, self.chosen, self.placed = [0] * 10, [], 0
        self.begin_round([set(hand) for hand in drawn["hands"]], drawn["rows"])
        if self.limit:
            need(self.deal() == (self.hands, drawn["rows"]), "the deal is not that of the seed")

    def deal(self):
        draws, dealt = chacha8(self.seed, self.round), self.seats * self.hand
        owners = [at // self.hand for at in range(dealt)] + [10, 11, 12, 13] + [None] * (self.deck_max - dealt - 4)
        shuffle(draws, owners)
        return ([{card for card, owner in enumerate(owners, 1) if owner == seat} for seat in range(self.seats)],
                [owners.index(row) + 1 for row in range(10, 14)])

    def begin_round(self, hands, ends):
        self.hands, self.rows, self.turn = hands, [[end] for end in ends], 1
        self.seen = sum(1 << end for end in ends)

    @staticmethod
    def heads(cards):
        return sum(7 if card == 55 else 5 if card % 11 == 0 else 3 if card % 10 == 0 else 2 if card % 5 == 0 else 1
                   for card in cards)

    def to_move(self):
        if self.over:
            return []
        return [self.chosen[self.placed][1]] if self.placed < len(self.chosen) else list(range(self.seats))

    def check(self, seat, move):
        card, row = move
        if self.placed < len(self.chosen):
            need(card == 0 and (row < 4 or row == 255), "no such row")
        else:
            need(row == 0 and card in self.hands[seat], "not in the hand")

    def cheapest(self):
        return min(range(4), key=lambda row: self.heads(self.rows[row]))

    def row_of(self, card):
        """The row that the card goes to; None where its player is asked."""
        ends = [row[-1] for row in self.rows]
        lower = [end for end in ends if end < card]
        overlooked = self.rules == "course-exact" and ends[0] > card
        if lower and not overlooked:
            return ends.index(max(lower))
        return None if self.low_card == "chooses" else self.cheapest()

    def lay(self, row):
        card, seat = self.chosen[self.placed]
        if self.rows[row][-1] < card and len(self.rows[row]) < 5:
            self.rows[row].append(card)
        else:
            self.total[seat] += self.heads(self.rows[row])
            self.rows[row] = [card]
        self.placed += 1

    def play(self, answers):
        if self.placed < len(self.chosen):
            row = answers[0][1][1]
            self.lay(self.cheapest() if row == 255 else row)
        else:
            self.chosen, self.placed = sorted((move[0], seat) for seat, move in answers), 0
            for card, seat in self.chosen:
                self.hands[seat].remove(card)
                self.seen |= 1 << card
        while self.placed < len(self.chosen):
            row = self.row_of(self.chosen[self.placed][0])
            if row is None:
                return
            self.lay(row)
        if self.turn < self.hand:
            self.turn += 1
        elif self.limit == 0 or max(self.total) >= self.limit:
            self.over = True
        else:
            self.round += 1
            self.begin_round(*self.deal())

    def absent(self, seat):
        return b"\0\xff" if self.placed < len(self.chosen) else bytes([min(self.hands[seat]), 0])

    def scores(self):
        return self.total[:self.seats]

    def tie_break(self):
        last = {seat: card for card, seat in self.chosen}
        return [last.get(seat, 0) for seat in range(self.seats)] if self.rules == "course-exact" else None

    def text(self, move):
        card, row = move
        return str(card) if card else "row cheapest" if row == 255 else f"row {row + 1}"

    def hash(self):
        def split(bits):
            return [bits & MASK, bits >> 64]
        parts = [self.round << 16 | self.turn << 8 | self.over] + words(self.seed)
        for hand in self.hands:
            parts += split(sum(1 << card for card in hand))
        parts += [int.from_bytes(bytes(row), "little") for row in self.rows] + split(self.seen)
        parts += [len(self.chosen) << 8 | self.placed] + [card << 8 | seat for card, seat in self.chosen]
        return fold(self.seats, parts + self.total)


GAMES = {"amazons rules 2": Amazons, "grundy rules 1": Grundy, "tirs_croises rules 1": TirsCroises,
         "mastermind rules 1": Mastermind, "six_qui_prend rules 1": SixQuiPrend}
