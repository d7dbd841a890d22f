//! What distances are worked out on: sets of vertices, and the steps that pieces make from one set to the next.

/// A set of vertices.
pub(crate) trait Set: Copy {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn without(self, other: Self) -> Self;
    fn is_empty(self) -> bool;
    fn count(self) -> i32;
}

/// A board with what stands on it.
pub(crate) trait Field {
    type Set: Set;

    /// The vertices on which nothing stands.
    fn free(&self) -> Self::Set;

    /// One vertex.
    fn only(&self, vertex: u16) -> Self::Set;

    /// The vertices of `left` that a slide from a vertex of `from` reaches, `from` being so many slides away from queens. A slide need not
    /// pass what was reached before: whoever could go on from there has done so.
    fn queen_step(&self, from: Self::Set, left: Self::Set, distance: u32) -> Self::Set;

    /// The vertices of `left` that are one step from a vertex of `from`.
    fn king_step(&self, from: Self::Set, left: Self::Set) -> Self::Set;
}
