//! What changes from position to position: which part gets which look. Looks are told once.

use crate::drawing::Drawing;
use crate::text::clean;
use agon_games::Language;
use agon_model::visible::{Medium, visible};
use agon_playback::{Frame, Playback};
use serde::Serialize;
use std::collections::BTreeMap;

/// The data of the script; short keys, since they are in every file.
#[derive(Serialize)]
pub(super) struct Changes {
    /// What looks are made of, each in the pieces between its texts.
    t: Vec<Vec<String>>,
    /// Looks: SVG of parts, and words.
    d: Vec<Look>,
    /// Of each position: the parts that differ from the position before and their looks, as `pack` writes numbers: how
    /// much further a part is than the one before, its look. The first position is in the page.
    f: Vec<String>,
    /// What sentences are made of, each in the pieces between its words with digits.
    u: Vec<Vec<String>>,
    /// Each position in a sentence: the number of its pieces, and the words between them.
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
    /// All looks that are not in the page from its start, one behind the other.
    #[serde(skip)]
    pub drawn: String,
}

/// A look: words by themselves, or a form with the texts and outlines between its pieces.
#[derive(Serialize)]
#[serde(untagged)]
enum Look {
    Words(String),
    Form(usize, Vec<String>),
}

impl Changes {
    /// Of a match.
    pub fn of(playback: &Playback, drawing: &Drawing) -> Changes {
        let (mut looks, mut forms) = (Looks::default(), Forms::default());
        let mut before: Option<Vec<String>> = None;
        let mut patches = Vec::new();
        for frame in &playback.frames {
            let parts = drawing.looks(&frame.scene).into_iter().map(|look| look.as_str().to_owned());
            let now: Vec<String> =
                parts.chain(drawing.words(&frame.scene, Language::English).iter().map(|words| clean(words))).collect();
            patches.push(before.as_ref().map_or(String::new(), |before| looks.patch(before, &now)));
            before = Some(now);
        }
        let texts = |of: fn(&Frame) -> &Vec<String>| {
            let frames = playback.frames.iter().enumerate().filter(move |(_, frame)| !of(frame).is_empty());
            frames.map(|(turn, frame)| (turn, of(frame).iter().map(|text| clean(text)).collect())).collect()
        };
        let mut sentences = Sentences::default();
        let drawn = looks.all.concat();
        Changes {
            d: looks.all.iter().map(|look| forms.take(look)).collect(),
            t: forms.all,
            drawn,
            f: patches,
            s: playback.frames.iter().map(|frame| sentences.take(&clean(&frame.scene.spoken))).collect(),
            u: sentences.all,
            c: clocks(playback),
            e: texts(|frame| &frame.events),
            o: texts(|frame| &frame.outputs),
            w: playback.slowest(),
            x: super::chart::turns(playback),
        }
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
    fn patch(&mut self, before: &[String], now: &[String]) -> String {
        let changed = now.iter().enumerate().filter(|(part, look)| before.get(*part) != Some(look));
        let (mut patch, mut last) = (String::new(), 0);
        for (part, look) in changed {
            let next = self.all.len();
            let number = *self.numbers.entry(look.clone()).or_insert(next);
            if number == next {
                self.all.push(look.clone());
            }
            pack(&mut patch, part - last);
            pack(&mut patch, number);
            last = part;
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

/// What looks have in common: their SVG without its texts and without where lines go.
#[derive(Default)]
struct Forms {
    all: Vec<Vec<String>>,
    numbers: BTreeMap<Vec<String>, usize>,
}

impl Forms {
    fn take(&mut self, look: &str) -> Look {
        if !look.starts_with('<') {
            return Look::Words(look.to_owned());
        }
        let (mut pieces, mut texts, mut rest) = (vec![String::new()], Vec::new(), look);
        while let Some((begin, end)) = next_begin(rest) {
            let (piece, after) = rest.split_at(begin);
            let text = after.find(end).map_or(after, |end| &after[..end]);
            pieces.last_mut().into_iter().for_each(|last| last.push_str(piece));
            if !text.is_empty() {
                texts.push(text.to_owned());
                pieces.push(String::new());
            }
            rest = &after[text.len()..];
        }
        pieces.last_mut().into_iter().for_each(|last| last.push_str(rest));
        let next = self.all.len();
        let number = *self.numbers.entry(pieces.clone()).or_insert(next);
        if number == next {
            self.all.push(pieces);
        }
        Look::Form(number, texts)
    }
}

/// What sentences have in common.
#[derive(Default)]
struct Sentences {
    all: Vec<Vec<String>>,
    numbers: BTreeMap<Vec<String>, usize>,
}

impl Sentences {
    fn take(&mut self, sentence: &str) -> String {
        let (mut pieces, mut words) = (Vec::new(), String::new());
        let mut piece = String::new();
        for (place, word) in sentence.split(' ').enumerate() {
            if place > 0 {
                piece.push(' ');
            }
            if word.bytes().any(|byte| byte.is_ascii_digit()) {
                words += &format!(" {word}");
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece.push_str(word);
            }
        }
        pieces.push(piece);
        let next = self.all.len();
        let number = *self.numbers.entry(pieces.clone()).or_insert(next);
        if number == next {
            self.all.push(pieces);
        }
        format!("{number}{words}")
    }
}

/// Where the next text or outline begins, and the sign that ends it.
fn next_begin(look: &str) -> Option<(usize, char)> {
    const OUTLINE: &str = " d=\"";
    let text = look.find('>').map(|end| (end + 1, '<'));
    let outline = look.find(OUTLINE).map(|begin| (begin + OUTLINE.len(), '"'));
    text.into_iter().chain(outline).min()
}

/// Digits of packed numbers; those of the second half say that more follow.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A number in digits of five bits, the least first.
fn pack(to: &mut String, number: usize) {
    let mut rest = number;
    while rest > 31 {
        to.push(char::from(DIGITS[32 + rest % 32]));
        rest /= 32;
    }
    to.push(char::from(DIGITS[rest]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_packed_small_ones_into_one_digit() {
        let packed = |number| {
            let mut text = String::new();
            pack(&mut text, number);
            text
        };
        for (number, text) in [(0, "A"), (31, "f"), (32, "gB"), (63, "_B"), (1000, "of"), (1024, "ggB")] {
            assert_eq!(packed(number), text, "{number}");
        }
    }

    #[test]
    fn sentences_of_one_form_share_it() {
        let mut sentences = Sentences::default();
        let said = ["Player 1 moved from c9 to c3.", "Player 2 moved from a1 to b2.", "", "12", "It is  over, 3 : 4"];
        let taken: Vec<String> = said.iter().map(|sentence| sentences.take(sentence)).collect();
        assert_eq!(taken[..2], ["0 1 c9 c3.", "0 2 a1 b2."]);
        for (sentence, taken) in said.iter().zip(&taken) {
            let mut words = taken.split(' ');
            let form = &sentences.all[words.next().unwrap().parse::<usize>().unwrap()];
            let whole: String =
                std::iter::once("").chain(words).zip(form).map(|(word, piece)| word.to_owned() + piece).collect();
            assert_eq!(whole, *sentence);
        }
    }

    #[test]
    fn looks_of_one_form_share_it() {
        let mut forms = Forms::default();
        let looks = [
            "<use href=\"#k\"/><text x=\"1\">62</text>",
            "<use href=\"#k\"/><text x=\"1\">7 &lt;</text>",
            "",
            "<use href=\"#k\"/>",
            "<path class=\"p\" d=\"M1,2L3,4\"/><path class=\"q\" d=\"M3,4L5,6\"/>",
            "<path class=\"p\" d=\"M7,2L3,4\"/><path class=\"q\" d=\"M3,4L5,9\"/>",
            "<path class=\"p\" d=\"M7,2L3,4\"/><path class=\"q\" d=\"M3,4L5,9",
            "a > b",
        ];
        let taken: Vec<Look> = looks.iter().map(|look| forms.take(look)).collect();
        assert_eq!(forms.all.len(), 4, "{:?}", forms.all);
        for (look, taken) in looks.iter().zip(taken) {
            let whole = match taken {
                Look::Words(words) => words,
                Look::Form(form, texts) => {
                    let texts = std::iter::once("").chain(texts.iter().map(String::as_str));
                    texts.zip(&forms.all[form]).map(|(text, piece)| text.to_owned() + piece).collect()
                }
            };
            assert_eq!(whole, *look);
        }
    }
}
