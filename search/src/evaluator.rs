//! Evaluates positions by the fastest path for the board and the processor; all paths give the same numbers.

use crate::any_graph::{Measure, graph_tables};
use crate::avx2;
use crate::board_tables::BoardTables;
use crate::census::Census;
use crate::compact::Compact;
use crate::flood::OnGrid;
use crate::grid::Grid;
use crate::lanes::Narrow;
use crate::levels::{Extent, measure};
use crate::network::Network;
use crate::position::Position;
use crate::processor::Avx2;
use crate::sets::Two;
use crate::terms::TerritoryTerms;
use crate::value::{Features, Heuristic, VERTEX, Weights};
use std::sync::Arc;

/// How the terms are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// By lanes in registers of 256 bits: boards that fit a grid, processors with AVX2.
    Avx2,
    /// By lanes in words of 64 bits: boards that fit a grid of 16 x 16.
    Portable,
    /// By sets of the vertices of any graph; up to 256 vertices by AVX2.
    GraphAvx2,
    /// By sets of the vertices of any graph.
    Graph,
}

impl Path {
    pub const ALL: [Path; 4] = [Path::Avx2, Path::Portable, Path::GraphAvx2, Path::Graph];

    /// In options and logs.
    pub fn name(self) -> &'static str {
        match self {
            Path::Avx2 => "avx2",
            Path::Portable => "portable",
            Path::GraphAvx2 => "graph-avx2",
            Path::Graph => "graph",
        }
    }

    /// The fastest for a board on this processor.
    pub fn best(tables: &BoardTables) -> Path {
        Path::Avx2.or_another(tables)
    }

    /// This one, or the one that comes nearest to it for a board on this processor.
    fn or_another(self, tables: &BoardTables) -> Path {
        let has_avx2 = Avx2::detect().is_some() && matches!(self, Path::Avx2 | Path::GraphAvx2);
        // Without AVX2 a larger grid is slower than sets of vertices.
        let is_on_grid = tables.grid.as_ref().is_some_and(|grid| has_avx2 || !grid.is_wide);
        match (is_on_grid && matches!(self, Path::Avx2 | Path::Portable), has_avx2) {
            (true, true) => Path::Avx2,
            (true, false) => Path::Portable,
            (false, true) => Path::GraphAvx2,
            (false, false) => Path::Graph,
        }
    }
}

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Thousandths of a vertex.
    pub value: i32,
    /// Whether rooms may decide the winner: one side has as many own vertices as the other can reach, or, where that is
    /// not counted, cannot slide.
    pub may_be_decided: bool,
}

/// Evaluates positions of one board.
#[derive(Clone, Debug)]
pub struct Evaluator {
    heuristic: Heuristic,
    path: Path,
    avx2: Option<Avx2>,
    /// The measure of the paths that go by vertices.
    graph: Option<Arc<dyn Measure>>,
    network: Option<Arc<Network>>,
}

impl Evaluator {
    /// By the fastest path.
    pub fn new(tables: &BoardTables, heuristic: Heuristic) -> Evaluator {
        Evaluator::on_path(tables, heuristic, Path::best(tables))
    }

    /// By a given path, or the one nearest to it that the board and the processor have.
    pub fn on_path(tables: &BoardTables, heuristic: Heuristic, path: Path) -> Evaluator {
        let path = path.or_another(tables);
        let avx2 = Avx2::detect().filter(|_| matches!(path, Path::Avx2 | Path::GraphAvx2));
        let network = (heuristic == Heuristic::Network).then(|| Arc::new(Network::trained()));
        let graph = matches!(path, Path::Graph | Path::GraphAvx2).then(|| graph_tables(tables, avx2));
        Evaluator { heuristic, path, avx2, graph, network }
    }

    /// With this network, by the fastest path.
    pub fn with_network(tables: &BoardTables, network: Network) -> Evaluator {
        Evaluator { network: Some(Arc::new(network)), ..Evaluator::new(tables, Heuristic::Network) }
    }

    /// The path that is taken.
    pub fn path(&self) -> Path {
        self.path
    }

    /// The terms for the side to move.
    #[inline]
    pub fn terms(&self, tables: &BoardTables, position: &Position) -> TerritoryTerms {
        self.measure(tables, position, Extent::Terms, &mut Census::default()).terms
    }

    /// The terms of the full heuristic. Trapped queens count only where a vertex is contested, and on request.
    #[inline]
    pub fn features(&self, tables: &BoardTables, position: &Position, with_mobility: bool) -> Features {
        let extent = if with_mobility { Extent::All } else { Extent::Terms };
        self.measure(tables, position, extent, &mut Census::default())
    }

    /// The value of the position.
    #[inline]
    pub fn value(&self, tables: &BoardTables, position: &Position) -> Value {
        match self.heuristic {
            Heuristic::Mobility { own, other } => {
                let side = position.side;
                let slides = [0, 1].map(|side| position.count_slides(tables, side));
                let value = VERTEX * (own * slides[side] - other * slides[1 - side]);
                Value { value, may_be_decided: slides[0] == 0 || slides[1] == 0 }
            }
            Heuristic::Territory => {
                let features = self.measure(tables, position, Extent::Territory, &mut Census::default());
                Value { value: VERTEX * features.terms.closer1, may_be_decided: features.may_be_decided }
            }
            Heuristic::Network => self.corrected_value(tables, position),
            Heuristic::Full(weights) => {
                let features = self.features(tables, position, weights.has_mobility());
                Value { value: weights.value(&features), may_be_decided: features.may_be_decided }
            }
        }
    }

    /// The hand-made value, and the network's correction.
    #[inline]
    fn corrected_value(&self, tables: &BoardTables, position: &Position) -> Value {
        let mut census = Census::default();
        let features = self.measure(tables, position, Extent::Census, &mut census);
        let mut value = Weights::TUNED.value(&features);
        if let Some(network) = self.network.as_ref().filter(|_| features.terms.contested > 0) {
            let hidden = match self.avx2 {
                Some(has_avx2) => avx2::hidden(has_avx2, network, &census),
                None => network.hidden(&census),
            };
            value += network.correction(&hidden, position.side, features.fraction());
        }
        Value { value, may_be_decided: features.may_be_decided }
    }

    /// Whether the side to move can come to free vertices that the other side cannot come to.
    pub(crate) fn is_alone_somewhere(&self, tables: &BoardTables, position: &Position) -> bool {
        self.measure(tables, position, Extent::Alone, &mut Census::default()).alone[0] > 0
    }

    /// The network's census of a position, empty if no vertex is contested.
    pub fn census(&self, tables: &BoardTables, position: &Position) -> Census {
        let mut census = Census::default();
        self.measure(tables, position, Extent::Census, &mut census);
        census
    }

    /// Counts for the side to move.
    fn measure(&self, tables: &BoardTables, position: &Position, extent: Extent, census: &mut Census) -> Features {
        let features = match (&tables.grid, &self.graph) {
            (Some(grid), None) => self.measure_grid(grid, position, extent, census),
            (_, Some(graph)) => graph.measure(tables, position, extent, census),
            (None, None) => Features::default(),
        };
        features.seen_from(position.side)
    }

    fn measure_grid(&self, grid: &Grid, position: &Position, extent: Extent, census: &mut Census) -> Features {
        let (cells, queens) = (&position.cells, [&position.queens[0][..], &position.queens[1][..]]);
        match self.avx2 {
            Some(has_avx2) => avx2::measure_grid(has_avx2, grid, cells, queens, extent, census),
            // Rows of two words pay where all processors go this way; those of x86 that do are old.
            None if cfg!(not(target_arch = "x86_64")) && grid.is_compact() => {
                measure(&OnGrid::<Two<Compact>>::new(grid, cells), queens, extent, census)
            }
            None => measure(&OnGrid::<Two<Narrow>>::new(grid, cells), queens, extent, census),
        }
    }
}
