//! Measures the cost of a move: one play through a sandboxed host, against a bare 64-byte round trip over pipes between
//! two processes, in one run. `taskset -c 0 cargo run --release -p agon-host --example ask [ROUNDS]`; needs `cc`.

use agon_abi::{Blob, Expected, HEAD, Kind, Request, SetupHead, TurnHead};
use agon_host::settings::Settings;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::time::Instant;

const CLIENT: &str = r#"
#include <agon/agon.h>
typedef struct { agon_setup head; } ask_setup;
typedef struct { agon_turn head; } ask_turn;
typedef struct { uint64_t number; } ask_move;
#define AGON_FIELDS_ask(F) F(ask_setup, head)
static const char *get_player_name(void) { return "ask"; }
static int initialize(const ask_setup *setup) { return setup == 0; }
static ask_move play(const ask_turn *turn) { ask_move mv = {turn->head.ply}; return mv; }
static void finalize(void) {}
AGON_CLIENT(ask)
"#;

fn main() {
    let rounds = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(50_000);
    if std::env::args().nth(1).as_deref() == Some("--echo") {
        return echo();
    }
    let folder = std::env::temp_dir().join(format!("agon-ask-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for a small client");
    let (code, file) = (folder.join("client.c"), folder.join("client.so"));
    std::fs::write(&code, CLIENT).expect("a source file");
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/../client-api/include");
    let status =
        Command::new("cc").args(["-O2", "-shared", "-fPIC", "-I", include, "-o"]).arg(&file).arg(&code).status();
    assert!(status.is_ok_and(|status| status.success()), "this needs a C compiler, `cc`");

    let own = std::env::current_exe().expect("own path");
    let mut bare = start(Command::new(&own).arg("--echo"));
    let host = own.ancestors().nth(2).expect("target directory").join("agon-host");
    let mut host = start(&mut Command::new(host));
    host.1.write_all(&Settings::of(&file).pack().expect("a short path")).expect("the settings");
    read(&mut host);
    let mut sequence = 0;
    let mut ask = |kind, blob: &Blob| {
        let mut bytes = Vec::new();
        sequence += 1;
        Request::write(sequence, kind, blob, &mut bytes);
        host.1.write_all(&bytes).expect("a request");
        read(&mut host);
    };
    let head = |bytes: usize| {
        let mut blob = Blob::new();
        blob.push_bytes(&vec![0; bytes]);
        blob
    };
    let sizes = [size_of::<SetupHead>() as u32, size_of::<TurnHead>() as u32, 8];
    ask(Kind::Open, &Expected { game: "ask".into(), sizes, fields: Vec::new() }.to_blob());
    ask(Kind::Initialize, &head(size_of::<SetupHead>()));
    let turn = head(size_of::<TurnHead>());
    let (mut bare_us, mut ask_us) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..5 {
        bare_us = bare_us.min(time(rounds, || {
            bare.1.write_all(&[1; HEAD]).expect("a message");
            read(&mut bare);
        }));
        ask_us = ask_us.min(time(rounds, || ask(Kind::Play, &turn)));
    }
    println!("bare round trip  {bare_us:6.2} us  1.00");
    println!("play in a host   {ask_us:6.2} us  {:.2}", ask_us / bare_us);
    let _ = std::fs::remove_dir_all(folder);
}

/// Microseconds a round.
fn time(rounds: u32, mut round: impl FnMut()) -> f64 {
    let began = Instant::now();
    (0..rounds).for_each(|_| round());
    began.elapsed().as_secs_f64() * 1e6 / f64::from(rounds)
}

/// The other side of the bare round trip.
fn echo() {
    // SAFETY: the parent has put pipes under both numbers, and nothing else owns them.
    let (mut requests, mut replies) = unsafe { (File::from_raw_fd(3), File::from_raw_fd(4)) };
    let mut bytes = [0; HEAD];
    while requests.read_exact(&mut bytes).is_ok() && replies.write_all(&bytes).is_ok() {}
}

/// A process with its pipes: replies and requests.
type Peer = (File, File, Child);

fn start(command: &mut Command) -> Peer {
    let [requests, replies, log] = [pipe(), pipe(), pipe()];
    let numbers = [(requests.0.as_raw_fd(), 3), (replies.1.as_raw_fd(), 4), (log.1.as_raw_fd(), 5)];
    let place = move || {
        for (end, number) in numbers {
            // SAFETY: dup2 touches no memory.
            if unsafe { libc::dup2(end, number) } < 0 {
                return Err(std::io::Error::last_os_error());
            }
        }
        Ok(())
    };
    // SAFETY: between fork and exec only dup2 is called.
    let child = unsafe { command.env_clear().pre_exec(place) }.spawn().expect("a process");
    std::mem::forget(log.0); // nobody reads the log, and its end must stay open
    (replies.0.into(), requests.1.into(), child)
}

fn read(peer: &mut Peer) {
    peer.0.read_exact(&mut [0; HEAD]).expect("a reply");
}

/// A pipe with its ends above 9, where no number of the child's is overwritten.
fn pipe() -> (OwnedFd, OwnedFd) {
    let mut ends = [0; 2];
    // SAFETY: the pointer is that of two live numbers.
    assert_eq!(unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) }, 0);
    let own = ends.map(|end| {
        // SAFETY: each descriptor is new and owned once.
        unsafe {
            let high = OwnedFd::from_raw_fd(libc::fcntl(end, libc::F_DUPFD_CLOEXEC, 10));
            libc::close(end);
            high
        }
    });
    let [input, output] = own;
    (input, output)
}
