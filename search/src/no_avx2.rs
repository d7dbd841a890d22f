//! What stands for `avx2.rs` on processors of another family.

use crate::graph::OnGraph;
use crate::grid::{Cells, Grid};
use crate::levels::Extent;
use crate::value::Features;

/// Never there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Avx2 {}

impl Avx2 {
    pub fn detect() -> Option<Avx2> {
        None
    }

    pub fn measure_grid(self, _: &Grid, _: &Cells, _: [&[u16]; 2], _: Extent) -> Features {
        match self {}
    }

    pub fn measure_graph<const W: usize>(self, _: &OnGraph<W>, _: [&[u16]; 2], _: Extent) -> Features {
        match self {}
    }
}
