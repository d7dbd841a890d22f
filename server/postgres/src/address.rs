//! Reads the address of a record, and makes the connection, encrypted if the address has the fingerprint of the
//! server's certificate. A user with that fingerprint needs no authority: the certificate must match it exactly, or it
//! is refused.

use crate::guarded::Guard;
use crate::login::{LoginRefusal, Methods, REQUIRE_AUTH};
use postgres::config::{Host, SslMode, SslNegotiation};
use postgres::{Client, Config, Error, NoTls};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, SignatureScheme};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

/// The part of an address with the fingerprint: SHA-256 of the certificate, 64 hexadecimal digits.
pub const FINGERPRINT: &str = "fingerprint";
const HELP: &str = "help: write postgres://USER:PASSWORD@HOST/DATABASE";
/// The message about a server that is not the intended one.
const ANOTHER_SERVER: &str = "another server answers there: its certificate does not have the fingerprint of the \
    address; help: paste the line that agon ladder --open prints now";

/// A silent peer is probed after 5 s and given up 6 s later, so that a standby takes over within 15 s of a power cut.
/// The system would wait for two hours.
const KEEPALIVE: (Duration, Duration, u32) = (Duration::from_secs(5), Duration::from_secs(2), 3);
/// How long sent bytes may stay unacknowledged.
const UNACKNOWLEDGED: Duration = Duration::from_secs(10);

/// The address of a record.
#[derive(Clone)]
pub struct Address {
    /// The settings of the connection.
    pub config: Config,
    way: Way,
    methods: Methods,
    fingerprint: Option<String>,
}

/// The kind of connection between this machine and the server.
#[derive(Clone)]
enum Way {
    /// A socket of this machine.
    Socket,
    Plain,
    Encrypted(Arc<ClientConfig>),
}

impl Address {
    /// Reads the address of a record.
    ///
    /// # Errors
    /// The text is not an address; the error is a sentence.
    pub fn read(url: &str) -> Result<Address, String> {
        let Parts { plain, fingerprint, methods } = split(url);
        let mut config: Config =
            plain.parse().map_err(|error| format!("this is not an address of a database: {error}; {HELP}"))?;
        let methods = methods.as_deref().map(Methods::read).transpose()?.unwrap_or_default();
        let way = match &fingerprint {
            Some(known) => {
                config.ssl_mode(SslMode::Require).ssl_negotiation(SslNegotiation::Postgres);
                Way::Encrypted(Arc::new(pinned_client(known)?))
            }
            None => unencrypted(&mut config)?,
        };
        let (idle, interval, retries) = KEEPALIVE;
        config.keepalives(true).keepalives_idle(idle).keepalives_interval(interval).keepalives_retries(retries);
        config.tcp_user_timeout(UNACKNOWLEDGED);
        Ok(Address { config, way, methods, fingerprint })
    }

    /// Adds a session's requests to the server: its own settings, and to notice soon when this machine is lost.
    pub fn ask(&mut self, settings: &str) {
        let (idle, interval, retries) = KEEPALIVE;
        let options = format!(
            "{} -c tcp_keepalives_idle={} -c tcp_keepalives_interval={} -c tcp_keepalives_count={retries} \
             -c tcp_user_timeout={} {settings}",
            self.config.get_options().unwrap_or_default(),
            idle.as_secs(),
            interval.as_secs(),
            UNACKNOWLEDGED.as_millis(),
        );
        self.config.options(&options);
    }

    /// Another address of the same server, with the fingerprint if this one has it.
    pub fn with_fingerprint(&self, url: String) -> String {
        let joint = if url.contains('?') { '&' } else { '?' };
        self.fingerprint.as_ref().map_or(url.clone(), |known| format!("{url}{joint}{FINGERPRINT}={known}"))
    }

    pub fn connect(&self) -> Result<Client, Error> {
        let guard = |tls| Guard { tls, methods: self.methods };
        match &self.way {
            Way::Socket => self.config.connect(NoTls),
            Way::Plain => self.config.connect(guard(None)),
            Way::Encrypted(tls) => self.config.connect(guard(Some(Arc::clone(tls)))),
        }
    }
}

/// Makes a connection to a server whose address has no fingerprint.
fn unencrypted(config: &mut Config) -> Result<Way, String> {
    if config.get_ssl_mode() == SslMode::Require {
        let help = "help: add ?fingerprint=HEX, the SHA-256 of the server's certificate, or leave sslmode out";
        return Err(format!("sslmode=require does not say which server is meant; {help}"));
    }
    let is_socket = |host: &Host| matches!(host, Host::Unix(_));
    if config.get_hosts().iter().any(is_socket) {
        let help = "help: name the machine or the folder of the socket, and not both";
        let is_clear = config.get_hosts().iter().all(is_socket) && config.get_hostaddrs().is_empty();
        return if is_clear { Ok(Way::Socket) } else { Err(format!("this address names two kinds of places; {help}")) };
    }
    if config.get_hosts().is_empty() {
        for address in config.get_hostaddrs().to_vec() {
            config.host(&address.to_string());
        }
    }
    // The guard takes the place of encryption, without asking the server whether it supports any.
    config.ssl_mode(SslMode::Require).ssl_negotiation(SslNegotiation::Direct);
    Ok(Way::Plain)
}

/// The fingerprint of a certificate, in the form for addresses.
pub fn fingerprint(certificate: &[u8]) -> String {
    Sha256::digest(certificate).iter().fold(String::new(), |mut text, byte| {
        // Writing to a text never fails.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Why this side refused to continue with the server; `None` if it did not.
pub fn refusal(error: &Error) -> Option<String> {
    refusal_among(std::error::Error::source(error))
}

/// The same of an encrypted connection that was not made.
pub fn refusal_of(error: &std::io::Error) -> Option<String> {
    refusal_among(error.get_ref().map(|inner| inner as &(dyn std::error::Error + 'static)))
}

fn refusal_among(mut cause: Option<&(dyn std::error::Error + 'static)>) -> Option<String> {
    while let Some(error) = cause {
        let inner = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        if let Some(refusal) = inner.and_then(|inner| inner.downcast_ref::<LoginRefusal>()) {
            return Some(refusal.to_string());
        }
        let refused = CertificateError::ApplicationVerificationFailure;
        if error.to_string() == rustls::Error::InvalidCertificate(refused).to_string() {
            return Some(ANOTHER_SERVER.to_owned());
        }
        cause = error.source();
    }
    None
}

/// An address without agon's own parts, and those parts.
#[derive(Debug, PartialEq)]
struct Parts {
    plain: String,
    fingerprint: Option<String>,
    methods: Option<String>,
}

fn split(url: &str) -> Parts {
    let Some((before, query)) = url.split_once('?') else {
        return Parts { plain: url.to_owned(), fingerprint: None, methods: None };
    };
    let (mut fingerprint, mut methods, mut rest) = (None, None, Vec::new());
    for part in query.split('&') {
        match part.split_once('=') {
            Some((FINGERPRINT, value)) => fingerprint = Some(value.to_lowercase()),
            Some((REQUIRE_AUTH, value)) => methods = Some(value.replace("%2C", ",").replace("%2c", ",")),
            _ => rest.push(part),
        }
    }
    let plain = if rest.is_empty() { before.to_owned() } else { format!("{before}?{}", rest.join("&")) };
    Parts { plain, fingerprint, methods }
}

/// How a client judges a server whose certificate has this fingerprint.
///
/// # Errors
/// The text is not a fingerprint; the error is a sentence.
pub fn pinned_client(text: &str) -> Result<ClientConfig, String> {
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
    Ok(config)
}

/// Accepts one certificate and no other.
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
        if fingerprint(certificate) == self.fingerprint {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(CertificateError::ApplicationVerificationFailure.into())
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

/// The cause of an error, to follow its text: without the address of a library's page, which helps nobody here.
pub fn cause_of(error: &dyn std::error::Error) -> String {
    let cause = error.source().map_or(String::new(), |cause| format!(": {cause}"));
    cause.split(": https://docs.rs/").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::Certificate;
    use rustls::crypto::ring::default_provider;
    use rustls::pki_types::PrivateKeyDer;
    use rustls::pki_types::pem::PemObject;
    use rustls::{ClientConnection, ServerConfig, ServerConnection};

    fn server(made: &Certificate) -> ServerConnection {
        let chain = vec![CertificateDer::from_pem_slice(made.pem().as_bytes()).unwrap()];
        let key = PrivateKeyDer::from_pem_slice(made.key_pem().as_bytes()).unwrap();
        let builder = ServerConfig::builder_with_provider(Arc::new(default_provider()));
        let config = builder.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        ServerConnection::new(Arc::new(config.with_single_cert(chain, key).unwrap())).unwrap()
    }

    /// Passes bytes between both until they are connected.
    fn connect(client: &mut ClientConnection, server: &mut ServerConnection) -> Result<(), rustls::Error> {
        while client.is_handshaking() || server.is_handshaking() {
            let (mut up, mut down) = (Vec::new(), Vec::new());
            client.write_tls(&mut up).unwrap();
            server.read_tls(&mut &up[..]).unwrap();
            server.process_new_packets()?;
            server.write_tls(&mut down).unwrap();
            client.read_tls(&mut &down[..]).unwrap();
            client.process_new_packets()?;
        }
        Ok(())
    }

    /// An error with a cause.
    #[derive(Debug)]
    struct Broken(std::io::Error);

    impl std::fmt::Display for Broken {
        fn fmt(&self, text: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            text.write_str("the connection broke")
        }
    }

    impl std::error::Error for Broken {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn a_connection_that_ends_is_told_without_a_page_of_a_library() {
        let made = Certificate::new("agon").unwrap();
        let config = pinned_client(&fingerprint(&made.der)).unwrap();
        let mut client = ClientConnection::new(Arc::new(config), ServerName::try_from("agon").unwrap()).unwrap();
        connect(&mut client, &mut server(&made)).unwrap();
        client.read_tls(&mut &[][..]).unwrap();
        let error = std::io::Read::read(&mut client.reader(), &mut [0]).unwrap_err();
        assert!(error.to_string().contains("https://"), "{error}");
        assert_eq!(cause_of(&Broken(error)), ": peer closed connection without sending TLS close_notify");
    }

    #[test]
    fn who_knows_the_fingerprint_connects() {
        let (made, other) = (Certificate::new("agon").unwrap(), Certificate::new("agon").unwrap());
        assert_ne!(made.der, other.der);
        for (known, is_believed) in [(&made, true), (&other, false)] {
            let config = pinned_client(&fingerprint(&known.der)).unwrap();
            let mut client = ClientConnection::new(Arc::new(config), ServerName::try_from("agon").unwrap()).unwrap();
            assert_eq!(connect(&mut client, &mut server(&made)).is_ok(), is_believed);
        }
    }

    #[test]
    fn a_fingerprint_is_taken_out_of_an_address() {
        let hex = "ab".repeat(32);
        for (url, plain) in [
            (format!("postgres://a:b@h/d?fingerprint={hex}"), "postgres://a:b@h/d"),
            (format!("postgres://a@h/d?x=1&fingerprint={hex}&y=2"), "postgres://a@h/d?x=1&y=2"),
        ] {
            let parts = split(&url);
            assert_eq!((&*parts.plain, parts.fingerprint), (plain, Some(hex.clone())));
        }
        let parts = split("postgres://h/d?x=1&require_auth=md5%2Cnone");
        assert_eq!(
            (&*parts.plain, parts.fingerprint, parts.methods.as_deref()),
            ("postgres://h/d?x=1", None, Some("md5,none"))
        );
        assert!(Address::read(&format!("postgres://h/d?fingerprint={hex}")).is_ok());
        let short = Address::read("postgres://h/d?fingerprint=abc").err().unwrap_or_default();
        assert!(short.contains("64 hexadecimal digits"), "{short}");
        for (odd, why) in [
            ("postgres://h/d?sslmode=require", "sslmode=require does not say"),
            ("postgres://h,%2ftmp/d", "two kinds of places"),
            ("postgres://h/d?require_auth=gss", "require_auth=gss is unknown"),
        ] {
            let told = Address::read(odd).err().unwrap_or_default();
            assert!(told.contains(why), "{odd}: {told}");
        }
    }
}
