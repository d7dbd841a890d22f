//! The host's reader of the server's pipe: requests with their payloads and links, as it relocates them.

use crate::scratch;
use agon_abi::{Expected, bytes_of, relocate};
use agon_host::channel::{Channel, links};

pub fn run(bytes: &[u8]) {
    let file = scratch::folder("requests").join("requests");
    if std::fs::write(&file, bytes).is_err() {
        return;
    }
    let Ok(mut channel) = Channel::open(&file) else { return };
    while let Ok(Some(message)) = channel.receive() {
        let payload: Vec<u8> = message.payload.iter().flat_map(|word| bytes_of(word).iter().copied()).collect();
        let _ = Expected::from_payload(&payload);
        let all: Vec<_> = links(message.links).collect();
        let _ = relocate(message.payload, &all);
    }
}
