//! An address of a record, taken apart; and the way there, encrypted where the address has the fingerprint of the
//! server's certificate. Whoever has that fingerprint needs no authority: the certificate is that very one, or it is
//! refused.

use postgres::config::SslMode;
use postgres::{Client, Config, Error, NoTls};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, SignatureScheme};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;

/// The part of an address that has the fingerprint: SHA-256 of the certificate, 64 hexadecimal digits.
pub const FINGERPRINT: &str = "fingerprint";
const HELP: &str = "help: write postgres://USER:PASSWORD@HOST/DATABASE";

/// How a record is reached.
#[derive(Clone)]
pub struct Address {
    /// What the database is asked with.
    pub config: Config,
    tls: Option<MakeRustlsConnect>,
    fingerprint: Option<String>,
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// It is none: a sentence.
    pub fn read(url: &str) -> Result<Address, String> {
        let (plain, fingerprint) = split(url);
        let mut config: Config =
            plain.parse().map_err(|error| format!("this is no address of a database: {error}; {HELP}"))?;
        let tls = fingerprint.as_deref().map(pinned).transpose()?;
        if tls.is_some() {
            config.ssl_mode(SslMode::Require);
        }
        Ok(Address { config, tls, fingerprint })
    }

    /// Another address of the same server, which has the fingerprint where this one has it.
    pub fn with_fingerprint(&self, url: String) -> String {
        let joint = if url.contains('?') { '&' } else { '?' };
        self.fingerprint.as_ref().map_or(url.clone(), |known| format!("{url}{joint}{FINGERPRINT}={known}"))
    }

    /// Connects.
    pub fn connect(&self) -> Result<Client, Error> {
        match &self.tls {
            Some(tls) => self.config.connect(tls.clone()),
            None => self.config.connect(NoTls),
        }
    }
}

/// The fingerprint of a certificate, as addresses have it.
pub fn fingerprint(certificate: &[u8]) -> String {
    Sha256::digest(certificate).iter().fold(String::new(), |mut text, byte| {
        // Writing to a text never fails.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Whether a connection failed because the server is not the one whose fingerprint the address has.
pub fn is_another_server(error: &Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let refused = CertificateError::ApplicationVerificationFailure;
        if error.to_string() == rustls::Error::InvalidCertificate(refused).to_string() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// An address without its fingerprint, and that.
fn split(url: &str) -> (String, Option<String>) {
    let Some((before, query)) = url.split_once('?') else { return (url.to_owned(), None) };
    let key = format!("{FINGERPRINT}=");
    let (own, rest): (Vec<&str>, Vec<&str>) = query.split('&').partition(|part| part.starts_with(&key));
    let plain = if rest.is_empty() { before.to_owned() } else { format!("{before}?{}", rest.join("&")) };
    (plain, own.last().map(|part| part[key.len()..].to_lowercase()))
}

fn pinned(text: &str) -> Result<MakeRustlsConnect, String> {
    if text.len() != 64 || !text.chars().all(|c| c.is_ascii_hexdigit()) {
        let help = "help: paste the whole line that agon ladder --open prints";
        return Err(format!("a fingerprint has 64 hexadecimal digits; {help}"));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = Pinned { fingerprint: text.to_owned(), provider: Arc::clone(&provider) };
    let config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(|error| error.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

/// Takes one certificate and no other.
#[derive(Debug)]
struct Pinned {
    fingerprint: String,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        match fingerprint(certificate) == self.fingerprint {
            true => Ok(ServerCertVerified::assertion()),
            false => Err(CertificateError::ApplicationVerificationFailure.into()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_taken_out_of_an_address() {
        let hex = "ab".repeat(32);
        for (url, plain) in [
            (format!("postgres://a:b@h/d?fingerprint={hex}"), "postgres://a:b@h/d"),
            (format!("postgres://a@h/d?x=1&fingerprint={hex}&y=2"), "postgres://a@h/d?x=1&y=2"),
        ] {
            assert_eq!(split(&url), (plain.to_owned(), Some(hex.clone())));
        }
        assert_eq!(split("postgres://h/d?x=1"), ("postgres://h/d?x=1".to_owned(), None));
        assert!(Address::read(&format!("postgres://h/d?fingerprint={hex}")).is_ok());
        let short = Address::read("postgres://h/d?fingerprint=abc").err().unwrap_or_default();
        assert!(short.contains("64 hexadecimal digits"), "{short}");
    }
}
