//! A worker's link to an exchange behind pages: each request is one POST over HTTP/1.1, on a connection that is
//! renewed.

use crate::address::cause_of;
use crate::tls;
use crate::web_address::WebAddress;
use agon_model::EntrantId;
use agon_record::exchange::{
    Claimed, Delivery, FILE_PART, Greeting, LARGEST_DELIVERY, LinkError, LinkResult, Orders, PROTOCOL, WorkerLink,
};
use agon_record::over_http::{Exchanged, LARGEST_ANSWER, MOST_DELIVERIES, PROTOCOL_HEADER, WorkerAct, WorkerRequest};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

/// How long a connection may take to be made.
const CONNECTING: Duration = Duration::from_secs(10);
/// How long the server may take to answer, and to go on with its answer: longer than each of the waits there.
const ANSWER_LIMIT: Duration = Duration::from_secs(100);
/// For how long an idle connection is used again: servers close idle ones.
const IDLE: Duration = Duration::from_secs(1);
/// The most bytes of a sentence.
const SENTENCE: usize = 4096;

/// A worker's link over HTTP.
pub struct HttpsLink {
    address: WebAddress,
    /// Encrypts, and judges the server; `None` = nothing is encrypted, on this machine alone.
    connector: Option<TlsConnector>,
    runtime: Runtime,
    open: Option<(SendRequest<Sent>, Instant)>,
    key: String,
}

/// The body of a request.
struct Sent(Option<Bytes>);

impl Body for Sent {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.get_mut().0.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.as_ref().map_or(0, Bytes::len) as u64)
    }
}

impl HttpsLink {
    /// Makes a link to the exchange at this address, without a request yet.
    ///
    /// # Errors
    /// The text is not an address; the error is a sentence.
    pub fn new(url: &str) -> Result<HttpsLink, String> {
        let address = WebAddress::read(url)?;
        let connector = if address.is_encrypted {
            Some(TlsConnector::from(Arc::new(tls::client(address.fingerprint.as_deref())?)))
        } else {
            None
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("no connection can be made: {error}"))?;
        Ok(HttpsLink { address, connector, runtime, open: None, key: String::new() })
    }

    /// The bytes of the answer to an act of the worker with this key.
    fn ask(&mut self, act: WorkerAct, most: usize) -> LinkResult<Vec<u8>> {
        let asked = WorkerRequest { key: self.key.clone(), act };
        let bytes = serde_json::to_vec(&asked)
            .map_err(|error| LinkError::Refused(format!("a request cannot be written: {error}")))?;
        let request = self.address.post(Sent(Some(Bytes::from(bytes))), PROTOCOL_HEADER, PROTOCOL);
        let request = request.map_err(|error| LinkError::Refused(error.to_string()))?;
        let kept = self.open.take().filter(|(open, used)| !open.is_closed() && used.elapsed() < IDLE);
        let (address, connector) = (&self.address, self.connector.as_ref());
        let told = self.runtime.block_on(async {
            let mut open = match kept {
                Some((open, _)) => open,
                None => connect(address, connector).await?,
            };
            let told = exchange(&mut open, request, most).await?;
            Ok::<_, LinkError>((open, told))
        });
        let (open, (status, bytes)) = told?;
        self.open = Some((open, Instant::now()));
        if status == StatusCode::OK { Ok(bytes) } else { Err(refusal(status, &bytes)) }
    }

    fn ask_for<T: DeserializeOwned>(&mut self, act: WorkerAct) -> LinkResult<T> {
        let bytes = self.ask(act, LARGEST_ANSWER)?;
        serde_json::from_slice(&bytes).map_err(|error| {
            let help = "help: look at the address, and use the same agon on both machines";
            LinkError::Refused(format!("the answer of the server cannot be read ({error}); {help}"))
        })
    }
}

/// Why the server gave no other answer. A proxy's own answer is a page and not a sentence.
fn refusal(status: StatusCode, bytes: &[u8]) -> LinkError {
    let sentence = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= SENTENCE && !text.contains('<'));
    let told = sentence.map_or_else(|| format!("the server answers {status}"), str::to_owned);
    match status {
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED if sentence.is_none() => {
            let help = "help: paste the whole line, and look whether agon serves a record on PostgreSQL there";
            LinkError::Refused(format!("no workers are served at this address; {help}"))
        }
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => LinkError::Away(told),
        _ if status.is_server_error() => LinkError::Away(told),
        StatusCode::GONE if sentence.is_some() => LinkError::Over(told),
        _ => LinkError::Refused(told),
    }
}

async fn connect(address: &WebAddress, connector: Option<&TlsConnector>) -> LinkResult<SendRequest<Sent>> {
    let away = |error: std::io::Error| match tls::disbelief(&error) {
        Some(why) => LinkError::Refused(why),
        None => LinkError::Away(format!("{}: {error}", address.host_and_port())),
    };
    let connecting = async {
        let stream = TcpStream::connect((address.host.as_str(), address.port)).await.map_err(away)?;
        let _ = stream.set_nodelay(true);
        match connector {
            None => begin(stream).await,
            Some(connector) => {
                let name = address.server_name().map_err(LinkError::Refused)?;
                begin(connector.connect(name, stream).await.map_err(away)?).await
            }
        }
    };
    let late = |_| LinkError::Away(format!("{} does not answer", address.host_and_port()));
    timeout(CONNECTING, connecting).await.map_err(late)?
}

/// Begins HTTP on a connection, which lives as long as somebody can send.
async fn begin<S>(stream: S) -> LinkResult<SendRequest<Sent>>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (open, connection) = handshake(TokioIo::new(stream)).await.map_err(lost)?;
    // Its errors come to whoever waits for an answer.
    tokio::spawn(async move { drop(connection.await) });
    Ok(open)
}

fn lost(error: hyper::Error) -> LinkError {
    let cause = cause_of(&error);
    LinkError::Away(format!("the connection broke ({error}{cause})"))
}

/// Sends a request, and reads the whole answer, which has at most this many bytes.
async fn exchange(
    open: &mut SendRequest<Sent>,
    request: Request<Sent>,
    most: usize,
) -> LinkResult<(StatusCode, Vec<u8>)> {
    let silent = |_| LinkError::Away("the server does not answer".to_owned());
    let answer: Response<Incoming> =
        timeout(ANSWER_LIMIT, open.send_request(request)).await.map_err(silent)?.map_err(lost)?;
    let status = answer.status();
    let most = if status == StatusCode::OK { most } else { LARGEST_DELIVERY };
    let too_long =
        || LinkError::Refused(format!("the server answers with more than {most} bytes; help: look at the address"));
    let announced = answer.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: usize| length > most) {
        return Err(too_long());
    }
    let (mut body, mut all) = (answer.into_body(), Vec::new());
    while let Some(frame) =
        timeout(ANSWER_LIMIT, poll_fn(|context| Pin::new(&mut body).poll_frame(context))).await.map_err(silent)?
    {
        all.extend_from_slice(&frame.map_err(lost)?.into_data().unwrap_or_default());
        if all.len() > most {
            return Err(too_long());
        }
    }
    Ok((status, all))
}

/// Deliveries in portions that one request takes.
fn portions(deliveries: &[Delivery]) -> Vec<&[Delivery]> {
    let size = |one: &Delivery| one.content.as_ref().map_or_else(String::len, String::len);
    let (mut portions, mut begin, mut bytes) = (Vec::new(), 0, 0);
    for (index, one) in deliveries.iter().enumerate() {
        if index > begin && (index - begin == MOST_DELIVERIES || bytes + size(one) > LARGEST_DELIVERY) {
            portions.push(&deliveries[begin..index]);
            (begin, bytes) = (index, 0);
        }
        bytes += size(one);
    }
    portions.push(&deliveries[begin..]);
    portions
}

impl WorkerLink for HttpsLink {
    fn greet(&mut self, greeting: &Greeting) -> LinkResult<String> {
        self.key.clear();
        self.key = self.ask_for(WorkerAct::Greet(Box::new(greeting.clone())))?;
        Ok(self.key.clone())
    }

    fn speak_as(&mut self, key: &str) {
        key.clone_into(&mut self.key);
    }

    fn exchange(
        &mut self,
        deliveries: &[Delivery],
        many: usize,
        wants: usize,
    ) -> LinkResult<(Vec<String>, Vec<Claimed>)> {
        let portions = portions(deliveries);
        let (mut refusals, mut claimed) = (Vec::new(), Vec::new());
        for (index, portion) in portions.iter().enumerate() {
            let many = if index + 1 == portions.len() { many } else { 0 };
            let (more, blocks): Exchanged =
                self.ask_for(WorkerAct::Exchange { deliveries: portion.to_vec(), many, wants })?;
            refusals.extend(more);
            claimed.extend(blocks);
        }
        Ok((refusals, claimed))
    }

    fn terms(&mut self, terms: i64) -> LinkResult<String> {
        self.ask_for(WorkerAct::Terms(terms))
    }

    fn file_part(&mut self, hash: &str, from: u64) -> LinkResult<Vec<u8>> {
        self.ask(WorkerAct::File { hash: hash.to_owned(), from }, FILE_PART)
    }

    fn decline(&mut self, terms: i64, why: &str) -> LinkResult<()> {
        self.ask_for(WorkerAct::Decline { terms, why: why.to_owned() })
    }

    fn beat(&mut self, wants: usize) -> LinkResult<Orders> {
        self.ask_for(WorkerAct::Beat { wants })
    }

    fn release(&mut self, leases: &[i64]) -> LinkResult<()> {
        self.ask_for(WorkerAct::Release(leases.to_vec()))
    }

    fn lack(&mut self, clients: &[EntrantId], why: &str) -> LinkResult<()> {
        self.ask_for(WorkerAct::Lack { clients: clients.to_vec(), why: why.to_owned() })
    }

    fn leave(&mut self) -> LinkResult<()> {
        self.ask_for(WorkerAct::Leave)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::LadderId;
    use agon_record::exchange::Lease;

    fn delivery(bytes: usize) -> Delivery {
        let lease = Lease { ladder: LadderId(1), block: String::new(), number: 1, proof: String::new() };
        Delivery { key: String::new(), lease, content: Ok("x".repeat(bytes)) }
    }

    #[test]
    fn many_deliveries_come_in_portions_and_none_is_lost() {
        let sizes = |sizes: &[usize]| {
            let all: Vec<Delivery> = sizes.iter().map(|bytes| delivery(*bytes)).collect();
            portions(&all).iter().map(|portion| portion.len()).collect::<Vec<_>>()
        };
        assert_eq!(sizes(&[]), [0]);
        assert_eq!(sizes(&[LARGEST_DELIVERY, LARGEST_DELIVERY, 1]), [1, 1, 1]);
        assert_eq!(sizes(&[1, LARGEST_DELIVERY - 1, 1]), [2, 1]);
        assert_eq!(sizes(&[1; 300]), [128, 128, 44]);
    }

    #[test]
    fn a_proxy_that_cannot_reach_its_server_is_waited_for() {
        let page = b"<html>bad gateway</html>";
        assert!(matches!(refusal(StatusCode::BAD_GATEWAY, page), LinkError::Away(why) if !why.contains('<')));
        assert_eq!(refusal(StatusCode::GONE, b"over"), LinkError::Over("over".to_owned()));
        assert!(matches!(refusal(StatusCode::GONE, page), LinkError::Refused(_)), "a proxy says so");
        assert!(matches!(refusal(StatusCode::FORBIDDEN, b"banned"), LinkError::Refused(why) if why == "banned"));
        assert!(matches!(refusal(StatusCode::NOT_FOUND, page), LinkError::Refused(why) if why.contains("no workers")));
    }
}
