// The talk with agon: a line of JSON for each question and one for each answer (docs/guides/programs.md).

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// Head is what all games tell at the start of a match; agon header GAME has all fields.
type Head struct {
	Seat    int
	Seats   int
	Seed    uint64
	Options map[string]string
}

var logged = map[string]any{}

// log keeps a number or a text with the move: agon show prints it; value, depth, nodes are for what they say.
func log(key string, value any) {
	logged[key] = value
}

// talk answers agon until the match is over. What begin returns plays; fields are called as in the game's C header.
func talk[Setup, Turn, Move any](name string, begin func(*Setup) func(*Turn) Move) {
	answers := os.Stdout
	os.Stdout = os.Stderr // what you print is yours: agon keeps it, and agon show shows it
	var play func(*Turn) Move
	for lines := bufio.NewReader(os.Stdin); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var question struct {
			Ask   string
			Setup Setup
			Turn  Turn
		}
		stopOn(json.Unmarshal(line, &question))
		answer := map[string]any{"name": name}
		if question.Ask == "setup" {
			play = begin(&question.Setup)
		} else {
			answer = map[string]any{"move": play(&question.Turn)}
		}
		if len(logged) > 0 {
			answer["log"], logged = logged, map[string]any{}
		}
		text, err := json.Marshal(answer)
		stopOn(err)
		fmt.Fprintf(answers, "%s\n", text)
	}
}

// stopOn ends the program if a line is not what this file expects: agon show prints why.
func stopOn(err error) {
	if err != nil {
		panic(err)
	}
}
