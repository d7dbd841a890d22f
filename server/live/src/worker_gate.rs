//! Workers of other machines come over HTTP: each request is one call of the functions that workers have in the
//! database, in the role of the worker's invitation. The database alone judges keys and bans; here, requests are limited.

use crate::address::PublicUrl;
use crate::answer::{self, AnswerBody};
use crate::encryption::Encrypts;
use crate::gate::{Peer, is_proxied};
use crate::hang_up::HangUp;
use crate::permits::{Machine, NoPermit, Permit, PermitBounds, Permits};
use crate::quota::network;
use crate::rates::Rates;
use agon_command::worker_door::WorkerDoor;
use agon_record::exchange::{LinkError, LinkResult, PROTOCOL, WorkerLink};
use agon_record::over_http::{
    InvitationKey, LARGEST_REQUEST, MOST_DELIVERIES, PROTOCOL_HEADER, UNKNOWN_INVITATION, WORKER_PATH, WorkerAct,
    WorkerRequest,
};
use hyper::body::{Body, Bytes, Incoming};
use hyper::{HeaderMap, Method, Request, Response, StatusCode, header};
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep_until, timeout_at};

/// The requests of one machine by an invitation: the number a second, and the most that are saved up.
const A_SECOND: f64 = 500.0;
const SAVED_UP: f64 = 1000.0;
/// The workers that one address, or network of addresses, may start in an hour by an invitation: each start is a row of
/// the record. A laboratory can have one address.
const STARTS: f64 = 300.0;
/// The requests that are under way at a time; people's pages have as many connections left as an invitation has requests.
/// Behind a proxy, all come from this machine, which has only the bound of its invitation.
const REQUESTS: PermitBounds = PermitBounds { all: Semaphore::MAX_PERMITS, of_invitation: 80, of_machine: 30 };
/// The requests that ask the database at a time.
const ACTS: PermitBounds = PermitBounds { all: 8, of_invitation: 6, of_machine: 6 };
/// The unknown keys that are tried at a time, and how long each takes at least, right or wrong.
const LOGINS: PermitBounds = PermitBounds { all: 2, of_invitation: 2, of_machine: 1 };
const LOGIN: Duration = Duration::from_millis(250);
/// The number of threads that wait for the database.
pub const THREADS: usize = ACTS.all + LOGINS.all;
/// The room for bodies that come, in pieces of this many bytes.
const PIECE: usize = 64 << 10;
const PIECES: PermitBounds = PermitBounds { all: 1024, of_invitation: 512, of_machine: 256 };
/// The parts of files that are sent at a time. Parts are short, so that a machine that reads slowly holds its permit
/// for a moment, and all machines of an invitation come in their order.
const FILES: PermitBounds = PermitBounds { all: 24, of_invitation: 12, of_machine: 1 };
/// The most bytes of the name of a file.
const LONGEST_HASH: usize = 128;
/// The most bytes of the key of a worker.
const LONGEST_KEY: usize = 64;
/// The names of permits that a request waits for.
const ROOM: &str = "all the room for requests that come";
const AT_RECORD: &str = "all requests that it may have at the record";
/// How long a body may take, and how long a request may wait for one permit.
const PERMIT_LIMIT: Duration = Duration::from_secs(30);
/// How long all waits of a request may take together; a worker waits longer for its answer.
const ALL_WAITS: Duration = Duration::from_secs(60);
/// How long an answer may take to be read: this long, and a second for each piece of this many bytes.
const READING: Duration = Duration::from_secs(60);
const READ_A_SECOND: usize = 64 << 10;
/// The age at which a session logs in anew, so that an old key of an invitation ends.
const SESSION: Duration = Duration::from_secs(30);
/// The most invitations whose sessions are kept.
const KEPT: usize = 256;

/// A status, and a sentence.
type Denial = (StatusCode, String);

/// A session in the role of an invitation, and when it logged in.
type Session = (std::time::Instant, Box<dyn WorkerLink + Send>);

/// Answers the requests of workers.
pub struct WorkerGate {
    door: WorkerDoor,
    /// The certificate of this server, if it has one.
    pub tls: Option<Box<dyn Encrypts>>,
    /// Sessions of the invitations whose keys were right, by a hash of the key.
    sessions: Mutex<BTreeMap<[u8; 32], Vec<Session>>>,
    rates: Rates<Machine>,
    starts: Rates<Machine>,
    requests: Permits,
    logins: Permits,
    acts: Permits,
    bodies: Permits,
    files: Permits,
}

impl WorkerGate {
    /// The gate of a record.
    pub fn new(door: WorkerDoor, tls: Option<Box<dyn Encrypts>>) -> WorkerGate {
        WorkerGate {
            door,
            tls,
            sessions: Mutex::default(),
            rates: Rates::new(A_SECOND, SAVED_UP),
            starts: Rates::new(STARTS / 3600.0, STARTS),
            requests: Permits::new(REQUESTS),
            logins: Permits::new(LOGINS),
            acts: Permits::new(ACTS),
            bodies: Permits::new(PIECES),
            files: Permits::new(FILES),
        }
    }

    /// The line of `--open` for this server; `None` if there is none, if nothing encrypts its key, or if this server
    /// listens for its own machine alone and the workers come from others.
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

    /// Answers a request that comes from this address. An answer that is not read in time ends the connection.
    pub async fn answer(self: Arc<WorkerGate>, request: Request<Incoming>, from: IpAddr) -> Response<AnswerBody> {
        let hang_up = request.extensions().get::<HangUp>().cloned().unwrap_or_default();
        let (status, kind, bytes, permit) = match self.judge_and_ask(request, from).await {
            Ok((bytes, None)) => (StatusCode::OK, "application/json", Bytes::from(bytes), None),
            Ok((bytes, permit)) => (StatusCode::OK, "application/octet-stream", Bytes::from(bytes), permit),
            Err((status, why)) => (status, "text/plain; charset=utf-8", why.into(), None),
        };
        let most = READING + Duration::from_secs((bytes.len() / READ_A_SECOND) as u64);
        answer::to_worker(status, kind, bytes, (permit, hang_up.after(most)))
    }

    /// The answer, and the permit of a file.
    async fn judge_and_ask(
        self: Arc<WorkerGate>,
        request: Request<Incoming>,
        from: IpAddr,
    ) -> Result<(Vec<u8>, Option<Permit>), Denial> {
        let end = Instant::now() + ALL_WAITS;
        self.judge_head(&request)?;
        let key = key_of(request.headers()).ok_or_else(unknown_invitation)?;
        let mark = *blake3::hash(key.to_string().as_bytes()).as_bytes();
        let who = (mark, from);
        let _request = Arc::clone(&self).let_in(&key, who, end).await?;
        let (asked, held) = self.read(request, who, end).await?;
        self.judge_asked(&asked, who)?;
        // Who waits for a file keeps nobody from the record.
        let (held, permit) = if matches!(asked.act, WorkerAct::File { .. }) {
            drop(held);
            let permit = in_time(&self.files, who, 1, end, "all files that it may fetch at a time").await?;
            let body = in_time(&self.bodies, who, 1, end, ROOM).await?;
            ([body, in_time(&self.acts, who, 1, end, AT_RECORD).await?], Some(permit))
        } else {
            (held, None)
        };
        let asking = Arc::clone(&self);
        let ((_, permit), told) = on_a_thread(end, (held, permit), move || asking.ask(&key, mark, asked)).await?;
        Ok((told.map_err(status_of)?, permit))
    }

    /// Takes a place among the requests under way, and lets the database judge an unknown key.
    async fn let_in(self: Arc<WorkerGate>, key: &InvitationKey, who: Machine, end: Instant) -> Result<Permit, Denial> {
        if !self.rates.may(who) {
            let why = "too many requests came by this line; the worker tries again";
            return Err((StatusCode::TOO_MANY_REQUESTS, why.to_owned()));
        }
        let place = self.requests.try_take(who).map_err(|none| {
            let most = if none == NoPermit::Machine { REQUESTS.of_machine } else { REQUESTS.of_invitation };
            refused(none, &format!("{most} requests"))
        })?;
        if !self.sessions().contains_key(&who.0) {
            timeout_at(end, Arc::clone(&self).log_in(key.clone(), who, end)).await.map_err(|_| away())??;
        }
        Ok(place)
    }

    /// Reads the request, and keeps the permits of its body and of its place at the record.
    async fn read(
        &self,
        request: Request<Incoming>,
        who: Machine,
        end: Instant,
    ) -> Result<(WorkerRequest, [Permit; 2]), Denial> {
        let length = length_of(request.headers())?;
        let pieces = length.div_ceil(PIECE).max(1) as u32;
        let held = in_time(&self.bodies, who, pieces, end, ROOM).await?;
        let body = timeout_at(soon(end), whole(request, length)).await.map_err(|_| slow())??;
        let acting = in_time(&self.acts, who, 1, end, AT_RECORD).await?;
        let (held, asked) =
            on_a_thread(end, [held, acting], move || serde_json::from_slice::<WorkerRequest>(&body)).await?;
        let asked = asked.map_err(|error| (StatusCode::BAD_REQUEST, format!("the request cannot be read: {error}")));
        Ok((asked?, held))
    }

    /// Refuses more than one request may carry, and too many starts of one address. Behind a proxy that names no senders
    /// all come from this machine, which has no bound.
    fn judge_asked(&self, WorkerRequest { key, act, .. }: &WorkerRequest, who: Machine) -> Result<(), Denial> {
        if key.len() > LONGEST_KEY {
            return Err((StatusCode::BAD_REQUEST, "this is no key of a worker; nothing was taken".to_owned()));
        }
        if matches!(act, WorkerAct::File { hash, .. } if hash.len() > LONGEST_HASH) {
            return Err((StatusCode::BAD_REQUEST, "a file is asked for by its hash; nothing was sent".to_owned()));
        }
        if matches!(act, WorkerAct::Exchange { deliveries, .. } if deliveries.len() > MOST_DELIVERIES) {
            let why = format!("one request delivers at most {MOST_DELIVERIES} blocks; nothing was taken");
            return Err((StatusCode::PAYLOAD_TOO_LARGE, why));
        }
        let (invitation, from) = who;
        if matches!(act, WorkerAct::Greet(_)) && !from.is_loopback() && !self.starts.may((invitation, network(from))) {
            let help = "help: start each machine once, and let it run; the worker tries again";
            let why = format!("{STARTS} workers of this address came by this line in an hour; {help}");
            return Err((StatusCode::TOO_MANY_REQUESTS, why));
        }
        Ok(())
    }

    /// Judges a request by its head: from whom, how, and in which protocol.
    fn judge_head(&self, request: &Request<Incoming>) -> Result<(), Denial> {
        if *request.method() != Method::POST {
            return Err((StatusCode::METHOD_NOT_ALLOWED, "workers send their requests by POST".to_owned()));
        }
        let headers = request.headers();
        if headers.contains_key(header::ORIGIN) {
            return Err((StatusCode::FORBIDDEN, "a page of a browser is not a worker".to_owned()));
        }
        let peer = request.extensions().get::<Peer>();
        if !peer.is_some_and(|peer| peer.is_encrypted || peer.address.is_loopback()) {
            let why = if is_proxied(headers) {
                "a proxy on another machine passed this on in clear; help: the operator runs the proxy on the machine of \
                 agon, or gives it a tunnel there: ssh -N -L 7420:127.0.0.1:7420 MACHINE (7420 is agon's port)"
            } else {
                "workers come by https:// only; help: paste the whole line"
            };
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
    async fn log_in(self: Arc<WorkerGate>, key: InvitationKey, who: Machine, end: Instant) -> Result<(), Denial> {
        let (mark, from) = who;
        // By the machine alone: a stranger has as many keys as he likes.
        let permit = in_time(&self.logins, ([0; 32], from), 1, end, "all logins that it may try at a time").await?;
        // Another worker of this invitation may have logged in meanwhile; only a right key comes this far.
        if self.sessions().contains_key(&mark) {
            return Ok(());
        }
        let until = Instant::now() + LOGIN;
        let admit = move || {
            let link = self.door.admit(&key, true)?;
            self.keep(mark, (std::time::Instant::now(), link));
            Ok(())
        };
        // A task of its own: who hangs up before the answer gets no earlier permit for the next key.
        let trial = tokio::spawn(async move {
            let told = on_a_thread(end, permit, admit).await;
            sleep_until(until).await;
            told
        });
        trial.await.map_err(|_| away())??.1.map_err(|error| match error {
            LinkError::Refused(why) => (StatusCode::UNAUTHORIZED, why),
            error => status_of(error),
        })
    }

    /// Asks the database in a session of this invitation; on a thread that may wait.
    fn ask(&self, key: &InvitationKey, mark: [u8; 32], asked: WorkerRequest) -> LinkResult<Vec<u8>> {
        let kept = self.sessions().get_mut(&mark).and_then(Vec::pop);
        let (since, mut link) = match kept.filter(|(since, _)| since.elapsed() < SESSION) {
            Some(session) => session,
            None => match self.door.admit(key, false) {
                Ok(link) => (std::time::Instant::now(), link),
                Err(error) => {
                    if matches!(error, LinkError::Refused(_)) {
                        let gone = self.sessions().remove(&mark);
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
        let mut sessions = self.sessions();
        let gone = if sessions.len() >= KEPT && !sessions.contains_key(&mark) { sessions.pop_first() } else { None };
        sessions.entry(mark).or_default().push(session);
        // An invitation whose workers left closes its sessions here, too: the database has few.
        let is_old = |(since, _): &mut Session| since.elapsed() >= SESSION;
        let old: Vec<Session> = sessions.values_mut().flat_map(|sessions| sessions.extract_if(.., is_old)).collect();
        drop(sessions);
        drop((gone, old));
    }

    /// The sessions stay right whatever panicked next to them.
    fn sessions(&self) -> MutexGuard<'_, BTreeMap<[u8; 32], Vec<Session>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The key that a request brings.
fn key_of(headers: &HeaderMap) -> Option<InvitationKey> {
    InvitationKey::read(headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")?)
}

/// The length that a request announces, which it must.
fn length_of(headers: &HeaderMap) -> Result<usize, Denial> {
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
async fn whole(request: Request<Incoming>, length: usize) -> Result<Vec<u8>, Denial> {
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

/// Works on a thread that may wait. What is held stays held until the work ends, even if the worker hangs up before or
/// is answered earlier, at the end of its time.
async fn on_a_thread<H, T>(end: Instant, held: H, work: impl FnOnce() -> T + Send + 'static) -> Result<(H, T), Denial>
where
    H: Send + 'static,
    T: Send + 'static,
{
    let done = timeout_at(end, tokio::task::spawn_blocking(move || (held, work()))).await;
    done.map_err(|_| away())?.map_err(|_| away())
}

/// The end of one wait, of which there are several until `end`.
fn soon(end: Instant) -> Instant {
    end.min(Instant::now() + PERMIT_LIMIT)
}

/// Waits for permits, but not for ever; `what` names them for whoever holds all of his own.
async fn in_time(permits: &Permits, who: Machine, many: u32, end: Instant, what: &str) -> Result<Permit, Denial> {
    permits.take(who, many, soon(end)).await.map_err(|none| refused(none, what))
}

/// A machine, an invitation or all together use all that they may at a time.
fn refused(none: NoPermit, what: &str) -> Denial {
    let whose = match none {
        NoPermit::Machine => "machine",
        NoPermit::Invitation => "line",
        NoPermit::All => {
            let why = "the pages are busy; nothing was taken, and the worker tries again";
            return (StatusCode::SERVICE_UNAVAILABLE, why.to_owned());
        }
    };
    let help = "help: if this lasts, run fewer workers there, or ask the operator for another line";
    let why = format!("the workers of this {whose} already use {what}; nothing was taken, and the worker tries again");
    (StatusCode::TOO_MANY_REQUESTS, format!("{why}; {help}"))
}

/// How an error of the database is told.
fn status_of(error: LinkError) -> Denial {
    match error {
        LinkError::Away(why) => (StatusCode::SERVICE_UNAVAILABLE, why),
        LinkError::Refused(why) => (StatusCode::FORBIDDEN, why),
        LinkError::Over(why) => (StatusCode::GONE, why),
    }
}

fn unknown_invitation() -> Denial {
    (StatusCode::UNAUTHORIZED, UNKNOWN_INVITATION.to_owned())
}

fn slow() -> Denial {
    (StatusCode::REQUEST_TIMEOUT, "the request took too long to come; nothing was taken".to_owned())
}

fn away() -> Denial {
    (StatusCode::SERVICE_UNAVAILABLE, "the record is not reached just now".to_owned())
}
