//! The server: one thread with all connections, which has less of the processor than whoever plays, and threads that
//! make pages or ask the database for workers. Connections, streams, heads, and the time that anybody may take over
//! one are bounded.

use crate::answer::{self, AnswerBody};
use crate::bodies::receive;
use crate::content::Content;
use crate::encryption::Connection;
use crate::gate::{GateVerdict, Peer};
use crate::hang_up::HangUp;
use crate::making::{News, Shared, work};
use crate::quota::{Quota, QuotaBounds};
use crate::streams::stream;
use crate::worker_gate::THREADS;
use agon_record::over_http::WORKER_PATH;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

/// The connections at once, in all and from one address.
const CONNECTIONS: QuotaBounds = QuotaBounds { all: 160, of_one: 120 };
/// Where there are more, a silent one is not borne for long.
const MANY: usize = 80;
/// The connections that are streams of events, in all and from one address.
const STREAMS: QuotaBounds = QuotaBounds { all: 64, of_one: 48 };
/// The bodies longer than a form that come at once, in all and of one sender.
const BODIES: QuotaBounds = QuotaBounds { all: 4, of_one: 1 };
/// How long a head may take, and how long a reader may take nothing of what is sent.
const HEAD_LIMIT: Duration = Duration::from_secs(10);
/// The same, and for a form too, where there are many.
const SHORT_PATIENCE: Duration = Duration::from_secs(2);
/// The longest head of a request.
const HEAD: usize = 16 * 1024;
/// The threads that make pages.
const MAKERS: usize = 3;
/// The first byte of an encrypted connection.
const ENCRYPTED: u8 = 0x16;
/// How much less of the processor it has than others: nice values.
const NICE: i32 = 10;

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

#[expect(clippy::too_many_lines)]
async fn serve<C: Content>(listener: TcpListener, content: C, mut ended: watch::Receiver<bool>) {
    let listener = match tokio::net::TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => return tracing::error!(%error, "the page cannot be served"),
    };
    let (tell, news) = watch::channel(News::default());
    let (streams, bodies) = (Quota::new(STREAMS), Quota::new(BODIES));
    let shared = Arc::new(Shared {
        content,
        streams,
        makers: Arc::new(Semaphore::new(MAKERS)),
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
    let connections = Quota::new(CONNECTIONS);
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
        let patience = if place.number > MANY { SHORT_PATIENCE } else { HEAD_LIMIT };
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
) -> std::io::Result<(Box<dyn Connection>, Peer)> {
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
) -> Result<Response<AnswerBody>, Infallible> {
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
