//! Map files: TOML with a picture, or a plain graph, and edges added or cut. Strict: whatever is not understood is refused, with its
//! line and column.

use crate::{BadBoard, Board, Diagonals, Direction, Draft, picture};
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MapFile {
    title: Option<Spanned<String>>,
    /// 1 or 2, as in the picture.
    to_move: Option<Spanned<u64>>,
    picture: Option<Spanned<String>>,
    diagonals: Option<Spanned<String>>,
    vertices: Option<Spanned<u64>>,
    queens: Option<Spanned<[Vec<u32>; 2]>>,
    blocked: Option<Spanned<Vec<u32>>>,
    coordinates: Option<Spanned<Vec<[i32; 2]>>>,
    #[serde(default)]
    cut: Vec<Spanned<Cut>>,
    #[serde(default)]
    edge: Vec<Spanned<Edge>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cut {
    from: Spanned<String>,
    to: Spanned<String>,
    #[serde(default)]
    one_way: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edge {
    from: Spanned<String>,
    to: Spanned<String>,
    direction: Spanned<String>,
    #[serde(default)]
    one_way: bool,
}

/// A map under way, with its text for the places of errors.
struct Reader<'a> {
    text: &'a str,
}

/// The board that a map draws.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub(crate) fn parse(text: &str) -> Result<Board, BadBoard> {
    let reader = Reader { text };
    let file: MapFile =
        toml::from_str(text).map_err(|error| reader.bad(&error.span().unwrap_or(0..0), error.message()))?;
    let (mut draft, origin) = match (&file.picture, &file.vertices) {
        (Some(picture), None) => (reader.draw(&file, picture)?, picture.span()),
        (None, Some(vertices)) => (reader.list(&file, vertices)?, vertices.span()),
        (Some(_), Some(vertices)) => {
            return Err(reader.bad(&vertices.span(), "a map has either a picture or vertices, not both"));
        }
        (None, None) => {
            return Err(reader.bad(&(0..0), "a map needs a picture, or vertices for a graph that is no grid"));
        }
    };
    reader.describe(&file, &mut draft)?;
    for cut in &file.cut {
        reader.cut(cut, &mut draft)?;
    }
    for edge in &file.edge {
        reader.connect(edge, &mut draft)?;
    }
    draft.finish().map_err(|error| reader.bad(&origin, &error.why))
}

impl Reader<'_> {
    fn bad(&self, span: &Range<usize>, why: &str) -> BadBoard {
        let before = self.text.get(..span.start).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        BadBoard { why: why.trim_end().to_owned(), place: Some((line, column)) }
    }

    fn draw(&self, file: &MapFile, source: &Spanned<String>) -> Result<Draft, BadBoard> {
        if let Some(queens) = &file.queens {
            return Err(
                self.bad(&queens.span(), "the picture draws the queens; `queens` is for a graph with `vertices`")
            );
        }
        if let Some(blocked) = &file.blocked {
            return Err(self
                .bad(&blocked.span(), "the picture draws what is blocked; `blocked` is for a graph with `vertices`"));
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
        let span = source.span();
        let top = self.bad(&span, "").place.map_or(1, |(line, _)| line);
        let picture = picture::read(self.text.get(span.clone()).unwrap_or_default()).map_err(|mut error| {
            error.place = error.place.map(|(line, column)| (top + line, column));
            error
        })?;
        let mut draft =
            Draft::grid(picture.columns, picture.exists, diagonals).map_err(|error| self.bad(&span, &error.why))?;
        (draft.start.queens, draft.start.blocked) = (picture.queens, picture.blocked);
        Ok(draft)
    }

    fn list(&self, file: &MapFile, vertices: &Spanned<u64>) -> Result<Draft, BadBoard> {
        if let Some(diagonals) = &file.diagonals {
            return Err(self.bad(&diagonals.span(), "`diagonals` is for a map with a picture"));
        }
        let count = usize::try_from(*vertices.as_ref()).unwrap_or(usize::MAX);
        let mut draft = Draft::graph(count).map_err(|error| self.bad(&vertices.span(), &error.why))?;
        let queens = file.queens.as_ref();
        let queens = queens.ok_or_else(|| {
            self.bad(&vertices.span(), "a graph needs `queens = [[…], […]]`, vertex numbers of side 1 and 2")
        })?;
        draft.start.queens = queens.as_ref().clone();
        draft.start.blocked = file.blocked.as_ref().map(|blocked| blocked.as_ref().clone()).unwrap_or_default();
        Ok(draft)
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
                columns => format!("cells are a1..{}, vertices 0..{last}", draft.name(columns - 1)),
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

    fn connect(&self, edge: &Spanned<Edge>, draft: &mut Draft) -> Result<(), BadBoard> {
        let at = |error: BadBoard| self.bad(&edge.as_ref().from.span(), &error.why);
        let edge = edge.as_ref();
        let (from, to) = (self.vertex(draft, &edge.from)?, self.vertex(draft, &edge.to)?);
        let name = edge.direction.as_ref();
        let direction = Direction::from_name(name).ok_or_else(|| {
            self.bad(&edge.direction.span(), &format!("\"{name}\" is no direction; they are N NE E SE S SW W NW"))
        })?;
        draft.connect(from, to, direction).map_err(at)?;
        if edge.one_way { Ok(()) } else { draft.connect(to, from, direction.opposite()).map_err(at) }
    }
}
