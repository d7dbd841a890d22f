//! The terms of evaluations, after Lieberum, "An evaluation function for the game of Amazons" (2005), in whole numbers.

/// A position in numbers. Each is that of the side to move less that of the other, but for `contested`.
///
/// D1 is the distance of a free vertex from a side in moves of queens, D2 in steps of kings; infinite where a side
/// cannot come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerritoryTerms {
    /// Vertices nearer to a side by D1.
    pub closer1: i32,
    /// Vertices as near to both sides by D1, which can come: Lieberum gives the side to move a fifth of each.
    pub tied1: i32,
    /// Vertices nearer to a side by D2.
    pub closer2: i32,
    /// Vertices as near to both sides by D2.
    pub tied2: i32,
    /// c1, in units of 1/64: the sum over vertices of 2 * (2^-D1 - 2^-D1 of the other), nothing beyond 7.
    pub near1: i32,
    /// c2, in units of 1/6: the sum over vertices of the difference of D2, at most 6 either way.
    pub near2: i32,
    /// w, in units of 1/128: the sum over the vertices that both sides reach of 2^-|difference of D1|, differences
    /// beyond 7 as 7.
    pub contested: i32,
}

impl TerritoryTerms {
    /// These, which are those of side 0, for a side.
    #[must_use]
    pub(crate) fn seen_from(self, side: usize) -> TerritoryTerms {
        if side == 0 {
            return self;
        }
        TerritoryTerms {
            closer1: -self.closer1,
            closer2: -self.closer2,
            near1: -self.near1,
            near2: -self.near2,
            ..self
        }
    }
}

/// c1 of a vertex at this distance, in units of 1/64.
#[inline(always)]
pub(crate) fn nearness(distance: u32) -> i32 {
    128i32.checked_shr(distance).unwrap_or(0)
}
