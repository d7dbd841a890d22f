//! The pictures of all positions of a match on one ground: what stays is drawn once, and what changes are parts, each
//! with a place that holds and a look in each position. So a page needs to know nothing of games: it changes looks.

mod layouts;
mod pieces;

pub(crate) use self::layouts::Windows;
pub(crate) use self::pieces::{Piece, Role};
use super::board::{self, Board};
use super::panel::Columns;
use super::slots::{Slots, is_drawn};
use super::svg::{Svg, Units};
use agon_games::{Cell, Item, Language, Overlay, Panel, Scene};

/// Board and panels may stand beside each other up to this width together; in a narrow window up to the other one.
const WIDEST: [f64; 2] = [640.0, 460.0];
/// A picture with a board that is no wider is shown twice as large, and no larger.
const SMALL: f64 = 250.0;
/// Panels without a board stand in as many stacks as make the picture about so much wider than high.
const BROADER: f64 = 1.6;
const MOST_STACKS: usize = 3;
/// In a window of middle width there is one stack less.
const MIDDLE_STACKS: usize = 2;
/// A picture that covers more has the width of its page.
const BROAD: f64 = 500_000.0;
/// In a narrow window panels stand side by side up to this width.
const NARROW: f64 = 400.0;
/// Panels of one form stand in rows up to this width, and in windows of middle width up to the other one.
const TABLES: [f64; 2] = [1240.0, 720.0];
/// This number of panels of one form, or more, stand in rows.
const FEWEST_ALIKE: usize = 3;
/// Between board and panels.
const GAP: f64 = 14.0;

/// A thing of a picture that may be pointed at.
pub(crate) struct Spot {
    /// As the game calls it.
    pub name: String,
    /// Its middle.
    pub at: [f64; 2],
    pub is_card: bool,
    /// Which cell of the scene it is, if it is one.
    pub cell: Option<usize>,
}

/// The size of a picture, and the corners of its panels.
type Layout = ([f64; 2], Vec<[f64; 2]>);

/// The constant parts of a match's pictures.
pub(crate) struct Drawing {
    /// Width and height.
    pub size: [f64; 2],
    /// The part that never changes.
    pub ground: Svg,
    board: Option<Board>,
    panels: Vec<([f64; 2], Columns)>,
    /// Where the panels stand one below the other, for narrow windows, and the size of that.
    narrow: Layout,
    /// The same for windows of middle width, if it differs from that for wide ones.
    middle: Option<Layout>,
    /// Which panel stands where.
    slots: Slots,
    /// Names of the cells.
    names: Vec<String>,
    /// The cells as they are read, row by row; one a row where there is no grid.
    rows: Vec<Vec<usize>>,
}

impl Drawing {
    /// For these scenes of one match, of which there is one at least; the cells of all are those of the first.
    pub fn of<'a>(scenes: impl Iterator<Item = &'a Scene>) -> Drawing {
        let scenes: Vec<&Scene> = scenes.collect();
        let first = scenes.first().copied();
        let slots = Slots::of(&scenes);
        let columns = slots.columns(&scenes);
        let nothing = Scene::default();
        let first = first.unwrap_or(&nothing);
        let board = Board::of(first);
        let ground = board.as_ref().map_or_else(Svg::default, |board| board.ground(first));
        let around = board.as_ref().map_or([0.0; 2], |board| board.size);
        let [(size, corners), narrow] = WIDEST.map(|widest| arrange(around, &columns, widest));
        let always = slots.are_always_drawn(&scenes);
        let narrow = if board.is_none() { shelved(&columns, &always, NARROW) } else { narrow };
        let is_table = board.is_none() && alike(&columns).is_some();
        let [table, middle] = TABLES.map(|room| shelved(&columns, &always, room));
        let middle = if is_table { middle } else { stacked(&columns, MIDDLE_STACKS) };
        // A table that has not the width of its page would be too small.
        let table = if table.0.iter().product::<f64>() > BROAD { table } else { middle.clone() };
        let (size, corners) = if is_table { table } else { (size, corners) };
        let middle = (board.is_none() && size[0] > middle.0[0]).then_some(middle);
        let panels = corners.into_iter().zip(columns).collect();
        let names = first.cells.iter().map(|cell| cell.name.clone()).collect();
        Drawing { size, ground, board, panels, narrow, middle, slots, names, rows: rows(first) }
    }

    /// The same with all panels one below the other, where there is no board.
    pub fn narrowed(mut self) -> Drawing {
        self.size = self.narrow.0;
        self.panels.iter_mut().zip(&self.narrow.1).for_each(|((corner, _), narrow)| *corner = *narrow);
        self
    }

    /// Width and height of the board alone, if there is one.
    pub fn board_size(&self) -> Option<[f64; 2]> {
        self.board.as_ref().map(|board| board.size)
    }

    /// The numbers of the cells as they are read, row by row.
    fn cells(&self) -> impl Iterator<Item = usize> {
        self.rows.iter().flatten().copied()
    }

    /// Where each part stands: the cells as they are read, then the things of the panels.
    pub fn places(&self) -> Vec<[f64; 2]> {
        self.places_from(self.panels.iter().map(|(corner, _)| corner))
    }

    /// The same with the panels at these corners.
    fn places_from<'a>(&self, corners: impl Iterator<Item = &'a [f64; 2]>) -> Vec<[f64; 2]> {
        let mut places = Vec::new();
        if let Some(board) = &self.board {
            places.extend(self.cells().map(|cell| board.middle(cell)));
        }
        for ([left, top], (_, columns)) in corners.zip(&self.panels) {
            places.extend(columns.places().iter().map(|[x, y]| [left + x, top + y]));
        }
        places
    }

    /// The panels that are drawn: the first, and of the others those with lines.
    fn filled<'a>(&self, scene: &'a Scene) -> Vec<Option<&'a Panel>> {
        let panels = self.slots.fill(scene).into_iter().enumerate();
        panels.map(|(slot, panel)| panel.filter(|panel| is_drawn(slot, panel))).collect()
    }

    /// How each part looks in a position, in the order of `places`.
    pub fn looks(&self, scene: &Scene) -> Vec<Svg> {
        let mut looks = Vec::new();
        if let Some(board) = &self.board {
            let look = |cell: usize| scene.cells.get(cell).map_or_else(Svg::default, |cell| board.look(cell));
            looks.extend(self.cells().map(look));
        }
        for ((_, columns), panel) in self.panels.iter().zip(self.filled(scene)) {
            looks.extend(columns.looks(panel));
        }
        looks
    }

    /// The way of the last move: of each stroke its class, and at which parts it begins, turns and ends.
    pub fn ways(&self, scene: &Scene) -> Vec<(char, Vec<usize>)> {
        let Some(board) = &self.board else { return Vec::new() };
        let mut parts = vec![0; self.names.len()];
        self.cells().enumerate().for_each(|(part, cell)| parts[cell] = part);
        let ways = board.ways(scene).into_iter();
        ways.map(|(class, way)| (class, way.into_iter().map(|cell| parts[cell]).collect())).collect()
    }

    /// The same in words: of each cell, then of each panel its title and its lines; as many in each position.
    pub fn words(&self, scene: &Scene, language: Language) -> Vec<String> {
        let cells = self.cells().filter_map(|cell| scene.cells.get(cell));
        let mut words: Vec<String> = cells.map(|cell| board::words(cell, language)).collect();
        words.resize(self.names.len(), String::new());
        for ((_, columns), panel) in self.panels.iter().zip(self.slots.fill(scene)) {
            let end = words.len() + columns.num_words();
            if let Some(panel) = panel.filter(|panel| !panel.is_picture) {
                words.push(panel.title.clone());
                words.extend(panel.lines.iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")));
            }
            words.resize(end, String::new());
        }
        words
    }

    /// For each of the `words` behind those of the cells, the first of the `places` that show it, and their number.
    pub fn shown_by(&self) -> Vec<[usize; 2]> {
        let mut first = self.names.len();
        let mut shown = Vec::new();
        for (_, columns) in &self.panels {
            if columns.num_words() == 0 {
                first += columns.places().len();
                continue;
            }
            shown.push([first, 1]);
            let width = columns.num_columns();
            let lines = (columns.places().len() - 1).checked_div(width).unwrap_or_default();
            let row = |line| if line < lines { [first + 1 + line * width, width] } else { [0, 0] };
            shown.extend((0..columns.num_words() - 1).map(row));
            first += columns.places().len();
        }
        shown
    }

    /// The names of the cells as they are read, row by row: to them the first of the `words` belong, in this order.
    pub fn names(&self) -> impl Iterator<Item = impl Iterator<Item = &str>> {
        self.rows.iter().map(|row| row.iter().map(|cell| self.names[*cell].as_str()))
    }

    /// The things to point at: each cell and each card, by its name in the game, with its place.
    pub fn spots(&self, scene: &Scene) -> Vec<Spot> {
        let mut spots = Vec::new();
        if let Some(board) = &self.board {
            let spot = |(index, cell): (usize, &Cell)| {
                let (name, at) = (cell.name.clone(), board.middle(index));
                Spot { name, at, is_card: false, cell: Some(index) }
            };
            spots.extend(scene.cells.iter().enumerate().map(spot));
        }
        let filled = self.slots.fill(scene).into_iter().enumerate();
        let cards = filled.filter_map(|(at, panel)| Some(self.cards(at, panel?, self.panels.get(at)?.0)));
        spots.extend(cards.flatten());
        spots
    }

    /// The cards of a panel that stands at a corner.
    fn cards(&self, panel: usize, shown: &Panel, [left, top]: [f64; 2]) -> Vec<Spot> {
        let (columns, mut spots) = (&self.panels[panel].1, Vec::new());
        let places = columns.places();
        for (line, items) in shown.items.iter().enumerate() {
            for (column, item) in items.iter().enumerate() {
                let Item::Card { number, .. } = item else { continue };
                let [x, y] = places[1 + line * columns.num_columns() + column];
                let at = [left + x + 17.0, top + y];
                spots.push(Spot { name: number.to_string(), at, is_card: true, cell: None });
            }
        }
        spots
    }

    /// The kinds of marks that may be laid over the board: their looks, and their words.
    pub fn marks(&self, overlay: &Overlay) -> Vec<(Svg, String)> {
        let Some(board) = &self.board else { return Vec::new() };
        overlay.kinds.iter().map(|(tint, words)| (board.mark(*tint), words.clone())).collect()
    }

    /// The kinds of the marks of the cells as they are read, from 1; 0 where there is no mark.
    pub fn marked(&self, overlay: &Overlay) -> Vec<usize> {
        let kind = |cell: usize| overlay.cells.get(cell).copied().flatten();
        self.cells().map(|cell| kind(cell).map_or(0, |kind| kind + 1)).collect()
    }

    /// Everything as it is in a position.
    pub fn draw(&self, scene: &Scene) -> Svg {
        let mut svg = self.ground.clone();
        svg.push(&self.draw_ways(scene));
        svg.push(&self.draw_parts(scene));
        svg
    }

    /// The lines of the last move.
    pub fn draw_ways(&self, scene: &Scene) -> Svg {
        let (mut svg, places) = (Svg::default(), self.places());
        for (class, way) in self.ways(scene) {
            let points: Vec<String> =
                way.iter().map(|part| places[*part].map(|at| Units(at).to_string()).join(",")).collect();
            svg.element("path", &[("class", &class), ("d", &format!("M{}", points.join("L")))]);
        }
        svg
    }

    /// The looks of all cells, with their places.
    fn cell_looks(&self, scene: &Scene) -> Vec<([f64; 2], Svg)> {
        let Some(board) = &self.board else { return Vec::new() };
        let look = |cell: usize| scene.cells.get(cell).map_or_else(Svg::default, |cell| board.look(cell));
        self.cells().map(|cell| (board.middle(cell), look(cell))).collect()
    }

    /// All parts that are not empty, those of a line of a panel together.
    pub fn draw_parts(&self, scene: &Scene) -> Svg {
        let mut all = self.cell_looks(scene);
        for (([left, top], columns), panel) in self.panels.iter().zip(self.filled(scene)) {
            let lines = panel.map_or_else(Vec::new, |panel| columns.lines(panel)).into_iter();
            all.extend(lines.map(|([x, y], line)| ([left + x, top + y], line)));
        }
        let mut svg = Svg::default();
        for ([x, y], look) in all.into_iter().filter(|(_, look)| *look != Svg::default()) {
            let at = format!("translate({},{})", Units(x), Units(y));
            svg.begin("g", &[("transform", &at)]);
            svg.push(&look);
            svg.end("g");
        }
        svg
    }
}

/// The cells of each row from the left; each a row of its own where there is no grid.
fn rows(scene: &Scene) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..scene.cells.len()).collect();
    if scene.columns == 0 {
        return order.into_iter().map(|cell| vec![cell]).collect();
    }
    let place = |cell: &usize| scene.cells[*cell].place().map_or((0, 0), |(column, row)| (row, column));
    order.sort_by_key(place);
    order.chunk_by(|a, b| place(a).0 == place(b).0).map(<[usize]>::to_vec).collect()
}

/// The size of all, and where each panel stands: beside the board where there is room, else below; without a board in
/// the stacks that fill a window best.
fn arrange(board: [f64; 2], columns: &[Columns], most: f64) -> Layout {
    if board[1] == 0.0 {
        let all = (1..=MOST_STACKS).map(|count| stacked(columns, count));
        let off = |([width, height], _): &Layout| (width / height / BROADER).ln().abs();
        return all.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or_default();
    }
    let widest = columns.iter().map(|columns| columns.size()[0]).fold(0.0, f64::max);
    let is_beside = board[0] + GAP + widest <= most;
    let left = if is_beside { board[0] + GAP } else { 8.0 };
    let mut top = if is_beside { 4.0 } else { board[1] + 4.0 };
    let mut corners = Vec::new();
    for columns in columns {
        corners.push([left, top]);
        top += columns.size()[1];
    }
    let width = if widest > 0.0 { (left + widest + 8.0).max(board[0]) } else { board[0] };
    ([width.max(40.0), top.max(board[1]).max(40.0)], corners)
}

/// Panels from the top, side by side where the widest one leaves room; what is not always there comes last, where its
/// empty place parts no others, and the hands of many seats below it; those of few come first.
fn shelved(columns: &[Columns], are_always_drawn: &[bool], room: f64) -> Layout {
    let room = columns.iter().map(|columns| columns.size()[0]).fold(room, f64::max);
    let form = alike(columns);
    let is_alike = |at: usize| form == Some(columns[at].num_columns());
    let widest_alike =
        (0..columns.len()).filter(|at| is_alike(*at)).map(|at| columns[at].size()[0]).fold(0.0, f64::max);
    let mut order: Vec<usize> = (0..columns.len()).collect();
    // Where there are no cards, what grows through the match comes last; else cards come after scores.
    let has_cards = columns.iter().any(Columns::has_cards);
    let is_at_hand = |at: usize| columns[at].has_hands() && !columns[at].is_small();
    let is_late =
        |at: usize| has_cards && at > 0 && !is_at_hand(at) && (columns[at].has_cards() || !are_always_drawn[at]);
    let lines = |at: usize| if has_cards || is_alike(at) { 0 } else { columns[at].num_lines() };
    order.sort_by_key(|at| (is_alike(*at), columns[*at].is_small(), is_late(*at), lines(*at), !are_always_drawn[*at]));
    let mut was_alike = false;
    let (mut left, mut top, mut height, mut widest) = (0.0, 4.0, 0.0_f64, 0.0_f64);
    let mut corners = vec![[0.0; 2]; columns.len()];
    for at in order {
        let [own, tall] = columns[at].size();
        let own = if is_alike(at) { widest_alike } else { own };
        let is_first_alike = is_alike(at) && !was_alike;
        was_alike = is_alike(at);
        if left > 0.0 && (left + own > room || is_first_alike) {
            top += height;
            (left, height) = (0.0, 0.0);
        }
        corners[at] = [8.0 + left, top];
        widest = widest.max(left + own);
        left += own + GAP;
        height = height.max(tall);
    }
    ([(widest + 16.0).max(40.0), (top + height).max(40.0)], corners)
}

/// The number of columns that several panels have, each with a table of its own: they stand in rows, so that their lines
/// meet. Nothing where there are cards.
fn alike(columns: &[Columns]) -> Option<usize> {
    let count = |form: usize| columns.iter().filter(|columns| columns.num_columns() == form).count();
    let forms = columns.iter().map(Columns::num_columns);
    let form = forms.filter(|form| *form > 1 && count(*form) >= FEWEST_ALIKE).max()?;
    (!columns.iter().any(Columns::has_cards)).then_some(form)
}

/// Puts panels one below the other, in this number of stacks, the hands of many seats last.
fn stacked(columns: &[Columns], count: usize) -> Layout {
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|at| columns[*at].is_small());
    let all: f64 = columns.iter().map(|columns| columns.size()[1]).sum();
    let highest = columns.iter().map(|columns| columns.size()[1]).fold(0.0, f64::max);
    let room = (all / count as f64).max(highest);
    let (mut left, mut top, mut widest, mut lowest) = (8.0, 4.0, 0.0_f64, 0.0_f64);
    let mut corners = vec![[0.0; 2]; columns.len()];
    for at in order {
        let [width, height] = columns[at].size();
        // A panel that is mostly in a stack belongs to it.
        if top > 4.0 && top + height / 2.0 > 4.0 + room {
            left += widest + GAP;
            (top, widest) = (4.0, 0.0);
        }
        widest = widest.max(width);
        corners[at] = [left, top];
        top += height;
        lowest = lowest.max(top);
    }
    ([(left + widest + 8.0).max(40.0), lowest.max(40.0)], corners)
}
