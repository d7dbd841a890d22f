//! The pages of `agon-machines` are encrypted with the certificates of private servers.

use agon_live::encryption::{Accepting, Connection, Encrypts};
use agon_postgres::Certified;
use std::path::Path;
use tokio::net::TcpStream;

/// The certificate of the private server in this folder.
pub fn of_server(folder: &Path) -> Result<Option<Box<dyn Encrypts>>, String> {
    Ok(Certified::of_server(folder)?.map(|found| Box::new(Shown(found)) as Box<dyn Encrypts>))
}

/// A certificate that pages show.
struct Shown(Certified);

impl Encrypts for Shown {
    fn accept(&self, stream: TcpStream) -> Accepting {
        let accepting = self.0.accept(stream);
        Box::pin(async move { Ok(Box::new(accepting.await?) as Box<dyn Connection>) })
    }

    fn fingerprint(&self) -> &str {
        self.0.fingerprint()
    }
}
