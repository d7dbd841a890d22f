//! Decides from the head of a request who may ask for what: only by a name of this machine, only reading, and beyond
//! this machine only with a token. If teams have links of their own, everybody needs one.

mod operator;
mod request;

pub use operator::{WORKERS, WORKERS_ACT, WORKERS_TOLD, is_for_operator};
pub use request::{PageRefusal, cookies, is_encrypted, is_proxied, refuse_body, refuse_writing};

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

/// The conditions of the gate.
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
    /// The token of whoever sees to the workers.
    operator: Option<Hash>,
    /// The folder with the links of teams, where they count.
    links: Option<PathBuf>,
    /// The most bytes of a file that a team may hand in; `None` = nothing is taken.
    takes: Option<usize>,
    /// Whether visitors may begin boards.
    plays: bool,
}

/// The decision about a request.
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
    "il faut pour cette page le lien avec le jeton qu'agon a affiché au démarrage",
);
/// The most bytes of a form.
pub const FORM: usize = 1024;
/// The style and the script of all pages, those of refusals as well: colours and language are chosen there, too.
const FRAME: [&str; 2] = ["/agon.css", "/site.js"];
/// Where teams upload files. The path and `submission.js`, which sends there, keep the word of the page.
pub const UPLOAD: &str = "/team/submission";
/// Where visitors ask for a board, below the path of a ladder.
pub const BEGIN: &str = "/play";
/// Where teams have links of their own.
const NO_TEAM: Said = Said::new(
    "this page needs the private link of your team. The organiser of the tournament sends it to you. A new link makes \
     the previous one void, so an old one leads here.\nthe organiser needs the link that agon printed when it began",
    "il faut pour cette page le lien privé de votre équipe. L'organisateur du tournoi vous l'envoie. Un nouveau lien \
     annule le précédent : un ancien mène ici.\nl'organisateur prend le lien qu'agon a affiché au démarrage",
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
        Gate { is_local, port, name, public: None, token, operator: None, links: None, takes: None, plays: false }
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
    fn judge_method<B>(&self, request: &Request<B>) -> Option<PageRefusal> {
        let (path, public) = (request.uri().path(), self.public.as_ref());
        let is_post = *request.method() == Method::POST;
        match self.takes {
            Some(most) if is_post && path == UPLOAD => refuse_body(request, "application/octet-stream", most, public),
            _ if is_post && self.plays && path.starts_with("/ladder/") && path.ends_with(BEGIN) => {
                refuse_body(request, "application/json", FORM, public)
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
            return self.enter(said, request);
        }
        match self.viewer(request) {
            Some(viewer) => GateVerdict::Pass(viewer),
            None if FRAME.contains(&request.uri().path()) => GateVerdict::Pass(Viewer::Stranger),
            None => self.no_token(),
        }
    }

    fn no_token(&self) -> GateVerdict<Viewer> {
        GateVerdict::Refuse(StatusCode::FORBIDDEN, if self.links.is_some() { NO_TEAM } else { NO_TOKEN })
    }

    /// Where a token leads to. Nobody becomes another team by following somebody's link.
    fn enter<B>(&self, said: &str, request: &Request<B>) -> GateVerdict<Viewer> {
        let is_another = |team: &Team| self.known_team(request).is_some_and(|known| known != *team);
        let (cookie, to) = match self.team(said) {
            _ if self.is_token(said) => (self.cookie(request), "/"),
            Some(team) if is_another(&team) => return GateVerdict::Refuse(StatusCode::CONFLICT, ANOTHER_TEAM),
            Some(_) => (self.team_cookie(request), "/team"),
            None if self.token.is_none() => return GateVerdict::Pass(Viewer::Anybody),
            None => return self.no_token(),
        };
        GateVerdict::Enter(self.set_cookie(request, &cookie, said, "/"), to.to_owned())
    }

    /// The owner of these cookies. A person with two is a team on the pages of teams.
    fn viewer<B>(&self, request: &Request<B>) -> Option<Viewer> {
        let (path, headers) = (request.uri().path(), request.headers());
        let is_open = self.token.is_none() || cookies(headers, &self.cookie(request)).any(|said| self.is_token(said));
        let anybody = is_open.then_some(Viewer::Anybody);
        let team = || self.known_team(request).map(Viewer::Team);
        let is_of_teams = path == "/team" || path.starts_with("/team/");
        if is_of_teams { team().or(anybody) } else { anybody.or_else(team) }
    }

    /// The team whose cookie comes with a request. A browser sends one, or two where a path has its own.
    fn known_team<B>(&self, request: &Request<B>) -> Option<Team> {
        let name = self.team_cookie(request);
        let said: Vec<&str> = cookies(request.headers(), &name).take(2).collect();
        let links = if said.is_empty() { None } else { self.read_links() }?;
        said.into_iter().find_map(|said| links.whose(said).cloned())
    }

    fn is_token(&self, said: &str) -> bool {
        self.token.is_some_and(|token| blake3::hash(said.as_bytes()) == token)
    }

    /// The team with this token, as the file has it now.
    fn team(&self, said: &str) -> Option<Team> {
        self.read_links()?.whose(said).cloned()
    }

    fn read_links(&self) -> Option<TeamLinks> {
        let links = TeamLinks::read(self.links.as_ref()?);
        links.map_err(|failure| tracing::error!("the links of teams are not read: {}", failure.message)).ok()
    }

    /// Refuses what is meant for somebody else.
    pub fn misdirected<B>(&self, request: &Request<B>) -> Option<PageRefusal> {
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

    /// The cookie's name: cookies of a machine are shared by its ports. By an encrypted connection it is another one: a
    /// browser that has a cookie for such connections takes none of the same name by others.
    pub fn cookie<B>(&self, request: &Request<B>) -> String {
        let encrypted = if is_encrypted(request) { "-tls" } else { "" };
        format!("agon-{}{encrypted}", self.port)
    }

    /// A cookie for pages below a path; where people come by an encrypted connection, for such connections alone.
    pub fn set_cookie<B>(&self, request: &Request<B>, name: &str, value: &str, path: &str) -> String {
        let is_secure = is_encrypted(request) || self.public.as_ref().is_some_and(PublicUrl::is_encrypted);
        let secure = if is_secure { "; Secure" } else { "" };
        format!("{name}={value}; HttpOnly; SameSite=Strict; Path={path}{secure}")
    }

    /// The address of a server that does TLS before this one.
    pub fn public(&self) -> Option<&PublicUrl> {
        self.public.as_ref()
    }

    fn team_cookie<B>(&self, request: &Request<B>) -> String {
        format!("{}-team", self.cookie(request))
    }
}

#[cfg(test)]
mod tests;
