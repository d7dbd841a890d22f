//! What changes from position to position: which part gets which look. Looks are told once.

use crate::drawing::Drawing;
use crate::text::clean;
use agon_games::Language;
use agon_model::visible::{Medium, visible};
use agon_report::{Frame, Playback};
use serde::Serialize;
use std::collections::BTreeMap;

/// The data of the script; short keys, since they are in every file.
#[derive(Serialize)]
pub(super) struct Changes {
    /// Looks: SVG of parts, and words.
    d: Vec<String>,
    /// Of each position: part, look, part, look, … that differ from the position before; the first is in the page.
    f: Vec<Vec<usize>>,
    /// Each position in a sentence.
    s: Vec<String>,
    /// The clocks at the start, used and left; then of each turn seat, used, left of whoever moved.
    c: Vec<Vec<Vec<u64>>>,
    /// Events by turn.
    e: BTreeMap<usize, Vec<String>>,
    /// Lines that were printed, by turn.
    o: BTreeMap<usize, Vec<String>>,
    /// The turn of the slowest move.
    w: usize,
    /// Where turn 0 is in a chart, and how far it is to the next one.
    x: [f64; 2],
}

impl Changes {
    /// Of a match.
    pub fn of(playback: &Playback, drawing: &Drawing) -> Changes {
        let mut looks = Looks::default();
        let mut before: Option<Vec<String>> = None;
        let mut patches = Vec::new();
        for frame in &playback.frames {
            let parts = drawing.looks(&frame.scene).into_iter().map(|look| look.as_str().to_owned());
            let now: Vec<String> =
                parts.chain(drawing.words(&frame.scene, Language::English).iter().map(|words| clean(words))).collect();
            patches.push(before.as_ref().map_or(Vec::new(), |before| looks.patch(before, &now)));
            before = Some(now);
        }
        let texts = |of: fn(&Frame) -> &Vec<String>| {
            let frames = playback.frames.iter().enumerate().filter(move |(_, frame)| !of(frame).is_empty());
            frames.map(|(turn, frame)| (turn, of(frame).iter().map(|text| clean(text)).collect())).collect()
        };
        Changes {
            d: looks.all,
            f: patches,
            s: playback.frames.iter().map(|frame| clean(&frame.scene.spoken)).collect(),
            c: clocks(playback),
            e: texts(|frame| &frame.events),
            o: texts(|frame| &frame.outputs),
            w: playback.slowest(),
            x: super::chart::turns(playback),
        }
    }

    /// All looks that are not in the page from its start, one behind the other.
    pub fn looks(&self) -> String {
        self.d.concat()
    }

    /// As it may stand in a page.
    pub fn json(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        visible(&text, Medium::Json).replace('<', "\\u003c")
    }
}

/// Every look once.
#[derive(Default)]
struct Looks {
    all: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

impl Looks {
    fn patch(&mut self, before: &[String], now: &[String]) -> Vec<usize> {
        let changed = now.iter().enumerate().filter(|(part, look)| before.get(*part) != Some(look));
        let mut patch = Vec::new();
        for (part, look) in changed {
            let next = self.all.len();
            let number = *self.numbers.entry(look.clone()).or_insert(next);
            if number == next {
                self.all.push(look.clone());
            }
            patch.extend([part, number]);
        }
        patch
    }
}

fn clocks(playback: &Playback) -> Vec<Vec<Vec<u64>>> {
    let clock = |(used, left): &(u64, Option<u64>)| [Some(*used), *left].into_iter().flatten().collect::<Vec<u64>>();
    let mut all: Vec<Vec<Vec<u64>>> = Vec::new();
    for (turn, frame) in playback.frames.iter().enumerate() {
        let before = turn.checked_sub(1).map(|turn| &playback.frames[turn].clocks);
        all.push(match before {
            None => frame.clocks.iter().map(clock).collect(),
            Some(before) => {
                let moved = frame.clocks.iter().enumerate().filter(|(seat, clock)| before.get(*seat) != Some(clock));
                moved.map(|(seat, its)| [vec![seat as u64], clock(its)].concat()).collect()
            }
        });
    }
    all
}
