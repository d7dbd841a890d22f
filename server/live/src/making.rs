//! Makes what a path leads to on a thread of its own, by what all connections share.

use crate::answer::{self, AnswerBody};
use crate::content::{Content, Resource};
use crate::quota::Quota;
use agon_command::Failure;
use agon_games::Said;
use hyper::{HeaderMap, Response, StatusCode};
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::{Semaphore, watch};

/// The answer if a page could not be made.
const UNMADE: Said = Said::new(
    "this page could not be made just now; the terminal in which agon runs says why, and loading the page again asks \
     again",
    "cette page n'a pas pu être faite à l'instant ; le terminal où tourne agon dit pourquoi, et recharger la page la \
     redemande",
);

/// The news for streams.
#[derive(Clone, Debug, Default)]
pub(crate) struct News {
    pub version: String,
    pub is_last: bool,
}

/// The common data of all connections.
pub(crate) struct Shared<C> {
    pub content: C,
    pub streams: Arc<Quota<IpAddr>>,
    /// Bounds the pages that are made at a time.
    pub makers: Arc<Semaphore>,
    /// For bodies that are longer than a form; by their senders.
    pub bodies: Arc<Quota<String>>,
    /// Runs the acts of such bodies one after the other.
    pub doing: Arc<Semaphore>,
    pub news: watch::Receiver<News>,
}

/// Lets a thread make what a path leads to.
pub(crate) async fn work<C, F>(shared: Arc<Shared<C>>, asked: HeaderMap, path: String, make: F) -> Response<AnswerBody>
where
    C: Content,
    F: FnOnce(&C, &str) -> Result<Resource, Failure> + Send + 'static,
{
    let asking = Arc::clone(&shared);
    // It is never closed. The thread holds the turn: whoever hangs up gets no other before the work is done.
    let maker = Arc::clone(&shared.makers).acquire_owned().await;
    let made = tokio::task::spawn_blocking(move || {
        let _maker = maker;
        (make(&asking.content, &path), path)
    });
    let made = made.await;
    match made {
        Ok((Ok(Resource::Text(text)), path)) => answer::text(&path, text, &asked),
        Ok((Ok(Resource::Elsewhere(path)), _)) => answer::elsewhere(&path),
        Ok((Ok(Resource::Nothing), path)) => answer::nothing(&path, &shared.content.home(&path), &asked),
        Ok((Err(failure), path)) => {
            // It may name files of this machine: that is for whoever started the server.
            tracing::error!(path, "a page was not made: {}", failure.message);
            answer::refusal(StatusCode::INTERNAL_SERVER_ERROR, UNMADE, &asked)
        }
        Err(_) => answer::refusal(StatusCode::INTERNAL_SERVER_ERROR, UNMADE, &asked),
    }
}
