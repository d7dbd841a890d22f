//! Marks that a reader may lay over the board, position by position.

use super::packed::pack;
use crate::drawing::Drawing;
use crate::text::clean;
use agon_playback::Playback;
use serde::Serialize;

/// The data of the script.
#[derive(Serialize)]
pub(super) struct Marks {
    /// The words of the button.
    t: String,
    /// The kinds: how a mark looks, and what it means.
    k: Vec<(String, String)>,
    /// For each position the cells that differ from the position before, as they are read, and their kinds from 1, as
    /// `pack` writes numbers: the distance of a cell from the one before, its kind. At first no cell has a kind.
    f: Vec<String>,
    /// Whether they are shown at first.
    s: bool,
}

impl Marks {
    /// The marks of a match; `None` if its pictures have none.
    pub fn of(playback: &Playback, drawing: &Drawing) -> Option<Marks> {
        let overlay = |frame: &agon_playback::Frame| frame.scene.overlay.clone();
        let first = playback.frames.iter().find_map(overlay)?;
        let kinds = drawing.marks(&first).into_iter();
        let k: Vec<(String, String)> = kinds.map(|(look, words)| (look.as_str().to_owned(), clean(&words))).collect();
        let mut before = vec![0; drawing.names().flatten().count()];
        let patches = playback.frames.iter().map(|frame| {
            let now = overlay(frame).map_or_else(|| vec![0; before.len()], |overlay| drawing.marked(&overlay));
            let patch = patch(&before, &now);
            before = now;
            patch
        });
        let marks = Marks { t: clean(&first.title), k, f: patches.collect(), s: first.is_shown };
        (!marks.k.is_empty()).then_some(marks)
    }
}

/// The numbers that differ, as `pack` writes them.
fn patch(before: &[usize], now: &[usize]) -> String {
    let (mut patch, mut last) = (String::new(), 0);
    for (cell, (_, kind)) in before.iter().zip(now).enumerate().filter(|(_, (before, now))| before != now) {
        pack(&mut patch, cell - last);
        pack(&mut patch, *kind);
        last = cell;
    }
    patch
}
