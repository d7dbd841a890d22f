//! The board of a setting and the opening of a match as plain data, for programs that play matches again without these
//! rules.

use super::setting::Prepared;
use super::{Amazons, notation, openings};
use crate::{Field, Fields, Opening};
use agon_boards::Start;
use std::sync::Arc;

/// The graph in compressed rows as in the header, its queens and blocks, and whether the vertex that a queen left is
/// free for its arrow.
pub(super) fn setting(setting: &Prepared) -> Fields {
    let (board, matrix) = (&setting.board, setting.board.matrix());
    let vacated = if setting.vacated_is_free { "free" } else { "blocked" };
    let mut fields = vec![
        ("vacated", Field::Text(vacated.to_owned())),
        ("names", Field::Texts((0..board.num_vertices()).map(|vertex| board.name(vertex)).collect())),
        ("row_start", Field::numbers(matrix.row_start())),
        ("targets", Field::numbers(matrix.targets())),
        ("directions", Field::numbers(matrix.directions())),
    ];
    fields.extend(position(setting.start.to_start(setting)));
    fields
}

/// The plies of an opening, and the resulting position.
pub(super) fn opening(setting: &Arc<Prepared>, opening: &Opening) -> Fields {
    let mut state = Amazons::at_start(setting);
    let plies = openings::play(&mut state, opening);
    let plies = plies.into_iter().map(|mv| notation::write(&setting.board, mv)).collect();
    let mut fields = vec![("plies", Field::Texts(plies))];
    fields.extend(position(state.position.to_start(setting)));
    fields
}

fn position(start: Start) -> Fields {
    vec![
        ("queens", Field::rows(&start.queens)),
        ("blocked", Field::numbers(&start.blocked)),
        ("side_to_move", Field::Number(start.to_move as u64)),
    ]
}
