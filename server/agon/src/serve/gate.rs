//! Who may ask for what, judged by the head of a request alone: only reading, only by a name of this machine, and
//! beyond this machine only with the token.

use blake3::Hash;
use hyper::http::uri::Authority;
use hyper::{HeaderMap, Method, Request, StatusCode, header};
use std::net::{IpAddr, SocketAddr};

/// What is checked.
pub struct Gate {
    /// Whether only this machine can reach the server.
    is_local: bool,
    port: u16,
    /// This machine's own name.
    name: String,
    token: Option<Hash>,
}

/// What becomes of a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is answered.
    Pass,
    /// It brings the token: this cookie is set, and this path asked for anew without it.
    Enter(String, String),
    /// It is not answered, and why.
    Refuse(StatusCode, &'static str),
}

/// Why a page is not sent to whoever does not bring its token.
pub const NO_TOKEN: &str = "this page needs the link with the token that agon printed when it began";

impl Gate {
    /// For a server at this address.
    pub fn new(at: SocketAddr, name: String, token: Option<&str>) -> Gate {
        let token = token.map(|token| blake3::hash(token.as_bytes()));
        Gate { is_local: at.ip().is_loopback(), port: at.port(), name, token }
    }

    /// Judges a request.
    pub fn judge<B>(&self, request: &Request<B>) -> Verdict {
        let (headers, uri) = (request.headers(), request.uri());
        if let Some(refused) = self.misdirected(request) {
            return refused;
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return Verdict::Refuse(StatusCode::METHOD_NOT_ALLOWED, "pages can only be read");
        }
        let length = headers.get(header::CONTENT_LENGTH);
        if headers.contains_key(header::TRANSFER_ENCODING) || length.is_some_and(|length| length != "0") {
            return Verdict::Refuse(StatusCode::PAYLOAD_TOO_LARGE, "a question for a page has no body");
        }
        let Some(token) = &self.token else { return Verdict::Pass };
        let is_token = |said: &str| blake3::hash(said.as_bytes()) == *token;
        if let Some(said) = uri.query().and_then(|query| query.strip_prefix("token=")) {
            return match is_token(said) {
                true => {
                    let cookie = format!("{}={said}; HttpOnly; SameSite=Strict; Path=/", self.cookie());
                    Verdict::Enter(cookie, "/".to_owned())
                }
                false => Verdict::Refuse(StatusCode::FORBIDDEN, NO_TOKEN),
            };
        }
        match cookies(headers, &self.cookie()).any(is_token) {
            true => Verdict::Pass,
            false => Verdict::Refuse(StatusCode::FORBIDDEN, NO_TOKEN),
        }
    }

    /// Refuses what is meant for somebody else.
    pub fn misdirected<B>(&self, request: &Request<B>) -> Option<Verdict> {
        let is_own = request.uri().authority().is_none_or(|asked| self.is_own(asked));
        if is_own && self.is_meant(request.headers()) {
            return None;
        }
        let why = "this server goes by another name: use the link that agon printed";
        Some(Verdict::Refuse(StatusCode::MISDIRECTED_REQUEST, why))
    }

    /// Whether the one host that is named is this one.
    fn is_meant(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok()?.parse().ok());
        host.is_some_and(|host| self.is_own(&host)) && hosts.next().is_none()
    }

    /// Whether a name is of this machine. A page of somebody else can have a name of its own lead here, but no address;
    /// so addresses are believed. The port is not looked at: through a tunnel it is another.
    fn is_own(&self, asked: &Authority) -> bool {
        if asked.as_str().contains('@') {
            return false;
        }
        let host = asked.host();
        if let Ok(ip) = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
            return ip.is_loopback() || !self.is_local;
        }
        host.eq_ignore_ascii_case("localhost") || !self.is_local && host.eq_ignore_ascii_case(&self.name)
    }

    /// The cookie's name: cookies of a machine are shared by its ports.
    pub fn cookie(&self) -> String {
        format!("agon-{}", self.port)
    }
}

/// The values of the cookies of this name.
pub fn cookies<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> {
    let name = format!("{name}=");
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(move |part| part.trim().strip_prefix(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(host: &str) -> hyper::http::request::Builder {
        Request::builder().uri("/").header("host", host)
    }

    fn status(gate: &Gate, request: hyper::http::request::Builder) -> u16 {
        match gate.judge(&request.body(()).unwrap()) {
            Verdict::Pass => 200,
            Verdict::Enter(..) => 303,
            Verdict::Refuse(status, _) => status.as_u16(),
        }
    }

    #[test]
    fn only_names_of_this_machine_are_answered() {
        let local = Gate::new("127.0.0.1:7420".parse().unwrap(), "box".to_owned(), None);
        for host in ["127.0.0.1:7420", "localhost:9000", "LOCALHOST", "[::1]:7420"] {
            assert_eq!(status(&local, asked(host)), 200, "{host}");
        }
        for host in [
            "evil.example:7420",
            "192.168.1.2:7420",
            "box:7420",
            "a@localhost",
            "",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "/",
            "[::1",
        ] {
            assert_eq!(status(&local, asked(host)), 421, "{host}");
        }
        assert_eq!(status(&local, asked("localhost").header("host", "evil.example")), 421, "two hosts");
        assert_eq!(status(&local, Request::builder().uri("/")), 421, "no host");
        assert_eq!(status(&local, asked("localhost").uri("http://evil.example/")), 421);
        let shared = Gate::new("0.0.0.0:7420".parse().unwrap(), "box".to_owned(), None);
        for (host, expected) in [("192.168.1.2:7420", 200), ("Box:7420", 200), ("evil.example", 421)] {
            assert_eq!(status(&shared, asked(host)), expected, "{host}");
        }
    }

    #[test]
    fn pages_are_only_read() {
        let gate = Gate::new("127.0.0.1:7420".parse().unwrap(), String::new(), None);
        assert_eq!(status(&gate, asked("localhost").method("HEAD")), 200);
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
            assert_eq!(status(&gate, asked("localhost").method(method)), 405, "{method}");
        }
        assert_eq!(status(&gate, asked("localhost").header("content-length", "5")), 413);
        assert_eq!(status(&gate, asked("localhost").header("transfer-encoding", "chunked")), 413);
    }

    #[test]
    fn a_token_is_given_once_and_then_a_cookie() {
        let gate = Gate::new("0.0.0.0:7420".parse().unwrap(), "box".to_owned(), Some("secret"));
        assert_eq!(status(&gate, asked("box")), 403);
        assert_eq!(status(&gate, asked("box").uri("/?token=secre")), 403);
        assert_eq!(status(&gate, asked("box").uri("/?token=secret")), 303);
        for (cookie, expected) in
            [("agon-7420=secret", 200), ("a=b; agon-7420=secret", 200), ("agon-7420=", 403), ("agon-1=secret", 403)]
        {
            assert_eq!(status(&gate, asked("box").header("cookie", cookie)), expected, "{cookie}");
        }
    }
}
