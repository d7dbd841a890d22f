//! The server: one thread with all connections, which has less of the processor than whoever plays, and threads that
//! make pages or ask the database for workers. Connections, streams, heads, and the time that anybody may take over one are bounded.

use crate::answer::{self, Sent};
use crate::content::{BodyLimit, Content, OwnVersion, Resource};
use crate::encryption::Stream;
use crate::gate::{GateVerdict, Peer, Refusal};
use crate::hang_up::HangUp;
use crate::quota::{Quota, QuotaPlace};
use crate::worker_gate::THREADS;
use agon_command::Failure;
use agon_games::Said;
use agon_record::over_http::WORKER_PATH;
use hyper::body::{Body, Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, Response, StatusCode, header};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::future::poll_fn;
use std::net::{IpAddr, TcpListener};
use std::pin::Pin;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::time::{sleep, timeout};

/// How many connections there may be, and how many of them from one address.
const CONNECTIONS: (usize, usize) = (160, 120);
/// Where there are more, a silent one is not borne for long.
const MANY: usize = 80;
/// How many of them may be streams of events, and how many of these from one address.
const STREAMS: (usize, usize) = (64, 48);
/// How many bodies that are longer than a form may come at once, and how many of these of one sender.
const BODIES: (usize, usize) = (4, 1);
/// How long a head may take, and how long a reader may take nothing of what is sent.
const PATIENCE: Duration = Duration::from_secs(10);
/// The same, and for a form too, where there are many.
const SHORT_PATIENCE: Duration = Duration::from_secs(2);
/// How often whoever waits to send a long body looks whether it may.
const AGAIN: Duration = Duration::from_millis(50);
/// The longest head of a request.
const HEAD: usize = 16 * 1024;
/// How often it is looked whether one thing alone has changed, where somebody follows it.
const LOOK: Duration = Duration::from_millis(50);
/// How often a stream without news says that it is still there.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The threads that make pages.
const MAKERS: usize = 3;
/// The first byte of an encrypted connection.
const ENCRYPTED: u8 = 0x16;
/// How much less of the processor it has than others: nice values.
const NICE: i32 = 10;

/// What is said where a page could not be made.
const UNMADE: Said = Said::new(
    "this page could not be made just now; the terminal in which agon runs says why, and loading the page again asks \
     again",
    "cette page n'a pas pu être faite à l'instant ; le terminal où tourne agon dit pourquoi, et recharger la page la \
     redemande",
);
/// What is said where too many send files at once.
const OTHERS_HAND_IN: Said = Said::new(
    "others are submitting files at the moment; nothing was taken: try again in a moment",
    "d'autres rendent leur travail à l'instant ; rien n'a été pris : réessayez dans un moment",
);
/// What is said where a body did not come in time, or not whole.
const TOO_SLOW: Said =
    Said::new("it took too long to come; nothing was taken", "l'envoi a duré trop longtemps ; rien n'a été pris");
const CUT: Refusal = (
    StatusCode::BAD_REQUEST,
    Said::new("it did not come whole; nothing was taken", "l'envoi n'est pas arrivé entier ; rien n'a été pris"),
);
/// What is said where it is too long, or no client.
const TOO_LONG: Refusal = (
    StatusCode::PAYLOAD_TOO_LARGE,
    Said::new(
        "it is longer than may be sent here; nothing was taken",
        "c'est plus long que permis ici ; rien n'a été pris",
    ),
);
const NO_CLIENT: Refusal = (
    StatusCode::UNSUPPORTED_MEDIA_TYPE,
    Said::new(
        "this is no compiled client: a library for Linux begins otherwise; nothing was taken. help: submit what the \
         compiler wrote (the .so), not its source and no archive",
        "ce n'est pas un programme compilé : une bibliothèque pour Linux commence autrement ; rien n'a été pris. aide : \
         rendez ce que le compilateur a écrit (le .so), ni sa source ni une archive",
    ),
);

/// What every connection has.
struct Shared<C> {
    content: C,
    streams: Arc<Quota<IpAddr>>,
    /// What pages are made by.
    makers: Semaphore,
    /// For bodies that are longer than a form; by their senders.
    bodies: Arc<Quota<String>>,
    /// What such a body says is done one after the other.
    doing: Arc<Semaphore>,
    news: watch::Receiver<News>,
}

/// What streams tell.
#[derive(Clone, Debug, Default)]
struct News {
    version: String,
    is_last: bool,
}

/// A server that runs until it is ended.
pub struct Server {
    thread: Option<JoinHandle<()>>,
    end: watch::Sender<bool>,
}

impl Server {
    /// Begins to answer.
    ///
    /// # Errors
    /// No thread can be started.
    pub fn start(listener: TcpListener, content: impl Content) -> std::io::Result<Server> {
        let (end, ended) = watch::channel(false);
        let run = move || {
            // Where it is not allowed it is as quick as the rest.
            let _ = rustix::process::setpriority_process(None, NICE);
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .max_blocking_threads(MAKERS + THREADS + 1)
                .build();
            match runtime {
                Ok(runtime) => {
                    runtime.block_on(serve(listener, content, ended));
                    runtime.shutdown_background();
                }
                Err(error) => tracing::error!(%error, "the page cannot be served"),
            }
        };
        let thread = std::thread::Builder::new().name("agon-page".to_owned()).spawn(run)?;
        Ok(Server { thread: Some(thread), end })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Whatever went wrong there is nothing to whoever played.
        let _ = self.end.send(true);
        self.thread.take().into_iter().for_each(|thread| drop(thread.join()));
    }
}

async fn serve<C: Content>(listener: TcpListener, content: C, mut ended: watch::Receiver<bool>) {
    let listener = match tokio::net::TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => return tracing::error!(%error, "the page cannot be served"),
    };
    let (tell, news) = watch::channel(News::default());
    let (streams, bodies) = (Quota::new(STREAMS.0, STREAMS.1), Quota::new(BODIES.0, BODIES.1));
    let shared = Arc::new(Shared {
        content,
        streams,
        makers: Semaphore::new(MAKERS),
        bodies,
        doing: Arc::new(Semaphore::new(1)),
        news,
    });
    tokio::spawn(accept(listener, Arc::clone(&shared)));
    loop {
        let is_last = timeout(C::TICK, ended.wait_for(|ended| *ended)).await.is_ok();
        let is_watched = shared.streams.are_taken();
        if is_watched || !is_last && shared.content.is_behind() {
            let (looking, before) = (Arc::clone(&shared), tell.borrow().version.clone());
            let version = tokio::task::spawn_blocking(move || looking.content.version()).await;
            let version = match version {
                Ok(Ok(version)) => format!("{}.{version}", std::process::id()),
                Ok(Err(failure)) => {
                    tracing::debug!(failure.message, "the record is not read for the page");
                    before
                }
                Err(_) => before,
            };
            tell.send_if_modified(|news| {
                let is_new = news.version != version || is_last;
                *news = News { version, is_last };
                is_new
            });
        }
        if is_last {
            if is_watched {
                sleep(shared.content.last_look()).await;
            }
            return;
        }
    }
}

async fn accept<C: Content>(listener: tokio::net::TcpListener, shared: Arc<Shared<C>>) {
    let connections = Quota::new(CONNECTIONS.0, CONNECTIONS.1);
    loop {
        connections.wait_for_room().await;
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(_) => {
                // Too many open files, most likely; others close some.
                sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // Who has too many already is hung up on, so that others find room.
        let Some(place) = Quota::take_from(&connections, peer.ip()) else { continue };
        let patience = if place.number > MANY { SHORT_PATIENCE } else { PATIENCE };
        // An address of IPv4 is itself on a socket for both.
        let peer = Peer { address: peer.ip().to_canonical(), patience, is_encrypted: false };
        // Whoever takes nothing of what is sent for so long is gone; and so is who does not answer at all.
        let _ = rustix::net::sockopt::set_tcp_user_timeout(&stream, patience.as_millis() as u32);
        let _ = stream.set_nodelay(true);
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let Ok(Ok((stream, peer))) = timeout(patience, decrypted(&shared, stream, peer)).await else { return };
            let hang_up = HangUp::default();
            let told = hang_up.clone();
            let answer = service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(peer);
                request.extensions_mut().insert(told.clone());
                respond(request, peer, Arc::clone(&shared))
            });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(patience)
                .max_buf_size(HEAD)
                .serve_connection(TokioIo::new(stream), answer);
            match hang_up.watch(connection).await {
                Some(Ok(())) => {}
                Some(Err(error)) => tracing::debug!(%error, "a connection of the page ended"),
                None => tracing::debug!("an answer was not read in time, and its connection ended"),
            }
            drop(place);
        });
    }
}

/// The connection, decrypted if it is encrypted and this server can do that.
async fn decrypted<C: Content>(
    shared: &Shared<C>,
    stream: TcpStream,
    peer: Peer,
) -> std::io::Result<(Box<dyn Stream>, Peer)> {
    let tls = shared.content.workers().and_then(|workers| workers.tls.as_ref());
    let Some(tls) = tls else { return Ok((Box::new(stream), peer)) };
    let mut first = [0];
    stream.peek(&mut first).await?;
    match first {
        [ENCRYPTED] => Ok((tls.accept(stream).await?, Peer { is_encrypted: true, ..peer })),
        _ => Ok((Box::new(stream), peer)),
    }
}

async fn respond<C: Content>(
    request: Request<Incoming>,
    peer: Peer,
    shared: Arc<Shared<C>>,
) -> Result<Response<Sent>, Infallible> {
    let path = request.uri().path().to_owned();
    if let Some(workers) = shared.content.workers().filter(|_| path == WORKER_PATH) {
        let from = shared.content.origin(&request);
        return Ok(Arc::clone(workers).answer(request, from).await);
    }
    Ok(match shared.content.judge(&request) {
        GateVerdict::Refuse(status, why) => answer::refusal(status, why, request.headers()),
        GateVerdict::Enter(cookie, to) => answer::enter(&to, &cookie),
        GateVerdict::Pass(_) if path.ends_with("/events") && *request.method() == Method::GET => {
            stream(&shared, &request)
        }
        GateVerdict::Pass(who) if *request.method() == Method::POST => receive(request, peer, who, shared).await,
        GateVerdict::Pass(who) => {
            let headers = request.headers().clone();
            work(shared, headers, path, move |content, path| content.find(&who, path)).await
        }
    })
}

/// Lets a thread make what a path leads to.
async fn work<C, F>(shared: Arc<Shared<C>>, asked: HeaderMap, path: String, make: F) -> Response<Sent>
where
    C: Content,
    F: FnOnce(&C, &str) -> Result<Resource, Failure> + Send + 'static,
{
    let asking = Arc::clone(&shared);
    // It is never closed.
    let _maker = shared.makers.acquire().await;
    let made = tokio::task::spawn_blocking(move || (make(&asking.content, &path), path)).await;
    match made {
        Ok((Ok(Resource::Text(text)), path)) => answer::text(&path, text, &asked),
        Ok((Ok(Resource::Elsewhere(path)), _)) => answer::elsewhere(&path),
        Ok((Ok(Resource::Nothing), path)) => answer::nothing(&shared.content.home(&path), &asked),
        Ok((Err(failure), path)) => {
            // It may name files of this machine: that is for whoever started the server.
            tracing::error!(path, "a page was not made: {}", failure.message);
            answer::refusal(StatusCode::INTERNAL_SERVER_ERROR, UNMADE, &asked)
        }
        Err(_) => answer::refusal(StatusCode::INTERNAL_SERVER_ERROR, UNMADE, &asked),
    }
}

/// Takes a body and does what it says; of those that are no forms one after the other.
async fn receive<C: Content>(
    request: Request<Incoming>,
    peer: Peer,
    who: C::Viewer,
    shared: Arc<Shared<C>>,
) -> Response<Sent> {
    let (path, asked) = (request.uri().path().to_owned(), request.headers().clone());
    let (limit, sender) = (shared.content.limit(&path), shared.content.sender(&who));
    let Some(place) = place_for(&limit, &shared.bodies, sender).await else {
        return answer::refusal(StatusCode::SERVICE_UNAVAILABLE, OTHERS_HAND_IN, &asked);
    };
    let patience = if place.is_none() { limit.patience.min(peer.patience) } else { limit.patience };
    let body = match timeout(patience, whole(request, &limit)).await {
        Ok(Ok(body)) => body,
        Ok(Err((status, why))) => return answer::refusal(status, why, &asked),
        Err(_) => return answer::refusal(StatusCode::REQUEST_TIMEOUT, TOO_SLOW, &asked),
    };
    let turn = match &place {
        Some(_) => Arc::clone(&shared.doing).acquire_owned().await.ok(),
        None => None,
    };
    let act = move |content: &C, path: &str| {
        let _held = (place, turn);
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
) -> Option<Option<QuotaPlace<String>>> {
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
async fn whole(request: Request<Incoming>, limit: &BodyLimit) -> Result<Vec<u8>, Refusal> {
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

/// A stream of events: the version of what is shown, when it changes and at the beginning.
fn stream<C: Content>(shared: &Shared<C>, request: &Request<Incoming>) -> Response<Sent> {
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
        silent = if text.is_some() { Duration::ZERO } else { silent + LOOK };
        if let Some(text) = text
            && to.send(Bytes::from(text)).await.is_err()
        {
            return;
        }
        let ended = timeout(LOOK, news.wait_for(|news| news.is_last)).await;
        if ended.is_ok() || to.is_closed() {
            return;
        }
    }
}
