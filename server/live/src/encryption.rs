//! Encrypted connections to the pages, as a program that can make them offers them: `agon` has none.

use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::OnceLock;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

/// A connection over which requests come.
pub trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Connection for S {}

/// An encrypted connection that is being made.
pub type Accepting = Pin<Box<dyn Future<Output = io::Result<Box<dyn Connection>>> + Send>>;

/// Makes encrypted connections with one certificate.
pub trait Encrypts: Send + Sync {
    /// Makes an encrypted connection of one that has begun.
    fn accept(&self, stream: TcpStream) -> Accepting;

    /// SHA-256 of the certificate, 64 hexadecimal digits.
    fn fingerprint(&self) -> &str;
}

/// Finds the certificate that `--open` made in the folder of a private server; `None` if there is none. The error is a
/// sentence.
pub type FindCertificate = fn(&Path) -> Result<Option<Box<dyn Encrypts>>, String>;

static OFFERED: OnceLock<FindCertificate> = OnceLock::new();

/// Gives this program encryption, once.
pub fn offer(find: FindCertificate) {
    // A second one would be the same.
    let _ = OFFERED.set(find);
}

/// The encryption of this program.
pub fn offered() -> Option<FindCertificate> {
    OFFERED.get().copied()
}
