//! The operator's gate: only the operator's own token, which differs from that of the pages, leads to the workers.

use super::{
    FORM, Gate, GateVerdict, PageRefusal, Peer, cookies, is_encrypted, is_proxied, refuse_body, refuse_writing,
};
use agon_games::Said;
use hyper::{Method, Request, StatusCode};

/// The page of workers, and where its forms go.
pub const WORKERS: &str = "/workers";
pub const WORKERS_ACT: &str = "/workers/act";
/// The page with the outcome of a form: a key follows.
pub const WORKERS_TOLD: &str = "/workers/told/";

const NO_OPERATOR: Said = Said::new(
    "this page is for the operator: it needs the link to the workers that agon printed when it began",
    "cette page est réservée à l'organisateur : il faut le lien vers les ouvriers qu'agon a affiché au démarrage",
);

const IN_CLEAR: Said = Said::new(
    "the operator's page is not sent in clear over a network: open the https:// link that agon printed, or the page on the \
     machine itself",
    "la page de l'organisateur ne passe pas en clair par un réseau : ouvrez le lien https:// qu'agon a affiché, ou la \
     page sur la machine même",
);

/// Whether a path is one of the pages for the operator.
pub fn is_for_operator(path: &str) -> bool {
    [WORKERS, WORKERS_ACT].contains(&path) || path.starts_with(WORKERS_TOLD)
}

/// The same where a proxy sent the request.
const IN_CLEAR_BY_PROXY: Said = Said::new(
    "a proxy on another machine passed this request on in clear, and the operator's page needs an encrypted way: run the \
     proxy on the machine of agon, or give it a tunnel there: ssh -N -L 7420:127.0.0.1:7420 MACHINE (7420 is agon's port), \
     and let it pass requests to 127.0.0.1:7420",
    "un proxy sur une autre machine a passé cette requête en clair, et la page de l'organisateur demande un chemin \
     chiffré : lancez le proxy sur la machine d'agon, ou donnez-lui un tunnel vers elle : ssh -N -L \
     7420:127.0.0.1:7420 MACHINE (7420 est le port d'agon), et qu'il passe les requêtes à 127.0.0.1:7420",
);

impl Gate {
    /// The same, where whoever has this token sees to the workers.
    pub fn with_operator(self, token: &str) -> Gate {
        Gate { operator: Some(blake3::hash(token.as_bytes())), ..self }
    }

    /// Judges a request for the page of workers, or one of its forms.
    pub fn judge_operator<B>(&self, request: &Request<B>) -> GateVerdict<()> {
        let is_near = request.extensions().get::<Peer>().is_none_or(|peer| peer.address.is_loopback());
        let in_clear = if is_proxied(request.headers()) { IN_CLEAR_BY_PROXY } else { IN_CLEAR };
        let in_clear = (!is_encrypted(request) && !is_near).then_some((StatusCode::FORBIDDEN, in_clear));
        let refusal = in_clear.or_else(|| self.misdirected(request)).or_else(|| self.refuse_operator(request));
        if let Some((status, why)) = refusal {
            return GateVerdict::Refuse(status, why);
        }
        let is_token = |said: &str| self.operator.is_some_and(|token| blake3::hash(said.as_bytes()) == token);
        let (name, said) =
            (self.operator_cookie(request), request.uri().query().and_then(|query| query.strip_prefix("token=")));
        match said {
            Some(said) if is_token(said) && *request.method() == Method::GET => {
                GateVerdict::Enter(self.set_cookie(request, &name, said, WORKERS), WORKERS.to_owned())
            }
            None if cookies(request.headers(), &name).any(is_token) => GateVerdict::Pass(()),
            _ => GateVerdict::Refuse(StatusCode::FORBIDDEN, NO_OPERATOR),
        }
    }

    fn refuse_operator<B>(&self, request: &Request<B>) -> Option<PageRefusal> {
        if *request.method() == Method::POST && request.uri().path() == WORKERS_ACT {
            refuse_body(request, "application/x-www-form-urlencoded", FORM, self.public())
        } else {
            refuse_writing(request)
        }
    }

    fn operator_cookie<B>(&self, request: &Request<B>) -> String {
        format!("{}-operator", self.cookie(request))
    }
}
