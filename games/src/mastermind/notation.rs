//! The notation of moves: `1 5 0 0` is a guess or a secret, `2+1` a reply: 2 values exact, 1 elsewhere.

use super::abi::Move;
use super::codes::{Code, Codes, MAX_PEGS, Reply};
use super::combination::Combination;

pub(super) fn code(code: &[u8]) -> String {
    Combination::from(code.to_vec()).to_string()
}

/// The notation of a move. Bytes that are not a move are shown by their fields.
pub(super) fn write(mv: Move) -> String {
    let n = usize::from(mv.n);
    let rest = mv.v.get(n..).is_some_and(|rest| rest.iter().all(|value| *value == 0)) && mv.reserved0 == 0;
    match (n, mv.rr, mv.rw) {
        (0, rr, rw) if rest => format!("{rr}+{rw}"),
        (_, 0, 0) if rest => code(&mv.v[..n]),
        _ => fields(mv),
    }
}

/// Every field of a move.
pub(super) fn fields(mv: Move) -> String {
    format!("v={:?} n={} rr={} rw={} reserved0={}", mv.v, mv.n, mv.rr, mv.rw, mv.reserved0)
}

/// Reads the move in a text. Codes of a wrong size are moves as well, so that a person learns what is wrong with them.
/// Where a reply is asked for, two numbers are a reply.
pub(super) fn read(codes: Codes, reply_asked: bool, text: &str) -> Option<Move> {
    if let Some((rr, rw)) = text.split_once('+') {
        return Some(Move::reply(Reply { rr: number(rr.trim())?, rw: number(rw.trim())? }));
    }
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).collect();
    if let (true, [rr, rw]) = (reply_asked, words.as_slice()) {
        return Some(Move::reply(Reply { rr: number(rr)?, rw: number(rw)? }));
    }
    let values: Vec<u8> = match words.as_slice() {
        [] => return None,
        // A value has one digit, so values can stand without spaces.
        [word] if codes.values() <= 10 => word.chars().map(|c| Some(c.to_digit(10)? as u8)).collect::<Option<_>>()?,
        words => words.iter().map(|word| number(word)).collect::<Option<_>>()?,
    };
    let mut code = Code::default();
    let fitting = values.len().min(MAX_PEGS);
    code[..fitting].copy_from_slice(&values[..fitting]);
    Some(Move::code(&code, u8::try_from(values.len()).unwrap_or(u8::MAX)))
}

fn number(word: &str) -> Option<u8> {
    word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_are_read_with_and_without_spaces() {
        let codes = Codes::new(4, 6);
        let read = |text: &str| read(codes, false, text).map(|mv| (mv.v, mv.n));
        let expected = Some(([1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 4));
        for text in ["1 5 0 0", "1500", "  1  5\t0 0 ", "1,5,0,0", "1, 5, 0, 0"] {
            assert_eq!(read(text), expected, "{text}");
        }
        assert_eq!(read("150").unwrap().1, 3);
        assert_eq!(read("1 2 3 4 5 0 1 2 3 4 5 0 1").unwrap().1, 13);
        assert_eq!(read(&"0".repeat(1000)).unwrap().1, 255);
        for text in ["", " ", ",", "abcd", "1 5 0 x", "1 5 0 256", "-1 2 3 4"] {
            assert_eq!(read(text), None, "{text}");
        }
        let wide = |text| super::read(Codes::new(2, 20), false, text).map(|mv| (mv.v[0], mv.v[1], mv.n));
        assert_eq!((wide("19 3"), wide("12")), (Some((19, 3, 2)), Some((12, 0, 1))));
    }

    #[test]
    fn replies_are_read_and_two_numbers_where_they_are_asked() {
        let codes = Codes::new(2, 6);
        let read = |asked, text| read(codes, asked, text).map(|mv| (mv.n, mv.rr, mv.rw));
        for text in ["2+1", " 2 + 1 "] {
            assert_eq!([read(false, text), read(true, text)], [Some((0, 2, 1)); 2]);
        }
        assert_eq!((read(true, "2 1"), read(false, "2 1")), (Some((0, 2, 1)), Some((2, 0, 0))));
        assert_eq!((read(true, "2+"), read(true, "+"), read(true, "1+1+1")), (None, None, None));
    }

    #[test]
    fn what_is_no_move_has_a_text() {
        let mv = |n, rr| Move { v: [1; 12], n, rr, rw: 0, reserved0: 0 };
        assert_eq!(write(mv(12, 0)), "1 1 1 1 1 1 1 1 1 1 1 1");
        for odd in [mv(11, 0), mv(13, 0), mv(12, 1), mv(0, 0), Move { reserved0: 1, ..mv(12, 0) }] {
            assert!(write(odd).starts_with("v=[1, "), "{odd:?}");
        }
    }
}
