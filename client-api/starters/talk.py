
# ---- The talk with agon: a line of JSON for each question and one for each answer (docs/guides/programs.md). ----

logged = {}


def log(key, value):
    """Keeps a number or a text with the move: agon show prints it; value, depth, nodes are for what they say."""
    logged[key] = value


def talk(client, name):
    """client(setup) begins a match, and its play(turn) returns a move; fields are called as in the C header."""
    answers, sys.stdout = sys.stdout, sys.stderr  # print() is yours: agon keeps what it says, and agon show shows it
    player = None
    for line in sys.stdin:  # ends with the match
        question = json.loads(line, object_hook=lambda fields: SimpleNamespace(**fields))
        if question.ask == "setup":
            player, answer = client(question.setup), {"name": name}
        else:
            answer = {"move": player.play(question.turn)}
        if logged:
            answer["log"] = dict(logged)
            logged.clear()
        print(json.dumps(answer), file=answers, flush=True)


talk(Client, "first-python")
