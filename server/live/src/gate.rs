//! Who may ask for what, judged by the head of a request alone: only by a name of this machine, only reading, and
//! beyond this machine only with a token. Where teams have links of their own, everybody needs one.

use crate::address::PublicUrl;
use crate::quota::network;
use crate::team_links::{Team, TeamLinks};
use crate::viewer::Viewer;
use agon_games::Said;
use blake3::Hash;
use hyper::http::uri::Authority;
use hyper::{HeaderMap, Method, Request, StatusCode, header};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// From where a connection comes, and how long it may be silent.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// Its address.
    pub address: IpAddr,
    /// How long.
    pub patience: Duration,
    /// Whether this server decrypts what comes.
    pub is_encrypted: bool,
}

/// What is checked.
#[derive(Clone)]
pub struct Gate {
    /// Whether only this machine can reach the server.
    is_local: bool,
    port: u16,
    /// This machine's own name.
    name: String,
    /// The address of a server that does TLS before this one.
    public: Option<PublicUrl>,
    token: Option<Hash>,
    /// The folder with the links of teams, where they count.
    links: Option<PathBuf>,
    /// The most bytes of a file that a team may hand in; `None` = nothing is taken.
    takes: Option<usize>,
    /// Whether visitors may begin boards.
    plays: bool,
}

/// What becomes of a request.
#[derive(Debug, PartialEq, Eq)]
pub enum GateVerdict<V> {
    /// It is answered, to this viewer.
    Pass(V),
    /// It brings a token: this cookie is set, and this path asked for anew without it.
    Enter(String, String),
    /// It is not answered, and why.
    Refuse(StatusCode, Said),
}

impl<V> GateVerdict<V> {
    /// The same, where the viewer is one among others.
    pub fn of<W>(self, viewer: impl FnOnce(V) -> W) -> GateVerdict<W> {
        match self {
            GateVerdict::Pass(one) => GateVerdict::Pass(viewer(one)),
            GateVerdict::Enter(cookie, to) => GateVerdict::Enter(cookie, to),
            GateVerdict::Refuse(status, why) => GateVerdict::Refuse(status, why),
        }
    }
}

/// Why a page is not sent to whoever does not bring its token.
pub const NO_TOKEN: Said = Said::new(
    "this page needs the link with the token that agon printed when it began",
    "il faut pour cette page le lien avec le jeton qu'agon a affiché en commençant",
);
/// The most bytes of a form.
pub const FORM: usize = 1024;
/// Where teams send their files.
pub const HAND_IN: &str = "/team/hand-in";
/// Where visitors ask for a board, below the path of a ladder.
pub const BEGIN: &str = "/play";
/// Where teams have links of their own.
const NO_TEAM: Said = Said::new(
    "this page needs a link with a token: that of your team, which whoever runs this sends you, or the one that agon \
     printed when it began; a new link makes the one before void",
    "il faut pour cette page un lien avec un jeton : celui de votre équipe, que vous envoie qui organise ce tournoi, ou \
     celui qu'agon a affiché en commençant ; un nouveau lien annule le précédent",
);

/// Why a link does not make one team another.
const ANOTHER_TEAM: Said = Said::new(
    "this browser is that of another team here, and the link would change that: open it in a private window, or remove \
     the cookies of this page first",
    "ce navigateur est ici celui d'une autre équipe, et le lien changerait cela : ouvrez-le dans une fenêtre privée, ou \
     supprimez d'abord les cookies de cette page",
);

impl Gate {
    /// For a server at this address.
    pub fn new(at: SocketAddr, name: String, token: Option<&str>) -> Gate {
        let token = token.map(|token| blake3::hash(token.as_bytes()));
        let (is_local, port) = (at.ip().is_loopback(), at.port());
        Gate { is_local, port, name, public: None, token, links: None, takes: None, plays: false }
    }

    /// The same, where people come by this address.
    pub fn behind(self, public: Option<PublicUrl>) -> Gate {
        Gate { public, ..self }
    }

    /// The same, for teams too whose links are in this folder.
    pub fn with_teams(self, out: PathBuf) -> Gate {
        Gate { links: Some(out), ..self }
    }

    /// The same, where teams may hand in files of so many bytes.
    pub fn taking(self, most: usize) -> Gate {
        Gate { takes: Some(most), ..self }
    }

    /// The same, where visitors may begin boards.
    pub fn playing(self) -> Gate {
        Gate { plays: true, ..self }
    }

    /// Refuses what is neither a question for a page, nor a file of a team, nor the wish for a board.
    fn judge_method<B>(&self, request: &Request<B>) -> Option<Refusal> {
        let (path, headers, public) = (request.uri().path(), request.headers(), self.public.as_ref());
        let is_post = *request.method() == Method::POST;
        match self.takes {
            Some(most) if is_post && path == HAND_IN => refuse_body(headers, "application/octet-stream", most, public),
            _ if is_post && self.plays && path.starts_with("/ladder/") && path.ends_with(BEGIN) => {
                refuse_body(headers, "application/json", FORM, public)
            }
            _ => refuse_writing(request),
        }
    }

    /// Judges a request.
    pub fn judge<B>(&self, request: &Request<B>) -> GateVerdict<Viewer> {
        let refusal = self.misdirected(request).or_else(|| self.judge_method(request));
        if let Some((status, why)) = refusal {
            return GateVerdict::Refuse(status, why);
        }
        if let Some(said) = request.uri().query().and_then(|query| query.strip_prefix("token=")) {
            return self.enter(said, request.headers());
        }
        match self.viewer(request.uri().path(), request.headers()) {
            Some(viewer) => GateVerdict::Pass(viewer),
            None => self.no_token(),
        }
    }

    fn no_token(&self) -> GateVerdict<Viewer> {
        GateVerdict::Refuse(StatusCode::FORBIDDEN, if self.links.is_some() { NO_TEAM } else { NO_TOKEN })
    }

    /// Where a token leads to. Nobody becomes another team by following somebody's link.
    fn enter(&self, said: &str, headers: &HeaderMap) -> GateVerdict<Viewer> {
        let is_another = |team: &Team| self.known_team(headers).is_some_and(|known| known != *team);
        let (cookie, to) = match self.team(said) {
            _ if self.is_token(said) => (self.cookie(), "/"),
            Some(team) if is_another(&team) => return GateVerdict::Refuse(StatusCode::CONFLICT, ANOTHER_TEAM),
            Some(_) => (self.team_cookie(), "/team"),
            None if self.token.is_none() => return GateVerdict::Pass(Viewer::Anybody),
            None => return self.no_token(),
        };
        GateVerdict::Enter(self.set_cookie(&cookie, said, "/"), to.to_owned())
    }

    /// Whose cookies these are. Whoever has two is a team where the page is one of teams.
    fn viewer(&self, path: &str, headers: &HeaderMap) -> Option<Viewer> {
        let is_open = self.token.is_none() || cookies(headers, &self.cookie()).any(|said| self.is_token(said));
        let anybody = is_open.then_some(Viewer::Anybody);
        let team = || self.known_team(headers).map(Viewer::Team);
        let is_of_teams = path == "/team" || path.starts_with("/team/");
        if is_of_teams { team().or(anybody) } else { anybody.or_else(team) }
    }

    /// The team whose cookie comes with a request.
    fn known_team(&self, headers: &HeaderMap) -> Option<Team> {
        cookies(headers, &self.team_cookie()).find_map(|said| self.team(said))
    }

    fn is_token(&self, said: &str) -> bool {
        self.token.is_some_and(|token| blake3::hash(said.as_bytes()) == token)
    }

    /// The team with this token, as the file has it now.
    fn team(&self, said: &str) -> Option<Team> {
        let links = TeamLinks::read(self.links.as_ref()?);
        let links = links.map_err(|failure| tracing::error!("the links of teams are not read: {}", failure.message));
        links.ok()?.whose(said).cloned()
    }

    /// Refuses what is meant for somebody else.
    pub fn misdirected<B>(&self, request: &Request<B>) -> Option<Refusal> {
        let is_own = request.uri().authority().is_none_or(|asked| self.is_own(asked));
        let why = Said::new(
            "this server goes by another name: use the link that agon printed",
            "ce serveur porte un autre nom : suivez le lien qu'agon a affiché",
        );
        let is_meant = is_own && self.is_meant(request.headers());
        (!is_meant).then_some((StatusCode::MISDIRECTED_REQUEST, why))
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
        host.eq_ignore_ascii_case("localhost")
            || !self.is_local && host.eq_ignore_ascii_case(&self.name)
            || self.public.as_ref().is_some_and(|public| host.eq_ignore_ascii_case(public.host()))
    }

    /// From where a request comes: behind a server that does TLS what that says, if it does.
    pub fn origin<B>(&self, request: &Request<B>) -> IpAddr {
        let peer = request.extensions().get::<Peer>().map_or(IpAddr::from(Ipv4Addr::LOCALHOST), |peer| peer.address);
        // Of several the last one is what that server saw; those before it are what it was told.
        let last = request.headers().get_all("x-forwarded-for").iter().next_back();
        let said = last.and_then(|line| line.to_str().ok()?.rsplit(',').next()?.trim().parse::<IpAddr>().ok());
        network(said.filter(|_| self.public.is_some() && peer.is_loopback()).unwrap_or(peer))
    }

    /// The cookie's name: cookies of a machine are shared by its ports.
    pub fn cookie(&self) -> String {
        format!("agon-{}", self.port)
    }

    /// A cookie for pages below a path; where people come by an encrypted address, for such connections alone.
    pub fn set_cookie(&self, name: &str, value: &str, path: &str) -> String {
        let secure = if self.public.as_ref().is_some_and(PublicUrl::is_encrypted) { "; Secure" } else { "" };
        format!("{name}={value}; HttpOnly; SameSite=Strict; Path={path}{secure}")
    }

    /// The address of a server that does TLS before this one.
    pub fn public(&self) -> Option<&PublicUrl> {
        self.public.as_ref()
    }

    fn team_cookie(&self) -> String {
        format!("agon-{}-team", self.port)
    }
}

/// A status, and why it is.
pub type Refusal = (StatusCode, Said);

/// Refuses what is no question for a page.
pub fn refuse_writing<B>(request: &Request<B>) -> Option<Refusal> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let why = Said::new("pages can only be read", "les pages ne peuvent être que lues");
        return Some((StatusCode::METHOD_NOT_ALLOWED, why));
    }
    let (headers, length) = (request.headers(), request.headers().get(header::CONTENT_LENGTH));
    let has_body = headers.contains_key(header::TRANSFER_ENCODING) || length.is_some_and(|length| length != "0");
    let why = Said::new("a question for a page has no body", "une demande de page n'a pas de corps");
    has_body.then_some((StatusCode::PAYLOAD_TOO_LARGE, why))
}

/// Refuses a body that is not sent by a page of this server, of another kind, too long, or of unknown length.
pub fn refuse_body(headers: &HeaderMap, kind: &str, most: usize, public: Option<&PublicUrl>) -> Option<Refusal> {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if !is_own_page(headers, public) {
        let why =
            Said::new("only a page of this server may send this", "seule une page de ce serveur peut envoyer cela");
        Some((StatusCode::FORBIDDEN, why))
    } else if headers.get(header::CONTENT_TYPE).is_none_or(|said| said != kind) {
        let why = Said::new(
            "what is sent is of another kind than this page sends",
            "ce qui est envoyé est d'une autre sorte que ce qu'envoie cette page",
        );
        Some((StatusCode::UNSUPPORTED_MEDIA_TYPE, why))
    } else if headers.contains_key(header::TRANSFER_ENCODING) || length.is_none_or(|length| length > most) {
        let why = Said::new(
            "it is longer than may be sent here, or does not say how long it is",
            "c'est plus long que permis ici, ou la longueur n'est pas dite",
        );
        Some((StatusCode::PAYLOAD_TOO_LARGE, why))
    } else {
        None
    }
}

/// The values of the cookies of this name.
pub fn cookies<'a>(headers: &'a HeaderMap, name: &str) -> impl Iterator<Item = &'a str> {
    let name = format!("{name}=");
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(move |part| part.trim().strip_prefix(&name))
}

/// Whether a page of this server asks, as far as the browser tells: some only say where the page came from. A server
/// before this one may name this one as the host.
fn is_own_page(headers: &HeaderMap, public: Option<&PublicUrl>) -> bool {
    let said = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let origin = said("origin");
    let named = origin.and_then(|origin| origin.strip_prefix("http://"));
    let is_public = public.is_some_and(|public| origin.is_some_and(|origin| public.is(origin)));
    (is_public || named.is_some() && named == said("host"))
        && said("sec-fetch-site").is_none_or(|site| site == "same-origin")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(host: &str) -> hyper::http::request::Builder {
        Request::builder().uri("/").header("host", host)
    }

    fn status(gate: &Gate, request: hyper::http::request::Builder) -> u16 {
        match gate.judge(&request.body(()).unwrap()) {
            GateVerdict::Pass(_) => 200,
            GateVerdict::Enter(..) => 303,
            GateVerdict::Refuse(status, _) => status.as_u16(),
        }
    }

    #[test]
    fn whoever_comes_through_a_server_before_this_one_is_who_that_saw() {
        let local = Gate::new("127.0.0.1:7420".parse().unwrap(), "box".to_owned(), None);
        let behind = local.clone().behind(Some(crate::address::public("https://course.example.org").unwrap()));
        let origin = |gate: &Gate, peer: &str, lines: &[&str]| {
            let mut request = asked("127.0.0.1").body(()).unwrap();
            request.extensions_mut().insert(Peer {
                address: peer.parse().unwrap(),
                patience: Duration::ZERO,
                is_encrypted: false,
            });
            for line in lines {
                request.headers_mut().append("x-forwarded-for", line.parse().unwrap());
            }
            gate.origin(&request).to_string()
        };
        for (lines, seen) in [
            (&["192.0.2.1"][..], "192.0.2.1"),
            // What a visitor says of itself stands before what the server saw.
            (&["198.51.100.7, 10.0.0.1,192.0.2.1"], "192.0.2.1"),
            (&["198.51.100.7", "192.0.2.1"], "192.0.2.1"),
            (&["2001:db8:1:2:3::4"], "2001:db8:1:2::"),
            (&["::ffff:192.0.2.1"], "192.0.2.1"),
            (&[], "127.0.0.1"),
            (&["unknown"], "127.0.0.1"),
            (&["192.0.2.1, "], "127.0.0.1"),
            (&["192.0.2.1:4711"], "127.0.0.1"),
        ] {
            assert_eq!(origin(&behind, "127.0.0.1", lines), seen, "{lines:?}");
            assert_eq!(origin(&local, "127.0.0.1", lines), "127.0.0.1", "no server is before it: {lines:?}");
            assert_eq!(origin(&behind, "203.0.113.9", lines), "203.0.113.9", "it is another machine: {lines:?}");
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

    #[test]
    fn a_team_is_known_by_its_own_token() {
        let folder = tempfile::tempdir().unwrap();
        let mut links = TeamLinks::read(folder.path()).unwrap();
        let red = Team { ladder: "class".to_owned(), team: "red".to_owned() };
        links.invite(red.clone()).unwrap();
        links.write().unwrap();
        let token = links.of("class").next().unwrap().1.to_owned();
        let gate = Gate::new("127.0.0.1:7420".parse().unwrap(), "box".to_owned(), Some("secret"));
        let gate = gate.with_teams(folder.path().to_owned());
        let judge = |path: &str, cookie: &str| {
            gate.judge(&asked("localhost").uri(path).header("cookie", cookie).body(()).unwrap())
        };
        assert_eq!(status(&gate, asked("localhost")), 403, "on this machine, too");
        for wrong in [&token[1..], "secre", ""] {
            assert!(matches!(
                judge(&format!("/team?token={wrong}"), ""),
                GateVerdict::Refuse(StatusCode::FORBIDDEN, _)
            ));
        }
        let GateVerdict::Enter(cookie, to) = judge(&format!("/team?token={token}"), "") else { panic!("{token}") };
        assert!(cookie.contains("HttpOnly; SameSite=Strict") && to == "/team", "{cookie} {to}");
        let own = cookie.split(';').next().unwrap();
        assert_eq!(judge("/ladder/1/index.html", own), GateVerdict::Pass(Viewer::Team(red.clone())));
        let both = format!("{own}; agon-7420=secret");
        assert_eq!(judge("/ladder/1/index.html", &both), GateVerdict::Pass(Viewer::Anybody));
        assert_eq!(judge("/team", &both), GateVerdict::Pass(Viewer::Team(red.clone())));
        assert_eq!(judge("/team", "agon-7420=secret"), GateVerdict::Pass(Viewer::Anybody));
        let cross = format!("agon-7420={token}; agon-7420-team=secret");
        assert!(matches!(judge("/team", &cross), GateVerdict::Refuse(..)), "a token is only what it is");
        links.revoke(&red);
        links.write().unwrap();
        assert!(matches!(judge("/team", own), GateVerdict::Refuse(StatusCode::FORBIDDEN, _)), "at once");
    }

    #[test]
    fn only_the_page_of_a_team_hands_in() {
        let folder = tempfile::tempdir().unwrap();
        let mut links = TeamLinks::read(folder.path()).unwrap();
        links.invite(Team { ladder: "class".to_owned(), team: "red".to_owned() }).unwrap();
        links.write().unwrap();
        let cookie = format!("agon-7420-team={}", links.of("class").next().unwrap().1);
        let closed = || {
            let gate = Gate::new("127.0.0.1:7420".parse().unwrap(), "box".to_owned(), Some("secret"));
            gate.with_teams(folder.path().to_owned())
        };
        let open = closed().taking(100);
        let post = |gate: &Gate, path: &str, changed: (&str, &str)| {
            let heads = [
                ("host", "localhost:7420"),
                ("origin", "http://localhost:7420"),
                ("sec-fetch-site", "same-origin"),
                ("content-type", "application/octet-stream"),
                ("content-length", "100"),
                ("cookie", &cookie),
            ];
            let heads = heads.into_iter().filter(|(name, _)| *name != changed.0).chain([changed]);
            let heads = heads.filter(|(_, value)| !value.is_empty());
            let request = Request::builder().uri(path).method("POST");
            status(gate, heads.fold(request, |request, (name, value)| request.header(name, value)))
        };
        assert_eq!(post(&open, HAND_IN, ("x", "y")), 200);
        assert_eq!(post(&closed(), HAND_IN, ("x", "y")), 405, "where nothing is taken");
        for (path, changed, expected) in [
            ("/team", ("x", "y"), 405),
            ("/team/hand-in/../x", ("x", "y"), 405),
            (HAND_IN, ("host", "evil.example"), 421),
            (HAND_IN, ("origin", ""), 403),
            (HAND_IN, ("origin", "null"), 403),
            (HAND_IN, ("origin", "http://evil.example"), 403),
            (HAND_IN, ("origin", "http://localhost:8000"), 403),
            (HAND_IN, ("sec-fetch-site", "cross-site"), 403),
            (HAND_IN, ("sec-fetch-site", "same-site"), 403),
            (HAND_IN, ("content-type", "multipart/form-data"), 415),
            (HAND_IN, ("content-type", ""), 415),
            (HAND_IN, ("content-length", "101"), 413),
            (HAND_IN, ("content-length", "-1"), 413),
            (HAND_IN, ("content-length", ""), 413),
            (HAND_IN, ("transfer-encoding", "chunked"), 413),
            (HAND_IN, ("cookie", ""), 403),
            (HAND_IN, ("cookie", "agon-7420-team=0123"), 403),
        ] {
            assert_eq!(post(&open, path, changed), expected, "{path} {changed:?}");
        }
    }

    #[test]
    fn behind_a_server_that_does_tls_its_name_and_its_pages_are_own() {
        let public = crate::address::public("https://Course.example.org").unwrap();
        let gate = Gate::new("127.0.0.1:7420".parse().unwrap(), "box".to_owned(), Some("secret")).behind(Some(public));
        for (host, expected) in [
            ("course.example.org", 403),
            ("course.example.org:443", 403),
            ("127.0.0.1:7420", 403),
            ("evil.example", 421),
        ] {
            assert_eq!(status(&gate, asked(host)), expected, "{host}");
        }
        let enters = gate.judge(&asked("course.example.org").uri("/?token=secret").body(()).unwrap());
        assert!(matches!(enters, GateVerdict::Enter(cookie, _) if cookie.ends_with("; Secure")));
        let gate = gate.taking(100);
        let sent = |host: &str, origin: &str| {
            let post = Request::builder().method(Method::POST).uri(HAND_IN).header("host", host);
            let post = post.header("origin", origin).header("content-type", "application/octet-stream");
            status(&gate, post.header("content-length", "9").header("cookie", "agon-7420=secret"))
        };
        // Whether the server before passes on its own name or that of this one.
        for host in ["course.example.org", "127.0.0.1:7420"] {
            assert_eq!(sent(host, "https://course.example.org"), 200, "{host}");
            for other in ["https://evil.example", "http://course.example.org.evil.example", "null", ""] {
                assert_eq!(sent(host, other), 403, "{host} {other}");
            }
        }
        assert_eq!(sent("evil.example", "https://course.example.org"), 421);
    }
}
