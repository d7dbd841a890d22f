//! Terms that ask for less than the full sandbox: workers refuse them, imports and tables report them, and whoever plays
//! for a record of a stranger does it in this machine's full sandbox.

use crate::browser::{Running, status};
use crate::builder::{Arena, Ran, finish, has_program};
use crate::cluster::Cluster;
use crate::held::wait_until;
use agon_postgres::PostgresRecord;
use agon_record::database::Roster as _;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// Leaves a file where no client may, and crashes.
const SPY: &str = r#"
#include <agon/amazons.h>
#include <fcntl.h>
#include <stdlib.h>
const char *get_player_name(void) { return "spy"; }
int initialize(const amazons_setup *setup) { (void)setup; return 0; }
amazons_move play(const amazons_turn *turn) {
    amazons_move mv = {(uint32_t)turn->head.ply, 1 << 30, 1 << 30};
    open(MARK, O_CREAT | O_WRONLY, 0600);
    return mv;
}
void finalize(void) {}
AGON_CLIENT(amazons)
"#;

/// Keys of `[run]`, what is said of them, and whether a client can then write a file.
const WEAK: [(&str, &str, bool); 4] = [
    ("sandbox = \"off\"", "the sandbox is off", true),
    (
        "without = [\"limits\", \"privileges\", \"landlock\", \"seccomp\"]",
        "the sandbox lacks limits, privileges, landlock, seccomp",
        true,
    ),
    ("isolation = \"none\"", "clients run inside the server, without a sandbox", true),
    ("without = [\"seccomp\"]", "the sandbox lacks seccomp", false),
];

/// A folder with a ladder that asks for less, and the file that its client leaves.
fn weak(run: &str) -> Option<(Arena, PathBuf)> {
    let arena = Arena::new();
    let mark = arena.path("mark");
    arena.rust_client("random");
    arena.c_client_with("spy", SPY, &[&format!("-DMARK=\"{}\"", mark.display())])?;
    arena.ladder_toml(&format!(
        "[ladder]\nname = \"weak\"\ngame = \"amazons\"\nseed = 7\nclients = [\"clients/*.so\"]\n\
         [options]\nboard = \"mini-3\"\n[run]\n{run}\n"
    ));
    Some((arena, mark))
}

/// Whether the file was left; it is not there afterwards.
fn took(mark: &Path) -> bool {
    fs::remove_file(mark).is_ok()
}

/// Lets a visitor meet the client, and have its advice, until the match is over.
fn at_a_board(arena: &Arena) {
    let server = Running::start(arena.command(["serve", "--listen", "127.0.0.1:0", "--play"]));
    let host = format!("localhost:{}", server.port());
    let form = server.get("/ladder/1/play.html");
    let number = form.split(">spy</option>").next().unwrap().rsplit("<option value=\"").next().unwrap().to_owned();
    let number = number.split('"').next().unwrap();
    let wish = json!({"language": "en", "setting": 0, "seats": [number, "you"], "adviser": number}).to_string();
    let begun = server.ask(&format!(
        "POST /ladder/1/play HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{wish}",
        wish.len()
    ));
    assert_eq!(status(&begun), 303, "{begun}");
    let head = |answer: &str, name: &str| answer.lines().find_map(|line| line.strip_prefix(name)).unwrap().to_owned();
    let get = |path: &str, cookie: &str| {
        server.ask(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{cookie}Connection: close\r\n\r\n"))
    };
    let link = head(&begun, "location: ");
    let entered = get(&link, "");
    let cookie = format!("Cookie: {}\r\n", head(&entered, "set-cookie: ").split(';').next().unwrap());
    let path = link.split('?').next().unwrap();
    wait_until("the match is over", || get(path, &cookie).contains("id=\"result\""));
    server.signal(Signal::INT);
    assert_eq!(server.end(), Some(0));
}

#[test]
fn a_strangers_record_is_reported_and_played_in_the_full_sandbox() {
    if !has_program("cc") {
        return;
    }
    for (run, said, writes) in WEAK {
        let (arena, mark) = weak(run).unwrap();
        arena.agon(["ladder", "--quiet"]).well();
        assert_eq!(took(&mark), writes, "{run}: whoever runs a ladder of their own has what they asked for");
        let line = format!("{said}: good for debugging, not for a rating\n");
        for words in [&["standings"][..], &["standings", "--ratings"]] {
            let table = arena.agon(words).well().stdout;
            assert!(table.contains(&line), "{run} {words:?}: {table}");
            let document = arena.agon([words, &["--json"]].concat()).well().json();
            assert_eq!(document["weaker_sandbox"], said, "{run} {words:?}: {document}");
        }
        arena.agon(["report", "--out", "pages"]).well();
        let page = fs::read_to_string(arena.path("pages/index.html")).unwrap();
        assert!(page.contains(said), "{run}: {page}");
        // The record as it was copied, and an export beside the files.
        let text = arena.agon(["record", "export", "jsonl"]).well().stdout;
        let other = Arena::new();
        other.file("in.jsonl", &text);
        for _ in 0..2 {
            let taken: Ran = other.agon(["record", "import", "in.jsonl"]).well();
            let warning = format!("warning: ladder weak asks for less than the full sandbox: {said}; ");
            assert!(taken.stderr.contains(&warning), "{run}: {}", taken.stderr);
        }
        fs::create_dir_all(other.path("agon-out/files")).unwrap();
        for file in fs::read_dir(arena.path("agon-out/files")).unwrap().flatten() {
            fs::copy(file.path(), other.path("agon-out/files").join(file.file_name())).unwrap();
        }
        for arena in [&arena, &other] {
            let again = arena.agon(["rerun", "last"]).well();
            assert!(!took(&mark), "{run}: {again:?}");
            assert!(again.stdout.contains("is the same"), "{run}: {again:?}");
            at_a_board(arena);
            assert!(!took(&mark), "{run}: at a board");
        }
    }
}

#[test]
fn a_full_sandbox_is_no_news() {
    if !has_program("cc") {
        return;
    }
    for run in ["sandbox = \"auto\"", "isolation = \"reuse\""] {
        let (arena, mark) = weak(run).unwrap();
        arena.agon(["ladder", "--quiet"]).well();
        assert!(!took(&mark));
        assert!(!arena.agon(["standings"]).well().stdout.contains("for debugging"));
        assert!(arena.agon(["standings", "--json"]).well().json().get("weaker_sandbox").is_none());
    }
}

#[test]
fn a_worker_plays_under_weaker_terms_only_where_it_is_told_to() {
    let Some(cluster) = Cluster::shared() else { return };
    for (run, said, writes) in WEAK {
        let Some((arena, mark)) = weak(run) else { return };
        let url = cluster.database();
        let mut ladder = arena.start(["ladder", "--quiet", "--jobs", "0", "--record", &url]);
        let workers = || PostgresRecord::open(&url).and_then(|record| record.workers()).unwrap_or_default();
        wait_until("the record is made", || PostgresRecord::open(&url).is_ok_and(|record| record.workers().is_ok()));
        let careful = arena.start(["worker", "run", &url, "--jobs", "1", "--name", "careful", "--cache", "careful"]);
        let why = || workers().first().and_then(|row| row.why.clone()).unwrap_or_default();
        wait_until("it has declined", || why().contains(said));
        assert!(why().contains("less than the full sandbox"), "{run}: {}", why());
        assert!(!took(&mark), "{run}");
        kill_process(Pid::from_child(&careful), Signal::TERM).unwrap();
        finish(careful);
        let words = [
            "worker",
            "run",
            &url,
            "--jobs",
            "1",
            "--name",
            "bold",
            "--cache",
            "bold",
            "--allow-weaker-sandbox",
            "--idle",
            "3",
        ];
        let bold = arena.start(words);
        wait_until("the ladder is played", || ladder.try_wait().unwrap().is_some());
        assert_eq!(took(&mark), writes, "{run}");
        finish(bold);
    }
}
