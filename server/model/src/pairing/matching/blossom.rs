//! Blossoms and alternating paths: shrinks an odd circle to one vertex and expands it again, and matches a path through
//! both.

use super::{Search, Side};

impl Search {
    /// Turns a blossom's circle so that the way from its base to a part has an even number of steps; returns that
    /// number.
    fn even_way(&mut self, blossom: usize, part: usize) -> usize {
        let circle = &mut self.circle[blossom];
        let at = circle.iter().position(|&other| other == part).unwrap_or(0);
        if at % 2 == 0 {
            return at;
        }
        circle[1..].reverse();
        circle.len() - at
    }

    /// Matches a vertex along its edge to another, and updates the matching inside it.
    fn match_up(&mut self, vertex: usize, other: usize) {
        let Some((inside, outside)) = self.edge[vertex][other] else { return };
        self.mate[vertex] = outside;
        if vertex > self.players {
            let base = self.part[vertex][inside];
            let way = self.even_way(vertex, base);
            for at in 0..way {
                let (a, b) = (self.circle[vertex][at], self.circle[vertex][at ^ 1]);
                self.match_up(a, b);
            }
            self.match_up(base, other);
            self.circle[vertex].rotate_left(way);
        }
    }

    /// Swaps matched and unmatched edges from a vertex up to the root of its tree.
    pub(super) fn augment(&mut self, mut vertex: usize, mut other: usize) {
        loop {
            let before = self.outer[self.mate[vertex]];
            self.match_up(vertex, other);
            if before == 0 {
                return;
            }
            let up = self.outer[self.parent[before]];
            self.match_up(before, up);
            (vertex, other) = (up, before);
        }
    }

    /// The vertex where the ways of two even vertices to their roots meet; 0 = none.
    pub(super) fn meet(&mut self, mut a: usize, mut b: usize) -> usize {
        self.look += 1;
        while a != 0 || b != 0 {
            if a != 0 {
                if self.seen[a] == self.look {
                    return a;
                }
                self.seen[a] = self.look;
                a = self.outer[self.mate[a]];
                if a != 0 {
                    a = self.outer[self.parent[a]];
                }
            }
            std::mem::swap(&mut a, &mut b);
        }
        0
    }

    /// The vertices from an even one up to `base`, without it, each with its matched partner.
    fn way_up(&mut self, from: usize, base: usize) -> Vec<usize> {
        let (mut way, mut at) = (Vec::new(), from);
        while at != base {
            let partner = self.outer[self.mate[at]];
            way.extend([at, partner]);
            self.enqueue(partner);
            at = self.outer[self.parent[partner]];
        }
        way
    }

    /// Shrinks the odd circle of two even vertices and their ways to `base`.
    pub(super) fn shrink(&mut self, a: usize, base: usize, b: usize) {
        let free = self.blossoms().find(|&blossom| self.outer[blossom] == 0);
        let blossom = free.unwrap_or(self.last + 1);
        self.last = self.last.max(blossom);
        (self.label[blossom], self.side[blossom], self.mate[blossom]) = (0, Side::Even, self.mate[base]);
        let mut circle = vec![base];
        circle.extend(self.way_up(a, base).into_iter().rev());
        circle.extend(self.way_up(b, base));
        self.circle[blossom].clone_from(&circle);
        self.set_outer(blossom, blossom);
        for other in 1..=self.last {
            (self.edge[blossom][other], self.edge[other][blossom]) = (None, None);
        }
        self.part[blossom].fill(0);
        for part in circle {
            for other in 1..=self.last {
                let is_nearer = match (self.distance_to(part, other), self.distance_to(blossom, other)) {
                    (Some(new), Some(old)) => new < old,
                    (new, _) => new.is_some(),
                };
                if is_nearer {
                    (self.edge[blossom][other], self.edge[other][blossom]) =
                        (self.edge[part][other], self.edge[other][part]);
                }
            }
            for player in 1..=self.players {
                if self.part[part][player] != 0 {
                    self.part[blossom][player] = part;
                }
            }
        }
        self.find_slack(blossom);
    }

    /// Takes an odd blossom apart: the even way through it stays in the tree, the rest is free.
    pub(super) fn expand(&mut self, blossom: usize) {
        for part in self.circle[blossom].clone() {
            self.set_outer(part, part);
        }
        let entry = self.edge[blossom][self.parent[blossom]].map_or(0, |(inside, _)| self.part[blossom][inside]);
        let way = self.even_way(blossom, entry);
        let circle = self.circle[blossom].clone();
        for pair in circle[..way].chunks_exact(2) {
            let (odd, even) = (pair[0], pair[1]);
            self.parent[odd] = self.edge[even][odd].map_or(0, |(inside, _)| inside);
            (self.side[odd], self.side[even]) = (Side::Odd, Side::Even);
            self.slack[odd] = 0;
            self.find_slack(even);
            self.enqueue(even);
        }
        (self.side[entry], self.parent[entry]) = (Side::Odd, self.parent[blossom]);
        for &part in &circle[way + 1..] {
            self.side[part] = Side::Free;
            self.find_slack(part);
        }
        self.outer[blossom] = 0;
    }
}
