//! The head of a request, as the gate of the pages judges it: who may ask for what, and from where it comes.

use agon_live::gate::{Gate, GateVerdict};
use hyper::Request;
use std::net::{Ipv4Addr, SocketAddr};

/// No server reads more lines of a head.
const MOST_LINES: usize = 100;

pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let begun = Request::builder().method(method).uri(path);
    let headers = lines.take(MOST_LINES).filter_map(|line| line.split_once(':'));
    let request = headers.fold(begun, |request, (name, value)| request.header(name, value.trim())).body(());
    let Ok(request) = request else { return };
    for (address, token) in [(Ipv4Addr::LOCALHOST, None), (Ipv4Addr::UNSPECIFIED, Some("0123456789abcdef"))] {
        let gate = Gate::new(SocketAddr::from((address, 8000)), "box".to_owned(), token).taking(1 << 20).playing();
        let _ = gate.origin(&request);
        if let GateVerdict::Enter(cookie, to) = gate.judge(&request) {
            let is_plain = |text: &str| !text.contains(|c: char| c.is_control());
            assert!(is_plain(&cookie) && is_plain(&to), "a line of a head that begins another: {cookie:?} {to:?}");
        }
    }
}
