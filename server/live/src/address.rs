//! Where a server listens, by which names it may be asked for, and how it is found.

use agon_command::Failure;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};

/// The port where none is named; if it is taken, a free one.
pub const PORT: u16 = 7420;

/// An address of the command line: `127.0.0.1:8000`, `[::1]:8000`, `localhost:8000`, an address or a port alone; port 0
/// takes a free one.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    let local = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let named = text.strip_prefix("localhost").map(|rest| rest.strip_prefix(':').unwrap_or(rest));
    if let Ok(port) = named.filter(|rest| !rest.is_empty()).unwrap_or(text).parse::<u16>() {
        return Ok(SocketAddr::new(local, port));
    }
    if named == Some("") {
        return Ok(SocketAddr::new(local, PORT));
    }
    let alone = |ip: IpAddr| SocketAddr::new(ip, PORT);
    text.parse().or_else(|_| text.trim_matches(['[', ']']).parse().map(alone)).map_err(|_| {
        "write an address of this machine with a port, as 127.0.0.1:8000, or a port alone; 0 takes a free one"
            .to_owned()
    })
}

/// Begins to listen, so that a port that is taken is known before anything else begins.
pub fn listen(asked: Option<SocketAddr>) -> Result<(TcpListener, SocketAddr), Failure> {
    let wanted = asked.unwrap_or(SocketAddr::from((Ipv4Addr::LOCALHOST, PORT)));
    let free = SocketAddr::new(wanted.ip(), 0);
    let bound = TcpListener::bind(wanted).or_else(|error| match error.kind() {
        ErrorKind::AddrInUse if asked.is_none() => TcpListener::bind(free),
        _ => Err(error),
    });
    let found = bound.and_then(|listener| {
        listener.set_nonblocking(true)?;
        let at = listener.local_addr()?;
        Ok((listener, at))
    });
    found.map_err(|error| {
        Failure::new(
            1,
            format!("{wanted} cannot be listened on: {error}; help: name another address, or {free} for a free port"),
        )
    })
}

/// This machine's own name.
pub fn name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// The address to open, with the token if one is needed.
pub fn link(at: SocketAddr, token: Option<&str>) -> String {
    let host = match at.ip() {
        ip if ip.is_unspecified() => name(),
        IpAddr::V6(ip) => format!("[{ip}]"),
        IpAddr::V4(ip) => ip.to_string(),
    };
    let token = token.map_or(String::new(), |token| format!("?token={token}"));
    format!("http://{host}:{}/{token}", at.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_that_nobody_named_may_be_taken() {
        // By this, or by whoever has it already.
        let _taken = TcpListener::bind((Ipv4Addr::LOCALHOST, PORT));
        let (_listener, at) = listen(None).unwrap();
        assert_ne!(at.port(), PORT);
        assert!(listen(Some(at)).is_err(), "one that is named is not another");
    }

    #[test]
    fn an_address_is_written_in_several_ways() {
        for (text, meant) in [
            ("8000", "127.0.0.1:8000"),
            ("localhost:8000", "127.0.0.1:8000"),
            ("localhost", "127.0.0.1:7420"),
            ("0.0.0.0:0", "0.0.0.0:0"),
            ("0.0.0.0", "0.0.0.0:7420"),
            ("[::1]:8000", "[::1]:8000"),
            ("::1", "[::1]:7420"),
        ] {
            assert_eq!(address(text).map(|at| at.to_string()), Ok(meant.to_owned()), "{text}");
        }
        for wrong in ["", "ladder.toml", "127.0.0.1:99999", "example.org:80", "localhosts:1", "localhost:x"] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
    }
}
