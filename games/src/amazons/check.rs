//! Why a move is refused: which rule, which cells, what is in the way.

use super::abi::AmazonsMove;
use super::position::Position;
use super::setting::Setting;
use crate::Illegal;
use agon_boards::{Direction, walk};

/// The first rule that a move breaks, in the order in which a move is made.
pub(super) fn explain(setting: &Setting, begin: &Position, position: &Position, mv: AmazonsMove) -> Illegal {
    let case = Case { setting, begin, position, freed: None };
    let [from, to, arrow] = [mv.queen_src, mv.queen_dst, mv.arrow_dst].map(|vertex| vertex as usize);
    let shot = Case { freed: setting.vacated_is_free.then_some(from), ..case };
    let fields = [("queen_src", from), ("queen_dst", to), ("arrow_dst", arrow)];
    let flaw = fields
        .into_iter()
        .find_map(|(field, vertex)| case.no_cell(field, vertex))
        .or_else(|| case.no_queen(from))
        .or_else(|| {
            let why = || format!("the queen on {} must leave its cell", case.cell(from));
            (from == to).then(|| Illegal { rule: "queen-must-move", why: why() })
        })
        .or_else(|| case.no_slide(["queen-not-straight", "queen-path-blocked"], "the queen", from, to))
        .or_else(|| {
            let why = || format!("the arrow cannot hit {}, where its own queen stands now", case.cell(to));
            (arrow == to).then(|| Illegal { rule: "arrow-on-own-queen", why: why() })
        })
        .or_else(|| shot.no_slide(["arrow-not-straight", "arrow-path-blocked"], "the arrow", to, arrow));
    flaw.unwrap_or_else(|| Illegal { rule: "illegal", why: "the move is not legal here".to_owned() })
}

#[derive(Clone, Copy)]
struct Case<'a> {
    setting: &'a Setting,
    /// Where the match began.
    begin: &'a Position,
    position: &'a Position,
    /// Counts as free although a queen stands there.
    freed: Option<usize>,
}

impl Case<'_> {
    /// `c3 (vertex 22)`, or `vertex 22` where there is no grid.
    fn cell(&self, vertex: usize) -> String {
        let board = &self.setting.board;
        if board.is_grid() { format!("{} (vertex {vertex})", board.name(vertex)) } else { format!("vertex {vertex}") }
    }

    fn no_cell(&self, field: &str, vertex: usize) -> Option<Illegal> {
        let board = &self.setting.board;
        if vertex >= board.num_vertices() {
            let last = board.num_vertices() - 1;
            let why = format!("{field}: vertex {vertex} does not exist, the board has 0..{last}");
            return Some(Illegal { rule: "no-such-vertex", why });
        }
        let why = || format!("{field}: {} is a hole of the board", self.cell(vertex));
        board.is_hole(vertex).then(|| Illegal { rule: "hole", why: why() })
    }

    fn no_queen(&self, from: usize) -> Option<Illegal> {
        if self.position.queen_on(from as u32).is_some() {
            return None;
        }
        let what = self.occupant(from).unwrap_or("nothing");
        let mut own = self.position.queens[self.position.side].clone();
        own.sort_unstable();
        let own: Vec<_> = own.into_iter().map(|vertex| self.setting.board.name(vertex.into())).collect();
        let why = format!("queen_src: on {} stands {what}; your queens are on {}", self.cell(from), own.join(" "));
        Some(Illegal { rule: "not-your-queen", why })
    }

    /// What stands on a vertex, as the mover sees it.
    fn occupant(&self, vertex: usize) -> Option<&'static str> {
        let position = self.position;
        let stands = |side: usize| position.queens[side].contains(&(vertex as u16));
        if !position.occupied.has(&self.setting.lines, vertex) {
            None
        } else if stands(position.side) {
            Some("your own queen")
        } else if stands(position.side ^ 1) {
            Some("a queen of the other side")
        } else if self.begin.is_blocked(self.setting, vertex) {
            Some("an obstacle that was there from the start")
        } else {
            Some("an arrow")
        }
    }

    fn no_slide(&self, [crooked, blocked]: [&'static str; 2], what: &str, from: usize, to: usize) -> Option<Illegal> {
        let routes: Vec<Vec<usize>> = Direction::ALL
            .into_iter()
            .filter_map(|direction| {
                let mut route = walk(&self.setting.board, from, direction, |_| true);
                let end = route.iter().position(|&vertex| vertex == to)?;
                route.truncate(end + 1);
                Some(route)
            })
            .collect();
        let start = format!("{what} cannot go from {} to {}", self.cell(from), self.cell(to));
        let Some(route) = routes.first() else {
            return Some(Illegal {
                rule: crooked,
                why: format!("{start}: no direction leads there in a straight line"),
            });
        };
        if routes.iter().any(|route| self.obstacle(route).is_none()) {
            return None;
        }
        let (vertex, piece) = self.obstacle(route)?;
        let vacated =
            what == "the arrow" && self.position.queen_on(vertex as u32).is_some() && !self.setting.vacated_is_free;
        let note = if vacated { " (with vacated = blocked, also the cell the queen has just left)" } else { "" };
        Some(Illegal { rule: blocked, why: format!("{start}: {} is occupied by {piece}{note}", self.cell(vertex)) })
    }

    /// The first vertex of a route that is not free.
    fn obstacle(&self, route: &[usize]) -> Option<(usize, &'static str)> {
        let not_freed = route.iter().filter(|&&vertex| self.freed != Some(vertex));
        not_freed.copied().find_map(|vertex| Some((vertex, self.occupant(vertex)?)))
    }
}
