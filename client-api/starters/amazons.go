// A first client for Amazons: of 50 random moves it plays the one after which it has most room, and the other side
// least. Build: make. How agon asks: talk.go.

package main

import "math/rand"

const lookedAt = 50

type Setup struct {
	Head        Head
	NumVertices int   `json:"num_vertices"`
	RowStart    []int `json:"row_start"`
	Targets     []int
	Directions  []int
	Queens      [][]int
	Blocked     []int
	Side        int
	Vacated     int
}

// Move has vertices, and nil for all of them in the turn before which there was none.
type Move struct {
	Source *int `json:"queen_src"`
	Target *int `json:"queen_dst"`
	Arrow  *int `json:"arrow_dst"`
}

type Turn struct{ Previous Move }

// 1. keep your board
type Board struct {
	Setup
	taken  []bool
	next   [][9]int // of a vertex by direction, -1 where there is none
	random *rand.Rand
}

type Shot struct{ source, target, arrow int }

func newBoard(setup *Setup) *Board {
	board := &Board{Setup: *setup, taken: make([]bool, setup.NumVertices), next: make([][9]int, setup.NumVertices)}
	board.random = rand.New(rand.NewSource(int64(setup.Head.Seed))) // the same seed gives the same game
	for vertex := range board.next {
		board.next[vertex] = [9]int{-1, -1, -1, -1, -1, -1, -1, -1, -1}
		for edge := setup.RowStart[vertex]; edge < setup.RowStart[vertex+1]; edge++ {
			board.next[vertex][setup.Directions[edge]] = setup.Targets[edge]
		}
	}
	for _, vertices := range [][]int{setup.Queens[0], setup.Queens[1], setup.Blocked} {
		for _, vertex := range vertices {
			board.taken[vertex] = true
		}
	}
	return board
}

func (b *Board) moveQueen(side, from, to int) {
	for i, queen := range b.Queens[side] {
		if queen == from {
			b.Queens[side][i] = to
		}
	}
	b.taken[from], b.taken[to] = false, true
}

func (b *Board) apply(side int, shot Shot) {
	b.moveQueen(side, shot.source, shot.target)
	b.taken[shot.arrow] = true
}

func (b *Board) undo(side int, shot Shot) {
	b.taken[shot.arrow] = false
	b.moveQueen(side, shot.target, shot.source)
}

// 2. list moves: where a queen or an arrow can go in straight lines
func (b *Board) reach(vertex int) []int {
	var found []int
	for direction := 1; direction <= 8; direction++ {
		// A line may lead back to itself on some boards, but no further than there are vertices.
		seen := b.next[vertex][direction]
		for steps := 0; seen >= 0 && !b.taken[seen] && steps < b.NumVertices; steps++ {
			found = append(found, seen)
			seen = b.next[seen][direction]
		}
	}
	return found
}

// Queens and squares are drawn until an arrow can be shot, which the last square always allows.
func (b *Board) randomMove() Shot {
	var pairs [][2]int
	for _, source := range b.Queens[b.Side] {
		for _, target := range b.reach(source) {
			pairs = append(pairs, [2]int{source, target})
		}
	}
	for {
		at := b.random.Intn(len(pairs))
		source, target := pairs[at][0], pairs[at][1]
		b.taken[source] = b.Vacated != 0
		arrows := b.reach(target)
		b.taken[source] = true
		if len(arrows) > 0 {
			return Shot{source, target, arrows[b.random.Intn(len(arrows))]}
		}
		pairs = append(pairs[:at], pairs[at+1:]...)
	}
}

// 3. choose. Next: look at all moves. Count for each side in how many moves of a queen it could come to each square, and
// in how many single steps, if nobody else moved. A square counts 1/2 to the power of each of these numbers: add up your
// own, and subtract those of the other side.
func (b *Board) choose() Shot {
	best, bestRoom := Shot{}, -1<<30
	for i := 0; i < lookedAt; i++ {
		shot := b.randomMove()
		b.apply(b.Side, shot)
		room := b.room(b.Side) - b.room(1-b.Side)
		b.undo(b.Side, shot)
		if room > bestRoom {
			best, bestRoom = shot, room
		}
	}
	log("value", bestRoom)
	return best
}

func (b *Board) room(side int) int {
	room := 0
	for _, queen := range b.Queens[side] {
		room += len(b.reach(queen))
	}
	return room
}

func (b *Board) play(turn *Turn) Move {
	if previous := turn.Previous; previous.Source != nil {
		b.apply(1-b.Side, Shot{*previous.Source, *previous.Target, *previous.Arrow})
	}
	shot := b.choose()
	b.apply(b.Side, shot)
	return Move{&shot.source, &shot.target, &shot.arrow}
}

func main() {
	talk("first-go", func(setup *Setup) func(*Turn) Move { return newBoard(setup).play })
}
