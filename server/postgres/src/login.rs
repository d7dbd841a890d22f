//! Judges a server's bytes before anything answers them: which proof of a password it may ask for, and how long its
//! messages may be, before and after the login.

use agon_record::exchange::LARGEST_FILE;
use std::fmt;

/// The part of an address with the accepted ways to log in, under libpq's name.
pub const REQUIRE_AUTH: &str = "require_auth";
/// The most bytes of a message before the login is done.
const LARGEST_BEFORE: u64 = 64 << 10;
/// The most bytes of a message after the login: a client's file is the largest that agon stores.
const LARGEST_AFTER: u64 = LARGEST_FILE as u64 + (64 << 20);
/// The kinds of messages to examine.
const AUTHENTICATION: u8 = b'R';
const READY: u8 = b'Z';
/// The bytes of a kind and a length, and with the request for a proof of the password.
const HEADER: usize = 5;
const REQUEST: usize = HEADER + 4;

/// Why a server's bytes are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginRefusal(String);

impl fmt::Display for LoginRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LoginRefusal {}

/// The accepted ways to log in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Methods {
    scram: bool,
    md5: bool,
    password: bool,
    none: bool,
}

impl Default for Methods {
    /// The default is SCRAM, which gives the password to nobody; a server that asks for nothing learns nothing.
    fn default() -> Methods {
        Methods { scram: true, md5: false, password: false, none: true }
    }
}

impl Methods {
    /// Reads the names of some ways, separated by commas.
    ///
    /// # Errors
    /// A name is unknown; the error is a sentence.
    pub fn read(text: &str) -> Result<Methods, String> {
        let mut methods = Methods { scram: false, md5: false, password: false, none: false };
        for name in text.split(',') {
            let method = match name {
                "scram-sha-256" => &mut methods.scram,
                "md5" => &mut methods.md5,
                "password" => &mut methods.password,
                "none" => &mut methods.none,
                _ => {
                    let known = "help: write some of scram-sha-256, md5, password and none, with commas between them";
                    return Err(format!("{REQUIRE_AUTH}={} is unknown; {known}", name.escape_default()));
                }
            };
            *method = true;
        }
        Ok(methods)
    }

    /// Whether the server may send this request.
    fn check(self, code: u32, has_asked: bool) -> Result<(), LoginRefusal> {
        let (is_accepted, what, name) = match code {
            0 => (has_asked || self.none, "logs everybody in without asking for a proof", "none"),
            3 => (self.password, "asks for the password in clear text", "password"),
            5 => (self.md5, "asks for the password as an MD5 hash", "md5"),
            10..=12 => (self.scram, "asks for the password by SCRAM", "scram-sha-256"),
            _ => (false, "asks for a login that agon does not know", "scram-sha-256"),
        };
        if is_accepted {
            return Ok(());
        }
        let help = "help: look at the address; let the server use scram-sha-256 (pg_hba.conf, password_encryption)";
        let way_out =
            format!("or, if you trust the server and the way there, add {REQUIRE_AUTH}={name} to the address");
        Err(LoginRefusal(format!("the server {what}, and nothing was sent; {help}, {way_out}")))
    }
}

/// Follows the messages of one server.
#[derive(Debug)]
pub struct Login {
    methods: Methods,
    /// The known bytes of the message that begins.
    header: [u8; REQUEST],
    filled: usize,
    /// The number of bytes of a message still to come.
    left: u64,
    has_asked: bool,
    is_done: bool,
}

impl Login {
    /// Begins before the first byte.
    pub fn new(methods: Methods) -> Login {
        Login { methods, header: [0; REQUEST], filled: 0, left: 0, has_asked: false, is_done: false }
    }

    /// Judges the next bytes.
    ///
    /// # Errors
    /// The bytes are refused; the error is a sentence.
    pub fn see(&mut self, mut bytes: &[u8]) -> Result<(), LoginRefusal> {
        while !bytes.is_empty() {
            let passed = bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
            self.left -= passed as u64;
            bytes = &bytes[passed..];
            if let (0, Some((next, rest))) = (self.left, bytes.split_first()) {
                self.header[self.filled] = *next;
                self.filled += 1;
                bytes = rest;
                if self.filled == self.needed() {
                    self.judge()?;
                }
            }
        }
        Ok(())
    }

    fn needed(&self) -> usize {
        if self.header[0] == AUTHENTICATION && !self.is_done { REQUEST } else { HEADER }
    }

    /// Judges the beginning of a message.
    fn judge(&mut self) -> Result<(), LoginRefusal> {
        let [kind, a, b, c, d, request @ ..] = self.header;
        let length = u64::from(u32::from_be_bytes([a, b, c, d]));
        let largest = if self.is_done { LARGEST_AFTER } else { LARGEST_BEFORE };
        let known = self.filled as u64 - 1;
        if length < known || length > largest {
            let help = "help: look at the address: something else than PostgreSQL may answer there";
            return Err(LoginRefusal(format!("the server announces a message of {length} bytes; {help}")));
        }
        if self.filled == REQUEST {
            let code = u32::from_be_bytes(request);
            self.methods.check(code, self.has_asked)?;
            self.has_asked = true;
        }
        self.is_done |= kind == READY;
        (self.left, self.filled) = (length - known, 0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: u8, body: &[u8]) -> Vec<u8> {
        let length = (body.len() as u32 + 4).to_be_bytes();
        [&[kind], &length[..], body].concat()
    }

    fn request(code: u32) -> Vec<u8> {
        message(b'R', &[&code.to_be_bytes()[..], b"salt"].concat())
    }

    /// Judges bytes in pieces of any size.
    fn seen(methods: Methods, bytes: &[u8]) -> Result<(), LoginRefusal> {
        let whole = Login::new(methods).see(bytes);
        for size in [1, 2, 7] {
            let mut login = Login::new(methods);
            assert_eq!(bytes.chunks(size).try_for_each(|piece| login.see(piece)), whole, "{size}");
        }
        whole
    }

    #[test]
    fn a_password_is_asked_for_by_scram_unless_the_address_says_otherwise() {
        let usual = Methods::default();
        for (code, name) in [(3, "password"), (5, "md5")] {
            let refused = seen(usual, &request(code)).unwrap_err().to_string();
            assert!(refused.contains(&format!("require_auth={name}")), "{refused}");
            assert_eq!(seen(Methods::read(name).unwrap(), &request(code)), Ok(()));
            assert!(seen(Methods::read(name).unwrap(), &request(10)).is_err());
        }
        // Earlier messages do not hide later ones.
        assert!(seen(usual, &[message(b'N', b"S\0\0"), request(3)].concat()).is_err());
        assert!(seen(usual, &[request(10), request(3)].concat()).is_err());
        assert!(seen(usual, &request(7)).is_err());
        assert_eq!(seen(usual, &[request(10), request(11), request(12), request(0)].concat()), Ok(()));
        assert!(seen(Methods::read("scram-sha-256").unwrap(), &request(0)).is_err(), "it asked for nothing");
        assert!(Methods::read("scram-sha-256,md5,password,none").is_ok());
        assert!(Methods::read("!md5").is_err() && Methods::read("").is_err());
    }

    #[test]
    fn a_message_has_a_bound_before_and_after_the_login() {
        let announced = |length: u32| [&b"E"[..], &length.to_be_bytes()].concat();
        for length in [0, 3, 65 << 10, 0x7fff_ffff, u32::MAX] {
            assert!(seen(Methods::default(), &announced(length)).is_err(), "{length}");
        }
        let short = message(b'R', &[0, 0]);
        assert!(seen(Methods::default(), &[short, vec![0; 9]].concat()).is_err());
        let begun = [request(0), message(b'S', b"a\0b\0"), message(READY, b"I")].concat();
        assert_eq!(seen(Methods::default(), &[begun.clone(), announced(256 << 20)].concat()), Ok(()));
        assert!(seen(Methods::default(), &[begun.clone(), announced(0x7fff_ffff)].concat()).is_err());
        // After the login a kind has another meaning, and is not judged as a request.
        assert_eq!(seen(Methods::default(), &[begun, message(b'R', &3_u32.to_be_bytes())].concat()), Ok(()));
    }
}
