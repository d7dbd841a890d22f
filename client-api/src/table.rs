//! The table of fields of a client in Rust, worked out while it is compiled, in the order of `AGON_CLIENT`'s table.

use crate::Playable;
use agon_abi::{FieldEntry, Layout, SetupHead, Shape, TurnHead};

/// The shapes of both heads, setup, turn and move.
pub type Shapes = [Shape; 5];

/// The shapes of a game.
pub const fn shapes<G: Playable>() -> Shapes {
    [SetupHead::SHAPE, TurnHead::SHAPE, G::RawSetup::SHAPE, G::RawTurn::SHAPE, G::Move::SHAPE]
}

/// The number of their fields.
pub const fn count(shapes: &Shapes) -> usize {
    let (mut count, mut s) = (0, 0);
    while s < shapes.len() {
        count += shapes[s].fields.len();
        s += 1;
    }
    count
}

/// The bytes of all names, each ended by NUL.
pub const fn names_size(shapes: &Shapes) -> usize {
    let (mut size, mut s) = (0, 0);
    while s < shapes.len() {
        let mut f = 0;
        while f < shapes[s].fields.len() {
            size += shapes[s].fields[f].name.len() + 1;
            f += 1;
        }
        s += 1;
    }
    size
}

/// All names, each ended by NUL.
pub const fn names<const SIZE: usize>(shapes: &Shapes) -> [u8; SIZE] {
    let mut names = [0; SIZE];
    let (mut at, mut s) = (0, 0);
    while s < shapes.len() {
        let mut f = 0;
        while f < shapes[s].fields.len() {
            let name = shapes[s].fields[f].name.as_bytes();
            let mut i = 0;
            while i < name.len() {
                names[at + i] = name[i];
                i += 1;
            }
            at += name.len() + 1;
            f += 1;
        }
        s += 1;
    }
    names
}

/// The entries, whose names point into `names`.
pub const fn entries<const COUNT: usize>(shapes: &Shapes, names: &'static [u8]) -> [FieldEntry; COUNT] {
    let mut entries = [FieldEntry { name: std::ptr::null(), offset: 0, size: 0 }; COUNT];
    let (mut entry, mut at, mut s) = (0, 0, 0);
    while s < shapes.len() {
        let mut f = 0;
        while f < shapes[s].fields.len() {
            let field = shapes[s].fields[f];
            let name = names.as_ptr().wrapping_add(at).cast();
            entries[entry] = FieldEntry { name, offset: field.offset, size: field.size };
            at += field.name.len() + 1;
            entry += 1;
            f += 1;
        }
        s += 1;
    }
    entries
}
