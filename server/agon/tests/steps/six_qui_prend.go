@@ instead of
	NumHand  int `json:"num_hand"`
@@ write
	NumHand  int `json:"num_hand"`
	Seen     []uint64
@@ instead of
// 2. what is bad
@@ write
func isUnseen(turn *Turn, card int) bool {
	for _, held := range turn.Hand[:turn.NumHand] {
		if held == card {
			return false
		}
	}
	return turn.Seen[card/64]>>(card%64)&1 == 0
}

// 2. what is bad
@@ instead of
		return 500
@@ write
		heads := 100
		for _, each := range turn.RowHeads {
			if each < heads {
				heads = each
			}
		}
		return 10 * heads
@@ instead of
		return 200 + 10*turn.RowHeads[row]
	}
	return (card - end) * turn.RowSize[row]
@@ write
		return 10 * turn.RowHeads[row]
	}
	between := 0
	for other := end + 1; other < card; other++ {
		if isUnseen(turn, other) {
			between++
		}
	}
	return between
