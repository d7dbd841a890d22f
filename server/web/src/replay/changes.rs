//! The changes from position to position: which part gets which look. Each look is written once.

use super::marks::Marks;
use super::packed::pack;
use super::told::{self, Text};
use crate::drawing::Drawing;
use crate::svg::Svg;
use crate::text::clean;
use agon_games::Language;
use agon_model::visible::{Medium, visible};
use agon_playback::{Frame, Playback};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::io::Write;

/// Parts in a row: where the first one stands, how far it is to the next one, and how many there are.
type Row = (Short, Short, Short, usize);

/// The data of the script. Its keys are short, since they are in every file.
#[derive(Serialize)]
pub(super) struct Changes {
    /// Width and height of the board, if there is one.
    #[serde(rename = "b", skip_serializing_if = "Option::is_none")]
    board_size: Option<[Short; 2]>,
    /// The places of the parts, each in its piece of the picture.
    #[serde(rename = "p")]
    places: Vec<Row>,
    /// The forms of looks, each in the pieces between its texts.
    #[serde(rename = "t")]
    forms: Vec<Vec<String>>,
    /// Looks of parts, and lines that are only heard.
    #[serde(rename = "d")]
    looks: Vec<Look>,
    /// For each line that is only heard, the first of the parts that show it, and their number.
    #[serde(rename = "r")]
    shown_by: Vec<[usize; 2]>,
    /// For each position the parts that differ from the position before and their looks, as `pack` writes numbers: the
    /// distance of a part from the one before, its look. Before the first position, all parts have the first look.
    #[serde(rename = "f")]
    patches: Vec<String>,
    /// For each position the lines of the last move: their class and their parts, as `pack` writes numbers.
    #[serde(rename = "l")]
    lines: Vec<String>,
    /// The pieces of texts between words with digits.
    #[serde(rename = "g")]
    pieces: Vec<String>,
    /// The forms of texts: their pieces, as `pack` writes numbers.
    #[serde(rename = "u")]
    texts: Vec<String>,
    /// For each position the number of parts of its sentence that are shown, as a digit; empty if all of all are.
    #[serde(rename = "y", skip_serializing_if = "String::is_empty")]
    brief: String,
    /// Each position in a sentence, as `told::Forms` tells texts.
    #[serde(rename = "s")]
    sentences: Vec<String>,
    /// For each turn seat, used and left of the clocks that differ from the turn before.
    #[serde(rename = "c")]
    clocks: Vec<Vec<Vec<u64>>>,
    /// Events by turn.
    #[serde(rename = "e")]
    events: BTreeMap<usize, Vec<String>>,
    /// Printed texts by turn, told as sentences are.
    #[serde(rename = "o")]
    outputs: BTreeMap<usize, String>,
    /// The turn that a fault ended, if one did.
    #[serde(rename = "z", skip_serializing_if = "Option::is_none")]
    broken: Option<usize>,
    /// The turn of the slowest move.
    #[serde(rename = "w")]
    slowest: usize,
    /// After each turn, how much the first seat is ahead, 0 to 100, if a client said so; empty if none did.
    #[serde(rename = "v", skip_serializing_if = "Vec::is_empty")]
    shares: Vec<Option<u8>>,
    /// The place of turn 0 in a chart, and the distance to the next turn.
    #[serde(rename = "x")]
    chart: [Short; 2],
    /// The script's texts in another language than English, which it contains.
    #[serde(rename = "n", skip_serializing_if = "BTreeMap::is_empty")]
    translations: BTreeMap<&'static str, &'static str>,
    /// Marks that can be laid over the board, if there are any.
    #[serde(rename = "m", skip_serializing_if = "Option::is_none")]
    marks: Option<Marks>,
    /// All looks and lines, one behind the other.
    #[serde(skip)]
    pub drawn: String,
}

/// A number, without a point where it is whole.
struct Short(f64);

impl Serialize for Short {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let whole = self.0.round();
        if whole == self.0 { serializer.serialize_i64(whole as i64) } else { serializer.serialize_f64(self.0) }
    }
}

/// A look: its words, its form, and the texts and outlines between the pieces of the form.
#[derive(Serialize)]
#[serde(untagged)]
enum Look {
    /// A line is told as sentences are; its first words are those of the parts that show it.
    Heard(String),
    Drawn(String, usize),
    Woven(String, usize, Vec<String>),
    /// One text of several words is told as sentences are.
    Told(String, usize, String),
}

impl Changes {
    /// The changes of a match.
    pub fn of(playback: &Playback, drawing: &Drawing) -> Changes {
        let frames = || playback.frames.iter();
        let (mut said, shown_by) = (told::Forms::default(), drawing.shown_by());
        let positions =
            frames().map(|frame| all_parts(drawing, frame, playback.language, &shown_by, &mut said)).collect();
        let (mut all, mut forms) = (Looks::default(), Forms::default());
        let patches = all.patches(positions);
        let sentences =
            frames().map(|frame| said.take(&Text::of_turn(&clean(&frame.scene.spoken), &frame.moves))).collect();
        let outputs = by_turn(playback, |frame| &frame.outputs);
        let outputs = outputs.map(|(turn, texts)| (turn, said.take(&Text::of(&texts.join("\n"), "")))).collect();
        let looks = all.all.iter().map(|part| forms.take(part, &mut said)).collect();
        let lines: Vec<Svg> = frames().map(|frame| drawing.draw_ways(&frame.scene)).collect();
        Changes {
            board_size: drawing.board_size().map(|size| size.map(Short)),
            places: short_runs(&drawing.places_in_pieces()),
            looks,
            shown_by,
            forms: forms.all,
            drawn: all.all.iter().map(|part| part.svg.as_str()).chain(lines.iter().map(Svg::as_str)).collect(),
            patches,
            lines: frames().map(|frame| ways(drawing, frame)).collect(),
            sentences,
            brief: brief(playback),
            texts: said.packed(),
            pieces: said.pieces,
            clocks: clocks(playback),
            events: by_turn(playback, |frame| &frame.events).collect(),
            outputs,
            broken: frames().position(|frame| frame.is_broken),
            slowest: playback.slowest(),
            shares: super::evaluation::shares(playback),
            chart: super::chart::turns(playback).map(Short),
            translations: super::texts::of_script(playback.language),
            marks: Marks::of(playback, drawing),
        }
    }

    /// The data as they stand in a page: compressed, in letters.
    pub fn packed(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        let text = visible(&text, Medium::Json);
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
        // A vector takes everything.
        let _ = packed.write_all(text.as_bytes());
        STANDARD.encode(packed.finish().unwrap_or_default())
    }
}

/// A part of a position: its picture, and its words for those who hear it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    svg: String,
    words: String,
    /// Whether it is a line that is only heard; its words are then those that `told::Forms` makes of it.
    is_line: bool,
}

/// The texts of this kind by turn, if a turn has any.
fn by_turn(playback: &Playback, of: fn(&Frame) -> &Vec<String>) -> impl Iterator<Item = (usize, Vec<String>)> {
    let texts = playback.frames.iter().map(move |frame| of(frame).iter().map(|text| clean(text)).collect::<Vec<_>>());
    texts.enumerate().filter(|(_, texts)| !texts.is_empty())
}

/// All parts of a position, cells and things of panels, and the lines that are only heard.
fn parts(drawing: &Drawing, frame: &Frame, language: Language) -> (Vec<Part>, Vec<String>) {
    let pictures: Vec<String> = drawing.looks(&frame.scene).iter().map(|look| look.as_str().to_owned()).collect();
    let mut words = drawing.words(&frame.scene, language);
    let lines = words.split_off(drawing.names().flatten().count());
    let cells = words.into_iter().chain(std::iter::repeat(String::new()));
    let drawn = pictures.into_iter().zip(cells).map(|(svg, words)| Part { svg, words: clean(&words), is_line: false });
    (drawn.collect(), lines.iter().map(|line| clean(line)).collect())
}

/// All parts of a position; the lines that are only heard come last.
fn all_parts(
    drawing: &Drawing,
    frame: &Frame,
    language: Language,
    shown_by: &[[usize; 2]],
    said: &mut told::Forms,
) -> Vec<Part> {
    let (mut parts, lines) = parts(drawing, frame, language);
    let told: Vec<Part> = lines.iter().zip(shown_by).map(|(line, row)| told(&parts, line, *row, said)).collect();
    parts.extend(told);
    parts
}

/// A line as it is told next to the parts that show it.
fn told(parts: &[Part], line: &str, [first, count]: [usize; 2], said: &mut told::Forms) -> Part {
    let row = parts.iter().skip(first).take(count);
    let shown = row.map(|part| told::words_drawn(&part.svg)).collect::<Vec<String>>().join(" ");
    Part { svg: String::new(), words: said.take(&Text::of(line, &shown)), is_line: true }
}

/// The look that most parts have.
fn most_frequent(parts: &[Part]) -> Part {
    let mut counts: BTreeMap<&Part, usize> = BTreeMap::new();
    parts.iter().filter(|part| !part.is_line).for_each(|part| *counts.entry(part).or_default() += 1);
    counts.into_iter().max_by_key(|(_, count)| *count).map_or_else(Part::default, |(part, _)| part.clone())
}

fn short_runs(places: &[[f64; 2]]) -> Vec<Row> {
    runs(places).into_iter().map(|(x, y, step, n)| (Short(x), Short(y), Short(step), n)).collect()
}

/// Places that stand in a row at equal distances are told by the first one.
fn runs(places: &[[f64; 2]]) -> Vec<(f64, f64, f64, usize)> {
    let tenths = |value: f64| (value * 10.0).round() / 10.0;
    let mut runs: Vec<(f64, f64, f64, usize)> = Vec::new();
    for [x, y] in places.iter().map(|place| place.map(tenths)) {
        match runs.last_mut() {
            Some((left, top, step, count @ 1)) if *top == y => (*step, *count) = (tenths(x - *left), 2),
            Some((left, top, step, count)) if *top == y && tenths(*left + *step * *count as f64) == x => *count += 1,
            _ => runs.push((x, y, 0.0, 1)),
        }
    }
    runs
}

fn ways(drawing: &Drawing, frame: &Frame) -> String {
    let packed = |(class, way): (char, Vec<usize>)| {
        let mut text = class.to_string();
        way.iter().for_each(|part| pack(&mut text, *part));
        text
    };
    drawing.ways(&frame.scene).into_iter().map(packed).collect::<Vec<String>>().join(" ")
}

/// Every look once.
#[derive(Default)]
struct Looks {
    all: Vec<Part>,
    numbers: BTreeMap<Part, usize>,
}

impl Looks {
    fn number(&mut self, part: &Part) -> usize {
        let next = self.all.len();
        let number = *self.numbers.entry(part.clone()).or_insert(next);
        if number == next {
            self.all.push(part.clone());
        }
        number
    }

    /// The changes from each position to the next.
    fn patches(&mut self, positions: Vec<Vec<Part>>) -> Vec<String> {
        let first = positions.first().map(Vec::as_slice).unwrap_or_default();
        let mut before = vec![most_frequent(first); first.len()];
        before.first().into_iter().for_each(|part| _ = self.number(part));
        let mut patches = Vec::new();
        for now in positions {
            patches.push(self.patch(&before, &now));
            before = now;
        }
        patches
    }

    fn patch(&mut self, before: &[Part], now: &[Part]) -> String {
        let changed = now.iter().enumerate().filter(|(part, look)| before.get(*part) != Some(look));
        let (mut patch, mut last) = (String::new(), 0);
        for (part, look) in changed {
            pack(&mut patch, part - last);
            pack(&mut patch, self.number(look));
            last = part;
        }
        patch
    }
}

/// The number of parts of each sentence that are shown.
fn brief(playback: &Playback) -> String {
    let all = playback.frames.iter().map(|frame| char::from_digit(frame.scene.brief.min(9) as u32, 10).unwrap_or('0'));
    Some(all.collect::<String>()).filter(|all| all.chars().any(|digit| digit != '0')).unwrap_or_default()
}

fn clocks(playback: &Playback) -> Vec<Vec<Vec<u64>>> {
    let mut before: &[(u64, Option<u64>)] = &[];
    let mut all = Vec::new();
    for frame in &playback.frames {
        let changed = frame.clocks.iter().enumerate().filter(|(seat, clock)| before.get(*seat) != Some(clock));
        let told = |(seat, (used, left)): (usize, &(u64, Option<u64>))| {
            [Some(seat as u64), Some(*used), *left].into_iter().flatten().collect()
        };
        all.push(changed.map(told).collect());
        before = frame.clocks.as_slice();
    }
    all
}

/// The common part of looks: their SVG without its texts and outlines.
#[derive(Default)]
struct Forms {
    all: Vec<Vec<String>>,
    numbers: BTreeMap<Vec<String>, usize>,
}

impl Forms {
    /// The form of a part.
    fn take(&mut self, part: &Part, said: &mut told::Forms) -> Look {
        let words = part.words.clone();
        if part.is_line {
            return Look::Heard(words);
        }
        let (mut pieces, mut texts, mut rest) = (vec![String::new()], Vec::new(), part.svg.as_str());
        while let Some((begin, ends)) = next_begin(rest) {
            let (piece, after) = rest.split_at(begin);
            let text = after.find(ends).map_or(after, |end| &after[..end]);
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
        match texts.as_slice() {
            [] => Look::Drawn(words, number),
            [text] if text.contains(' ') => Look::Told(words, number, said.take(&Text::of(text, ""))),
            _ => Look::Woven(words, number, texts),
        }
    }
}

/// Where the next text or outline begins, and the signs that end it.
fn next_begin(look: &str) -> Option<(usize, &'static [char])> {
    const OUTLINE: &str = " d=\"";
    let text = look.find('>').map(|end| (end + 1, ['<'].as_slice()));
    let outline = look.find(OUTLINE).map(|begin| (begin + OUTLINE.len(), ['"'].as_slice()));
    text.into_iter().chain(outline).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_a_row_are_told_by_the_first() {
        let places = [[6.0, 6.0], [46.0, 6.0], [86.0, 6.0], [206.04, 6.0], [6.0, 46.0], [1.5, 80.0]];
        assert_eq!(
            runs(&places),
            [(6.0, 6.0, 40.0, 3), (206.0, 6.0, 0.0, 1), (6.0, 46.0, 0.0, 1), (1.5, 80.0, 0.0, 1)]
        );
    }

    #[test]
    fn looks_of_one_form_share_it() {
        let mut forms = Forms::default();
        let looks = [
            "<use href=\"#k\"/><text x=\"1\">62</text>",
            "<use href=\"#k\"/><text x=\"1\">7&lt;</text>",
            "",
            "<use href=\"#k\"/>",
            "<path class=\"p\" d=\"M1,2L3,4\"/><path class=\"q\" d=\"M3,4L5,6\"/>",
            "<path class=\"p\" d=\"M7,2L3,4\"/><path class=\"q\" d=\"M3,4L5,9\"/>",
        ];
        let part = |look: &str| Part { svg: look.to_owned(), words: "w".to_owned(), is_line: false };
        let taken: Vec<Look> = looks.iter().map(|look| forms.take(&part(look), &mut told::Forms::default())).collect();
        assert_eq!(forms.all.len(), 4, "{:?}", forms.all);
        for (look, taken) in looks.iter().zip(taken) {
            let (form, texts) = match taken {
                Look::Heard(_) => (Vec::new(), Vec::new()),
                Look::Drawn(_, form) => (forms.all[form].clone(), Vec::new()),
                Look::Told(..) => panic!("no text of these has two words"),
                Look::Woven(_, form, texts) => (forms.all[form].clone(), texts),
            };
            let texts = texts.iter().map(String::as_str).chain(std::iter::repeat(""));
            let whole: String = form.iter().zip(texts).map(|(piece, text)| format!("{piece}{text}")).collect();
            assert_eq!(whole, *look);
        }
    }
}
