//! Conditions on the head of every request: reading has no body, and only a page of this server sends one.

use super::Peer;
use crate::address::PublicUrl;
use agon_games::Said;
use hyper::{HeaderMap, Method, Request, StatusCode, header};

/// A status, and why it is.
pub type PageRefusal = (StatusCode, Said);

/// Refuses what is no question for a page.
pub fn refuse_writing<B>(request: &Request<B>) -> Option<PageRefusal> {
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
pub fn refuse_body<B>(
    request: &Request<B>,
    kind: &str,
    most: usize,
    public: Option<&PublicUrl>,
) -> Option<PageRefusal> {
    let headers = request.headers();
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if !is_own_page(headers, is_encrypted(request), public) {
        let why =
            Said::new("only a page of this server may send this", "seule une page de ce serveur peut envoyer cela");
        Some((StatusCode::FORBIDDEN, why))
    } else if headers.get(header::CONTENT_TYPE).is_none_or(|said| said != kind) {
        let why = Said::new(
            "what is sent is of another kind than this page sends",
            "ce qui est envoyé est d'une autre sorte que ce qu'envoie cette page",
        );
        Some((StatusCode::UNSUPPORTED_MEDIA_TYPE, why))
    } else if headers.contains_key(header::TRANSFER_ENCODING) || length.is_none() {
        let why = Said::new("the request does not announce its length", "la demande n'annonce pas sa longueur");
        Some((StatusCode::LENGTH_REQUIRED, why))
    } else if length.is_some_and(|length| length > most) {
        let why = Said::new("it is longer than may be sent here", "l'envoi dépasse la taille permise");
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
fn is_own_page(headers: &HeaderMap, is_encrypted: bool, public: Option<&PublicUrl>) -> bool {
    let said = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let origin = said("origin");
    let scheme = if is_encrypted { "https://" } else { "http://" };
    let named = origin.and_then(|origin| origin.strip_prefix(scheme));
    let is_public = public.is_some_and(|public| origin.is_some_and(|origin| public.is(origin)));
    (is_public || named.is_some() && named == said("host"))
        && said("sec-fetch-site").is_none_or(|site| site == "same-origin")
}

/// Whether a request names a proxy that passed it on. Only words depend on this: anyone can write it.
pub fn is_proxied(headers: &HeaderMap) -> bool {
    ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "forwarded", "via"]
        .iter()
        .any(|name| headers.contains_key(*name))
}

/// Whether a request came by a connection that this server decrypts.
pub fn is_encrypted<B>(request: &Request<B>) -> bool {
    request.extensions().get::<Peer>().is_some_and(|peer| peer.is_encrypted)
}
