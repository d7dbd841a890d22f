@@ instead of
	for i := 0; i < lookedAt; i++ {
		shot := b.randomMove()
		b.apply
@@ write
	for _, shot := range b.moves() {
		b.apply
@@ instead of
	room := 0
	for _, queen := range b.Queens[side] {
		room += len(b.reach(queen))
	}
	return room
}
@@ write
	return b.sum(side, b.reach) + b.sum(side, b.steps)
}

func (b *Board) sum(side int, ways func(int) []int) int {
	seen, edge, share, sum := make([]bool, b.NumVertices), b.Queens[side], 1<<20, 0
	for len(edge) > 0 {
		var next []int
		share /= 2
		for _, from := range edge {
			for _, to := range ways(from) {
				if !seen[to] {
					seen[to] = true
					next = append(next, to)
					sum += share
				}
			}
		}
		edge = next
	}
	return sum
}

func (b *Board) steps(vertex int) []int {
	var found []int
	for direction := 1; direction <= 8; direction++ {
		if to := b.next[vertex][direction]; to >= 0 && !b.taken[to] {
			found = append(found, to)
		}
	}
	return found
}

func (b *Board) moves() []Shot {
	var moves []Shot
	for _, source := range b.Queens[b.Side] {
		for _, target := range b.reach(source) {
			b.taken[source] = b.Vacated != 0
			for _, arrow := range b.reach(target) {
				moves = append(moves, Shot{source, target, arrow})
			}
			b.taken[source] = true
		}
	}
	return moves
}
