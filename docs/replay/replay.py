#!/usr/bin/env python3
"""Replays matches of agon without agon: python3 replay.py FILE.jsonl ... (exports as jsonl, logs; - is stdin)

Of every match it checks the start, that every move is legal and its text right, the state's hash after each turn, what the rules play
for who is out, that the end is one, the scores and the ranks. Standard library only; what it relies on stands in docs/reference/verify.md."""
import itertools
import json
import struct
import sys

from rules import GAMES, need


def ranks(scores, tie_break, higher_wins, faults):
    """From 1. Who is at fault comes last, the earlier fault lower; the others by their scores, then by the tie break."""
    def moment(fault):
        return 0 if fault["phase"] in ("load", "initialize", "name") else fault["ply"] + 1

    def place(seat):
        if faults[seat]:
            return (1, -moment(faults[seat]))
        return (0, -scores[seat] if higher_wins else scores[seat], tie_break[seat] if tie_break else 0)
    return [1 + sum(place(other) < place(seat) for other in range(len(scores))) for seat in range(len(scores))]


def replay(match):
    """Plays a match by the rules; raises ValueError where it went otherwise. Returns the number of its turns."""
    game = GAMES[match["game"]](match["resolved"], match["drawn"], match["seats"])
    need(game.hash() == match["start"], "another state at the start")
    faults, turn = match["faults"], 0
    for number, now in itertools.groupby(match["moves"], lambda move: move["n"]):
        now, movers = list(now), game.to_move()
        need(number == turn and [move["seat"] for move in now] == movers, f"turn {turn}: {movers} are to move")
        answers = [(move["seat"], bytes.fromhex(move["bytes"])) for move in now]
        for (seat, data), move in zip(answers, now):
            game.check(seat, data)
            need(move["text"] == game.text(data), f"turn {turn}: {move['text']} is {game.text(data)}")
            need(move["by_client"] or data == game.absent(seat), f"turn {turn}: seat {seat} is out, and plays otherwise")
            need(move["by_client"] or faults[seat], f"turn {turn}: the rules move for seat {seat}, which is not out")
        game.play(answers)
        need(all(int(move["hash"], 16) == game.hash() for move in now), f"another state after turn {turn}")
        turn += 1
    out, movers = {seat for seat, fault in enumerate(faults) if fault}, game.to_move()
    scores = game.scores()
    if match["ending"] == "fault":
        asked = out & set(movers) if game.simultaneous else out
        need(movers and any(game.absent(seat) is None for seat in asked), "no fault ends the match here")
        scores = game.forfeit(out)
    elif match["ending"] == "adjudicated":
        # Both clients said who wins; here only that the other one has given in.
        need(movers and len(faults) == 2 and 1 in match["ranks"], "nobody wins by what both said")
        scores = game.forfeit({1 - match["ranks"].index(1)})
    else:
        need(match["ending"] == "over" and not movers, "it is not over")
    need(match["scores"] == scores, f"scores {match['scores']}, by the rules {scores}")
    tie_break = game.tie_break() if hasattr(game, "tie_break") else None
    own = ranks(scores, tie_break, game.higher_wins, faults)
    need(match["ranks"] == own, f"ranks {match['ranks']}, by the rules {own}")
    return turn


def matches(lines):
    """The matches of an export, or the one of a log, in the same form."""
    match = None
    for line in map(json.loads, lines):
        kind = line["t"]
        if kind == "ladder":
            need(line["schema"] == "agon.export/3", f"the schema is {line['schema']}: export it again with a newer agon")
            ladder = line
        elif kind == "match":
            seats = line["seats"]
            yield {"id": line["id"], "game": line["game"], "resolved": ladder["resolved"][line["setting"]],
                   "drawn": line["drawn"], "seats": len(seats), "start": int(line["start"], 16), "moves": line["moves"],
                   "ending": line["ending"], "scores": [seat["score"] for seat in seats],
                   "ranks": [seat["rank"] for seat in seats], "faults": [seat["fault"] for seat in seats]}
        elif kind == "header":
            need(line["schema"] == "agon.match/3", f"the schema is {line['schema']}: show it again with a newer agon")
            match = {"id": line["id"], "game": f"{line['game']} rules {line['rules']}", "resolved": line["resolved"],
                     "drawn": line["drawn"], "seats": 0, "start": int(line["start"], 16), "moves": [], "faults": []}
        elif kind == "seat":
            match["seats"] += 1
            match["faults"].append(None)
        elif kind == "move":
            match["moves"].append(line)
        elif kind == "event" and line["event"] == "fault":
            match["faults"][line["seat"]] = {"phase": line["phase"], "ply": line["n"]}
        elif kind == "result" and line["ending"] != "void":
            yield {**match, "ending": line["ending"], "scores": line["scores"], "ranks": line["ranks"]}


def main(arguments):
    count, turns, wrong = 0, 0, 0
    for name in arguments:
        with sys.stdin if name == "-" else open(name, encoding="utf-8") as lines:
            for match in matches(lines):
                count += 1
                try:
                    turns += replay(match)
                except (ValueError, KeyError, IndexError, TypeError, struct.error) as error:
                    wrong += 1
                    print(f"{name}: match {match['id']}: {error!r}")
    print(f"{count} matches, {turns} turns, {wrong} wrong")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
