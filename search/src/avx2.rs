//! Sets in registers of 256 bits, and the evaluation compiled for processors that have them. The package has unsafe
//! code only here and in this folder: the intrinsics need AVX2. They are called only with an [`Avx2`], whose value
//! proves that the processor has it.
#![expect(unsafe_code)]

mod layer;
mod pair;
mod rows;

use crate::census::Census;
use crate::flood::OnGrid;
use crate::graph::OnGraph;
use crate::grid::Grid;
use crate::levels::{Extent, measure};
use crate::network::{Hidden, Network};
use crate::processor::Avx2;
use crate::sets::{Cells, Two};
use crate::value::Features;
use pair::Pair;
use rows::{Rows, Wide};

/// [`measure`] of a grid.
pub(crate) fn measure_grid(
    _: Avx2,
    grid: &Grid,
    free: &Cells,
    queens: [&[u16]; 2],
    extent: Extent,
    census: &mut Census,
) -> Features {
    // SAFETY: a value of that type is only made where the processor has all that the function enables.
    unsafe { on_grid(grid, free, queens, extent, census) }
}

/// [`measure`] of any graph.
pub(crate) fn measure_graph<const W: usize>(
    _: Avx2,
    field: &OnGraph<W>,
    queens: [&[u16]; 2],
    extent: Extent,
    census: &mut Census,
) -> Features {
    // SAFETY: a value of that type is only made where the processor has all that the function enables.
    unsafe { on_graph(field, queens, extent, census) }
}

/// Does the same as [`Network::hidden`].
pub(crate) fn hidden(_: Avx2, network: &Network, census: &Census) -> Hidden {
    // SAFETY: a value of that type is only made where the processor has all that the function enables.
    unsafe { layer::hidden(network, census) }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
fn on_grid(grid: &Grid, free: &Cells, queens: [&[u16]; 2], extent: Extent, census: &mut Census) -> Features {
    if grid.is_compact() {
        measure(&OnGrid::<Pair>::new(grid, free), queens, extent, census)
    } else if grid.is_wide {
        measure(&OnGrid::<Two<Wide>>::new(grid, free), queens, extent, census)
    } else {
        measure(&OnGrid::<Two<Rows>>::new(grid, free), queens, extent, census)
    }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
fn on_graph<const W: usize>(field: &OnGraph<W>, queens: [&[u16]; 2], extent: Extent, census: &mut Census) -> Features {
    measure(field, queens, extent, census)
}
