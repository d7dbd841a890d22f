//! Map files: TOML with a picture, or a plain graph, and edges added or removed. Unknown contents are refused, with
//! line and column.

use crate::map_file::{Cut, Edge, MapFile};
use crate::matrix_market;
use crate::{BadBoard, Board, Diagonals, Direction, Draft, picture};
use std::ops::Range;
use toml::Spanned;

/// Line and column, from 1.
pub type LineColumn = (usize, usize);

/// A map file: its board, and where the file mentions each vertex.
#[derive(Clone, Debug)]
pub struct Map {
    board: Board,
    places: Vec<LineColumn>,
}

impl Map {
    /// Reads the text of a map file.
    ///
    /// # Errors
    /// The first error, with its place.
    pub fn parse(text: &str) -> Result<Map, BadBoard> {
        let lines = [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let reader = Reader { text, lines };
        let file: MapFile =
            toml::from_str(text).map_err(|error| reader.bad(&error.span().unwrap_or(0..0), error.message()))?;
        let mut sketch = reader.sketch(&file)?;
        reader.describe(&file, &mut sketch.draft)?;
        for cut in &file.cut {
            reader.cut(cut, &mut sketch.draft)?;
        }
        for edge in &file.edge {
            reader.connect(edge, &mut sketch)?;
        }
        let Sketch { draft, places, origin } = sketch;
        let board = draft.finish().map_err(|error| reader.bad(&origin, &error.why))?;
        let places = places.into_iter().map(|place| place.unwrap_or(reader.place(&origin))).collect();
        Ok(Map { board, places })
    }

    /// The board of the map.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The place where the file mentions a vertex.
    pub fn place(&self, vertex: usize) -> LineColumn {
        self.places.get(vertex).copied().unwrap_or((1, 1))
    }
}

/// A board under construction, with places in the file.
struct Sketch {
    draft: Draft,
    /// The place of each vertex in the file, if it has one.
    places: Vec<Option<LineColumn>>,
    /// The place for everything else.
    origin: Range<usize>,
}

/// The text of a map, for the places of errors.
struct Reader<'a> {
    text: &'a str,
    /// The beginning of each line.
    lines: Vec<usize>,
}

impl Reader<'_> {
    fn bad(&self, span: &Range<usize>, why: &str) -> BadBoard {
        BadBoard { why: why.trim_end().to_owned(), place: Some(self.place(span)) }
    }

    fn place(&self, span: &Range<usize>) -> LineColumn {
        let line = self.lines.partition_point(|&start| start <= span.start).max(1);
        let before = self.text.get(self.lines[line - 1]..span.start).unwrap_or_default();
        (line, before.chars().count() + 1)
    }

    /// The lines between the quotes, as they stand in the file, and the number of the line before the first.
    fn block(&self, source: &Spanned<String>, what: &str) -> Result<(usize, &str), BadBoard> {
        let (span, top) = (source.span(), self.place(&source.span()).0);
        let quoted = self.text.get(span).unwrap_or_default();
        let quotes = ["\"\"\"", "'''"].into_iter().find(|quotes| quoted.starts_with(quotes) && quoted.len() >= 6);
        let inner = quotes.and_then(|quotes| quoted.strip_prefix(quotes)?.strip_suffix(quotes));
        let below = inner.and_then(|inner| inner.strip_prefix("\r\n").or_else(|| inner.strip_prefix('\n')));
        let lines = below.ok_or_else(|| {
            let why = format!("{what} on lines of its own, between three quotes (\"\"\") above and below");
            BadBoard { why, place: Some((top, 1)) }
        })?;
        Ok((top, lines))
    }

    fn sketch(&self, file: &MapFile) -> Result<Sketch, BadBoard> {
        match (&file.picture, &file.vertices, &file.graph) {
            (Some(picture), None, None) => self.draw(file, picture),
            (None, Some(vertices), None) => self.list(file, vertices),
            (None, None, Some(graph)) => self.read_graph(file, graph),
            (None, None, None) => {
                Err(self.bad(&(0..0), "a map needs a picture, or vertices or a graph for a board that is not a grid"))
            }
            (_, vertices, graph) => {
                let span = vertices.as_ref().map(Spanned::span).or(graph.as_ref().map(Spanned::span)).unwrap_or(0..0);
                Err(self.bad(&span, "a map has a picture, or vertices, or a graph; only one of them"))
            }
        }
    }

    fn draw(&self, file: &MapFile, source: &Spanned<String>) -> Result<Sketch, BadBoard> {
        if let Some(queens) = &file.queens {
            return Err(self.bad(&queens.span(), "the picture draws the queens; `queens` is for a graph"));
        }
        if let Some(blocked) = &file.blocked {
            return Err(self.bad(&blocked.span(), "the picture draws what is blocked; `blocked` is for a graph"));
        }
        let natural = Diagonals::Natural;
        let diagonals = match &file.diagonals {
            None => natural,
            Some(word) => match word.as_ref().as_str() {
                "natural" => natural,
                "cut" => Diagonals::Cut,
                other => return Err(self.bad(&word.span(), &format!("\"{other}\" is neither \"natural\" nor \"cut\""))),
            },
        };
        let (top, lines) = self.block(source, "draw the picture")?;
        let picture = picture::read(lines).map_err(|error| below(top, error))?;
        let columns = picture.columns;
        let place = |cell| Some((top + cell / columns + 1, cell % columns + 1));
        let places = (0..picture.exists.len()).map(place).collect();
        let origin = source.span();
        let mut draft =
            Draft::grid(columns, picture.exists, diagonals).map_err(|error| self.bad(&origin, &error.why))?;
        (draft.start.queens, draft.start.blocked) = (picture.queens, picture.blocked);
        Ok(Sketch { draft, places, origin })
    }

    fn list(&self, file: &MapFile, vertices: &Spanned<u64>) -> Result<Sketch, BadBoard> {
        let count = usize::try_from(*vertices.as_ref()).unwrap_or(usize::MAX);
        let draft = Draft::graph(count).map_err(|error| self.bad(&vertices.span(), &error.why))?;
        let mut sketch = Sketch { draft, places: vec![None; count], origin: vertices.span() };
        self.stand(file, &mut sketch)?;
        Ok(sketch)
    }

    fn read_graph(&self, file: &MapFile, source: &Spanned<String>) -> Result<Sketch, BadBoard> {
        let (top, lines) = self.block(source, "write the graph")?;
        let graph = matrix_market::read(lines).map_err(|error| below(top, error))?;
        let mut places = vec![None; graph.draft.num_vertices()];
        for &matrix_market::Edge { from, to, line } in graph.edges.iter().rev() {
            (places[to], places[from]) = (Some((top + line, 1)), Some((top + line, 1)));
        }
        let mut sketch = Sketch { draft: graph.draft, places, origin: source.span() };
        self.stand(file, &mut sketch)?;
        Ok(sketch)
    }

    /// Puts queens and blocked vertices on a graph, which has no picture of them.
    fn stand(&self, file: &MapFile, sketch: &mut Sketch) -> Result<(), BadBoard> {
        if let Some(diagonals) = &file.diagonals {
            return Err(self.bad(&diagonals.span(), "`diagonals` is for a map with a picture"));
        }
        let queens = file.queens.as_ref().ok_or_else(|| {
            self.bad(&sketch.origin, "a graph needs `queens = [[…], […]]`, vertex numbers of side 1 and 2")
        })?;
        sketch.origin = queens.span();
        let [first, second] = queens.as_ref();
        let blocked: &[_] = file.blocked.as_ref().map_or(&[], |blocked| blocked.as_ref());
        let mut taken = vec![false; sketch.draft.num_vertices()];
        for vertex in first.iter().chain(second).chain(blocked) {
            let (number, span) = (*vertex.as_ref(), vertex.span());
            let last = taken.len() - 1;
            let taken = taken
                .get_mut(number as usize)
                .ok_or_else(|| self.bad(&span, &format!("vertex {number} does not exist, the board has 0..{last}")))?;
            if std::mem::replace(taken, true) {
                return Err(self.bad(&span, &format!("two things stand on {number}")));
            }
            sketch.places[number as usize] = Some(self.place(&span));
        }
        let numbers = |list: &[Spanned<u32>]| list.iter().map(|vertex| *vertex.as_ref()).collect();
        let start = &mut sketch.draft.start;
        (start.queens, start.blocked) = ([numbers(first), numbers(second)], numbers(blocked));
        Ok(())
    }

    fn describe(&self, file: &MapFile, draft: &mut Draft) -> Result<(), BadBoard> {
        draft.title = "map".to_owned();
        if let Some(title) = &file.title {
            let text = title.as_ref();
            if text.trim().is_empty() || text.chars().count() > 80 || text.chars().any(char::is_control) {
                return Err(self.bad(&title.span(), "a title is one line of 1 to 80 characters"));
            }
            draft.title = text.clone();
        }
        if let Some(side) = &file.to_move {
            draft.start.to_move = match side.as_ref() {
                1 => 0,
                2 => 1,
                other => return Err(self.bad(&side.span(), &format!("to_move is side 1 or 2, not {other}"))),
            };
        }
        if let Some(coordinates) = &file.coordinates {
            let (given, count) = (coordinates.as_ref().len(), draft.num_vertices());
            if given != count {
                let why = format!("there are {given} coordinates for {count} vertices");
                return Err(self.bad(&coordinates.span(), &why));
            }
            draft.coordinates = Some(coordinates.as_ref().clone());
        }
        Ok(())
    }

    fn vertex(&self, draft: &Draft, name: &Spanned<String>) -> Result<usize, BadBoard> {
        let text = name.as_ref();
        draft.vertex(text).ok_or_else(|| {
            let last = draft.num_vertices() - 1;
            let range = match draft.columns() {
                0 => format!("vertices are 0..{last}"),
                columns => format!("squares are a1..{}, vertices 0..{last}", draft.name(columns - 1)),
            };
            self.bad(&name.span(), &format!("there is no \"{text}\"; {range}"))
        })
    }

    fn cut(&self, cut: &Spanned<Cut>, draft: &mut Draft) -> Result<(), BadBoard> {
        let at = |error: BadBoard| self.bad(&cut.as_ref().from.span(), &error.why);
        let cut = cut.as_ref();
        let (from, to) = (self.vertex(draft, &cut.from)?, self.vertex(draft, &cut.to)?);
        draft.cut(from, to).map_err(at)?;
        if cut.one_way { Ok(()) } else { draft.cut(to, from).map_err(at) }
    }

    fn connect(&self, edge: &Spanned<Edge>, sketch: &mut Sketch) -> Result<(), BadBoard> {
        let edge = edge.as_ref();
        let at = |error: BadBoard| self.bad(&edge.from.span(), &error.why);
        let (from, to) = (self.vertex(&sketch.draft, &edge.from)?, self.vertex(&sketch.draft, &edge.to)?);
        let name = edge.direction.as_ref();
        let direction = Direction::from_name(name).ok_or_else(|| {
            self.bad(&edge.direction.span(), &format!("\"{name}\" is not a direction; they are N NE E SE S SW W NW"))
        })?;
        for (vertex, name) in [(from, &edge.from), (to, &edge.to)] {
            sketch.places[vertex].get_or_insert_with(|| self.place(&name.span()));
        }
        sketch.draft.connect(from, to, direction).map_err(at)?;
        if edge.one_way { Ok(()) } else { sketch.draft.connect(to, from, direction.opposite()).map_err(at) }
    }
}

/// The error of a block, whose first line is the one below `top`.
fn below(top: usize, mut error: BadBoard) -> BadBoard {
    error.place = Some(error.place.map_or((top, 1), |(line, column)| (top + line, column)));
    error
}
