//! A panel of a picture: lines of cards, pegs, heaps or words under a title, in columns that hold through a match.

use super::svg::{Svg, Units};
use agon_games::{Item, Panel};
use std::borrow::Cow;
use std::fmt::Display;

/// The distance between the dots of a reply.
const DOT: f64 = 12.5;
/// The height of a title, and of one with a seat.
const TITLE: f64 = 26.0;
const SEATED: f64 = 38.0;
/// Where the name stands that follows the seat of a title.
const AFTER_SEAT: f64 = 36.0;
/// The distance between sticks.
const STICK: f64 = 8.0;
/// The same where no heap has more sticks than this.
const WIDE_STICK: f64 = 11.0;
const FEW_STICKS: u32 = 24;
/// How much wider a title is, which is bold.
const BOLD: f64 = 1.12;

/// Where the things of a panel stand, in all scenes of a match.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// Width of each column.
    widths: Vec<f64>,
    /// Height of a line.
    height: f64,
    /// Most lines that are drawn.
    lines: usize,
    /// Most lines in words: of what is drawn, several may stand side by side.
    words: usize,
    /// Width of the longest title.
    title: f64,
    /// Whether a title names a seat.
    is_seated: bool,
    /// The most sticks of a heap.
    sticks: u32,
    /// Whether it has no words.
    is_picture: bool,
    /// Whether it has the score of each seat.
    is_score: bool,
    /// Width of the longest words in each column that something follows: they are never drawn smaller.
    texts: Vec<f64>,
    /// Width of the longest words that run on from each column to the end of their line.
    tails: Vec<f64>,
}

/// Panels with more lines of cards are drawn smaller.
const FEW_LINES: usize = 5;
/// By this factor.
const SMALLER: f64 = 0.9;
/// A line with at least this number of things is a hand.
const HAND: usize = 8;
/// The height of a card with the room around.
const CARD: f64 = 50.0;

/// The things of a panel, line by line: words where the game names nothing else.
fn items(panel: &Panel) -> impl Iterator<Item = Cow<'_, [Item]>> {
    let is_drawn = !panel.items.is_empty();
    let drawn = panel.items.iter().map(|line| Cow::Borrowed(line.as_slice()));
    let words = panel.lines.iter().filter(move |_| !is_drawn).map(|line| Cow::Owned(vec![Item::text(line)]));
    drawn.chain(words)
}

impl Columns {
    /// Makes room for a panel.
    pub fn fit(&mut self, panel: &Panel) {
        self.is_seated |= seat_of(panel).is_some();
        let before = if self.is_seated { AFTER_SEAT } else { 0.0 };
        self.title = self.title.max(before + BOLD * width_of(title_of(panel)));
        self.is_picture |= panel.is_picture;
        self.is_score |= panel.is_score;
        self.words = self.words.max(panel.lines.len());
        for (number, line) in items(panel).enumerate() {
            self.lines = self.lines.max(number + 1);
            self.widths.resize(self.widths.len().max(line.len()), 0.0);
            self.texts.resize(self.widths.len(), 0.0);
            self.tails.resize(self.widths.len(), 0.0);
            for (column, item) in line.iter().enumerate() {
                let [width, height] = size(item, self.stick());
                self.height = self.height.max(height);
                // Words at the end of a line run on; what stands before something else makes a column.
                let is_tail = column + 1 == line.len() && matches!(item, Item::Text(_) | Item::Row(_));
                let room = match item {
                    _ if is_tail => &mut self.tails,
                    Item::Text(_) => &mut self.texts,
                    _ => &mut self.widths,
                };
                room[column] = room[column].max(width);
            }
        }
    }

    /// Looks at the heaps of a panel: those of all positions have one scale, which must be known before any `fit`.
    pub fn count_sticks(&mut self, panel: &Panel) {
        self.sticks = panel.items.iter().flatten().map(most_sticks).fold(self.sticks, u32::max);
    }

    /// The distance between sticks.
    fn stick(&self) -> f64 {
        if self.sticks > FEW_STICKS { STICK } else { WIDE_STICK }
    }

    /// The height of the title.
    pub fn head(&self) -> f64 {
        let title = if self.is_seated { SEATED } else { TITLE };
        if self.title > 0.0 { title } else { 0.0 }
    }

    /// The title of a panel.
    fn drawn_title(&self, panel: &Panel) -> Svg {
        let mut svg = Svg::default();
        if let Some(seat) = seat_of(panel) {
            svg.symbol(&format!("s{seat}"), [15.0, 0.0]);
            push_words(&mut svg, "t", [AFTER_SEAT, 5.0], &panel.caption);
        } else if !title_of(panel).is_empty() {
            svg.words("text", &[("class", &"t")], title_of(panel));
        }
        svg
    }

    /// Width and height.
    pub fn size(&self) -> [f64; 2] {
        let lines = self.scale() * self.height * self.lines as f64;
        [self.width().max(self.title), self.head() + lines + 8.0]
    }

    /// Width without the title.
    pub fn width(&self) -> f64 {
        let mut before = 0.0;
        let mut widest = 0.0_f64;
        for (width, tail) in self.drawn_widths().zip(&self.tails) {
            widest = widest.max(before + tail).max(before + width);
            before += width;
        }
        widest
    }

    /// How wide each column is drawn.
    fn drawn_widths(&self) -> impl Iterator<Item = f64> {
        self.widths.iter().zip(&self.texts).map(|(width, text)| text.max(width * self.scale()))
    }

    /// How large the things are drawn, besides words.
    fn scale(&self) -> f64 {
        if self.lines > FEW_LINES && self.has_cards() { SMALLER } else { 1.0 }
    }

    /// Whether its things are drawn smaller.
    pub fn is_small(&self) -> bool {
        self.scale() != 1.0
    }

    /// Whether it is the panel of one seat, with its player.
    pub fn is_of_seat(&self) -> bool {
        self.is_seated
    }

    /// Whether it has the score of each seat.
    pub fn is_score(&self) -> bool {
        self.is_score
    }

    /// Whether its lines are hands of cards.
    pub fn has_hands(&self) -> bool {
        self.has_cards() && self.widths.len() >= HAND
    }

    /// Whether there are cards in it.
    pub fn has_cards(&self) -> bool {
        self.height >= CARD
    }

    /// Things as large as they are drawn.
    fn scaled(&self, things: Svg) -> Svg {
        if self.scale() == 1.0 || things == Svg::default() {
            return things;
        }
        let mut svg = Svg::default();
        svg.begin("g", &[("transform", &format!("scale({})", self.scale()))]);
        svg.push(&things);
        svg.end("g");
        svg
    }

    /// Where the title and then all things stand, line by line, from the panel's corner.
    pub fn places(&self) -> Vec<[f64; 2]> {
        let top = self.head();
        let mut places = vec![[0.0, 18.0]];
        for line in 0..self.lines {
            let mut x = 0.0;
            for width in self.drawn_widths() {
                places.push([x, top + self.scale() * self.height * (line as f64 + 0.5)]);
                x += width;
            }
        }
        places
    }

    /// How title and things look, in the order of `places`; what is not there is empty.
    pub fn looks(&self, panel: Option<&Panel>) -> Vec<Svg> {
        let mut looks = vec![Svg::default(); 1 + self.lines * self.widths.len()];
        let Some(panel) = panel else { return looks };
        looks[0] = self.drawn_title(panel);
        for (number, line) in items(panel).enumerate() {
            for (column, item) in line.iter().enumerate() {
                let drawn = look(item, panel.items.is_empty(), 0.0, self.stick());
                let drawn = if is_word(item) { drawn } else { self.scaled(drawn) };
                looks[1 + number * self.widths.len() + column] = drawn;
            }
        }
        looks
    }

    /// The title and each line as one drawing, and where it stands.
    pub fn lines(&self, panel: &Panel) -> Vec<([f64; 2], Svg)> {
        let places = self.places();
        let mut lines = vec![(places[0], self.drawn_title(panel))];
        for (number, line) in items(panel).enumerate().filter(|(_, line)| !line.is_empty()) {
            let row = &places[1 + number * self.widths.len()..];
            let (mut things, mut words) = (Svg::default(), Svg::default());
            for (item, place) in line.iter().zip(row) {
                let is_apart = is_word(item) && self.scale() != 1.0;
                let (svg, scale) = if is_apart { (&mut words, 1.0) } else { (&mut things, self.scale()) };
                svg.push(&look(item, panel.items.is_empty(), (place[0] - row[0][0]) / scale, self.stick()));
            }
            let mut svg = self.scaled(things);
            svg.push(&words);
            lines.push((row[0], svg));
        }
        lines
    }

    /// How many things a line has room for.
    pub fn num_columns(&self) -> usize {
        self.widths.len()
    }

    /// How many lines are drawn.
    pub fn num_lines(&self) -> usize {
        self.lines
    }

    /// How many lines of words there are, the title among them.
    pub fn num_words(&self) -> usize {
        if self.is_picture { 0 } else { 1 + self.words }
    }
}

fn is_word(item: &Item) -> bool {
    matches!(item, Item::Text(_))
}

/// The seat that the title of a panel shows with its player.
fn seat_of(panel: &Panel) -> Option<usize> {
    panel.seat.filter(|_| !panel.caption.is_empty())
}

fn title_of(panel: &Panel) -> &str {
    if panel.caption.is_empty() { &panel.title } else { &panel.caption }
}

fn most_sticks(item: &Item) -> u32 {
    match item {
        Item::Heap(count) | Item::NewHeap(count) => *count,
        Item::Row(items) => items.iter().map(most_sticks).max().unwrap_or_default(),
        _ => 0,
    }
}

/// How much room words need: letters and signs are narrow, wide or neither.
fn width_of(words: &str) -> f64 {
    let width = |c: char| match c {
        ' ' | '.' | ',' | ':' | ';' | '!' | '(' | ')' | '[' | ']' | '|' | '\'' | 'i' | 'j' | 'l' => 4.7,
        '+' | '=' | '<' | '>' | '→' | '←' | '…' | 'm' | 'w' | 'M' | 'W' => 12.5,
        _ => 8.6,
    };
    words.chars().map(width).sum::<f64>() + if words.is_empty() { 0.0 } else { 10.0 }
}

/// Width and height with the room around.
fn size(item: &Item, stick: f64) -> [f64; 2] {
    match item {
        Item::Text(words) => [width_of(words), 22.0],
        Item::Seat(_) => [32.0, 32.0],
        Item::Card { .. } | Item::Place => [37.0, CARD],
        Item::Peg(_) | Item::Hole => [28.0, 32.0],
        Item::Reply(right, elsewhere) => [f64::from((*right + *elsewhere).max(1)) * DOT + 12.0, 32.0],
        Item::Heap(count) | Item::NewHeap(count) => [f64::from(*count) * stick + 14.0, 34.0],
        Item::Row(items) => items
            .iter()
            .map(|item| size(item, stick))
            .fold([0.0; 2], |[wide, high], [width, height]| [wide + width + 2.0, height.max(high)]),
    }
}

/// A thing, from the middle of its left side, moved to the right.
fn look(item: &Item, is_plain: bool, right: f64, stick: f64) -> Svg {
    let mut svg = Svg::default();
    match item {
        Item::Text(words) => push_words(&mut svg, if is_plain { "x f" } else { "x" }, [right, 5.0], words),
        Item::Seat(seat) => svg.symbol(&format!("s{seat}"), [right + 15.0, 0.0]),
        Item::Card { number, weight } => {
            svg.symbol(&format!("k{}", (*weight).min(MOST_HEADS)), [right, 0.0]);
            // Three digits are smaller, so that the rim stays free.
            let class = if *number < 100 { "k" } else { "k kk" };
            push_words(&mut svg, class, [right + 17.0, 0.0], &number.to_string());
        }
        Item::Place => svg.symbol("o", [right, 0.0]),
        Item::Peg(colour) => {
            svg.symbol(&format!("g{}", colour % PEGS.len() as u32), [right + 13.0, 0.0]);
            push_words(&mut svg, "g", [right + 13.0, 5.0], &colour.to_string());
        }
        Item::Hole => svg.symbol("e", [right + 13.0, 0.0]),
        Item::Reply(0, 0) => push_words(&mut svg, "x", [right + 10.0, 5.0], "–"),
        Item::Reply(correct, elsewhere) => {
            for place in 0..*correct + *elsewhere {
                let id = if place < *correct { "a" } else { "b" };
                svg.symbol(id, [right + 14.0 + DOT * f64::from(place), 0.0]);
            }
        }
        Item::Heap(count) => push_heap(&mut svg, *count, [right, stick], false),
        Item::NewHeap(count) => push_heap(&mut svg, *count, [right, stick], true),
        Item::Row(items) => push_row(&mut svg, items, is_plain, [right, stick]),
    }
    svg
}

/// Pairs of a name and a heap, each on a ground of its own, so that nobody takes the name for a count.
fn push_row(svg: &mut Svg, items: &[Item], is_plain: bool, [right, stick]: [f64; 2]) {
    let mut left = right;
    for pair in items.chunks(2) {
        let width: f64 = pair.iter().map(|item| size(item, stick)[0]).sum();
        let across = Units(width - 6.0);
        svg.element("path", &[("class", &"ch"), ("d", &format!("M{},-15h{across}v30h-{across}z", Units(left)))]);
        let mut at = left + 4.0;
        for item in pair {
            svg.push(&look(item, is_plain, at, stick));
            at += size(item, stick)[0];
        }
        left += width + 4.0;
    }
}

/// Sticks side by side; a heap that the last move made has a frame.
fn push_heap(svg: &mut Svg, count: u32, [right, apart]: [f64; 2], is_new: bool) {
    let stick = |stick| format!("M{},-11v22", Units(right + 5.0 + apart * f64::from(stick)));
    let sticks: String = (0..count).map(stick).collect();
    svg.element("path", &[("class", &"i"), ("d", &sticks)]);
    if is_new {
        let (left, width) = (Units(right - 1.0), Units(apart * f64::from(count) + 4.0));
        svg.element("path", &[("class", &"m"), ("d", &format!("M{left},-16h{width}v32h-{width}z"))]);
    }
}

fn push_words(svg: &mut Svg, class: &str, at: [f64; 2], words: &str) {
    let [x, y] = at.map(Units);
    let mut attributes: Vec<(&str, &dyn Display)> = vec![("class", &class)];
    attributes.extend(
        at.iter().zip([("x", &x as &dyn Display), ("y", &y)]).filter(|(at, _)| **at != 0.0).map(|(_, one)| one),
    );
    svg.words("text", &attributes, words);
}

/// The most heads on a card.
pub(crate) const MOST_HEADS: u32 = 9;

/// Where the heads of a card stand, in rows of five.
pub(crate) fn heads(weight: u32) -> impl Iterator<Item = [f64; 2]> {
    (0..weight).map(move |head| {
        let in_row = (weight - head / 5 * 5).min(5);
        [17.0 + 5.0 * (f64::from(head % 5) - f64::from(in_row - 1) / 2.0), 8.0 + 6.0 * f64::from(head / 5)]
    })
}

/// Colours of pegs; each also has its number.
pub(crate) const PEGS: [&str; 10] =
    ["#4c9be8", "#f2b134", "#8fd175", "#e98973", "#c9a0dc", "#f5e663", "#7fd6cf", "#d8d8d8", "#f4a9c8", "#b8956a"];
