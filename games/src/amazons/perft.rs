//! Counts lines of play: it makes every move of the first plies, and counts those of the last without listing them.

use super::abi::AmazonsMove;
use super::position::Position;
use super::setting::Prepared;
use std::ops::ControlFlow;

/// The number of sequences of `depth` full moves from the start of the setting; 1 for depth 0.
pub fn perft(setting: &Prepared, depth: u32) -> u64 {
    count(setting, &mut Position::clone(&setting.start), depth)
}

/// The same as [`perft`] from any position, which it leaves unchanged.
pub(super) fn count(setting: &Prepared, position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => return 1,
        1 => return position.count(setting),
        _ => {}
    }
    let mut total = 0;
    for queen in 0..position.queens[position.side].len() {
        let from = position.queens[position.side][queen];
        position.lift(setting, from.into());
        let stops = reached(setting, position, from);
        for to in stops {
            let arrows = reached(setting, position, to);
            for arrow in arrows {
                total += count_below(setting, position, queen, [from, to, arrow], depth);
            }
        }
        position.lift(setting, from.into());
    }
    total
}

fn reached(setting: &Prepared, position: &Position, from: u16) -> Vec<u16> {
    let mut vertices = Vec::new();
    let _ = setting.lines.each(&position.occupied, from.into(), |to| {
        vertices.push(to as u16);
        ControlFlow::Continue(())
    });
    vertices
}

/// The number of sequences after one move, whose queen has been lifted already.
fn count_below(setting: &Prepared, position: &mut Position, queen: usize, mv: [u16; 3], depth: u32) -> u64 {
    let [from, to, arrow] = mv;
    let mv = AmazonsMove { queen_src: from.into(), queen_dst: to.into(), arrow_dst: arrow.into() };
    let side = position.side;
    position.lift(setting, from.into());
    position.make(setting, mv);
    let total = count(setting, position, depth - 1);
    position.side = side;
    position.free += 1;
    position.queens[side][queen] = from;
    for vertex in [from, to, arrow] {
        position.occupied.toggle(&setting.lines, vertex.into());
    }
    position.lift(setting, from.into());
    total
}
