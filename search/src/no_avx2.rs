//! Replaces `avx2.rs` on processors of another family, where no [`Avx2`] exists.

use crate::census::Census;
use crate::flood::OnGrid;
use crate::graph::OnGraph;
use crate::grid::Grid;
use crate::lanes::Narrow;
use crate::levels::{Extent, measure};
use crate::network::{Hidden, Network};
use crate::processor::Avx2;
use crate::sets::{Cells, Two};
use crate::value::Features;

pub(crate) fn measure_grid(
    _: Avx2,
    grid: &Grid,
    free: &Cells,
    queens: [&[u16]; 2],
    extent: Extent,
    census: &mut Census,
) -> Features {
    measure(&OnGrid::<Two<Narrow>>::new(grid, free), queens, extent, census)
}

pub(crate) fn measure_graph<const W: usize>(
    _: Avx2,
    field: &OnGraph<W>,
    queens: [&[u16]; 2],
    extent: Extent,
    census: &mut Census,
) -> Features {
    measure(field, queens, extent, census)
}

pub(crate) fn hidden(_: Avx2, network: &Network, census: &Census) -> Hidden {
    network.hidden(census)
}
