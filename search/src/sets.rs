//! The sets on which distances are computed: sets of vertices, those of both sides at once, and the steps of pieces
//! from one to the next.

/// No vertex, and no bit of a grid.
pub(crate) const NONE: u16 = u16::MAX;

/// Words of 64 bits of the largest grid: 32 rows of 32.
pub(crate) const WORDS: usize = 16;

/// A bit a cell of a grid, row by row from the top.
pub(crate) type Cells = [u64; WORDS];

/// A set of vertices.
pub(crate) trait Set: Copy {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn without(self, other: Self) -> Self;
    fn is_empty(self) -> bool;
    fn count(self) -> i32;
}

/// A bit a member, in words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<const W: usize>(pub [u64; W]);

impl<const W: usize> Words<W> {
    #[inline(always)]
    fn zip(self, other: Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        Words(std::array::from_fn(|word| combine(self.0[word], other.0[word])))
    }
}

impl<const W: usize> Set for Words<W> {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }
    #[inline(always)]
    fn count(self) -> i32 {
        self.0.iter().map(|word| word.count_ones() as i32).sum()
    }
}

/// A set of each side; what is done is done to both.
pub(crate) trait Both: Set {
    /// Each side has that of the other.
    fn swap(self) -> Self;
    /// The number of vertices of each side.
    fn counts(self) -> [i32; 2];
}

/// Two sets, one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Two<S>(pub [S; 2]);

impl<S: Set> Set for Two<S> {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Two([self.0[0].and(other.0[0]), self.0[1].and(other.0[1])])
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Two([self.0[0].or(other.0[0]), self.0[1].or(other.0[1])])
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Two([self.0[0].xor(other.0[0]), self.0[1].xor(other.0[1])])
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Two([self.0[0].without(other.0[0]), self.0[1].without(other.0[1])])
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0[0].or(self.0[1]).is_empty()
    }
    #[inline(always)]
    fn count(self) -> i32 {
        self.0[0].count() + self.0[1].count()
    }
}

impl<S: Set> Both for Two<S> {
    #[inline(always)]
    fn swap(self) -> Self {
        Two([self.0[1], self.0[0]])
    }
    #[inline(always)]
    fn counts(self) -> [i32; 2] {
        [self.0[0].count(), self.0[1].count()]
    }
}

/// A board with what stands on it.
pub(crate) trait Field {
    type Both: Both;

    /// The vertices on which nothing stands, for both sides the same.
    fn free(&self) -> Self::Both;

    /// A vertex of each side; none for [`NONE`].
    fn pieces(&self, vertices: [u16; 2]) -> Self::Both;

    /// The vertices of `left` that a slide from a vertex of `from` reaches, `from` being so many slides away from
    /// queens. A slide need not pass what was reached before: whoever could go on from there has done so.
    fn queen_steps(&self, from: Self::Both, left: Self::Both, distance: u32) -> Self::Both;

    /// The vertices of `left` that are one step from a vertex of `from`.
    fn king_steps(&self, from: Self::Both, left: Self::Both) -> Self::Both;
}
