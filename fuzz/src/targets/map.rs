//! A map file of a board; what is read is drawn, written and read again.

use agon_boards::Map;

pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(map) = Map::parse(text) else { return };
    let again = Map::parse(&map.board().to_map()).map(|again| again.board().matrix().clone());
    assert_eq!(again.as_ref(), Ok(map.board().matrix()), "a map that was written reads as another board");
    let _ = (map.board().to_dot(), map.warnings());
}
