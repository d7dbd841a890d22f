//! The line of a worker that comes over HTTPS: `https://HOST:PORT/PATH?fingerprint=HEX#NAME:SECRET`. The key is in the
//! part that is never sent as an address.

use crate::address::FINGERPRINT;
use agon_record::over_http::{InvitationKey, WORKER_PATH};
use hyper::http::Error;
use hyper::{Method, Request, Uri, header};
use rustls::pki_types::ServerName;
use std::fmt::Display;
use std::net::IpAddr;

const HELP: &str = "help: paste the whole line: https://HOST/worker#NAME:SECRET";

/// The address of an exchange behind pages.
pub struct WebAddress {
    pub host: String,
    pub port: u16,
    path: String,
    pub is_encrypted: bool,
    pub fingerprint: Option<String>,
    key: InvitationKey,
}

impl WebAddress {
    /// Reads a line.
    ///
    /// # Errors
    /// It is not one, or would send the key unencrypted over a network; the error is a sentence without the key.
    pub fn read(text: &str) -> Result<WebAddress, String> {
        let (place, key) = text.split_once('#').ok_or_else(|| format!("this line has no key after #; {HELP}"))?;
        let key = InvitationKey::read(key).ok_or_else(|| format!("the key after # is not one; {HELP}"))?;
        let uri: Uri = place.parse().map_err(|error| format!("this is not an address: {error}; {HELP}"))?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(format!("this is not an address; {HELP}"));
        };
        let is_encrypted = scheme == "https";
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        if host.is_empty() || authority.as_str().contains('@') {
            return Err(format!("this address names no machine; {HELP}"));
        }
        let is_here = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        if !is_encrypted && !is_here {
            return Err("http:// would show the key to everybody on the way; help: use https://".to_owned());
        }
        let port = authority.port_u16().unwrap_or(if is_encrypted { 443 } else { 80 });
        let path = if uri.path() == "/" { WORKER_PATH } else { uri.path() }.to_owned();
        let fingerprint = match uri.query().map(|query| query.split_once('=')) {
            None => None,
            Some(Some((FINGERPRINT, value))) => Some(value.to_lowercase()),
            Some(_) => return Err(format!("what follows ? is not a fingerprint; {HELP}")),
        };
        if fingerprint.is_some() && !is_encrypted {
            return Err("a fingerprint needs https://, and this line has http://".to_owned());
        }
        Ok(WebAddress { host, port, path, is_encrypted, fingerprint, key })
    }

    /// A request to the exchange.
    pub fn post<B>(&self, body: B, name: &str, value: impl Display) -> Result<Request<B>, Error> {
        Request::builder()
            .method(Method::POST)
            .uri(&self.path)
            .header(header::HOST, self.host_and_port())
            .header(header::AUTHORIZATION, format!("Bearer {}", self.key))
            .header(header::CONTENT_TYPE, "application/json")
            .header(name, value.to_string())
            .body(body)
    }

    /// The server, as requests name it.
    pub fn host_and_port(&self) -> String {
        let host = if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        let usual = if self.is_encrypted { 443 } else { 80 };
        if self.port == usual { host } else { format!("{host}:{}", self.port) }
    }

    /// The name that the server's certificate must have.
    ///
    /// # Errors
    /// It is not a name; the error is a sentence.
    pub fn server_name(&self) -> Result<ServerName<'static>, String> {
        ServerName::try_from(self.host.clone()).map_err(|_| format!("this address names no machine; {HELP}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_and_its_key_is_never_part_of_an_error() {
        let read = WebAddress::read("https://course.example.org/#lab:5ecret").unwrap();
        assert_eq!((&*read.host_and_port(), &*read.path, read.port), ("course.example.org", "/worker", 443));
        let request = read.post((), "agon-protocol", 3).unwrap();
        assert_eq!(request.uri(), "/worker");
        assert_eq!(request.headers()["authorization"], "Bearer lab:5ecret");
        let read = WebAddress::read("https://[2001:db8::1]:8443/agon/worker?fingerprint=AB#lab:5ecret").unwrap();
        assert_eq!((&*read.host_and_port(), &*read.path), ("[2001:db8::1]:8443", "/agon/worker"));
        assert_eq!(read.fingerprint.as_deref(), Some("ab"));
        assert!(WebAddress::read("http://127.0.0.1:7420/worker#lab:5ecret").is_ok());
        for odd in [
            "https://h/worker",
            "https://h/worker#5ecret",
            "https://u:5ecret@h/worker#lab:5ecret",
            "https://h/worker?x=5ecret#lab:5ecret",
            "http://h/worker#lab:5ecret",
            "https:///worker#lab:5ecret",
        ] {
            let why = WebAddress::read(odd).err().unwrap();
            assert!(why.contains("help: ") && !why.contains("5ecret"), "{odd}: {why}");
        }
    }
}
