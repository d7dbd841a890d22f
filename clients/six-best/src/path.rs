//! The option `lanes`: which code plays the playouts. The results are the same, and so are the moves for the same
//! samples.

use crate::avx2::Avx2;
use crate::deal::{Deals, Lanes, MAX_SEATS};
use crate::table::Table;
use crate::{lanes, scalar};
use agon_client_api::Declined;

/// The code that plays out deals.
#[derive(Clone, Copy, Debug)]
pub enum Path {
    /// One game at a time.
    Scalar,
    /// Lanes, with the instructions that every processor of the family has.
    Portable,
    /// Lanes, with AVX2.
    Avx2(Avx2),
}

impl Path {
    /// The quickest one.
    pub fn auto() -> Path {
        Avx2::detect().map_or(Path::Portable, Path::Avx2)
    }

    /// Reads the option.
    ///
    /// # Errors
    /// It is none of the names, or this processor has no such instructions.
    pub fn from_option(text: Option<&str>) -> Result<Path, Declined> {
        match text {
            None | Some("auto") => Ok(Path::auto()),
            Some("scalar") => Ok(Path::Scalar),
            Some("portable") => Ok(Path::Portable),
            Some("avx2") => {
                Avx2::detect().map(Path::Avx2).ok_or_else(|| "lanes = \"avx2\": this processor has no AVX2".into())
            }
            Some(other) => Err(format!("lanes = \"{other}\": not auto, scalar, portable or avx2").into()),
        }
    }

    /// As in the option.
    pub fn name(self) -> &'static str {
        match self {
            Path::Scalar => "scalar",
            Path::Portable => "portable",
            Path::Avx2(_) => "avx2",
        }
    }

    /// Plays the deals from `table` to the end of the round; seat 0 begins with `first`, unless that is 0. The heads
    /// that each seat takes.
    #[inline]
    pub fn play(self, table: &Table, first: u8, deals: &Deals) -> [Lanes; MAX_SEATS] {
        match self {
            Path::Scalar => scalar::play(table, first, deals),
            Path::Portable => lanes::play::<Lanes>(table, first, deals),
            Path::Avx2(avx2) => avx2.play(table, first, deals),
        }
    }
}
