@@ instead of
i32::from(self.best_left(turn, *cell));
@@ write
self.best_left(turn, &mut vec![*cell]);
@@ instead of
    fn best_left(&self, turn: &Turn, cell: Move) -> u8 {
        let in_line = self.cells().filter(|other| (other.x == cell.x) != (other.y == cell.y));
        in_line.map(|other| turn.value(other)).max().unwrap_or(0)
    }
@@ write
    fn best_left(&self, turn: &Turn, taken: &mut Vec<Move>) -> i32 {
        let cell = taken[taken.len() - 1];
        let in_line = self.cells().filter(|other| (other.x == cell.x) != (other.y == cell.y));
        let mut best = None;
        for other in in_line.filter(|other| turn.value(*other) > 0) {
            if taken.contains(&other) {
                continue;
            }
            let mut gain = i32::from(turn.value(other));
            if taken.len() < 5 {
                taken.push(other);
                gain -= self.best_left(turn, taken);
                taken.pop();
            }
            best = best.max(Some(gain));
        }
        best.unwrap_or(0)
    }
