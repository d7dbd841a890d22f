//! Who may look at a board and move on it, judged by the head of a request alone: whoever brings the token of a link,
//! and for a move a page of this very server.

use super::link::PlayLink;
use agon_live::boards::is_loaded;
use agon_live::gate::{FORM, Gate, GateVerdict, NO_TOKEN, Refusal, cookies, refuse_body, refuse_writing};
use blake3::Hash;
use hyper::{Method, Request, StatusCode};

/// What is checked.
pub struct PlayGate {
    gate: Gate,
    /// What the paths of all links begin with: nothing, or `/play/` and the name of the board.
    base: String,
    /// Of each link its name and its token.
    tokens: Vec<(String, Hash)>,
}

impl PlayGate {
    /// `gate` knows the names of this machine.
    pub fn new(gate: Gate, base: String, links: &[PlayLink]) -> PlayGate {
        let tokens = links.iter().map(|link| (link.name.clone(), blake3::hash(link.token.as_bytes()))).collect();
        PlayGate { gate, base, tokens }
    }

    /// Judges a request.
    pub fn judge<B>(&self, request: &Request<B>) -> GateVerdict<()> {
        let (path, headers) = (request.uri().path(), request.headers());
        let refusal = self.gate.misdirected(request).or_else(|| self.judge_method(request));
        if let Some((status, why)) = refusal {
            return GateVerdict::Refuse(status, why);
        }
        // How pages look and what follows in the browser is no secret.
        if is_loaded(path) {
            return GateVerdict::Pass(());
        }
        let name = path.strip_prefix(&self.base).and_then(|path| path.split('/').nth(1)).unwrap_or_default();
        let Some((name, token)) = self.tokens.iter().find(|(known, _)| known == name) else {
            return GateVerdict::Refuse(StatusCode::FORBIDDEN, NO_TOKEN);
        };
        let is_token = |said: &str| blake3::hash(said.as_bytes()) == *token;
        let cookie = format!("{}{}-{name}", self.gate.cookie(), self.base.replace('/', "-"));
        match request.uri().query().and_then(|query| query.strip_prefix("token=")) {
            Some(said) if is_token(said) => {
                let place = format!("{}/{name}/", self.base);
                GateVerdict::Enter(self.gate.set_cookie(&cookie, said, &place), place)
            }
            None if cookies(headers, &cookie).any(is_token) => GateVerdict::Pass(()),
            _ => GateVerdict::Refuse(StatusCode::FORBIDDEN, NO_TOKEN),
        }
    }

    /// Refuses what is neither a question for a page nor a short form of a page of this server.
    fn judge_method<B>(&self, request: &Request<B>) -> Option<Refusal> {
        match *request.method() == Method::POST && request.uri().path().ends_with("/act") {
            true => refuse_body(request.headers(), "application/json", FORM, self.gate.public()),
            false => refuse_writing(request),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(path: &str, method: &str, heads: &[(&str, &str)]) -> u16 {
        status_behind(None, path, method, heads)
    }

    fn status_behind(public: Option<&str>, path: &str, method: &str, heads: &[(&str, &str)]) -> u16 {
        let public = public.map(|url| agon_live::address::public(url).unwrap());
        let secure = if public.is_some() { "; Secure" } else { "" };
        let gate = Gate::new("127.0.0.1:7420".parse().unwrap(), "box".to_owned(), None).behind(public);
        let link =
            |name: &str, token: &str| PlayLink { name: name.to_owned(), seats: vec![0], token: token.to_owned() };
        let gate = PlayGate::new(gate, String::new(), &[link("seat-1", "one"), link("seat-2", "two")]);
        let request = Request::builder().uri(path).method(method);
        let is_named = heads.iter().any(|(name, _)| *name == "host");
        let request = if is_named { request } else { request.header("host", "localhost:7420") };
        let request = heads.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        match gate.judge(&request.body(()).unwrap()) {
            GateVerdict::Pass(()) => 200,
            GateVerdict::Enter(cookie, to) => {
                assert!(cookie.ends_with(&format!("HttpOnly; SameSite=Strict; Path={to}{secure}")), "{cookie}");
                303
            }
            GateVerdict::Refuse(status, _) => status.as_u16(),
        }
    }

    const ONE: (&str, &str) = ("cookie", "agon-7420-seat-1=one");

    #[test]
    fn each_link_leads_to_its_own_seat() {
        assert_eq!(status("/seat-1/", "GET", &[]), 403);
        assert_eq!(status("/seat-1/?token=two", "GET", &[]), 403);
        assert_eq!(status("/seat-1/?token=one", "GET", &[]), 303);
        assert_eq!(status("/seat-1/?token=on", "GET", &[ONE]), 403, "a wrong token is told");
        assert_eq!(status("/seat-1/events", "GET", &[ONE]), 200);
        assert_eq!(status("/seat-2/", "GET", &[ONE]), 403);
        assert_eq!(status("/seat-2/", "GET", &[("cookie", "agon-7420-seat-2=one")]), 403);
        for path in ["/", "//", "/seat-3/", "/seat-1x/", "/../seat-1/"] {
            assert_eq!(status(path, "GET", &[ONE]), 403, "{path}");
        }
        assert_eq!(status("/play.js", "GET", &[]), 200);
        assert_eq!(status("/seat-1/", "GET", &[ONE, ("host", "evil.example")]), 421);
    }

    #[test]
    fn people_come_by_a_server_that_does_tls() {
        let (host, kind) = (("host", "course.example.org"), ("content-type", "application/json"));
        let behind = |path: &str, method: &str, heads: &[(&str, &str)]| {
            status_behind(Some("https://course.example.org"), path, method, &[&[host][..], heads].concat())
        };
        assert_eq!(behind("/seat-1/?token=one", "GET", &[]), 303);
        assert_eq!(behind("/seat-1/", "GET", &[ONE]), 200);
        let post =
            |origin: &str| behind("/seat-1/act", "POST", &[ONE, ("origin", origin), kind, ("content-length", "9")]);
        assert_eq!(post("https://course.example.org"), 200);
        assert_eq!(post("https://evil.example"), 403);
        assert_eq!(status("/seat-1/", "GET", &[host, ONE]), 421, "nobody said that name");
    }

    #[test]
    fn only_a_page_of_this_server_moves() {
        let (own, kind) = (("origin", "http://localhost:7420"), ("content-type", "application/json"));
        let (length, site) = (("content-length", "9"), ("sec-fetch-site", "same-origin"));
        let post = |heads: &[(&str, &str)]| status("/seat-1/act", "POST", heads);
        assert_eq!(post(&[ONE, own, kind, length, site]), 200);
        assert_eq!(post(&[ONE, own, kind, length]), 200);
        assert_eq!(post(&[own, kind, length, site]), 403, "no token");
        assert_eq!(post(&[ONE, kind, length, site]), 403, "no origin");
        for odd in ["http://evil.example", "null", "http://localhost:7421", "https://localhost:7420"] {
            assert_eq!(post(&[ONE, ("origin", odd), kind, length]), 403, "{odd}");
        }
        for odd in ["cross-site", "same-site", "none"] {
            assert_eq!(post(&[ONE, own, kind, length, ("sec-fetch-site", odd)]), 403, "{odd}");
        }
        assert_eq!(post(&[ONE, own, ("content-type", "text/plain"), length]), 415);
        assert_eq!(post(&[ONE, own, kind, ("content-length", "9999")]), 413);
        assert_eq!(post(&[ONE, own, kind]), 413);
        assert_eq!(post(&[ONE, own, kind, ("transfer-encoding", "chunked")]), 413);
        assert_eq!(status("/seat-1/", "POST", &[ONE, own, kind, length, site]), 405);
        assert_eq!(status("/seat-1/act", "PUT", &[ONE, own, kind, length, site]), 405);
        assert_eq!(status("/seat-1/act", "OPTIONS", &[]), 405);
    }
}
