@@ instead of
        best = max((self.random_move() for _ in range(LOOKED_AT)), key=self.room_after)
@@ write
        slides = [(source, target) for source in self.queens[self.side] for target in self.reach(source)]
        slides.sort(key=lambda slide: self.room_after((*slide, None)), reverse=True)
        moves = [(*slide, arrow) for slide in slides[:5] for arrow in self.arrows(*slide)]
        best = max(moves or [self.random_move()], key=self.room_after)
@@ instead of
        own, others = [sum(1 for queen in self.queens[side] for _ in self.reach(queen))
                       for side in (self.side, 1 - self.side)]
        self.undo(self.side, *move)
        return own - others
@@ write
        own, others = self.nearness(self.side), self.nearness(1 - self.side)
        self.undo(self.side, *move)
        return own - others

    def arrows(self, source, target):
        if self.vacated_is_free:
            self.taken.discard(source)
        arrows = list(self.reach(target))
        self.taken.add(source)
        return arrows

    def nearness(self, side):
        total = 0
        for ways in (self.reach, self.steps):
            seen, edge, share = set(), self.queens[side], 1
            while edge:
                share /= 2
                edge = {to for vertex in edge for to in ways(vertex)} - seen
                seen |= edge
                total += share * len(edge)
        return total

    def steps(self, vertex):
        return [to for to in self.neighbours[vertex].values() if to not in self.taken]
