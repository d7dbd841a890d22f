//! The server's readers of a host, which shares its memory with the client: replies, names, and lines of the log.

use agon_abi::{HEAD, OpenStatus, Reply, RequestKind, read};
use agon_model::Phase;
use agon_player::capture::HostLines;
use agon_player::name::read_name;

pub fn run(bytes: &[u8]) {
    for piece in bytes.chunks(HEAD) {
        let Some(reply) = read::<Reply>(piece) else { break };
        let body = &reply.body[..(reply.length as usize).min(reply.body.len())];
        let _ = (RequestKind::from_number(reply.kind), OpenStatus::from_status(reply.status));
        if let Ok(name) = read_name(reply.status, body) {
            assert!(!name.is_empty() && !name.chars().any(char::is_control), "{name:?}");
        }
    }
    let mut lines = HostLines::default();
    // As pieces of a pipe come.
    bytes.chunks(61).for_each(|piece| lines.take(piece, Phase::Play, 1));
    let _ = (lines.last("agon.crash"), lines.of("agon.denied").count());
}
