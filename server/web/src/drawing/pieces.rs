//! A position in pieces that a page lays out by itself: the board or the table in the middle, the scores as text, and the
//! panels that stand next to it, each at a scale that its words can be read at.

use super::{Columns, Drawing, Spot, alike};
use crate::svg::{Svg, Units};
use agon_games::{Panel, Scene};

/// The largest factor by which a table is enlarged.
const TABLE: f64 = 2.1;
/// The largest factor for the board of a seat, of which several may stand side by side.
const SEAT: f64 = 1.83;
/// The factor for panels next to a table.
const ASIDE: f64 = 1.15;
/// The largest width of a table.
const WIDEST_TABLE: f64 = 780.0;
/// More tables of one form than this have the width of the page.
const MOST_TABLES: usize = 4;

/// The part that a piece has on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The board, or the table where there is none: it fills its column.
    Table,
    /// A score for each seat, which a page writes as text.
    Score,
    /// Whatever is looked at afterwards.
    Aside,
}

/// A piece of a picture, with its own corner.
pub(crate) struct Piece {
    pub role: Role,
    /// Width and height.
    pub size: [f64; 2],
    /// Where it begins: below a title that the status says as well.
    pub top: f64,
    /// The first of the parts that stand in it, and their number.
    pub parts: [usize; 2],
    /// Which of the panels it is; nothing for the board.
    pub panel: Option<usize>,
    /// How wide it is shown at most; nothing where it fills its column.
    pub width: Option<f64>,
}

impl Drawing {
    /// The pieces, in the order of their parts.
    pub fn pieces(&self) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        if let Some(board) = &self.board {
            let parts = [0, self.names.len()];
            // A board of a few cells is not made as large as a window.
            let width = (board.size[0] < super::SMALL).then_some(2.0 * board.size[0]);
            pieces.push(Piece { role: Role::Table, size: board.size, top: 0.0, parts, panel: None, width });
        }
        let mut first = self.names.len();
        let is_seated = self.panels.iter().any(|(_, columns)| columns.is_of_seat());
        let widest = self.panels.iter().filter(|(_, columns)| columns.is_of_seat());
        let widest = widest.map(|(_, columns)| columns.size()[0]).fold(0.0, f64::max);
        for (panel, (_, columns)) in self.panels.iter().enumerate() {
            let is_table = self.board.is_none() && if is_seated { columns.is_of_seat() } else { panel == 0 };
            let role = match () {
                () if columns.is_score() => Role::Score,
                () if is_table => Role::Table,
                () => Role::Aside,
            };
            let [width, height] = columns.size();
            let top = if is_table && !is_seated { columns.head() } else { 0.0 };
            let width = if top > 0.0 { columns.width() } else { width };
            let size = [8.0 + if is_table { width.max(widest) } else { width }, height + 4.0 - top];
            let scale = match role {
                Role::Table if is_seated => SEAT,
                Role::Table => TABLE,
                _ => ASIDE,
            };
            let width = Some((scale * size[0]).min(WIDEST_TABLE).round());
            let parts = [first, columns.places().len()];
            pieces.push(Piece { role, size, top, parts, panel: Some(panel), width });
            first += parts[1];
        }
        pieces
    }

    /// Where each part stands in its piece.
    pub fn places_in_pieces(&self) -> Vec<[f64; 2]> {
        self.places_from(std::iter::repeat(&CORNER))
    }

    /// A piece as it is in a position.
    pub fn draw_piece(&self, piece: &Piece, scene: &Scene) -> Svg {
        let mut svg = Svg::default();
        let looks: Vec<([f64; 2], Svg)> = match piece.panel {
            None => self.cell_looks(scene),
            Some(panel) => {
                let lines = |of: &Panel| self.panels[panel].1.lines(of);
                let lines = self.filled(scene).get(panel).copied().flatten().map_or_else(Vec::new, lines);
                lines.into_iter().map(|([x, y], look)| ([CORNER[0] + x, CORNER[1] + y], look)).collect()
            }
        };
        for ([x, y], look) in looks.into_iter().filter(|(_, look)| *look != Svg::default()) {
            svg.begin("g", &[("transform", &format!("translate({},{})", Units(x), Units(y)))]);
            svg.push(&look);
            svg.end("g");
        }
        svg
    }

    /// The things of a piece to point at.
    pub fn spots_of(&self, piece: &Piece, scene: &Scene) -> Vec<Spot> {
        match piece.panel {
            None => self.spots(scene).into_iter().filter(|spot| spot.cell.is_some()).collect(),
            Some(panel) => {
                let shown = self.filled(scene).get(panel).copied().flatten();
                shown.map_or_else(Vec::new, |shown| self.cards(panel, shown, CORNER))
            }
        }
    }

    /// The words of a score in a position, seat by seat; nothing where there is none.
    pub fn scores<'a>(&self, piece: &Piece, scene: &'a Scene) -> Option<&'a Panel> {
        self.filled(scene).get(piece.panel?).copied().flatten()
    }

    /// Whether it needs the whole width of a page.
    pub fn is_broad(&self) -> bool {
        let columns: Vec<Columns> = self.panels.iter().map(|(_, columns)| columns.clone()).collect();
        let tables = columns.iter().filter(|columns| columns.is_of_seat()).count();
        self.board.is_none() && alike(&columns).is_some() && tables > MOST_TABLES
    }
}

/// Where the things of a panel begin in their piece.
const CORNER: [f64; 2] = [2.0, 2.0];
