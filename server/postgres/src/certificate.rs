//! A certificate that signs itself, for a server that others know by its fingerprint: X.509 with an ECDSA key on P-256.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::error::Unspecified;
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};

/// Kinds of elements in DER.
const INTEGER: u8 = 0x02;
const BITS: u8 = 0x03;
const BYTES: u8 = 0x04;
const IDENTIFIER: u8 = 0x06;
const TEXT: u8 = 0x0c;
const SHORT_TIME: u8 = 0x17;
const TIME: u8 = 0x18;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const VERSION: u8 = 0xa0;
const EXTENSIONS: u8 = 0xa3;
const DNS_NAME: u8 = 0x82;

/// Object identifiers.
const ECDSA_WITH_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const PUBLIC_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
const P256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
const COMMON_NAME: &[u8] = &[0x55, 0x04, 0x03];
const OTHER_NAMES: &[u8] = &[0x55, 0x1d, 0x11];

/// A certificate and its key.
pub struct Certificate {
    pub der: Vec<u8>,
    key: Vec<u8>,
}

impl Certificate {
    /// Makes one for a server of this name. It is valid from 1975 to the end of 9999, which means for ever (RFC 5280):
    /// the fingerprint alone decides, also where a clock is wrong.
    pub fn new(name: &str) -> Result<Certificate, Unspecified> {
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random)?;
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, key.as_ref(), &random)?;
        let mut serial = [0; 16];
        random.fill(&mut serial)?;
        // Positive, and with no byte too many.
        serial[0] = serial[0] & 0x3f | 0x40;
        let signed = signed_part(name, &serial, pair.public_key().as_ref());
        let signature = pair.sign(&random, &signed)?;
        let der = sequence(&[&signed, &algorithm(), &bits(signature.as_ref())]);
        Ok(Certificate { der, key: key.as_ref().to_vec() })
    }

    pub fn pem(&self) -> String {
        pem("CERTIFICATE", &self.der)
    }

    pub fn key_pem(&self) -> String {
        pem("PRIVATE KEY", &self.key)
    }
}

/// All but the signature.
fn signed_part(name: &str, serial: &[u8], public_key: &[u8]) -> Vec<u8> {
    let common = sequence(&[&element(IDENTIFIER, COMMON_NAME), &element(TEXT, name.as_bytes())]);
    let who = sequence(&[&element(SET, &common)]);
    let names = sequence(&[&element(DNS_NAME, name.as_bytes())]);
    let names = sequence(&[&element(IDENTIFIER, OTHER_NAMES), &element(BYTES, &names)]);
    let kind = sequence(&[&element(IDENTIFIER, PUBLIC_KEY), &element(IDENTIFIER, P256)]);
    sequence(&[
        &element(VERSION, &element(INTEGER, &[2])),
        &element(INTEGER, serial),
        &algorithm(),
        &who,
        &sequence(&[&element(SHORT_TIME, b"750101000000Z"), &element(TIME, b"99991231235959Z")]),
        &who,
        &sequence(&[&kind, &bits(public_key)]),
        &element(EXTENSIONS, &sequence(&[&names])),
    ])
}

fn algorithm() -> Vec<u8> {
    sequence(&[&element(IDENTIFIER, ECDSA_WITH_SHA256)])
}

/// Whole bytes as bits: none of the last byte is unused.
fn bits(bytes: &[u8]) -> Vec<u8> {
    element(BITS, &[&[0], bytes].concat())
}

fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    element(SEQUENCE, &parts.concat())
}

/// An element of DER: kind, length, content.
pub fn element(kind: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len().to_be_bytes();
    let length = &length[length.iter().take_while(|byte| **byte == 0).count()..];
    let head = match length {
        [] => vec![kind, 0],
        [short @ ..=0x7f] => vec![kind, *short],
        long => [&[kind, 0x80 | long.len() as u8], long].concat(),
    };
    [&head, content].concat()
}

fn pem(kind: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines: Vec<&str> = (0..text.len()).step_by(64).map(|at| &text[at..text.len().min(at + 64)]).collect();
    format!("-----BEGIN {kind}-----\n{}\n-----END {kind}-----\n", lines.join("\n"))
}

#[cfg(test)]
mod tests;
