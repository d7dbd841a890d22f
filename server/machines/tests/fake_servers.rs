//! Servers that only pretend to be PostgreSQL: they learn no password and take no memory.

use crate::builder::{Arena, finish_within};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const PASSWORD: &str = "neverintheclear";
/// How long a command may take that is refused.
const SOON: Duration = Duration::from_secs(20);

/// A server that answers the first message of each client with these bytes, and the bytes that clients send after it.
fn fake(answer: Vec<u8>) -> (u16, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (send, heard) = channel();
    let serve = move |mut client: TcpStream| {
        client.set_read_timeout(Some(SOON / 4)).unwrap();
        let mut length = [0; 4];
        client.read_exact(&mut length).unwrap();
        let mut startup = vec![0; u32::from_be_bytes(length) as usize - 4];
        client.read_exact(&mut startup).unwrap();
        // A client that refuses may be gone by now.
        let _ = client.write_all(&answer);
        let mut rest = Vec::new();
        // What came before the patience ended is there.
        let _ = client.read_to_end(&mut rest);
        send.send(rest).unwrap();
    };
    std::thread::spawn(move || listener.incoming().for_each(|client| serve(client.unwrap())));
    (port, heard)
}

fn message(kind: u8, announced: u32, body: &[u8]) -> Vec<u8> {
    [&[kind], &announced.to_be_bytes()[..], body].concat()
}

fn asks_for(code: u32) -> Vec<u8> {
    let salt: &[u8] = if code == 5 { b"salt" } else { b"" };
    let body = [&code.to_be_bytes(), salt].concat();
    message(b'R', 4 + body.len() as u32, &body)
}

/// What a reader and a worker say of such a server, and all that it heard after their first message.
fn tried(answer: &[u8], more: &str) -> [(String, Vec<u8>); 2] {
    let arena = Arena::new();
    let (port, heard) = fake(answer.to_vec());
    let url = format!("postgres://me:{PASSWORD}@127.0.0.1:{port}/agon{more}");
    [
        vec!["standings", "--record", &url],
        vec!["worker", "run", &url, "--jobs", "1", "--cache", "cache", "--speed", "1"],
    ]
    .map(|words| {
        let ran = finish_within(arena.start(words), SOON);
        assert!(ran.status.is_some_and(|status| status != 0), "{}", ran.stderr);
        assert!(!ran.stderr.contains(PASSWORD), "{}", ran.stderr);
        (ran.stderr, heard.recv_timeout(SOON).unwrap())
    })
}

#[test]
fn a_server_that_asks_for_the_password_itself_gets_nothing() {
    for (code, name, sentence) in [(3, "password", "in clear text"), (5, "md5", "as an MD5 hash")] {
        for (said, heard) in tried(&asks_for(code), "") {
            assert!(heard.is_empty(), "{}", String::from_utf8_lossy(&heard));
            assert!(said.contains(sentence) && said.contains(&format!("require_auth={name}")), "{said}");
        }
    }
    // What comes before does not hide it.
    let hidden = [message(b'N', 7, b"SX\0"), asks_for(3)].concat();
    tried(&hidden, "").iter().for_each(|(_, heard)| assert!(heard.is_empty()));
    for (said, heard) in tried(&asks_for(0), "?require_auth=scram-sha-256") {
        assert!(heard.is_empty() && said.contains("without asking for a proof"), "{said}");
    }
}

#[test]
fn a_user_who_trusts_a_server_may_give_it_the_password() {
    let arena = Arena::new();
    let (port, heard) = fake(asks_for(3));
    let url = format!("postgres://me:{PASSWORD}@127.0.0.1:{port}/agon?require_auth=password");
    let mut reader = arena.start(["standings", "--record", &url]);
    // The server never answers: its patience ends first.
    let heard = heard.recv_timeout(2 * SOON).unwrap();
    reader.kill().unwrap();
    reader.wait().unwrap();
    assert!(String::from_utf8_lossy(&heard).contains(PASSWORD));
}

#[test]
fn a_message_without_end_is_not_read() {
    for kind in *b"RENS" {
        let answer = message(kind, 0x7fff_ffff, &vec![0; 64 << 20]);
        for (said, heard) in tried(&answer, "") {
            assert!(heard.is_empty() && said.contains("announces a message of 2147483647 bytes"), "{said}");
        }
    }
}
