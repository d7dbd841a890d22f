//! A connection to a server on which all incoming bytes are judged before anything answers them.

use crate::login::{Login, Methods};
use postgres::Socket;
use postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use std::future::{Ready, ready};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Makes guarded connections from those of another maker.
#[derive(Clone)]
pub struct Guard<M> {
    pub way: M,
    pub methods: Methods,
}

impl<M> MakeTlsConnect<Socket> for Guard<M>
where
    M: MakeTlsConnect<Socket>,
    M::TlsConnect: Send + 'static,
    M::Stream: Send,
    <M::TlsConnect as TlsConnect<Socket>>::Future: Send,
{
    type Stream = Guarded<M::Stream>;
    type TlsConnect = Guard<M::TlsConnect>;
    type Error = M::Error;

    fn make_tls_connect(&mut self, domain: &str) -> Result<Self::TlsConnect, M::Error> {
        Ok(Guard { way: self.way.make_tls_connect(domain)?, methods: self.methods })
    }
}

impl<C> TlsConnect<Socket> for Guard<C>
where
    C: TlsConnect<Socket> + Send + 'static,
    C::Stream: Unpin + Send,
    C::Future: Send,
{
    type Stream = Guarded<C::Stream>;
    type Error = C::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Stream, C::Error>> + Send>>;

    fn connect(self, stream: Socket) -> Self::Future {
        let Guard { way, methods } = self;
        Box::pin(async move { Ok(Guarded { stream: way.connect(stream).await?, login: Login::new(methods) }) })
    }
}

/// A connection without encryption.
#[derive(Clone, Copy)]
pub struct Plain;

impl MakeTlsConnect<Socket> for Plain {
    type Stream = PlainStream;
    type TlsConnect = Plain;
    type Error = io::Error;

    fn make_tls_connect(&mut self, _: &str) -> io::Result<Plain> {
        Ok(Plain)
    }
}

impl TlsConnect<Socket> for Plain {
    type Stream = PlainStream;
    type Error = io::Error;
    type Future = Ready<io::Result<PlainStream>>;

    fn connect(self, stream: Socket) -> Self::Future {
        ready(Ok(PlainStream(stream)))
    }
}

/// A stream that passes bytes unchanged.
pub struct PlainStream(Socket);

/// A stream whose incoming bytes are judged.
pub struct Guarded<S> {
    stream: S,
    login: Login,
}

impl TlsStream for PlainStream {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: TlsStream + Unpin> TlsStream for Guarded<S> {
    fn channel_binding(&self) -> ChannelBinding {
        self.stream.channel_binding()
    }
}

impl AsyncRead for PlainStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buf)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Guarded<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
        Poll::Ready(self.login.see(&buf.filled()[before..]).map_err(io::Error::other))
    }
}

/// Writes as the stream inside does.
macro_rules! write_through {
    ([$($bound:tt)*] $name:ty, $inside:tt) => {
        impl $($bound)* AsyncWrite for $name {
            fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
                Pin::new(&mut self.$inside).poll_write(cx, buf)
            }

            fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                Pin::new(&mut self.$inside).poll_flush(cx)
            }

            fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
                Pin::new(&mut self.$inside).poll_shutdown(cx)
            }
        }
    };
}

write_through!([] PlainStream, 0);
write_through!([<S: AsyncWrite + Unpin>] Guarded<S>, stream);
