//! The rights at a board, judged by the head of a request alone. To look takes the token of a link, or an accepted
//! invitation; to move also takes a page of this very server.

use super::link::PlayLink;
use agon_command::token::draw_token;
use agon_games::Said;
use agon_live::boards::{AtBoard, is_loaded};
use agon_live::gate::{FORM, Gate, GateVerdict, PageRefusal, cookies, refuse_body, refuse_writing};
use hyper::{Method, Request, StatusCode};
use std::net::IpAddr;
use std::sync::Arc;

/// The rights that are checked.
pub struct PlayGate {
    gate: Gate,
    /// The beginning of all links' paths: nothing, or `/play/` and the name of the board.
    base: String,
    links: Arc<[PlayLink]>,
}

const NO_SEAT: Said = Said::new(
    "this seat needs the whole link that leads to it, with its token",
    "il faut le lien entier de cette place, avec son jeton",
);
const TAKEN: Said = Said::new(
    "this seat is taken: its link was used before, in another browser; the sender can begin another board",
    "cette place est prise : son lien a déjà servi, dans un autre navigateur ; qui l'a envoyé peut ouvrir un autre \
     plateau",
);
const NO_TOKEN: Said = Said::new("no token can be drawn on this machine", "cette machine ne peut pas tirer de jeton");

impl PlayGate {
    /// `gate` knows the names of this machine.
    pub fn new(gate: Gate, base: String, links: Arc<[PlayLink]>) -> PlayGate {
        PlayGate { gate, base, links }
    }

    /// The address from which a request comes.
    pub fn origin<B>(&self, request: &Request<B>) -> IpAddr {
        self.gate.origin(request)
    }

    /// Judges one request by its head.
    pub fn judge<B>(&self, request: &Request<B>) -> GateVerdict<AtBoard> {
        let path = request.uri().path();
        let refusal = self.gate.misdirected(request).or_else(|| self.judge_method(request));
        if let Some((status, why)) = refusal {
            return GateVerdict::Refuse(status, why);
        }
        // Styles and scripts of pages are not secret.
        if is_loaded(path) {
            return GateVerdict::Pass(AtBoard::Seated);
        }
        let Some(link) = self.link(path) else {
            return GateVerdict::Refuse(StatusCode::FORBIDDEN, NO_SEAT);
        };
        let cookie = self.cookie(request, link);
        let seated = cookies(request.headers(), &cookie).find(|said| link.is_seated(said));
        match (said_token(request), seated) {
            (None, Some(_)) => GateVerdict::Pass(AtBoard::Seated),
            (Some(said), Some(secret)) if link.is_token(said) => self.enter(request, link, secret),
            (Some(said), None) if link.is_token(said) => self.admit(request, link, said),
            _ => GateVerdict::Refuse(StatusCode::FORBIDDEN, NO_SEAT),
        }
    }

    /// Admits a person who comes by a link for the first time. Programs that only look at links, as those of mail do,
    /// take nothing.
    fn admit<B>(&self, request: &Request<B>, link: &PlayLink, token: &str) -> GateVerdict<AtBoard> {
        if link.invitation.is_none() {
            return self.enter(request, link, token);
        }
        if *request.method() != Method::POST && !link.is_taken() && request.uri().path() == self.place(link) {
            return GateVerdict::Pass(AtBoard::Invited);
        }
        let Ok(secret) = draw_token() else { return GateVerdict::Refuse(StatusCode::INTERNAL_SERVER_ERROR, NO_TOKEN) };
        if *request.method() == Method::POST && link.take(&secret) {
            self.enter(request, link, &secret)
        } else {
            GateVerdict::Refuse(StatusCode::FORBIDDEN, TAKEN)
        }
    }

    fn enter<B>(&self, request: &Request<B>, link: &PlayLink, secret: &str) -> GateVerdict<AtBoard> {
        let place = self.place(link);
        GateVerdict::Enter(self.gate.set_cookie(request, &self.cookie(request, link), secret, &place), place)
    }

    /// The link that a path is below.
    fn link(&self, path: &str) -> Option<&PlayLink> {
        let name = path.strip_prefix(&self.base)?.split('/').nth(1)?;
        self.links.iter().find(|link| link.name == name)
    }

    fn place(&self, link: &PlayLink) -> String {
        format!("{}/{}/", self.base, link.name)
    }

    fn cookie<B>(&self, request: &Request<B>, link: &PlayLink) -> String {
        format!("{}{}-{}", self.gate.cookie(request), self.base.replace('/', "-"), link.name)
    }

    /// Refuses everything but a request for a page and a short form from a page of this server.
    fn judge_method<B>(&self, request: &Request<B>) -> Option<PageRefusal> {
        let path = request.uri().path();
        let is_to_watch = self.link(path).is_some_and(PlayLink::is_to_watch);
        let is_form = !is_to_watch && (path.ends_with("/act") || said_token(request).is_some());
        if *request.method() == Method::POST && is_form {
            refuse_body(request, "application/json", FORM, self.gate.public())
        } else {
            refuse_writing(request)
        }
    }
}

/// The token that a request says.
fn said_token<B>(request: &Request<B>) -> Option<&str> {
    request.uri().query().and_then(|query| query.strip_prefix("token="))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::browser::link::SeatClaim;

    fn status(path: &str, method: &str, heads: &[(&str, &str)]) -> u16 {
        status_behind(None, path, method, heads)
    }

    fn status_behind(public: Option<&str>, path: &str, method: &str, heads: &[(&str, &str)]) -> u16 {
        let public = public.map(|url| agon_live::address::public(url).unwrap());
        let secure = if public.is_some() { "; Secure" } else { "" };
        let gate = Gate::new("127.0.0.1:7420".parse().unwrap(), "box".to_owned(), None).behind(public);
        let link = |name: &str, token: &str| PlayLink::new(name.to_owned(), vec![0], token.to_owned());
        let guest = PlayLink { invitation: Some(SeatClaim::default()), ..link("seat-3", "three") };
        let watch = PlayLink::new("watch".to_owned(), Vec::new(), "eyes".to_owned());
        let links = [link("seat-1", "one"), link("seat-2", "two"), guest, watch].into();
        let gate = PlayGate::new(gate, String::new(), links);
        let request = Request::builder().uri(path).method(method);
        let is_named = heads.iter().any(|(name, _)| *name == "host");
        let request = if is_named { request } else { request.header("host", "localhost:7420") };
        let request = heads.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        match gate.judge(&request.body(()).unwrap()) {
            GateVerdict::Pass(AtBoard::Seated) => 200,
            GateVerdict::Pass(AtBoard::Invited) => 201,
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
        for path in ["/", "//", "/seat-4/", "/seat-1x/", "/../seat-1/"] {
            assert_eq!(status(path, "GET", &[ONE]), 403, "{path}");
        }
        assert_eq!(status("/play.js", "GET", &[]), 200);
        assert_eq!(status("/seat-1/", "GET", &[ONE, ("host", "evil.example")]), 421);
    }

    #[test]
    fn only_who_asks_for_it_takes_an_invitation() {
        let (own, kind, length) =
            (("origin", "http://localhost:7420"), ("content-type", "application/json"), ("content-length", "2"));
        assert_eq!(status("/seat-3/?token=three", "GET", &[]), 201, "who only looks is asked");
        assert_eq!(status("/seat-3/?token=three", "HEAD", &[]), 201);
        assert_eq!(status("/seat-3/?token=three", "POST", &[own, kind, length]), 303);
        assert_eq!(status("/seat-3/?token=three", "POST", &[kind, length]), 403, "no page of this server");
        assert_eq!(status("/seat-3/?token=two", "POST", &[own, kind, length]), 403);
        for path in ["/seat-3/", "/seat-3/events?token=three", "/seat-3/replay.html?token=three"] {
            assert_eq!(status(path, "GET", &[("cookie", "agon-7420-seat-3=three")]), 403, "{path}");
        }
    }

    #[test]
    fn who_watches_sees_the_page_and_sends_nothing() {
        let watch = ("cookie", "agon-7420-watch=eyes");
        assert_eq!(status("/watch/", "GET", &[]), 403);
        assert_eq!(status("/watch/?token=eyes", "GET", &[]), 303);
        assert_eq!(status("/watch/", "GET", &[watch]), 200);
        assert_eq!(status("/watch/events", "GET", &[watch]), 200);
        assert_eq!(status("/seat-1/", "GET", &[watch]), 403, "it leads to no seat");
        assert_eq!(status("/watch/", "GET", &[ONE]), 403, "and no seat's link to it");
        let (own, kind) = (("origin", "http://localhost:7420"), ("content-type", "application/json"));
        let form = |path: &str| status(path, "POST", &[watch, own, kind, ("content-length", "9")]);
        assert_eq!([form("/watch/act"), form("/watch/?token=eyes"), form("/seat-1/act")], [405, 405, 403]);
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
        assert_eq!(post(&[ONE, own, kind]), 411);
        assert_eq!(post(&[ONE, own, kind, ("transfer-encoding", "chunked")]), 411);
        assert_eq!(status("/seat-1/", "POST", &[ONE, own, kind, length, site]), 405);
        assert_eq!(status("/seat-1/act", "PUT", &[ONE, own, kind, length, site]), 405);
        assert_eq!(status("/seat-1/act", "OPTIONS", &[]), 405);
    }
}
