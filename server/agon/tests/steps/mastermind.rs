@@ instead of
        let mut code = self.codes.draw(&mut self.rng);
        for _ in 0..MOST_DRAWN {
            if agrees(self.codes, turn.history, &code) {
                break;
            }
            code = self.codes.draw(&mut self.rng);
        }
        code
@@ write
        let drawn: Vec<Code> = (0..MOST_DRAWN).map(|_| self.codes.draw(&mut self.rng)).collect();
        let agreeing = drawn.iter().filter(|code| agrees(self.codes, turn.history, code));
        let possible: Vec<&Code> = agreeing.take(60).collect();
        let tells = |guess: &&&Code| {
            let replies = possible.iter().map(|code| self.codes.reply(code, guess));
            replies.map(|reply| format!("{reply:?}")).collect::<std::collections::BTreeSet<_>>().len()
        };
        **possible.iter().max_by_key(tells).unwrap_or(&&drawn[0])
