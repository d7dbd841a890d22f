@@ instead of
func bestLeft(size int, turn *Turn, x, y int) int {
	best := 0
	for i := 0; i < size; i++ {
		if i != x && turn.Values[y][i] > best {
			best = turn.Values[y][i]
		}
		if i != y && turn.Values[i][x] > best {
			best = turn.Values[i][x]
		}
	}
	return best
}
@@ write
func bestLeft(size int, turn *Turn, x, y, deeper int) int {
	best, value := -100, turn.Values[y][x]
	turn.Values[y][x] = 0
	look := func(x, y int) {
		gain := turn.Values[y][x]
		if gain == 0 {
			return
		}
		if deeper > 0 {
			gain -= bestLeft(size, turn, x, y, deeper-1)
		}
		if gain > best {
			best = gain
		}
	}
	for i := 0; i < size; i++ {
		look(i, y)
		look(x, i)
	}
	turn.Values[y][x] = value
	if best == -100 {
		return 0
	}
	return best
}
@@ instead of
bestLeft(size, turn, x, y); worth
@@ write
bestLeft(size, turn, x, y, 4); worth
