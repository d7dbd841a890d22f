@@ instead of
package main
@@ write
package main

import "math/rand"
@@ instead of
	RowCapacity int `json:"row_capacity"`
@@ write
	RowCapacity int `json:"row_capacity"`
	DeckMax     int `json:"deck_max"`
	Players     int
@@ instead of
	NumHand  int `json:"num_hand"`
@@ write
	NumHand  int `json:"num_hand"`
	Seen     []uint64
@@ instead of
// 2. what is bad
@@ write
func headsOf(card int) int {
	switch {
	case card == 55:
		return 7
	case card%11 == 0:
		return 5
	case card%10 == 0:
		return 3
	case card%5 == 0:
		return 2
	}
	return 1
}

// lay lays a card, and returns the heads that it takes.
func lay(setup *Setup, table *Turn, card int) int {
	row, _ := rowOf(table, card)
	heads, isLow := 0, row < 0
	if isLow {
		row = 0
		for each := range table.RowHeads {
			if table.RowHeads[each] < table.RowHeads[row] {
				row = each
			}
		}
	}
	if isLow || table.RowSize[row] == setup.RowCapacity {
		heads = table.RowHeads[row]
		table.RowHeads[row], table.RowSize[row] = 0, 0
	}
	table.Rows[row] = append(table.Rows[row][:table.RowSize[row]:table.RowSize[row]], card)
	table.RowSize[row]++
	table.RowHeads[row] += headsOf(card)
	return heads
}

// playOut counts the heads that one takes if one lays a card now and all else is drawn.
func playOut(setup *Setup, turn *Turn, first int, chance *rand.Rand) int {
	table, sum := *turn, 0
	table.Rows = append([][]int{}, turn.Rows...)
	table.RowSize = append([]int{}, turn.RowSize...)
	table.RowHeads = append([]int{}, turn.RowHeads...)
	isOwn, laidIn := map[int]bool{}, map[int]int{first: 1}
	var own, others []int
	for _, card := range turn.Hand[:turn.NumHand] {
		isOwn[card] = true
		if card != first {
			own = append(own, card)
		}
	}
	for card := 1; card <= setup.DeckMax; card++ {
		if !isOwn[card] && turn.Seen[card/64]>>(card%64)&1 == 0 {
			others = append(others, card)
		}
	}
	chance.Shuffle(len(own), func(i, j int) { own[i], own[j] = own[j], own[i] })
	chance.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	for i, card := range own {
		laidIn[card] = i + 2
	}
	for i, card := range others[:turn.NumHand*(setup.Players-1)] {
		laidIn[card] = i/(setup.Players-1) + 1
	}
	for number := 1; number <= turn.NumHand; number++ {
		for card := 1; card <= setup.DeckMax; card++ {
			if laidIn[card] != number {
				continue
			}
			heads := lay(setup, &table, card)
			if isOwn[card] {
				sum += heads
			}
		}
	}
	return sum
}

// 2. what is bad
@@ instead of
	row, end := rowOf(turn, card)
	if row < 0 {
		return 500
	}
	if turn.RowSize[row] == setup.RowCapacity {
		return 200 + 10*turn.RowHeads[row]
	}
	return (card - end) * turn.RowSize[row]
@@ write
	chance, sum := rand.New(rand.NewSource(1)), 0
	for deal := 0; deal < 20; deal++ {
		sum += playOut(setup, turn, card, chance)
	}
	return sum
