@@ instead of
// 1. what a split
@@ write
var known = map[int]int{}

func nimber(sticks int) int {
	if number, is := known[sticks]; is {
		return number
	}
	seen := map[int]bool{}
	for split := 1; 2*split < sticks; split++ {
		seen[nimber(split)^nimber(sticks-split)] = true
	}
	least := 0
	for seen[least] {
		least++
	}
	known[sticks] = least
	return least
}

// 1. what a split
@@ instead of
		if sticks > 2 {
			left++
		}
@@ write
		left ^= nimber(sticks)
