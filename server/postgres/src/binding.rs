//! The hash of a server's certificate that binds the proof of a password to an encrypted connection: RFC 5929,
//! tls-server-end-point.

use sha2::{Digest, Sha256, Sha384, Sha512};

/// The ways to sign a certificate: what their object identifiers begin with.
const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01];
const ECDSA: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03];

/// The hash, which is that of the certificate's signature; `None` if the signature has none of its own.
pub fn end_point(certificate: &[u8]) -> Option<Vec<u8>> {
    match signature_algorithm(certificate)?.split_last()? {
        // SHA-1 counts as SHA-256.
        (5 | 11, RSA) | (2, ECDSA) => Some(Sha256::digest(certificate).to_vec()),
        (12, RSA) | (3, ECDSA) => Some(Sha384::digest(certificate).to_vec()),
        (13, RSA) | (4, ECDSA) => Some(Sha512::digest(certificate).to_vec()),
        _ => None,
    }
}

/// The object identifier of a certificate's signature. A certificate is what was signed, the algorithm, and the
/// signature.
fn signature_algorithm(certificate: &[u8]) -> Option<&[u8]> {
    let (parts, _) = element(certificate)?;
    let (_, after_signed) = element(parts)?;
    let (algorithm, _) = element(after_signed)?;
    Some(element(algorithm)?.0)
}

/// The content of the first element of some DER, and the bytes that follow it.
fn element(der: &[u8]) -> Option<(&[u8], &[u8])> {
    let (first, rest) = der.get(1..)?.split_first()?;
    let (length, rest) = match first {
        ..=0x7f => (usize::from(*first), rest),
        0x81..=0x84 => {
            let (length, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (length.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)), rest)
        }
        _ => return None,
    };
    rest.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{self, Certificate};

    fn signed_by(algorithm: &[u8]) -> Vec<u8> {
        let sequence = |parts: &[Vec<u8>]| certificate::element(0x30, &parts.concat());
        let signed = sequence(&[vec![0; 300]]);
        sequence(&[signed, sequence(&[certificate::element(0x06, algorithm)]), vec![3, 1, 0]])
    }

    #[test]
    fn the_hash_is_that_of_the_signature() {
        for (begin, last, length) in [
            (RSA, 5, Some(32)),
            (RSA, 11, Some(32)),
            (RSA, 12, Some(48)),
            (RSA, 13, Some(64)),
            (RSA, 10, None),
            (ECDSA, 2, Some(32)),
            (ECDSA, 3, Some(48)),
            (ECDSA, 4, Some(64)),
            // Ed25519
            (&[0x2b, 0x65], 0x70, None),
        ] {
            let hash = end_point(&signed_by(&[begin, &[last]].concat()));
            assert_eq!(hash.map(|hash| hash.len()), length, "{begin:x?} {last}");
        }
        let own = Certificate::new("agon").unwrap().der;
        assert_eq!(end_point(&own), Some(Sha256::digest(&own).to_vec()));
    }

    #[test]
    fn what_is_cut_off_has_no_hash() {
        let own = Certificate::new("agon").unwrap().der;
        for length in 0..own.len() {
            assert_eq!(end_point(&own[..length]), None, "{length}");
        }
        assert_eq!(end_point(&[0x30, 0x80, 0, 0]), None);
        assert_eq!(end_point(&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff]), None);
    }
}
