@@ instead of
            return 500
@@ write
            return 10 * min(turn.row_heads)
@@ instead of
            return 200 + 10 * turn.row_heads[row]
        return (card - end) * turn.row_size[row]
@@ write
            return 10 * turn.row_heads[row]
        return sum(self.is_unseen(turn, other) for other in range(end + 1, card))

    def is_unseen(self, turn, card):
        return card not in turn.hand[:turn.num_hand] and not turn.seen[card // 64] >> card % 64 & 1
