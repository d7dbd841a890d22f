//! A connection to a server on which all incoming bytes are judged before anything answers them. It is encrypted where
//! the server's certificate is known.

use crate::binding::end_point;
use crate::login::{Login, Methods};
use postgres::Socket;
use postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsConnector;

/// A connection to a server, encrypted or not.
trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Connection for S {}

/// Makes guarded connections.
#[derive(Clone)]
pub struct Guard {
    /// How the server's certificate is judged; without it, nothing is encrypted.
    pub tls: Option<Arc<ClientConfig>>,
    pub methods: Methods,
}

/// Makes a guarded connection to one host.
pub struct GuardOf {
    guard: Guard,
    host: String,
}

/// A connection whose incoming bytes are judged.
pub struct Guarded {
    stream: Box<dyn Connection>,
    /// The hash to which the server's proof of a password is bound, if the connection is encrypted.
    end_point: Option<Vec<u8>>,
    login: Login,
}

impl MakeTlsConnect<Socket> for Guard {
    type Stream = Guarded;
    type TlsConnect = GuardOf;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> io::Result<GuardOf> {
        Ok(GuardOf { guard: self.clone(), host: host.to_owned() })
    }
}

impl TlsConnect<Socket> for GuardOf {
    type Stream = Guarded;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Guarded>> + Send>>;

    fn connect(self, socket: Socket) -> Self::Future {
        let GuardOf { guard: Guard { tls, methods }, host } = self;
        let login = Login::new(methods);
        Box::pin(async move {
            let Some(tls) = tls else {
                return Ok(Guarded { stream: Box::new(socket), end_point: None, login });
            };
            let host =
                ServerName::try_from(host).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
            let stream = TlsConnector::from(tls).connect(host, socket).await?;
            let certificate = stream.get_ref().1.peer_certificates().and_then(<[_]>::first);
            let end_point = certificate.and_then(|certificate| end_point(certificate));
            Ok(Guarded { stream: Box::new(stream), end_point, login })
        })
    }
}

impl TlsStream for Guarded {
    fn channel_binding(&self) -> ChannelBinding {
        self.end_point.clone().map_or_else(ChannelBinding::none, ChannelBinding::tls_server_end_point)
    }
}

impl AsyncRead for Guarded {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
        Poll::Ready(self.login.see(&buf.filled()[before..]).map_err(io::Error::other))
    }
}

impl AsyncWrite for Guarded {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
