//! Replaces `avx2.rs` on processors of another family.

use crate::deal::{Deals, Lanes, MAX_SEATS};
use crate::table::Table;

/// Never there.
#[derive(Clone, Copy, Debug)]
pub enum Avx2 {}

impl Avx2 {
    /// There is none.
    pub fn detect() -> Option<Avx2> {
        None
    }

    /// Never called.
    pub fn play(self, _: &Table, _: u8, _: &Deals) -> [Lanes; MAX_SEATS] {
        match self {}
    }
}
