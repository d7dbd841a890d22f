@@ instead of
	for drawn := 0; drawn < mostDrawn && bestAgreed < len(history); drawn++ {
@@ write
	var possible [][]int
	for drawn := 0; drawn < mostDrawn && len(possible) < 60; drawn++ {
@@ instead of
			best, bestAgreed = code, agreed
		}
	}
	return best
@@ write
			best, bestAgreed = code, agreed
		}
		if agreed == len(history) {
			possible = append(possible, code)
		}
	}
	most := 0
	for _, guess := range possible {
		replies := map[Reply]bool{}
		for _, code := range possible {
			replies[c.reply(code, guess)] = true
		}
		if len(replies) > most {
			best, most = guess, len(replies)
		}
	}
	return best
