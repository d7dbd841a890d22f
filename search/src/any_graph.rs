//! Counts the terms of evaluations on any graph, by words for its size and the processor's instructions.

use crate::avx2;
use crate::board_tables::BoardTables;
use crate::census::Census;
use crate::graph::{Graph, OnGraph};
use crate::levels::{Extent, measure};
use crate::position::Position;
use crate::processor::Avx2;
use crate::value::Features;
use std::fmt::Debug;
use std::sync::Arc;

/// A graph of any size.
pub(crate) trait Measure: Debug + Send + Sync {
    /// Counts for side 0.
    fn measure(&self, tables: &BoardTables, position: &Position, extent: Extent, census: &mut Census) -> Features;
}

/// A graph, and how it is counted on.
#[derive(Debug)]
struct Tables<const W: usize> {
    graph: Graph<W>,
    avx2: Option<Avx2>,
}

/// Words for a set of the largest board.
const WIDEST: usize = agon_boards::MAX_VERTICES / 64;

/// The tables of a board.
pub(crate) fn graph_tables(tables: &BoardTables, avx2: Option<Avx2>) -> Arc<dyn Measure> {
    // Each width is compiled anew: one for boards that people play on, one for the largest.
    match tables.num_vertices() {
        0..=256 => of_width::<4>(tables, avx2),
        _ => of_width::<WIDEST>(tables, avx2),
    }
}

fn of_width<const W: usize>(tables: &BoardTables, avx2: Option<Avx2>) -> Arc<dyn Measure> {
    Arc::new(Tables::<W> { graph: Graph::new(tables), avx2 })
}

impl<const W: usize> Measure for Tables<W> {
    fn measure(&self, tables: &BoardTables, position: &Position, extent: Extent, census: &mut Census) -> Features {
        let field = OnGraph::new(&self.graph, tables, position);
        let queens = [&position.queens[0][..], &position.queens[1][..]];
        match self.avx2 {
            // The widest is rare, and takes as long to compile as all others.
            Some(has_avx2) if const { W < WIDEST } => avx2::measure_graph(has_avx2, &field, queens, extent, census),
            _ => measure(&field, queens, extent, census),
        }
    }
}
