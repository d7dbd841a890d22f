//! `ladder.toml`, and what is read of it where its clients are gone.

use crate::scratch;
use agon_config as config;
use agon_games::GAMES;

pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let folder = scratch::folder("ladder");
    for refused in [
        config::read(text, "ladder.toml", &folder, GAMES).err(),
        config::read_location(text, "ladder.toml", &folder).err(),
    ] {
        let told = refused.map(|error| error.to_string());
        assert!(told.is_none_or(|told| !told.is_empty()));
    }
}
