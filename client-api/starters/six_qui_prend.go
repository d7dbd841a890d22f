// A first client for 6 qui prend!: it lays the card that comes nearest behind a row with room, and takes the cheapest
// row. Build: make. How agon asks: talk.go.

package main

const (
	asksRow     = 1
	cheapestRow = 255
)

type Setup struct {
	RowCapacity int `json:"row_capacity"`
}

type Turn struct {
	Kind     int
	Rows     [][]int
	RowSize  []int `json:"row_size"`
	RowHeads []int `json:"row_heads"`
	Hand     []int
	NumHand  int `json:"num_hand"`
}

type Move struct {
	Card int `json:"card"`
	Row  int `json:"row"`
}

// 1. the row that a card goes to: the one with the nearest lower end, or -1; and that end
func rowOf(turn *Turn, card int) (int, int) {
	best, bestEnd := -1, 0
	for row, cards := range turn.Rows {
		if end := cards[turn.RowSize[row]-1]; end < card && end > bestEnd {
			best, bestEnd = row, end
		}
	}
	return best, bestEnd
}

// 2. what is bad about laying a card now: the gap, and much more where it may take a row.
// Next: return the sum of the heads that you take in 20 rounds that you play out, with the same chance for each card. You
// lay the card, then the rest of your hand in any order. The others lay cards drawn from those that nobody has shown
// (seen) and you do not hold.
func cost(setup *Setup, turn *Turn, card int) int {
	row, end := rowOf(turn, card)
	if row < 0 {
		return 500
	}
	if turn.RowSize[row] == setup.RowCapacity {
		return 200 + 10*turn.RowHeads[row]
	}
	return (card - end) * turn.RowSize[row]
}

// 3. choose the card that costs least
func choose(setup *Setup, turn *Turn) Move {
	if turn.Kind == asksRow {
		return Move{Row: cheapestRow}
	}
	best := turn.Hand[0]
	for _, card := range turn.Hand[:turn.NumHand] {
		if cost(setup, turn, card) < cost(setup, turn, best) {
			best = card
		}
	}
	return Move{Card: best}
}

func main() {
	talk("first-go", func(setup *Setup) func(*Turn) Move {
		return func(turn *Turn) Move { return choose(setup, turn) }
	})
}
