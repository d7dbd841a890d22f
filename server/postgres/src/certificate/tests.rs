//! Others read the certificate and believe it: rustls and OpenSSL.

use super::*;
use rustls::RootCertStore;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

fn name() -> ServerName<'static> {
    ServerName::try_from("agon").unwrap()
}

#[test]
fn who_has_the_certificate_as_an_authority_believes_it() {
    let der = CertificateDer::from(Certificate::new("agon").unwrap().der);
    let mut authorities = RootCertStore::empty();
    authorities.add(der.clone()).unwrap();
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(authorities), Arc::new(default_provider()));
    let verifier = verifier.build().unwrap();
    for years in [0, 50, 200] {
        let then = UnixTime::now().as_secs() + years * 31_556_952;
        let then = UnixTime::since_unix_epoch(Duration::from_secs(then));
        assert!(verifier.verify_server_cert(&der, &[], &name(), &[], then).is_ok(), "in {years} years");
    }
    let another = ServerName::try_from("other").unwrap();
    assert!(verifier.verify_server_cert(&der, &[], &another, &[], UnixTime::now()).is_err());
}

#[test]
fn openssl_reads_and_believes_it() {
    if !agon_skips::has_command("openssl", &["openssl", "version"]) {
        return;
    }
    let (made, folder) = (Certificate::new("agon").unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("crt"), made.pem()).unwrap();
    std::fs::write(folder.path().join("key"), made.key_pem()).unwrap();
    let openssl = |words: &str| {
        let ran = Command::new("openssl").args(words.split(' ')).current_dir(folder.path()).output().unwrap();
        assert!(ran.status.success(), "{words}: {ran:?}");
        String::from_utf8(ran.stdout).unwrap()
    };
    let text = openssl("x509 -in crt -text -noout");
    for part in ["Version: 3", "ecdsa-with-SHA256", "DNS:agon", "Jan  1 00:00:00 1975", "Dec 31 23:59:59 9999"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(openssl("verify -x509_strict -CAfile crt crt"), "crt: OK\n");
    assert_eq!(openssl("x509 -in crt -pubkey -noout"), openssl("pkey -in key -pubout"));
}

#[test]
fn a_long_element_has_a_long_length() {
    assert_eq!(element(BYTES, &[]), [4, 0]);
    assert_eq!(element(BYTES, &[7; 127])[..3], [4, 127, 7]);
    assert_eq!(element(BYTES, &[7; 128])[..4], [4, 0x81, 128, 7]);
    assert_eq!(element(BYTES, &[7; 256])[..5], [4, 0x82, 1, 0, 7]);
}
