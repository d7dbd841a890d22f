//! Options of a game with their values: boards, positions, openings, secrets, deals. The first byte is the game, the
//! second the seats; then lines `key=value`, in which a value may have lines of its own, as the text of a file has:
//! they are parted by the byte 1.

use agon_games::{GAMES, Language, Opening, Options};

pub fn run(bytes: &[u8]) {
    let [game, seats, rest @ ..] = bytes else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let game = GAMES[usize::from(*game) % GAMES.len()];
    let mut options = Options::default();
    for (key, value) in text.split('\u{1}').filter_map(|line| line.split_once('=')) {
        if value.len() > 4 && value.bytes().all(|byte| byte.is_ascii_digit()) {
            return; // a size that takes long by right
        }
        options.set(key, value);
    }
    let Ok(setting) = game.prepare(&options, usize::from(*seats) % 12) else { return };
    for number in 0..2 {
        let state = setting.start(&Opening { number, seed: [7; 32] });
        let _ = (state.hash(), state.scores(), state.to_move(), state.scene(None, Language::English));
    }
}
