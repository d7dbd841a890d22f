//! Sets in registers of 256 bits, and the evaluation compiled for processors that have them. The only unsafe code of
//! the package, with that of its folder: the intrinsics need AVX2, and are reached through [`Avx2`] alone, whose value
//! proves that there is AVX2.

mod pair;
mod rows;

use crate::flood::OnGrid;
use crate::graph::OnGraph;
use crate::grid::{Cells, Grid};
use crate::levels::{Extent, measure};
use crate::sets::Two;
use crate::value::Features;
use pair::Pair;
use rows::{Rows, Wide};

/// Proof that this processor has AVX2, and the smaller extensions that came before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Looks at the processor.
    pub fn detect() -> Option<Avx2> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt");
        has_all.then_some(Avx2(()))
    }

    /// [`levels::measure`] of a grid.
    #[inline]
    pub fn measure_grid(self, grid: &Grid, free: &Cells, queens: [&[u16]; 2], extent: Extent) -> Features {
        // SAFETY: a value of this type is only made where the processor has all that the function enables.
        unsafe { measure_grid(grid, free, queens, extent) }
    }

    /// [`levels::measure`] of any graph.
    #[inline]
    pub fn measure_graph<const W: usize>(self, field: &OnGraph<W>, queens: [&[u16]; 2], extent: Extent) -> Features {
        // SAFETY: a value of this type is only made where the processor has all that the function enables.
        unsafe { measure_graph(field, queens, extent) }
    }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
fn measure_grid(grid: &Grid, free: &Cells, queens: [&[u16]; 2], extent: Extent) -> Features {
    if grid.is_compact() {
        measure(&OnGrid::<Pair>::new(grid, free), queens, extent)
    } else if grid.is_wide {
        measure(&OnGrid::<Two<Wide>>::new(grid, free), queens, extent)
    } else {
        measure(&OnGrid::<Two<Rows>>::new(grid, free), queens, extent)
    }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
fn measure_graph<const W: usize>(field: &OnGraph<W>, queens: [&[u16]; 2], extent: Extent) -> Features {
    measure(field, queens, extent)
}
