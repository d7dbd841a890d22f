// A first client for Mastermind: it guesses a code that agrees with all replies so far, found by drawing; as a maker it
// keeps one secret. Build: make. How agon asks: talk.go.

package main

import "math/rand"

const (
	asksSecret = 1
	asksReply  = 2
	mostDrawn  = 20000 // codes that are drawn for a guess, at most
)

type Setup struct {
	Head   Head
	Pegs   int
	Values int
}

type Past struct {
	V      []int
	Rr, Rw int
}

type Turn struct {
	Kind    int
	Guess   []int
	History []Past
}

// Code is a guess or a secret, Reply what is said of a guess.
type Code struct {
	V []int `json:"v"`
	N int   `json:"n"`
}

type Reply struct {
	Rr int `json:"rr"`
	Rw int `json:"rw"`
}

type Client struct {
	Setup
	random *rand.Rand
	secret []int
}

func (c *Client) draw() []int {
	code := make([]int, c.Pegs)
	for peg := range code {
		code[peg] = c.random.Intn(c.Values)
	}
	return code
}

// 1. right values at the right place, and at a wrong one
func (c *Client) reply(secret, guess []int) Reply {
	right, common := 0, 0
	count := make(map[int]int)
	for peg := 0; peg < c.Pegs; peg++ {
		if secret[peg] == guess[peg] {
			right++
		}
		count[secret[peg]]++
	}
	for _, value := range guess[:c.Pegs] {
		if count[value] > 0 {
			count[value]--
			common++
		}
	}
	return Reply{right, common - right}
}

// 2. choose: the first code that agrees with all replies, or the best that was drawn.
// Next: draw up to 60 codes that agree with all replies, and guess the one that gets most different replies from them.
func (c *Client) choose(history []Past) []int {
	best, bestAgreed := c.draw(), -1
	for drawn := 0; drawn < mostDrawn && bestAgreed < len(history); drawn++ {
		code, agreed := c.draw(), 0
		for _, past := range history {
			if c.reply(code, past.V) == (Reply{past.Rr, past.Rw}) {
				agreed++
			}
		}
		if agreed > bestAgreed {
			best, bestAgreed = code, agreed
		}
	}
	return best
}

func (c *Client) play(turn *Turn) any {
	switch turn.Kind {
	case asksSecret:
		return Code{c.secret, c.Pegs}
	case asksReply:
		return c.reply(c.secret, turn.Guess)
	}
	return Code{c.choose(turn.History), c.Pegs}
}

func main() {
	talk("first-go", func(setup *Setup) func(*Turn) any {
		c := &Client{Setup: *setup, random: rand.New(rand.NewSource(int64(setup.Head.Seed)))} // the same seed, the same game
		c.secret = c.draw()
		return c.play
	})
}
