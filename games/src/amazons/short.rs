//! The short words for a board that the course's own servers used, `-m 12 -t d`, and the option that is a word itself.

use crate::{BadOption, Meant, ShortWord, Shorthand};
use agon_boards::Shape;

/// Width and shape, which together are the option `board`; and `--from`, as the tools have it.
pub(super) const SHORTHAND: Shorthand = Shorthand { words: WORDS, expand, keys: &[("from", "POSITION")] };

const WORDS: &[ShortWord] = &[
    ShortWord {
        letter: 'm',
        long: "size",
        value: "SIZE",
        help: "the width of the board. Example: -t d -m 9 is donut:9",
    },
    ShortWord {
        letter: 't',
        long: "shape",
        value: "SHAPE",
        help: "the shape of the board: c or s (square), d (donut), t (clover), 8 (eight), or the whole word",
    },
];

/// The letters of the shapes. One server of the course had `c` for the clover; agon follows the others.
const LETTERS: [(&str, Shape); 5] =
    [("c", Shape::Square), ("s", Shape::Square), ("d", Shape::Donut), ("t", Shape::Clover), ("8", Shape::Eight)];

/// Expands the words; missing ones mean a square, and the first good width from 10 on.
fn expand(given: &[(char, &str)]) -> Result<Meant, BadOption> {
    let word = |letter: char| given.iter().find(|word| word.0 == letter).map(|word| word.1);
    let shape = word('t').map_or(Ok(Shape::Square), shape)?;
    let width = match word('m') {
        Some(width) => width.to_owned(),
        None => shape.widths().find(|&width| width >= 10).unwrap_or(agon_boards::MAX_WIDTH).to_string(),
    };
    Ok(Meant { key: "board", value: format!("{}:{width}", shape.name()) })
}

fn shape(word: &str) -> Result<Shape, BadOption> {
    let by_letter = LETTERS.iter().find(|(letter, _)| *letter == word).map(|(_, shape)| *shape);
    by_letter.or_else(|| Shape::ALL.into_iter().find(|shape| shape.name() == word)).ok_or_else(|| {
        let known: Vec<_> = LETTERS.iter().map(|(letter, shape)| format!("{letter} ({})", shape.name())).collect();
        BadOption::new("board", format!("-t {word} is not a shape; there are {}", known.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_course_are_understood() {
        for (given, board) in [
            (&[('m', "10")][..], "square:10"),
            (&[('m', "10"), ('t', "d")], "donut:10"),
            (&[('t', "t"), ('m', "15")], "clover:15"),
            (&[('t', "8")], "eight:12"),
            (&[('t', "c"), ('m', "7")], "square:7"),
            (&[('t', "donut")], "donut:12"),
        ] {
            assert_eq!(expand(given), Ok(Meant { key: "board", value: board.to_owned() }));
        }
        let why = expand(&[('t', "x")]).unwrap_err().why;
        assert_eq!(why, "-t x is not a shape; there are c (square), s (square), d (donut), t (clover), 8 (eight)");
    }
}
