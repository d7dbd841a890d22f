//! Streams of events: pages that are open hear when something that they show has changed.

use crate::answer::{self, AnswerBody};
use crate::content::{Content, OwnVersion};
use crate::making::{News, Shared};
use crate::quota::Quota;
use agon_games::Said;
use hyper::body::{Bytes, Incoming};
use hyper::{Request, Response, StatusCode};
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

/// How often it is looked whether one thing alone has changed, where somebody follows it.
const CHECK_EVERY: Duration = Duration::from_millis(50);
/// How often a stream without news says that it is still there.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// A stream of events: the version of what is shown, when it changes and at the beginning.
pub(crate) fn stream<C: Content>(shared: &Shared<C>, request: &Request<Incoming>) -> Response<AnswerBody> {
    let Some(place) = Quota::take_from(&shared.streams, shared.content.origin(request)) else {
        let why = Said::new("too many look on already", "trop de personnes regardent déjà");
        return answer::refusal(StatusCode::SERVICE_UNAVAILABLE, why, request.headers());
    };
    let (send, receive) = mpsc::channel(1);
    match shared.content.own_version(request.uri().path()) {
        Some(own) => drop(tokio::spawn(tell_own(own, shared.news.clone(), send))),
        None => drop(tokio::spawn(tell(shared.news.clone(), send))),
    }
    answer::events(receive, place)
}

/// Writes a stream until the last news, or until nobody reads it.
async fn tell(mut news: watch::Receiver<News>, to: mpsc::Sender<Bytes>) {
    loop {
        let News { version, is_last } = news.borrow_and_update().clone();
        let kind = if is_last { "event: end\n" } else { "" };
        // Before it was looked at first there is nothing to tell. Who reads slowly gets fewer events, not more at once.
        let is_news = is_last || !version.is_empty();
        if is_news && to.send(Bytes::from(format!("{kind}data: {version}\n\n"))).await.is_err() || is_last {
            return;
        }
        loop {
            match timeout(HEARTBEAT, news.changed()).await {
                Ok(Ok(())) => break,
                Ok(Err(_)) => return,
                Err(_) if to.send(Bytes::from_static(b":\n\n")).await.is_err() => return,
                Err(_) => {}
            }
        }
    }
}

/// Writes the versions of one thing, until it is gone, the server ends, or nobody reads them.
async fn tell_own(own: OwnVersion, mut news: watch::Receiver<News>, to: mpsc::Sender<Bytes>) {
    let (mut told, mut silent) = (None, Duration::ZERO);
    while let Some(version) = own() {
        let text = match told == Some(version) {
            true if silent < HEARTBEAT => None,
            true => Some(":\n\n".to_owned()),
            // Another server counts from the start again.
            false => Some(format!("data: {}.{version}\n\n", std::process::id())),
        };
        told = Some(version);
        silent = if text.is_some() { Duration::ZERO } else { silent + CHECK_EVERY };
        if let Some(text) = text
            && to.send(Bytes::from(text)).await.is_err()
        {
            return;
        }
        let ended = timeout(CHECK_EVERY, news.wait_for(|news| news.is_last)).await;
        if ended.is_ok() || to.is_closed() {
            return;
        }
    }
}
