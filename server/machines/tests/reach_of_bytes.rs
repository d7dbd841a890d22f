//! Every way in which a stranger's bytes come to be run, and that nothing of them runs before all layers of the sandbox
//! hold: each way runs a probe whose first statement tells which layers hold around it, and the kernel is asked of its
//! process from outside. A layer that is left out by hand is missed.

#[allow(dead_code)] // each test file uses its part
use crate::browser::server;
mod watch;

use crate::builder::{Arena, EIGHT_STICKS, Ran, finish_within, has_program};
use rustix::process::{Signal, geteuid};
use serde_json::json;
use server::Running;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use watch::{LAYERS, Watch};

/// The same as a script; what `probe.h` does stands before everything else.
const SCRIPT: &str = r#"#!/usr/bin/python3 -S
import ctypes, resource, time
def closed(path):
    try: return not open(path)
    except OSError: return True
libc = ctypes.CDLL(None)
told = (resource.getrlimit(resource.RLIMIT_FSIZE)[1] == 0, closed('CANARY'), libc.prctl(7, 0, 0, 0, 0) < 0)
libc.prctl(15, b'TAG%d%d%d' % told, 0, 0, 0)
until = time.monotonic() + 0.12
while time.monotonic() < until: pass
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    if question['ask'] == 'setup':
        print(json.dumps({'name': 'script'}), flush=True)
        continue
    heap = next(heap for heap, sticks in enumerate(question['turn']['heaps']) if sticks > 2)
    print(json.dumps({'move': {'heap': heap, 'split': 1}}), flush=True)
"#;

/// Where a way is gone: an arena with probes of every kind, in `clients/`.
struct Ground {
    arena: Arena,
    tag: String,
    /// Words behind every command that takes terms of play.
    more: Vec<String>,
}

/// A way to execution, and how a stranger's bytes go it.
struct Way {
    name: &'static str,
    go: fn(&Ground),
    /// Whether terms of play can leave out a layer there.
    has_terms: bool,
}

const fn way(name: &'static str, go: fn(&Ground), has_terms: bool) -> Way {
    Way { name, go, has_terms }
}

/// All of them. Who adds one to agon adds it here.
const WAYS: [Way; 12] = [
    way("a library in a match", |ground| ground.play("library", "sound", AMAZONS), true),
    way("a library in hosts that are started one by one", Ground::started_one_by_one, true),
    way("a script in a match", |ground| ground.play("script", "script", GRUNDY), true),
    way("an executable in a match", |ground| ground.play("executable", "executable", GRUNDY), true),
    way("a library that is checked", Ground::check, false),
    way("a library that is added", Ground::add, false),
    way("an archive that is built", Ground::archive, false),
    way("a ladder file, with programs", Ground::ladder, false),
    way("a copied record", Ground::copied_record, false),
    way("an export", Ground::export, false),
    way(WORKER, Ground::worker, false),
    way("a visitor's board", Ground::board, false),
];

const WORKER: &str = "a worker's ladder";
/// Whom PostgreSQL runs as where the tests run as root, which it refuses.
const NOBODY: u32 = 65534;

const AMAZONS: &str = "-b square:5";
const GRUNDY: &str = "-g grundy -o heaps=8";

impl Ground {
    /// `None`, said loudly, where something is missing that probes are made of.
    fn new(number: usize, more: &[&str]) -> Option<Ground> {
        if ![has_program("cc"), has_program("python3")].into_iter().all(|has| has) {
            return None;
        }
        let (arena, tag) = (Arena::new(), format!("pr{}-{number:02}-", std::process::id() % 10_000));
        let canary = arena.file("canary", "seen").display().to_string();
        let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reach_of_bytes/probe.h");
        let macros = [format!("-DTAG=\"{tag}\""), format!("-DCANARY=\"{canary}\"")];
        let flags = ["-include", header.to_str().unwrap(), macros[0].as_str(), macros[1].as_str()];
        arena.c_client_with("library", "server/agon/tests/clients/sound.c", &flags).unwrap();
        arena.c_client("sound", "server/agon/tests/clients/sound.c").unwrap();
        let mut compiler = Command::new("cc");
        compiler.args(["-static-pie", "-fPIE"]).args(flags).arg("-o").arg(arena.path("clients/executable.bin"));
        Ran::from(compiler.arg(arena.file("talks.c", EIGHT_STICKS)).output().unwrap()).well();
        arena.file("clients/script.py", SCRIPT.replace("CANARY", &canary).replace("TAG", &tag));
        Some(Ground { arena, tag, more: more.iter().map(|word| (*word).to_owned()).collect() })
    }

    fn agon(&self, line: &str) -> Ran {
        self.arena.agon(line.split(' ').chain(self.more.iter().map(String::as_str)))
    }

    fn play(&self, one: &str, two: &str, game: &str) {
        self.agon(&format!("match {one} {two} {game} --openings 1 -j 1 -q")).well();
        assert_eq!(self.arena.shown("last").ending(), "over");
    }

    fn started_one_by_one(&self) {
        self.arena.wrap("bin/agon-host", "[ \"$1\" = --fork-server ] && exit 1\nexec");
        self.play("library", "sound", AMAZONS);
    }

    fn check(&self) {
        self.agon("check clients/library.so -n 1").well();
    }

    fn add(&self) {
        let file = self.arena.path("handed-in.so");
        fs::rename(self.arena.path("clients/library.so"), &file).unwrap();
        self.agon(&format!("add {}", file.display())).well();
    }

    /// A submission whose Makefile compiles the probe; what came of it is played.
    fn archive(&self) {
        if !has_program("make") || !has_program("zip") {
            return self.check();
        }
        let folder = self.arena.path("anna");
        fs::create_dir(&folder).unwrap();
        let [header, talks] = ["tests/reach_of_bytes/probe.h", "../agon/tests/clients"]
            .map(|name| Path::new(env!("CARGO_MANIFEST_DIR")).join(name));
        fs::copy(header, folder.join("probe.h")).unwrap();
        for entry in fs::read_dir(talks).unwrap().flatten().filter(|entry| entry.path().is_file()) {
            fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
        }
        let flags = format!("-DTAG='\"{}\"' -DCANARY='\"{}\"'", self.tag, self.arena.path("canary").display());
        let rule =
            format!("anna.so: sound.c\n\t$(CC) -O1 -w -fPIC -shared -pthread -include probe.h {flags} -o $@ sound.c\n");
        fs::write(folder.join("Makefile"), rule).unwrap();
        let mut zip = Command::new("zip");
        Ran::from(zip.args(["-qr", "anna.zip", "anna"]).current_dir(self.arena.path("")).output().unwrap()).well();
        self.agon("build anna.zip").well();
        let built = fs::read_dir(self.arena.path("clients")).unwrap().flatten().map(|entry| entry.file_name());
        assert!(built.into_iter().any(|name| name == "anna.so"));
        self.play("anna", "sound", AMAZONS);
    }

    /// A ladder of programs, and one of libraries that two people wrote.
    fn ladder(&self) {
        let programs = "clients = [\"clients/*.py\", \"clients/*.bin\"]\nopenings = 1\n[run]\nprograms = true\n\
                        [options]\nheaps = \"8\"\n";
        self.arena.ladder_toml(&format!("[ladder]\nname = \"p\"\ngame = \"grundy\"\n{programs}"));
        self.agon("ladder -q -j 1").well();
    }

    fn library_ladder(&self) {
        let clients = "clients = [\"clients/*.so\"]\nopenings = 1\n[options]\nboard = \"square:5\"\n";
        self.arena.ladder_toml(&format!("[ladder]\nname = \"l\"\ngame = \"amazons\"\nseed = 7\n{clients}"));
    }

    /// Somebody's output folder, of a match without a sandbox: played again here, in all of it.
    fn copied_record(&self) {
        self.arena.agon("match library sound -b square:5 --openings 1 -j 1 -q".split(' ')).well();
        Ran::from(
            Command::new("cp").arg("-r").args(["agon-out", "copy"]).current_dir(self.arena.path("")).output().unwrap(),
        )
        .well();
        self.agon("rerun last --record copy").well();
    }

    fn export(&self) {
        self.arena.agon("match library sound -b square:5 --openings 1 -j 1 -q".split(' ')).well();
        self.agon("record export jsonl --out stranger.jsonl").well();
        self.agon("record import stranger.jsonl --ladder strangers --record agon-out").well();
        self.agon("rerun last").well();
    }

    fn worker(&self) {
        if !has_postgres() {
            return self.check();
        }
        self.library_ladder();
        let mut ladder = self.arena.command(["ladder", "--jobs", "0", "--quiet", "--open=127.0.0.1"]);
        let mut ladder = ladder.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(ladder.stderr.take().unwrap()).lines().map_while(Result::ok);
        let line = lines.find(|line| line.contains("agon worker run '")).unwrap();
        std::thread::spawn(move || lines.for_each(drop));
        let url = line.split('\'').nth(1).unwrap();
        let worker =
            self.arena.start(["worker", "run", url, "--jobs", "1", "--cache", "other", "--idle", "10", "--quiet"]);
        assert_eq!(finish_within(ladder, Duration::from_secs(120)).status, Some(0));
        finish_within(worker, Duration::from_secs(60));
    }

    fn board(&self) {
        self.library_ladder();
        self.agon("ladder -q -j 1").well();
        let server = Running::start(self.arena.command(["serve", "--listen", "127.0.0.1:0", "--play"]));
        let host = format!("localhost:{0}\r\nOrigin: http://localhost:{0}", server.port());
        let ask = |method: &str, path: &str, more: &str, body: &str| {
            let heads = format!("Host: {host}\r\n{more}Content-Length: {}\r\nConnection: close\r\n", body.len());
            server.ask(&format!("{method} {path} HTTP/1.1\r\n{heads}\r\n{body}"))
        };
        let form = ask("GET", "/ladder/1/play.html", "", "");
        let before = form.split(">library</option>").next().unwrap();
        let number = before.rsplit("<option value=\"").next().unwrap().split('"').next().unwrap();
        let wish = json!({"language": "en", "setting": 0, "seats": ["you", number], "adviser": ""}).to_string();
        let begun = ask("POST", "/ladder/1/play", "Content-Type: application/json\r\n", &wish);
        assert!(begun.contains("location: "), "{begun}");
        std::thread::sleep(Duration::from_secs(2));
        server.signal(Signal::INT);
        assert_eq!(server.end(), Some(0));
    }
}

/// Whether a private PostgreSQL can be started.
fn has_postgres() -> bool {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let has = versions.into_iter().any(|version| version.path().join("bin/initdb").is_file());
    if !has {
        agon_skips::skip("PostgreSQL");
    }
    has
}

/// What the probes lacked that ran on a way.
fn lacked(number: usize, way: &Way, more: &[&str]) -> Option<Vec<Vec<&'static str>>> {
    let mut ground = Ground::new(number, more)?;
    if way.name == WORKER && geteuid().is_root() {
        ground.arena = ground.arena.as_user(Some(NOBODY));
    }
    let watch = Watch::start(&ground.tag);
    (way.go)(&ground);
    let lacked = watch.end();
    assert!(!lacked.is_empty(), "{}: no probe ran", way.name);
    Some(lacked)
}

#[test]
fn on_no_way_does_anything_run_before_all_layers_hold() {
    for (number, way) in WAYS.iter().enumerate() {
        let Some(lacked) = lacked(number, way, &[]) else { return };
        assert!(lacked.iter().all(Vec::is_empty), "{}: {lacked:?}", way.name);
    }
}

#[test]
fn each_layer_that_is_left_out_is_missed_on_each_way() {
    for (number, way) in WAYS.iter().enumerate().filter(|(_, way)| way.has_terms) {
        for (index, layer) in LAYERS.into_iter().enumerate() {
            // Of an ordinary user this layer takes what he does not have.
            if layer == "privileges" && !geteuid().is_root() {
                continue;
            }
            let number = 20 + number * LAYERS.len() + index;
            let Some(lacked) = lacked(number, way, &["--without", layer]) else { return };
            // The look at a new file that says which game it plays is in all layers, whatever the terms are.
            let (whole, weaker): (Vec<_>, Vec<_>) = lacked.into_iter().partition(Vec::is_empty);
            let is_missed = !weaker.is_empty() && weaker.iter().all(|lacked| lacked[..] == [layer]);
            assert!(is_missed && whole.len() <= 1, "{} without {layer}: {weaker:?}, {whole:?}", way.name);
        }
    }
}
