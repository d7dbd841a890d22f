// A first client for Tirs Croisés: it takes the cell that is worth most, less the best that it leaves to the next
// player. Build: make. How agon asks: talk.go.

package main

type Setup struct{ Size int }

type Turn struct {
	Values  [][]int
	CursorX int `json:"cursor_x"`
	CursorY int `json:"cursor_y"`
}

type Move struct {
	X int `json:"x"`
	Y int `json:"y"`
}

// 1. the best value in the row and the column of a cell, once that cell is taken.
// Next: set the cell to 0, subtract from each value what bestLeft says of that cell, four moves
// deep, and put the cell back.
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

func isLegal(turn *Turn, x, y int) bool {
	isInLine := turn.CursorX == 0 || x+1 == turn.CursorX || y+1 == turn.CursorY
	return turn.Values[y][x] > 0 && isInLine
}

// 2. choose
func choose(size int, turn *Turn) Move {
	var move Move
	best := -100
	for y := 0; y < size; y++ {
		for x := 0; x < size; x++ {
			if !isLegal(turn, x, y) {
				continue
			}
			if worth := turn.Values[y][x] - bestLeft(size, turn, x, y); worth > best {
				best, move = worth, Move{x + 1, y + 1}
			}
		}
	}
	return move
}

func main() {
	talk("first-go", func(setup *Setup) func(*Turn) Move {
		return func(turn *Turn) Move { return choose(setup.Size, turn) }
	})
}
