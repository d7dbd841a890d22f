//! Encryption of HTTP: this machine's certificate for a server, and which servers a worker believes. With a fingerprint
//! a worker accepts that one certificate, else those that the system's authorities vouch for.

use crate::address::{pinned_client, refusal_of};
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::{Accept, TlsAcceptor};

/// The files with the system's authorities, by the habits of distributions. `SSL_CERT_FILE` names another.
const AUTHORITIES: [&str; 4] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// A certificate with its key, ready to be shown.
pub struct Certified {
    acceptor: TlsAcceptor,
    fingerprint: String,
}

impl Certified {
    /// The certificate that `--open` made in the folder of a private server; `None` if there is none.
    ///
    /// # Errors
    /// It cannot be read; the error is a sentence.
    pub fn of_server(folder: &Path) -> Result<Option<Certified>, String> {
        let mark = folder.join("fingerprint");
        let Ok(fingerprint) = std::fs::read_to_string(&mark) else { return Ok(None) };
        let config = server(folder).map_err(|error| format!("the certificate in {}: {error}", folder.display()))?;
        Ok(Some(Certified { acceptor: TlsAcceptor::from(Arc::new(config)), fingerprint }))
    }

    /// Makes an encrypted connection of one that has begun.
    pub fn accept(&self, stream: TcpStream) -> Accept<TcpStream> {
        self.acceptor.accept(stream)
    }

    /// SHA-256 of the certificate, 64 hexadecimal digits.
    pub fn fingerprint(&self) -> &str {
        self.fingerprint.trim()
    }
}

fn server(folder: &Path) -> Result<ServerConfig, String> {
    let chain = CertificateDer::pem_file_iter(folder.join("server.crt")).map_err(|error| error.to_string())?;
    let chain = chain.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    let key = PrivateKeyDer::from_pem_file(folder.join("server.key")).map_err(|error| error.to_string())?;
    ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
        .map_err(|error| error.to_string())
}

/// Why a worker does not believe a server's certificate; `None` if something else is wrong.
pub fn disbelief(error: &std::io::Error) -> Option<String> {
    if let Some(why) = refusal_of(error) {
        return Some(why);
    }
    let inner = error.get_ref()?.downcast_ref::<rustls::Error>()?;
    let help = "help: paste the whole line, with its fingerprint if it has one, or install ca-certificates";
    let is_disbelief = matches!(inner, rustls::Error::InvalidCertificate(_));
    is_disbelief.then(|| format!("the certificate of the server is not believed: {inner}; {help}"))
}

/// How a worker judges a server: by the fingerprint, or by the system's authorities.
///
/// # Errors
/// The text is not a fingerprint, or this machine has no authorities; the error is a sentence.
pub fn client(fingerprint: Option<&str>) -> Result<ClientConfig, String> {
    if let Some(known) = fingerprint {
        return pinned_client(known);
    }
    let named = std::env::var_os("SSL_CERT_FILE").map(PathBuf::from);
    let file = named.or_else(|| AUTHORITIES.iter().map(PathBuf::from).find(|file| file.is_file()));
    let help = "help: install ca-certificates, or name their file in SSL_CERT_FILE";
    let file = file.ok_or_else(|| format!("this machine has no list of authorities for https; {help}"))?;
    let listed =
        CertificateDer::pem_file_iter(&file).map_err(|error| format!("{}: {error}; {help}", file.display()))?;
    let mut authorities = RootCertStore::empty();
    authorities.add_parsable_certificates(listed.filter_map(Result::ok));
    if authorities.is_empty() {
        return Err(format!("{} names no authority; {help}", file.display()));
    }
    let builder =
        ClientConfig::builder_with_provider(Arc::new(default_provider())).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| error.to_string())?;
    Ok(builder.with_root_certificates(authorities).with_no_client_auth())
}
