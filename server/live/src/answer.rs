//! Answers: a text with the headers that keep a browser from doing anything else with it, or a stream of events.

use crate::gate::cookies;
use crate::quota::QuotaSlot;
use agon_games::{Language, Said};
use hyper::body::{Body, Bytes, Frame, SizeHint};
use hyper::http::response::Builder;
use hyper::{HeaderMap, Response, StatusCode, header};
use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc::Receiver;

/// Everything that a page may do, whatever it contains. Pages with fewer needs allow less.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The body of an answer.
pub enum AnswerBody {
    /// A whole body.
    Whole(Option<Bytes>),
    /// A whole answer to a worker. It holds the worker's turn and its deadline until it is sent.
    Held { bytes: Option<Bytes>, _held: Box<dyn Send + Sync> },
    /// Events as they come, and the place that they take among all streams as long as they are sent.
    Events { events: Receiver<Bytes>, _place: QuotaSlot<IpAddr> },
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut() {
            AnswerBody::Whole(text) | AnswerBody::Held { bytes: text, .. } => {
                Poll::Ready(text.take().map(|text| Ok(Frame::data(text))))
            }
            AnswerBody::Events { events, .. } => {
                events.poll_recv(context).map(|event| event.map(|event| Ok(Frame::data(event))))
            }
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            AnswerBody::Whole(text) | AnswerBody::Held { bytes: text, .. } => {
                SizeHint::with_exact(text.as_ref().map_or(0, Bytes::len) as u64)
            }
            AnswerBody::Events { .. } => SizeHint::default(),
        }
    }
}

/// A text, or that it is still the same; `path` says of which kind it is.
pub fn text(path: &str, text: String, asked: &HeaderMap) -> Response<AnswerBody> {
    let mark = format!("\"{}\"", &blake3::hash(text.as_bytes()).to_hex()[..32]);
    let is_same = asked.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == mark.as_bytes());
    let builder = with(if is_same { StatusCode::NOT_MODIFIED } else { StatusCode::OK });
    let mut builder = builder.header(header::ETAG, mark).header(header::CONTENT_TYPE, kind(path));
    if path.ends_with("/replay.html") {
        // A file to keep, which is whole by itself; as a page of this server its own scripts would be forbidden.
        builder = builder.header(header::CONTENT_DISPOSITION, "attachment; filename=\"agon-replay.html\"");
    }
    finish(builder, if is_same { None } else { Some(text) })
}

/// Where to go instead.
pub fn elsewhere(path: &str) -> Response<AnswerBody> {
    finish(with(StatusCode::SEE_OTHER).header(header::LOCATION, path), None)
}

/// A cookie, and where to go with it. It is a page that leads there: where a redirection follows a link of another
/// page, as in a mail read in a browser, strict cookies are not sent along.
pub fn enter(path: &str, cookie: &str) -> Response<AnswerBody> {
    let builder = with(StatusCode::OK).header(header::CONTENT_TYPE, kind(".html"));
    finish(builder.header(header::SET_COOKIE, cookie), Some(agon_web::entry_page(path)))
}

/// That a path leads nowhere, as a page that leads to the first one.
pub fn nothing(path: &str, home: &str, asked: &HeaderMap) -> Response<AnswerBody> {
    let why = if path.contains("/match/") {
        Said::new("there is no such match in this ladder", "ce tournoi n'a pas de telle partie")
    } else {
        Said::new("the address is mistyped, or the page is gone", "l'adresse est mal tapée, ou la page n'existe plus")
    };
    message(StatusCode::NOT_FOUND, why, Some(home), asked)
}

/// Why there is nothing else, as a page.
pub fn refusal(status: StatusCode, why: Said, asked: &HeaderMap) -> Response<AnswerBody> {
    // Who followed the link of another team may stay what it was.
    let home = (status == StatusCode::CONFLICT).then_some("/team");
    message(status, why, home, asked)
}

/// The title of a refusal.
fn title(status: StatusCode) -> Said {
    match status {
        StatusCode::NOT_FOUND => Said::new("Page not found", "Page introuvable"),
        StatusCode::CONFLICT => Said::new("Another team is open here", "Une autre équipe est ouverte ici"),
        StatusCode::FORBIDDEN => Said::new("Not allowed", "Accès refusé"),
        StatusCode::SERVICE_UNAVAILABLE => Said::new("Too many at once", "Trop de monde à la fois"),
        StatusCode::INTERNAL_SERVER_ERROR => Said::new("This went wrong", "Quelque chose n’a pas marché"),
        _ => Said::new("Refused", "Refusé"),
    }
}

fn message(status: StatusCode, why: Said, home: Option<&str>, asked: &HeaderMap) -> Response<AnswerBody> {
    let (language, title) = (language(asked), title(status));
    let title = title.in_language(language);
    let mut builder = with(status).header(header::CONTENT_TYPE, kind(".html"));
    if status == StatusCode::METHOD_NOT_ALLOWED {
        builder = builder.header(header::ALLOW, "GET, HEAD");
    }
    finish(builder, Some(agon_web::message_page(language, title, why.in_language(language), home)))
}

/// The cookie with the language that was chosen on a page; the pages' own script writes it.
const CHOSEN: &str = "agon-language";

/// Which of the two languages of our pages whoever asks would rather read: as chosen, or as the browser says.
pub fn language(asked: &HeaderMap) -> Language {
    match cookies(asked, CHOSEN).next() {
        Some("fr") => return Language::French,
        Some("en") => return Language::English,
        _ => {}
    }
    let said = asked.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let wanted = said.split(',').filter_map(|range| {
        let (name, weight) = range.split_once(';').unwrap_or((range, "q=1"));
        let weight: f32 = weight.trim().strip_prefix("q=")?.trim().parse().ok()?;
        match name.trim().split('-').next()?.to_ascii_lowercase().as_str() {
            "en" => Some((weight, Language::English)),
            "fr" => Some((weight, Language::French)),
            _ => None,
        }
    });
    // Of those that are worth the same the first one.
    let best =
        wanted.filter(|(weight, _)| *weight > 0.0).reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map_or(Language::English, |(_, language)| language)
}

/// A stream of events.
pub fn events(events: Receiver<Bytes>, place: QuotaSlot<IpAddr>) -> Response<AnswerBody> {
    let builder = with(StatusCode::OK).header(header::CONTENT_TYPE, "text/event-stream");
    // A server before this one may gather what it passes on; nginx does, unless it is told not to.
    let builder = builder.header("x-accel-buffering", "no");
    body(builder, AnswerBody::Events { events, _place: place })
}

/// An answer to a worker's request, and what is held until it is sent.
pub fn to_worker(
    status: StatusCode,
    kind: &str,
    bytes: Bytes,
    held: impl Send + Sync + 'static,
) -> Response<AnswerBody> {
    let builder = with(status).header(header::CONTENT_TYPE, kind);
    body(builder, AnswerBody::Held { bytes: Some(bytes), _held: Box::new(held) })
}

fn with(status: StatusCode) -> Builder {
    Response::builder()
        .status(status)
        .header(header::CACHE_CONTROL, "no-cache")
        .header(header::VARY, "accept-language, cookie")
        .header(header::CONTENT_SECURITY_POLICY, POLICY)
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .header(header::REFERRER_POLICY, "no-referrer")
        .header("cross-origin-resource-policy", "same-origin")
}

fn finish(builder: Builder, text: Option<String>) -> Response<AnswerBody> {
    body(builder, AnswerBody::Whole(text.map(Bytes::from)))
}

/// Where a header cannot be written, which no text of ours comes to, there is nothing to send.
fn body(builder: Builder, sent: AnswerBody) -> Response<AnswerBody> {
    builder.body(sent).unwrap_or_else(|_| Response::new(AnswerBody::Whole(None)))
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("/metrics") => "application/openmetrics-text; version=1.0.0; charset=utf-8",
        Some("csv") => "text/csv; charset=utf-8",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "text/html; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_the_one_that_is_worth_most() {
        for (said, french) in [
            ("", false),
            ("fr", true),
            ("FR-ca, en;q=0.9", true),
            ("en-GB,en;q=0.9,fr;q=0.8", false),
            ("de, fr;q=0.7, en;q=0.3", true),
            ("de", false),
            ("en, fr", false),
            ("fr;q=0, en;q=0.1", false),
            ("fr;q=x, *", false),
            ("fromage, en;q=0.1", false),
        ] {
            let asked = HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, said.parse().unwrap())]);
            assert_eq!(language(&asked) == Language::French, french, "{said}");
        }
        assert_eq!(language(&HeaderMap::new()), Language::English);
        // What was chosen on a page counts more than what the browser says.
        for (said, chosen, french) in [("en", "fr", true), ("fr", "en", false), ("fr", "x", true)] {
            let cookie = format!("other=1; agon-language={chosen}").parse().unwrap();
            let asked =
                HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, said.parse().unwrap()), (header::COOKIE, cookie)]);
            assert_eq!(language(&asked) == Language::French, french, "{said} {chosen}");
        }
    }
}
