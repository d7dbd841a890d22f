//! A client's log of one move.

/// A client's log of one move, by the keys that mean the same to all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Thought {
    /// How good the position is for the client, in a scale of its own.
    pub value: Option<f64>,
    /// How far it looked ahead.
    pub depth: Option<f64>,
    /// The number of positions that it looked at.
    pub nodes: Option<u64>,
}

impl Thought {
    /// Takes a line of a log, `key TAB value`. The last line of a key counts.
    pub fn take(&mut self, line: &str) {
        let Some((key, text)) = line.split_once('\t') else { return };
        let number = || text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        match key {
            "value" => self.value = number(),
            "depth" => self.depth = number(),
            "nodes" => self.nodes = text.trim().parse().ok(),
            _ => {}
        }
    }
}
