//! The ways to name a board: `square:10`, `standard-10`, or the text of a map.

use crate::{BadBoard, Board, Diagonals, Map, Placement, Shape, queens};

/// The maps that come with agon: name and text.
pub const MAPS: &[(&str, &str)] = &[
    ("standard-10", include_str!("../maps/standard-10.toml")),
    ("standard-8", include_str!("../maps/standard-8.toml")),
    ("standard-6", include_str!("../maps/standard-6.toml")),
    ("lagoon", include_str!("../maps/lagoon.toml")),
    ("mini-4", include_str!("../maps/mini-4.toml")),
    ("mini-3", include_str!("../maps/mini-3.toml")),
    ("mini-2", include_str!("../maps/mini-2.toml")),
    ("mini-ring", include_str!("../maps/mini-ring.toml")),
];

/// The board of a spec. A text of more than one line is a map; placement and diagonals apply only to generated boards.
///
/// # Errors
/// The text says what is wrong and what would be right; for a map, where.
pub fn parse(spec: &str, placement: Placement, diagonals: Diagonals) -> Result<Board, BadBoard> {
    if spec.contains('\n') && !spec.starts_with("%%") {
        return parse_map(spec, "this map", placement, diagonals);
    }
    if spec.starts_with("%%") {
        return Err(BadBoard::new("a graph without queens is not a board; `agon boards import` makes a map of it"));
    }
    if let Some((name, text)) = MAPS.iter().find(|(name, _)| *name == spec) {
        return parse_map(text, name, placement, diagonals);
    }
    let Some((shape, width)) = spec.split_once(':') else {
        return Err(unknown(spec));
    };
    let shape = Shape::ALL.into_iter().find(|known| known.name() == shape).ok_or_else(|| unknown(shape))?;
    let number = width.parse().ok().filter(|_| width.bytes().all(|byte| byte.is_ascii_digit()));
    let width: usize = number.ok_or_else(|| {
        BadBoard::new(format!("\"{width}\" is not a width; write for example {}:{}", shape.name(), example(shape)))
    })?;
    let mut draft = shape.draft(width, diagonals)?;
    draft.title = format!("{} {width}", shape.name());
    draft.start.queens = queens(placement, width);
    draft.finish()
}

fn parse_map(text: &str, name: &str, placement: Placement, diagonals: Diagonals) -> Result<Board, BadBoard> {
    if placement != Placement::Figures {
        return Err(BadBoard::new(format!("a placement is for generated boards; {name} draws its own queens")));
    }
    if diagonals != Diagonals::Natural {
        return Err(BadBoard::new(format!("cut diagonals are for generated boards; {name} says its own edges")));
    }
    Map::parse(text).map(|map| map.board().clone())
}

/// A popular good width.
fn example(shape: Shape) -> usize {
    shape.widths().find(|&width| width >= 10).unwrap_or(crate::MIN_WIDTH)
}

fn unknown(word: &str) -> BadBoard {
    let shapes = Shape::ALL.map(Shape::name);
    let known: Vec<&str> = shapes.into_iter().chain(MAPS.iter().map(|(name, _)| *name)).collect();
    let nearest = known.iter().min_by_key(|name| distance(word, name)).filter(|name| distance(word, name) <= 2);
    let what = match (Shape::ALL.iter().find(|shape| shape.name() == word), nearest) {
        (Some(shape), _) => format!("needs a width, such as {word}:{}; ", example(*shape)),
        (None, Some(name)) => format!("is not a board; did you mean \"{name}\"? "),
        (None, None) => "is not a board; ".to_owned(),
    };
    let shapes: Vec<_> = Shape::ALL.map(|shape| format!("{}:{}", shape.name(), example(shape))).to_vec();
    let maps: Vec<_> = MAPS.iter().map(|(name, _)| *name).collect();
    BadBoard::new(format!(
        "\"{word}\" {what}boards are {}, {}, or the path of a map file",
        shapes.join(", "),
        maps.join(", ")
    ))
}

/// The number of letters to add, remove or change (Levenshtein 1966).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(spec: &str) -> String {
        parse(spec, Placement::Figures, Diagonals::Natural).unwrap_err().why
    }

    #[test]
    fn every_map_is_good() {
        for (name, text) in MAPS {
            let map = Map::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!map.board().title().is_empty(), "{name}");
        }
    }

    #[test]
    fn bad_specs_say_what_would_be_right() {
        assert_eq!(
            why("donut:10"),
            "the width of a donut is a multiple of 3, which 10 is not; the nearest good widths are 9 and 12"
        );
        assert_eq!(
            why("eight:5"),
            "the width of an eight is a multiple of 4 from 8 to 32, not 5; the nearest good width is 8"
        );
        assert_eq!(
            why("clover:31"),
            "the width of a clover is a multiple of 5 from 5 to 30, not 31; the nearest good width is 30"
        );
        assert_eq!(
            why("donut:999"),
            "the width of a donut is a multiple of 3 from 6 to 30, not 999; the nearest good width is 30"
        );
        assert_eq!(why("square:4"), "a width is 5 to 32, not 4; the nearest good width is 5");
        assert_eq!(
            why("square:99999999999999999999999"),
            "\"99999999999999999999999\" is not a width; write for example square:10"
        );
        assert_eq!(why("donut:+9"), "\"+9\" is not a width; write for example donut:12");
        assert!(why("sqaure:10").starts_with(
            "\"sqaure\" is not a board; did you mean \"square\"? boards are square:10, donut:12, clover:10, eight:12"
        ));
        assert!(why("square").starts_with("\"square\" needs a width, such as square:10; boards are square:10"));
        assert!(why("standard10").contains("did you mean \"standard-10\"?"));
        assert!(why("").starts_with("\"\" is not a board; boards are"));
        let corners = parse("standard-10", Placement::Corners, Diagonals::Natural).unwrap_err().why;
        assert_eq!(corners, "a placement is for generated boards; standard-10 draws its own queens");
    }

    #[test]
    fn letters_apart() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("donut", "donut"), 0);
    }
}
