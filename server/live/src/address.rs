//! Where a server listens, by which names it may be asked for, and how it is found.

use agon_command::Failure;
use hyper::Uri;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};

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
        Failure::trouble(format!(
            "{wanted} cannot be listened on: {error}; help: name another address, or {free} for a free port"
        ))
    })
}

/// This machine's own name.
pub fn name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// The public address, if another server stands before this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    /// As browsers write where a page came from: `https://course.example.org`.
    origin: String,
    host: String,
}

impl PublicUrl {
    /// Its name, without a port.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether what comes by it is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.origin.starts_with("https://")
    }

    /// Whether a page that came from there is of this server.
    pub fn is(&self, origin: &str) -> bool {
        origin.eq_ignore_ascii_case(&self.origin)
    }

    /// The address to open.
    pub fn link(&self, token: Option<&str>) -> String {
        format!("{}{}", self.base(), asking(token))
    }

    /// The beginning of all addresses.
    pub fn base(&self) -> String {
        format!("{}/", self.origin)
    }
}

/// An address of the command line by which people come: `https://course.example.org`, without a path.
pub fn public(text: &str) -> Result<PublicUrl, String> {
    let wrong = || "write an address without a path, as https://course.example.org".to_owned();
    let url: Uri = text.parse().map_err(|_| wrong())?;
    let (Some(scheme), Some(authority)) = (url.scheme_str(), url.authority()) else { return Err(wrong()) };
    let is_plain = ["http", "https"].contains(&scheme) && url.path() == "/" && url.query().is_none();
    if !is_plain || authority.as_str().contains('@') || authority.host().is_empty() {
        return Err(wrong());
    }
    let host = authority.host().to_ascii_lowercase();
    // Browsers leave out the port that is meant anyway.
    let usual = if scheme == "https" { 443 } else { 80 };
    let port = authority.port_u16().filter(|port| *port != usual).map_or(String::new(), |port| format!(":{port}"));
    Ok(PublicUrl { origin: format!("{scheme}://{host}{port}"), host })
}

fn asking(token: Option<&str>) -> String {
    token.map_or(String::new(), |token| format!("?token={token}"))
}

/// The address to open, with the token if one is needed.
pub fn link(at: SocketAddr, token: Option<&str>) -> String {
    let host = if at.ip().is_unspecified() { name() } else { written(at.ip()) };
    format!("http://{host}:{}/{}", at.port(), asking(token))
}

/// The address of pages that must not pass a network in clear: encrypted if it can be, or on this machine.
pub fn operator_link(at: SocketAddr, has_tls: bool) -> String {
    match (at.ip().is_loopback(), has_tls) {
        (false, true) => link(at, None).replacen("http://", "https://", 1),
        (true, _) => link(at, None),
        (false, false) => format!("http://localhost:{}/", at.port()),
    }
}

/// The same for other devices, which seldom know this machine by its name: by its number in the network.
pub fn link_for_others(at: SocketAddr, token: Option<&str>) -> String {
    match own_number().filter(|_| at.ip().is_unspecified()) {
        Some(ip) => format!("http://{}:{}/{}", written(ip), at.port(), asking(token)),
        None => link(at, token),
    }
}

fn written(ip: IpAddr) -> String {
    match ip {
        IpAddr::V6(ip) => format!("[{ip}]"),
        IpAddr::V4(ip) => ip.to_string(),
    }
}

/// The number by which this machine reaches others, if it is in a network. Nothing is sent.
fn own_number() -> Option<IpAddr> {
    // One of the numbers for documentation: only the way to it is looked up.
    const ANYWHERE: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(ANYWHERE).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_unspecified() && !ip.is_loopback()).then_some(ip)
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
    fn others_get_a_number_and_no_name() {
        let everywhere = SocketAddr::from((Ipv4Addr::UNSPECIFIED, 7420));
        let told = link_for_others(everywhere, Some("t"));
        match own_number() {
            Some(ip) => assert_eq!(told, format!("http://{ip}:7420/?token=t")),
            None => assert_eq!(told, link(everywhere, Some("t"))),
        }
        let one = SocketAddr::from((Ipv4Addr::new(10, 0, 0, 7), 7420));
        assert_eq!(link_for_others(one, None), "http://10.0.0.7:7420/");
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

    #[test]
    fn a_public_address_has_a_name_and_no_path() {
        let good = public("https://Course.example.org:8443/").unwrap();
        assert_eq!(good.link(Some("t")), "https://course.example.org:8443/?token=t");
        assert!(good.host() == "course.example.org" && good.is("https://course.example.org:8443"));
        assert!(public("https://course.example.org:443").unwrap().is("https://course.example.org"));
        for wrong in ["", "course.example.org", "ftp://a.b", "https://", "https://a/b", "https://a?b", "https://u@a"] {
            assert!(public(wrong).is_err(), "{wrong}");
        }
    }
}
