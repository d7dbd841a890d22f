//! How many moves the sides have left in regions of their own, and who wins by that: the side to move does if it is
//! certain of more than the other can come to. A queen that keeps the other side out is a wall: its side is promised
//! the moves of its other queens only.

use crate::arena::Arena;
use crate::filling::{Region, Room};
use crate::position::{Move, Position};

/// Which vertices a side can ever come to, if it may walk through its own queens.
struct Realm {
    vertices: Vec<u16>,
    is_in: Vec<bool>,
}

impl Realm {
    fn new(arena: &Arena, position: &Position, side: usize) -> Realm {
        let mut is_in = vec![false; arena.num_vertices()];
        let mut vertices = position.queens[side].clone();
        vertices.iter().for_each(|&queen| is_in[usize::from(queen)] = true);
        let mut done = 0;
        while let Some(&from) = vertices.get(done) {
            done += 1;
            for to in arena.neighbours(from.into()) {
                if !is_in[to] && !position.is_occupied(arena, to as u16) {
                    is_in[to] = true;
                    vertices.push(to as u16);
                }
            }
        }
        Realm { vertices, is_in }
    }
}

/// The rooms of both sides where their realms have no vertex in common, `None` where they have; at most
/// `work` moves are looked at in each region. The bounds hold whatever the other side does.
pub fn rooms(arena: &Arena, position: &Position, work: u32) -> Option<[Room; 2]> {
    let realms = [0, 1].map(|side| Realm::new(arena, position, side));
    are_apart(&realms).then(|| bounds(arena, position, &realms, work))
}

/// The rooms of both sides, only as exactly as it takes to tell the winner; see [`rooms`].
pub fn deciding_rooms(arena: &Arena, position: &Position, work: u32) -> Option<[Room; 2]> {
    let quick = rooms(arena, position, 0)?;
    if winner(&quick, position.side).is_some() { Some(quick) } else { rooms(arena, position, work) }
}

/// The side that wins for certain, and by how many moves at least, if the rooms tell: they may while some vertices are
/// still open to both sides, each of which counts for either. Where none is, at most `work` moves are looked at in each
/// region.
pub fn decide(arena: &Arena, position: &Position, work: u32) -> Option<(usize, u32)> {
    let realms = [0, 1].map(|side| Realm::new(arena, position, side));
    let decided = |work| {
        let rooms = bounds(arena, position, &realms, work);
        let side = if winner(&rooms, position.side)? { position.side } else { 1 - position.side };
        Some((side, rooms[side].least - rooms[1 - side].most))
    };
    decided(0).or_else(|| if are_apart(&realms) { decided(work) } else { None })
}

fn are_apart(realms: &[Realm; 2]) -> bool {
    !realms[0].vertices.iter().any(|&vertex| realms[1].is_in[usize::from(vertex)])
}

fn bounds(arena: &Arena, position: &Position, realms: &[Realm; 2], work: u32) -> [Room; 2] {
    [0, 1].map(|side| room(arena, position, realms, side, work))
}

/// Whether the side to move wins, if its room and that of the other side tell.
pub fn winner(rooms: &[Room; 2], side: usize) -> Option<bool> {
    let (own, other) = (rooms[side], rooms[1 - side]);
    if own.least > other.most {
        Some(true)
    } else if other.least >= own.most {
        Some(false)
    } else {
        None
    }
}

/// The move after which the side to move is certain to be most moves ahead, or to win, where the board is filled into
/// private regions; the best so far once `is_late`. At most `work` moves are looked at in each region after each move.
pub fn best_filling(arena: &Arena, position: &Position, work: u32, mut is_late: impl FnMut() -> bool) -> Option<Move> {
    let side = position.side;
    let before = rooms(arena, position, work)?;
    let mut next = position.clone();
    let mut moves = Vec::new();
    next.moves(arena, &mut moves);
    // Near the walls first: a cell with few free neighbours is lost most easily.
    let is_free = |vertex: &usize| !position.is_occupied(arena, *vertex as u16);
    let liberties = |vertex: u16| arena.neighbours(vertex.into()).filter(is_free).count();
    moves.sort_by_cached_key(|mv| (liberties(mv.arrow), liberties(mv.to)));
    let mut best: Option<(i64, Move)> = None;
    for mv in moves {
        next.play(arena, mv);
        let after = rooms(arena, &next, work);
        next.undo(arena, mv);
        // A move that opens a region again is the last resort.
        let ahead = after.map_or(i64::MIN, |after| i64::from(after[side].least) - i64::from(after[1 - side].most));
        if best.is_none_or(|(best, _)| ahead > best) {
            best = Some((ahead, mv));
        }
        // Who is not behind when the other is to move has won; more than one less than before is impossible.
        let is_enough =
            ahead >= 0 || ahead.saturating_add(1) >= i64::from(before[side].most) - i64::from(before[1 - side].most);
        if is_enough || is_late() {
            break;
        }
    }
    best.map(|(_, mv)| mv)
}

fn room(arena: &Arena, position: &Position, realms: &[Realm; 2], side: usize, work: u32) -> Room {
    let (own, other) = (&realms[side], &realms[1 - side]);
    let queens = &position.queens[side];
    let is_wall = |queen: u16| arena.sources[usize::from(queen)].iter().any(|&from| other.is_in[usize::from(from)]);
    let walls: Vec<u16> = queens.iter().copied().filter(|&queen| is_wall(queen)).collect();
    let is_open = !are_apart(realms);
    if !is_open && walls.is_empty() {
        return sum(arena, position, &own.vertices, queens, work);
    }
    let is_own = |vertex: &u16| !other.is_in[usize::from(*vertex)] && !walls.contains(vertex);
    let vertices: Vec<u16> = own.vertices.iter().copied().filter(is_own).collect();
    let least = sum(arena, position, &vertices, queens, work).least;
    // Each arrow takes a vertex.
    let most = if is_open {
        (own.vertices.len() - queens.len()) as u32
    } else {
        sum(arena, position, &own.vertices, queens, work).most
    };
    Room { least, most }
}

/// The room of all regions that these vertices fall into.
fn sum(arena: &Arena, position: &Position, vertices: &[u16], queens: &[u16], work: u32) -> Room {
    let mut total = Room { least: 0, most: 0 };
    for region in split(arena, vertices) {
        if !region.iter().any(|vertex| queens.contains(vertex)) {
            continue;
        }
        let room = Region::new(arena, position, &region).map(|mut region| region.room(work));
        let room = room.unwrap_or_else(|| Room {
            least: 0,
            most: region.iter().filter(|vertex| !queens.contains(vertex)).count() as u32,
        });
        (total.least, total.most) = (total.least + room.least, total.most + room.most);
    }
    total
}

/// The vertices by what hangs together, whichever way the edges lead.
fn split(arena: &Arena, vertices: &[u16]) -> Vec<Vec<u16>> {
    let mut left = vec![false; arena.num_vertices()];
    vertices.iter().for_each(|&vertex| left[usize::from(vertex)] = true);
    let mut regions = Vec::new();
    for &start in vertices {
        if !std::mem::replace(&mut left[usize::from(start)], false) {
            continue;
        }
        let mut region = vec![start];
        let mut done = 0;
        while let Some(&from) = region.get(done) {
            done += 1;
            let sources = arena.sources[usize::from(from)].iter().map(|&source| usize::from(source));
            for to in arena.neighbours(from.into()).chain(sources) {
                if std::mem::replace(&mut left[to], false) {
                    region.push(to as u16);
                }
            }
        }
        regions.push(region);
    }
    regions
}
