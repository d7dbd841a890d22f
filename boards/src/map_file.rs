//! The keys of a map file, each with the place of its value.

use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MapFile {
    pub title: Option<Spanned<String>>,
    /// The side to move: 1 or 2, as in the picture.
    pub to_move: Option<Spanned<u64>>,
    /// A grid: one character for each square.
    pub picture: Option<Spanned<String>>,
    pub diagonals: Option<Spanned<String>>,
    /// A graph whose edges are all `[[edge]]`.
    pub vertices: Option<Spanned<u64>>,
    /// A graph in the Matrix Market format.
    pub graph: Option<Spanned<String>>,
    pub queens: Option<Spanned<[Vec<Spanned<u32>>; 2]>>,
    pub blocked: Option<Spanned<Vec<Spanned<u32>>>>,
    pub coordinates: Option<Spanned<Vec<[i32; 2]>>>,
    #[serde(default)]
    pub cut: Vec<Spanned<Cut>>,
    #[serde(default)]
    pub edge: Vec<Spanned<Edge>>,
}

/// An edge to remove.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cut {
    pub from: Spanned<String>,
    pub to: Spanned<String>,
    #[serde(default)]
    pub one_way: bool,
}

/// An edge to add.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Edge {
    pub from: Spanned<String>,
    pub to: Spanned<String>,
    pub direction: Spanned<String>,
    #[serde(default)]
    pub one_way: bool,
}
