//! Workers of other machines come over HTTP: each request is one call of the functions that workers have in the
//! database, in the role of the worker's line. The database alone judges keys and bans; here are the limits of requests.

use crate::address::PublicUrl;
use crate::answer::{self, Sent};
use crate::encryption::Encrypts;
use crate::gate::Peer;
use crate::rates::Rates;
use agon_command::place::WorkerDoor;
use agon_record::board::{Link, LinkError, LinkResult, PROTOCOL};
use agon_record::over_http::{Act, Asked, LARGEST_REQUEST, LineKey, PROTOCOL_HEADER, UNKNOWN_LINE, WORKER_PATH};
use hyper::body::{Body, Bytes, Incoming};
use hyper::{HeaderMap, Method, Request, Response, StatusCode, header};
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep_until, timeout};

/// The number of requests that ask the database at a time.
const ACTS: usize = 8;
/// The number of unknown keys that are tried at a time, and how long each takes at least, right or wrong.
const LOGINS: usize = 2;
/// The number of threads that wait for the database.
pub const THREADS: usize = ACTS + LOGINS;
const LOGIN: Duration = Duration::from_millis(250);
/// The room for bodies that come, in pieces of this many bytes.
const PIECE: usize = 64 << 10;
const PIECES: usize = 1024;
/// The number of files that are sent at a time.
const FILES: usize = 2;
/// How long a body may take, and how long a request may wait for its turn.
const PATIENCE: Duration = Duration::from_secs(30);
/// The age at which a session logs in anew, so that an old key of a line ends.
const SESSION: Duration = Duration::from_secs(30);
/// The most lines whose sessions are kept.
const LINES: usize = 256;

/// A status, and a sentence.
type Refusal = (StatusCode, String);

/// A session in the role of a line, and when it logged in.
type Session = (Instant, Box<dyn Link + Send>);

/// Answers the requests of workers.
pub struct WorkerGate {
    door: WorkerDoor,
    /// The certificate of this server, if it has one.
    pub tls: Option<Box<dyn Encrypts>>,
    /// The sessions of the lines whose keys were right, by a hash of the key.
    lines: Mutex<BTreeMap<[u8; 32], Vec<Session>>>,
    rates: Rates<([u8; 32], IpAddr)>,
    logins: Arc<Semaphore>,
    acts: Arc<Semaphore>,
    bodies: Arc<Semaphore>,
    files: Arc<Semaphore>,
}

impl WorkerGate {
    /// The gate of a record.
    pub fn new(door: WorkerDoor, tls: Option<Box<dyn Encrypts>>) -> WorkerGate {
        WorkerGate {
            door,
            tls,
            lines: Mutex::default(),
            rates: Rates::default(),
            logins: Arc::new(Semaphore::new(LOGINS)),
            acts: Arc::new(Semaphore::new(ACTS)),
            bodies: Arc::new(Semaphore::new(PIECES)),
            files: Arc::new(Semaphore::new(FILES)),
        }
    }

    /// The line of the guests of `--open` for this server; `None` if there are none, if nothing encrypts their key, or if
    /// this server listens for its own machine alone and the guests come from others.
    pub fn line(&self, at: SocketAddr, public: Option<&PublicUrl>) -> Option<String> {
        let invitation = self.door.invitation.as_ref()?;
        let (key, path) = (&invitation.key, &WORKER_PATH[1..]);
        if let Some(public) = public.filter(|public| public.is_encrypted()) {
            return Some(format!("{}{path}#{key}", public.base()));
        }
        let (host, port, fingerprint) = (invitation.host()?, at.port(), self.tls.as_ref()?.fingerprint());
        let leads_here = !at.ip().is_loopback() || invitation.is_local;
        leads_here.then(|| format!("https://{host}:{port}/{path}?fingerprint={fingerprint}#{key}"))
    }

    /// Answers a request that comes from this address.
    pub async fn answer(self: Arc<WorkerGate>, request: Request<Incoming>, from: IpAddr) -> Response<Sent> {
        match self.judge_and_ask(request, from).await {
            Ok(response) => response,
            Err((status, why)) => answer::to_worker(status, "text/plain; charset=utf-8", why.into()),
        }
    }

    async fn judge_and_ask(
        self: Arc<WorkerGate>,
        request: Request<Incoming>,
        from: IpAddr,
    ) -> Result<Response<Sent>, Refusal> {
        self.judge_head(&request)?;
        let key = key_of(request.headers()).ok_or_else(unknown_line)?;
        let mark = *blake3::hash(key.to_string().as_bytes()).as_bytes();
        if !self.rates.may((mark, from)) {
            let why = "too many requests came by this line; the worker tries again";
            return Err((StatusCode::TOO_MANY_REQUESTS, why.to_owned()));
        }
        if !self.lines().contains_key(&mark) {
            Arc::clone(&self).log_in(key.clone(), mark).await?;
        }
        let length = length_of(request.headers())?;
        let pieces = length.div_ceil(PIECE).max(1) as u32;
        let held = in_time(Arc::clone(&self.bodies).acquire_many_owned(pieces)).await?;
        let body = timeout(PATIENCE, whole(request, length)).await.map_err(|_| slow())??;
        let acting = in_time(Arc::clone(&self.acts).acquire_owned()).await?;
        let read = on_a_thread((held, acting), move || {
            let asked = serde_json::from_slice::<Asked>(&body);
            asked.map_err(|error| (StatusCode::BAD_REQUEST, format!("the request cannot be read: {error}")))
        });
        let (held, asked) = read.await?;
        let asked = asked?;
        let is_file = matches!(asked.act, Act::File(_));
        let turn = if is_file { Some(in_time(Arc::clone(&self.files).acquire_owned()).await?) } else { None };
        let asking = Arc::clone(&self);
        let ((_, turn), told) = on_a_thread((held, turn), move || asking.ask(&key, mark, asked)).await?;
        Ok(sent(told.map_err(status_of)?, turn))
    }

    /// Judges a request by its head: from whom, how, and in which protocol.
    fn judge_head(&self, request: &Request<Incoming>) -> Result<(), Refusal> {
        if *request.method() != Method::POST {
            return Err((StatusCode::METHOD_NOT_ALLOWED, "workers send their requests by POST".to_owned()));
        }
        let headers = request.headers();
        if headers.contains_key(header::ORIGIN) {
            return Err((StatusCode::FORBIDDEN, "a page of a browser is not a worker".to_owned()));
        }
        let peer = request.extensions().get::<Peer>();
        if !peer.is_some_and(|peer| peer.is_encrypted || peer.address.is_loopback()) {
            let why = "workers come by https:// only; help: paste the whole line";
            return Err((StatusCode::FORBIDDEN, why.to_owned()));
        }
        let protocol = headers.get(PROTOCOL_HEADER).and_then(|value| value.to_str().ok()?.parse::<i32>().ok());
        if protocol != Some(PROTOCOL) {
            let why = format!("this record speaks protocol {PROTOCOL}; help: use the same agon on both machines");
            return Err((StatusCode::FORBIDDEN, why));
        }
        Ok(())
    }

    /// Lets the database judge an unknown key. A right one takes as long as a wrong one.
    async fn log_in(self: Arc<WorkerGate>, key: LineKey, mark: [u8; 32]) -> Result<(), Refusal> {
        let turn = in_time(Arc::clone(&self.logins).acquire_owned()).await?;
        // Another worker of this line may have logged in meanwhile; only a right key comes this far.
        if self.lines().contains_key(&mark) {
            return Ok(());
        }
        let until = tokio::time::Instant::now() + LOGIN;
        let admit = move || {
            let link = self.door.admit(&key, true)?;
            self.keep(mark, (Instant::now(), link));
            Ok(())
        };
        // A task of its own: who hangs up before the answer gets no earlier turn for the next key.
        let trial = tokio::spawn(async move {
            let told = on_a_thread(turn, admit).await;
            sleep_until(until).await;
            told
        });
        trial.await.map_err(|_| away())??.1.map_err(|error| match error {
            LinkError::Refused(why) => (StatusCode::UNAUTHORIZED, why),
            error => status_of(error),
        })
    }

    /// Asks the database in a session of this line; on a thread that may wait.
    fn ask(&self, key: &LineKey, mark: [u8; 32], asked: Asked) -> LinkResult<Vec<u8>> {
        let kept = self.lines().get_mut(&mark).and_then(Vec::pop);
        let (since, mut link) = match kept.filter(|(since, _)| since.elapsed() < SESSION) {
            Some(session) => session,
            None => match self.door.admit(key, false) {
                Ok(link) => (Instant::now(), link),
                Err(error) => {
                    if matches!(error, LinkError::Refused(_)) {
                        let gone = self.lines().remove(&mark);
                        drop(gone);
                    }
                    return Err(error);
                }
            },
        };
        let told = asked.ask(&mut *link);
        if !matches!(told, Err(LinkError::Away(_))) {
            self.keep(mark, (since, link));
        }
        told
    }

    /// Keeps a session for the next request; on a thread that may wait, as sessions that are dropped do.
    fn keep(&self, mark: [u8; 32], session: Session) {
        let mut lines = self.lines();
        let gone = match lines.len() >= LINES && !lines.contains_key(&mark) {
            true => lines.pop_first(),
            false => None,
        };
        lines.entry(mark).or_default().push(session);
        // A line whose workers left closes its sessions here, too: the database has few.
        let is_old = |(since, _): &mut Session| since.elapsed() >= SESSION;
        let old: Vec<Session> = lines.values_mut().flat_map(|sessions| sessions.extract_if(.., is_old)).collect();
        drop(lines);
        drop((gone, old));
    }

    /// The lines stay right whatever panicked next to them.
    fn lines(&self) -> MutexGuard<'_, BTreeMap<[u8; 32], Vec<Session>>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The key that a request brings.
fn key_of(headers: &HeaderMap) -> Option<LineKey> {
    LineKey::read(headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")?)
}

/// The length that a request announces, which it must.
fn length_of(headers: &HeaderMap) -> Result<usize, Refusal> {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    let length = length.filter(|_| !headers.contains_key(header::TRANSFER_ENCODING));
    match length {
        Some(length) if length <= LARGEST_REQUEST => Ok(length),
        Some(_) => {
            let most = LARGEST_REQUEST >> 20;
            Err((StatusCode::PAYLOAD_TOO_LARGE, format!("a request has at most {most} MiB; nothing was taken")))
        }
        None => Err((StatusCode::LENGTH_REQUIRED, "a request announces its length; nothing was taken".to_owned())),
    }
}

/// The body, which must be as long as announced.
async fn whole(request: Request<Incoming>, length: usize) -> Result<Vec<u8>, Refusal> {
    let cut = || (StatusCode::BAD_REQUEST, "the request did not come whole; nothing was taken".to_owned());
    let (mut body, mut all) = (request.into_body(), Vec::new());
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        all.extend_from_slice(&frame.map_err(|_| cut())?.into_data().unwrap_or_default());
        if all.len() > length {
            return Err(cut());
        }
    }
    if all.len() == length { Ok(all) } else { Err(cut()) }
}

/// Works on a thread that may wait. What is held stays held until the work ends, even if the worker hangs up before.
async fn on_a_thread<H, T>(held: H, work: impl FnOnce() -> T + Send + 'static) -> Result<(H, T), Refusal>
where
    H: Send + 'static,
    T: Send + 'static,
{
    tokio::task::spawn_blocking(move || (held, work())).await.map_err(|_| away())
}

/// Waits for a turn, but not for ever.
async fn in_time<T>(turn: impl Future<Output = Result<T, tokio::sync::AcquireError>>) -> Result<T, Refusal> {
    match timeout(PATIENCE, turn).await {
        Ok(Ok(turn)) => Ok(turn),
        _ => Err((StatusCode::SERVICE_UNAVAILABLE, "others come just now; the worker tries again".to_owned())),
    }
}

fn sent(bytes: Vec<u8>, turn: Option<OwnedSemaphorePermit>) -> Response<Sent> {
    match turn {
        Some(turn) => answer::file_to_worker(Bytes::from(bytes), turn),
        None => answer::to_worker(StatusCode::OK, "application/json", Bytes::from(bytes)),
    }
}

/// How an error of the database is told.
fn status_of(error: LinkError) -> Refusal {
    match error {
        LinkError::Away(why) => (StatusCode::SERVICE_UNAVAILABLE, why),
        LinkError::Refused(why) => (StatusCode::FORBIDDEN, why),
    }
}

fn unknown_line() -> Refusal {
    (StatusCode::UNAUTHORIZED, UNKNOWN_LINE.to_owned())
}

fn slow() -> Refusal {
    (StatusCode::REQUEST_TIMEOUT, "the request took too long to come; nothing was taken".to_owned())
}

fn away() -> Refusal {
    (StatusCode::SERVICE_UNAVAILABLE, "the record is not reached just now".to_owned())
}
