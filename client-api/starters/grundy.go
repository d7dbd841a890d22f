// A first client for Grundy's game: it leaves the other side without a move where it can, and else splits at random.
// Build: make. How agon asks: talk.go.

package main

import "math/rand"

type Setup struct{ Head Head }

type Turn struct{ Heaps []int }

type Move struct {
	Heap  int `json:"heap"`
	Split int `json:"split"`
}

// 1. what a split leaves: how many heaps can still be split.
// Next: combine the nimbers of all heaps by ^ instead; a split that leaves 0 wins. The nimber of a heap is the least
// number that nimber(a) ^ nimber(b) is for none of its splits into a and b.
func heapsLeft(heaps []int, move Move) int {
	left := 0
	count := func(sticks int) {
		if sticks > 2 {
			left++
		}
	}
	for heap, sticks := range heaps {
		if heap != move.Heap {
			count(sticks)
		}
	}
	count(move.Split)
	count(heaps[move.Heap] - move.Split)
	return left
}

// 2. choose: of all splits one that leaves nothing, or any
func choose(heaps []int, random *rand.Rand) Move {
	var splits []Move
	for heap, sticks := range heaps {
		for split := 1; split < sticks; split++ {
			move := Move{heap, split}
			if 2*split == sticks {
				continue
			}
			if heapsLeft(heaps, move) == 0 {
				return move
			}
			splits = append(splits, move)
		}
	}
	return splits[random.Intn(len(splits))]
}

func main() {
	talk("first-go", func(setup *Setup) func(*Turn) Move {
		random := rand.New(rand.NewSource(int64(setup.Head.Seed))) // the same seed gives the same game
		return func(turn *Turn) Move { return choose(turn.Heaps, random) }
	})
}
