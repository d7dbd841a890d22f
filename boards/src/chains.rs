//! How an axis splits the vertices of a board into chains, and which of them are lines.

/// The longest line that fits a word between two sentinels.
const LONGEST_LINE: usize = 62;
pub(crate) const NONE: u16 = u16::MAX;

/// Vertices joined along one axis.
pub(crate) struct Chain {
    /// The vertices from its back end to its front end.
    pub vertices: Vec<u16>,
    /// Whether each edge has its way back, there are two ends, and it fits a word.
    pub is_line: bool,
}

/// Splits the vertices into maximal chains along an axis: a link is an edge one way with its edge back.
pub(crate) fn chains(next: &[[u16; 8]], axis: usize) -> Vec<Chain> {
    let linked = |from: u16, direction: usize| {
        let to = next[usize::from(from)][direction];
        (to != NONE && next[usize::from(to)][(direction + 4) % 8] == from).then_some(to)
    };
    let mut bent = vec![false; next.len()];
    for from in 0..next.len() as u16 {
        for direction in [axis, axis + 4] {
            let to = next[usize::from(from)][direction];
            if to != NONE && linked(from, direction).is_none() {
                (bent[usize::from(from)], bent[usize::from(to)]) = (true, true);
            }
        }
    }
    let mut seen = vec![false; next.len()];
    let mut follow = |from: u16, is_cycle: bool| {
        let mut vertices = Vec::new();
        let mut here = Some(from);
        while let Some(vertex) = here.filter(|&vertex| !std::mem::replace(&mut seen[usize::from(vertex)], true)) {
            vertices.push(vertex);
            here = linked(vertex, axis);
        }
        let is_bent = vertices.iter().any(|&vertex| bent[usize::from(vertex)]);
        let is_line = !is_cycle && !is_bent && vertices.len() <= LONGEST_LINE;
        Chain { vertices, is_line }
    };
    let all = 0..next.len() as u16;
    let mut chains: Vec<_> =
        all.clone().filter(|&vertex| linked(vertex, axis + 4).is_none()).map(|end| follow(end, false)).collect();
    // Vertices to which no end leads form circles.
    chains.extend(all.map(|vertex| follow(vertex, true)).filter(|chain| !chain.vertices.is_empty()));
    chains
}
