@@ instead of
        for _ in range(MOST_DRAWN if replies else 1):
@@ write
        possible = []
        for _ in range(MOST_DRAWN):
@@ instead of
            if agreed == len(replies):
                break
        return best
@@ write
            if agreed == len(replies):
                possible.append(code)
            if len(possible) == 30:
                break
        tells = lambda guess: len({self.reply(code, guess) for code in possible})
        return max(possible, key=tells, default=best)
