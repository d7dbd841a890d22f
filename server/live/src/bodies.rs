//! Bodies that pages send: read within their time and length, and done; those that are no forms one after the other.

use crate::answer::{self, AnswerBody};
use crate::content::{BodyLimit, Content};
use crate::gate::{PageRefusal, Peer};
use crate::making::{Shared, work};
use crate::quota::{Quota, QuotaSlot};
use agon_games::Said;
use hyper::body::{Body, Incoming};
use hyper::{Request, Response, StatusCode, header};
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// How often whoever waits to send a long body looks whether it may.
const AGAIN: Duration = Duration::from_millis(50);
/// The answer if too many send files at once.
const OTHERS_SUBMIT: Said = Said::new(
    "others are submitting files at the moment; nothing was taken: try again in a moment",
    "d'autres rendent leur travail à l'instant ; rien n'a été pris : réessayez dans un moment",
);
/// The answer if a body did not come in time, or not whole.
const TOO_SLOW: Said =
    Said::new("it took too long to come; nothing was taken", "l'envoi a duré trop longtemps ; rien n'a été accepté");
const CUT: PageRefusal = (
    StatusCode::BAD_REQUEST,
    Said::new("it did not come whole; nothing was taken", "l'envoi n'est pas arrivé entier ; rien n'a été accepté"),
);
/// The answer if a body is too long, or not a client.
const TOO_LONG: PageRefusal = (
    StatusCode::PAYLOAD_TOO_LARGE,
    Said::new(
        "it is longer than may be sent here; nothing was taken",
        "le fichier dépasse la taille permise ; il n'a pas été accepté",
    ),
);
const NO_CLIENT: PageRefusal = (
    StatusCode::UNSUPPORTED_MEDIA_TYPE,
    Said::new(
        "this is no compiled client: a library for Linux begins otherwise; nothing was taken. help: submit what the \
         compiler wrote (the .so), not its source and no archive",
        "ce n'est pas un client compilé : une bibliothèque pour Linux commence autrement ; rien n'a été accepté. aide : \
         rendez ce que le compilateur a écrit (le .so), et non sa source ou une archive",
    ),
);

/// Takes a body and does what it says; of those that are no forms one after the other.
pub(crate) async fn receive<C: Content>(
    request: Request<Incoming>,
    peer: Peer,
    who: C::Viewer,
    shared: Arc<Shared<C>>,
) -> Response<AnswerBody> {
    let (path, asked) = (request.uri().path().to_owned(), request.headers().clone());
    let (limit, sender) = (shared.content.limit(&path), shared.content.sender(&who));
    let Some(place) = place_for(&limit, &shared.bodies, sender).await else {
        return answer::refusal(StatusCode::SERVICE_UNAVAILABLE, OTHERS_SUBMIT, &asked);
    };
    let patience = if place.is_none() { limit.patience.min(peer.patience) } else { limit.patience };
    let body = match timeout(patience, whole(request, &limit)).await {
        Ok(Ok(body)) => body,
        Ok(Err((status, why))) => return answer::refusal(status, why, &asked),
        Err(_) => return answer::refusal(StatusCode::REQUEST_TIMEOUT, TOO_SLOW, &asked),
    };
    let permit = match &place {
        Some(_) => Arc::clone(&shared.doing).acquire_owned().await.ok(),
        None => None,
    };
    let act = move |content: &C, path: &str| {
        let _held = (place, permit);
        content.act(&who, path, &body)
    };
    // Whatever it comes to is new to whoever asks.
    let mut asked = asked;
    asked.remove(header::IF_NONE_MATCH);
    work(shared, asked, path, act).await
}

/// A place for a long body of this sender, waited for as long as one may take; a form needs none.
async fn place_for(
    limit: &BodyLimit,
    bodies: &Arc<Quota<String>>,
    sender: String,
) -> Option<Option<QuotaSlot<String>>> {
    if limit.most <= BodyLimit::FORM.most {
        return Some(None);
    }
    let wait = async {
        loop {
            match Quota::take(bodies, sender.clone()) {
                Some(place) => return place,
                None => sleep(AGAIN).await,
            }
        }
    };
    timeout(limit.patience, wait).await.ok().map(Some)
}

/// The body of a request, refused as soon as it is seen that it is none that may be sent.
async fn whole(request: Request<Incoming>, limit: &BodyLimit) -> Result<Vec<u8>, PageRefusal> {
    let (mut body, mut all) = (request.into_body(), Vec::new());
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        all.extend_from_slice(&frame.map_err(|_| CUT)?.into_data().unwrap_or_default());
        if all.len() > limit.most {
            return Err(TOO_LONG);
        }
        if !limit.may_begin(&all) {
            return Err(NO_CLIENT);
        }
    }
    let is_begun = limit.begins.is_empty() || limit.begins.iter().any(|begin| all.starts_with(begin));
    if is_begun { Ok(all) } else { Err(NO_CLIENT) }
}
