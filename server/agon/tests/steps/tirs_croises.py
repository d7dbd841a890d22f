@@ instead of
        row = [turn.values[y][i] for i in range(self.size) if i != x]
        column = [turn.values[i][x] for i in range(self.size) if i != y]
        return max(row + column)
@@ write
        value, turn.values[y][x] = turn.values[y][x], 0
        cells = [(i, y) for i in range(self.size)] + [(x, i) for i in range(self.size)]
        left = [turn.values[b][a] - (self.best_left(turn, a, b, deeper - 1) if deeper else 0)
                for a, b in cells if turn.values[b][a] > 0]
        turn.values[y][x] = value
        return max(left, default=0)
@@ instead of
    def best_left(self, turn, x, y):
@@ write
    def best_left(self, turn, x, y, deeper=2):
