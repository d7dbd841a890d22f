//! What stands for `avx2.rs` on processors of another family, where nobody has an [`Avx2`].

use crate::flood::OnGrid;
use crate::graph::OnGraph;
use crate::grid::Grid;
use crate::lanes::Narrow;
use crate::levels::{Extent, measure};
use crate::processor::Avx2;
use crate::sets::{Cells, Two};
use crate::value::Features;

pub(crate) fn measure_grid(_: Avx2, grid: &Grid, free: &Cells, queens: [&[u16]; 2], extent: Extent) -> Features {
    measure(&OnGrid::<Two<Narrow>>::new(grid, free), queens, extent)
}

pub(crate) fn measure_graph<const W: usize>(
    _: Avx2,
    field: &OnGraph<W>,
    queens: [&[u16]; 2],
    extent: Extent,
) -> Features {
    measure(field, queens, extent)
}
