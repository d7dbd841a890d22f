//! What a reader may lay over the board, position by position.

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
    /// Of each position the kinds of its cells as they are read, a digit each.
    f: Vec<String>,
}

impl Marks {
    /// Of a match whose pictures have some.
    pub fn of(playback: &Playback, drawing: &Drawing) -> Option<Marks> {
        let overlay = |frame: &agon_playback::Frame| frame.scene.overlay.clone();
        let first = playback.frames.iter().find_map(overlay)?;
        let kinds = drawing.marks(&first).into_iter();
        let k: Vec<(String, String)> = kinds.map(|(look, words)| (look.as_str().to_owned(), clean(&words))).collect();
        let marked = |frame| overlay(frame).map_or_else(String::new, |overlay| drawing.marked(&overlay));
        let marks = Marks { t: clean(&first.title), k, f: playback.frames.iter().map(marked).collect() };
        (!marks.k.is_empty()).then_some(marks)
    }
}
