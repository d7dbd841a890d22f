//! The options of Amazons, worked out: the board, its tables, and the keys of the hash.

use super::openings::Openings;
use super::position::Position;
use crate::mix::splitmix64;
use crate::{BadOption, OptionFact, Options};
use agon_abi::Blob;
use agon_boards::{Board, Diagonals, Lines, Placement, Start};
use std::sync::{Arc, OnceLock};

/// The options and their defaults.
pub(super) const OPTIONS: &[OptionFact] = &[
    OptionFact {
        key: "board",
        default: "square:10",
        help: "square:W, donut:W, clover:W, eight:W (widths 5 to 32), standard-10, standard-8, standard-6, or the path of a map file",
        example: "board=mini-2",
        may_be_file: true,
        ..OptionFact::BASE
    },
    OptionFact {
        key: "placement",
        default: "figures",
        help: "where the queens of a generated board stand: figures (spread over the border) or corners",
        example: "board=square:7 placement=corners",
        ..OptionFact::BASE
    },
    OptionFact {
        key: "diagonals",
        default: "natural",
        help: "diagonal steps of a generated board: natural (all) or cut (none that passes the corner of a hole)",
        example: "board=donut:9 diagonals=cut",
        ..OptionFact::BASE
    },
    OptionFact {
        key: "vacated",
        default: "free",
        help: "whether the arrow may pass and hit the square its queen has just left: free or blocked",
        example: "board=mini-2 vacated=blocked",
        ..OptionFact::BASE
    },
    OptionFact {
        key: "from",
        default: "start",
        help: "the position where matches begin: start (the board's own), a text such as 1=a4,d1/2=a7,d10/x=g7/move=2, or a file with such a text. The text names player 1's queens, player 2's queens, blocked squares, and who moves. agon rules amazons explains it",
        example: "board=mini-3 from=1=a2,c1/2=a3,c3/x=b2/move=2",
        may_be_file: true,
        ..OptionFact::BASE
    },
    OptionFact {
        key: "opening",
        default: "0",
        help: "how many random plies precede the clients' first move; or the path of a file with a line of play on each line, taken in order",
        example: "board=mini-3 opening=2",
        may_be_file: true,
        ..OptionFact::BASE
    },
];

/// The options of Amazons, worked out for all matches of a setting.
pub struct Prepared {
    pub(super) board: Board,
    pub(super) lines: Lines,
    /// Whether the vertex that the queen left is free for its arrow.
    pub(super) vacated_is_free: bool,
    /// Whether every edge has an edge back, so that a queen with a free neighbour can step there and shoot back.
    pub(super) can_shoot_back: bool,
    pub(super) has_one_way: bool,
    /// No vertex of the empty board reaches more vertices than this.
    pub(super) most_arrows: u64,
    pub(super) start: Arc<Position>,
    pub(super) openings: Openings,
    /// The numbers of each vertex in the hash: for a queen of side 0, of side 1, and for an arrow.
    pub(super) keys: Vec<[u64; 3]>,
    pub(super) start_hash: u64,
    /// The setup of side 0 from `start`, made at the first request.
    pub(super) setup: OnceLock<Blob>,
}

/// The part of the hash for side 1 to move.
pub(super) const SIDE_KEY: u64 = splitmix64(0);
/// The index of the arrow's key.
pub(super) const ARROW: usize = 2;

impl Prepared {
    /// Works out completed options.
    ///
    /// # Errors
    /// The error names the option that is wrong.
    pub fn from_options(options: &Options) -> Result<Prepared, BadOption> {
        let placement =
            options.choice("placement", &[("figures", Placement::Figures), ("corners", Placement::Corners)])?;
        let diagonals = options.choice("diagonals", &[("natural", Diagonals::Natural), ("cut", Diagonals::Cut)])?;
        let vacated_is_free = options.choice("vacated", &[("free", true), ("blocked", false)])?;
        let spec = options.get("board").unwrap_or_default();
        let board = agon_boards::parse(spec, placement, diagonals).map_err(|error| BadOption {
            key: "board".to_owned(),
            why: error.why,
            place: error.place,
        })?;
        let board = match options.get("from").unwrap_or_default() {
            "start" => board,
            text => place(&board, text)?,
        };
        let mut setting = Prepared::new(board, vacated_is_free);
        setting.openings = Openings::from_options(options, &setting)?;
        Ok(setting)
    }

    /// Makes a setting on any board.
    pub fn new(board: Board, vacated_is_free: bool) -> Prepared {
        let lines = Lines::new(&board);
        let start = Position::start(&board, &lines);
        let piece_key = |vertex: usize, kind: usize| splitmix64((3 * vertex + kind) as u64 + 1);
        let keys: Vec<_> =
            (0..board.num_vertices()).map(|vertex| [0, 1, ARROW].map(|kind| piece_key(vertex, kind))).collect();
        let mut start_hash = if start.side == 1 { SIDE_KEY } else { 0 };
        for (kind, pieces) in [board.queens(0), board.queens(1), board.blocked()].into_iter().enumerate() {
            pieces.iter().for_each(|&vertex| start_hash ^= keys[vertex as usize][kind]);
        }
        let can_shoot_back = vacated_is_free && every_edge_returns(&board);
        let empty = lines.empty();
        let most_arrows = (0..board.num_vertices()).map(|vertex| lines.count(&empty, vertex)).max().unwrap_or(0) as u64;
        let has_one_way = board.has_one_way();
        let (start, openings) = (Arc::new(start), Openings::Random(0));
        Prepared {
            board,
            lines,
            vacated_is_free,
            can_shoot_back,
            has_one_way,
            most_arrows,
            start,
            openings,
            keys,
            start_hash,
            setup: OnceLock::new(),
        }
    }
}

/// The board with the position that the option `from` describes.
fn place(board: &Board, text: &str) -> Result<Board, BadOption> {
    let moved = Start::parse(text, board).and_then(|start| board.with_start(start));
    moved.map_err(|error| BadOption { key: "from".to_owned(), why: error.why, place: error.place })
}

fn every_edge_returns(board: &Board) -> bool {
    let is_back = |from: usize, to: usize| board.neighbours(to).any(|(back, _)| back == from);
    (0..board.num_vertices()).all(|from| board.neighbours(from).all(|(to, _)| is_back(from, to)))
}
