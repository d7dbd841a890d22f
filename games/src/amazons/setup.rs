//! The setup struct of Amazons, with the arrays it points to.

use super::abi::{AmazonsSetup, HAS_ONE_WAY, IS_GRID};
use super::position::Position;
use super::setting::Prepared;
use crate::Seat;
use agon_abi::{Blob, Pod};
use std::mem::offset_of;
use std::sync::Arc;

/// Appends the setup of a seat in a match that begins at `begin`; its head stays zero.
pub(super) fn append(setting: &Prepared, begin: &Arc<Position>, seat: Seat, out: &mut Blob) {
    if !Arc::ptr_eq(begin, &setting.start) {
        return write(setting, begin, seat, out);
    }
    // Without an opening, all matches begin alike.
    let base = out.push_blob(setting.setup.get_or_init(|| {
        let mut blob = Blob::new();
        write(setting, begin, 0, &mut blob);
        blob
    }));
    out.put(base + offset_of!(AmazonsSetup, side), &(seat as u32));
}

fn write(setting: &Prepared, begin: &Position, seat: Seat, out: &mut Blob) {
    let (board, start) = (&setting.board, begin.to_start(setting));
    let flag = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
    let base = out.push(&AmazonsSetup {
        num_vertices: board.num_vertices() as u32,
        num_edges: board.num_edges() as u32,
        columns: board.columns() as u32,
        rows: board.rows() as u32,
        num_queens: [0, 1].map(|side| start.queens[side].len() as u32),
        num_blocked: start.blocked.len() as u32,
        side: seat as u32,
        side_to_move: start.to_move as u32,
        vacated: u32::from(!setting.vacated_is_free),
        flags: flag(board.is_grid(), IS_GRID) | flag(setting.has_one_way, HAS_ONE_WAY),
        ..AmazonsSetup::zeroed()
    });
    let matrix = board.matrix();
    attach(out, base + offset_of!(AmazonsSetup, row_start), matrix.row_start());
    attach(out, base + offset_of!(AmazonsSetup, targets), matrix.targets());
    attach(out, base + offset_of!(AmazonsSetup, directions), matrix.directions());
    for side in [0, 1] {
        attach(out, base + offset_of!(AmazonsSetup, queens) + 8 * side, &start.queens[side]);
    }
    attach(out, base + offset_of!(AmazonsSetup, blocked), &start.blocked);
    attach(out, base + offset_of!(AmazonsSetup, coordinates), board.coordinates().unwrap_or_default());
}

/// Appends an array and makes the pointer at byte `at` point to it; NULL for an empty one.
fn attach<T: Pod>(out: &mut Blob, at: usize, values: &[T]) {
    if !values.is_empty() {
        let target = out.push_slice(values);
        out.link(at, target);
    }
}
