//! Builds a tiny client from its C source, starts a host as the server does, or has it forked, and talks to it.

mod processes;

use agon_abi::{
    Blob, Expected, HEAD, Layer, Layers, Layout, NameFlaw, OpenStatus, Reply, Request, RequestKind, SetupHead, TurnHead,
};
use agon_host::fork_server::ForkRequest;
use agon_host::settings::HostSettings;
use processes::{ForkServer, Process, high, pipe, spawn};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

agon_abi::pod! {
    /// The setup of the test game.
    pub struct EchoSetup = "echo_setup" {
        /// Head.
        pub head: SetupHead,
        /// How many values.
        pub count: u64,
        /// The values.
        pub values: agon_abi::Pointer<u64>,
    }
}
agon_abi::pod! {
    /// The turn of the test game.
    pub struct EchoTurn = "echo_turn" {
        /// Head.
        pub head: TurnHead,
        /// To be echoed.
        pub number: u64,
        /// Some text.
        pub text: agon_abi::Pointer<u8>,
    }
}
agon_abi::pod! {
    /// The move of the test game.
    pub struct EchoMove = "echo_move" {
        /// The turn's number.
        pub number: u64,
    }
}

/// A host's expectations of a client of the test game; the heads are left out, because the fixture has no table of
/// them.
pub fn expected() -> Expected {
    let mut expected = Expected::new("echo", EchoSetup::SHAPE, EchoTurn::SHAPE, EchoMove::SHAPE);
    expected.fields.retain(|field| field.0.starts_with("echo"));
    expected
}

/// A setup with the numbers 10, 20, 30.
pub fn setup() -> Blob {
    let mut blob = Blob::new();
    let head = SetupHead { size: size_of::<EchoSetup>() as u32, abi: 1, seats: 2, ..agon_abi::Pod::zeroed() };
    blob.push(&EchoSetup { head, count: 3, values: agon_abi::Pointer::NULL });
    let values = blob.push_slice(&[10u64, 20, 30]);
    blob.link(std::mem::offset_of!(EchoSetup, values), values);
    let options = blob.push_text("depth = 3\n");
    blob.link(std::mem::offset_of!(SetupHead, options), options);
    blob
}

/// A turn with this number.
pub fn turn(number: u64) -> Blob {
    let mut blob = Blob::new();
    blob.push(&EchoTurn { head: agon_abi::Pod::zeroed(), number, text: agon_abi::Pointer::NULL });
    let text = blob.push_text("hello");
    blob.link(std::mem::offset_of!(EchoTurn, text), text);
    blob
}

/// Whether there is a C compiler; without one the test that asks is skipped.
pub fn has_compiler() -> bool {
    agon_skips::has_program("cc")
}

/// Whether this kernel lacks a layer; says loudly when a test is skipped for that.
pub fn lacks(layer: Layer) -> bool {
    let lacks = !Host::start(&build(&[]), &[]).layers.has(layer);
    if lacks {
        agon_skips::skip_here(&format!("this kernel lacks {}", layer.name()));
    }
    lacks
}

/// A directory of its own, which every user may read.
pub fn folder() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let folder = format!("agon-host-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Relaxed));
    let folder = std::env::temp_dir().join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A client built from `echo.c` with these macros.
pub struct Built(pub PathBuf);

impl Drop for Built {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.0.parent().unwrap());
    }
}

/// Builds `echo.c` with macros such as `PLAY=fork()`.
pub fn build(macros: &[&str]) -> Built {
    build_with(macros, &["-shared"])
}

/// Builds `echo.c` with macros and these options of the compiler.
pub fn build_with(macros: &[&str], options: &[&str]) -> Built {
    let file = folder().join("client.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/echo.c");
    let mut cc = Command::new("cc");
    cc.args(["-O1", "-w", "-fPIC", "-o"]).arg(&file).args(options).arg(source);
    cc.args(macros.iter().map(|text| format!("-D{text}"))).args(["-lpthread", "-lm"]);
    assert!(cc.status().unwrap().success(), "{macros:?}");
    Built(file)
}

/// A running host.
pub struct Host {
    process: Process,
    stdout: File,
    stderr: File,
    requests: Option<File>,
    replies: File,
    log: File,
    sequence: u32,
    pub layers: Layers,
}

/// The settings of a client, by words for a test: `--without LAYER`, `--sandbox off`, `--memory BYTES`, `--strict`.
pub fn settings(client: &Built, options: &[&str]) -> HostSettings {
    let mut settings = HostSettings { required: Layers::NONE, ..HostSettings::of(&client.0) };
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let mut value = || *words.next().unwrap();
        match *word {
            "--strict" => settings.required = Layers::ALL,
            "--sandbox" => (settings.layers, _) = (Layers::NONE, value()),
            "--memory" => settings.memory = Some(value().parse().unwrap()),
            "--without" => {
                let name = value();
                let layer = Layer::ALL.into_iter().find(|layer| layer.name() == name).unwrap();
                settings.layers = settings.layers.without(layer);
            }
            other => panic!("{other}"),
        }
    }
    settings
}

/// How a host ended and what it left.
#[derive(Debug)]
pub struct End {
    pub signal: Option<i32>,
    pub code: Option<i32>,
    pub log: String,
    pub output: String,
}

impl Host {
    /// Starts a host for a client with these options and reads its hello.
    pub fn start(client: &Built, options: &[&str]) -> Host {
        Host::with(&settings(client, options), |descriptors| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_agon-host"));
            command.env_clear().stdin(Stdio::null());
            Process::Started(spawn(command, descriptors.into_iter().zip(1..).collect()))
        })
    }

    /// The same, forked by a fork server that has made another with these options before.
    pub fn fork(client: &Built, options: &[&str]) -> Host {
        Host::fork_after(client, client, options)
    }

    /// The same, where the one before was of another client.
    pub fn fork_after(first: &Built, client: &Built, options: &[&str]) -> Host {
        let server = ForkServer::start();
        let fork = |client: &Built, server: &ForkServer, descriptors: [RawFd; 5]| {
            let file = File::open(&client.0).unwrap();
            let request = ForkRequest::new(settings(client, options).layers, 1, false);
            server.fork(&request, &[descriptors.as_slice(), &[file.as_raw_fd()]].concat())
        };
        let before = Host::with(&settings(first, options), |descriptors| {
            Process::Forked(fork(first, &server, descriptors), ForkServer::start())
        });
        assert_eq!(before.end().code, Some(0));
        Host::with(&settings(client, options), |descriptors| {
            Process::Forked(fork(client, &server, descriptors), server)
        })
    }

    /// A host that is made with these descriptors: stdout, stderr, requests, replies, log; it reads these settings.
    fn with(settings: &HostSettings, make: impl FnOnce([RawFd; 5]) -> Process) -> Host {
        let ((requests_in, requests), (replies, replies_out)) = (pipe(), pipe());
        let ((log, log_out), (stdout, stdout_in), (stderr, stderr_in)) = (pipe(), pipe(), pipe());
        let its = [stdout_in, stderr_in, requests_in, replies_out, log_out].map(high);
        let process = make(its.each_ref().map(AsRawFd::as_raw_fd));
        drop(its);
        let [replies, log, stdout, stderr] = [replies, log, stdout, stderr].map(File::from);
        let mut requests = File::from(requests);
        requests.write_all(&settings.pack().unwrap()).unwrap();
        let requests = Some(requests);
        let mut host = Host { process, stdout, stderr, requests, replies, log, sequence: 0, layers: Layers::NONE };
        let hello = host.read().expect("a hello");
        assert_eq!((hello.kind, hello.sequence), (RequestKind::Hello as u32, 0));
        host.layers = Layers(hello.status as u32);
        host
    }

    /// Starts a host, opens and initializes the client.
    pub fn ready(client: &Built, options: &[&str]) -> Host {
        Host::start(client, options).initialized()
    }

    /// A host that was started and one that was forked, each with its client initialized.
    pub fn ready_both(client: &Built, options: &[&str]) -> [Host; 2] {
        [Host::start(client, options), Host::fork(client, options)].map(Host::initialized)
    }

    /// The kernel's report about it in this file of its folder.
    pub fn told(&self, file: &str) -> String {
        let pid = match &self.process {
            Process::Started(child) => child.id(),
            Process::Forked(pid, _) => pid.unsigned_abs(),
        };
        std::fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap()
    }

    /// Opens and initializes the client.
    pub fn initialized(mut self) -> Host {
        assert_eq!(self.open(), Some(OpenStatus::Ready));
        assert_eq!(self.ask(RequestKind::Initialize, &setup()).unwrap().status, 0);
        self
    }

    fn read(&mut self) -> Option<Reply> {
        let mut bytes = [0; HEAD];
        self.replies.read_exact(&mut bytes).ok()?;
        agon_abi::read(&bytes)
    }

    /// Writes any bytes to the host.
    pub fn write(&mut self, bytes: &[u8]) {
        self.requests.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// One request and its reply; `None` if the host has died.
    pub fn ask(&mut self, kind: RequestKind, blob: &Blob) -> Option<Reply> {
        self.sequence += 1;
        let mut bytes = Vec::new();
        Request::write(self.sequence, kind, blob, &mut bytes);
        self.requests.as_mut().unwrap().write_all(&bytes).ok()?;
        let reply = self.read()?;
        assert_eq!((reply.sequence, reply.kind), (self.sequence, kind as u32));
        Some(reply)
    }

    /// Opens the client.
    pub fn open(&mut self) -> Option<OpenStatus> {
        self.open_as(&expected())
    }

    /// Opens the client as one of another game.
    pub fn open_as(&mut self, expected: &Expected) -> Option<OpenStatus> {
        OpenStatus::from_status(self.ask(RequestKind::Open, &expected.to_blob())?.status)
    }

    /// Asks for the move on a number.
    pub fn play(&mut self, number: u64) -> Option<u64> {
        let reply = self.ask(RequestKind::Play, &turn(number))?;
        assert_eq!(reply.length, 8);
        agon_abi::read(&reply.body)
    }

    /// Asks for the name.
    pub fn name(&mut self) -> Option<(NameFlaw, Vec<u8>)> {
        let reply = self.ask(RequestKind::Name, &Blob::new())?;
        let flaws = [NameFlaw::None, NameFlaw::Null, NameFlaw::Wild, NameFlaw::Endless];
        let flaw = flaws.into_iter().find(|flaw| *flaw as i32 == reply.status).unwrap();
        Some((flaw, reply.body[..reply.length as usize].to_vec()))
    }

    /// Closes the requests and waits for the end.
    pub fn end(mut self) -> End {
        self.requests = None;
        let status = self.process.wait();
        let (mut log, mut output) = (Vec::new(), String::new());
        self.log.read_to_end(&mut log).unwrap();
        self.stdout.read_to_string(&mut output).unwrap();
        self.stderr.read_to_string(&mut output).unwrap();
        End { signal: status.signal(), code: status.code(), log: String::from_utf8(log).unwrap(), output }
    }
}

/// Plays one turn with a client that does `what` in it, under these options; returns the move and the end.
pub fn play_once(what: &str, options: &[&str]) -> (Option<u64>, End) {
    play_under(what, &[options]).remove(0)
}

/// The same under each of several lists of options, compiled once. A host that was forked comes to the same end.
pub fn play_under(what: &str, each: &[&[&str]]) -> Vec<(Option<u64>, End)> {
    let client = build(&[&format!("PLAY={what}")]);
    let play = |mut host: Host| {
        let mv = host.play(7);
        (mv, host.end())
    };
    let play_both = |options: &&[&str]| {
        let [started, forked] = Host::ready_both(&client, options).map(play);
        // A full stack is found by whichever instruction touches it first, and stacks begin at drawn addresses.
        let is_full = |log: &str| log.contains("stack overflow");
        let line = |log: &str| log.split(", at byte ").next().filter(|_| is_full(log)).unwrap_or(log).to_owned();
        let seen = |(mv, end): &(Option<u64>, End)| (*mv, end.signal, end.code, line(&end.log));
        assert_eq!(seen(&forked), seen(&started), "{what}: forked, and started with {options:?}");
        started
    };
    each.iter().map(play_both).collect()
}
