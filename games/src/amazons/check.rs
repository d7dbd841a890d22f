//! Explains why a move is refused: which rule, which squares, and what blocks the way; in English and in French.

use super::abi::AmazonsMove;
use super::position::Position;
use super::setting::Prepared;
use crate::{Illegal, Language, Said};
use agon_boards::{Direction, walk};

/// The first rule that a move breaks, in the order in which a move is made.
pub(super) fn explain(setting: &Prepared, begin: &Position, position: &Position, mv: AmazonsMove) -> Illegal {
    let case = Case { setting, begin, position, left: None };
    let (from, to, arrow) = (mv.queen_src as usize, mv.queen_dst as usize, mv.arrow_dst as usize);
    let shot = Case { left: Some(from), ..case };
    let fields = [(QUEEN_SRC, from), (QUEEN_DST, to), (ARROW_DST, arrow)];
    let flaw = fields
        .into_iter()
        .find_map(|(field, vertex)| case.no_cell(field, vertex))
        .or_else(|| case.no_queen(from))
        .or_else(|| {
            (from == to).then(|| {
                let [english, french] = case.cell(from);
                let why = format!("the queen on {english} must leave its {}", case.place());
                Illegal::new("queen-must-move", why, format!("la reine en {french} doit quitter sa case"))
            })
        })
        .or_else(|| case.no_slide(&QUEEN, from, to))
        .or_else(|| {
            (arrow == to).then(|| {
                let [english, french] = case.cell(to);
                let why = format!("the arrow cannot hit {english}, where its own queen stands now");
                let french = format!("la flèche ne peut pas tomber en {french}, où sa reine se trouve maintenant");
                Illegal::new("arrow-on-own-queen", why, french)
            })
        })
        .or_else(|| shot.no_slide(&ARROW, to, arrow));
    flaw.unwrap_or_else(|| Illegal::new("illegal", "the move is not legal here", "ce coup n'est pas permis ici"))
}

/// A piece that slides, and the rules that it breaks if it does not go straight or is stopped.
struct Slider {
    crooked: &'static str,
    blocked: &'static str,
    name: Said,
}

const QUEEN: Slider =
    Slider { crooked: "queen-not-straight", blocked: "queen-path-blocked", name: Said::new("the queen", "la reine") };
const ARROW: Slider =
    Slider { crooked: "arrow-not-straight", blocked: "arrow-path-blocked", name: Said::new("the arrow", "la flèche") };

/// The fields of a move, in the words of a client's author and of people.
const QUEEN_SRC: Said = Said::new("queen_src", "départ de la reine");
const QUEEN_DST: Said = Said::new("queen_dst", "arrivée de la reine");
const ARROW_DST: Said = Said::new("arrow_dst", "flèche");

const NOTHING: Said = Said::new("nothing", "rien");
const OWN_QUEEN: Said = Said::new("your own queen", "votre propre reine");
const OTHER_QUEEN: Said = Said::new("a queen of the other side", "une reine adverse");
const OBSTACLE: Said = Said::new("an obstacle that was there from the start", "un obstacle qui est là depuis le début");
const AN_ARROW: Said = Said::new("an arrow", "une flèche");

/// The English and the French text.
fn both(said: Said) -> [&'static str; 2] {
    [Language::English, Language::French].map(|language| said.in_language(language))
}

#[derive(Clone, Copy)]
struct Case<'a> {
    setting: &'a Prepared,
    /// The position in which the match began.
    begin: &'a Position,
    position: &'a Position,
    /// The vertex that the queen has left when its arrow flies.
    left: Option<usize>,
}

impl Case<'_> {
    /// `c3 (vertex 22)`, or `vertex 22` without a grid; in English and in French.
    fn cell(&self, vertex: usize) -> [String; 2] {
        let board = &self.setting.board;
        ["vertex", "sommet"].map(|word| {
            if board.is_grid() {
                format!("{} ({word} {vertex})", board.name(vertex))
            } else {
                format!("{word} {vertex}")
            }
        })
    }

    /// The word for a place of this board.
    fn place(&self) -> &'static str {
        if self.setting.board.is_grid() { "square" } else { "vertex" }
    }

    fn no_cell(&self, field: Said, vertex: usize) -> Option<Illegal> {
        let ([field, champ], board) = (both(field), &self.setting.board);
        if vertex >= board.num_vertices() {
            let last = board.num_vertices() - 1;
            let why = format!("{field}: vertex {vertex} does not exist, the board has 0..{last}");
            let french = format!("{champ} : le sommet {vertex} n'existe pas, les sommets vont de 0 à {last}");
            return Some(Illegal::new("no-such-vertex", why, french));
        }
        board.is_hole(vertex).then(|| {
            let [english, french] = self.cell(vertex);
            let why = format!("{field}: {english} is a hole of the board");
            Illegal::new("hole", why, format!("{champ} : {french} est un trou du plateau"))
        })
    }

    fn no_queen(&self, from: usize) -> Option<Illegal> {
        if self.position.queen_on(from as u32).is_some() {
            return None;
        }
        let [what, quoi] = both(self.occupant(from).unwrap_or(NOTHING));
        let mut own = self.position.queens[self.position.side].clone();
        own.sort_unstable();
        let vertices = own.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let vertices = format!("({} {vertices})", if own.len() == 1 { "vertex" } else { "vertices" });
        let own: Vec<_> = own.into_iter().map(|vertex| self.setting.board.name(vertex.into())).collect();
        let (own, [english, french]) = (own.join(" "), self.cell(from));
        let why = format!("queen_src: on {english} stands {what}; your queens are on {own} {vertices}");
        Some(Illegal::new("not-your-queen", why, format!("{french} porte {quoi} ; vos reines sont en {own}")))
    }

    /// The piece or arrow on a vertex, as the mover sees it.
    fn occupant(&self, vertex: usize) -> Option<Said> {
        let position = self.position;
        let stands = |side: usize| position.queens[side].contains(&(vertex as u16));
        if !position.occupied.has(&self.setting.lines, vertex) {
            None
        } else if stands(position.side) {
            Some(OWN_QUEEN)
        } else if stands(position.side ^ 1) {
            Some(OTHER_QUEEN)
        } else if self.begin.is_blocked(self.setting, vertex) {
            Some(OBSTACLE)
        } else {
            Some(AN_ARROW)
        }
    }

    fn no_slide(&self, slider: &Slider, from: usize, to: usize) -> Option<Illegal> {
        let routes: Vec<Vec<usize>> = Direction::ALL
            .into_iter()
            .filter_map(|direction| {
                let mut route = walk(&self.setting.board, from, direction, |_| true);
                let end = route.iter().position(|&vertex| vertex == to)?;
                route.truncate(end + 1);
                Some(route)
            })
            .collect();
        let ([from, depart], [to, arrivee], [what, quoi]) = (self.cell(from), self.cell(to), both(slider.name));
        let start = format!("{what} cannot go from {from} to {to}");
        let debut = format!("{quoi} ne peut pas aller de {depart} en {arrivee}");
        let Some(route) = routes.first() else {
            let why = format!("{start}: no direction leads there in a straight line");
            let french = format!("{debut} : aucune direction n'y mène en ligne droite");
            return Some(Illegal::new(slider.crooked, why, french));
        };
        if routes.iter().any(|route| self.obstacle(route).is_none()) {
            return None;
        }
        let (vertex, piece) = self.obstacle(route)?;
        let ([cell, case], [piece, obstacle]) = (self.cell(vertex), both(piece));
        let (why, french) = if self.left == Some(vertex) {
            let why = format!("{start}: its queen has just left {cell}, which is closed by vacated = \"blocked\"");
            (why, format!("{debut} : sa reine vient de quitter {case}, que vacated = \"blocked\" ferme"))
        } else {
            let why = format!("{start}: {cell} is occupied by {piece}");
            (why, format!("{debut} : {case} est occupé par {obstacle}"))
        };
        Some(Illegal::new(slider.blocked, why, french))
    }

    /// The first vertex of a route that is not free.
    fn obstacle(&self, route: &[usize]) -> Option<(usize, Said)> {
        let freed = self.left.filter(|_| self.setting.vacated_is_free);
        let not_freed = route.iter().filter(|&&vertex| freed != Some(vertex));
        not_freed.copied().find_map(|vertex| Some((vertex, self.occupant(vertex)?)))
    }
}
